"""What the Pegasos paper proves and remarks, to be touched: Lemma 1, stopping by chance, (19), the
losses of Section 5.
"""

import numpy as np
import streamlit as st

from svmviz.papers.evidence.verdicts import digits
from svmviz.papers.pegasos import lemmas
from svmviz.papers.pegasos.losses import EPS, LOSSES
from svmviz.ui.controls.charts import chart, theme
from svmviz.ui.papers.page import column, links
from svmviz.views import pegasos as views
from svmviz.views.curves import bands
from svmviz.work.words import count, short, signed, times

STEPS, LAMBDAS = 2000, (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
Z = np.linspace(-3.0, 3.0, 241)


@st.cache_resource(max_entries=16, show_spinner=False)
def path(lam: float, order: str) -> lemmas.Path:
    return lemmas.pegasos(lemmas.problem(), lam, STEPS, order)


@st.cache_resource(max_entries=64, show_spinner=False)
def regret(lam: float, order: str, target: str) -> lemmas.Regret:
    points, run = lemmas.problem(), path(lam, order)
    return lemmas.regret(points, lam, run, lemmas.target(points, lam, run, target))


def lemma_1() -> None:
    """Regret of a run against any u, on any examples."""
    with column():
        left, right = st.columns(2)
        order = left.segmented_control(
            "The next example is",
            lemmas.ORDERS,
            default=lemmas.CHANCE,
            required=True,
            key="promise.pegasos.order",
        )
        target = right.segmented_control(
            "u is",
            lemmas.TARGETS,
            default=lemmas.TARGETS[0],
            required=True,
            key="promise.pegasos.u",
        )
        lam = left.select_slider("λ", LAMBDAS, 0.05, key="promise.pegasos.regret.lam")
        t = right.slider("after step", 3, STEPS, 400, key="promise.pegasos.regret.t")
        found = regret(lam, order, target)
        chart(
            views.regret(theme(), found.paid, found.telescoped, found.bound, t),
            "promise.pegasos.regret",
        )
        paid, least = float(found.paid[t - 1]), float(found.telescoped[t - 1])
        more = "more" if paid >= 0 else "less"
        st.markdown(
            f"**Lemma 1.** After {count(t)} steps the run has paid **{short(abs(paid))} {more}**"
            f" than u on the same examples, {short(paid / t)} a step. The sum in the proof allows"
            f" {short(least)}, the lemma G²(1 + ln t)/(2λ) = **{digits(found.bound[t - 1])}** with"
            f" G = 2R = {short(found.G)}: it grows like ln t, so that each step loses less and"
            " less."
        )
        st.caption(
            "The points of this article. Nothing is left to chance in the lemma: it holds for every"
            " sequence of examples, also if an enemy chooses the worst one for w each time, and for"
            " every u."
        )


@st.cache_resource(max_entries=32, show_spinner=False)
def stopped(lam: float, T: int) -> lemmas.Stopping:
    return lemmas.stopping(lemmas.problem(), lam, T)


def random_stopping() -> None:
    """The remark after Lemma 3."""
    with column():
        left, middle, right = st.columns([2, 2, 1], vertical_alignment="bottom")
        lam = left.select_slider("λ", LAMBDAS, 0.05, key="promise.pegasos.stopping.lam")
        T = middle.select_slider(
            "steps T", (50, 100, 200, 500, 1000, 2000), 500, key="promise.pegasos.stopping.T"
        )
        again = "promise.pegasos.stopping.draws"
        if right.button("Stop two others", key="promise.pegasos.stopping.again"):
            st.session_state[again] = st.session_state.get(again, 0) + 1
        found = stopped(lam, T)
        stops = lemmas.tried(found, 2, st.session_state.get(again, 0))
        gaps = found.gap[stops - 1]
        chart(views.stopping(theme(), found.gap, found.good, stops), "promise.pegasos.stopping")
        good = int((gaps <= found.good).sum())
        said = ("both are good enough", "one of them is good enough", "neither is good enough")[
            2 - good
        ]
        st.markdown(
            f"**After Lemma 3.** Two attempts stop after steps {stops[0]} and {stops[1]} and lack"
            f" {short(gaps[0])} and {short(gaps[1])}: {said}, at most {short(found.good)}, twice"
            f" the mean over all steps. That is so after **{100 * found.share:.0f} %** of the"
            f" steps, so that it takes {digits(found.attempts)} attempts on average; at least half,"
            " and at most two, by Markov's inequality."
        )
        st.caption(
            "To know which attempt is good one must compute P on all the data, or on a sample of"
            " about 1/(λε) examples (footnote 1). Lemma 3 has its bound for the mean, which holds"
            " with probability 1 − δ."
        )


@st.cache_resource(max_entries=8, show_spinner=False)
def ways(lam: float) -> lemmas.Ways:
    return lemmas.two_ways(lam)


def by_alpha() -> None:
    """Section 4, equation (19)."""
    with column():
        lam = st.select_slider(
            "λ", (0.001, 0.003, 0.01, 0.03, 0.1), 0.01, key="promise.pegasos.alpha.lam"
        )
        found = ways(lam)
        runs = {"with respect to w": found.by_w, "with respect to α": found.by_alpha}
        chart(
            bands(
                theme(),
                found.t.astype(float),
                {name: np.maximum(table, 1e-7) for name, table in runs.items()},
                "steps",
                "P − P*",
            ),
            "promise.pegasos.alpha",
        )
        ends = [float(np.median(table[:, -1])) for table in runs.values()]
        ahead = "ahead of" if ends[0] < ends[1] else "behind"
        st.markdown(
            f"**Equation (19).** After {count(int(found.t[-1]))} steps the gradient with respect to"
            f" w is {ahead} that with respect to α: **{short(ends[0], 2)}** against"
            f" **{short(ends[1], 2)}**. A step of the first shrinks α and changes one coefficient,"
            " one of the second changes all of them; and P is strongly convex in w, where 1/(λt)"
            " is the step to take, but not in α."
        )
        st.caption(
            "Two moons, 80 points, Gaussian kernel with γ = 2, 5 seeds. With respect to α steps"
            f" are η/√t long, with the best η of seven, {found.eta:g}; Pegasos has nothing to"
            " choose."
        )


@st.cache_resource(max_entries=32, show_spinner=False)
def batches(lam: float, k: int) -> lemmas.Batches:
    return lemmas.batches(lam, k)


def multi_sets() -> None:
    """Section 2.3: the analysis holds for both kinds of mini-batches."""
    with column():
        left, right = st.columns(2)
        k = left.select_slider(
            "k", (1, 2, 5, 12, 30, 60, 100, 120), 30, key="promise.pegasos.batch.k"
        )
        lam = right.select_slider("λ", LAMBDAS, 0.05, key="promise.pegasos.batch.lam")
        found, n = batches(lam, k), lemmas.POINTS["n"]
        steps = next(iter(found.gaps.values())).shape[1]
        shown = np.unique(np.geomspace(1, steps, 40).astype(int))
        chart(
            bands(
                theme(),
                shown.astype(float),
                {name: np.maximum(table[:, shown - 1], 1e-9) for name, table in found.gaps.items()},
                "steps",
                "P(w) − P*",
            ),
            "promise.pegasos.batch",
        )
        said = {
            name: short(float(np.median(table[:, -1])), 2) for name, table in found.gaps.items()
        }
        noise = {name: short(value) for name, value in found.noise.items()}
        st.markdown(
            f"**Section 2.3.** After {steps} steps different examples leave"
            f" **{said[lemmas.DISTINCT]}**, a multi-set **{said[lemmas.REPEATED]}**. The"
            f" sub-gradient of k = {k} different examples is nearer to that of P: its mean squared"
            f" error is (n − k)/(n − 1) = {(n - k) / (n - 1):.2f} times that of a multi-set,"
            f" {noise[lemmas.DISTINCT]} against {noise[lemmas.REPEATED]} at the optimum."
        )
        st.caption(
            "The points of this article, 10 seeds. The theorems hold for both, as the mean over"
            " either kind of batch is expected to be the sub-gradient of P."
        )
        links(lemmas.recipes(lam, k))


def losses() -> None:
    """The table of Section 5."""
    with column():
        with st.container(key="losses"):
            st.markdown(
                "\n".join(
                    [
                        "| loss | of z | sub-gradient |",
                        "|---|---|---|",
                        *(
                            f"| {name} | ${loss.formula}$ | ${loss.slope_formula}$ |"
                            for name, loss in LOSSES.items()
                        ),
                    ]
                )
            )
        names = list(LOSSES)
        name = st.segmented_control(
            "Loss", names, default=names[0], required=True, key="promise.pegasos.loss"
        )
        left, right = st.columns(2)
        several = LOSSES[name].scores
        z = left.slider(
            "z of the right class; the others have 0 and 1" if several else "z = ⟨w, x⟩",
            -3.0,
            3.0,
            -0.5,
            0.05,
            key="promise.pegasos.z",
        )
        y = (
            0
            if several
            else right.segmented_control(
                "y",
                (-1, 0, 1) if name == "ε-insensitive" else (-1, 1),
                default=1,
                required=True,
                key=f"promise.pegasos.y.{name}",
            )
        )
        value, slope = at(name, z, y)
        curve = np.array([at(name, float(one), y)[0] for one in Z])
        chart(views.loss(theme(), name, Z, curve, (z, value, slope)), "promise.pegasos.loss.drawn")
        whose, where = (
            "the row of the right class" if several else "w",
            ("towards x" if slope < 0 else "away from x"),
        )
        way = (
            "w takes no step but the shrinking"
            if slope == 0
            else f"{whose} takes a step of {times(abs(slope))}η {where}"
        )
        st.markdown(
            f"At z = {signed(f'{z:g}')} the loss is **{short(value)}** and its slope"
            f" **{short(slope)}**: {way}. The tangent lies nowhere above the loss; that is all that"
            " the proofs ask of a sub-gradient."
        )
        st.caption(
            f"As printed the ε-insensitive loss lacks its absolute value; ε = {EPS:g} here. Costs δ"
            " are 0 and 1."
        )


def at(name: str, z: float, y: int) -> tuple[float, float]:
    """Value and slope at a score; with several classes at that of the right one."""
    loss = LOSSES[name]
    if not loss.scores:
        return float(loss.value(z, y)), float(loss.slope(z, y))
    scores = np.array([z, 0.0, 1.0])
    return float(loss.value(scores, 0)), float(loss.slope(scores, 0)[0])
