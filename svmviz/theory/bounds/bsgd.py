"""Wang, Crammer, Vucetic: budgeted SGD, JMLR 13 (2012): what maintenance costs, Theorems 1 to 3.

All three bound  mean P_t(w_t) - mean P_t(w*)  over the rounds so far, where P_t(w) = lam/2 |w|² +
loss of example t, and w_t is w before round t. The first terms vanish as rounds go by; 2 U E-bar
stays, and with the usual lam it is far above the loss of w = 0: the theorems say what to minimise,
they certify nothing, and `Bound.broken` says so. Of the loss the proofs use that it is convex and
that no slope exceeds 1.
"""

import math

import numpy as np

from svmviz.maths import losses
from svmviz.theory.bounds.common import STEEP, Assumption, Bound, radius

STATEMENT = "mean of P_t(w_t) − P_t(w*) over the steps so far"


def largest_norm(lam: float) -> float:
    """U of (4.1): what |w_t| and |w*| cannot exceed.

    >>> largest_norm(0.5), largest_norm(16.0)
    (4.0, 0.25)
    """
    return max(2.0 / lam, 1.0 / math.sqrt(lam))


def _bound(
    name, E_bar, first, U, constants, assumptions, formula, numbers, loss: float = 1.0
) -> Bound:
    t = np.arange(1, len(E_bar) + 1)
    value = first(t) + 2.0 * U * np.asarray(E_bar)
    tells = Assumption(
        f"the bound says more than w = 0 does, whose loss is {loss:.3g}; it is {value[-1]:.3g}",
        bool(value[-1] < loss),
        needed=False,
    )
    return Bound(
        name,
        STATEMENT,
        t,
        value,
        {"U": U, "E_bar": float(E_bar[-1])} | constants,
        (*assumptions, tells),
        f"{formula} + 2UĒ",
        numbers + " + 2 · {U:.3g} · {E_bar:.3g} = {value:.3g}",
        "U = {U:.3g}: no w gets longer. Ē = {E_bar:.3g} is the mean of ‖Δ‖/η so far.",
        {"E_bar": np.asarray(E_bar)},
    )


def bsgd_theorem_1(E_bar, lam: float, *assumptions: Assumption, loss: float = 1.0) -> Bound:
    """BSGD, Theorem 1, for Pegasos: (lam U + 2)² (ln N + 1) / (2 lam N) + 2 U E-bar, after N = 1 ..
    len(E_bar) rounds.

    >>> bound = bsgd_theorem_1(np.full(1000, 0.037), lam=1e-4)
    >>> round(float(bound.value[-1])), bound.holds
    (2113, False)
    """
    U = largest_norm(lam)
    return _bound(
        "Theorem 1",
        E_bar,
        lambda N: (lam * U + 2.0) ** 2 * (np.log(N) + 1.0) / (2.0 * lam * N),
        U,
        {"lam": lam},
        assumptions,
        "(λU + 2)²(ln t + 1)/(2λt)",
        "({lam:.3g} · {U:.3g} + 2)²(ln {t} + 1)/(2 · {lam:.3g} · {t})",
        loss,
    )


def bsgd_theorem_2(
    E_bar, lam: float, eta: float, *assumptions: Assumption, loss: float = 1.0
) -> Bound:
    """BSGD, Theorem 2, for Norma; eta lam <= 1 is needed for |w| <= 2/lam, though the paper does
    not say so.
    """
    U = largest_norm(lam)
    return _bound(
        "Theorem 2",
        E_bar,
        lambda N: (2.0 * U**2 / eta + eta * (lam * U + 2.0) ** 2) / np.sqrt(N),
        U,
        {"lam": lam, "eta": eta},
        (*assumptions, Assumption("η₀λ is at most 1", eta * lam <= 1.0)),
        "(2U²/η₀ + η₀(λU + 2)²)/√t",
        "(2 · {U:.3g}²/{eta:.3g} + {eta:.3g}({lam:.3g} · {U:.3g} + 2)²)/√{t}",
        loss,
    )


def bsgd_theorem_3(E_bar, eta: float, U: float, *assumptions: Assumption) -> Bound:
    """BSGD, Theorem 3, for the margin Perceptron on a ball of radius U, as proved in Appendix C:
    U²/(2 eta N) + 2 eta + 2 U E-bar. The first term as printed in (4.4) is four times as large."""
    return _bound(
        "Theorem 3",
        E_bar,
        lambda N: U**2 / (2.0 * eta * N) + 2.0 * eta,
        U,
        {"eta": eta},
        assumptions,
        "U²/(2η₀t) + 2η₀",
        "{U:.3g}²/(2 · {eta:.3g} · {t}) + 2 · {eta:.3g}",
    )


def bsgd(trace) -> Bound | None:
    """The bound of a run of budgeted SGD, with what breaks it; it ends at the first change of a
    parameter.
    """
    params = trace.segments[0].params
    steps = trace.segments[1].start if len(trace.segments) > 1 else trace.steps
    E, E_bar, phi = (trace.scalars[name][1 : steps + 1] for name in ("E", "E_bar", "phi"))
    scores, kernel = trace.scores, trace.kernel(1)
    longest = 1.0 if kernel.radial else radius(trace.problem, kernel)
    unit = 1.0 if scores == 1 else math.sqrt(0.5)
    assumptions = (
        Assumption(
            (
                "K(x, x) is at most 1"
                if scores == 1
                else "K(x, x) is at most 1/2, as a score per class needs"
            ),
            longest <= unit * (1 + 1e-9),
        ),
        Assumption(f"‖E‖ never exceeds 1; it reached {E.max():.3g}", bool(E.max() <= 1 + 1e-9)),
        Assumption(
            "w learns and shrinks by the rule alone",
            params["maintenance"] != "stop" and bool((phi == 1.0).all()),
        ),
    )
    loss = trace.solver.loss(params)
    if loss.kind != losses.HINGE:
        assumptions = (Assumption(STEEP, loss.steepest <= 1.0), *assumptions)
    at_0 = losses.value(loss, 0.0)
    if params["rule"] == "Pegasos":
        return bsgd_theorem_1(E_bar, params["lam"], *assumptions, loss=at_0)
    if params["rule"] == "Norma":
        return bsgd_theorem_2(E_bar, params["lam"], params["eta"], *assumptions, loss=at_0)
    if params["rule"] != "margin Perceptron" or not params["U"] or params["beta"] != 1.0:
        return None
    return bsgd_theorem_3(E_bar, params["eta"], params["U"], *assumptions)
