"""Theorems to be touched (`papers.promises`): drag T, λ or δ, and see bound, terms and twenty runs
follow.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from svmviz.papers.evidence.costs import power
from svmviz.papers.evidence.verdicts import digits
from svmviz.papers.promises import GHOSTS, THEOREMS, Promise, Theorem, grouped
from svmviz.theory.bounds.incremental import draws_for
from svmviz.theory.bounds.sbp import lemma_2_1
from svmviz.theory.bounds.simba import theorem_4_3
from svmviz.ui.papers import blocks as ui
from svmviz.views import promises as views
from svmviz.work.words import count, short

EPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)


@lru_cache(maxsize=64)
def promised(key: str, values: tuple[tuple[str, float], ...]) -> list[Promise]:
    """For anybody who drags there."""
    theorem = THEOREMS[key]
    return theorem.promised(theorem.runs(dict(values)), dict(values))


def touched(key: str) -> Callable[[], ui.Blocks]:
    """Return the figure of a theorem of a paper."""
    theorem, name = THEOREMS[key], f"promise.{key}"

    def figure() -> ui.Blocks:
        knobs = theorem.knobs
        set_to = yield ui.Row(
            [
                ui.Scale(knob.label, knob.options, knob.value, f"{name}.{knob.name}")
                for knob in knobs
            ]
        )
        values = tuple(zip((knob.name for knob in knobs), set_to, strict=True))
        yield ui.Needed(theorem.recipe(dict(values)).solver)
        found = promised(key, values)
        which, *others = found
        if others:
            bounds = {one.bound.name: one for one in found}
            which = bounds[(yield ui.Choice("Bound", bounds, f"{name}.bound", silent=True))]
        bound = which.bound
        yield ui.Chart(
            lambda look: views.over_runs(
                look,
                bound.t,
                bound.value,
                which.runs,
                theorem.quantity,
                bound.name,
                theorem.unit,
            ),
            f"{name}.runs",
        )
        yield ui.Chart(lambda look: views.terms(look, grouped(found)), f"{name}.terms")
        yield ui.Text(said(theorem, which))
        yield ui.Caption(f"{theorem.about}, {GHOSTS} seeds. It bounds: {bound.statement}.")

    return figure


def said(theorem: Theorem, promise: Promise) -> str:
    """How far the theorem lies above what was run, and whether it may be asked.

    >>> from svmviz.theory.bounds.sbp import lemma_3_2
    >>> words = said(THEOREMS["sbp"], Promise(lemma_3_2(100, 1.0), {}, np.full((20, 101), 0.1)))
    >>> print(words.replace("; ", ";\\n"))
    After 100 steps the bound is **0.32**, 3.2 times above the median run;
    all 20 runs lie below it.
    """
    T, times = int(promise.bound.t[-1]), promise.times()
    below = int((promise.runs[:, -1] <= promise.value).sum())
    share = (
        f"all {GHOSTS} runs lie"
        if below == len(promise.runs)
        else f"{below} of {len(promise.runs)} runs lie"
    )
    far = (
        f"{digits(times)} times above the median run"
        if np.isfinite(times)
        else f"and the median run {theorem.reached}"
    )
    why = (
        f"this does not hold: {promise.bound.broken}"
        if not promise.bound.vacuous
        else ("it is larger than anything that could be missed")
    )
    broken = f" Yet it promises nothing here, as {why}." if promise.bound.broken else ""
    return (
        f"After {count(T)} {theorem.unit} the bound is **{short(promise.value)}**, {far}; {share}"
        f" below it.{broken}"
    )


def corollary_4() -> ui.Blocks:
    """Of incremental SVMs."""
    C, eps = yield ui.Row(
        (
            ui.Scale("C", (0.1, 1.0, 10.0, 100.0, 1000.0), 1.0, "promise.C"),
            ui.Scale("ε, the mean of (P − P*)/(C t)", EPS, 0.1, "promise.incremental.eps"),
        )
    )
    yield ui.Text(
        f"**Corollary 4** says nothing here: it needs ε ≤ 4C, and that is {4 * C:g}."
        if eps > 4 * C
        else f"**Corollary 4.** K = ⌈8C/ε²⌉ = **{count(draws_for(eps, C))}** draws after each"
        f" example are enough for a mean of at most {eps:g}, however many examples come. To halve ε"
        " takes four times as many."
    )


def lemma_2() -> ui.Blocks:
    """Of the stochastic batch perceptron: Lemma 2.1."""
    eps, norm, loss = yield ui.Row(
        (
            ui.Scale("ε, by which the level falls short", EPS, 0.02, "promise.sbp.eps"),
            ui.Slider("‖u‖", 1.0, 100.0, 10.0, 1.0, "promise.sbp.norm"),
            ui.Slider("L(u)", 0.0, 0.95, 0.05, 0.01, "promise.sbp.loss"),
        )
    )
    if eps * norm >= 1:
        yield ui.Text(
            f"**Lemma 2.1** says nothing here: it needs ε‖u‖ < 1, and that is {eps * norm:.3g}."
        )
        return
    longer, more = lemma_2_1(norm, loss, eps)
    yield ui.Text(
        f"**Lemma 2.1.** Divided by its level, a w̄ that falls short by ε = {eps:g} is at most"
        f" {longer:.3g} long, beside {norm:g} of u, and pays at most {more:.3g}, beside {loss:g}:"
        f" both by the factor 1/(1 − ε‖u‖) = {1 / (1 - eps * norm):.3g}."
    )


def steps_of_simba() -> ui.Blocks:
    """Theorem 4.3 the other way round."""
    sizes = tuple(10**k for k in range(1, 8))
    eps, n = yield ui.Row(
        (
            ui.Scale("ε, by which γ* is missed", EPS, 0.1, "promise.simba.eps"),
            ui.Scale("rows n", sizes, 1000, "promise.simba.n", count),
        )
    )
    T, eta = theorem_4_3(eps, n)
    yield ui.Text(
        f"**Line 2 of Algorithm 1.** T = ⌈10⁴ ln n/ε²⌉ = **{power(T)}** steps with η = √(ln n/T) ="
        f" {eta:.2g} come within ε of γ\\* with probability 1/2. The constant is the proof's: how"
        " far runs lie below it is seen above."
    )
