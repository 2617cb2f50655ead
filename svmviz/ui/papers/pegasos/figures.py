"""Figures 6 to 9 of the Pegasos paper."""

from collections.abc import Mapping

import numpy as np

from svmviz.papers.evidence.experiment import Experiment, Results
from svmviz.papers.pegasos import experiments, section7
from svmviz.ui.papers import blocks as ui
from svmviz.views.curves import bands, guided
from svmviz.views.theme import Theme

ASTRO, GAUSS = "astro-ph, 29 882 documents, λ = 5 · 10⁻⁵", "Gauss mixture"
LEFT = "P(w) − P*"
SCALED = (
    "λn is the paper's, so that a pass over fewer rows does what it does there; CCAT has λ = 1/n."
)


def passes_of(n: float) -> str:
    """
    >>> passes_of(1.0), passes_of(6.96)
    ('1 pass', '7 passes')
    """
    return f"{n:.2g} pass{'es' * (round(n) != 1)}"


def data_choice(made: Mapping[str, Experiment], key: str) -> ui.Choice:
    """One of the data sets that were recorded or can be run here."""
    return ui.Choice(
        "Data", [name for name, one in made.items() if ui.is_there(one)], f"{key}.data"
    )


def figure_on(
    title: str,
    key: str,
    made: Mapping[str, Experiment],
    drawn: Mapping[str, ui.Drawing],
    claim: str,
    paper: str,
    on_file: ui.OnFile | None = None,
    recipes: Mapping | None = None,
    note: str = "",
) -> ui.Blocks:
    """A figure of one or more charts on data of the visitor's choice; runs on points of the plane
    can be opened, and made on a visitor's own.
    """
    yield ui.Header(title)
    name = yield data_choice(made, key)
    own = name == GAUSS
    about = f"The paper used {paper}; here: {made[name].data}, {ui.BAND}. {'' if own else note}"
    yield from ui.Figure(
        "",
        about,
        made[name],
        lambda results: [ui.Drawn(draw, suffix) for suffix, draw in drawn.items()],
        claim,
        links=recipes or {} if own else {},
        on_file=on_file if own else None,
    )()


def over_passes(look: Theme, results: Results):
    return bands(look, results.one("passes"), results.tables(), "passes over the data, kT/n", LEFT)


def over_batches(look: Theme, results: Results):
    """The first plot of Figure 7: over k, after fixed work."""
    runs, passes = results.tables(), results.one("passes")
    sizes = np.array([int(label.removeprefix("k = ")) for label in runs], float)
    fixed = np.unique(np.linspace(0, len(passes) - 1, 4).astype(int))[::-1]
    return bands(
        look,
        sizes,
        {
            passes_of(passes[at]): np.column_stack([table[:, at] for table in runs.values()])
            for at in fixed
        },
        "mini-batch k",
        f"{LEFT} after equal work",
    )


def figure_8() -> ui.Blocks:
    return figure_on(
        "Figure 8: how the examples are drawn",
        "pegasos.figure8",
        {GAUSS: experiments.FIGURE_8, **section7.FIGURE_8},
        {"": over_passes},
        "Going through the data in random order beats drawing with replacement clearly, and a new"
        " order for every pass is slightly better than keeping one (Section 7.5). No theorem of the"
        " paper covers it.",
        ASTRO,
        lambda key, file: experiments.sampled(
            experiments.schemes(experiments.on_file(key, file)), file.title
        ),
        experiments.schemes(),
        SCALED,
    )


def figure_7() -> ui.Blocks:
    return figure_on(
        "Figure 7: mini-batches",
        "pegasos.figure7",
        {GAUSS: experiments.FIGURE_7, **section7.FIGURE_7},
        {"": over_passes, ".k": over_batches},
        "For k of up to a few hundred the number of steps falls in proportion to k, so that the"
        " work kT stays about the same: the curves over kT nearly coincide, those over k are level."
        " Where k is overly large there is a loss at first, which more steps make good (Section"
        " 7.4).",
        ASTRO,
        lambda key, file: experiments.batched(
            experiments.batches(experiments.on_file(key, file)), file.title
        ),
        experiments.batches(),
        SCALED,
    )


def figure_9() -> ui.Blocks:
    def left(look: Theme, results: Results):
        gaps, losses = (section7.stepped_tables(results, of) for of in (0, 1))
        names = "Pegasos", "Norma"
        return bands(
            look,
            results.one("passes"),
            {name: gaps[name] for name in names}
            | {f"{name}, test loss": losses[name] for name in names},
            "passes over the data",
            f"{LEFT}, and test loss",
        )

    def right(look: Theme, results: Results):
        gaps = dict(section7.stepped_tables(results))
        gaps.pop("Norma")
        return bands(look, results.one("passes"), gaps, "passes over the data", LEFT)

    return figure_on(
        "Figure 9: steps of other lengths",
        "pegasos.figure9",
        section7.FIGURE_9,
        {"": left, ".fixed": right},
        "Pegasos outperforms Norma, η = p/(λ√t) with the p that is best by Norma's own bound, which"
        " fails to converge even after 10⁶ steps. With a fixed step, as Zhang has it, some η"
        " converge at about the rate of Pegasos and others fail to, and finding a good one costs"
        " more than a run (Section 7.6).",
        "astro-ph, 29 882 documents, λ = 2 · 10⁻⁴, 10⁶ steps",
        note=SCALED + " Pegasos is pulled back onto its ball.",
    )


def over_lambda(results: Results) -> ui.Blocks:
    passes = yield ui.Choice(
        "After", section7.PASSES_6, f"{section7.FIGURE_6.key}.passes", passes_of, 1
    )
    lambdas = np.array(section7.LAMBDAS)

    def draw(look: Theme, found: Results):
        tables = section7.by_lambda(found).items()
        runs = {name: table for (name, after), table in tables if after == passes}
        middle = float(np.median(runs["Pegasos"][:, 0]))
        return guided(
            bands(look, lambdas, runs, "λ", LEFT), look, "1/λ", lambdas, 1 / lambdas, middle
        )

    yield ui.Drawn(draw)


FIGURE_6 = ui.Figure(
    "Figure 6: what λ does",
    f"The paper used USPS, 8 against the rest, 7329 rows; here: {section7.FIGURE_6.data}, for"
    f" pixels over 16, {ui.BAND}.",
    section7.FIGURE_6,
    over_lambda,
    "After a fixed number of steps the suboptimality of Pegasos is inversely proportional to λ;"
    " stochastic dual coordinate ascent is much better behaved where λ is very small (Section"
    " 7.3).",
)
