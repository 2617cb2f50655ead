"""Rooms that can be left out: without each of them the app starts, and only its own pages are gone."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.rotation import by_turns

ROOT = Path(__file__).parents[2]
# What leaves the menu with a room.
GONE = {
    "papers": {
        "Pegasos",
        "Stochastic Batch Perceptron",
        "SIMBA",
        "Budgeted SGD",
        "Incremental SVMs",
    },
    "lessons": {
        "Lessons",
        "Pegasos",
        "Stochastic Batch Perceptron",
        "SIMBA",
        "Budgeted SGD",
        "Incremental SVMs",
    },
    "explore": {"Explore"},
    "estimators": {"Explore"},
    "race": {"Race"},
}
OPENED = """
import sys
from importlib.abc import MetaPathFinder

class Mask(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if f"{name}.".startswith(("svmviz.ROOM.", "svmviz.ui.ROOM.")):
            raise ModuleNotFoundError(f"{name} is left out")

sys.meta_path.insert(0, Mask())
from streamlit.testing.v1 import AppTest
from svmviz.ui.jobs.compiling import compilation
from svmviz.ui.shell.menu import pages
compilation().join()
app = AppTest.from_file("app.py", default_timeout=120)
for page in ("playground", "data"):
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception and not app.error, (page, app.exception, app.error)
print([page.title for listed in pages().values() for page in listed])
"""
ALL = {
    *("Playground", "Lessons", "Explore", "Race", "Data", "Stream", "Pegasos"),
    *("Stochastic Batch Perceptron", "SIMBA", "Budgeted SGD", "Incremental SVMs"),
}


@pytest.mark.parametrize("room", by_turns(GONE, every=10, always=0))
def test_app_without_a_room_lacks_only_its_pages(room):
    script = OPENED.replace("ROOM", room)
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert {*eval(done.stdout.strip().splitlines()[-1])} == ALL - GONE[room]
