"""A change falls between two steps: what the same w is worth before it and behind it."""

import numpy as np
import pytest

from svmviz import make_problem
from svmviz.data import edits, plane
from svmviz.maths import kernels, losses
from svmviz.player.wire import run
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS
from tests.tools.variants import other

PROBLEM, TEST = plane.moons(n=60, noise=0.2, seed=1), plane.moons(n=80, noise=0.2, seed=9)
OTHER = {  # a change that matters, of every solver
    "pegasos": {"lam": 0.05},
    "sbp": {"nu": 0.3},
    "sdca": {"lam": 0.05},
    "smo": {"lam": 0.5, "bias": False},
    "perceptron": {"kernel": kernels.rbf(2.0)},
    "fourier": {"lam": 0.1, "features": 20},
    "bsgd": {"lam": 0.2},
    "incremental": {"C": 0.3},
    "simba": {"nu": 0.3, "bias": True},
}
OTHER = {key: OTHER.get(key) or other(solver) for key, solver in SOLVERS.items()}
EDIT = [(0, np.arange(60)), (40, np.arange(10, 60))]


@pytest.mark.parametrize("key", SOLVERS)
def test_a_change_that_changes_nothing_leaves_every_number_as_it_was(key):
    solver = SOLVERS[key]
    name = next(iter(OTHER[key]))
    same = solver.trace(PROBLEM, 80, seed=1, changes=[(40, {name: solver.check({})[name]})])
    found = same.entries[40]
    for name in same.metrics.keys() & found.keys() - {
        "inner_products"
    }:  # which are those of one step among a solver's own
        assert found[name] == pytest.approx(same.metrics[name][40], rel=1e-12, abs=1e-12), name


@pytest.mark.parametrize("key", SOLVERS)
@pytest.mark.parametrize("edited", [False, True])
def test_what_w_is_worth_behind_a_change_follows_from_its_responses(key, edited):
    solver = SOLVERS[key]
    trace = solver.trace(
        PROBLEM, 80, seed=1, **({"active": EDIT} if edited else {"changes": [(40, OTHER[key])]})
    )
    found, params, rows = trace.entries[40], trace.params(41), trace.segment(41).active
    coef, X = trace.coef(40, "last"), trace.features(PROBLEM.X, 41)
    if trace.made:
        f = (
            kernels.gram(trace.kernel(41), PROBLEM.X, trace.support(40).vectors)
            @ trace.support(40).coef
        )
    else:
        f = kernels.gram(trace.kernel(41), X) @ coef + found.get("b", 0.0)
    f, y = f[rows], PROBLEM.y[rows]
    f = (
        f if f.ndim == 1 else np.where((lead := f[:, 1] - f[:, 0]) == 0, -1e-300, lead)
    )  # of scores that tie the first wins
    loss = solver.loss(params)
    margin = f - y if solver.space.real else y * f
    if solver.space.chained:  # what sentences cost is no sum over points, see test_sequences
        return
    assert found["hinge"] == pytest.approx(losses.each(losses.VALUE, loss, margin).mean(), rel=1e-9)
    off = (
        abs(margin) > loss.s + losses.RIM * (loss.s + abs(y))
        if solver.space.real
        else (f >= 0) != (y > 0)
    )
    assert found["error"] == off.mean()
    problem = make_problem(PROBLEM.X[rows], y)
    # those on a stream have an optimum for each number of examples
    best = None if key in ("incremental", "idsvm") else solver.optimum(problem, params)
    if best is None:
        return
    if solver.goal.maximises:
        assert found["level"] <= best.level + 1e-9 and found["level_average"] <= best.level + 1e-9
    else:
        assert found["primal"] >= best.primal - 1e-9
    if solver.goal.dual:
        assert (
            found["dual"] <= best.primal + 1e-9 and found["gap"] == found["primal"] - found["dual"]
        )


def test_the_first_step_behind_a_change_starts_from_what_w_is_worth_there():
    trace = SOLVERS["sbp"].trace(PROBLEM, 80, seed=1, changes=[(40, {"nu": 0.3})])
    assert trace.before("level", 41) == trace.entries[40]["level"] > trace.scalars["level"][40]
    assert (
        SOLVERS["sbp"].story.values(trace, 41)["gamma"]
        == trace.entries[40]["level"]
        != trace.scalars["level"][40]
    )
    assert trace.before("level", 60) == trace.scalars["level"][59]
    assert f"not above the water level {trace.entries[40]['level']:.3f}" in trace.why(41)


def test_the_header_tells_the_player():
    drawn = edits.edit(70, [3], [(0.1, 0.2, 1)])
    trace = (
        Recipe("moons", {"n": 60}, "sdca", changes=((40, {"lam": 0.5}),), edits=(drawn,), steps=90)
        .checked()
        .trace()
    )
    segments = run.pack(trace, test=TEST).header["segments"]
    assert "entry" not in segments[0]
    for t, segment in ((40, segments[1]), (70, segments[2])):
        found, said = trace.entries[t], segment["entry"]
        assert (said["objective"], said["gap"]) == (found["primal"], found["gap"])
        assert said["wrong"] == round(found["error"] * len(trace.segment(t + 1).active))
        f = TEST.X @ (trace.problem.X.T @ trace.at(t).coef)
        assert said["wrong_test"] == ((f >= 0) != (TEST.y > 0)).sum()
        assert (
            said["objective"]
            >= segment["optimum"]["value"]
            >= said["objective"] - said["gap"] - 1e-9
        )
