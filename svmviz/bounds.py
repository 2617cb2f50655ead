"""Each theorem as a function: the curve it promises, its constants, and whether its assumptions hold.

>>> bound = corollary_1(steps=100, lam=0.1, R=1.0)
>>> bound.name, round(float(bound.value[-1]), 3)
('Corollary 1', 1.121)
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz import matrix, pareto, parts, sampling

MANY = 2000  # examples; beyond, an exact optimum takes longer than a curve should wait


class Assumption(NamedTuple):
    text: str
    holds: bool


class Bound(NamedTuple):
    """value[j] bounds the quantity of `statement` after t[j] steps, provided that every assumption holds."""

    name: str
    statement: str
    t: np.ndarray
    value: np.ndarray
    constants: dict[str, float]
    assumptions: tuple[Assumption, ...]

    @property
    def holds(self) -> bool:
        return all(a.holds for a in self.assumptions)

    @property
    def broken(self) -> str:
        """The first assumption that does not hold, or nothing."""
        return next((a.text for a in self.assumptions if not a.holds), "")


def radius(problem, kernel=None) -> float:
    """R = max |phi(x_i)| over the data."""
    return math.sqrt(parts.diagonal(kernel or parts.linear(), matrix.rows(problem.X)).max())


def gradient_constant(lam: float, R: float, project: bool) -> float:
    """c of Pegasos, Theorem 1: (√λ + R)² with the projection, 4 R² without."""
    return (math.sqrt(lam) + R) ** 2 if project else 4.0 * R * R


def _rate(c, lam, t):
    return c * (1.0 + np.log(t)) / (2.0 * lam * t)


def _times(steps):
    """The theorems of Pegasos speak of T >= 3."""
    return np.arange(3, max(steps, 3) + 1)


def theorem_1(steps: int, lam: float, R: float, project: bool = False) -> Bound:
    """Pegasos, Theorem 1: for *any* sequence A_1 .. A_T, and surely, mean f(w_t; A_t) - mean f(w*; A_t) <= value.

    Drawn with replacement, the same value bounds the expected suboptimality of the averaged iterate.
    """
    c, t = gradient_constant(lam, R, project), _times(steps)
    return Bound("Theorem 1", "mean of f(w_t; A_t) − f(w*; A_t) over the steps so far", t, _rate(c, lam, t),
                 {"c": c, "R": R, "lam": lam}, (Assumption("at least 3 steps", steps >= 3),))


def corollary_1(steps: int, lam: float, R: float, project: bool = False, full_batch: bool = True) -> Bound:
    """Pegasos, Corollary 1: f(w̄) - f(w*) <= value, surely, when every step sees all the data."""
    bound = theorem_1(steps, lam, R, project)
    return bound._replace(name="Corollary 1", statement="P(w̄) − P* of the averaged iterate", assumptions=(
        *bound.assumptions, Assumption("every step looks at all the data, k = n", full_batch)))


def lemma_2(steps: int, lam: float, R: float, project: bool = False, delta: float = 0.05, uniform: bool = True) -> Bound:
    """Pegasos, Lemma 2: mean f(w_t) - f(w*) <= 21 c ln(T/δ) / (λT) with probability 1 - δ; R is raised to at least 1."""
    if not 0 < delta < 1:
        raise ValueError(f"delta must lie in (0, 1), got {delta}")
    R = max(1.0, R)
    c, t = gradient_constant(lam, R, project), _times(steps)
    value = 21.0 * c * np.log(t / delta) / (lam * t)
    return Bound("Lemma 2", "mean of P(w_t) − P* over the steps so far", t, value,
                 {"c": c, "R": R, "lam": lam, "delta": delta}, (
                     Assumption("at least 3 steps", steps >= 3), Assumption("λ is at most 1/4", lam <= 0.25),
                     Assumption("examples are drawn uniformly and independently", uniform)))


def corollary_2(steps: int, lam: float, R: float, project: bool = False, delta: float = 0.05, uniform: bool = True) -> Bound:
    """Pegasos, Corollary 2: f(w̄) - f(w*) is within Lemma 2's value with probability 1 - δ."""
    return lemma_2(steps, lam, R, project, delta, uniform)._replace(
        name="Corollary 2", statement="P(w̄) − P* of the averaged iterate")


def lemma_3(steps: int, lam: float, R: float, project: bool = False, delta: float = 0.05, uniform: bool = True) -> Bound:
    """Pegasos, Lemma 3: a random one of w_1 .. w_T is within twice Lemma 2's value, with probability (1 - δ)/2."""
    bound = lemma_2(steps, lam, R, project, delta, uniform)
    return bound._replace(name="Lemma 3", statement="P(w_r) − P* of the random iterate", value=2.0 * bound.value)


