"""Hazan, Koren, Srebro: SIMBA, NIPS 2011. All in units in which the longest row has length 1,
unless R says otherwise.

Constants are those of the proof with its slips mended: Lemma C.4 gives 5 η T and not 4 η T, so 80 η
becomes 86 η, which is still below the 100 of Algorithm 1, line 2.
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz.theory.bounds.common import Assumption, Bound, radius

ETA_TERM = 86.0


def theorem_4_3(eps: float, n: int) -> tuple[int, float]:
    """SIMBA, line 2 of Algorithm 1: the steps T and the η that promise γ* - ε with probability 1/2.

    >>> T, eta = theorem_4_3(0.1, 50)
    >>> T, round(eta, 4)
    (3912024, 0.001)
    """
    if n < 2 or not eps > 0:
        raise ValueError(f"Theorem 4.3 needs eps > 0 and at least two examples, got {eps} and {n}")
    T = math.ceil(1e4 * math.log(n) / eps**2)
    return T, math.sqrt(math.log(n) / T)


def simba_gap(steps: int, n: int, eta: float | None = None, R: float = 1.0) -> Bound:
    """SIMBA, the end of the proof of Theorem 4.3: γ* - min(X w̄ + ξ̄) <= 2√2/√T + ln n/(η T) + 86
    η, with probability 1/2, for a run of constant steps made for T; by default with η = √(ln n / T)
    for each T.

    >>> round(float(simba_gap(3_912_024, 50).value[-1]), 3)
    0.088
    """
    t = (
        np.unique(np.geomspace(1, steps, 400).astype(int))
        if steps > 400
        else np.arange(1, steps + 1)
    )
    rate = np.sqrt(math.log(n) / t) if eta is None else np.full(t.size, eta)
    value = R * (2 * math.sqrt(2) / np.sqrt(t) + math.log(n) / (rate * t) + ETA_TERM * rate)
    small = Assumption(
        f"η is at most 1/6 and at least √(ln n / T); it is {rate[-1]:.3g}",
        bool(math.sqrt(math.log(n) / t[-1]) <= rate[-1] * (1 + 1e-9) and rate[-1] <= 1 / 6),
    )
    tells = Assumption(
        f"the bound says more than that no margin exceeds R; it is {value[-1]:.3g}",
        bool(value[-1] < R),
    )
    return Bound(
        "Theorem 4.3",
        "γ* − value of w̄ and ξ̄, with probability 1/2",
        t,
        value,
        {"n": n, "R": R},
        (small, tells),
        "R (2√2/√t + ln n/(ηt) + 86η)",
        "{R:.3g} (2√2/√{t} + ln {n}/({eta:.3g} · {t}) + 86 · {eta:.3g}) = {value:.3g}",
        "R = {R:.3g} is the length of the longest row, n = {n} their number.",
        {"eta": rate},
    )


class Regret(NamedTuple):
    """Lemma 4.2 after t = 1, 2, ..., divided by t: what p lost beyond the best row, and the two
    terms that it cannot exceed.
    """

    earned: np.ndarray  # Σ p'v
    best: np.ndarray  # min over i of Σ max(v(i), -1/η)
    even: np.ndarray  # ln n / η
    spread: np.ndarray  # η Σ p'v²

    @property
    def most(self) -> np.ndarray:
        return self.best + self.even + self.spread


def regret(v: np.ndarray, eta: float) -> Regret:
    """SIMBA, Lemma 4.2, of the Variance MW algorithm (Definition 4.1) on given v of shape (..., T,
    n). It holds for all v and all η > 0, in every run.
    """
    v = np.asarray(v, float)
    logs = np.log(1 - eta * v + (eta * v) ** 2)
    q = np.cumsum(logs, axis=-2) - logs  # before each step
    p = np.exp(q - q.max(axis=-1, keepdims=True))
    p /= p.sum(axis=-1, keepdims=True)
    t = np.arange(1, v.shape[-2] + 1)

    def mean(values):
        return np.cumsum(values, axis=-1) / t

    best = np.cumsum(np.maximum(v, -1 / eta), axis=-2).min(axis=-1) / t
    return Regret(
        mean((p * v).sum(axis=-1)),
        best,
        np.broadcast_to(math.log(v.shape[-1]) / (eta * t), best.shape),
        eta * mean((p * v**2).sum(axis=-1)),
    )


def variance_mw(v: np.ndarray, eta: float) -> tuple[float, float]:
    """SIMBA, Lemma 4.2, for given v of shape (T, n): Σ p_t'v_t of the Variance MW algorithm, and
    what it cannot exceed.

    >>> earned, most = variance_mw(np.array([[1.0, -1.0], [0.5, 0.0]]), eta=0.1)
    >>> earned <= most
    True
    """
    found, T = regret(v, eta), len(v)
    return T * float(found.earned[-1]), T * float(found.most[-1])


def corollary_5_1(B: float, d: float, delta: float, loss: float) -> dict[str, float]:
    """SIMBA, Section 5: the order of the training set (9), and of the features that an online
    method (10) and SIMBA (Corollary 5.1) read for an error of `loss` + delta, beside a w* of norm B
    with this expected hinge loss.

    Constants and logarithms are left out, as in the paper: compare the growth, not the values.

    >>> found = corollary_5_1(B=10, d=1e6, delta=0.01, loss=0.0)
    >>> found["n"], round(found["online"] / found["SIMBA"], 1)
    (10000.0, 99.0)
    """
    if not (B >= 1 and d > 0 and delta > 0 and loss >= 0):
        raise ValueError(
            f"Corollary 5.1 needs B >= 1, d and delta positive and loss at least 0, got {B}, {d},"
            f" {delta}, {loss}"
        )
    ratio = (loss + delta) / delta
    n = B**2 / delta * ratio
    return {"n": n, "online": n * d, "SIMBA": B**2 * (n + d) * ratio**2}


def simba(trace) -> Bound | None:
    """The bound to draw beside a run of SIMBA with constant steps, with what breaks it; it ends at
    the first change. Of decreasing steps the theorem does not speak.
    """
    params, active = trace.segments[0].params, trace.segments[0].active
    steps = trace.segments[1].start if len(trace.segments) > 1 else trace.steps
    if active.size < 2 or params["schedule"] != "constant":
        return None
    eta = math.sqrt(math.log(active.size) / params["horizon"])
    bound = simba_gap(steps, active.size, eta, radius(trace.problem) or 1.0)
    return bound._replace(
        assumptions=(
            Assumption("steps are made for this T", params["horizon"] == trace.steps),
            Assumption("estimates are clipped", params["clip"]),
            *bound.assumptions,
        )
    )
