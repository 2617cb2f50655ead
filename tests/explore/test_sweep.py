"""The numbers: those of scikit-learn's searches, and those of the stage."""

import os
import signal

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from svmviz.explore import rows as store
from svmviz.explore import script
from svmviz.explore.axes import Axis
from svmviz.explore.engine import Live, sweep
from svmviz.explore.faults import ESTIMATOR
from svmviz.explore.rows import OPTIMUM, REFUSED, UNSETTLED
from svmviz.explore.spec import Spec
from svmviz.explore.table import Table
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS
from svmviz.work.processes import Local
from tests.explore.here import Here
from tests.tools.rotation import at_times

MOONS = "moons", {"n": 60, "noise": 0.3}
RBF = {"kernel": "rbf(gamma=2.0)"}
LAM, GAMMA = Axis("lam", 1e-3, 1.0, 3), Axis("gamma", 0.1, 10.0, 3)
SWEEPS = {
    "pegasos": Spec(Recipe(*MOONS, params=RBF, steps=80), (LAM, GAMMA), (0, 1, 5), 4, fold_seed=2),
    "bsgd": Spec(
        Recipe(*MOONS, solver="bsgd", steps=80), (Axis("B", 2, 20, 3), LAM), (7,), held_out=0.3
    ),
    "sbp": Spec(
        Recipe(*MOONS, solver="sbp", params=RBF, steps=40),
        (Axis("nu", 0.01, 0.3, 3, log=True), Axis("bias")),
        (0, 1),
        3,
    ),
    "regression": Spec(
        Recipe("sine", {"n": 40}, solver="regression", params=RBF, steps=80), (LAM,), (0, 2), 3
    ),
    "random": Spec(
        Recipe(*MOONS, params={"kernel": "poly"}, steps=40),
        (LAM, Axis("degree", 1, 4, 4), GAMMA, Axis("project")),
        (3,),
        3,
        search="random",
        draws=7,
        draw_seed=4,
    ),
    "halving": Spec(
        Recipe(*MOONS, params=RBF, steps=90),
        (LAM, GAMMA, Axis("k", 1, 4, 4)),
        (3,),
        3,
        search="halving",
        draws=9,
    ),
}


@pytest.mark.parametrize("name", SWEEPS)
@pytest.mark.filterwarnings(
    f"ignore::{ConvergenceWarning.__module__}.{ConvergenceWarning.__name__}"
)
def test_a_sweep_is_what_scikit_learn_searches(name, capsys):
    """The script that the app gives, carried out: all fits of it, the same numbers, and no seed
    chosen for its luck.
    """
    spec = SWEEPS[name].checked()
    found, done, errors = store.joined(sweep(spec, Here())).table, {}, []

    def mine(seed: int, params: dict, steps: int | None) -> list[float]:
        """Errors of a cell by fold."""
        rows = [
            row
            for row in found
            if row["seed"] == seed
            and (steps is None or row["steps"] == steps)
            and all(
                str(spec.params(row["cell"])[key]) == str(value)
                for key, value in params.items()
                if key != "steps"
            )
        ]
        return [row["error"] for row in sorted(rows, key=lambda row: row["fold"])]

    exec(script.of(spec).replace(", n_jobs=-1", ""), done)
    theirs = done["search"].cv_results_  # of the last seed
    scores = np.stack(
        [theirs[f"split{fold}_test_score"] for fold in range(spec.splits)]
    )  # (folds, candidates)
    for k, params in enumerate(theirs["params"]):
        assert "random_state" not in params
        steps = theirs["n_resources"][k] if name == "halving" else None
        assert mine(spec.seeds[-1], params, steps) == pytest.approx(1 - scores[:, k], abs=1e-12)
        errors.append([np.mean(mine(seed, params, steps)) for seed in spec.seeds])
    said = capsys.readouterr().out
    if name == "halving":
        assert scores.size == len(found) and "test error" in said
    else:
        assert scores.size * len(spec.seeds) == len(found) == spec.fits
        assert 1 - np.array(done["scores"]).T == pytest.approx(np.array(errors), abs=1e-12)
        assert float(said.split()[-1]) == pytest.approx(np.mean(errors, axis=1).min(), abs=1e-12)


