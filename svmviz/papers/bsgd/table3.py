"""Table 3 of the BSGD paper, all of its rows, one experiment for each data set.

A row says which solver runs it, what cross-validation chooses for it besides the kernel's width,
and after how many examples it is stopped: the paper stopped after 10 000 seconds, and learnt
without a budget from at most a million examples.
"""

import math
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from svmviz.maths import kernels
from svmviz.papers.bsgd import figures, printed, tuning
from svmviz.papers.bsgd import table_verdicts as verdicts
from svmviz.papers.bsgd.datasets import BUDGETS, DATA, Split
from svmviz.papers.bsgd.experiments import CODE, split_of
from svmviz.papers.bsgd.printed import BINARY, ORDER, Cell
from svmviz.papers.bsgd.tuning import Choice
from svmviz.papers.evidence.experiment import Experiment, Keep, Results, Tasks, known_as
from svmviz.papers.evidence.verdicts import Found
from svmviz.run.streams import stream, twinned
from svmviz.solvers.bsgd.solver import PRESETS
from svmviz.work.words import count

SHUFFLES = 5  # as in the paper
WIDTHS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)  # gamma d
LAM, U, C, STEPS = (
    {"lam": (1e-4, 1e-3, 1e-2)},
    {"U": (0.0, 10.0, 40.0)},
    {"C": (1.0, 10.0, 50.0)},
    {"C": (0.01, 0.1, 1.0)},
)
ETA = {"eta": ()}  # `rates`, which depend on how many rows there are
LONG, MIDDLE, EXACT, SHORT = (
    100_000,
    50_000,
    20_000,
    10_000,
)  # examples after which a row is stopped
TWINS, PATH = 3000, 2000  # the same for TVM and IDSVM, which solve a problem at every step
LIKE = "LIBSVM"
FAR = 1.5  # points from print that are spoken of
EXACTLY = (
    "estimators/train/smo.py",
    "solvers/idsvm",
    "solvers/tvm",
    "run/streams/twinned.py",
)  # code of those that solve


class Row(NamedTuple):
    """A row of the table: an algorithm."""

    solver: str
    params: Mapping[str, Any]
    chosen: Mapping[str, tuple[float, ...]]  # besides the width, and from what
    stop: int = LONG
    binary: bool = False  # runs on two classes only
    fills: str = ""  # what is set so that B vectors are left in the end
    like: str = (
        ""  # whose width and settings it takes over: for it to be chosen itself would take hours
    )
    note: str = ""


def preset(
    name: str, chosen: Mapping[str, tuple[float, ...]], stop: int = LONG, fills: str = ""
) -> Row:
    """Of budgeted SGD, with a score per class, as in the paper's experiments."""
    return Row("bsgd", {"multiclass": True} | PRESETS[name], chosen, stop, fills=fills)


FREE = {
    "LIBSVM": Row(tuning.SMO, {}, C, EXACT, note="our SMO, to LIBSVM's tolerance"),
    "IDSVM": Row(
        "idsvm",
        {},
        {},
        PATH,
        True,
        f"parameters of {LIKE}, which finds the same w but for a bias",
        like=LIKE,
    ),
    "Pegasos": preset("Pegasos", LAM, SHORT),
    "Norma": preset("Norma", LAM | ETA, SHORT),
    "MP": preset("MP", {}, SHORT),
}
BUDGETED = {
    "TVM": Row(
        "tvm", {}, {}, TWINS, True, f"parameters of {LIKE}, which has the same objective", like=LIKE
    ),
    "BPA": Row("bsgd", PRESETS["BPA-NN"], STEPS, binary=True),
    "Projectron++": preset("Projectron++", {}, SHORT, "eps"),
    "MP + stop": preset("MP + stop", {}),
    "MP + random": preset("MP + random", {}),
    "BPegasos + remove": preset("BPegasos + remove", LAM),
    "BPegasos + project": preset("BPegasos + project", LAM, MIDDLE),
    "BPegasos + merge": preset("BPegasos + merge", LAM),
    "BNorma + merge": preset("BNorma + merge", LAM | ETA),
    "BMP + merge": preset("BMP + merge", U),
}
ROWS = FREE | BUDGETED


