"""Two runs in the player: what is sent of the first is what was sent of it alone, and f_B − f_A is
Python's.
"""

import base64

import numpy as np
import pytest

from svmviz.maths import kernels
from svmviz.player.wire import fork as forkwire
from svmviz.player.wire import run
from svmviz.run import fork, script
from svmviz.run.recipe import Recipe
from tests.player.test_parity import player  # noqa: F401  a fixture

FORKS = [
    (
        Recipe("moons", {"n": 60}, params={"lam": 0.02, "kernel": kernels.rbf(2.0)}, steps=120),
        40,
        {"lam": 0.002},
    ),
    (
        Recipe("moons", {"n": 60}, params={"lam": 0.1, "iterate": "average"}, steps=120),
        0,
        {"k": 5, "project": True},
    ),
    (Recipe("blobs", {"n": 50}, "sdca", {"lam": 0.05}, steps=90), 30, {"kernel": kernels.rbf(1.0)}),
    (
        Recipe("checkerboard", {"n": 80}, "bsgd", {"B": 12}, steps=90),
        50,
        {"B": 5, "maintenance": "remove smallest"},
    ),
    (Recipe("wine", {"n": 60}, "perceptron", steps=60), 20, {"kernel": kernels.rbf(0.1)}),
]


@pytest.mark.parametrize("recipe, t, new", FORKS, ids=[recipe.solver for recipe, *_ in FORKS])
def test_the_difference_is_that_of_python(player, recipe, t, new):  # noqa: F811
    recipe, split = fork.forked(recipe.checked(), None, t)
    split = split.turned(recipe, new)
    other = split.branch(recipe)
    a, b, packed = recipe.trace(), other.trace(), run.pack_recipe(recipe)
    beside = forkwire.beside(
        recipe, split, run.encode(run.pack_recipe(other), id=other.key()), a, b
    )
    sent = run.encode(packed, fork=len(beside)) + beside
    assert run.pack_recipe(recipe) == packed, "the first is what it was alone"
    steps = sorted(np.random.default_rng(5).choice(recipe.steps + 1, 8, replace=False).tolist())
    found = player(forked=base64.b64encode(sent).decode(), steps=steps)
    xs, ys = np.array(found["xs"]), np.array(found["ys"])
    plane, X = recipe.look(a.problem), a.problem.X
    places = (
        np.column_stack([np.tile(xs, ys.size), np.repeat(ys, xs.size)]) @ plane.basis + plane.origin
    )
    for step, shown in zip(steps, found["shown"], strict=True):
        theirs = b.f(step, places) - a.f(step, places)
        size = max(1.0, np.abs(b.f(step, places)).max(), np.abs(a.f(step, places)).max())
        assert np.abs(np.array(shown["field"]) - theirs).max() <= 1e-6 * size
        if step <= t:
            assert not np.any(shown["field"]) and not shown["right"] and not shown["wrong"]
        f, g, y = a.f(step, X), b.f(step, X), a.problem.y
        sure = np.minimum(np.abs(f), np.abs(g)) > 1e-5 * size
        flipped = sure & ((f >= 0) != (g >= 0))
        for name, right in (("right", True), ("wrong", False)):
            mine = {i for i in shown[name] if sure[i]}
            assert mine == {*np.flatnonzero(flipped & (((g >= 0) == (y > 0)) == right)).tolist()}
    iterate = "_average" if recipe.current.get("iterate") == "average" else ""
    for name, trace in (("a", a), ("b", b)):
        for measure in ("hinge", "norm"):
            assert np.allclose(
                found[name][measure][1:], trace.metrics[measure + iterate][1:], rtol=1e-6, atol=1e-9
            )
    assert {row["name"] for row in found["differences"]} and len(found["differences"]) == len(new)


def test_the_script_of_both_prints_what_both_are(capsys):
    recipe, t, new = FORKS[0]
    recipe, split = fork.forked(recipe.checked(), None, t)
    other = split.turned(recipe, new).branch(recipe)
    exec(script.both(recipe, other, 100), {})
    said, (a, b) = capsys.readouterr().out, (recipe.trace(), other.trace())
    assert a.why(100) in said and b.why(100) in said and str(b.metrics["primal"][100]) in said
    f, g = (trace.f(100, a.problem.X) for trace in (a, b))
    assert f"labels that differ: {((f >= 0) != (g >= 0)).sum()}" in said
