"""Table 1 and the figures of the paper on approximate incremental SVMs: the lemma to be touched,
the others from runs.
"""

import numpy as np
import streamlit as st

from svmviz.papers.evidence.experiment import Results
from svmviz.papers.incremental import experiments, figures, table, verdicts
from svmviz.ui.controls.charts import chart, theme
from svmviz.ui.papers.evidence import Foot, evidence
from svmviz.ui.papers.page import beside, column, links, recipe_figure
from svmviz.views import tracking as views
from svmviz.views.curves import bands
from svmviz.work.words import count

ADULT, MNIST = "Adult, 32 561 rows", "MNIST, 8 against the rest, 60 000 rows"


def figure_1() -> None:
    """Lemma 1 on a single example, for both values of C."""
    with column():
        st.header("Figure 1: the duality lemma on one example")
        st.caption(
            "As in the paper: x = 1, y = 1. With C = 1.5 the optimum α* = 1 lies inside the box,"
            " with C = 0.7 at its end."
        )
        left, right = st.columns([1, 2])
        C = left.segmented_control(
            "Upper end C of the box", (1.5, 0.7), default=1.5, required=True, key="incremental.C"
        )
        alpha = right.slider("α", 0.0, C, min(0.4, C), 0.01, key=f"incremental.alpha.{C}")
        grid = np.unique(np.append(np.linspace(0.0, C, 301), min(1.0, C)))
        chart(
            views.lemma(theme(), grid, figures.lemma(grid, C)._asdict(), alpha, C),
            "incremental.figure1",
        )
        now = figures.lemma(alpha, C)
        free = C > 1
        st.markdown(
            f"At α = {alpha:.2f} the gap is **{now.gap[0]:.3f}**, the bound of the lemma"
            f" **{now.bound[0]:.3f}**, and the primal lies {now.suboptimality[0]:.3f} above its"
            " optimum. "
            + (
                "Near α* the bound falls like a straight line on both sides: √ of a gain that is a"
                " square."
                if free
                else (
                    "Near α* = C the bound is loose, with a vertical tangent; but one step goes to"
                    " C at once, and there it is exact."
                )
            )
        )


def table_1() -> None:
    experiment = experiments.table_1()

    def show(results: Results, behind: Results | None, foot: Foot) -> None:
        st.dataframe(listed(results), hide_index=True, width="stretch")
        foot()
        beside(
            "Sizes and parameters of the experiments; kernel values are kept in 512 MB (Table 1).",
            experiment.judge(results),
            experiment.key,
        )

    with column():
        st.header("Table 1: data and parameters")
        st.caption(
            "As printed, as found in the files, and what stands for them in Figures 2 to 6. Of"
            " MNIST's 784 pixels those after the last that is ever inked are no features, as in"
            " LIBSVM's file."
        )
        evidence(experiment, show)


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


def over_examples(look, results):
    return bands(
        look,
        results.one("examples"),
        experiments.runs(results),
        "examples seen",
        "gap / (C t)",
        log_x=False,
    )


def on_file(figure, recipes):
    """The same figure on a visitor's own points."""
    return lambda key, file: figure(experiments.on_file(recipes, key, file), file.title)


def figure_2() -> None:
    recipe_figure(
        "Figure 2: the gap while examples arrive",
        experiments.figure_2(),
        figures.FIGURE_2,
        over_examples,
        claim=(
            "The normalised gap keeps a constant value on average: the optima are tracked. A larger"
            " K lowers it. Algorithm 2 with K = 10 performs nearly as well as Algorithm 1 with K ="
            " 20 (Section 6.1)."
        ),
        paper_data=ADULT,
        on_file=on_file(experiments.figure_2, figures.FIGURE_2),
    )


def figure_3() -> None:
    recipe_figure(
        "Figure 3: chance and an active teacher",
        experiments.figure_3(),
        figures.FIGURE_3,
        over_examples,
        claim=(
            "With active selection Algorithm 1 still tracks the optimum. The gap does not grow; the"
            " curriculum even makes it fall regularly (Section 6.1)."
        ),
        paper_data=ADULT,
        on_file=on_file(experiments.figure_3, figures.FIGURE_3),
    )


def over_draws(look, results):
    runs = experiments.runs(results)
    gaps = np.column_stack([runs[f"K = {K}"][:, 0] for K in figures.DRAWS])
    processed = np.column_stack([runs[f"Algorithm 2, K = {K}"][:, 0] for K in figures.PROCESSED])
    Ks, first = np.array(figures.DRAWS, float), 2
    fit = figures.slope(Ks[first:], np.median(gaps, axis=0)[first:])
    return views.over_draws(look, Ks, gaps, fit, first, processed)


def figure_4() -> None:
    recipe_figure(
        "Figure 4: the mean gap over K",
        experiments.figure_4(),
        figures.FIGURE_4,
        over_draws,
        claim=(
            "The mean gap of Algorithm 1 falls like 1/K, not like 1/√K as Corollary 4 has it"
            " (Section 6.1). PROCESS saves a factor on the number of draws (Section 4.3)."
        ),
        paper_data=ADULT,
        on_file=on_file(experiments.figure_4, figures.FIGURE_4),
    )


def figure_5() -> None:
    recipe_figure(
        "Figure 5: test error over examples",
        experiments.figure_5(),
        figures.FIGURE_5,
        lambda look, results: bands(
            look,
            figures.TIMES.astype(float),
            experiments.runs(results),
            "examples seen",
            "test error",
            log_y=False,
            y_format=".0%",
        ),
        claim=(
            "Active selection reaches good accuracy with far fewer examples, and the more accurate"
            " the optimisation (K = 100), the more it gains (Section 6.2)."
        ),
        paper_data=MNIST,
    )


def figure_6() -> None:
    with column():
        counting = st.segmented_control(
            "Kernel computations of Figure 6",
            figures.COUNTINGS,
            default=figures.COUNTINGS[0],
            required=True,
            key="incremental.counting",
            help="With a cache for all values only distinct pairs cost.",
        )
    row = figures.COUNTINGS.index(counting)
    recipe_figure(
        "Figure 6: test error over kernel computations",
        experiments.figure_6(),
        figures.FIGURE_6,
        lambda look, results: bands(
            look,
            figures.COSTS,
            {name: values[:, row] for name, values in experiments.runs(results).items()},
            counting,
            "test error",
            log_y=False,
            y_format=".0%",
        ),
        claim=(
            "The error falls much faster than that of the batch counterpart, whatever the"
            " selection, and fastest with active selection and K = 100 (Sections 6.2 and 6.3). The"
            " paper kept kernel values in 512 MB."
        ),
        paper_data=MNIST,
        judge=lambda results: verdicts.on_figure_6(experiments.runs(results), row),
    )


def own_stream() -> None:
    with column():
        st.markdown(
            "**Be the teacher yourself.** Choose *you* as the teacher in the Playground and click"
            " the point that comes next."
        )
        links(
            {
                "you as the teacher": figures.GAUSS.with_params(
                    teacher="you", algorithm="Algorithm 2"
                )
            }
        )
        st.space("medium")