def test_the_mean_of_the_table_is_that_of_the_search():
    from sklearn.model_selection import GridSearchCV

    spec = SWEEPS["pegasos"].checked()
    table = Table(spec, store.joined(sweep(spec, Here())))
    problem, model = spec.problem(), ESTIMATOR["pegasos"](steps=80)
    search = GridSearchCV(
        model, spec.arguments() | {"random_state": [1]}, cv=spec.splitter(), return_train_score=True
    )
    theirs = search.fit(problem.X, problem.y).cv_results_
    for k, params in enumerate(theirs["params"]):
        cell = next(
            cell
            for cell in range(spec.size)
            if spec.params(cell) | params == spec.params(cell) | {"random_state": 1}
        )
        mine = [table.measure(name)[cell, :, 1].mean() for name in ("error", "train_error")]
        assert mine == pytest.approx(
            [1 - theirs["mean_test_score"][k], 1 - theirs["mean_train_score"][k]], abs=1e-12
        )


def data_for(solver) -> tuple[str, dict]:
    if solver.space.real:
        return "sine", {"n": 40}
    return ("ring", {"n": 60}) if solver.space.every_class else MOONS


@pytest.mark.parametrize("key", ESTIMATOR)
def test_what_is_measured_is_what_the_stage_shows(key):
    """P, norm, gap, vectors and costs of a fit are those of the run on the same rows."""
    solver = SOLVERS[key]
    name = next(p.name for p in solver.params if p.name in ("lam", "nu", "C", "sampling"))
    recipe = Recipe(*data_for(solver), solver=key, steps=60).checked()
    axis = Axis(name) if name == "sampling" else Axis(name, 0.02, 0.5, 3, log=True)
    spec = Spec(recipe, (axis,), (3,), 3, optimum=True).checked()
    found = store.joined(sweep(spec, Here())).table
    assert (found["status"] != REFUSED).all()
    row, best = (
        found[(found["cell"] == 1) & (found["fold"] == 2) & (found["seed"] == seed)][0]
        for seed in (3, OPTIMUM)
    )
    problem = spec.problem()
    rows, tested = list(spec.splitter().split(problem.X, problem.y))[2]
    fitted = problem._replace(X=problem.X[rows], y=problem.y[rows])
    shown = solver.trace(fitted, 60, 3, **spec.params(1)).metrics
    iterate = "_average" if spec.params(1).get("iterate") == "average" else ""
    assert row["kernel_evals"] == shown["kernel_evals"][-1] and row["tested"] == len(tested)
    # whose objective is that of the examples seen so far, and whose classifier counts no features
    if key != "incremental":
        assert row["norm"] == pytest.approx(shown[f"norm{iterate}"][-1], rel=1e-9)
        assert row["features_read"] == shown["features_read"][-1]
        assert solver.space.real or row["train_error"] == pytest.approx(
            shown[f"error{iterate}"][-1], abs=1e-12
        )
        assert np.isnan(row["gap"]) or row["gap"] == pytest.approx(
            shown["gap"][-1], rel=1e-9, abs=1e-12
        )
    if solver.goal.objective == "primal" and solver.goal.regularisation(spec.params(1)):
        assert row["primal"] == pytest.approx(shown[f"primal{iterate}"][-1], rel=1e-9)
        assert row["primal"] >= best["primal"] - 1e-12
    assert (
        np.isnan(row["gap"]) or row["gap"] >= row["primal"] - best["primal"] - 1e-12
    )  # D is no more than P*


def test_refused_and_diverged_fits_say_why():
    spec = Spec(
        Recipe(*MOONS, params={"lam": 1e-6}, steps=5), (Axis("k", 1, 60, 3, log=False),), (0,), 3
    ).checked()
    table = Table(spec, store.joined(sweep(spec, Here())))
    assert table.status.tolist() == [UNSETTLED, UNSETTLED, REFUSED]
    assert "more than w = 0" in table.reason(0) and "60" in table.reason(2) and table.best is None


@at_times(8)
def test_processes_of_this_machine_give_the_same_rows_and_may_be_killed():
    spec = SWEEPS["pegasos"].checked()
    backend = Local(1)
    at_work = backend.hands.call(os.getpid)  # whoever was last is next
    live = Live(spec, backend)
    while not live.parts:
        live.thread.join(0.01)
    os.kill(at_work, signal.SIGKILL)
    live.thread.join()
    assert live.error is None and live.total == spec.fits
    mine, theirs = (
        Table(spec, rows) for rows in (live.since(0)[0], store.joined(sweep(spec, Here())))
    )
    for hand in backend.hands.idle:
        hand.kill()
    for name, values in theirs.values.items():
        assert name == "seconds" or np.array_equal(values, mine.values[name], equal_nan=True), name
