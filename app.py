"""svmviz: watch SVM solvers think. Page set-up, warm-up and navigation; nothing else."""

import streamlit as st

from svmviz import ui

ui.shell()
st.navigation(
    {
        "": [
            st.Page("pages/playground.py", title="Playground", url_path="playground", default=True),
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
    },
    position="top",
).run()
