"""The pages of the app, in the order of its menu."""

from copy import copy
from functools import cache

import streamlit as st


@cache
def pages() -> dict[str, list]:
    """Made once: Streamlit looks every file up on disk for it. Not in app.py, where whatever keeps
    it would itself be made anew with every run of the script.
    """
    return {
        "": [
            st.Page("pages/playground.py", title="Playground", url_path="playground", default=True),
            st.Page("pages/lessons.py", title="Lessons", url_path="lessons"),
            st.Page("pages/explore.py", title="Explore", url_path="explore"),
            st.Page("pages/race.py", title="Race", url_path="race"),
            st.Page("pages/data.py", title="Data", url_path="data"),
            st.Page("pages/stream.py", title="Stream", url_path="stream"),
        ],
        "Papers": [
            st.Page("pages/pegasos.py", title="Pegasos", url_path="pegasos"),
            st.Page("pages/sbp.py", title="Stochastic Batch Perceptron", url_path="sbp"),
            st.Page("pages/simba.py", title="SIMBA", url_path="simba"),
            st.Page("pages/bsgd.py", title="Budgeted SGD", url_path="bsgd"),
            st.Page("pages/incremental.py", title="Incremental SVMs", url_path="incremental"),
        ],
    }


def menu() -> dict[str, list]:
    """Copies, because a page notes whether it may run now, and that is each visitor's own."""
    return {section: [copy(page) for page in listed] for section, listed in pages().items()}
