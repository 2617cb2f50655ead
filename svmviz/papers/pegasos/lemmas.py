"""Lemmas and remarks of the Pegasos paper as numbers: regret (Lemma 1), stopping by chance (after
Lemma 3), and gradients with respect to α (equation (19)).
"""

from typing import NamedTuple

import numpy as np

from svmviz.data import plane
from svmviz.data.problem import Problem
from svmviz.maths import kernels, sampling
from svmviz.run.recipe import Recipe
from svmviz.theory import reference
from svmviz.theory.bounds.common import radius

POINTS = {"n": 120, "noise": 1.1, "seed": 0}
CHANCE, WORST = "drawn by chance", "the worst one for w"
ORDERS = (CHANCE, WORST)
TARGETS = ("the optimum w*", "w = 0", "the last w")


def problem() -> Problem:
    """The points of the article."""
    return plane.blobs(**POINTS)


# Lemma 1 ------------------------------------------------------------------------------------------


class Path(NamedTuple):
    """A run of basic Pegasos on examples that anybody may choose."""

    w: np.ndarray  # (T + 1, d) w_1 ... w_(T+1)
    drawn: np.ndarray  # (T,) example of each step
    slope: np.ndarray  # (T,) ‖∇_t‖


class Regret(NamedTuple):
    """After t = 1 ... T steps: what the run has paid more than u, and what it may have."""

    paid: np.ndarray  # Σ f_t(w_t) − f_t(u)
    telescoped: (
        np.ndarray
    )  # Σ ‖∇_t‖²/(2λt) − λt/2 ‖w_(t+1) − u‖²: what the proof has before it lets go
    bound: np.ndarray  # G²(1 + ln t)/(2λ)
    G: float


def pegasos(points: Problem, lam: float, steps: int, order: str = CHANCE, seed: int = 0) -> Path:
    """Figure 1; the worst example is the one with the largest loss, and the lemma lets an enemy
    choose it.
    """
    X, y = points
    w, drawn = (
        np.zeros((steps + 1, points.d)),
        sampling.draw(points.n, steps, seed=seed)[:, 0].copy(),
    )
    slope = np.zeros(steps)
    for t in range(1, steps + 1):
        if order == WORST:
            drawn[t - 1] = np.argmin(y * (X @ w[t - 1]))
        i = drawn[t - 1]
        gradient = lam * w[t - 1] - (y[i] * (w[t - 1] @ X[i]) < 1) * y[i] * X[i]
        slope[t - 1] = np.sqrt(gradient @ gradient)
        w[t] = w[t - 1] - gradient / (lam * t)
    return Path(w, drawn, slope)


def target(points: Problem, lam: float, path: Path, name: str) -> np.ndarray:
    """One of the u that the run is compared with."""
    if name == TARGETS[0]:
        return reference.optimum(points, lam).w
    return path.w[-1] if name == TARGETS[2] else np.zeros(points.d)


def regret(points: Problem, lam: float, path: Path, u: np.ndarray) -> Regret:
    """Lemma 1 with G = 2R; as printed its proof has a wrong sign and a factor of 2 on the way, the
    bound is right.
    """
    t, X, y = np.arange(1.0, path.drawn.size + 1), points.X[path.drawn], points.y[path.drawn]

    def costs(w: np.ndarray) -> np.ndarray:
        return lam / 2 * (w * w).sum(axis=-1) + np.maximum(0.0, 1.0 - y * (X * w).sum(axis=-1))

    away = ((path.w[1:] - u) ** 2).sum(axis=1)
    G = 2 * radius(points)
    return Regret(
        np.cumsum(costs(path.w[:-1]) - costs(u)),
        np.cumsum(path.slope**2 / (2 * lam * t)) - lam * t / 2 * away,
        G * G * (1 + np.log(t)) / (2 * lam),
        G,
    )


# After Lemma 3 ------------------------------------------------------------------------------------


class Stopping(NamedTuple):
    """A run that is stopped after a random step."""

    gap: np.ndarray  # P(w_t) − P* of w_1 ... w_T
    good: float  # twice their mean: what Lemma 3 calls good enough, were Lemma 2 an equation
    share: float  # of steps after which w is good enough; at least 1/2 (Markov)

    @property
    def attempts(self) -> float:
        """Until one is good enough, on average."""
        return 1.0 / self.share


def stopping(points: Problem, lam: float, steps: int, seed: int = 0) -> Stopping:
    X, y = points
    w = pegasos(points, lam, steps, seed=seed).w[:-1]
    primal = lam / 2 * (w * w).sum(axis=1) + np.maximum(0.0, 1.0 - y[:, None] * (X @ w.T)).mean(
        axis=0
    )
    gap = primal - reference.optimum(points, lam).primal
    return Stopping(gap, 2 * float(gap.mean()), float((gap <= 2 * gap.mean()).mean()))


def tried(found: Stopping, attempts: int, seed: int) -> np.ndarray:
    """The steps, from 1 on, after which as many attempts stop."""
    return 1 + np.random.default_rng(seed).integers(0, found.gap.size, attempts)


