"""Figures 2, 3, 5 to 7 and Table 4 of the BSGD paper as experiments; a seed is a shuffle, or a
stream of its own.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from svmviz.papers.bsgd import figures, table_verdicts, verdicts
from svmviz.papers.bsgd.datasets import BUDGETS, DATA, STRATEGIES, Split
from svmviz.papers.evidence.experiment import Experiment, Keep, Results, Tasks
from svmviz.papers.evidence.verdicts import Found
from svmviz.run.streams.sources import Point
from svmviz.work.words import count

SHUFFLES = 10
FEWER = {
    "bsgd.figure7": 3,
    "bsgd.figure4.covtype": 5,
}  # where all are shown, as many as in the paper; where it takes minutes
SWEPT = {
    "letter": 16_000,
    "covtype": figures.ROWS,
    "waveform": figures.ROWS,
    "checkerboard": figures.ROWS,
}  # rows of Figure 2
STREAM, STREAMS = (
    200_000,
    5,
)  # examples of Table 4 as it is recorded, and streams, as many as in the paper
CODE = (
    "solvers/bsgd",
    "run/streams/stream.py",
    "run/streams/sources.py",
    "papers/bsgd/figures.py",
    "papers/bsgd/datasets.py",
    "papers/sbp/datasets.py",
)
SECONDS = frozenset({"seconds"})
FIGURE_5 = {name: (name, 100) for name in STRATEGIES}
FIGURE_6 = {"Pegasos": ("none", 100)} | {
    f"{s}, {B}": (s, B) for s in ("merge", "project") for B in BUDGETS
}


def shuffles(key: str) -> int:
    """As many as there are of most, or fewer."""
    return min(SHUFFLES, FEWER.get(key, SHUFFLES))


class Course(NamedTuple):
    """A stream at each look."""

    examples: np.ndarray
    accuracy: np.ndarray
    n_sv: np.ndarray
    E_bar: np.ndarray
    seconds: np.ndarray


def split_of(name: str, rows: int, keep: Keep, shuffle: int = 0) -> Split:
    """The rows of a set, read once for all tasks that need them."""
    return keep(f"bsgd {name} {rows} {shuffle}", partial(figures.page_split, name, shuffle, rows))


# --- figures --------------------------------------------------------------------------------------


def figure_2(name: str) -> Experiment:
    rows = SWEPT[name]

    def each(seed: int, keep: Keep) -> Tasks:
        def run(strategy: str, B: int) -> float:
            return figures.accuracy_at(split_of(name, rows, keep), name, strategy, B, seed)

        return {f"B = {B}": partial(run, "merge", B) for B in figures.SWEEP} | {
            "Pegasos": partial(run, "none", 1)
        }

    return Experiment(
        f"bsgd.figure2.{name}",
        f"{DATA[name].title}, at most {count(rows)} rows, one pass",
        each,
        partial(on_budget, name),
        SHUFFLES,
        code=CODE,
        folder=DATA[name].folder,
    )


def swept(results: Results) -> np.ndarray:
    """(shuffles, budgets) accuracies"""
    return np.column_stack([results.table(f"B = {B}") for B in figures.SWEEP])


def on_budget(name: str, results: Results) -> Found:
    return verdicts.on_budget(
        figures.SWEEP,
        swept(results),
        results.table("Pegasos"),
        DATA[name].unbudgeted,
        name == "covtype",
    )


def figure_3(names: tuple[str, ...] = tuple(DATA)) -> Experiment:
    def each(seed: int, keep: Keep) -> Tasks:
        def run(name: str, epochs: int) -> float:
            return figures.accuracy_at(
                split_of(name, figures.ROWS, keep), name, "merge", 500, seed, epochs
            )

        return {
            f"{name}, {epochs}": partial(run, name, epochs) for name in names for epochs in (1, 5)
        }

    return Experiment(
        "bsgd.figure3",
        f"{len(names)} data sets, at most {count(figures.ROWS)} rows each",
        each,
        on_passes,
        SHUFFLES,
        code=CODE,
        folder=folders(names),
    )


def folders(names: tuple[str, ...]) -> str:
    """What these need of the data folder."""
    return ", ".join(DATA[name].folder for name in names if DATA[name].folder)


def gains(results: Results) -> dict[str, np.ndarray]:
    """Of five passes over one, by data set."""
    return {
        DATA[name].title: results.table(f"{name}, 5") - results.table(f"{name}, 1")
        for name in DATA
        if f"{name}, 5" in results.labels
    }


def on_passes(results: Results) -> Found:
    return verdicts.on_passes(gains(results))


def course(
    name: str,
    strategy: str,
    B: int,
    shuffle: int,
    keep: Keep,
    more: Mapping[str, Any] | None = None,
) -> Course:
    split = split_of(name, figures.EVOLVING[name], keep)
    return course_of(
        figures.evolution(
            split, figures.params(name, strategy, B, split.X.shape[1]) | dict(more or {}), shuffle
        )
    )


def course_of(found: list[Point]) -> Course:
    return Course(
        *(np.array([getattr(point, field) for point in found]) for field in Course._fields)
    )


def evolving(figure: str, name: str, runs: Mapping[str, tuple[str, int]], judge) -> Experiment:
    def each(seed: int, keep: Keep) -> Tasks:
        return {
            label: partial(course, name, strategy, B, seed, keep)
            for label, (strategy, B) in runs.items()
        }

    return Experiment(
        figure,
        f"{DATA[name].title}, {count(figures.EVOLVING[name])} examples",
        each,
        judge,
        shuffles(figure),
        kinds=(Course,),
        code=CODE,
        folder=DATA[name].folder,
        clocks=SECONDS,
    )


def figure_5(name: str) -> Experiment:
    return evolving(f"bsgd.figure5.{name}", name, FIGURE_5, partial(on_strategies, name))


def on_strategies(name: str, results: Results) -> Found:
    return verdicts.on_strategies(
        {label: results.table(label, "accuracy") for label in FIGURE_5},
        name == "checkerboard",
        name == "waveform",
    )


def figure_6() -> Experiment:
    return evolving("bsgd.figure6", "checkerboard", FIGURE_6, on_time)


def timed(results: Results) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Examples, and seconds by run."""
    return (
        results.table("Pegasos", "examples")[0],
        {label: np.maximum(results.table(label, "seconds"), 1e-5) for label in FIGURE_6},
    )


