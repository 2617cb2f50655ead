"""What theorems promise of a run, term by term, beside what twenty runs of it do."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from svmviz.maths import kernels
from svmviz.record.trace import Trace
from svmviz.run.recipe import Recipe
from svmviz.theory.bounds.common import Bound, radius
from svmviz.theory.bounds.of_pegasos import corollary_2, lemma_3, theorem_1
from svmviz.theory.bounds.of_sbp import lemma_3_2
from svmviz.theory.bounds.of_simba import simba_gap

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
    """One bound at T: the terms that it is the sum of, and what the runs did, seed by seed, over t = 0, 1, ..."""

    bound: Bound
    terms: Mapping[str, float]
    runs: np.ndarray

    @property
    def value(self) -> float:
        return float(self.bound.value[-1])

    def times(self) -> float:
        """How far it lies above the median run; what a run has reached exactly says nothing."""
        median = float(np.median(self.runs[:, -1]))
        return self.value / median if median > 0 else np.inf


class Theorem(NamedTuple):
    key: str
    quantity: str  # that is bounded
    about: str  # the runs in words
    knobs: tuple[Knob, ...]
    recipe: Callable[[Values], Recipe]
    promised: Callable[[list[Trace], Values], list[Promise]]

    def runs(self, values: Values) -> list[Trace]:
        recipe = self.recipe(values)
        return [replace(recipe, seed=seed).trace() for seed in range(GHOSTS)]


def steps(most: int, first: int = 10) -> Knob:
    return Knob("T", "steps T", tuple(sorted({*np.geomspace(first, most, 25).astype(int).tolist(), most})), most)


def ahead(traces: list[Trace], column: str, best: float, T: int, sign: int = 1) -> np.ndarray:
    """How far each run is from the optimum, over its steps."""
    return np.array([sign * (trace.metrics[column][:T + 1] - best) for trace in traces])


def exact(traces: list[Trace]) -> Any:
    trace = traces[0]
    return trace.solver.optimum(trace.problem, trace.params())


# Pegasos ------------------------------------------------------------------------------------------------------------------

def of_pegasos(traces: list[Trace], values: Values) -> list[Promise]:
    """Of the average in expectation, of the average with confidence, of one iterate by chance."""
    T, lam, delta = int(values["T"]), values["lam"], values["delta"]
    R, best = radius(traces[0].problem), exact(traces).primal
    average = ahead(traces, "primal_average", best, T)
    last = ahead(traces, "primal", best, T)
    drawn = np.array([row[trace.random_iterates[:T + 1]] for trace, row in zip(traces, last, strict=True)])
    first, sure, random = theorem_1(T, lam, R), corollary_2(T, lam, R, delta=delta), lemma_3(T, lam, R, delta=delta)
    first = first._replace(statement="expected P(w̄) − P* of the averaged iterate")  # as examples are drawn with replacement
    c, C = first.constants["c"], sure.constants["c"]
    return [
        Promise(first, {"c/(2λT)": c / (2 * lam * T), "c ln T/(2λT)": c * np.log(T) / (2 * lam * T)}, average),
        Promise(sure, {"21 c ln T/(λT)": 21 * C * np.log(T) / (lam * T),
                       "21 c ln(1/δ)/(λT)": 21 * C * np.log(1 / delta) / (lam * T)}, average),
        Promise(random, {"42 c ln T/(λT)": 42 * C * np.log(T) / (lam * T),
                         "42 c ln(1/δ)/(λT)": 42 * C * np.log(1 / delta) / (lam * T)}, drawn)]


# The stochastic batch perceptron ------------------------------------------------------------------------------------------

def of_sbp(traces: list[Trace], values: Values) -> list[Promise]:
    T, delta = int(values["T"]), values["delta"]
    r, best = radius(traces[0].problem, traces[0].kernel(1)), exact(traces).level
    behind = ahead(traces, "level_average", best, T, -1)
    parts = {"3r/√T": 3 * r / np.sqrt(T), "2r/T": 2 * r / T}
    more = {"4r√(2 ln(1/δ)/T)": 4 * r * np.sqrt(2 * np.log(1 / delta) / T)}
    sure = lemma_3_2(T, r, delta)._replace(
        name="Lemma 3.2, 1 − δ", statement="γ* − γ(w̄) of the averaged iterate, with probability 1 − δ")
    return [Promise(lemma_3_2(T, r), parts, behind), Promise(sure, parts | more, behind)]


# SIMBA --------------------------------------------------------------------------------------------------------------------

def of_simba(traces: list[Trace], values: Values) -> list[Promise]:
    """Steps made for this T."""
    T, trace = int(values["T"]), traces[0]
    n, R = len(trace.segments[0].active), radius(trace.problem)
    eta = float(np.sqrt(np.log(n) / T))
    terms = {"2√2 R/√T": 2 * np.sqrt(2) * R / np.sqrt(T), "R ln n/(ηT)": R * np.log(n) / (eta * T), "86 R η": 86 * R * eta}
    return [Promise(simba_gap(T, n, eta, R), terms, ahead(traces, "value_average", exact(traces).level, T, -1))]


THEOREMS = {theorem.key: theorem for theorem in (
    Theorem("pegasos", "P − P*", "Two Gaussians, 120 points",
            (steps(2000), Knob("lam", "λ", (0.01, 0.02, 0.05, 0.1, 0.2, 0.5), 0.05), Knob("delta", "δ", DELTAS, 0.05)),
            lambda values: Recipe("blobs", {"n": 120, "noise": 1.1}, "pegasos", {"lam": values["lam"], "iterate": "random"},
                                  steps=int(values["T"])).checked(), of_pegasos),
    Theorem("sbp", "γ* − γ(w̄)", "Two moons, 100 points, Gaussian kernel with γ = 2",
            (steps(1000), Knob("nu", "ν", (0.01, 0.02, 0.05, 0.1, 0.2), 0.05), Knob("delta", "δ", DELTAS, 0.05)),
            lambda values: Recipe("moons", {"n": 100, "noise": 0.15}, "sbp",
                                  {"nu": values["nu"], "kernel": kernels.rbf(2.0), "iterate": "average"},
                                  steps=int(values["T"])).checked(), of_sbp),
    Theorem("simba", "γ* − value of w̄ and ξ̄", "Sparse direction, 60 rows of 30 features, constant steps made for T",
            (steps(2000, 60), Knob("nu", "ν", (0.002, 0.007, 0.02, 0.05), 0.007)),
            lambda values: Recipe("direction", {"n": 60, "d": 30}, "simba",
                                  {"nu": values["nu"], "schedule": "constant", "horizon": int(values["T"])},
                                  steps=int(values["T"])).checked(), of_simba),
)}
