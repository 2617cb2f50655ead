"""The page of the lessons: a list of them, or a card beside a stage."""

from dataclasses import replace
from typing import Any

import streamlit as st

from svmviz import lessons
from svmviz.lessons import study
from svmviz.lessons.checking import check
from svmviz.lessons.heads import Broken
from svmviz.lessons.reading import MOST_FILE, Lesson, read
from svmviz.lessons.study import OWN, Study
from svmviz.lessons.writing import START
from svmviz.player import mount
from svmviz.player.files.lesson import of_lesson
from svmviz.player.wire import lesson as lessonwire
from svmviz.player.wire.message import told
from svmviz.ui.controls.charts import centred
from svmviz.ui.playground import beside
from svmviz.ui.playground.boards import drafted
from svmviz.ui.playground.stage import computed
from svmviz.ui.shell.frame import plain
from svmviz.ui.visit.address import (
    arrived,
    asked,
    doubled,
    follow,
    led_elsewhere,
    passing,
    went_back,
)
from svmviz.ui.visit.back import WayBack, leave_word


def known() -> dict[str, Lesson]:
    """All lessons of this visitor."""
    mine = st.session_state.get("own_lesson")
    return {key: lessons.lesson(key) for key in lessons.LESSONS} | ({OWN: mine} if mine else {})


def current(returned: bool) -> Study:
    """What the address asks for, or what the player said since."""
    now, query = st.session_state.get("study"), asked()
    cards = {key: len(lesson.cards) for key, lesson in known().items()}
    said = getattr(st.session_state.get("lesson"), "at", None)
    fresh = now is not None and said is not None and said != now.heard
    if fresh:
        now = now.told(said, cards)
    listed = (
        went_back() and not query
    )  # an address without a lesson; by the menu it leads to the one that was left
    if now is None or ((listed or led_elsewhere("lessons", returned)) and not fresh):
        now = (now or Study()).opened(query, cards)
        now = replace(now, messages=(*doubled(), *now.messages))
        arrived("lessons")
    elif returned:
        now = replace(now, serial=now.serial + 1)
        arrived("lessons")
    st.session_state["study"] = now
    return now


def show(now: Study) -> None:
    """The list, or the lesson where the learner is."""
    address = follow("lessons", now.query())
    if not now.lesson:
        _mount(
            {
                "lessons": [_row(key, lesson) for key, lesson in known().items()],
                "serial": now.serial,
                "messages": list(now.messages),
            }
        )
        own()
        return
    lesson = known()[now.lesson]
    card = lesson.cards[now.card]
    recipe, used = study.turned(card.recipe, now.turned)
    packed = computed(recipe)
    data = told(
        recipe,
        packed,
        None,
        address=address,
        final=True,
        editable=False,
        lesson=_lesson(now, lesson) | {"turned": used},
    )
    _mount(data)
    beside.follow(recipe, packed, ["optima"] if packed.header.get("later") else [])
    if st.session_state.pop("taking_lesson", False):
        take_along(now.lesson, lesson, now.card)


@st.dialog("The lesson as a page")
def take_along(key: str, lesson: Lesson, card: int) -> None:
    """One file with the runs of all cards: they are carried out when it is asked for."""
    home = f"{st.context.url or ''}".partition("?")[0]
    st.markdown(
        f"One file with all {len(lesson.cards)} cards, their questions and runs. It plays in any"
        " browser, from a stick or a course page, and needs neither a network nor this server."
    )
    st.download_button(
        "Download",
        lambda: of_lesson(key, lesson, card, home),
        f"svmviz-lesson-{key}.html",
        "text/html",
        type="primary",
        on_click="ignore",
        key="lesson.page",
    )
    st.caption("It takes a few seconds to be made.")


