"""The race: several solvers on one problem, at equal cost."""

import streamlit as st

from svmviz.ui.race.page import card_widgets, current_card, run_race
from svmviz.ui.shell.frame import answer, guard
from svmviz.ui.visit.address import follow_leave

returned = guard("race")
follow_leave(returned)
card = current_card(returned)
answer(st.session_state.get("card_messages", []))
with st.sidebar:
    card, matching = card_widgets(card)
run_race(card, matching)
