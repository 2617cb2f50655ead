"""A storyboard as slides: a folder with a reveal.js deck, and a page for each run, that need no
network.

Moments of one run that follow each other are one slide, on which the player goes from one to the
next. What a speaker wrote is in reveal's speaker view (key S).
"""

import html
import io
import zipfile
from collections.abc import Iterator, Mapping
from itertools import groupby
from string import Template
from urllib.parse import urlencode

from svmviz.data.plane import Dataset
from svmviz.player import WEB
from svmviz.player.files import page
from svmviz.player.files.board import Scene, complaints, staged
from svmviz.player.files.scripts import ROOT, compact, enclosed
from svmviz.run import storyboard
from svmviz.run.link import HALL, SEEN
from svmviz.run.storyboard import Board

LIBRARY = [
    ("reveal/", "reveal.js"),
    ("reveal/", "reveal.css"),
    ("reveal/", "reveal.LICENSE.txt"),
    ("", "stage-sans.woff2"),
    ("", "stage-sans.LICENSE.txt"),
]
SCRIPT = "deck/main.js"

DECK = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="svmviz $version">
<title>$title</title>
<link rel="stylesheet" href="reveal/reveal.css">
<link rel="stylesheet" href="deck.css">
</head>
<body>
<div class="reveal"><div class="slides">
<section class="first">
<h1>$title</h1>
<p>PageDown or a clicker goes on · S: speaker notes · T: light or dark</p>
</section>
$slides
</div></div>
<script src="reveal/reveal.js"></script>
<script src="deck.js"></script>
</body>
</html>
""")


def notes(text: str) -> str:
    """A note as reveal.js keeps it: paragraphs, and never more than text.

    >>> notes("Look <there>\\nand there.")
    '<aside class="notes"><p>Look &lt;there&gt;<br>and there.</p></aside>'
    """
    paragraphs = (
        f"<p>{html.escape(part).replace(chr(10), '<br>')}</p>" for part in text.split("\n\n")
    )
    return f'<aside class="notes">{"".join(paragraphs)}</aside>'


def place(scene: Scene) -> str:
    """Where the page of a run stands, behind the sign "#" of its address."""
    shown = {
        name: word
        for name, word in scene.moment.query.items()
        if name in HALL and name != "present"
    }
    return urlencode({name: scene.view[name] for name in SEEN if scene.view[name] != ""} | shown)


def marks(scene: Scene) -> str:
    return f'data-at="{html.escape(place(scene))}" data-title="{html.escape(scene.moment.title)}"'


def slides(scenes: list[Scene]) -> Iterator[str]:
    for run, group in groupby(scenes, key=lambda scene: scene.run):
        first, *rest = group
        if run < 0:
            yield from map(missing, [first, *rest])
            continue
        source = f"run-{run + 1}.html#present=1&{place(first)}"
        steps = "\n".join(
            f'<span class="fragment" {marks(scene)}>{notes(scene.moment.note)}</span>'
            for scene in rest
        )
        yield (
            '<section class="run"'
            f" {marks(first)}>\n<h2>{html.escape(first.moment.title)}</h2>\n<iframe"
            f' data-src="{html.escape(source)}" data-preload title="Player"'
            f' allow="fullscreen"></iframe>\n{steps}\n{notes(first.moment.note)}\n</section>'
        )


def missing(scene: Scene) -> str:
    return (
        "<section"
        f' class="first"><h2>{html.escape(scene.moment.title)}</h2>\n'
        f"<p>{html.escape(scene.said)}</p>\n"
        f"{notes(scene.moment.note)}</section>"
    )


def files(
    board: Board, home: str = "", own: Mapping[str, Dataset] | None = None
) -> tuple[dict[str, bytes], list[str]]:
    """The folder, by path, and what is wrong with moments."""
    runs, scenes = staged(board, own)
    if not runs:
        raise ValueError(" ".join(complaints(scenes)) or "there is no moment in this storyboard")
    script = enclosed(SCRIPT, (WEB / SCRIPT).read_text(encoding="utf-8"))
    made = "\n".join(slides(scenes))
    text = {
        "index.html": DECK.substitute(
            title=html.escape(board.title), slides=made, version=page.VERSION
        ),
        "deck.js": (
            f'globalThis.svmvizScripts = {{}};\n{script}\nsvmvizScripts["{SCRIPT}"].start();\n'
        ),
        "deck.css": compact(*ROOT, "deck/main.css"),
        "storyboard.txt": storyboard.write(board),
        **{
            f"run-{k}.html": page.of_recipe(run.recipe, None, run.fork, home)
            for k, run in enumerate(runs, 1)
        },
    }
    library = {f"{folder}{name}": (WEB / "vendor" / name).read_bytes() for folder, name in LIBRARY}
    return {name: words.encode() for name, words in text.items()} | library, complaints(scenes)


def zipped(found: Mapping[str, bytes], folder: str) -> bytes:
    """All files of a folder as one."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in found.items():
            archive.writestr(f"{folder}/{name}", data)
    return out.getvalue()
