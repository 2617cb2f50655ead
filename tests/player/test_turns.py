"""The stages of an article are made one after the other, and each is made, however late it
comes.
"""

import json
import subprocess
from pathlib import Path

from svmviz.player import WEB
from tests.player.node.ask import NODE


def test_each_stage_of_an_article_has_its_turn_also_who_comes_late():
    script = Path(__file__).parent / "node" / "turns.mjs"
    run = subprocess.run(
        [NODE, "--no-warnings", script, WEB.as_uri()],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["waits"] == ["first"], "the first has the browser to itself"
    assert found["patience"] == ["second", "third"], "for three seconds"
    assert found["late"] == ["late"], "who comes when all have had their turn is made, too"
    assert found["leads"] == [True, False] and found["anew"] == [], (
        "on the next page it begins anew"
    )
    assert found["moved"] == [["a"], ["b"], ["c"]], "once the first has moved they come one by one"