class Outcome(NamedTuple):
    """A run: percent of the test rows, vectors kept, and how many examples there were."""

    accuracy: float
    vectors: int
    rows: int


def cells(name: str) -> list[Cell]:
    """The rows of a data set."""
    return [
        Cell(name, algorithm, B)
        for algorithm, row in ROWS.items()
        for B in (BUDGETS if algorithm in BUDGETED else (0,))
        if name in BINARY or not row.binary
    ]


# --- a run ----------------------------------------------------------------------------------------


def rates(rows: int) -> tuple[float, float]:
    """The two η of Section 7.1; in print the exponent has lost its sign.

    >>> [round(eta, 3) for eta in rates(10_000)]
    [1.0, 0.708]
    """
    return 1.0, 0.5 * math.sqrt(2 + 0.5 / math.sqrt(rows))


def options(row: Row, rows: int) -> list[tuple[float, dict[str, float]]]:
    """What cross-validation chooses from: width and settings; ηλ stays below 1, as Theorem 2
    needs.
    """
    values = [some or rates(rows) for some in row.chosen.values()]
    found = [
        (width, dict(zip(row.chosen, settings, strict=True)))
        for width in WIDTHS
        for settings in product(*values)
    ]
    return [
        (width, settings)
        for width, settings in found
        if settings.get("eta", 0.0) * settings.get("lam", 0.0) < 1
    ]


def given(cell: Cell, d: int, width: float, settings: Mapping[str, float]) -> dict[str, Any]:
    """Parameters of the solver."""
    row = ROWS[cell.algorithm]
    return {
        "kernel": kernels.rbf(width / d),
        **({"B": cell.B} if cell.B else {}),
        **row.params,
        **settings,
    }


def filled(split: Split, row: Row, params: Mapping[str, Any], n: int) -> dict[str, float]:
    """What is set so that B vectors are left after n examples."""
    return (
        {row.fills: tuning.filled(split.X[:n], split.y[:n], split.classes, params, row.fills)}
        if row.fills
        else {}
    )


def effort_for(cell: Cell) -> tuning.Effort:
    row = ROWS[cell.algorithm]
    if row.solver == tuning.SMO:
        return tuning.BY_SMO
    return tuning.ON_A_BUDGET if row.stop == LONG else tuning.EVER_LONGER


def for_more(split: Split, cell: Cell, settings: Mapping[str, float], n: int) -> dict[str, float]:
    """What was chosen on few examples for n of them: Pegasos weighs an example by 1/(λn), which
    stays, so λ gets smaller.
    """
    few = (1 - 1 / tuning.FOLDS) * min(effort_for(cell).fine, len(split.y))
    pegasos = ROWS[cell.algorithm].chosen is LAM and few < n
    return dict(settings) | ({"lam": settings["lam"] * few / n} if pegasos else {})


def tuned(split: Split, cell: Cell) -> Choice:
    row, d = ROWS[cell.algorithm], split.X.shape[1]
    stop = min(row.stop, len(split.y))

    def params(width: float, settings: Mapping[str, float], n: int) -> dict[str, Any]:
        own = given(cell, d, width, settings)
        return own | filled(split, row, own, n)

    found = tuning.chosen(
        row.solver, split.X, split.y, options(row, stop), params, effort_for(cell)
    )
    return found._replace(
        settings=found.settings
        | filled(split, row, given(cell, d, found.width, found.settings), stop)
    )


def learnt(split: Split, cell: Cell, choice: Choice, shuffle: int) -> Outcome:
    """One pass, as far as the row goes."""
    row = ROWS[cell.algorithm]
    order = np.random.default_rng(shuffle).permutation(len(split.y))[: row.stop]
    X, y = split.X[order], split.y[order]
    params = given(
        cell, split.X.shape[1], choice.width, for_more(split, cell, choice.settings, len(y))
    )
    if row.solver == tuning.SMO:
        machine = tuning.exact(X, y, **params)
        return Outcome(100 * float(machine.score(split.Z, split.z)), len(machine.support_), len(y))
    if row.solver == "idsvm":
        ((accuracy, vectors),) = figures.traced(
            row.solver, Split(X, y, split.Z, split.z), params, [len(y)]
        )
        return Outcome(100 * accuracy, vectors, len(y))
    by = twinned.watch if row.solver == "tvm" else stream.watch
    found = stream.run(
        stream.blocks(X, y), params, classes=split.classes, test=(split.Z, split.z), by=by
    )
    return Outcome(100 * found.accuracy, found.n_sv, len(y))


