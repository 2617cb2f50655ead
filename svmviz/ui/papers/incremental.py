"""Table 1 and the figures of the paper on approximate incremental SVMs: the lemma to be touched,
the others from runs.
"""

import numpy as np

from svmviz.papers.evidence.experiment import Results
from svmviz.papers.incremental import experiments, figures, table, verdicts
from svmviz.ui.papers import blocks as ui
from svmviz.ui.papers import promises
from svmviz.views import tracking as views
from svmviz.views.curves import bands
from svmviz.work.words import count

ADULT, MNIST = "Adult, 32 561 rows", "MNIST, 8 against the rest, 60 000 rows"


def figure_1() -> ui.Blocks:
    """Lemma 1 on a single example, for both values of C."""
    yield ui.Header("Figure 1: the duality lemma on one example")
    yield ui.Caption(
        "As in the paper: x = 1, y = 1. With C = 1.5 the optimum α* = 1 lies inside the box,"
        " with C = 0.7 at its end."
    )
    C, alpha = yield ui.Row(
        (
            ui.Choice("Upper end C of the box", (1.5, 0.7), "incremental.C"),
            lambda C: ui.Slider("α", 0.0, C, min(0.4, C), 0.01, f"incremental.alpha.{C}"),
        ),
        (1, 2),
    )
    grid = np.unique(np.append(np.linspace(0.0, C, 301), min(1.0, C)))
    line = figures.lemma(grid, C)._asdict()
    yield ui.Chart(lambda look: views.lemma(look, grid, line, alpha, C), "incremental.figure1")
    now = figures.lemma(alpha, C)
    free = (
        "Near α* the bound falls like a straight line on both sides: √ of a gain that is a square."
    )
    at_end = (
        "Near α* = C the bound is loose, with a vertical tangent; but one step goes to C at once,"
        " and there it is exact."
    )
    yield ui.Text(
        f"At α = {alpha:.2f} the gap is **{now.gap[0]:.3f}**, the bound of the lemma"
        f" **{now.bound[0]:.3f}**, and the primal lies {now.suboptimality[0]:.3f} above its"
        f" optimum. {free if C > 1 else at_end}"
    )


def listed(results: Results) -> dict[str, list[str]]:
    """A row for each set as printed, as found here, and for what stands for it."""
    names, rows = ("data", "training", "test", "features", "C", "kernel", "cache"), []
    for name, printed in table.TABLE.items():
        found = results.one(f"{name}, counted")
        given = f"{printed.C:g}", f"exp(−{table.GAMMA:g}‖x − z‖²)", f"{table.MEGABYTES:g} MB"
        rows.append(
            (
                f"{printed.title}, as printed",
                *map(count, (printed.train, printed.test, printed.features)),
                *given,
            )
        )
        rows.append((f"{printed.title}, here", *map(count, found), *given))
    for figure, recipe, fresh in (
        ("Figures 2 to 4", figures.GAUSS, 0),
        ("Figures 5 and 6", figures.BOARD, figures.TESTS),
    ):
        problem, gamma = recipe.problem(), recipe.params["kernel"].gamma
        rows.append(
            (
                f"{figure}: {recipe.source.title}",
                count(problem.n),
                count(fresh) if fresh else "–",
                count(problem.d),
                f"{recipe.params['C']:g}",
                f"exp(−{gamma:g}‖x − z‖²)",
                "all",
            )
        )
    return {name: [row[k] for row in rows] for k, name in enumerate(names)}


TABLE_1 = ui.Figure(
    "Table 1: data and parameters",
    "As printed, as found in the files, and what stands for them in Figures 2 to 6. Of MNIST's 784"
    " pixels those after the last that is ever inked are no features, as in LIBSVM's file.",
    experiments.table_1(),
    lambda results: [ui.Table(listed(results))],
    "Sizes and parameters of the experiments; kernel values are kept in 512 MB (Table 1).",
)


def over_runs(experiment, recipes, title: str, draw: ui.Drawing, claim: str, paper: str, **more):
    """A figure whose runs the Playground can show."""
    about = f"The paper used {paper}; here: {experiment.data}, {ui.BAND}."
    return ui.Figure(title, about, experiment, ui.charts(draw), claim, links=recipes, **more)


