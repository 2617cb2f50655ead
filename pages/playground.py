"""The Playground: any data, any solver, one stage."""

import streamlit as st

from svmviz import ui

now = ui.current(returned=ui.guard("playground"))
ui.answer(now.messages, back=ui.undo if now.brings_back else None)
with st.sidebar:
    ui.lessons.back()
    now = ui.choose()
    recipe = now.recipe
    with ui.group("files"):
        take_away = st.container()
ui.forks.raced(now)
try:
    packed = ui.computed(recipe)
    other = ui.forks.second(now) if now.fork else None
except ValueError as error:
    ui.refused(error)
    st.stop()
if other:
    ui.stage(packed, other.message, ui.forks.races(now))
else:
    ui.stage(packed)
ui.previews.send(now)
with take_away:
    ui.take_away(recipe)
ui.follow(recipe, packed)
if other:
    ui.forks.follow(other)
ui.boards.send()