# --- the experiments ------------------------------------------------------------------------------


def label(cell: Cell) -> str:
    return f"{cell.algorithm}, {cell.B}"


def choice_of(cell: Cell) -> str:
    """Of the row itself, or of the one that it follows."""
    like = ROWS[cell.algorithm].like
    return f"chosen for {label(Cell(cell.name, like, 0) if like else cell)}"


def table_3(name: str) -> Experiment:
    key, whole = f"bsgd.table3.{name}", cells(name)

    def chosen(cell: Cell, keep: Keep) -> Choice:
        if like := ROWS[cell.algorithm].like:
            return chosen(Cell(name, like, 0), keep)
        return keep(known_as(key, choice_of(cell)), lambda: tuned(split_of(name, LONG, keep), cell))

    def shared(keep: Keep) -> Tasks:
        return {
            choice_of(cell): partial(chosen, cell, keep)
            for cell in whole
            if not ROWS[cell.algorithm].like
        }

    def each(seed: int, keep: Keep) -> Tasks:
        def run(cell: Cell) -> Outcome:
            return learnt(
                split_of(name, LONG, keep, seed if DATA[name].random_split else 0),
                cell,
                chosen(cell, keep),
                seed,
            )

        return {label(cell): partial(run, cell) for cell in whole}

    return Experiment(
        key,
        f"{DATA[name].title}, at most {count(LONG)} rows to learn from, {count(SHORT)} without a "
        f"budget, and {count(figures.TESTS)} to test on",
        each,
        partial(judge, name),
        SHUFFLES,
        shared,
        (Outcome, Choice),
        (*CODE, *EXACTLY, "explore/fitting.py", "papers/bsgd/table3.py", "papers/bsgd/tuning.py"),
        DATA[name].folder,
    )


def measured(name: str, results: Results, field: str) -> dict[Cell, np.ndarray]:
    """Of every shuffle, by row."""
    return {
        cell: results.table(label(cell), field)
        for cell in cells(name)
        if label(cell) in results.labels
    }


def said(name: str, results: Results) -> verdicts.Cases:
    accuracy, vectors = (measured(name, results, field) for field in ("accuracy", "vectors"))
    return verdicts.cases(
        name, accuracy, vectors, {cell: printed.accuracy(cell) for cell in accuracy}
    )


def judge(name: str, results: Results) -> Found:
    return verdicts.on_set(said(name, results))


def overall(found: Mapping[str, Results]) -> Found:
    """Of all data sets together."""
    return verdicts.on_sets([said(name, results) for name, results in found.items()])


def reasons(cell: Cell, rows: Iterable[float]) -> list[str]:
    """Why a row need not have what was printed, where that is known."""
    here, paper = max(rows), printed.learnt_from(cell)
    found = (
        [f"{count(here)} examples, in print {count(paper)}"]
        if here < 0.9 * paper or here > 1.1 * paper
        else []
    )
    return [*found, *(text for text in (DATA[cell.name].note, ROWS[cell.algorithm].note) if text)]


def causes(cell: Cell) -> list[str]:
    """What the algorithm itself has to do with it."""
    return [text for algorithms, text in CAUSES if cell.algorithm in algorithms]


CAUSES = (
    (
        ("BPegasos + remove",),
        "removal keeps the latest B examples, all with the same weight, and w shrinks towards 0",
    ),
    (
        ("MP", "MP + stop", "MP + random", "BMP + merge", "Projectron++"),
        "a Perceptron's last w depends much on its last mistakes",
    ),
)
EXPERIMENTS = tuple(map(table_3, ORDER))
