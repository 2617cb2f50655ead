"""Streamlit's side of the app: descriptors become widgets, recipes become links, traces reach the player. With pages/,
player/ and app.py the only Streamlit importer.

What a visitor of the Playground looks at is one value, `st.session_state.visit` (`run.visit`); what is cached across visitors
is keyed by the recipe and never written to.
"""

from svmviz.ui import lessons
from svmviz.ui.controls.widgets import choose, undo
from svmviz.ui.data.gallery import gallery
from svmviz.ui.data.upload import upload
from svmviz.ui.explore.page import explore
from svmviz.ui.jobs.compiling import compilation, needed
from svmviz.ui.papers import articles
from svmviz.ui.papers.page import document
from svmviz.ui.papers.sbp.basins import bias, water
from svmviz.ui.papers.sbp.figures import choose_data, figure_2, figure_3, table_1, table_2, timing
from svmviz.ui.playground import boards, forks, previews
from svmviz.ui.playground.beside import follow
from svmviz.ui.playground.stage import computed, refused, stage, take_away
from svmviz.ui.race.page import card_widgets, current_card, opened, run_race
from svmviz.ui.shell.frame import answer, guard, shell, unasked
from svmviz.ui.shell.menu import menu
from svmviz.ui.stream.page import streaming
from svmviz.ui.visit.hall import group
from svmviz.ui.visit.visitor import current

__all__ = ["answer", "articles", "bias", "boards", "card_widgets", "choose", "choose_data", "compilation", "computed",
           "current", "current_card", "document", "explore", "figure_2", "figure_3", "follow", "forks", "gallery", "group",
           "guard", "lessons", "menu", "needed", "opened", "previews", "refused", "run_race", "shell", "stage", "streaming",
           "table_1", "table_2", "take_away", "timing", "unasked", "undo", "upload", "water"]
