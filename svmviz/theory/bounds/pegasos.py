"""Shalev-Shwartz, Singer, Srebro, Cotter: Pegasos, Mathematical Programming 127 (2011)."""

import math

import numpy as np

from svmviz.maths import sampling
from svmviz.maths.losses import Loss, in_ball, loss_of
from svmviz.theory.bounds.common import STEEP, Assumption, Bound, radius


def gradient_constant(lam: float, R: float, project: bool, loss: Loss | None = None) -> float:
    """c of Pegasos, Theorem 1, the square of the longest gradient: (√λ + R)² with the projection, 4
    R² without.

    The proof holds for every convex loss that costs at most 1 at margin 0 (so that w* lies in the
    ball) and has no slope above
    1. That of the squared hinge grows with |w|: on the ball it is at most 2 (1 + R/√λ); without one
       nothing is promised.
    """
    steepest = min(loss.steepest if loss else 1.0, 2.0 * (1.0 + R / math.sqrt(lam)))
    return (math.sqrt(lam) + steepest * R) ** 2 if project else 4.0 * R * R


def _rate(c, lam, t):
    return c * (1.0 + np.log(t)) / (2.0 * lam * t)


def _times(steps):
    """The theorems of Pegasos speak of T >= 3."""
    return np.arange(3, max(steps, 3) + 1)


def theorem_1(
    steps: int, lam: float, R: float, project: bool = False, loss: Loss | None = None
) -> Bound:
    """Pegasos, Theorem 1: for *any* sequence A_1 .. A_T, and surely, mean f(w_t; A_t) - mean f(w*;
    A_t) <= value.

    Drawn with replacement, the same value bounds the expected suboptimality of the averaged
    iterate.
    """
    c, t = gradient_constant(lam, R, project, loss), _times(steps)
    flat = () if project or loss is None or loss.steepest <= 1.0 else (Assumption(STEEP, False),)
    return Bound(
        "Theorem 1",
        "mean of f(w_t; A_t) − f(w*; A_t) over the steps so far",
        t,
        _rate(c, lam, t),
        {"c": c, "R": R, "lam": lam},
        (*flat, Assumption("at least 3 steps", steps >= 3)),
        "c (1 + ln t)/(2λt)",
        "{c:.3g} (1 + ln {t})/(2 · {lam:.3g} · {t}) = {value:.3g}",
        f"c = {'(√λ + R)²' if project else '4R²'} bounds the squared slope of P; "
        "R = {R:.3g} is the length of the longest example.",
    )


def corollary_1(
    steps: int,
    lam: float,
    R: float,
    project: bool = False,
    full_batch: bool = True,
    loss: Loss | None = None,
) -> Bound:
    """Pegasos, Corollary 1: f(w̄) - f(w*) <= value, surely, when every step sees all the data."""
    bound = theorem_1(steps, lam, R, project, loss)
    return bound._replace(
        name="Corollary 1",
        statement="P(w̄) − P* of the averaged iterate",
        assumptions=(
            *bound.assumptions,
            Assumption("every step looks at all the data, k = n", full_batch),
        ),
    )


def lemma_2(
    steps: int,
    lam: float,
    R: float,
    project: bool = False,
    delta: float = 0.05,
    uniform: bool = True,
) -> Bound:
    """Pegasos, Lemma 2: mean f(w_t) - f(w*) <= 21 c ln(T/δ) / (λT) with probability 1 - δ; R is
    raised to at least 1.
    """
    if not 0 < delta < 1:
        raise ValueError(f"delta must lie in (0, 1), got {delta}")
    R = max(1.0, R)
    c, t = gradient_constant(lam, R, project), _times(steps)
    value = 21.0 * c * np.log(t / delta) / (lam * t)
    return Bound(
        "Lemma 2",
        "mean of P(w_t) − P* over the steps so far",
        t,
        value,
        {"c": c, "R": R, "lam": lam, "delta": delta},
        (
            Assumption("at least 3 steps", steps >= 3),
            Assumption("λ is at most 1/4", lam <= 0.25),
            Assumption("examples are drawn uniformly and independently", uniform),
        ),
    )


def corollary_2(
    steps: int,
    lam: float,
    R: float,
    project: bool = False,
    delta: float = 0.05,
    uniform: bool = True,
) -> Bound:
    """Pegasos, Corollary 2: f(w̄) - f(w*) is within Lemma 2's value with probability 1 - δ."""
    return lemma_2(steps, lam, R, project, delta, uniform)._replace(
        name="Corollary 2", statement="P(w̄) − P* of the averaged iterate"
    )


def lemma_3(
    steps: int,
    lam: float,
    R: float,
    project: bool = False,
    delta: float = 0.05,
    uniform: bool = True,
) -> Bound:
    """Pegasos, Lemma 3: a random one of w_1 .. w_T is within twice Lemma 2's value, with
    probability (1 - δ)/2.
    """
    bound = lemma_2(steps, lam, R, project, delta, uniform)
    return bound._replace(
        name="Lemma 3", statement="P(w_r) − P* of the random iterate", value=2.0 * bound.value
    )


def pegasos(trace, R: float | None = None) -> Bound:
    """The bound to draw beside the averaged iterate of a run of Pegasos, with what breaks it.

    It ends at the first change of a parameter, because the theorem is about one λ from the first
    step on.
    """
    params = trace.segments[0].params
    steps = trace.segments[1].start if len(trace.segments) > 1 else trace.steps
    problem, lift = trace.solver.lifted(trace.problem, params)
    R = radius(problem, lift["kernel"]) if R is None else R
    if (
        params.get("k", 1) == len(trace.segments[0].active)
        and params["sampling"] != sampling.MULTI_SET
    ):
        return corollary_1(steps, params["lam"], R, in_ball(params), loss=loss_of(params))
    bound = theorem_1(steps, params["lam"], R, in_ball(params), loss_of(params))
    return bound._replace(
        statement="expected P(w̄) − P* of the averaged iterate",
        assumptions=(
            *bound.assumptions,
            Assumption(
                "examples are drawn with replacement", params["sampling"] in sampling.INDEPENDENT
            ),
        ),
    )


def several(trace, rest: float) -> Bound:
    """Theorem 1 where there is a score per class: a sub-gradient moves the rows of two classes, or
    all of them by amounts of no more than √2 in length, so that R becomes √2 R. The ball has the
    radius √(rest/λ): `rest` is the mean loss of w = 0.
    """
    params = trace.segments[0].params
    steps = trace.segments[1].start if len(trace.segments) > 1 else trace.steps
    problem, lift = trace.solver.lifted(trace.problem, params)
    lam, R = params["lam"], math.sqrt(2.0) * radius(problem, lift["kernel"])
    bound = theorem_1(steps, lam, R, params["project"])
    c = (math.sqrt(lam * rest) + R) ** 2 if params["project"] else 4.0 * R * R
    ball = f"(√(λ · {rest:.3g}) + R)²" if params["project"] else "4R²"
    return bound._replace(
        value=_rate(c, lam, bound.t),
        constants={"c": c, "R": R, "lam": lam},
        where=(
            f"c = {ball} bounds the squared slope of P; R = {{R:.3g}} is √2 times the length of the"
            " longest example."
        ),
    )
