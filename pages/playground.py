"""The Playground: any data, any solver, one stage."""

import streamlit as st

from svmviz import ui

recipe = ui.current_recipe(returned=ui.guard("playground"))
ui.answer(st.session_state.get("messages", []))
with st.sidebar:
    recipe, pending = ui.choose(recipe)
    take_away = st.container()
try:
    packed = ui.computed(recipe)
except ValueError as error:
    ui.refused(error)
    st.stop()
ui.stage(recipe, packed, pending)
with take_away:
    ui.take_away(recipe)
ui.follow(recipe, packed)
