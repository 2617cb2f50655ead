"""Budgeted SGD, the paper: an article, with its figures and Tables 1, 3 and 4."""

import streamlit as st

from svmviz.ui.papers import articles
from svmviz.ui.papers.bsgd import field, figures, map, merging, table3, tables
from svmviz.ui.shell.frame import guard

guard("bsgd")


def stream() -> None:
    st.page_link(
        "pages/stream.py", label="Any other data, rule and budget: run a stream of your own"
    )


articles.show(
    "bsgd",
    {
        "figure_1": map.figure_1,
        "million": map.stream_of_a_million,
        "table_1": field.table_1,
        "table_4": tables.table_4,
        "table_3": table3.table_3,
        "figure_2": figures.figure_2,
        "figure_3": figures.figure_3,
        "figure_4": figures.figure_4,
        "figure_5": figures.figure_5,
        "figure_6": figures.figure_6,
        "figure_7": figures.figure_7,
        "stream": stream,
        "place": merging.place,
        "pairs": merging.pairs,
    },
)
