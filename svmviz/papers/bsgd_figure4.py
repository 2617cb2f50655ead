"""Figure 4 of the BSGD paper: accuracy along three streams, of merging beside all of its rivals.

What runs on two classes only has a curve on the checkerboard alone, as in the paper. IDSVM keeps all kernel values among the
examples: the paper stopped it after 10 000 seconds, here it ends after so many examples.
"""

import time
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from svmviz.explore.faults import ESTIMATOR
from svmviz.maths import kernels
from svmviz.maths.words import count
from svmviz.papers import bsgd_figures as figures
from svmviz.papers import bsgd_verdicts as verdicts
from svmviz.papers.bsgd_experiments import CODE, SECONDS, Course, column_of, course, shuffles, split_of
from svmviz.papers.bsgd_sets import DATA, PARAMETERS, Split
from svmviz.papers.bsgd_tuning import filled
from svmviz.papers.experiment import Experiment, Keep, Results, Tasks, known_as
from svmviz.papers.verdicts import Found

B = 100
C, STEP = 100.0, 1.0  # of exact solvers, and of the passive-aggressive rule
CLAIMED = {"checkerboard": "follows", "waveform": "leads", "covtype": "trails"}  # merging, of Pegasos


class Run(NamedTuple):
    """A curve: what runs, and after how many examples it ends."""

    strategy: str  # of `figures.params`, or a solver of its own
    own: bool = False
    params: dict[str, Any] = {}
    stop: int = 10**9
    fills: str = ""  # what is set so that B vectors are left in the end


RUNS = {"Pegasos": Run("none"), "merge": Run("merge"), **{name: Run(name) for name in figures.MARGIN_PERCEPTRONS},
        "Projectron++": Run("Projectron++", fills="eps")}
BINARY = {"BPA": Run("BPA-NN", params={"C": STEP, "multiclass": False})}


def runs(name: str) -> dict[str, Run]:
    """The curves of a data set."""
    return RUNS | (BINARY if name == "checkerboard" else {})


def by_prefixes(name: str, run: Run, split: Split, shuffle: int) -> Course:
    """Of a solver that is no stream: what it has learnt from the first examples, and from more of them."""
    order = np.random.default_rng(shuffle).permutation(len(split.y))
    gamma, _ = PARAMETERS[name, B]
    kernel = kernels.rbf(gamma / split.X.shape[1])
    found = []
    for n in (n for n in figures.looks_at(len(split.y)) if n <= run.stop):
        began = time.thread_time()
        model = ESTIMATOR[run.strategy](kernel=kernel, **run.params, steps=n, random_state=0).fit(split.X[order[:n]],
                                                                                                  split.y[order[:n]])
        seconds = time.thread_time() - began
        found.append((n, model.score(split.Z, split.z), len(model.support_vectors_), 0.0, seconds))
    return Course(*map(np.array, zip(*found, strict=True)))


def figure_4(name: str) -> Experiment:
    key = f"bsgd.figure4.{name}"

    def threshold(run: Run, keep: Keep) -> float:
        def search() -> float:
            split = split_of(name, figures.EVOLVING[name], keep)
            return filled(split.X, split.y, split.classes, figures.params(name, run.strategy, B, split.X.shape[1]), run.fills)

        return keep(known_as(key, run.fills), search)

    def shared(keep: Keep) -> Tasks:
        return {run.fills: partial(threshold, run, keep) for run in runs(name).values() if run.fills}

    def each(seed: int, keep: Keep) -> Tasks:
        def curve(run: Run) -> Course:
            if run.own:
                return by_prefixes(name, run, split_of(name, figures.EVOLVING[name], keep), seed)
            found = {run.fills: threshold(run, keep)} if run.fills else {}
            return course(name, run.strategy, B, seed, keep, run.params | found)

        return {label: partial(curve, run) for label, run in runs(name).items()}

    return Experiment(key, f"{DATA[name].title}, {count(figures.EVOLVING[name])} examples", each, partial(judge, name),
                      shuffles(key), shared, (Course,), (*CODE, "papers/bsgd_figure4.py", "papers/bsgd_tuning.py"),
                      DATA[name].folder, SECONDS)


def judge(name: str, results: Results) -> Found:
    accuracy = {label: column_of(results, label, "accuracy") for label in results.labels}
    vectors = tuple(int(np.median(column_of(results, label, "n_sv")[:, -1])) for label in ("merge", "Pegasos"))
    others = {label: float(np.median(curve[:, -1])) for label, curve in accuracy.items() if label not in ("merge", "Pegasos")}
    return verdicts.on_evolution(accuracy["merge"], accuracy["Pegasos"], vectors, others, CLAIMED[name],
                                 {label: accuracy[label] for label in ("IDSVM", "TVM") if label in accuracy})


EXPERIMENTS = tuple(map(figure_4, figures.EVOLVING))
