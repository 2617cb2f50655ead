"""A storyboard as one HTML file that needs no server: all moments, each run in it once.

A moment that cannot be shown stays, with a word about it; the others are there.

>>> from svmviz.run.storyboard import Moment
>>> runs, scenes = staged(
...     Board("Two", (Moment("data=moons&n=20&T=30&t=4"), Moment("data=moons&n=20&T=30&t=9")))
... )
>>> len(runs), [(scene.run, scene.view["t"]) for scene in scenes]
(1, [(0, 4), (0, 9)])
"""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from svmviz.data.plane import Dataset
from svmviz.player.files import page
from svmviz.run import fork as forks
from svmviz.run.fork import Fork
from svmviz.run.recipe import Recipe
from svmviz.run.storyboard import Board, Moment, absent, meant
from svmviz.run.view import arrive
from svmviz.solvers import SOLVERS

RUNS = 30  # different ones in a storyboard that becomes a file


class Run(NamedTuple):
    recipe: Recipe
    fork: Fork | None


class Scene(NamedTuple):
    """A moment and where it is found."""

    moment: Moment
    run: int  # which one; -1 if there is none
    view: Mapping[str, Any]
    said: str  # what is wrong with it


def found(
    moment: Moment, own: Mapping[str, Dataset] | None = None
) -> tuple[Run, dict[str, Any], list[str]]:
    """The run of a moment, what is seen of it, and a sentence for each part of its link that could
    not be used. `own` are the visitor's own data. Refuses what cannot be carried out.
    """
    query = moment.query
    recipe, view, said = arrive(query, own)
    if not meant(query, recipe):
        raise ValueError(absent(query))
    recipe, fork, more = forks.read(query, recipe)
    recipe = recipe.checked()
    recipe.allowed()
    if refusal := SOLVERS[recipe.solver].refusal(recipe.problem()):
        raise ValueError(refusal)
    return Run(recipe, fork), {**view, "present": False}, [*said, *more]


def staged(board: Board, own: Mapping[str, Dataset] | None = None) -> tuple[list[Run], list[Scene]]:
    """The different runs, each as long as its last moment needs, and the moments."""
    runs: dict[str, tuple[int, Run]] = {}
    scenes = []
    for moment in board.moments:
        try:
            run, view, said = found(moment, own)
            key = urlencode(run.recipe.query() | {"T": ""}) + str(run.fork)
            if key not in runs and len(runs) >= RUNS:
                raise ValueError(f"a file holds at most {RUNS} runs")
        except ValueError as error:
            scenes.append(Scene(moment, -1, {}, f"This moment cannot be shown: {error}."))
            continue
        k, known = runs.get(key, (len(runs), run))
        runs[key] = k, max(known, run, key=lambda one: one.recipe.steps)
        scenes.append(Scene(moment, k, view, " ".join(said)))
    return [run for _, run in runs.values()], scenes


def complaints(scenes: list[Scene]) -> list[str]:
    return [f"Moment {k}: {scene.said}" for k, scene in enumerate(scenes, 1) if scene.said]


def of_board(
    board: Board, home: str = "", own: Mapping[str, Dataset] | None = None
) -> tuple[str, list[str]]:
    """The file, and what is wrong with moments."""
    runs, scenes = staged(board, own)
    if not runs:
        raise ValueError(" ".join(complaints(scenes)) or "there is no moment in this storyboard")
    held = [page.held(run.recipe, fork=run.fork) for run in runs]
    text = page.document(
        "stage",
        {f"run-{k}": data for k, (data, _) in enumerate(held, 1)},
        board.title,
        home,
        news=[news for _, found in held for news in found],
        board={
            "title": board.title,
            "moments": [scene.moment._asdict() for scene in scenes],
            "runs": [scene.run for scene in scenes],
            "said": [scene.said for scene in scenes],
        },
    )
    return text, complaints(scenes)
