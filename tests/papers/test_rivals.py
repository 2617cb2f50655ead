"""SIMBA beside its rivals on the stage: what travels is what the runs did, and nothing is compared
that cannot be.
"""

import json

import numpy as np
import pytest

from svmviz.papers.simba import rivals
from svmviz.player.wire import run
from svmviz.run.recipe import from_query
from svmviz.solvers.simba import learn

LINK = {
    "data": "rare",
    "n": "60",
    "d": "80",
    "share": "0.1",
    "solver": "simba",
    "nu": "0.01",
    "T": "90",
    "seed": "4",
}


def recipe(**more):
    found, messages = from_query(LINK | more)
    assert not messages
    return found.checked()


@pytest.mark.parametrize(
    "more",
    [{}, {"iterate": "last"}, {"bias": "1"}, {"schedule": "constant", "horizon": "90"}],
    ids=str,
)
def test_the_run_on_the_stage_has_its_own_error_on_rows_that_it_never_saw(more):
    given, trace = recipe(**more), recipe(**more).trace()
    found, test = rivals.compared(given), rivals.unseen(given, trace.problem)
    assert found["unseen"] and found["n_test"] == test.n == rivals.FRESH
    assert np.array_equal(
        test.X, given.source.problem(**dict(given.data_params) | {"n": 2060}).X[60:]
    )
    times, iterate = np.array(found["own"]["t"]), more.get("iterate", "average")
    assert times[0] == 1 and times[-1] == 90
    for t, error in list(zip(times.tolist(), found["own"]["error"], strict=True))[::13]:
        f = test.X @ (trace.problem.X.T @ trace.coef(t, iterate)) + trace.b(t, iterate)
        assert error == np.mean((f >= 0) != (test.y > 0))


def test_means_and_bands_are_those_of_ten_runs_each():
    given = recipe(clip="0")
    found, problem = rivals.compared(given), given.problem()
    test = rivals.unseen(given, problem)
    json.dumps(found, allow_nan=False)
    grid = np.array(found["reads"])
    assert [c["name"] for c in found["curves"]] == ["SIMBA", "Pegasos", "Perceptron"] and found[
        "lam"
    ] in rivals.LAMS
    assert grid[-1] >= found["whole"] * 0.99 == 4800 * 0.99  # at least once all that there is
    for name, params in (
        ("simba", {"nu": 0.01, "clip": False}),
        ("pegasos", {"lam": found["lam"]}),
        ("perceptron", {}),
    ):
        shown = next(c for c in found["curves"] if c["name"].lower() == name)
        width = 140 if name == "simba" else 80
        last = int(found["reads"][-1] // width)
        errors = [
            [s.error(test.X, test.y) for s in learn.LEARNERS[name](problem, params, [last], seed)]
            for seed in range(10)
        ]
        assert shown["mean"][-1] == pytest.approx(np.mean(errors), abs=2e-3)
        there = [k for k, v in enumerate(shown["mean"]) if v is not None]
        low, mean, high = (np.array(shown[q])[there].astype(float) for q in ("low", "mean", "high"))
        assert (low <= high).all() and (mean >= low.min()).all() and len(there) > 20


def test_the_gain_is_where_both_means_have_come_down_for_good():
    found = rivals.compared(
        from_query({"data": "rare", "solver": "simba", "nu": "0.001"})[0].checked()
    )
    gain, grid = found["gain"], np.array(found["reads"])
    for curve, name in zip(found["curves"], ("simba", "pegasos"), strict=False):
        mean = np.array([np.nan if v is None else v for v in curve["mean"]])
        assert (
            np.nanmax(mean[grid >= gain[name]])
            <= gain["error"]
            < mean[np.flatnonzero(grid < gain[name])[-1]]
        )
    assert gain["pegasos"] >= 2.5 * gain["simba"]


def test_only_rows_and_columns_under_the_same_parameters_are_compared():
    assert run.pack(recipe().trace()).header["compared"]
    for more in (
        {"exact_p": "1"},
        {"exact_margins": "1"},
        {"change": "40:nu=0.3"},
        {"solver": "pegasos"},
    ):
        given = from_query(
            {k: v for k, v in LINK.items() if k != "nu" or "solver" not in more} | more
        )[0].checked()
        assert not run.pack(given.trace()).header["compared"] and rivals.compared(given) is None
