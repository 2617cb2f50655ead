"""The page of a paper as an article (`lessons.articles`): contents, text, notes in the margin,
small stages beside what the text says of them, and the paper's figures.
"""

import time
from collections.abc import Callable, Mapping
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
from svmviz.ui.papers import blocks as ui
from svmviz.ui.papers.page import draw
from svmviz.ui.playground.stage import computed
from svmviz.ui.shell.frame import to_playground, unasked

CHECK = "Check yourself"
QUESTIONS = 3
OPENED, MOVED = "article_opened", "article_moved"
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


def show(name: str, figures: Mapping[str, Callable[[], ui.Blocks]]) -> None:
    """The article, with `figures` by the names that its sections have for them. What is on its
    first screen comes first and the figures last, see `_alone`. While the solver is being compiled
    there are the text and the stages that were recorded.
    """
    if query := st.session_state.pop(OPENED, None):
        to_playground(query)
    found = article(name)
    unasked(controls=False)
    shown = {
        found.solver,
        *(section.scene.recipe.solver for section in found.sections if section.scene),
    }
    compiled, above = ready(*shown), []
    places: dict[int, Any] = {}

    def place(k: int) -> None:
        places[k] = st.container(key=f"figures.{name}.{k}")

    def waiting() -> None:
        above.append(st.empty())

    draw(ui.Group(laid_out(name, figures, compiled, waiting, place), "paper"))
    if not compiled:
        with above[0].container():
            needed(*shown)
        st.rerun()
    for k, below in places.items():
        for figure in found.sections[k].figures:
            with below:
                draw(ui.Group(figures[figure]()))


def laid_out(
    name: str,
    figures: Mapping[str, Callable[[], ui.Blocks]],
    compiled: bool = True,
    waiting: Callable[[], None] = lambda: None,
    place: Callable[[int], None] = lambda k: None,
) -> ui.Blocks:
    """Yield the blocks of an article: contents, head, sections, and where to go from there.

    `waiting` marks where it says that a solver is being compiled, `place` where the figures of a
    section stand, which are drawn last.
    """
    found = article(name)
    titles = *(section.title for section in found.sections), CHECK
    contents = "\n".join(f"- [{title}](#{_anchor(name, k)})" for k, title in enumerate(titles))
    first = next((k for k, section in enumerate(found.sections) if section.scene), None)

    def body() -> ui.Blocks:
        yield ui.Header(found.title, _anchor(name, 0), 1)
        yield ui.Caption(found.by)
        yield ui.Group([ui.Text(found.lead)], "lead")
        yield ui.Live(waiting)
        for k, section in enumerate(found.sections):
            blocks = [*_section(name, k, section, compiled)]
            if section.figures:
                drawn = ui.Figures([figures[figure] for figure in section.figures])
                drawn = ui.Group([drawn], f"figures.{name}.{k}")
                blocks.append(ui.Live(partial(place, k), recorded=[drawn]))
            yield ui.Group(blocks, f"section.{name}.{k}")
            if k == first and compiled:
                yield ui.Live(partial(_alone, f"figure.{name}.{k}"))
        yield ui.Group(_end(name, found), f"section.{name}.end")

    yield ui.Group((ui.Caption("On this page"), ui.Text(contents)), "contents")
    yield ui.Group(body(), "article")


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


def _section(name: str, k: int, section: Section, compiled: bool) -> ui.Blocks:
    known = facts(name, k) if compiled else None
    # the first heading is not seen: it stands below the title
    yield (
        ui.Header(section.title, _anchor(name, k))
        if k
        else ui.Group([ui.Header(section.title, False)], "opening")
    )
    key, scene = f"figure.{name}.{k}", section.scene
    shown = [ui.Live(partial(stage, key, scene), recorded=[ui.Stage(key, scene)])] if scene else []
    wide = bool(scene and scene.wide)
    yield from shown * wide
    yield ui.Group((ui.Text(filled(section.text, known)), *shown * (not wide)), f"prose.{name}.{k}")
    if section.notes:
        notes = ((note.place, ui.Text(filled(note.text, known))) for note in section.notes)
        yield ui.Group(
            [ui.Fold(f"As printed: {place}", [text]) if place else text for place, text in notes],
            f"margin.{name}.{k}",
        )


def _end(name: str, found: Article) -> ui.Blocks:
    """Where to go from here: questions of the lesson, the Playground, the next paper."""
    yield ui.Header(CHECK, _anchor(name, len(found.sections)))
    asked = (
        ui.Link("lessons", title, {"lesson": found.solver, "card": str(card)}, ":material/help:")
        for card, title in questions(found.solver)
    )
    icon, query = ":material/play_circle:", {"solver": found.solver}
    playground = ui.Link("playground", "Open in the Playground", query, icon)
    yield ui.Group((*asked, playground), "questions", line=True)
    if name != PAPERS[-1]:
        following = PAPERS[PAPERS.index(name) + 1]
        title, icon = f"Next: {article(following).title}", ":material/arrow_forward:"
        link = ui.Link(following, title, {}, icon, "right")
        yield ui.Group((link, ui.Caption(article(following).lead)), "following")


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
    if ready(recipe.solver) or opening.load(recipe):
        mount.component("figure")(
            key=key,
            default={"turned": None, "moved": None},
            on_turned_change=lambda: None,
            on_moved_change=lambda: None,
            on_play_change=partial(_open, key, scene),
            data=staged(recipe, scene),
        )


def staged(recipe: Recipe, scene: Scene) -> bytes:
    """What a small stage is told of a run."""
    before = max(0, scene.t - scene.play)  # it comes to rest where the text speaks of it
    place = {"t": before, "beat": scene.beat, "x": scene.x, "y": scene.y}
    return told(
        recipe,
        computed(recipe),
        ANEW | place | {"play": scene.play, "serial": 1},
        final=True,
        editable=False,
        figure={"show": scene.show, "light": scene.light, "wide": scene.wide},
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
