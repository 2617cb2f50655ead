"""A run, a fork, a race or a lesson as one HTML file that plays by itself: from a stick, in an LMS,
in an `<iframe>`, with no network and no server.

Player and runs stand in the file as text, deflated; a few lines inflate them. The content policy
allows these lines and the player by their digests, and nothing else: no other script, no address,
no form.

>>> from svmviz import SOLVERS, datasets
>>> text = of_trace(SOLVERS["pegasos"].trace(datasets.moons(n=20), steps=30, lam=0.1))
>>> text.startswith("<!doctype html>"), len(text) < 450_000
(True, True)
"""

import base64
import hashlib
import html
import json
import sys
import zlib
from collections.abc import Mapping
from functools import cache
from string import Template
from typing import Any

from svmviz.player.files.scripts import WEB, bundle, style
from svmviz.player.wire import (
    fork as forkwire,
)
from svmviz.player.wire import (
    front as frontwire,
)
from svmviz.player.wire import (
    run as wire,
)
from svmviz.player.wire.message import told
from svmviz.record.trace import Trace
from svmviz.run import shown
from svmviz.run.fork import Fork
from svmviz.run.recipe import Recipe
from svmviz.run.view import ANEW
from svmviz.solvers import SOLVERS

VERSION = sys.modules["svmviz"].__version__  # of the whole package, which no room imports
RUN = "run"  # the name of one that no link names
FRONT_UP_TO = (
    300  # examples: their Pareto front is found within a second or two, and travels with the run
)

HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="svmviz $version">
<title>$title</title>
"""
PAGE = Template(
    HEAD
    + """</head>
<body>
<main id="svmviz"><p role="status">Opening …</p></main>
<noscript>This page plays a run of an SVM solver, and needs JavaScript for it; it loads nothing
from elsewhere.</noscript>
<script type="application/json" id="svmviz-page">$about</script>
$blocks
<script type="text/plain" id="svmviz-style">$style</script>
<script type="text/plain" id="svmviz-player">$player</script>
<script>$boot</script>
</body>
</html>
"""
)


def digest(text: str) -> str:
    """As a content policy names a script or a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def deflated(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode()


@cache
def parts(entry: str) -> dict[str, str]:
    """All of a page that does not depend on what it shows."""
    look, player, boot = (
        style(entry),
        bundle(entry),
        (WEB / "offline" / "boot.txt").read_text(encoding="utf-8").strip(),
    )
    policy = (
        f"default-src 'none'; script-src {digest(boot)} {digest(player)}; style-src {digest(look)};"
        " font-src data:; img-src data: blob:; media-src blob:; base-uri 'none'; form-action"
        " 'none'"
    )
    return {
        "policy": policy,
        "version": VERSION,
        "style": deflated(look.encode()),
        "player": deflated(player.encode()),
        "boot": boot,
    }


def blank(entry: str) -> str:
    """A page in which the browser puts what it shows in place of $title, $about and $blocks."""
    return PAGE.safe_substitute(parts(entry))


def block(about: Mapping[str, Any]) -> str:
    """What the script of a page is told, as the text of an element."""
    return json.dumps(about, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def document(
    entry: str, runs: Mapping[str, bytes], title: str, home: str = "", **about: Any
) -> str:
    """The file: `runs` by name, the first of which is shown first on the stage `entry`; `home` is
    the address of an app that can do what a file cannot.
    """
    blocks = "\n".join(
        f'<script type="text/plain" id="svmviz-run-{k}">{deflated(run)}</script>'
        for k, run in enumerate(runs.values())
    )
    said = block({"entry": entry, "runs": list(runs), "home": home, "title": title} | about)
    return PAGE.substitute(parts(entry), title=html.escape(title), about=said, blocks=blocks)


def message(recipe: Recipe, view: Mapping[str, Any] | None = None, **more: Any) -> bytes:
    """A run as a file holds it: it is all there, and nothing can be changed in it."""
    usual = {"final": True, "editable": False, "compared": False, "fronts": False}
    return told(
        recipe, wire.pack_recipe(recipe), ANEW | (view or {}) | {"serial": 1}, **usual | more
    )


def front(recipe: Recipe) -> list[dict[str, Any]]:
    """The Pareto front, which the app computes for whoever asks, where it is soon found."""
    trace = recipe.trace() if recipe.problem().n <= FRONT_UP_TO else None
    return (
        [{"id": recipe.key(), "front": frontwire.front(trace), "cut": 0}]
        if trace and frontwire.has_front(trace)
        else []
    )


def held(
    recipe: Recipe, view: Mapping[str, Any] | None = None, fork: Fork | None = None
) -> tuple[bytes, list[dict[str, Any]]]:
    """A run, or two that are one up to a step, and what else is known of it."""
    if fork is None:
        found = front(recipe)
        return message(recipe, view, fronts=bool(found)), found
    other = fork.branch(recipe)
    sent = wire.encode(
        wire.pack_recipe(other),
        id=other.key(),
        query=other.query(),
        final=True,
        view=None,
        knob=None,
    )
    second = forkwire.beside(recipe, fork, sent, recipe.trace(), other.trace())
    query = recipe.query() | fork.query(recipe)
    return message(recipe, view, fork=len(second), query=query, races=False) + second, []


def of_recipe(
    recipe: Recipe, view: Mapping[str, Any] | None = None, fork: Fork | None = None, home: str = ""
) -> str:
    """The run of a recipe, or two that are one up to a step; `view` says where it opens."""
    data, news = held(recipe, view, fork)
    title = f"{name(recipe)}: a fork at step {fork.t}" if fork else name(recipe)
    return document("stage", {recipe.key(): data}, title, home, **({} if fork else {"news": news}))


def of_trace(trace: Trace, title: str = "") -> str:
    """A run that was carried out in Python, whatever its data."""
    data = wire.encode(
        wire.packed(shown.of_trace(trace)),
        id=RUN,
        query={},
        undo=0,
        redo=0,
        final=True,
        editable=False,
        view=ANEW | {"serial": 1},
        python="",
        knob=None,
        invite=False,
        address="",
        strokes=0,
        compared=False,
        fronts=False,
        about=f"{trace.problem.n} examples; run seed {trace.seed}",
    )
    return document("stage", {RUN: data}, title or f"{trace.solver.title}, {trace.steps} steps")


def framed(trace: Trace, height: int = 720) -> str:
    """The page of a run within another page, such as a notebook; the frame lets it do no more than
    play and save.
    """
    return (
        f'<iframe srcdoc="{html.escape(of_trace(trace))}" sandbox="allow-scripts allow-downloads"'
        f' allow="fullscreen" title="{html.escape(trace.solver.title)}, {trace.steps} steps"'
        f' width="100%" height="{height}" style="border:0"></iframe>'
    )


def name(recipe: Recipe) -> str:
    return f"{SOLVERS[recipe.solver].title} on {recipe.about()}; run seed {recipe.seed}"
