"""Streamlit's side of the app: descriptors become widgets, recipes become links, traces reach the player. With pages/,
player/ and app.py the only Streamlit importer.

What a visitor of the Playground looks at is one value, `st.session_state.visit` (`run.visit`); what is cached across visitors
is keyed by the recipe and never written to.
"""

from svmviz.ui import articles, boards, forks, lessons, previews
from svmviz.ui.basins import bias, water
from svmviz.ui.beside import follow
from svmviz.ui.compiling import compilation, needed
from svmviz.ui.experiments import choose_data, figure_2, figure_3, table_1, table_2, timing
from svmviz.ui.explore import explore
from svmviz.ui.gallery import gallery
from svmviz.ui.hall import group
from svmviz.ui.menu import menu
from svmviz.ui.papers import document
from svmviz.ui.race import card_widgets, current_card, opened, run_race
from svmviz.ui.shell import answer, guard, shell, unasked
from svmviz.ui.stage import computed, refused, stage, take_away
from svmviz.ui.streaming import streaming
from svmviz.ui.upload import upload
from svmviz.ui.visitor import current
from svmviz.ui.widgets import choose, undo

__all__ = ["answer", "articles", "bias", "boards", "card_widgets", "choose", "choose_data", "compilation", "computed",
           "current", "current_card", "document", "explore", "figure_2", "figure_3", "follow", "forks", "gallery", "group",
           "guard", "lessons", "menu", "needed", "opened", "previews", "refused", "run_race", "shell", "stage", "streaming",
           "table_1", "table_2", "take_away", "timing", "unasked", "undo", "upload", "water"]
