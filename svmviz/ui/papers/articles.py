"""The page of a paper as an article (`lessons.articles`): contents, text, notes in the margin,
small stages beside what the text says of them, and the paper's figures.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from typing import Any

import streamlit as st

from svmviz.lessons import lesson, study
from svmviz.lessons.articles import PAPERS, Article, Scene, Section, article, filled, values
from svmviz.lessons.checking import Runs
from svmviz.player import mount
from svmviz.player.ready import opening
from svmviz.player.wire.message import told
from svmviz.run.recipe import Recipe
from svmviz.run.view import ANEW
from svmviz.ui.jobs.background import listen
from svmviz.ui.jobs.compiling import needed, ready
from svmviz.ui.playground.stage import computed
from svmviz.ui.shell.frame import to_playground, unasked

CHECK = "Check yourself"
QUESTIONS = 3
OPENED, MOVED = "article_opened", "article_moved"
ONLY = "article_only"  # the section whose figures are drawn, for who looks at one after the other
ALONE, TICK = (
    2.0,
    0.05,
)  # seconds that the rest waits for the first stage, at most, and in which its word is noticed


@st.cache_resource(show_spinner=False)
def facts(name: str, k: int) -> dict[str, Any]:
    """The numbers that a section may name, of the run that its stage shows."""
    section = article(name).sections[k]
    return (
        Runs().facts(section.scene.recipe, section.scene.t)
        if section.scene and values(section)
        else {}
    )


def show(name: str, figures: Mapping[str, Callable[[], None]]) -> None:
    """The article, with `figures` by the names that its sections have for them. What is on its
    first screen comes first and the figures last, see `_alone`. While the solver is being compiled
    there are the text and the stages that were recorded.
    """
    if query := st.session_state.pop(OPENED, None):
        to_playground(query)
    found = article(name)
    unasked(controls=False)
    with st.container(key="paper"):
        with st.container(key="contents"):
            st.caption("On this page")
            titles = *(section.title for section in found.sections), CHECK
            st.markdown(
                "\n".join(f"- [{title}](#{_anchor(name, k)})" for k, title in enumerate(titles))
            )
        with st.container(key="article"):
            st.title(found.title, anchor=_anchor(name, 0))
            st.caption(found.by)
            with st.container(key="lead"):
                st.markdown(found.lead)
            shown = {
                found.solver,
                *(section.scene.recipe.solver for section in found.sections if section.scene),
            }
            place, compiled = st.empty(), ready(*shown)
            places, first = [], next((section for section in found.sections if section.scene), None)
            for k, section in enumerate(found.sections):
                with st.container(key=f"section.{name}.{k}"):
                    _section(name, k, section, compiled)
                    places.append(section.figures and st.container(key=f"figures.{name}.{k}"))
                if section is first and compiled:
                    _alone(f"figure.{name}.{k}")
            with st.container(key=f"section.{name}.end"):
                _end(name, found)
    if not compiled:
        with place.container():
            needed(*shown)
        st.rerun()
    for k, (below, section) in enumerate(zip(places, found.sections, strict=True)):
        for figure in section.figures if st.session_state.get(ONLY, k) == k else ():
            with below:
                figures[figure]()


def _alone(key: str) -> None:
    """Wait until the first stage of a first article has moved, and not for long: formulas, and what
    draws charts, keep a browser busy for seconds when they are first loaded. The stage says so, and
    the script begins anew.
    """
    until = time.monotonic() + (0.0 if st.session_state.get(MOVED) else ALONE)
    while time.monotonic() < until and not getattr(st.session_state.get(key), "moved", None):
        time.sleep(TICK)
        listen()
    st.session_state[MOVED] = True


def _section(name: str, k: int, section: Section, compiled: bool) -> None:
    known = facts(name, k) if compiled else None
    with (
        nullcontext() if k else st.container(key="opening")
    ):  # its heading is not seen: it stands below the title
        st.header(section.title, anchor=_anchor(name, k) if k else False)
    if section.scene and section.scene.wide:
        stage(f"figure.{name}.{k}", section.scene)
    with st.container(key=f"prose.{name}.{k}"):
        st.markdown(filled(section.text, known))
        if section.scene and not section.scene.wide:
            stage(f"figure.{name}.{k}", section.scene)
    if section.notes:
        with st.container(key=f"margin.{name}.{k}"):
            for note in section.notes:
                with st.expander(f"As printed: {note.place}") if note.place else nullcontext():
                    st.markdown(filled(note.text, known))


def _end(name: str, found: Article) -> None:
    """Where to go from here: questions of the lesson, the Playground, the next paper."""
    st.header(CHECK, anchor=_anchor(name, len(found.sections)))
    with st.container(horizontal=True, key="questions"):
        for card, title in questions(found.solver):
            st.page_link(
                "pages/lessons.py",
                label=title,
                icon=":material/help:",
                query_params={"lesson": found.solver, "card": str(card)},
            )
        st.page_link(
            "pages/playground.py",
            label="Open in the Playground",
            icon=":material/play_circle:",
            query_params={"solver": found.solver},
        )
    if name != PAPERS[-1]:
        following = PAPERS[PAPERS.index(name) + 1]
        with st.container(key="following"):
            st.page_link(
                f"pages/{following}.py",
                label=f"Next: {article(following).title}",
                icon=":material/arrow_forward:",
                icon_position="right",
            )
            st.caption(article(following).lead)


def questions(key: str) -> list[tuple[int, str]]:
    """The first cards of a lesson that ask, by number and title."""
    asking = [
        (k, card.title) for k, card in enumerate(lesson(key).cards, 1) if card.kind == "predict"
    ]
    return asking[:QUESTIONS]


def _anchor(name: str, k: int) -> str:
    return f"{name}-{k + 1}"


def stage(key: str, scene: Scene) -> None:
    """A small stage; what a visitor turns on it, as the water that is pulled, he alone sees."""
    recipe = _turned(key, scene)
    if not ready(recipe.solver) and not opening.load(recipe):
        return
    before = max(0, scene.t - scene.play)  # it comes to rest where the text speaks of it
    view = ANEW | {
        "t": before,
        "beat": scene.beat,
        "x": scene.x,
        "y": scene.y,
        "play": scene.play,
        "serial": 1,
    }
    mount.component("figure")(
        key=key,
        default={"turned": None, "moved": None},
        on_turned_change=lambda: None,
        on_moved_change=lambda: None,
        on_play_change=partial(_open, key, scene),
        data=told(
            recipe,
            computed(recipe),
            view,
            final=True,
            editable=False,
            figure={"show": scene.show, "light": scene.light, "wide": scene.wide},
        ),
    )


def _open(key: str, scene: Scene) -> None:
    """The visitor goes on in the Playground with what is on a small stage."""
    if asked := st.session_state[key].play:
        recipe, t = _turned(key, scene), asked.get("t")
        t = int(t) if isinstance(t, int | float) and 0 <= t <= recipe.steps else 0
        st.session_state[OPENED] = recipe.query() | {"t": str(t)}


def _turned(key: str, scene: Scene) -> Recipe:
    """The run of a small stage, with what was turned on it."""
    said = getattr(st.session_state.get(key), "turned", None)
    return study.turned(scene.recipe, said if isinstance(said, dict) else {})[0]