def on_time(results: Results) -> Found:
    used = int(np.median(results.table("project, 500", "n_sv")[:, -1]))
    return verdicts.on_time(*timed(results))._replace(
        notes=(f"Projecting with B = 500 has come to {used} vectors.",)
    )


def figure_7(usps: bool) -> Experiment:
    def each(seed: int, keep: Keep) -> Tasks:
        return {
            strategy: partial(figures.pictures, strategy, seed, usps)
            for strategy in ("project", "merge")
        }

    data = "USPS" if usps else "scikit-learn's digits, 1300 pictures of 8 by 8 pixels"
    return Experiment(
        f"bsgd.figure7.{'usps' if usps else 'digits'}",
        data,
        each,
        lambda results: verdicts.on_pictures(results.of("project"), results.of("merge")),
        shuffles("bsgd.figure7"),
        kinds=(figures.Pictures,),
        code=CODE,
        folder="usps" if usps else "",
    )


# --- tables ---------------------------------------------------------------------------------------


def table_4(examples: int = STREAM) -> Experiment:
    def each(seed: int, keep: Keep) -> Tasks:
        def run() -> dict[tuple[str, int], Point]:
            *_, last = figures.table_4(examples, seed)
            return last

        return {"stream": run}

    return Experiment(
        "bsgd.table4",
        f"Checkerboard, streams of {count(examples)} examples",
        each,
        lambda results: on_stands(results.of("stream")),
        STREAMS,
        kinds=(Point,),
        code=CODE,
        clocks=SECONDS,
        sized=table_4,
    )


def measured(stands: list[Mapping[tuple[str, int], Any]]) -> tuple[dict, dict]:
    """Accuracy and E-bar of each stream, by strategy and B."""
    accuracy, error = (
        {
            key: np.array([getattr(stand[key], field) for stand in stands])
            for key in figures.PUBLISHED_4
        }
        for field in ("accuracy", "E_bar")
    )
    return accuracy, error


def on_stands(stands: list[Mapping[tuple[str, int], Any]]) -> Found:
    return table_verdicts.on_table_4(*measured(stands), figures.PUBLISHED_4)


EXPERIMENTS = (
    table_4(),
    *map(figure_2, SWEPT),
    figure_3(),
    *map(figure_5, figures.EVOLVING),
    figure_6(),
    figure_7(True),
    figure_7(False),
)