def own() -> None:
    """A lesson of the visitor's own: its text, checked as ours are, to be taken away and brought
    again.
    """
    state = st.session_state
    with centred(), st.expander("Your own lesson", expanded=bool(state.get("lesson_draft"))):
        st.markdown(
            "In the Playground, *Moment* collects what is on the stage in a storyboard; *Save as"
            " …*, *Lesson* makes cards of it. Here you write what there is to say about them, try"
            " it, and take the file away; whoever has it can load it again."
        )
        given = st.file_uploader(
            "A lesson file", type=["md", "txt"], key="lesson.file", max_upload_size=1
        )
        if given and state.get("lesson_loaded") != given.file_id:
            state["lesson_loaded"] = given.file_id
            drafted(given.getvalue().decode("utf-8", "replace")[:MOST_FILE])
        key = f"lesson.text.{state.get('lesson_version', 0)}"
        draft = state.get("lesson_draft", START)
        state["lesson_draft"] = st.text_area(
            "Its text", draft if key not in state else "", height=360, max_chars=MOST_FILE, key=key
        )
        row = st.container(horizontal=True)
        if row.button("Check it and open it", type="primary"):
            _tried(state["lesson_draft"])
        row.download_button(
            "Download", state["lesson_draft"], "lesson.md", "text/markdown", on_click="ignore"
        )
        for fault in state.get("lesson_faults", ()):
            st.error(plain(fault))


def _tried(draft: str) -> None:
    """Open the visitor's lesson, or say all that is wrong with it."""
    state = st.session_state
    state["lesson_faults"] = ()
    try:
        lesson = read(draft, "lesson.md")
        with st.spinner("Carrying out its runs …"):
            check(lesson, "lesson.md")
    except Broken as broken:
        state["lesson_faults"] = tuple(str(broken).split("\n"))
        return
    state["own_lesson"] = lesson
    state["study"] = state["study"].opened({"lesson": OWN}, {OWN: len(lesson.cards)})
    st.rerun()


def _mount(data: bytes | dict) -> None:
    mount.component("lesson")(
        key="lesson",
        default={"at": None},
        on_at_change=lambda: None,
        on_play_change=_play,
        on_take_change=_take,
        data=data,
    )


def _take() -> None:
    st.session_state["taking_lesson"] = bool(st.session_state.lesson.take)


def _play() -> None:
    """The learner goes on in the Playground with the run of the card; `back` leads here again."""
    asked = st.session_state.lesson.play
    now = st.session_state.get("study")
    if not asked or not now or now.lesson not in known():
        return
    cards = known()[now.lesson].cards
    k = asked.get("card")
    if isinstance(k, int | float) and 0 <= k < len(cards):
        recipe, _ = study.turned(cards[int(k)].recipe, asked.get("turned") or {})
        t = asked.get("t")
        t = int(t) if isinstance(t, int | float) and 0 <= t <= recipe.steps else 0
        st.session_state["playing_lesson"] = recipe.query() | {"t": str(t)}


def go_play() -> None:
    """To the Playground, where a learner asked for it."""
    if query := st.session_state.pop("playing_lesson", None):
        left = st.session_state["study"].query()
        label = f"Back to card {left['card']} of the lesson"
        leave_word(WayBack("lessons", label, known()[left["lesson"]].title, left))
        passing("lessons", query)
        st.switch_page("pages/playground.py", query_params=query)


def _row(key: str, lesson: Lesson) -> dict[str, Any]:
    return {
        "key": key,
        "title": lesson.title,
        "about": lesson.about,
        "minutes": lesson.minutes,
        "cards": len(lesson.cards),
        "own": key == OWN,
    }


def _lesson(now: Study, lesson: Lesson) -> dict[str, Any]:
    """For the player: all cards, and where it is sent."""
    order = list(known())
    at = order.index(now.lesson) + 1
    following = order[at] if at < len(order) and order[at] != OWN else None
    named = following and {"key": following, "title": known()[following].title}
    return lessonwire.describe(now.lesson, lesson, named) | {
        "card": now.card,
        "serial": now.serial,
        "messages": list(now.messages),
    }
