"""svmviz: watch SVM solvers think. Page set-up, warm-up and navigation; nothing else."""

import streamlit as st

from svmviz import ui

ui.shell()
st.navigation(ui.menu(), position="top").run()
