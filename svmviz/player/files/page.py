"""A run, a fork, a race or a lesson as one HTML file that plays by itself: from a stick, in an LMS, in an `<iframe>`, with no
network and no server.

Player and runs stand in the file as text, deflated; a few lines inflate them. The content policy allows these lines and the
player by their digests, and nothing else: no other script, no address, no form.

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
from collections.abc import Callable, Mapping
from functools import cache
from string import Template
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from svmviz import lessons
from svmviz.lessons.reading import Lesson
from svmviz.lessons.study import Study
from svmviz.player.files.scripts import WEB, bundle, style
from svmviz.player.wire import (
    fork as forkwire,
)
from svmviz.player.wire import (
    front as frontwire,
)
from svmviz.player.wire import (
    lesson as lessonwire,
)
from svmviz.player.wire import (
    race,
)
from svmviz.player.wire import (
    run as wire,
)
from svmviz.player.wire.message import told
from svmviz.race.card import Card, read
from svmviz.record.trace import Trace
from svmviz.run import fork as forks
from svmviz.run import shown
from svmviz.run.fork import Fork
from svmviz.run.recipe import Recipe
from svmviz.run.view import ANEW, arrive
from svmviz.solvers import SOLVERS

Found = tuple[Callable[[], str], list[str]]  # a page, and what there is to say against the link

VERSION = sys.modules["svmviz"].__version__  # of the whole package, which no room imports
RUN = "run"  # the name of one that no link names
FRONT_UP_TO = 300  # examples: their Pareto front is found within a second or two, and travels with the run

HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="svmviz $version">
<title>$title</title>
"""
PAGE = Template(HEAD + """</head>
<body>
<main id="svmviz"><p role="status">Opening …</p></main>
<noscript>This page plays a run of an SVM solver, and needs JavaScript for it; it loads nothing from elsewhere.</noscript>
<script type="application/json" id="svmviz-page">$about</script>
$blocks
<script type="text/plain" id="svmviz-style">$style</script>
<script type="text/plain" id="svmviz-player">$player</script>
<script>$boot</script>
</body>
</html>
""")


