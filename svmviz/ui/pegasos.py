"""Figures 7 and 8 of the Pegasos paper."""

from svmviz.papers import pegasos_experiments as experiments
from svmviz.papers.experiment import Results
from svmviz.ui.papers import recipe_figure
from svmviz.views.curves import bands
from svmviz.views.theme import Theme

ASTRO = "astro-ph, 29 882 documents"


def drawn(look: Theme, results: Results, x_title: str = "passes over the data"):
    return bands(look, results.one("passes"), experiments.runs(results), x_title, "P(w) − P*")


def figure_8() -> None:
    recipe_figure(
        "Figure 8: how the examples are drawn", experiments.FIGURE_8, experiments.schemes(), drawn,
        claim="Going through the data in random order beats drawing with replacement clearly, and a new order for every pass "
              "is slightly better than keeping one (Section 7.5). No theorem of the paper covers it.",
        paper_data=ASTRO,
        on_file=lambda key, file: experiments.sampled(experiments.schemes(experiments.on_file(key, file)), file.title))


def figure_7() -> None:
    recipe_figure(
        "Figure 7: mini-batches", experiments.FIGURE_7, experiments.batches(),
        lambda look, results: drawn(look, results, "passes over the data, kT/n"),
        claim="For moderate k the number of steps falls in proportion to k, so that the work kT stays about the same: the "
              "curves over kT nearly coincide (Section 7.4).",
        paper_data=ASTRO,
        on_file=lambda key, file: experiments.batched(experiments.batches(experiments.on_file(key, file)), file.title))
