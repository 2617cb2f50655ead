"""What theorems promise of a run, term by term, beside what twenty runs of it do."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from svmviz.maths import kernels
from svmviz.papers.simba.estimates import estimates
from svmviz.record.trace import Trace
from svmviz.run.recipe import Recipe
from svmviz.theory.bounds.common import Bound, radius
from svmviz.theory.bounds.incremental import fixed_set
from svmviz.theory.bounds.pegasos import corollary_2, lemma_2, lemma_3, theorem_1
from svmviz.theory.bounds.sbp import lemma_3_2
from svmviz.theory.bounds.simba import regret, simba_gap

GHOSTS = 20
DELTAS = (0.5, 0.2, 0.1, 0.05, 0.01)
Values = Mapping[str, float]


class Knob(NamedTuple):
    """What one drags; `options` from left to right."""

    name: str
    label: str
    options: tuple[float, ...]
    value: float


class Promise(NamedTuple):
    """One bound at T: the terms that it is the sum of, and what the runs did, seed by seed, over t
    = 0, 1, ...
    """

    bound: Bound
    terms: Mapping[str, float]
    runs: np.ndarray
    chance: float | None = None  # with which it holds of a run; None: in expectation

    @property
    def value(self) -> float:
        return float(self.bound.value[-1])

    def times(self) -> float:
        """How far it lies above the median run; what a run has reached exactly says nothing."""
        median = float(np.median(self.runs[:, -1]))
        return self.value / median if median > 0 else np.inf


def grouped(promises: list[Promise]) -> dict[str, Mapping[str, float]]:
    """The terms by the names of all bounds that are made of them."""
    names: dict[tuple, list[str]] = {}
    for one in promises:
        names.setdefault(tuple(one.terms.items()), []).append(one.bound.name)
    return {"<br>".join(those): dict(terms) for terms, those in names.items()}


class Theorem(NamedTuple):
    key: str
    quantity: str  # that is bounded
    about: str  # the runs in words
    knobs: tuple[Knob, ...]
    recipe: Callable[[Values], Recipe]
    promised: Callable[[list[Trace], Values], list[Promise]]
    unit: str = "steps"  # of T
    reached: str = "has reached the optimum"  # a run that has nothing left of the quantity

    def runs(self, values: Values) -> list[Trace]:
        recipe = self.recipe(values)
        return [replace(recipe, seed=seed).trace() for seed in range(GHOSTS)]


def steps(most: int, first: int = 10, label: str = "steps T") -> Knob:
    return Knob(
        "T", label, tuple(sorted({*np.geomspace(first, most, 25).astype(int).tolist(), most})), most
    )


def ahead(traces: list[Trace], column: str, best: float, T: int, sign: int = 1) -> np.ndarray:
    """How far each run is from the optimum, over its steps."""
    return np.array([sign * (trace.metrics[column][: T + 1] - best) for trace in traces])


def so_far(values: np.ndarray) -> np.ndarray:
    """The mean of all that came before each t; at t = 0 the first itself.

    >>> so_far(np.array([[4.0, 2.0, 0.0]]))
    array([[4., 4., 3.]])
    """
    before = values[:, :-1]
    return np.hstack([values[:, :1], np.cumsum(before, axis=1) / np.arange(1, before.shape[1] + 1)])


def exact(traces: list[Trace]) -> Any:
    trace = traces[0]
    return trace.solver.optimum(trace.problem, trace.params())


# Pegasos ------------------------------------------------------------------------------------------


def of_pegasos(traces: list[Trace], values: Values) -> list[Promise]:
    """Of the average in expectation and with confidence, of all iterates on the mean, of one of
    them by chance.
    """
    T, lam, delta = int(values["T"]), values["lam"], values["delta"]
    R, best = radius(traces[0].problem), exact(traces).primal
    average = ahead(traces, "primal_average", best, T)
    last = ahead(traces, "primal", best, T)
    drawn = np.array(
        [row[trace.random_iterates[: T + 1]] for trace, row in zip(traces, last, strict=True)]
    )
    first, mean, sure, random = (
        theorem_1(T, lam, R),
        lemma_2(T, lam, R, delta=delta),
        corollary_2(T, lam, R, delta=delta),
        lemma_3(T, lam, R, delta=delta),
    )
    first = first._replace(
        statement="expected P(w̄) − P* of the averaged iterate"
    )  # as examples are drawn with replacement
    c, C = first.constants["c"], sure.constants["c"]

    def surely(k: int) -> dict[str, float]:
        return {
            f"{k} c ln T/(λT)": k * C * np.log(T) / (lam * T),
            f"{k} c ln(1/δ)/(λT)": k * C * np.log(1 / delta) / (lam * T),
        }

    return [
        Promise(
            first,
            {"c/(2λT)": c / (2 * lam * T), "c ln T/(2λT)": c * np.log(T) / (2 * lam * T)},
            average,
        ),
        Promise(mean, surely(21), so_far(last), 1 - delta),
        Promise(sure, surely(21), average, 1 - delta),
        Promise(random, surely(42), drawn, (1 - delta) / 2),
    ]


# The stochastic batch perceptron ------------------------------------------------------------------


def of_sbp(traces: list[Trace], values: Values) -> list[Promise]:
    T, delta = int(values["T"]), values["delta"]
    r, best = radius(traces[0].problem, traces[0].kernel(1)), exact(traces).level
    behind = ahead(traces, "level_average", best, T, -1)
    parts = {"3r/√T": 3 * r / np.sqrt(T), "2r/T": 2 * r / T}
    more = {"4r√(2 ln(1/δ)/T)": 4 * r * np.sqrt(2 * np.log(1 / delta) / T)}
    sure = lemma_3_2(T, r, delta)._replace(
        name="Lemma 3.2, 1 − δ",
        statement="γ* − γ(w̄) of the averaged iterate, with probability 1 − δ",
    )
    return [Promise(lemma_3_2(T, r), parts, behind), Promise(sure, parts | more, behind, 1 - delta)]


# SIMBA --------------------------------------------------------------------------------------------


def of_simba(traces: list[Trace], values: Values) -> list[Promise]:
    """Steps made for this T."""
    T, trace = int(values["T"]), traces[0]
    n, R = len(trace.segments[0].active), radius(trace.problem)
    eta = float(np.sqrt(np.log(n) / T))
    terms = {
        "2√2 R/√T": 2 * np.sqrt(2) * R / np.sqrt(T),
        "R ln n/(ηT)": R * np.log(n) / (eta * T),
        "86 R η": 86 * R * eta,
    }
    return [
        Promise(
            simba_gap(T, n, eta, R),
            terms,
            ahead(traces, "value_average", exact(traces).level, T, -1),
            0.5,
        )
    ]


def of_variance_mw(traces: list[Trace], values: Values) -> list[Promise]:
    """What p lost beyond the best row on the estimates that a run has seen. Each run has a bound of
    its own, which it keeps; drawn is their mean.
    """
    T, trace = int(values["T"]), traces[0]
    n = len(trace.segments[0].active)
    eta = values["times"] * float(np.sqrt(np.log(n) / T))
    found = regret(estimates(traces), eta)
    even, spread = found.even.mean(axis=0), found.spread.mean(axis=0)
    bound = Bound(
        "Lemma 4.2",
        "the mean of p·v over the steps less that of the best row in hindsight, where the longest"
        " row has length 1. Each run keeps a bound of its own, whatever its estimates v are; drawn"
        " is their mean",
        np.arange(1, T + 1),
        even + spread,
        {"n": n, "eta": eta},
        (),
    )
    lost = found.earned - found.best
    terms = {"ln n/(ηT)": float(even[-1]), "η · mean of p·v²": float(spread[-1])}
    return [Promise(bound, terms, np.hstack([lost[:, :1], lost]))]


# Approximate incremental SVMs ---------------------------------------------------------------------


def alphas(trace: Trace) -> np.ndarray:
    """(T + 1, n) of a run on a fixed set, after each draw."""
    changes, y = trace.segments[0].record.changes, trace.problem.y
    moved = np.zeros((trace.steps + 1, y.size))
    np.add.at(moved, (changes.step() + 1, changes.row), changes.amount[:, 0] * y[changes.row])
    return np.cumsum(moved, axis=0)


def of_fixed_set(traces: list[Trace], values: Values) -> list[Promise]:
    """Section 4.1: the mean gap, the dual, and the primal of the average, all before draw K."""
    K, C, trace = int(values["T"]), values["C"], traces[0]
    X, y, best = trace.problem.X, trace.problem.y, exact(traces).primal
    gram, whole = kernels.gram(trace.kernel(1), X), C * y.size
    gaps = np.array([trace.scalars["gap_last"][: K + 1] for trace in traces])
    duals = np.array([best - trace.scalars["ascent"][: K + 1] / whole for trace in traces])
    means = y * np.array([so_far(alphas(trace).T).T for trace in traces])
    f = means @ gram
    primals = (
        0.5 * (means * f).sum(axis=-1) + C * np.maximum(0.0, 1.0 - y * f).sum(axis=-1)
    ) / whole - best
    bound, x = fixed_set(K, whole * best, C), whole * best / K
    parts = {"√(2D*/K)": float(np.sqrt(2 * x)), "D*/(CK)": x / C}
    return [
        Promise(bound._replace(name="4.1: gap"), parts, so_far(gaps)),
        Promise(
            bound._replace(
                name="4.1: dual", statement="(D* − D)/(C n) before draw K, in expectation"
            ),
            parts,
            np.hstack([duals[:, :1], duals[:, :-1]]),
        ),
        Promise(
            bound._replace(
                name="4.1: average",
                statement="(P − P*)/(C n) of the mean of all α so far, in expectation",
            ),
            parts,
            primals,
        ),
    ]


def simba(values: Values) -> Recipe:
    return Recipe(
        "direction",
        {"n": 60, "d": 30},
        "simba",
        {"nu": values["nu"], "schedule": "constant", "horizon": int(values["T"])},
        steps=int(values["T"]),
    ).checked()


TABLE = "Sparse direction, 60 rows of 30 features, constant steps made for T"
NU = Knob("nu", "ν", (0.002, 0.007, 0.02, 0.05), 0.007)
THEOREMS = {
    theorem.key: theorem
    for theorem in (
        Theorem(
            "pegasos",
            "P − P*",
            "Two Gaussians, 120 points",
            (
                steps(2000),
                Knob("lam", "λ", (0.01, 0.02, 0.05, 0.1, 0.2, 0.5), 0.05),
                Knob("delta", "δ", DELTAS, 0.05),
            ),
            lambda values: Recipe(
                "blobs",
                {"n": 120, "noise": 1.1},
                "pegasos",
                {"lam": values["lam"], "iterate": "random"},
                steps=int(values["T"]),
            ).checked(),
            of_pegasos,
        ),
        Theorem(
            "sbp",
            "γ* − γ(w̄)",
            "Two moons, 100 points, Gaussian kernel with γ = 2",
            (
                steps(1000),
                Knob("nu", "ν", (0.01, 0.02, 0.05, 0.1, 0.2), 0.05),
                Knob("delta", "δ", DELTAS, 0.05),
            ),
            lambda values: Recipe(
                "moons",
                {"n": 100, "noise": 0.15},
                "sbp",
                {"nu": values["nu"], "kernel": kernels.rbf(2.0), "iterate": "average"},
                steps=int(values["T"]),
            ).checked(),
            of_sbp,
        ),
        Theorem("simba", "γ* − value of w̄ and ξ̄", TABLE, (steps(2000, 60), NU), simba, of_simba),
        Theorem(
            "variance_mw",
            "regret per step",
            f"{TABLE}; with another η its p is played on the estimates of the same runs",
            (steps(2000, 60), NU, Knob("times", "η, in √(ln n/T)", (0.125, 0.25, 0.5, 1, 2, 4), 1)),
            simba,
            of_variance_mw,
            reached="loses no more than the best row does",
        ),
        Theorem(
            "fixed_set",
            "missing, over C n",
            "Two moons, 100 points, all there from the beginning, k(x, x) = 1 by a Gaussian "
            "kernel with γ = 1, a draw a step",
            (steps(2000, label="draws K"), Knob("C", "C", (0.1, 1.0, 10.0, 100.0), 1.0)),
            lambda values: Recipe(
                "moons",
                {"n": 100, "noise": 0.2},
                "incremental",
                {"algorithm": "batch", "K": 1, "C": values["C"], "kernel": kernels.rbf(1.0)},
                steps=int(values["T"]),
            ).checked(),
            of_fixed_set,
            "draws",
        ),
    )
}
