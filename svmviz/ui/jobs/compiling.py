"""A visitor waits for solvers that are not compiled yet: what is ready, what is being compiled and
how far it all is stand in the place of what he asked for. He may go on with what is ready
meanwhile.
"""

import gc
from html import escape

import streamlit as st

from svmviz.player.ready import compiling, warm
from svmviz.solvers import SOLVERS
from svmviz.ui.jobs.background import listen

TICK = 0.25  # seconds after which a click is noticed at the latest


def settle() -> None:
    """Keep what is loaded out of the collector, and let it look less often: a run of the script
    leaves thousands of objects at once, most of which go with it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@st.cache_resource(show_spinner=False)
def compilation() -> compiling.Compilation:
    """Begun with the first page that anybody opens."""
    return compiling.compilation(load=warm.show, loaded=settle)


def ready(*keys: str) -> bool:
    return compilation().ready(*keys)


def needed(*keys: str) -> bool:
    """Wait until these solvers, all if none is named, are compiled, and say so here meanwhile;
    returns whether that was so.
    """
    under_way = compilation()
    if under_way.ready(*keys):
        return False
    under_way.ask(*keys)
    place, shown = st.container(key="compiling").empty(), ""
    while not under_way.ready(*keys):
        if (text := said(under_way.queue, keys)) != shown:
            place.html(text)
            shown = text
        under_way.wait(TICK)
        listen()
    place.empty()
    return True


def arrived(*keys: str) -> None:
    """The same where the stage itself says that something is being computed."""
    under_way = compilation()
    under_way.ask(*keys)
    while not under_way.ready(*keys):
        under_way.wait(TICK)
        listen()


def said(queue: compiling.Queue, keys: tuple[str, ...]) -> str:
    """What is shown to somebody who waits for these."""
    missing = [
        key for key in compiling.ORDER if key in (keys or SOLVERS) and key not in queue.ready
    ]
    done, known = compiling.functions()
    what = titles(missing) if len(missing) < 4 else f"{len(missing)} solvers"
    now = f"Compiling {what}" if {*missing} & {*queue.working} else f"Next to be compiled: {what}"
    able = [key for key in SOLVERS if key in queue.ready]
    meanwhile = (
        f"Ready meanwhile: {titles(able)}."
        if able
        else "The example on the Playground's first page plays meanwhile."
    )
    marks = "".join(
        f'<li data-state="{now}">{escape(SOLVERS[key].title)}<span>{WORDS[now]}</span></li>'
        for key in SOLVERS
        for now in [state(queue, key)]
    )
    return (
        f'<section class="compiling" role="status"><h3>{escape(now)}</h3><p>This happens once after'
        f' an installation. {done} of about {known} functions are done.</p><progress max="{known}"'
        f' value="{done}" aria-label="functions'
        f' compiled"></progress><ul>{marks}</ul><p>{escape(meanwhile)}</p></section>'
    )


WORDS = {"ready": "ready", "working": "compiling …", "wanted": "asked for", "waiting": "waits"}


def state(queue: compiling.Queue, key: str) -> str:
    places = {"ready": queue.ready, "working": queue.working, "wanted": queue.wanted}
    return next((name for name, keys in places.items() if key in keys), "waiting")


def titles(keys: list[str]) -> str:
    *most, last = (SOLVERS[key].title for key in keys)
    return f"{', '.join(most)} and {last}" if most else last
