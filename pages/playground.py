"""The Playground: any data, any solver, one stage."""

import streamlit as st

from svmviz import ui

ui.answer(ui.current(returned=ui.guard("playground")).messages)
with st.sidebar:
    ui.lessons.back()
    recipe = ui.choose().recipe
    take_away = st.container()
try:
    packed = ui.computed(recipe)
except ValueError as error:
    ui.refused(error)
    st.stop()
ui.stage(packed)
with take_away:
    ui.take_away(recipe)
    ui.lessons.add_moment()
ui.follow(recipe, packed)
