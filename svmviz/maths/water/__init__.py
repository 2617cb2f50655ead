"""Water filling for the Stochastic Batch Perceptron: the level gamma that n nu units of slack reach
when they are poured over the responses c_i = y_i f(x_i), in O(n) expected time and without sorting.

Algorithms 2 and 3 as printed loop for ever on ties, cannot flood a whole class, turn comparisons
round and divide by zero without slack. This is their idea with non-negative terms only: heights are
measured from the highest ground known to be under water, so that responses around 1e8 cost no
digits.
"""

from typing import NamedTuple

import numpy as np

from svmviz.maths.machine.jit import jit


class Basin(NamedTuple):
    """What is known of a basin; its open candidates, which may be under water or not, are the first
    `open` of a work array.
    """

    floor: float  # highest ground known to be under water
    k: int  # how many are: the k lowest
    used: float  # volume that just reaches the floor
    shore: float  # lowest ground known to be dry
    open: int


class Probe(NamedTuple):
    """A candidate as pivot; `below` and `covered` count the settled as well."""

    pivot: float
    need: float  # volume that just reaches it
    below: int  # how many lie lower
    covered: int  # how many do not lie higher


@jit
def middle(a, b, c):
    return max(min(a, b), min(max(a, b), c))


@jit
def spot(i, m):
    """A position below m, by the golden ratio: spread out, and in step with no period of the
    data.
    """
    return int((i + 0.5) * 0.6180339887498949 % 1.0 * m)


@jit
def ninther(s, m, i):
    """The median of three medians of three, from the i-th position on."""
    a = middle(s[spot(i, m)], s[spot(i + 1, m)], s[spot(i + 2, m)])
    b = middle(s[spot(i + 3, m)], s[spot(i + 4, m)], s[spot(i + 5, m)])
    return middle(a, b, middle(s[spot(i + 6, m)], s[spot(i + 7, m)], s[spot(i + 8, m)]))


@jit
def depth(pivot, x):
    """max(0, pivot - x) as a plain choice, which the compiler turns into vector code; the built-in
    max also minds NaN.
    """
    d = pivot - x
    return d if d > 0 else 0.0