# Mini-batches as multi-sets -----------------------------------------------------------------------

DISTINCT, REPEATED = "different", "multi-set"


def batched(
    points: Problem, lam: float, steps: int, k: int, repeated: bool, seed: int = 0
) -> np.ndarray:
    """(steps,) P after each step of Figure 2, with batches of either kind."""
    X, y = points
    rng, w, primal = np.random.default_rng([seed, k]), np.zeros(points.d), np.zeros(steps)
    for t in range(1, steps + 1):
        batch = rng.integers(0, points.n, k) if repeated else rng.permutation(points.n)[:k]
        paying = batch[y[batch] * (X[batch] @ w) < 1]
        w = (1 - 1 / t) * w + (y[paying] @ X[paying]) / (lam * t * k)
        primal[t - 1] = lam / 2 * w @ w + np.maximum(0.0, 1.0 - y * (X @ w)).mean()
    return primal


def noise(points: Problem, w: np.ndarray, k: int) -> dict[str, float]:
    """Expected squared distance of a batch's sub-gradient at w from that of P: the second is less
    by (n − k)/(n − 1).
    """
    X, y = points
    slopes = -np.where(y * (X @ w) < 1, y, 0.0)[:, None] * X
    spread = float(((slopes - slopes.mean(axis=0)) ** 2).sum(axis=1).mean()) / k
    return {REPEATED: spread, DISTINCT: spread * (points.n - k) / (points.n - 1)}


class Batches(NamedTuple):
    """Of both kinds: suboptimality of (seeds, steps), and the noise of the sub-gradient at the
    optimum.
    """

    gaps: dict[str, np.ndarray]
    noise: dict[str, float]


def recipes(lam: float, k: int) -> dict[str, Recipe]:
    """Both kinds as the Playground has them."""
    base = Recipe("blobs", POINTS, params={"lam": lam, "k": k}, steps=300).checked()
    return {
        "different examples": base,
        "a multi-set": base.with_params(sampling=sampling.MULTI_SET),
    }


def batches(lam: float, k: int, steps: int = 300, seeds: int = 10) -> Batches:
    points = problem()
    best = reference.optimum(points, lam)
    gaps = {
        name: (
            np.array(
                [batched(points, lam, steps, k, name == REPEATED, seed) for seed in range(seeds)]
            )
            - best.primal
        )
        for name in (DISTINCT, REPEATED)
    }
    return Batches(gaps, noise(points, best.w, k))


# Equation (19) ------------------------------------------------------------------------------------

ETAS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)


class Ways(NamedTuple):
    """Suboptimality after t steps, by seed: gradients with respect to w, and to α with the best of
    ETAS.
    """

    t: np.ndarray
    by_w: np.ndarray
    by_alpha: np.ndarray
    eta: float


def curved(n: int = 80, gamma: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    """Kernel values and labels of two moons."""
    points = plane.moons(n=n, noise=0.15, seed=0)
    return kernels.gram(kernels.rbf(gamma), points.X), points.y


def primal(K: np.ndarray, y: np.ndarray, lam: float, alpha: np.ndarray) -> float:
    """(19)"""
    f = K @ alpha
    return float(lam / 2 * alpha @ f + np.maximum(0.0, 1.0 - y * f).mean())


def descend(
    K: np.ndarray,
    y: np.ndarray,
    lam: float,
    eta: np.ndarray,
    looks: np.ndarray,
    seed: int,
    along_alpha: bool,
) -> list[float]:
    """P after each of the steps `looks`, in which α goes along the gradient with respect to itself,
    which changes all of it, or along that with respect to w, which shrinks α and changes one.
    """
    alpha, found = np.zeros(y.size), []
    for t, i in enumerate(sampling.draw(y.size, eta.size, seed=seed)[:, 0]):
        pays = y[i] * (K[i] @ alpha) < 1
        if along_alpha:
            alpha = alpha - eta[t] * (lam * (K @ alpha) - pays * y[i] * K[i])
        else:
            alpha = (1 - eta[t] * lam) * alpha
            alpha[i] += eta[t] * pays * y[i]
        if t + 1 in looks:
            found.append(primal(K, y, lam, alpha))
    return found


def two_ways(lam: float, steps: int = 1000, seeds: int = 5) -> Ways:
    """1/(λt) where P is strongly convex, in w; η/√t, with the best η, where it need not be, in
    α.
    """
    K, y = curved()
    t = np.arange(1.0, steps + 1)
    looks = np.unique(np.geomspace(1, steps, 30).astype(int))
    best = reference.optimum(Problem(kernels.numbered(K), y), lam, kernels.precomputed()).primal

    def runs(eta: np.ndarray, along_alpha: bool, many: int = seeds) -> np.ndarray:
        return (
            np.array([descend(K, y, lam, eta, looks, seed, along_alpha) for seed in range(many)])
            - best
        )

    tuned = min(ETAS, key=lambda eta: runs(eta / np.sqrt(t), True, 1)[0, -1])
    return Ways(looks, runs(1 / (lam * t), False), runs(tuned / np.sqrt(t), True), tuned)
