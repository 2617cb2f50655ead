"""Where Streamlit keeps a visit: all that is known of it is one value, which events change
(`run.visit`).
"""

import streamlit as st

from svmviz.run.visit.after import Visit, after


def visit() -> Visit:
    """This visitor's, as it is now."""
    return st.session_state.get("visit") or Visit()


def happened(*events) -> Visit:
    """One thing after the other; returns what has become of the visit."""
    now = visit()
    for event in events:
        now = after(now, event)
    st.session_state["visit"] = now
    return now


def widget_key(name: str) -> str:
    """Widgets of another generation of the recipe are other widgets, so that they show its
    values.
    """
    return f"{visit().generation}.{name}"


def report(player: str) -> dict | None:
    """Where a player last said that it is."""
    view = getattr(st.session_state.get(player), "view", None)
    return view if isinstance(view, dict) and isinstance(view.get("t"), int | float) else None
