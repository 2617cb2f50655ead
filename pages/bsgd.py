"""Budgeted SGD, the paper: what it says, and its Figures 2 to 7 and Tables 3 and 4."""

import streamlit as st

from svmviz import ui
from svmviz.ui import bsgd, bsgd_tables

ui.guard("bsgd")
ui.paper("bsgd")
with ui.column():
    st.markdown("Of the paper's figures the text that this page was made from holds the captions and what the authors say of "
                "them, not the pictures: what follows measures what they say. Figure 1 and Tables 1 and 2 are lists.")
bsgd_tables.table_4()
bsgd_tables.table_3()
bsgd.figure_2()
bsgd.figure_3()
bsgd.figure_4()
bsgd.figure_5()
bsgd.figure_6()
bsgd.figure_7()
with ui.column():
    st.page_link("pages/stream.py", label="Any other data, rule and budget: run a stream of your own")
st.space("medium")