def digest(text: str) -> str:
    """As a content policy names a script or a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def deflated(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode()


@cache
def parts(entry: str) -> dict[str, str]:
    """All of a page that does not depend on what it shows."""
    look, player, boot = style(entry), bundle(entry), (WEB / "offline" / "boot.txt").read_text(encoding="utf-8").strip()
    policy = (f"default-src 'none'; script-src {digest(boot)} {digest(player)}; style-src {digest(look)}; "
              "font-src data:; img-src data: blob:; media-src blob:; base-uri 'none'; form-action 'none'")
    return {"policy": policy, "version": VERSION, "style": deflated(look.encode()), "player": deflated(player.encode()),
            "boot": boot}


def blank(entry: str) -> str:
    """A page in which the browser puts what it shows in place of $title, $about and $blocks."""
    return PAGE.safe_substitute(parts(entry))


def block(about: Mapping[str, Any]) -> str:
    """What the script of a page is told, as the text of an element."""
    return json.dumps(about, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def document(entry: str, runs: Mapping[str, bytes], title: str, home: str = "", **about: Any) -> str:
    """The file: `runs` by name, the first of which is shown first on the stage `entry`; `home` is the address of an app that
    can do what a file cannot."""
    blocks = "\n".join(f'<script type="text/plain" id="svmviz-run-{k}">{deflated(run)}</script>'
                       for k, run in enumerate(runs.values()))
    said = block({"entry": entry, "runs": list(runs), "home": home, "title": title} | about)
    return PAGE.substitute(parts(entry), title=html.escape(title), about=said, blocks=blocks)


def message(recipe: Recipe, view: Mapping[str, Any] | None = None, **more: Any) -> bytes:
    """A run as a file holds it: it is all there, and nothing can be changed in it."""
    usual = {"final": True, "editable": False, "compared": False, "fronts": False}
    return told(recipe, wire.pack_recipe(recipe), ANEW | (view or {}) | {"serial": 1}, **usual | more)


def front(recipe: Recipe) -> list[dict[str, Any]]:
    """The Pareto front, which the app computes for whoever asks, where it is soon found."""
    trace = recipe.trace() if recipe.problem().n <= FRONT_UP_TO else None
    return [{"id": recipe.key(), "front": frontwire.front(trace), "cut": 0}] if trace and frontwire.has_front(trace) else []


def held(recipe: Recipe, view: Mapping[str, Any] | None = None, fork: Fork | None = None) -> tuple[bytes, list[dict[str, Any]]]:
    """A run, or two that are one up to a step, and what else is known of it."""
    if fork is None:
        found = front(recipe)
        return message(recipe, view, fronts=bool(found)), found
    other = fork.branch(recipe)
    sent = wire.encode(wire.pack_recipe(other), id=other.key(), query=other.query(), final=True, view=None, knob=None)
    second = forkwire.beside(recipe, fork, sent, recipe.trace(), other.trace())
    query = recipe.query() | fork.query(recipe)
    return message(recipe, view, fork=len(second), query=query, races=False) + second, []


def of_recipe(recipe: Recipe, view: Mapping[str, Any] | None = None, fork: Fork | None = None, home: str = "") -> str:
    """The run of a recipe, or two that are one up to a step; `view` says where it opens."""
    data, news = held(recipe, view, fork)
    title = f"{name(recipe)}: a fork at step {fork.t}" if fork else name(recipe)
    return document("stage", {recipe.key(): data}, title, home, **({} if fork else {"news": news}))


def of_link(link: str) -> str:
    """What a link of the app shows: a run, a fork, a race or a lesson. An address in it is where the app is; parts alone, such
    as "data=moons&solver=sbp", name a run.

    >>> of_link("data=moons&lam=much")
    Traceback (most recent call last):
        ...
    ValueError: The link's lam was replaced by its default: lam must be a number, got 'much'.
    """
    place = urlsplit(link)
    query = dict(parse_qsl(place.query if place.netloc else link.lstrip("?"), keep_blank_values=True))
    home = place._replace(query="", fragment="").geturl() if place.scheme in ("http", "https") else ""
    page, said = SHOWN.get(place.path.strip("/").rpartition("/")[2] if place.netloc else "", _run)(query, home)
    if said:
        raise ValueError(" ".join(said))
    return page()


def _run(query: Mapping[str, str], home: str) -> Found:
    recipe, view, said = arrive(query)
    recipe, fork, more = forks.read(query, recipe)
    return lambda: of_recipe(recipe.checked(), view, fork, home), [*said, *more]


def _race(query: Mapping[str, str], home: str) -> Found:
    card, said = read(query, race.VIEW)
    view, more = race.placed(query)
    return lambda: of_race(card, view, home), [*said, *more]


def _lesson(query: Mapping[str, str], home: str) -> Found:
    study = Study().opened(query, {key: len(lessons.lesson(key).cards) for key in lessons.LESSONS})
    if not study.lesson and not study.messages:
        return str, [f"The link must name one of the lessons, such as lesson={lessons.LESSONS[0]}."]
    return lambda: of_lesson(study.lesson, card=study.card, home=home), [*study.messages]


SHOWN: dict[str, Callable[[Mapping[str, str], str], Found]] = {"race": _race, "lessons": _lesson}  # by the page of the app


def of_trace(trace: Trace, title: str = "") -> str:
    """A run that was carried out in Python, whatever its data."""
    data = wire.encode(wire.packed(shown.of_trace(trace)), id=RUN, query={}, undo=0, redo=0, final=True, editable=False,
                       view=ANEW | {"serial": 1}, python="", knob=None, invite=False, address="", strokes=0, compared=False,
                       fronts=False, about=f"{trace.problem.n} examples; run seed {trace.seed}")
    return document("stage", {RUN: data}, title or f"{trace.solver.title}, {trace.steps} steps")


def framed(trace: Trace, height: int = 720) -> str:
    """The page of a run within another page, such as a notebook; the frame lets it do no more than play and save."""
    return (f'<iframe srcdoc="{html.escape(of_trace(trace))}" sandbox="allow-scripts allow-downloads" allow="fullscreen" '
            f'title="{html.escape(trace.solver.title)}, {trace.steps} steps" width="100%" height="{height}" '
            'style="border:0"></iframe>')


def of_race(card: Card, view: Mapping[str, Any] | None = None, home: str = "") -> str:
    """All lanes, all seeds."""
    data = race.whole(card, {**card.look, **(view or {}), "serial": 1})
    return document("race", {card.key(): data}, f"Race: {race.described(card)['about']}", home)


def of_lesson(key: str, lesson: Lesson | None = None, card: int = 0, home: str = "") -> str:
    """A lesson with its questions; what a card lets a learner turn has some values to choose from."""
    lesson = lesson or lessons.lesson(key)
    found = lessonwire.runs(lesson.cards)
    sent = {one: told(recipe, wire.pack_recipe(recipe), None, final=True, editable=False) for one, (recipe, _) in found.items()}
    return document("lesson", sent, lesson.title, home, lesson=lessonwire.describe(key, lesson, None), card=card,
                    ways=[{"run": one, **way} for one, (_, ways) in found.items() for way in ways])


def name(recipe: Recipe) -> str:
    return f"{SOLVERS[recipe.solver].title} on {recipe.about()}; run seed {recipe.seed}"