def on_adult(make, recipes, title: str, draw: ui.Drawing, claim: str) -> ui.Figure:
    """A figure that can be made on a visitor's own points, too."""
    return over_runs(
        make(),
        recipes,
        title,
        draw,
        claim,
        ADULT,
        on_file=lambda key, file: make(experiments.on_file(recipes, key, file), file.title),
    )


def over_examples(look, results):
    return bands(
        look,
        results.one("examples"),
        results.tables(),
        "examples seen",
        "gap / (C t)",
        log_x=False,
    )


FIGURE_2 = on_adult(
    experiments.figure_2,
    figures.FIGURE_2,
    "Figure 2: the gap while examples arrive",
    over_examples,
    "The normalised gap keeps a constant value on average: the optima are tracked. A larger K"
    " lowers it. Algorithm 2 with K = 10 performs nearly as well as Algorithm 1 with K = 20"
    " (Section 6.1).",
)
FIGURE_3 = on_adult(
    experiments.figure_3,
    figures.FIGURE_3,
    "Figure 3: chance and an active teacher",
    over_examples,
    "With active selection Algorithm 1 still tracks the optimum. The gap does not grow; the"
    " curriculum even makes it fall regularly (Section 6.1).",
)


def over_draws(look, results):
    runs = results.tables()
    gaps = np.column_stack([runs[f"K = {K}"][:, 0] for K in figures.DRAWS])
    processed = np.column_stack([runs[f"Algorithm 2, K = {K}"][:, 0] for K in figures.PROCESSED])
    Ks, first = np.array(figures.DRAWS, float), 2
    fit = figures.slope(Ks[first:], np.median(gaps, axis=0)[first:])
    return views.over_draws(look, Ks, gaps, fit, first, processed)


FIGURE_4 = on_adult(
    experiments.figure_4,
    figures.FIGURE_4,
    "Figure 4: the mean gap over K",
    over_draws,
    "The mean gap of Algorithm 1 falls like 1/K, not like 1/√K as Corollary 4 has it (Section 6.1)."
    " PROCESS saves a factor on the number of draws (Section 4.3).",
)


def error_bands(look, x, runs, x_title: str):
    return bands(look, x, runs, x_title, "test error", log_y=False, y_format=".0%")


FIGURE_5 = over_runs(
    experiments.figure_5(),
    figures.FIGURE_5,
    "Figure 5: test error over examples",
    lambda look, results: error_bands(
        look, figures.TIMES.astype(float), results.tables(), "examples seen"
    ),
    "Active selection reaches good accuracy with far fewer examples, and the more accurate the"
    " optimisation (K = 100), the more it gains (Section 6.2).",
    MNIST,
)


def figure_6() -> ui.Blocks:
    counting = yield ui.Choice(
        "Kernel computations of Figure 6",
        figures.COUNTINGS,
        "incremental.counting",
        help="With a cache for all values only distinct pairs cost.",
    )
    row = figures.COUNTINGS.index(counting)

    def counted(results: Results) -> dict[str, np.ndarray]:
        return {name: values[:, row] for name, values in results.tables().items()}

    yield from over_runs(
        experiments.figure_6(),
        figures.FIGURE_6,
        "Figure 6: test error over kernel computations",
        lambda look, results: error_bands(look, figures.COSTS, counted(results), counting),
        "The error falls much faster than that of the batch counterpart, whatever the selection,"
        " and fastest with active selection and K = 100 (Sections 6.2 and 6.3). The paper kept"
        " kernel values in 512 MB.",
        MNIST,
        judge=lambda results: verdicts.on_figure_6(results.tables(), row),
    )()


def own_stream() -> ui.Blocks:
    yield ui.Text(
        "**Be the teacher yourself.** Choose *you* as the teacher in the Playground and click the"
        " point that comes next."
    )
    recipe = figures.GAUSS.with_params(teacher="you", algorithm="Algorithm 2")
    yield ui.links({"you as the teacher": recipe})


FIGURES = {
    "figure_1": figure_1,
    "figure_2": FIGURE_2,
    "figure_3": FIGURE_3,
    "figure_4": FIGURE_4,
    "figure_5": FIGURE_5,
    "figure_6": figure_6,
    "stream": own_stream,
    "corollary_4": promises.corollary_4,
    "fixed_set": promises.touched("fixed_set"),
    "table_1": TABLE_1,
}
