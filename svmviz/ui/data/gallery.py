"""The gallery: every data set as a picture of itself, one click away from the stage."""

import streamlit as st

from svmviz.data import projection
from svmviz.data.many_classes import MULTICLASS
from svmviz.data.many_features import FAMILIES
from svmviz.data.plane import Dataset
from svmviz.data.targets import REGRESSION
from svmviz.maths import kernels
from svmviz.run.recipe import Recipe
from svmviz.ui.controls.charts import centred, theme
from svmviz.views.thumbnail import thumbnail

ACROSS = 4
CURVED = {
    "kernel": kernels.rbf(4.0),
    "lam": 0.02,
}  # a straight f would say little of targets in waves


@st.cache_resource(max_entries=64, show_spinner=False)
def _link(key: str) -> dict[str, str]:
    """Where the set is opened: with the solver that it is for, after one pass."""
    kinds = (
        {"tagging": "sequences"}
        | dict.fromkeys(REGRESSION, "regression")
        | dict.fromkeys(FAMILIES, "simba")
    )
    solver = kinds.get(key, "bsgd" if key in MULTICLASS else "pegasos")
    params = CURVED if key in REGRESSION and len(REGRESSION[key].names) <= 2 else {}
    recipe, t = Recipe(key, solver=solver, params=params).checked().after_one_pass()
    return recipe.query() | {"t": str(t)}


@st.cache_resource(max_entries=64, show_spinner=False)
def _thumbnail(key: str, dark: bool, _dataset: Dataset, _theme) -> str:
    problem = _dataset.problem()
    return thumbnail(problem, projection.default(problem, _dataset.names), _theme)


def gallery(title: str, sets: dict[str, Dataset]) -> None:
    look = theme()
    with centred():
        st.header(title)
        items = list(sets.values())
        for start in range(0, len(items), ACROSS):
            for place, item in zip(st.columns(ACROSS), items[start : start + ACROSS], strict=False):
                with place:
                    st.image(
                        _thumbnail(item.key, look.ink.startswith("#F"), item, look),
                        width="stretch",
                        alt=f"Scatter plot of {item.title}",
                    )
                    st.page_link(
                        "pages/playground.py",
                        label=f"**{item.title}**",
                        query_params=_link(item.key),
                    )
                    st.caption(item.about)
