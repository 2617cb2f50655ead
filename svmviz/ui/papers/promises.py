"""Theorems to be touched (`papers.promises`): drag T, λ or δ, and see bound, terms and twenty runs
follow.
"""

import numpy as np
import streamlit as st

from svmviz.papers.evidence.costs import power
from svmviz.papers.evidence.verdicts import digits
from svmviz.papers.promises import GHOSTS, THEOREMS, Promise, Theorem, grouped
from svmviz.theory.bounds.incremental import draws_for
from svmviz.theory.bounds.sbp import lemma_2_1
from svmviz.theory.bounds.simba import theorem_4_3
from svmviz.ui.controls.charts import chart, theme
from svmviz.ui.jobs.compiling import needed
from svmviz.ui.papers.page import column
from svmviz.views import promises as views
from svmviz.work.words import count, short

EPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)


@st.cache_resource(max_entries=64, show_spinner=False)
def promised(key: str, values: tuple[tuple[str, float], ...]) -> list[Promise]:
    """For anybody who drags there."""
    theorem = THEOREMS[key]
    return theorem.promised(theorem.runs(dict(values)), dict(values))


def touched(key: str) -> None:
    """The theorems of a paper."""
    theorem = THEOREMS[key]
    with column():
        places = st.columns(len(theorem.knobs))
        values = tuple(
            (
                knob.name,
                place.select_slider(
                    knob.label, knob.options, knob.value, key=f"promise.{key}.{knob.name}"
                ),
            )
            for knob, place in zip(theorem.knobs, places, strict=True)
        )
        needed(theorem.recipe(dict(values)).solver)
        found = promised(key, values)
        names = [one.bound.name for one in found]
        which = (
            found[0]
            if len(found) == 1
            else found[
                names.index(
                    st.segmented_control(
                        "Bound",
                        names,
                        default=names[0],
                        required=True,
                        key=f"promise.{key}.bound",
                        label_visibility="collapsed",
                    )
                )
            ]
        )
        chart(
            views.over_runs(
                theme(),
                which.bound.t,
                which.bound.value,
                which.runs,
                theorem.quantity,
                which.bound.name,
                theorem.unit,
            ),
            f"promise.{key}.runs",
        )
        chart(views.terms(theme(), grouped(found)), f"promise.{key}.terms")
        st.markdown(said(theorem, which))
        st.caption(f"{theorem.about}, {GHOSTS} seeds. It bounds: {which.bound.statement}.")


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


def corollary_4() -> None:
    """Of incremental SVMs."""
    with column():
        left, right = st.columns(2)
        C = left.select_slider("C", (0.1, 1.0, 10.0, 100.0, 1000.0), 1.0, key="promise.C")
        eps = right.select_slider(
            "ε, the mean of (P − P*)/(C t)", EPS, 0.1, key="promise.incremental.eps"
        )
        if eps > 4 * C:
            st.markdown(
                f"**Corollary 4** says nothing here: it needs ε ≤ 4C, and that is {4 * C:g}."
            )
            return
        st.markdown(
            f"**Corollary 4.** K = ⌈8C/ε²⌉ = **{count(draws_for(eps, C))}** draws after each"
            f" example are enough for a mean of at most {eps:g}, however many examples come. To"
            " halve ε takes four times as many."
        )


def lemma_2() -> None:
    """Of the stochastic batch perceptron: Lemma 2.1."""
    with column():
        one, two, three = st.columns(3)
        eps = one.select_slider(
            "ε, by which the level falls short", EPS, 0.02, key="promise.sbp.eps"
        )
        norm = two.slider("‖u‖", 1.0, 100.0, 10.0, 1.0, key="promise.sbp.norm")
        loss = three.slider("L(u)", 0.0, 0.95, 0.05, 0.01, key="promise.sbp.loss")
        if eps * norm >= 1:
            st.markdown(
                f"**Lemma 2.1** says nothing here: it needs ε‖u‖ < 1, and that is {eps * norm:.3g}."
            )
            return
        longer, more = lemma_2_1(norm, loss, eps)
        st.markdown(
            f"**Lemma 2.1.** Divided by its level, a w̄ that falls short by ε = {eps:g} is at most"
            f" {longer:.3g} long, beside {norm:g} of u, and pays at most {more:.3g}, beside"
            f" {loss:g}: both by the factor 1/(1 − ε‖u‖) = {1 / (1 - eps * norm):.3g}."
        )


def steps_of_simba() -> None:
    """Theorem 4.3 the other way round."""
    with column():
        left, right = st.columns(2)
        eps = left.select_slider("ε, by which γ* is missed", EPS, 0.1, key="promise.simba.eps")
        n = right.select_slider(
            "rows n",
            tuple(10**k for k in range(1, 8)),
            1000,
            key="promise.simba.n",
            format_func=count,
        )
        T, eta = theorem_4_3(eps, n)
        st.markdown(
            f"**Line 2 of Algorithm 1.** T = ⌈10⁴ ln n/ε²⌉ = **{power(T)}** steps with η = √(ln"
            f" n/T) = {eta:.2g} come within ε of γ\\* with probability 1/2. The constant is the"
            " proof's: how far runs lie below it is seen above."
        )
