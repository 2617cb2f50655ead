"""The race: several solvers on one problem, at equal cost."""

import streamlit as st

from svmviz import ui

returned = ui.guard("race")
ui.opened(returned)
card = ui.current_card(returned)
ui.answer(st.session_state.get("card_messages", []))
with st.sidebar:
    card, matching = ui.card_widgets(card)
ui.run_race(card, matching)
