"""Runs beside a run: the same draws, other parameters; and what of them travels."""

import json

import numpy as np
import pytest

from svmviz.data import plane, unseen
from svmviz.data.params import Param
from svmviz.maths import kernels
from svmviz.player.wire import packing
from svmviz.player.wire import run as wire
from svmviz.record import metrics
from svmviz.record.solver import Uses
from svmviz.run import rivals
from svmviz.run.recipe import from_query
from svmviz.solvers import SOLVERS

BSGD = SOLVERS["bsgd"]
LINK = {
    "solver": "bsgd",
    "data": "moons",
    "n": "120",
    "noise": "0.2",
    "T": "300",
    "B": "8",
    "kernel": "rbf(gamma=3.0)",
    "seed": "5",
}


def run(**given):
    return BSGD.trace(plane.moons(n=80), steps=200, seed=3, B=6, kernel=kernels.rbf(2.0), **given)


@pytest.mark.parametrize(
    "given, expected",
    [
        ({}, {"no budget", "remove smallest, B = 6"}),
        ({"maintenance": "none"}, {"remove smallest, B = 6"}),
        ({"maintenance": "remove smallest"}, {"no budget"}),
        ({"changes": [(90, {"B": 4, "lam": 0.1})]}, {"no budget", "remove smallest, B = 4"}),
        (
            {"active": [(0, np.arange(60)), (100, np.arange(20, 80))]},
            {"no budget", "remove smallest, B = 6"},
        ),
    ],
    ids=["merge", "none", "remove", "changes", "edits"],
)
def test_rivals_see_the_same_examples_and_are_what_they_are_called(given, expected):
    trace = run(**given)
    others = rivals.runs(trace)
    assert set(others) == expected
    for label, other in others.items():
        assert (other.drawn == trace.drawn).all()
        name = {"no": "none", "re": "remove smallest"}[label[:2]]
        fresh = BSGD.trace(
            trace.problem,
            steps=200,
            seed=3,
            B=6,
            kernel=kernels.rbf(2.0),
            **{k: v for k, v in given.items() if k != "maintenance"},
            maintenance=name,
        )
        assert np.array_equal(other.metrics["primal"], fresh.metrics["primal"])


def test_what_travels_is_what_the_rivals_did():
    recipe, _ = from_query(LINK)
    trace, packed = recipe.trace(), wire.pack_recipe(recipe)
    assert packed.header["fresh"] and packed.header["n_test"] == unseen.TEST
    assert packed.header["beside"] == {
        "own": "merge, B = 8",
        "left_out": "",
        "labels": ["no budget", "remove smallest, B = 8"],
    }

    sent = packing.arrays(packed.header["arrays"], packed.body)
    times, test = (
        sent["rival_times"],
        unseen.test_set(recipe.source, recipe.data_params, trace.problem),
    )
    assert times[0] == 1 and times[-1] == 300 and (np.diff(times.astype(int)) > 0).all()
    for k, other in enumerate(rivals.runs(trace).values()):
        wrong = [np.mean((other.f(int(t), test.X) >= 0) != (test.y > 0)) for t in times[::40]]
        assert np.allclose(sent[f"rival_{k}_error"][::40], wrong)
        assert (sent[f"rival_{k}_n_sv"] == other.scalars["n_sv"][times]).all()
        assert (
            sent[f"rival_{k}_kernel_step"]
            == np.diff(other.metrics["kernel_evals"], prepend=0)[times]
        ).all()
        assert np.allclose(sent[f"rival_{k}_E_bar"], other.scalars["E_bar"][times])
    assert np.allclose(sent["wrong_test"] / test.n, metrics.error_on(trace, test))
    assert sent["rival_0_n_sv"][-1] > 8 == sent["rival_1_n_sv"][-1]


def test_long_runs_go_alone_and_say_so():
    trace = run()
    assert rivals.left_out(trace, rivals.WORK // trace.steps) == ""
    many = rivals.WORK // trace.steps + 1
    assert f"200 steps on {many} points take too long" in rivals.left_out(trace, many)
    longer, _ = from_query(LINK | {"T": str(rivals.WORK // unseen.TEST + 1)})
    packed = wire.pack_recipe(longer)
    assert packed.header["beside"]["labels"] == [] and packed.header["beside"]["left_out"]
    assert "wrong_test" in packed.header["arrays"] and "rival_times" not in packed.header["arrays"]


def test_points_drawn_by_hand_have_no_fresh_ones_like_them():
    recipe, _ = from_query(LINK)
    packed = wire.pack_recipe(recipe.edited(100, [3], [(0.5, 0.5, 1)]))
    assert not packed.header["fresh"] and packed.header["n_test"] == 0
    assert packed.header["beside"]["labels"] == [
        "no budget",
        "remove smallest, B = 8",
    ]  # measured on the points themselves


def test_solvers_that_name_none_have_none():
    assert rivals.beside(SOLVERS["pegasos"].trace(plane.moons(n=20), steps=10)) is None
    assert (
        json.dumps(
            wire.pack(SOLVERS["pegasos"].trace(plane.moons(n=20), steps=10)).header["beside"]
        )
        == "null"
    )


def test_each_preset_is_found_again_from_its_parameters():
    for name in BSGD.uses.presets:
        params = BSGD.check(BSGD.preset(name) | {"B": 7, "lam": 0.5})
        assert BSGD.preset_of(params) == name
    assert BSGD.preset_of(BSGD.check({"maintenance": "remove oldest"})) is None
    assert (
        BSGD.preset_of(BSGD.check({"U": 3.0, "forget": True})) == "BPegasos + merge"
    )  # neither does anything there
    assert BSGD.preset_of(BSGD.check({"rule": "margin Perceptron", "U": 3.0})) is None
    assert BSGD.preset("Pegasos")["forget"] is False  # what another preset sets is set back


def test_every_condition_can_be_asked_of_every_choice():
    for solver in SOLVERS.values():
        shown = {
            name: [p.matters(solver.check(solver.preset(name))) for p in solver.params]
            for name in solver.uses.presets
        }
        assert all(len(answers) == len(solver.params) for answers in shown.values())
    by_name = {p.name: p for p in BSGD.params}

    def names(preset):
        return {name for name, p in by_name.items() if p.matters(BSGD.check(BSGD.preset(preset)))}

    assert names("Pegasos") & {"B", "eta", "beta", "U", "search", "forget"} == set()
    assert {"B", "lam", "search"} <= names("BPegasos + merge") and "eta" not in names(
        "BPegasos + merge"
    )
    assert {"eta", "beta", "U", "forget"} <= names("Forgetron") and "lam" not in names("Forgetron")
    assert "eta" in names("BNorma + merge") and "beta" not in names("BNorma + merge")


@pytest.mark.parametrize(
    "hidden",
    [{"eta": 3.0}, {"beta": 0.5}, {"U": 4.0}, {"forget": True}, {"search": "golden section"}],
    ids=str,
)
def test_what_is_not_shown_does_nothing(hidden):
    problem, params = plane.moons(n=60), {"B": 5, "maintenance": "remove smallest"}
    param = next(p for p in BSGD.params if p.name in hidden)
    assert not param.matters(BSGD.check(params))
    plain, other = (BSGD.trace(problem, steps=150, **params, **more) for more in ({}, hidden))
    assert np.array_equal(plain.metrics["primal"], other.metrics["primal"]) and plain.why(
        120
    ) == other.why(120)


def test_a_solver_needs_none_of_this():
    assert set(Uses.__dataclass_fields__) >= {"presets", "opening", "rivals"} and not Uses().presets
    assert Param("a", "", 1.0, 0.0, 2.0).matters({})
