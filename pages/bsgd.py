"""Budgeted SGD, the paper: an article, with its figures and Tables 1, 3 and 4."""

import streamlit as st

from svmviz import ui
from svmviz.ui import bsgd, bsgd_field, bsgd_map, bsgd_merging, bsgd_table3, bsgd_tables

ui.guard("bsgd")


def stream() -> None:
    st.page_link("pages/stream.py", label="Any other data, rule and budget: run a stream of your own")


ui.articles.show("bsgd", {"figure_1": bsgd_map.figure_1, "million": bsgd_map.stream_of_a_million,
                          "table_1": bsgd_field.table_1, "table_4": bsgd_tables.table_4,
                          "table_3": bsgd_table3.table_3, "figure_2": bsgd.figure_2,
                          "figure_3": bsgd.figure_3, "figure_4": bsgd.figure_4, "figure_5": bsgd.figure_5,
                          "figure_6": bsgd.figure_6, "figure_7": bsgd.figure_7, "stream": stream,
                          "place": bsgd_merging.place, "pairs": bsgd_merging.pairs})