def pegasos(trace, R: float | None = None) -> Bound:
    """The bound to draw beside the averaged iterate of a run of Pegasos, with what breaks it.

    It ends at the first change of a parameter, because the theorem is about one λ from the first step on.
    """
    params = trace.segments[0].params
    steps = trace.segments[1].start if len(trace.segments) > 1 else trace.steps
    R = radius(trace.problem, params["kernel"]) if R is None else R
    if params.get("k", 1) == len(trace.segments[0].active):
        return corollary_1(steps, params["lam"], R, params["project"])
    bound = theorem_1(steps, params["lam"], R, params["project"])
    return bound._replace(statement="expected P(w̄) − P* of the averaged iterate", assumptions=(*bound.assumptions, Assumption(
        "examples are drawn with replacement", params["sampling"] == sampling.SCHEMES[0])))


def lemma_3_2(steps: int, r: float, delta: float | None = None) -> Bound:
    """SBP, Lemma 3.2 with its constants: max f - f(w̄) <= 3 r / √T + 2 r / T in expectation, where r² = max K(x, x).

    Projected stochastic ascent with steps 1 / (r √t) of vectors no longer than r, on a ball of diameter 2. With probability
    1 - delta, 4 r √(2 ln(1/delta) / T) more.
    """
    t = np.arange(1, steps + 1)
    value = 3 * r / np.sqrt(t) + 2 * r / t
    if delta is not None:
        if not 0 < delta < 1:
            raise ValueError(f"delta must lie in (0, 1), got {delta}")
        value = value + 4 * r * np.sqrt(2 * math.log(1 / delta) / t)
    return Bound("Lemma 3.2", "expected γ* − f(w̄) of the averaged iterate", t, value, {"r": r}, ())


def lemma_2_1(norm: float, loss: float, eps: float) -> tuple[float, float]:
    """SBP, Lemma 2.1: norm and loss of w̄ / gamma for a w̄ that is eps-suboptimal, against a u of this norm and loss.

    >>> lemma_2_1(2.0, 0.1, 0.1)
    (2.5, 0.125)
    """
    if not eps * norm < 1:
        raise ValueError(f"Lemma 2.1 needs eps |u| < 1, got {eps * norm:.3g}")
    return norm / (1 - eps * norm), loss / (1 - eps * norm)


def table_1(norm: float, loss: float, eps: float) -> dict[str, float]:
    """SBP, Table 1: the order of the kernel evaluations that ensure an error of loss + eps, beside a u of this norm and loss.

    Constants and logarithms are left out, as in the paper: compare the growth, not the values.
    """
    if not (norm > 0 and loss >= 0 and eps > 0):
        raise ValueError(f"norm and eps must be positive and loss at least 0, got {norm}, {eps} and {loss}")
    ratio = (loss + eps) / eps
    return {"SBP": ratio**3 * norm**4 / eps, "dual decomposition": ratio**2 * norm**4 / eps**2,
            "SGD": ratio * norm**4 / eps**3}


def sbp(trace) -> Bound:
    """The bound to draw beside a run of SBP; it ends at the first change, being about one problem from the first step on."""
    steps = trace.segments[1].start if len(trace.segments) > 1 else trace.steps
    return lemma_3_2(steps, radius(trace.problem, trace.segments[0].params["kernel"]))


def mistakes(losses, norm: float, r: float, first_pass: bool = True) -> Bound:
    """SBP, Section 4.5 (D.7, after Shalev-Shwartz 2007, Corollary 5): mistakes of the Perceptron on examples on which a u of
    this norm has these hinge losses, in the order of the pass. After all n of them n L(u) + r |u| √(n L(u)) + r² |u|².

    >>> mistakes([0.0, 1.0, 0.0], norm=2.0, r=1.0).value
    array([4., 7., 7.])
    """
    total, length = np.cumsum(losses), r * norm
    return Bound("mistake bound", "mistakes of the Perceptron", np.arange(1, total.size + 1),
                 total + length * np.sqrt(total) + length**2, {"norm": norm, "r": r},
                 (Assumption("this is the first pass over the data", first_pass),))


def perceptron(trace) -> Bound | None:
    """The mistake bound to draw beside a run of the Perceptron: at each step the least over a few u of the Pareto front. It
    ends with the first pass, or with the first change; beyond 2000 examples there is no exact u to take."""
    problem, (start, params, _, active) = trace.problem, trace.segments[0]
    steps = min(trace.steps, active.size, *(s.start for s in trace.segments[1:]))
    if active.size > MANY:
        return None
    part = problem._replace(X=problem.X[active], y=problem.y[active])
    order = np.searchsorted(active, np.asarray(trace.drawn[start + 1:steps + 1]))
    found = [mistakes(np.maximum(0.0, 1 - part.y * u.f)[order], u.norm, radius(part, params["kernel"]))
             for u in pareto.front(part, params["kernel"], lams=(1.0, 0.1, 0.01, 1e-3, 1e-4))]
    return found[-1]._replace(value=np.min([bound.value for bound in found], axis=0))
