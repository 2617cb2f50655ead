"""Figure 4 of the BSGD paper: accuracy along three streams, of merging beside all of its rivals.

What runs on two classes only has a curve on the checkerboard alone, as in the paper. IDSVM keeps
all examples: the paper stopped what took 10 000 seconds, here it ends after so many of them.
"""

import time
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from svmviz.maths import kernels
from svmviz.papers.bsgd import figures, verdicts
from svmviz.papers.bsgd.datasets import DATA, PARAMETERS, Split
from svmviz.papers.bsgd.experiments import (
    CODE,
    SECONDS,
    Course,
    course,
    course_of,
    shuffles,
    split_of,
)
from svmviz.papers.bsgd.tuning import filled
from svmviz.papers.evidence.experiment import Experiment, Keep, Results, Tasks, known_as
from svmviz.papers.evidence.verdicts import Found
from svmviz.run.streams import twinned
from svmviz.work.words import count

B = 100
C, STEP = 10.0, 0.1  # of exact solvers, and of the passive-aggressive rule
CLAIMED = {
    "checkerboard": "follows",
    "waveform": "leads",
    "covtype": "trails",
}  # merging, of Pegasos


class Run(NamedTuple):
    """A curve: what runs, and after how many examples it ends."""

    strategy: str  # of `figures.params`, or a solver of its own
    params: dict[str, Any] = {}
    stop: int = 10**9
    fills: str = ""  # what is set so that B vectors are left in the end


RUNS = {
    "Pegasos": Run("none"),
    "merge": Run("merge"),
    **{name: Run(name) for name in figures.MARGIN_PERCEPTRONS},
    "Projectron++": Run("Projectron++", fills="eps"),
}
BINARY = {
    "BPA": Run("BPA-NN", params={"C": STEP, "multiclass": False}),
    "IDSVM": Run("idsvm", {"C": C}, 2000),
    "TVM": Run("tvm", {"C": C, "B": B}),
}


def runs(name: str) -> dict[str, Run]:
    """The curves of a data set."""
    return RUNS | (BINARY if name == "checkerboard" else {})


def sooner(name: str) -> dict[str, int]:
    """Who ends sooner than the stream, and after how many examples."""
    return {
        label: run.stop for label, run in runs(name).items() if run.stop < figures.EVOLVING[name]
    }


def ends(name: str) -> str:
    """The same in words."""
    return ", ".join(
        f"{label} ends after {count(stop)} examples" for label, stop in sooner(name).items()
    )


def exact(name: str, run: Run, split: Split) -> dict[str, Any]:
    """Parameters of a solver of its own."""
    gamma, _ = PARAMETERS[name, B]
    return {"kernel": kernels.rbf(gamma / split.X.shape[1]), **run.params}


def by_stream(name: str, run: Run, split: Split, shuffle: int) -> Course:
    return course_of(
        figures.evolution(split, exact(name, run, split), shuffle, watch=twinned.watch)
    )


def by_trace(name: str, run: Run, split: Split, shuffle: int) -> Course:
    order = np.random.default_rng(shuffle).permutation(len(split.y))[: run.stop]
    looks = [*(n for n in figures.looks_at(len(split.y)) if n < order.size), order.size]
    began = time.thread_time()
    shuffled = Split(split.X[order], split.y[order], split.Z, split.z)
    found = figures.traced(run.strategy, shuffled, exact(name, run, split), looks)
    pace = (time.thread_time() - began) / looks[-1]  # of all of it: a step by itself is not timed
    accuracy, vectors = map(np.array, zip(*found, strict=True))
    examples = np.array(looks)
    return Course(examples, accuracy, vectors, np.zeros(len(looks)), pace * examples)


OWN = {"idsvm": by_trace, "tvm": by_stream}


def figure_4(name: str) -> Experiment:
    key = f"bsgd.figure4.{name}"

    def threshold(run: Run, keep: Keep) -> float:
        def search() -> float:
            split = split_of(name, figures.EVOLVING[name], keep)
            return filled(
                split.X,
                split.y,
                split.classes,
                figures.params(name, run.strategy, B, split.X.shape[1]),
                run.fills,
            )

        return keep(known_as(key, run.fills), search)

    def shared(keep: Keep) -> Tasks:
        return {
            run.fills: partial(threshold, run, keep) for run in runs(name).values() if run.fills
        }

    def each(seed: int, keep: Keep) -> Tasks:
        def curve(run: Run) -> Course:
            if run.strategy in OWN:
                return OWN[run.strategy](
                    name, run, split_of(name, figures.EVOLVING[name], keep), seed
                )
            found = {run.fills: threshold(run, keep)} if run.fills else {}
            return course(name, run.strategy, B, seed, keep, run.params | found)

        return {label: partial(curve, run) for label, run in runs(name).items()}

    return Experiment(
        key,
        f"{DATA[name].title}, {count(figures.EVOLVING[name])} examples",
        each,
        partial(judge, name),
        shuffles(key),
        shared,
        (Course,),
        (
            *CODE,
            "solvers/idsvm",
            "solvers/tvm",
            "run/streams/twinned.py",
            "papers/bsgd/figure4.py",
            "papers/bsgd/tuning.py",
        ),
        DATA[name].folder,
        SECONDS,
    )


def judge(name: str, results: Results) -> Found:
    accuracy = results.tables("accuracy")
    vectors = tuple(
        int(np.median(results.table(label, "n_sv")[:, -1])) for label in ("merge", "Pegasos")
    )
    others = {
        label: float(np.median(curve[:, -1]))
        for label, curve in accuracy.items()
        if label not in ("merge", "Pegasos")
    }
    early = sooner(name)
    others = {
        label + (f" after {count(early[label])}" if label in early else ""): share
        for label, share in others.items()
    }
    return verdicts.on_evolution(
        accuracy["merge"],
        accuracy["Pegasos"],
        vectors,
        others,
        CLAIMED[name],
        {label: accuracy[label] for label in ("IDSVM", "TVM") if label in accuracy},
    )


EXPERIMENTS = tuple(map(figure_4, figures.EVOLVING))
