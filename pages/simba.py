"""SIMBA, the paper: an article, with its figure and its comparison of runtimes as a calculator."""

from functools import partial

from svmviz.ui.papers import articles, promises, simba
from svmviz.ui.shell.frame import guard

guard("simba")
articles.show(
    "simba",
    {
        "theorem": partial(promises.touched, "simba"),
        "steps": promises.steps_of_simba,
        "variance_mw": partial(promises.touched, "variance_mw"),
        "section_3": simba.section_3,
        "figure_1": simba.figure_1,
        "section_5": simba.section_5,
    },
)
