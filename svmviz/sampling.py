"""Which examples the steps look at, drawn before the run from (n, steps, k, scheme, seed).

Every scheme is prefix-stable: asking for more steps never changes the first ones, so a run can be extended, and a
parameter changed half-way, without touching what came before.
"""

import numpy as np

from svmviz.jit import jit

SCHEMES = ("with replacement", "new permutation", "fixed permutation")


def draw(n: int, steps: int, k: int = 1, scheme: str = SCHEMES[0], seed: int = 0) -> np.ndarray:
    """(steps, k) indices: the three schemes of Pegasos, Section 7.5.

    *with replacement*: each step draws anew, uniformly; the k examples of a mini-batch are distinct (Section 2.3).
    *new permutation*: all examples in random order, shuffled again for every pass. *fixed permutation*: one order, for ever.

    >>> draw(5, 3, k=5, seed=1).sum(axis=1)
    array([10, 10, 10])
    """
    if scheme not in SCHEMES:
        raise ValueError(f"sampling must be one of {', '.join(SCHEMES)}, got {scheme!r}")
    if not 1 <= k <= n:
        raise ValueError(f"k must lie in [1, {n}], the number of examples, got {k}")
    rng = np.random.default_rng(seed)
    if scheme == "with replacement":
        out = np.empty((steps, k), np.int64)
        distinct(rng.random((steps, k)), n, out)
        return out
    passes = -(-steps * k // n)
    once = rng.permutation(n)
    orders = [once, *(once if scheme == "fixed permutation" else rng.permutation(n) for _ in range(passes - 1))]
    return np.concatenate(orders)[: steps * k].reshape(steps, k)


@jit
def distinct(u, n, out):
    """Rows of k different indices below n from uniforms in [0, 1): a partial shuffle of a pool, undone after each row."""
    pool = np.arange(n)
    steps, k = u.shape
    swaps = np.empty(k, np.int64)
    for t in range(steps):
        for j in range(k):
            swaps[j] = j + int(u[t, j] * (n - j))
            pool[j], pool[swaps[j]] = pool[swaps[j]], pool[j]
            out[t, j] = pool[j]
        for j in range(k - 1, -1, -1):
            pool[j], pool[swaps[j]] = pool[swaps[j]], pool[j]


def random_iterate(seed: int, steps: int, t: int) -> int:
    """The step after which the random iterate of step t stood, one of 0 .. t - 1, in a run of so many steps."""
    return int(np.random.default_rng([seed, 1]).random(steps + 1)[t] * t)
