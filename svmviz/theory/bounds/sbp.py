"""Cotter, Shalev-Shwartz, Srebro: the stochastic batch perceptron, ICML 2012, and the Perceptron
that it is compared with.
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz.maths import losses
from svmviz.theory import pareto
from svmviz.theory.bounds.common import Assumption, Bound, radius

MANY = 2000  # examples; beyond, an exact optimum takes longer than a curve should wait


def lemma_3_2(steps: int, r: float, delta: float | None = None) -> Bound:
    """SBP, Lemma 3.2 with its constants: max f - f(w̄) <= 3 r / √T + 2 r / T in expectation, where
    r² = max K(x, x).

    Projected stochastic ascent with steps 1 / (r √t) of vectors no longer than r, on a ball of
    diameter 2. With probability 1 - delta, 4 r √(2 ln(1/delta) / T) more.
    """
    t = np.arange(1, steps + 1)
    value = 3 * r / np.sqrt(t) + 2 * r / t
    if delta is not None:
        if not 0 < delta < 1:
            raise ValueError(f"delta must lie in (0, 1), got {delta}")
        value = value + 4 * r * np.sqrt(2 * math.log(1 / delta) / t)
    return Bound(
        "Lemma 3.2",
        "expected γ* − γ(w̄) of the averaged iterate",
        t,
        value,
        {"r": r},
        (),
        "3r/√t + 2r/t",
        "3 · {r:.3g}/√{t} + 2 · {r:.3g}/{t} = {value:.3g}",
        "r = {r:.3g} is the length of the longest example.",
    )


def lemma_2_1(norm: float, loss: float, eps: float) -> tuple[float, float]:
    """SBP, Lemma 2.1: norm and loss of w̄ / gamma for a w̄ that is eps-suboptimal, against a u of
    this norm and loss.

    >>> lemma_2_1(2.0, 0.1, 0.1)
    (2.5, 0.125)
    """
    if not eps * norm < 1:
        raise ValueError(f"Lemma 2.1 needs eps |u| < 1, got {eps * norm:.3g}")
    return norm / (1 - eps * norm), loss / (1 - eps * norm)


def steps_for(eps: float, r: float = 1.0) -> int:
    """SBP, Lemma 3.2 the other way round: the fewest steps T with 3 r / √T + 2 r / T <= eps.

    >>> steps_for(0.32), steps_for(0.3)
    (100, 113)
    """
    if not (eps > 0 and r > 0):
        raise ValueError(f"eps and r must be positive, got {eps} and {r}")
    root = (
        (math.sqrt(9 + 8 * eps / r) + 3) * r / (2 * eps)
    )  # √T, from the quadratic equation, without cancellation
    T = max(1, math.ceil(root * root) - 1)  # rounding may have lifted it by one
    return T if 3 * r / math.sqrt(T) + 2 * r / T <= eps * (1 + 1e-12) else T + 1


class Learning(NamedTuple):
    """What Section 3.5 asks for."""

    n: float  # examples (3.5), constants and logarithms left out
    printed: float  # ε̄ of (3.7) ...
    eps: float  # ... and the one that keeps both parts of (3.6)
    steps: int  # that Lemma 3.2 needs for it, in expectation, with K(x, x) at most 1
    norm: float  # of w, by Lemma 2.1
    loss: float


def learning(norm: float, loss: float, eps: float) -> Learning:
    """SBP, (3.5) to (3.7): for an error of loss + eps, beside a u of this norm and loss.

    (3.7) as printed keeps the loss of (3.6) alone. Its |w| <= 2 |u| asks for ε̄ <= 1 / (2 |u|),
    too, which is less where loss < eps / 2; with loss = 0 the factor of Lemma 2.1 would be 1/0.

    >>> found = learning(10.0, 0.05, 0.05)
    >>> round(found.n), round(found.printed, 6), found.steps, round(found.loss, 3)
    (4000, 0.033333, 8220, 0.075)
    """
    if not (norm > 0 and loss >= 0 and eps > 0):
        raise ValueError(
            f"norm and eps must be positive and loss at least 0, got {norm}, {eps} and {loss}"
        )
    printed = eps / 2 / (norm * (loss + eps / 2))
    kept = min(printed, 1 / (2 * norm))
    return Learning(
        (loss + eps) / eps * norm**2 / eps,
        printed,
        kept,
        steps_for(kept),
        *lemma_2_1(norm, loss, kept),
    )


def table_1(norm: float, loss: float, eps: float) -> dict[str, float]:
    """SBP, Table 1: the order of the kernel evaluations that ensure an error of loss + eps, beside
    a u of this norm and loss.

    Constants and logarithms are left out, as in the paper: compare the growth, not the values.
    """
    if not (norm > 0 and loss >= 0 and eps > 0):
        raise ValueError(
            f"norm and eps must be positive and loss at least 0, got {norm}, {eps} and {loss}"
        )
    ratio = (loss + eps) / eps
    return {
        "SBP": ratio**3 * norm**4 / eps,
        "dual decomposition": ratio**2 * norm**4 / eps**2,
        "SGD": ratio * norm**4 / eps**3,
    }


def sbp(trace) -> Bound:
    """The bound to draw beside a run of SBP; it ends at the first change, being about one problem
    from the first step on.
    """
    steps = trace.segments[1].start if len(trace.segments) > 1 else trace.steps
    return lemma_3_2(steps, radius(trace.problem, trace.segments[0].params["kernel"]))


def mistakes(losses, norm: float, r: float, first_pass: bool = True) -> Bound:
    """SBP, Section 4.5 (D.7, after Shalev-Shwartz 2007, Corollary 5): mistakes of the Perceptron on
    examples on which a u of this norm has these hinge losses, in the order of the pass. After all n
    of them n L(u) + r |u| √(n L(u)) + r² |u|².

    >>> mistakes([0.0, 1.0, 0.0], norm=2.0, r=1.0).value
    array([4., 7., 7.])
    """
    total, length = np.cumsum(losses), r * norm
    return Bound(
        "mistake bound",
        "mistakes of the Perceptron",
        np.arange(1, total.size + 1),
        total + length * np.sqrt(total) + length**2,
        {"norm": norm, "r": r},
        (Assumption("this is the first pass over the data", first_pass),),
        "L + r‖u‖√L + r²‖u‖²",
        "{loss:.3g} + {r:.3g} · {norm:.3g} · √{loss:.3g} + ({r:.3g} · {norm:.3g})² = {value:.3g}",
        "u is any other w, the one for which this is least, L what it would have paid so far; r ="
        " {r:.3g} is the length of the longest example.",
        {"loss": total, "norm": np.full(total.size, norm)},
    )


def perceptron(trace) -> Bound | None:
    """The mistake bound to draw beside a run of the Perceptron: at each step the least over a few u
    of the Pareto front. It ends with the first pass, or with the first change; beyond 2000 examples
    there is no exact u to take.
    """
    problem, (start, params, _, active, _) = trace.problem, trace.segments[0]
    steps = min(trace.steps, active.size, *(s.start for s in trace.segments[1:]))
    if active.size > MANY:
        return None
    part, params = trace.solver.lifted(
        problem._replace(X=problem.X[active], y=problem.y[active]), params
    )
    order = np.searchsorted(active, np.asarray(trace.drawn[start + 1 : steps + 1]))
    found = [
        mistakes(losses.hinges(part.y * u.f)[order], u.norm, radius(part, params["kernel"]))
        for u in pareto.front(part, params["kernel"], lams=(1.0, 0.1, 0.01, 1e-3, 1e-4))
    ]
    values = np.array([bound.value for bound in found])
    best, each = values.argmin(axis=0), np.arange(values.shape[1])
    return found[-1]._replace(
        value=values[best, each],
        parts={
            name: np.array([bound.parts[name] for bound in found])[best, each]
            for name in found[-1].parts
        },
    )
