"""What the pages of papers share: their text, and figures that are computed on demand."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import streamlit as st

from svmviz.recipe import Recipe
from svmviz.views.theme import DARK, LIGHT, Theme

TEXT = Path(__file__).parents[1] / "text"
SEEDS = 10


def column():
    """A centred column that is comfortable to read."""
    return st.container(horizontal_alignment="center").container(width=860)


def document(name: str) -> None:
    """The text of a page."""
    with column():
        st.markdown((TEXT / f"{name}.md").read_text(encoding="utf-8"))


def theme() -> Theme:
    return DARK if st.context.theme.type == "dark" else LIGHT


@st.cache_resource(max_entries=256, show_spinner=False)
def _measured(link: str, _recipe: Recipe, _measure) -> np.ndarray:
    return _measure(_recipe)


def live_figure(title: str, recipes: dict[str, Recipe], measure, draw, *, claim: str, paper_data: str, our_data: str,
                verdict) -> None:
    """A figure of a paper, computed on demand over ten seeds: what was claimed beside what was measured, on which data, and
    every run one click away from the stage. Stopping is a click: Streamlit ends the script that it interrupts."""
    with column():
        st.subheader(title)
        st.caption(f"The paper used {paper_data}; here: {our_data}, {SEEDS} seeds, median and band from the 1st to the 9th "
                   "decile.")
        key = f"figure.{title}"
        if not st.session_state.get(key):
            st.button("Compute", key=f"{key}.go", on_click=st.session_state.__setitem__, args=(key, True))
        else:
            runs, bar = {name: [] for name in recipes}, st.progress(0.0, f"{title}: computing")
            stop = st.empty()
            stop.button("Stop", key=f"{key}.stop", on_click=st.session_state.__setitem__, args=(key, False))
            for seed in range(SEEDS):
                for name, recipe in recipes.items():
                    run = replace(recipe, seed=seed)
                    runs[name].append(_measured(f"{title} {json.dumps(run.query())}", run, measure))
                bar.progress((seed + 1) / SEEDS)
            bar.empty()
            stop.empty()
            runs = {name: np.array(values) for name, values in runs.items()}
            st.plotly_chart(draw(theme(), runs), key=f"{key}.chart", config={"displayModeBar": False}, theme=None)
            left, right = st.columns(2)
            left.markdown(f"**Published.** {claim}")
            right.markdown(f"**Measured.** {verdict(runs)}")
        links = st.container(horizontal=True)
        for name, recipe in recipes.items():
            links.page_link("pages/playground.py", label=f"{name}: open in the Playground", query_params=recipe.query())
