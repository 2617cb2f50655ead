"""Usunier, Bordes, Bottou: approximate incremental SVMs, AISTATS 2010: the duality lemma and what
follows from it.

mu(x) = √(2x) + x/C turns a gain in the dual into a bound on the gap. All assume K(x, x) <= 1.
"""

import math
from typing import Any

import numpy as np

from svmviz.theory import optima
from svmviz.theory.bounds.common import Assumption, Bound, radius


def mu(x, C: float) -> Any:
    """√(2x) + x/C, of a number or an array.

    >>> mu(0.5, C=1.0)
    1.5
    """
    return np.sqrt(2.0 * x) + x / C if isinstance(x, np.ndarray) else math.sqrt(2.0 * x) + x / C


def gap_shares(y, f, alpha, C: float) -> np.ndarray:
    """Identity (4): what each example adds to P - D, max((C - alpha) g, -alpha g) with g = 1 - y f;
    never negative.

    >>> gap_shares(np.ones(2), np.array([0.5, 2.0]), np.array([0.5, 0.25]), C=1.0)
    array([0.25, 0.25])
    """
    g = 1.0 - y * f
    return np.maximum((C - alpha) * g, -alpha * g)


def gains(y, f, alpha, C: float, diagonal) -> np.ndarray:
    """Delta_{t,i}: what the exact coordinate step on each alpha alone would gain in the dual."""
    g = 1.0 - y * f
    with np.errstate(divide="ignore", invalid="ignore"):
        a = np.where(diagonal > 0.0, np.clip(alpha + g / diagonal, 0.0, C), C) - alpha
    return a * (g - 0.5 * a * diagonal)


def duality_lemma(y, f, alpha, C: float, diagonal) -> float:
    """Lemma 1: (P_t - D_t) / (C t) is at most mu of the mean gain of a coordinate step."""
    return mu(float(np.maximum(0.0, gains(y, f, alpha, C, diagonal)).mean()), C)


def tracking(best, K: int, C: float, process: float | np.ndarray = 0.0) -> Any:
    """Theorem 2, and with `process` = delta_T / (C T) Theorem 3: the mean over t <= T of (P_t -
    P*_t) / (C t) is at most mu((D*_T - delta_T) / (K T)) in expectation; `best` is D*_T / (C T).

    >>> round(tracking(0.5, K=5, C=1.0), 4)
    0.5472
    """
    return mu(C * (best - process) / K, C)


def draws_for(eps: float, C: float) -> int:
    """Corollary 4: the K that ensures a mean suboptimality of eps, for 0 < eps <= 4 C.

    >>> draws_for(1.0, C=1000.0)
    8000
    """
    if not 0 < eps <= 4 * C:
        raise ValueError(f"eps must lie in (0, 4 C], that is (0, {4 * C:g}], got {eps}")
    return math.ceil(8 * C / eps**2)


def fixed_set(draws: int, best: float, C: float, *assumptions: Assumption) -> Bound:
    """Section 4.1, on a fixed set of n examples: the mean of (P - D) / (C n) over the alphas before
    each of K draws is at most mu(D* / K) in expectation; `best` is D*, whole. The dual and the
    averaged alpha are as close at least.

    >>> round(float(fixed_set(200, best=25.0, C=1.0).value[-1]), 4)
    0.625
    """
    t = np.arange(1, draws + 1)
    x = best / t
    return Bound(
        "Section 4.1",
        "mean of (P − D)/(C n) over the draws so far, in expectation",
        t,
        mu(x, C),
        {"C": C},
        assumptions,
        "√(2x) + x/C",
        "√(2 · {x:.3g}) + {x:.3g}/{C:.3g} = {value:.3g}",
        "x = {x:.3g} is the optimum D* of the dual, divided by the draws so far.",
        {"x": x},
    )


def batch(trace, steps: int) -> Bound | None:
    """Of a run of the batch counterpart, of which each round shows one alpha: the gains of the
    draws that follow these add up to D* at most, so that rounds take the place of draws. It begins
    where it says more than w = 0 does, whose primal is 1.
    """
    params, (T, best) = trace.segments[0].params, optima.tracked(trace)
    if not T.size:
        return None
    n, C = len(trace.segments[0].active), params["C"]
    bound = fixed_set(steps, C * n * (float(best[0]) + optima.CLOSE), C)
    tells = bound.value < 1.0
    from_there = tells if tells.any() else slice(None)
    return bound._replace(
        t=bound.t[from_there],
        value=bound.value[from_there],
        parts={"x": bound.parts["x"][from_there]},
        assumptions=(
            unit(trace),
            Assumption(
                "the bound says more than w = 0 does, whose primal is 1; it is"
                f" {bound.value[-1]:.3g}",
                bool(tells.any()),
                needed=False,
            ),
        ),
        statement="mean over the rounds so far of (P − P*)/(C n), in expectation",
        where=(
            "x = {x:.3g} is the optimum D* of the dual, divided by the rounds so far: each counts"
            " with its last α alone."
        ),
    )


def unit(trace) -> Assumption:
    kernel = trace.kernel(1)
    return Assumption(
        "k(x, x) is at most 1", kernel.radial or radius(trace.problem, kernel) <= 1 + 1e-9
    )


def incremental(trace) -> Bound | None:
    """The theorem of a run, from the exact optima along it; it ends at the first change of a
    parameter.
    """
    start, params, record, _, _ = trace.segments[0]
    if params["gradients"].startswith("LASVM"):
        return None
    steps = (
        min(trace.steps, *(s.start for s in trace.segments[1:]))
        if len(trace.segments) > 1
        else trace.steps
    )
    if params["algorithm"] == "batch":
        return batch(trace, steps)
    T, best = optima.tracked(trace)
    T, best = T[T <= steps], best[T <= steps]
    if not T.size:
        return None
    K, C = params["K"], params["C"]
    gained = np.cumsum(record.own["gain"])[T - 1] / (C * T)
    name = "Theorem 3" if params["algorithm"] == "Algorithm 2" else "Theorem 2"
    best = best + optima.CLOSE  # what it may be wrong by
    value = tracking(best, K, C, np.minimum(gained, best))
    assumptions = (
        unit(trace),
        Assumption("each step brings a new example", bool(record.own["arrived"][:steps].all())),
    )
    left = C * (best - np.minimum(gained, best)) / K
    return Bound(
        name,
        "mean over t of (P_t − P*_t)/(C t), in expectation",
        T,
        value,
        {"K": K, "C": C},
        assumptions,
        "√(2x) + x/C",
        "√(2 · {x:.3g}) + {x:.3g}/{C:.3g} = {value:.3g}",
        "x = {x:.3g} is C/K times what is left of the optimum once the gain of PROCESS is taken"
        " off.",
        {"x": left},
    )
