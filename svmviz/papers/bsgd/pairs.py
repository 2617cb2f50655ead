"""Which two vectors merge, beyond what the BSGD paper does: any two of one sign instead of the
smallest and its best partner, which Section 6.3 mentions and leaves for its price, and partners of
the other sign, which it does not mention.

For a_m a_n < 0 the best z with the Gaussian kernel lies beyond the heavier vector: h = -s, where s
is the root of

    s / (1 + s) = |a_m| / |a_n| k^(1 + 2 s).

Nobody merges so, and no solver here does; `either_sign` is a stream in NumPy that does, to see what
it would bring.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from svmviz.maths import kernels
from svmviz.papers.bsgd.experiments import CODE
from svmviz.papers.evidence.experiment import Experiment, Keep, Results, Tasks
from svmviz.papers.evidence.verdicts import INF, TIMES, Found, difference, judged, mean, ratio
from svmviz.run.streams import stream
from svmviz.solvers.bsgd import budget
from svmviz.solvers.bsgd.maintenance import merge
from svmviz.work.words import count

EXAMPLES, STREAMS, GAMMA, LAM = 100_000, 5, 8.0, 1e-4
SIZES = (100, 500)
EITHER = "either sign, 100"


class Stand(NamedTuple):
    """Where a stream ends; `crossed` are mergings with a partner of the other sign."""

    accuracy: float
    E_bar: float
    events: int
    crossed: int
    seconds: float


def beyond(ratio: np.ndarray, L: np.ndarray) -> np.ndarray:
    """s for pairs of opposite signs, |a_m| / |a_n| <= 1: the left side rises from 0 and the right
    one falls, so halving finds it. A pair in one place has none that is best.
    """
    low, high = np.zeros_like(L), np.full_like(L, 2.0) + 2.0 / np.sqrt(np.maximum(L, 1e-12))
    for _ in range(60):
        s = 0.5 * (low + high)
        under = s < (1.0 + s) * ratio * np.exp(-L * (1.0 + 2.0 * s))
        low, high = np.where(under, s, low), np.where(under, high, s)
    return 0.5 * (low + high)


def priced(A: float, D: np.ndarray, N: np.ndarray, L: np.ndarray, h: np.ndarray) -> np.ndarray:
    """|Delta|² of merging at h."""
    p, q = np.exp(-L * (1.0 - h) ** 2), np.exp(-L * h * h)
    return np.maximum(0.0, A + N + 2.0 * D * np.exp(-L) - (A * p * p + 2.0 * D * p * q + N * q * q))


def either_sign(examples: int, seed: int, B: int = SIZES[0], crossing: bool = True) -> Stand:
    """Budgeted Pegasos on the checkerboard whose smallest vector merges with the partner that costs
    least, whatever its sign; without `crossing` what `stream` does, which a test says.
    """
    V, a, age = np.zeros((B + 1, 2)), np.zeros(B + 1), np.zeros(B + 1, np.int64)
    b, t, errors, events, crossed, room = 0, 0, 0.0, 0, 0, np.empty(B + 1)
    for X, y in stream.checkerboard(examples, seed):
        for x, label in zip(X, y, strict=True):
            t += 1
            margin = label * (a[:b] @ np.exp(-GAMMA * ((V[:b] - x) ** 2).sum(axis=1)))
            a[:b] *= 1.0 - 1.0 / t
            if margin >= 1.0:
                continue
            eta = 1.0 / (LAM * t)
            V[b], a[b], age[b], b = x, eta * label, t, b + 1
            if b <= B:
                continue
            N = a * a
            small = np.flatnonzero(N <= N.min() * (1.0 + merge.EQUAL))
            m, events = int(small[age[small].argmin()]), events + 1
            A, D, L = N[m], a * a[m], GAMMA * ((V - V[m]) ** 2).sum(axis=1)
            n, h, lost = merge.partner(A, D, N, L, b, m, 0.0, budget.lookup(), room)
            if crossing and (D < 0).any():
                others = np.flatnonzero(D < 0)
                s = beyond(np.sqrt(A / N[others]), L[others])
                price = priced(A, D[others], N[others], L[others], -s)
                if price.min() < lost:
                    n, h, lost, crossed = (
                        int(others[price.argmin()]),
                        -s[price.argmin()],
                        price.min(),
                        crossed + 1,
                    )
            errors += np.sqrt(lost) / eta if n >= 0 else np.sqrt(A) / eta
            if n >= 0:
                a[n] = a[m] * np.exp(-L[n] * (1.0 - h) ** 2) + a[n] * np.exp(-L[n] * h * h)
                V[n], age[n] = h * V[m] + (1.0 - h) * V[n], t
            b -= 1
            V[m], a[m], age[m] = V[b], a[b], age[b]
    made = stream.Model(V[:b].copy(), a[:b, None].copy(), kernels.rbf(GAMMA), np.zeros(b, np.int64))
    return Stand(stream.accuracy(made, held_out()), float(errors / t), events, crossed, 0.0)


def held_out() -> tuple[np.ndarray, np.ndarray]:
    return next(stream.checkerboard(10_000, seed=1000))


def streamed(pairs: str, B: int, seed: int) -> Stand:
    found = stream.run(
        stream.checkerboard(EXAMPLES, seed),
        {"B": B, "lam": LAM, "kernel": kernels.rbf(GAMMA), "pairs": pairs},
        test=held_out(),
    )
    assert found.accuracy is not None
    return Stand(found.accuracy, found.E_bar, found.events, 0, found.seconds)


def experiment() -> Experiment:
    def each(seed: int, keep: Keep) -> Tasks:
        runs = {
            f"{pairs}, {B}": partial(streamed, pairs, B, seed)
            for B in SIZES
            for pairs in budget.PAIRS
        }
        return runs | {EITHER: partial(either_sign, EXAMPLES, seed)}

    return Experiment(
        "bsgd.pairs",
        f"checkerboard, {count(EXAMPLES)} examples, γ = {GAMMA:g}, λ = {LAM:g}",
        each,
        judge,
        STREAMS,
        kinds=(Stand,),
        code=(*CODE, "papers/bsgd/pairs.py"),
        clocks=frozenset({"seconds"}),
    )


def judge(results: Results) -> Found:
    accuracy, E_bar, seconds = (results.tables(field) for field in ("accuracy", "E_bar", "seconds"))
    few, every = budget.PAIRS
    rows = [
        judged(
            f"The best of all pairs loses less than that of the smallest: Ē of both, B = {B}",
            "less than 1",
            ratio(E_bar[f"{every}, {B}"], E_bar[f"{few}, {B}"]),
            (-INF, 1.0),
            TIMES,
        )
        for B in SIZES
    ]
    rows += [
        judged(
            f"It takes longer: time of both, B = {B}",
            "more than 1: O(B²), not O(B)",
            ratio(seconds[f"{every}, {B}"], seconds[f"{few}, {B}"]),
            (1.0, INF),
            TIMES,
        )
        for B in SIZES
    ]
    notes = [
        f"B = {B}: accuracy {said(difference(accuracy[f'{every}, {B}'], accuracy[f'{few}, {B}']))}"
        " with all pairs"
        for B in SIZES
    ]
    share = mean(results.tables("crossed")[EITHER] / results.tables("events")[EITHER]).middle
    base = f"{few}, {SIZES[0]}"
    times, more = (
        ratio(E_bar[EITHER], E_bar[base]),
        said(difference(accuracy[EITHER], accuracy[base])),
    )
    notes.append(
        f"B = {SIZES[0]}, partners of either sign: one of the other sign is taken at {share:.0%} of"
        f" the overflows; Ē is {times.middle:.2f} times what it was [{times.low:.2f},"
        f" {times.high:.2f}], accuracy {more}"
    )
    return Found(tuple(rows), tuple(notes))


def said(found) -> str:
    """A difference of accuracies with its interval, in points."""
    low, high = (f"{100 * end:+.2f}".replace("-", "−") for end in (found.low, found.high))
    return f"{100 * found.middle:+.2f}".replace("-", "−") + f" points [{low}, {high}]"


EXPERIMENTS = (experiment(),)
