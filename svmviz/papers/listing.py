"""README.md of this room: every figure and table of the five papers, whether it is here, and what
came out.

`svmviz papers record` writes it from what is recorded; so does `python -m svmviz.papers.listing`.
"""

from pathlib import Path
from typing import NamedTuple

from svmviz.papers.catalogue import EXPERIMENTS, begins
from svmviz.papers.evidence import recording
from svmviz.papers.evidence.experiment import Experiment
from svmviz.papers.evidence.verdicts import AS, NOT, OPEN, Verdict

PAGE = Path(__file__).parent / "README.md"


class Item(NamedTuple):
    """A figure or table as the paper has it: recorded under a key, or `here` or absent in so many
    words.
    """

    name: str
    shows: str
    key: str = ""
    words: str = ""


PAPERS = {
    "Pegasos (Shalev-Shwartz, Singer, Srebro, Cotter 2011)": (
        Item(
            "Figures 1 to 3",
            "the algorithms",
            words="present: the solver `pegasos`, its pseudo-code on the stage",
        ),
        Item(
            "Figure 4, Table 1",
            "linear rivals over inner products; astro-ph cannot be had, CCAT as an excerpt",
            "pegasos.figure4",
        ),
        Item(
            "Figure 5, Table 2",
            "kernel rivals over kernel evaluations; SMO for SVM-Light",
            "pegasos.figure5",
        ),
        Item("Table 3", "kernel evaluations a second over those of Pegasos", "pegasos.table3"),
        Item("Figure 6", "suboptimality over λ", "pegasos.figure6"),
        Item("Figure 7", "mini-batches: over kT, and over k", "pegasos.figure7"),
        Item("Figure 8", "three ways of drawing examples", "pegasos.figure8"),
        Item("Figure 9", "Norma, and a fixed step", "pegasos.figure9"),
    ),
    "Stochastic Batch Perceptron (Cotter, Shalev-Shwartz, Srebro 2012)": (
        Item("Figure 1", "the water level", words="present: to play with, nothing to record"),
        Item("Figure 2", "test error over kernel evaluations", "sbp.figure2"),
        Item("Section 5", "against LIBSVM in seconds", "sbp.libsvm"),
        Item("Figure 3", "random Fourier features", "sbp.figure3"),
        Item(
            "Figure 4", "two basins with a bias", words="present: to play with, nothing to record"
        ),
        Item("Table 1", "bounds", words="present: a calculator"),
        Item("Table 2", "data and parameters", words="present: as printed"),
    ),
    "SIMBA (Hazan, Koren, Srebro 2011)": (
        Item("Section 3", "CHW, PST and their hybrid at equal cost", "simba.section3"),
        Item(
            "Figure 1",
            "test error over features read; the paper's own two files cannot be had",
            "simba.figure1",
        ),
    ),
    "Budgeted SGD (Wang, Crammer, Vucetic 2012)": (
        Item(
            "Figure 1",
            "a hierarchy of algorithms",
            words="present: drawn after Section 2, with links to those that run",
        ),
        Item("Table 1", "time and space of an update; 14 of 15 algorithms", "bsgd.table1"),
        Item("Section 1", "constant space and time on a stream of a million", "bsgd.million"),
        Item("Table 2", "three rules of updating", words="present: a choice of the solver `bsgd`"),
        Item(
            "Table 3",
            "accuracy after one pass, all rows, parameters by cross-validation; 11 of 14 data sets",
            "bsgd.table3",
        ),
        Item("Table 4", "accuracy and Ē on the checkerboard", "bsgd.table4"),
        Item("Section 6.3", "merging any two vectors, and partners of either sign", "bsgd.pairs"),
        Item("Figure 2", "accuracy over the budget", "bsgd.figure2"),
        Item("Figure 3", "five passes instead of one", "bsgd.figure3"),
        Item("Figure 4", "accuracy along the stream, all curves", "bsgd.figure4"),
        Item("Figure 5", "three strategies along the stream", "bsgd.figure5"),
        Item("Figure 6", "training time", "bsgd.figure6"),
        Item("Figure 7", "support vectors as pictures", "bsgd.figure7"),
    ),
    "Approximate incremental SVMs (Usunier, Bordes, Bottou 2010)": (
        Item("Figure 1", "the duality lemma", words="present: to play with, nothing to record"),
        Item("Table 1", "data and parameters", "incremental.table1"),
        Item("Figure 2", "the gap while examples arrive", "incremental.figure2"),
        Item("Figure 3", "chance and an active teacher", "incremental.figure3"),
        Item("Figure 4", "the mean gap over K", "incremental.figure4"),
        Item("Figure 5", "test error over examples", "incremental.figure5"),
        Item("Figure 6", "test error over kernel computations", "incremental.figure6"),
    ),
}
HEAD = """# What of the five papers is here

`svmviz papers record` writes this table from the files in `recorded/`. A claim holds, fails or
cannot be told by an interval over seeds; the pages of the papers show each of them with its
numbers. Real data are not part of the repository: the command looks for them in `shared/data`
beside the project, or in the folder that SVMVIZ_DATA names.

Where seconds decide (Table 3 of Pegasos, Section 5 of SBP, Figure 6 of BSGD), all seeds share one
machine and one hour, and the intervals do not cover how clocks differ from one recording to the
next: of three on the same machine one had another verdict, of twelve, on the comparison with LIBSVM
(digits, last iterate). A fourth, in a process that had just compiled the solvers, had steps of SBP
that took two to seven times as long and four other verdicts; it was left out.
"""


def page() -> str:
    return HEAD + "".join(section(title, items) for title, items in PAPERS.items())


def section(title: str, items: tuple[Item, ...]) -> str:
    rows = [row for item in items for row in rows_of(item)]
    head = "| | shows | recorded on | as published | not | cannot be told |", "|" + "---|" * 6
    return f"\n## {title}\n\n" + "\n".join((*head, *rows)) + "\n"


def rows_of(item: Item) -> list[str]:
    if not item.key:
        return [f"| {item.name} | {item.shows} | {item.words} | | | |"]
    return [
        f"| {item.name} | {item.shows} | {on(one)} |"
        for key, one in EXPERIMENTS.items()
        if begins(key, item.key)
    ]


def on(experiment: Experiment) -> str:
    """Data, seeds, and how many claims came out which way."""
    known = recording.read(experiment)
    results = known and experiment._replace(seeds=known.seeds).results(known.found)
    if not results:
        return "not recorded | | |"
    said = experiment.judge(results).verdicts
    return " | ".join(
        [
            f"{known.data}; {known.seeds} seeds",
            *(str(count(said, kind)) for kind in (AS, NOT, OPEN)),
        ]
    )


def count(said: tuple[Verdict, ...], kind: str) -> int:
    return sum(one.outcome == kind for one in said)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
