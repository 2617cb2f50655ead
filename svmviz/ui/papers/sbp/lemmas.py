"""Lemmas of the SBP paper to be touched: 3.1, (3.5) to (3.8) as a calculator, E.1."""

from functools import cache, lru_cache

import numpy as np

from svmviz.papers.evidence.costs import power
from svmviz.papers.sbp import lemmas
from svmviz.record.trace import Trace
from svmviz.theory import bounds
from svmviz.theory.bounds.sbp import Learning
from svmviz.ui.papers import blocks as ui
from svmviz.views import lemmas as views
from svmviz.work.words import signed

ALONG = np.linspace(-1.0, 2.0, 241)
EPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
SAMPLES = (10, 30, 100, 300)


@cache
def run() -> Trace:
    return lemmas.RUN.trace()


@lru_cache(maxsize=256)
def responses(t: int) -> dict[str, np.ndarray]:
    return lemmas.directions(run(), t)


def supergradient() -> ui.Blocks:
    """Lemma 3.1."""
    yield ui.Needed(lemmas.RUN.solver)
    toward = yield ui.Choice("v is", lemmas.TARGETS, "promise.sbp.v")
    way = "the way from w, at 0, to v, at 1"
    t, s = yield ui.Row(
        (
            ui.Slider("w after step", 0, lemmas.RUN.steps - 1, 40, 1, "promise.sbp.t"),
            ui.Slider(way, float(ALONG[0]), float(ALONG[-1]), 1.0, 0.05, "promise.sbp.s"),
        )
    )
    known, volume = responses(t), lemmas.RUN.params["nu"] * run().problem.n
    line = lemmas.slope(known["w"], known[toward], volume, ALONG)
    here = lemmas.slope(known["w"], known[toward], volume, s)
    level, above = float(here.level[0]), float(here.tangent[0])
    yield ui.Chart(
        lambda look: views.tangent(look, ALONG, line.level, line.tangent, (s, level, above)),
        "promise.sbp.tangent",
    )
    yield ui.Text(
        f"**Lemma 3.1.** The level there is **{signed(f'{level:.4f}')}**, and the tangent says at"
        f" most **{signed(f'{above:.4f}')}**. {touching(here, s)}"
    )
    yield ui.Caption(
        "The run of this article. Without a bias; |v| need not be 1, as γ(w) is concave everywhere."
    )


def touching(here: lemmas.Slope, s: float) -> str:
    """Where the two are one."""
    low, high = here.same
    ends = signed(f"{max(low, ALONG[0]):.2f} to {min(high, ALONG[-1]):.2f}")
    same = f"As long as the same {here.wet} columns are under water, from {ends}, both are one"
    return (
        f"{same}, and here they are."
        if low <= s <= high
        else f"{same}; beyond, the level stays below."
    )


def learning() -> ui.Blocks:
    """Section 3.5."""
    eps, norm, loss = yield ui.Row(
        (
            ui.Scale("ε, error beyond L*", EPS, 0.05, "promise.sbp.excess"),
            ui.Slider("‖u‖", 1.0, 100.0, 10.0, 1.0, "promise.sbp.length"),
            ui.Slider("L*, expected loss of u", 0.0, 0.95, 0.05, 0.01, "promise.sbp.paid"),
        )
    )
    found = bounds.learning(norm, loss, eps)
    rows = {
        "n (3.5)": found.n,
        "1/ε̄ (3.7)": 1 / found.eps,
        "T": float(found.steps),
        "n T": found.n * found.steps,
        "(3.8)": bounds.table_1(norm, loss, eps)["SBP"],
    }
    yield ui.Row(
        (
            ui.Metric("n, up to constants", power(found.n)),
            ui.Metric("ε̄", f"{found.eps:.3g}"),
            ui.Metric("T", power(found.steps)),
        )
    )
    yield ui.Chart(lambda look: views.sizes(look, rows), "promise.sbp.learning")
    yield ui.Text(
        "**Section 3.5.** A w̄ that falls short by at most ε̄ is, divided by its level, at most"
        f" {found.norm:.3g} long, within 2‖u‖ = {2 * norm:g}, and pays at most {found.loss:.3g} on"
        f" the sample, within L\\* + ε/2 = {loss + eps / 2:.3g} (Lemma 2.1)."
        f" {limits(found, norm, loss, eps)}"
    )
    yield ui.Caption(
        "n T counts kernel evaluations, as (3.8) does. Constants and logarithms of (3.5) and (3.8)"
        " are left out, as in the paper, and the loss of u on the sample is taken for L\\*: compare"
        " their growth, not their values. T has its constants: 3/√T + 2/T ≤ ε̄, in expectation, for"
        " K(x, x) of at most 1."
    )


def limits(found: Learning, norm: float, loss: float, eps: float) -> str:
    """Where the printed ε̄ is too large, and where all of it says nothing."""
    said = []
    if found.printed > found.eps:
        factor = "1/0" if loss == 0 else f"{(loss + eps / 2) / loss:.3g}"
        said.append(
            f"(3.7) as printed is {found.printed:.3g}, which is too large here: L\\* is below ε/2,"
            f" the factor of Lemma 2.1 would be {factor}, and w could be longer than 2‖u‖. ε̄ is"
            " 1/(2‖u‖) instead."
        )
    if loss + eps >= 0.5:
        said.append(
            f"But an error of L\\* + ε = {loss + eps:.3g} is no better than a coin's: it promises"
            " nothing here."
        )
    return " ".join(said)


@lru_cache(maxsize=8)
def accuracies(n: int) -> dict[float, lemmas.Accuracy]:
    return {
        float(eps): lemmas.accuracy(n, eps)
        for eps in np.unique(np.r_[np.geomspace(EPS[0], EPS[-1], 25), EPS])
    }


def dual_gap() -> ui.Blocks:
    """Lemma E.1."""
    eps, n = yield ui.Row(
        (
            ui.Scale("ε, accuracy in the dual", EPS, 0.01, "promise.sbp.dual"),
            ui.Scale("examples n", SAMPLES, 100, "promise.sbp.sample"),
        )
    )
    found = accuracies(n)
    dual, primal = np.array(list(found.values())).T
    here = found[eps]
    yield ui.Chart(
        lambda look: views.dual_and_primal(look, np.array(list(found)), dual, primal, (eps, *here)),
        "promise.sbp.dual",
    )
    yield ui.Text(
        f"**Lemma E.1.** α = 0 lacks **{here.dual:.3g}** in the dual, at most ε = {eps:g}, and"
        f" **{here.primal:.3g}** in the primal: {here.primal / here.dual:.3g} times as much. Its w"
        " = 0 pays 1 on every example and tosses a coin, while u pays nothing."
    )
    yield ui.Caption(
        f"u = (1, 0), and {n} points of the plane with y⟨u, x⟩ ≥ 1; λ = 2ε, P\\* = D\\* by the"
        " exact optimum. To be within ε of the primal, Theorem E.2 asks for λε²/118 ="
        f" {power(2 * eps**3 / 118)} in the dual."
    )
