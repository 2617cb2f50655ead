"""Which examples the steps look at, drawn before the run from (n, steps, k, scheme, seed).

Every scheme is prefix-stable: asking for more steps never changes the first ones, so a run can be
extended, and a parameter changed half-way, without touching what came before.
"""

from collections.abc import Iterator

import numpy as np

from svmviz.maths.machine.jit import jit

SCHEMES = ("with replacement", "new permutation", "fixed permutation")
MULTI_SET = "multi-set"  # with replacement within a mini-batch, too
OF_BATCHES = (SCHEMES[0], MULTI_SET, *SCHEMES[1:])
INDEPENDENT = (SCHEMES[0], MULTI_SET)  # a step knows nothing of those before it
MARKED = (
    64  # passes between two marks: to find a pass again, the generator goes through fewer than that
)


class Chance:
    """All that a seed decides in one run, handed out stretch by stretch: what one stretch was given
    is not drawn again to get to the next, however often parameters change.
    """

    def __init__(self, seed: int):
        self.seed = seed
        self.marks: dict[
            int, list[dict]
        ] = {}  # by n, the generator before every `MARKED`-th pass over n examples

    def numbers(self, start: int, stop: int, width: int) -> np.ndarray:
        """(stop - start, width) uniform numbers from [0, 1), those of the steps after `start`."""
        rng = np.random.default_rng(self.seed)
        rng.bit_generator.advance(start * width)
        return rng.random((stop - start, width))

    def examples(
        self, n: int, start: int, stop: int, k: int = 1, scheme: str = SCHEMES[0]
    ) -> np.ndarray:
        """(stop - start, k) indices below n, those of the steps after `start`; see `draw`."""
        if scheme not in OF_BATCHES:
            raise ValueError(f"sampling must be one of {', '.join(OF_BATCHES)}, got {scheme!r}")
        if not 1 <= k <= n:
            raise ValueError(f"k must lie in [1, {n}], the number of examples, got {k}")
        if scheme == MULTI_SET:
            return (n * self.numbers(start, stop, k)).astype(np.int64)
        if scheme == "with replacement":
            out = np.empty((stop - start, k), np.int64)
            distinct(self.numbers(start, stop, k), n, out)
            return out
        first, last = start * k // n, -(-stop * k // n)
        orders = (
            [*self.passes(n, 0, 1)] * (last - first)
            if scheme == "fixed permutation"
            else [*self.passes(n, first, last)]
        )
        return np.concatenate(orders)[start * k - first * n : stop * k - first * n].reshape(-1, k)

    def passes(self, n: int, first: int, last: int) -> Iterator[np.ndarray]:
        """The random orders of n examples from one pass to another."""
        rng = np.random.default_rng(self.seed)
        marks = self.marks.setdefault(n, [rng.bit_generator.state])
        nearest = min(first // MARKED, len(marks) - 1)
        rng.bit_generator.state = marks[nearest]
        for number in range(nearest * MARKED, last):
            if number == len(marks) * MARKED:
                marks.append(rng.bit_generator.state)
            order = rng.permutation(n)
            if number >= first:
                yield order


def draw(n: int, steps: int, k: int = 1, scheme: str = SCHEMES[0], seed: int = 0) -> np.ndarray:
    """(steps, k) indices: the three schemes of Pegasos, Section 7.5, and multi-sets.

    *with replacement*: each step draws anew, uniformly; the k examples of a mini-batch are distinct
    (Section 2.3). *multi-set*: so do all k of a mini-batch, which may hold an example more than
    once; for k = 1 the same. *new permutation*: all examples in random order, shuffled again for
    every pass. *fixed permutation*: one order, for ever.

    >>> draw(5, 3, k=5, seed=1).sum(axis=1)
    array([10, 10, 10])
    >>> draw(5, 2, k=5, scheme="multi-set", seed=1)
    array([[2, 4, 0, 4, 1],
           [2, 4, 2, 2, 0]])
    """
    return Chance(seed).examples(n, 0, steps, k, scheme)


def weighted(
    weights: np.ndarray, steps: int, k: int = 1, seed: int = 0, start: int = 0
) -> np.ndarray:
    """(steps, k) indices, those of the steps after `start`, each drawn anew with a probability in
    proportion to its weight: in the mean a step along it is one down the loss weighed that way.

    >>> weighted(np.array([0.0, 3.0, 0.0, 1.0]), 8, seed=1).ravel()
    array([1, 3, 1, 3, 1, 1, 3, 1])
    """
    upto = np.cumsum(weights)
    found = np.searchsorted(
        upto, Chance(seed).numbers(start, start + steps, k) * upto[-1], side="right"
    )
    return np.minimum(found, np.flatnonzero(weights)[-1])  # where rounding leads beyond the last


def written(scheme: str, k: int = 1) -> str:
    """What pseudo-code says of a draw.

    >>> written("new permutation")
    'i ← next of 1 … n, shuffled every pass'
    >>> written("multi-set", 3)
    'draw A: k times from 1 … n'
    """
    if scheme == MULTI_SET and k > 1:
        return "draw A: k times from 1 … n"
    if scheme in INDEPENDENT:
        return "draw i uniformly from 1 … n" if k == 1 else "draw A ⊂ {1 … n}, |A| = k"
    often = "every pass" if scheme == "new permutation" else "once"
    return f"{'i ← next' if k == 1 else 'A ← next k'} of 1 … n, shuffled {often}"


@jit
def distinct(u, n, out):
    """Rows of k different indices below n from uniforms in [0, 1): a partial shuffle of a pool,
    undone after each row.
    """
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


def random_iterates(seed: int, steps: int) -> np.ndarray:
    """For t = 0 .. steps, the step after which the random iterate of step t stood, one of 0 .. t -
    1.
    """
    return (np.random.default_rng([seed, 1]).random(steps + 1) * np.arange(steps + 1)).astype(
        np.int64
    )
