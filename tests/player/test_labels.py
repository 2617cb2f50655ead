"""A label takes the free place where it hides least of the curves."""

import json
import subprocess
from pathlib import Path

from svmviz.player import WEB
from tests.player.node.ask import NODE


def test_labels_keep_off_curves_where_they_can():
    script = Path(__file__).parent / "node" / "labels.mjs"
    run = subprocess.run(
        [NODE, "--no-warnings", script, WEB.as_uri()],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    upper, lower = found["bare"], found["upper"]
    assert upper < lower, "the first place is the first choice, a curve through it the second"
    assert found["beside"] == upper, "a curve that ends before the words hides nothing"
    assert found["both"] == lower, "crossed in both places it takes the one that hides less"
