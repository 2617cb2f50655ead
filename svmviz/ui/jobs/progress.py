"""How far a computation is that the visitor began, and what became of it."""

import streamlit as st

from svmviz.ui.jobs.flows import ENDED, STOPPED, Flow
from svmviz.ui.shell.frame import plain
from svmviz.work.words import count


def duration(seconds: float) -> str:
    """In words that promise no more than an estimate can.

    >>> duration(40), duration(300)
    ('40 s', '5 min')
    """
    if seconds < 100:
        return f"{seconds:.0f} s" if seconds >= 1 else "less than a second"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def older(what: str, chosen: str, when: str = "") -> None:
    """What stands here was asked for before the settings were changed."""
    st.info(
        f"The result of earlier settings: {what}. Chosen now, and not run yet: {chosen}. Press the"
        " button above" + (f" {when}." if when else " to run it."),
        icon=":material/history:",
    )


def how_it_went(flow: Flow, done: float, unit: str) -> None:
    """The bar while it runs, with what is left at the present pace; then how it ended."""
    share = min(1.0, done / flow.what["of"])
    if flow.running:
        left = flow.seconds * (1 - share) / share if share else float("nan")
        about = "about " if left >= 1 else ""
        text = f"{count(done)} of {count(flow.what['of'])} {unit}" + (
            f", {about}{duration(left)} left" if share > 0.01 else ""
        )
        st.progress(share, text)
    elif flow.state == ENDED:
        st.caption(f"{count(done)} {unit} in {duration(flow.seconds)}.")
    elif flow.state == STOPPED:
        st.caption(
            f"Stopped after {count(done)} of {count(flow.what['of'])} {unit}; what had been found"
            " by then is kept."
        )
    else:
        st.error(plain(f"It ended before its time: {flow.error or 'the computation failed'}."))