@jit
def probe(s, at):
    """(pivot, need): a candidate near the median, for sorted and random data alike, and the volume
    that just reaches it.
    """
    m = at.open
    p = middle(ninther(s, m, 0), ninther(s, m, 9), ninther(s, m, 18))
    v0, v1, v2, v3 = 0.0, 0.0, 0.0, 0.0  # a single sum would wait for each addition
    for q in range(m // 4):
        i = 4 * q
        v0 += depth(p, s[i])
        v1 += depth(p, s[i + 1])
        v2 += depth(p, s[i + 2])
        v3 += depth(p, s[i + 3])
    for i in range(m - m % 4, m):
        v0 += depth(p, s[i])
    need = (v0 + v1) + (v2 + v3)
    return p, need if at.k == 0 else need + (at.used + at.k * (p - at.floor))


@jit
def probe_ranks(s, at):
    """A Probe, for the search in two basins, which compares ranks."""
    p, need = probe(s, at)
    below, equal = at.k, 0
    for i in range(at.open):
        below += s[i] < p
        equal += s[i] == p
    return Probe(p, need, below, below + equal)


@jit
def split(s, out, at, p, need, floods):
    """Settle the pivot, its equals and one side; the candidates of the other side stay, in their
    order, in `out`.
    """
    m = 0
    if floods:
        for i in range(at.open):
            x = s[i]
            out[m] = (
                # written always, kept by the count: a branch would be mispredicted half the time;
                # out may be s
                x
            )
            m += x > p
        return Basin(p, at.k + at.open - m, need, at.shore, m)
    for i in range(at.open):
        x = s[i]
        out[m] = x
        m += x < p
    return Basin(at.floor, at.k, at.used, p, m)


@jit
def surface(at, volume):
    """The level, once nothing is open: what is left rises evenly over k; without volume it is the
    lowest ground.
    """
    return at.floor + (volume - at.used) / at.k if at.k > 0 else at.shore


@jit
def level(c, volume, scratch):
    """gamma for compiled callers: `scratch` is float64 with room for n, c stays as it is, nothing
    is allocated.

    gamma >= min c, digit for digit, so the set c_i <= gamma from which the solver draws is never
    empty.
    """
    at = Basin(0.0, 0, 0.0, np.inf, c.size)
    p, need = probe(c, at)
    at = split(c, scratch, at, p, need, need < volume)
    while at.open > 0:
        p, need = probe(scratch, at)
        at = split(scratch, scratch, at, p, need, need < volume)
    return surface(at, volume)


@jit
def settle(s, at, k):
    """Once the other basin has fixed how many are under water, find the k lowest of this one."""
    while at.open > 0:
        a = probe_ranks(s, at)
        if (
            a.below < k < a.covered
        ):  # the k-th lowest is one of several equal ones, and so is the next
            return Basin(a.pivot, k, a.need, a.pivot, 0)
        at = split(s, s, at, a.pivot, a.need, a.covered <= k)
    return at


@jit
def level_with_bias(c, y, volume, scratch):
    """(gamma, b, k, top_plus, top_minus) for compiled callers; `scratch` as in `level`.

    top_plus and top_minus are the k-th lowest responses of the classes. A supergradient needs equal
    mass on both: the solver tosses a coin for the class and draws uniformly from its k lowest, that
    is all below its top and as many at the top as make k. Drawing from all with c_i + y_i b <=
    gamma is wrong when ties make the classes' counts differ.

    Each round has one pivot per class. If the volume reaches both, the one of smaller rank is under
    water; if not, the one of larger rank is dry. Only a class that was split is measured again:
    this is what keeps the whole search O(n).
    """
    i, j = 0, c.size - 1
    for e in range(
        c.size
    ):  # positives to the front, negatives to the back; the second write is overwritten or right
        scratch[i] = c[e]
        scratch[j] = c[e]
        i += y[e] > 0
        j -= not y[e] > 0
    if i == 0 or i == c.size:  # compiled code never raises; the public function does
        return np.inf, np.nan, 0, np.nan, np.nan
    plus, minus = scratch[:i], scratch[i : c.size]
    p, m = Basin(0.0, 0, 0.0, np.inf, i), Basin(0.0, 0, 0.0, np.inf, c.size - i)
    a, b = probe_ranks(plus, p), probe_ranks(minus, m)
    while p.open > 0 and m.open > 0:
        floods = a.need + b.need < volume
        rank_a, rank_b = (a.covered, b.covered) if floods else (-a.below, -b.below)
        if rank_a <= rank_b:
            p = split(plus, plus, p, a.pivot, a.need, floods)
            a = probe_ranks(plus, p)
        if rank_b <= rank_a:
            m = split(minus, minus, m, b.pivot, b.need, floods)
            b = probe_ranks(minus, m)
    k = max(
        p.k, m.k
    )  # known once nothing is open in one basin; the other may still have to find its k lowest
    p, m = settle(plus, p, k), settle(minus, m, k)
    if k == 0:  # no volume: both classes just touch the surface
        return (p.shore + m.shore) / 2, (m.shore - p.shore) / 2, 1, p.shore, m.shore
    rise = (
        max(0.0, volume - (p.used + m.used)) / k
    )  # t of it in plus and the rest in minus, neither over its shore
    t = (max(0.0, rise - (m.shore - m.floor)) + min(rise, p.shore - p.floor)) / 2
    return (p.floor + m.floor + rise) / 2, (m.floor - p.floor + rise) / 2 - t, k, p.floor, m.floor


@jit
def signs(y):
    plus, minus = 0, 0
    for i in range(
        y.size
    ):  # one pass: for a million labels the checks would else take as long as the search
        plus += y[i] == 1.0
        minus += y[i] == -1.0
    return plus, minus


def water_level(c, volume: float) -> float:
    """The gamma with sum_i max(0, gamma - c_i) = volume; min c if the volume is 0.

    >>> (
    ...     water_level([1.0, 2.0, 3.0], 6.0),
    ...     water_level([1.0, 2.0, 3.0], 0.5),
    ...     water_level([1.0, 2.0, 3.0], 0.0),
    ... )
    (4.0, 1.5, 1.0)
    """
    c, volume = checked(c, volume)
    return float(level(c, volume, np.empty(c.size)))


def water_level_with_bias(c, y, volume: float) -> tuple[float, float]:
    """The largest gamma, over b, with sum_i max(0, gamma - c_i - y_i b) <= volume, and the middle
    of the b that reach it.

    Equally many of each class are under water. Once these are all of the smaller class, no more of
    the larger follow: further volume deepens the same columns, b keeps the rest dry, and gamma
    grows by 1 / (2 min(n+, n-)) per unit, without a bound.

    >>> water_level_with_bias([0.0, 2.0, 1.0], [1, 1, -1], 1.0)
    (1.0, 0.5)
    """
    c, volume = checked(c, volume)
    y = np.ascontiguousarray(y, np.float64)
    if y.shape != c.shape:
        raise ValueError(f"y must have the shape of c, {c.shape}, got {y.shape}")
    plus, minus = signs(y)
    if plus + minus < y.size or plus == 0 or minus == 0:
        raise ValueError(
            "y must hold -1 and 1, both: with one class gamma has no bound; got"
            f" {np.unique(y)[:5].tolist()}"
        )
    gamma, b, *_ = level_with_bias(c, y, volume, np.empty(c.size))
    return float(gamma), float(b)


def checked(c, volume) -> tuple[np.ndarray, float]:
    """c as compiled code wants it, or a ValueError that names the value."""
    c, volume = np.ascontiguousarray(c, np.float64), float(volume)
    if c.ndim != 1 or c.size == 0:
        raise ValueError(f"c must be a vector with at least one response, got shape {c.shape}")
    if not np.isfinite(c).all():
        raise ValueError(f"c must be finite, got {c[~np.isfinite(c)][0]}")
    if not 0 <= volume < np.inf:
        raise ValueError(f"volume must be finite and at least 0, got {volume}")
    return c, volume
