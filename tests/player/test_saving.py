"""Pictures and clips without a browser: what the pen writes is SVG, and which step is in which
frame.
"""

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from svmviz.player import WEB
from tests.player.node.ask import NODE

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def found() -> dict:
    script = Path(__file__).parent / "node" / "svgpen.mjs"
    run = subprocess.run(
        [NODE, "--no-warnings", script, WEB.as_uri()],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_what_the_pen_draws_is_written_as_shapes_and_text(found):
    root = ElementTree.fromstring(found["svg"])
    assert (root.get("width"), root.get("viewBox")) == ("200", "0 0 200 100")
    assert (
        root.find(f"{SVG}title").text == "A <title>"
        and root.find(f"{SVG}desc").text == "about & so on"
    )
    rect, line, *others = (
        path for path in root.iter(f"{SVG}path") if path.get("fill")
    )  # not those that clip
    assert (rect.get("d"), rect.get("fill"), rect.get("fill-opacity")) == (
        "M1 2L4 2 4 6 1 6Z",
        "#009698",
        "0.5",
    )
    assert (
        line.get("d"),
        line.get("stroke"),
        line.get("stroke-width"),
        line.get("stroke-dasharray"),
    ) == ("M2 2L10 10", "#ff0000", "3", "6 4")
    assert others[0].get("d") == "M35 30A5 5 0 0 1 25 30A5 5 0 0 1 35 30"


def test_what_is_cut_stands_within_its_clip(found):
    root = ElementTree.fromstring(found["svg"])
    clips = {clip.get("id"): clip[0].get("d") for clip in root.iter(f"{SVG}clipPath")}
    cut = [group for group in root.iter(f"{SVG}g") if group.get("clip-path")]
    assert [clips[group.get("clip-path")[5:-1]] for group in cut] == [
        "M10 10L60 10 60 60 10 60Z",
        "M0 0L50 0 50 50 0 50Z",
    ]
    assert [path.get("stroke") for path in cut[0].iter(f"{SVG}path")] == ["#ff0000"]


def test_words_are_text_and_belong_together(found):
    words = {text.text: text for text in ElementTree.fromstring(found["svg"]).iter(f"{SVG}text")}
    assert {*words} == {"λ < 1 &more", "mid", "past"}, "what is cut away is not there"
    first = words["λ < 1 &more"]
    assert (first.get("font-weight"), first.get("font-family"), first.get("textLength")) == (
        "650",
        "'Source Sans'",
        "55",
    )
    assert (words["mid"].get("text-anchor"), words["mid"].get("y")) == ("middle", "54")


def test_a_canvas_on_another_is_what_was_drawn_on_it(found):
    root = ElementTree.fromstring(found["svg"])
    past = next(text for text in root.iter(f"{SVG}text") if text.text == "past")
    assert (past.get("x"), past.get("y"), past.get("font-size")) == ("10", "20", "10")
    assert [group.get("opacity") for group in root.iter(f"{SVG}g") if group.get("opacity")] == [
        "0.25"
    ]
    assert not list(root.iter(f"{SVG}image"))


def test_a_frame_shows_what_stands_at_its_end(found):
    assert found["same"] == list(range(1, 301)), "ten seconds of 30 frames, a step in each"
    assert [(one["t"], one["phase"]) for one in found["slow"]] == [
        (t, u) for t in (3, 4) for u in (0.25, 0.5, 0.75, 1)
    ]
    assert found["fast"] == [*range(1, 100, 2), 100]
    assert found["back"] == [0, 1, 2, 3, 2, 1]
    assert sum(found["hundredths"]) == 100
