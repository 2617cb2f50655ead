"""The Playground: any data, any solver, one stage."""

import streamlit as st

from svmviz.ui.controls.widgets import choose, undo
from svmviz.ui.playground import boards, forks, previews
from svmviz.ui.playground.beside import follow
from svmviz.ui.playground.stage import computed, refused, stage, take_away
from svmviz.ui.shell.frame import answer, guard
from svmviz.ui.visit.back import offer_way_back
from svmviz.ui.visit.hall import group
from svmviz.ui.visit.visitor import current

now = current(returned=guard("playground"))
answer(now.messages, back=undo if now.brings_back else None)
with st.sidebar:
    offer_way_back()
    now = choose()
    recipe = now.recipe
    with group("files"):
        downloads = st.container()
forks.raced(now)
try:
    packed = computed(recipe)
    other = forks.second(now) if now.fork else None
except ValueError as error:
    refused(error)
    st.stop()
if other:
    stage(packed, other.message, forks.races(now))
else:
    stage(packed)
previews.send(now)
with downloads:
    take_away(recipe)
follow(recipe, packed)
if other:
    forks.follow(other)
boards.send()
