"""What the Pegasos paper proves and remarks, to be touched: Lemma 1, stopping by chance, (19), the
losses of Section 5.
"""

from functools import lru_cache

import numpy as np
import streamlit as st

from svmviz.papers.evidence.verdicts import digits
from svmviz.papers.pegasos import lemmas
from svmviz.papers.pegasos.losses import EPS, LOSSES
from svmviz.ui.papers import blocks as ui
from svmviz.views import pegasos as views
from svmviz.views.curves import bands
from svmviz.work.words import count, short, signed, times

STEPS, LAMBDAS = 2000, (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
Z = np.linspace(-3.0, 3.0, 241)


@lru_cache(maxsize=16)
def path(lam: float, order: str) -> lemmas.Path:
    return lemmas.pegasos(lemmas.problem(), lam, STEPS, order)


@lru_cache(maxsize=64)
def regret(lam: float, order: str, target: str) -> lemmas.Regret:
    points, run = lemmas.problem(), path(lam, order)
    return lemmas.regret(points, lam, run, lemmas.target(points, lam, run, target))


def lemma_1() -> ui.Blocks:
    """Regret of a run against any u, on any examples."""
    order, target = yield ui.Row(
        (
            ui.Choice("The next example is", lemmas.ORDERS, "promise.pegasos.order"),
            ui.Choice("u is", lemmas.TARGETS, "promise.pegasos.u"),
        )
    )
    lam, t = yield ui.Row(
        (
            ui.Scale("λ", LAMBDAS, 0.05, "promise.pegasos.regret.lam"),
            ui.Slider("after step", 3, STEPS, 400, 1, "promise.pegasos.regret.t"),
        )
    )
    found = regret(lam, order, target)
    yield ui.Chart(
        lambda look: views.regret(look, found.paid, found.telescoped, found.bound, t),
        "promise.pegasos.regret",
    )
    paid, least = float(found.paid[t - 1]), float(found.telescoped[t - 1])
    more = "more" if paid >= 0 else "less"
    yield ui.Text(
        f"**Lemma 1.** After {count(t)} steps the run has paid **{short(abs(paid))} {more}** than u"
        f" on the same examples, {short(paid / t)} a step. The sum in the proof allows"
        f" {short(least)}, the lemma G²(1 + ln t)/(2λ) = **{digits(found.bound[t - 1])}** with G ="
        f" 2R = {short(found.G)}: it grows like ln t, so that each step loses less and less."
    )
    yield ui.Caption(
        "The points of this article. Nothing is left to chance in the lemma: it holds for every"
        " sequence of examples, also if an enemy chooses the worst one for w each time, and for"
        " every u."
    )


@lru_cache(maxsize=32)
def stopped(lam: float, T: int) -> lemmas.Stopping:
    return lemmas.stopping(lemmas.problem(), lam, T)


def attempts() -> int:
    """A button for two other attempts; returns how often it was clicked."""
    key = "promise.pegasos.stopping.draws"
    if st.button("Stop two others", key="promise.pegasos.stopping.again"):
        st.session_state[key] = st.session_state.get(key, 0) + 1
    return st.session_state.get(key, 0)


def random_stopping() -> ui.Blocks:
    """The remark after Lemma 3."""
    lam, T, again = yield ui.Row(
        (
            ui.Scale("λ", LAMBDAS, 0.05, "promise.pegasos.stopping.lam"),
            ui.Scale("steps T", (50, 100, 200, 500, 1000, 2000), 500, "promise.pegasos.stopping.T"),
            ui.Live(attempts, "Stop two others"),
        ),
        (2, 2, 1),
        "bottom",
    )
    found = stopped(lam, T)
    stops = lemmas.tried(found, 2, again or 0)
    gaps = found.gap[stops - 1]
    yield ui.Chart(
        lambda look: views.stopping(look, found.gap, found.good, stops),
        "promise.pegasos.stopping",
    )
    good = int((gaps <= found.good).sum())
    said = ("both are good enough", "one of them is good enough", "neither is good enough")[
        2 - good
    ]
    yield ui.Text(
        f"**After Lemma 3.** Two attempts stop after steps {stops[0]} and {stops[1]} and lack"
        f" {short(gaps[0])} and {short(gaps[1])}: {said}, at most {short(found.good)}, twice the"
        f" mean over all steps. That is so after **{100 * found.share:.0f} %** of the steps, so"
        f" that it takes {digits(found.attempts)} attempts on average; at least half, and at most"
        " two, by Markov's inequality."
    )
    yield ui.Caption(
        "To know which attempt is good one must compute P on all the data, or on a sample of about"
        " 1/(λε) examples (footnote 1). Lemma 3 has its bound for the mean, which holds with"
        " probability 1 − δ."
    )


@lru_cache(maxsize=8)
def ways(lam: float) -> lemmas.Ways:
    return lemmas.two_ways(lam)


def by_alpha() -> ui.Blocks:
    """Section 4, equation (19)."""
    lam = yield ui.Scale("λ", (0.001, 0.003, 0.01, 0.03, 0.1), 0.01, "promise.pegasos.alpha.lam")
    found = ways(lam)
    runs = {"with respect to w": found.by_w, "with respect to α": found.by_alpha}
    drawn = {name: np.maximum(table, 1e-7) for name, table in runs.items()}
    yield ui.Chart(
        lambda look: bands(look, found.t.astype(float), drawn, "steps", "P − P*"),
        "promise.pegasos.alpha",
    )
    ends = [float(np.median(table[:, -1])) for table in runs.values()]
    ahead = "ahead of" if ends[0] < ends[1] else "behind"
    yield ui.Text(
        f"**Equation (19).** After {count(int(found.t[-1]))} steps the gradient with respect to w"
        f" is {ahead} that with respect to α: **{short(ends[0], 2)}** against"
        f" **{short(ends[1], 2)}**. A step of the first shrinks α and changes one coefficient, one"
        " of the second changes all of them; and P is strongly convex in w, where 1/(λt) is the"
        " step to take, but not in α."
    )
    yield ui.Caption(
        "Two moons, 80 points, Gaussian kernel with γ = 2, 5 seeds. With respect to α steps are"
        f" η/√t long, with the best η of seven, {found.eta:g}; Pegasos has nothing to choose."
    )


@lru_cache(maxsize=32)
def batches(lam: float, k: int) -> lemmas.Batches:
    return lemmas.batches(lam, k)


def multi_sets() -> ui.Blocks:
    """Section 2.3: the analysis holds for both kinds of mini-batches."""
    sizes = (1, 2, 5, 12, 30, 60, 100, 120)
    k, lam = yield ui.Row(
        (
            ui.Scale("k", sizes, 30, "promise.pegasos.batch.k"),
            ui.Scale("λ", LAMBDAS, 0.05, "promise.pegasos.batch.lam"),
        )
    )
    found, n = batches(lam, k), lemmas.POINTS["n"]
    steps = next(iter(found.gaps.values())).shape[1]
    shown = np.unique(np.geomspace(1, steps, 40).astype(int))
    drawn = {name: np.maximum(table[:, shown - 1], 1e-9) for name, table in found.gaps.items()}
    yield ui.Chart(
        lambda look: bands(look, shown.astype(float), drawn, "steps", "P(w) − P*"),
        "promise.pegasos.batch",
    )
    said = {name: short(float(np.median(table[:, -1])), 2) for name, table in found.gaps.items()}
    noise = {name: short(value) for name, value in found.noise.items()}
    yield ui.Text(
        f"**Section 2.3.** After {steps} steps different examples leave **{said[lemmas.DISTINCT]}**"
        f", a multi-set **{said[lemmas.REPEATED]}**. The sub-gradient of k = {k} different examples"
        f" is nearer to that of P: its mean squared error is (n − k)/(n − 1) ="
        f" {(n - k) / (n - 1):.2f} times that of a multi-set, {noise[lemmas.DISTINCT]} against"
        f" {noise[lemmas.REPEATED]} at the optimum."
    )
    yield ui.Caption(
        "The points of this article, 10 seeds. The theorems hold for both, as the mean over either"
        " kind of batch is expected to be the sub-gradient of P."
    )
    yield ui.links(lemmas.recipes(lam, k))


def losses() -> ui.Blocks:
    """The table of Section 5."""
    formulas = [
        (name, f"${loss.formula}$", f"${loss.slope_formula}$") for name, loss in LOSSES.items()
    ]
    yield ui.Group([ui.markdown_table(("loss", "of z", "sub-gradient"), formulas)], "losses")
    name = yield ui.Choice("Loss", LOSSES, "promise.pegasos.loss")
    several = LOSSES[name].scores
    label = "z of the right class; the others have 0 and 1" if several else "z = ⟨w, x⟩"
    signs = (-1, 0, 1) if name == "ε-insensitive" else (-1, 1)
    controls = (
        ui.Slider(label, -3.0, 3.0, -0.5, 0.05, "promise.pegasos.z"),
        ui.Choice("y", signs, f"promise.pegasos.y.{name}", default=1),
    )
    z, *given = yield ui.Row(controls[: 1 if several else 2], (1, 1))
    y = given[0] if given else 0
    value, slope = at(name, z, y)
    curve = np.array([at(name, float(one), y)[0] for one in Z])
    yield ui.Chart(
        lambda look: views.loss(look, name, Z, curve, (z, value, slope)),
        "promise.pegasos.loss.drawn",
    )
    whose = "the row of the right class" if several else "w"
    where = "towards x" if slope < 0 else "away from x"
    way = (
        "w takes no step but the shrinking"
        if slope == 0
        else f"{whose} takes a step of {times(abs(slope))}η {where}"
    )
    yield ui.Text(
        f"At z = {signed(f'{z:g}')} the loss is **{short(value)}** and its slope"
        f" **{short(slope)}**: {way}. The tangent lies nowhere above the loss; that is all that the"
        " proofs ask of a sub-gradient."
    )
    yield ui.Caption(
        f"As printed the ε-insensitive loss lacks its absolute value; ε = {EPS:g} here. Costs δ are"
        " 0 and 1."
    )


def at(name: str, z: float, y: int) -> tuple[float, float]:
    """Value and slope at a score; with several classes at that of the right one."""
    loss = LOSSES[name]
    if not loss.scores:
        return float(loss.value(z, y)), float(loss.slope(z, y))
    scores = np.array([z, 0.0, 1.0])
    return float(loss.value(scores, 0)), float(loss.slope(scores, 0)[0])
