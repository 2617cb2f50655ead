"""Rivals of a run of SIMBA: the error over features read, of several runs of SIMBA, Pegasos and the
Perceptron.

As in Figure 1 of the paper, λ of Pegasos is tuned on the rows that the error is measured on, SIMBA
predicts by its average, the others by their last w. It takes longer than a first picture may, so
the player asks for it once the run is on screen.
"""

import numpy as np

from svmviz.data.many_features import FAMILIES
from svmviz.data.unseen import test_set
from svmviz.maths.matrix import entries
from svmviz.papers.evidence.costs import near, settled
from svmviz.papers.simba import figures, verdicts
from svmviz.papers.simba.datasets import Setting
from svmviz.record import metrics
from svmviz.record.trace import Trace
from svmviz.run.rivals import possible, spread
from svmviz.work.limits import ONE_THREAD

RUNS, POINTS, OWN, FRESH = 10, 60, 80, 2000
BAND = 0.1, 0.9  # of the runs
LAMS = 1e-4, 1e-3, 1e-2, 1e-1
STEPS = 20_000  # of Pegasos, at most: beyond, the rivals' curves end


def unseen(recipe, problem):
    """Rows to measure the error on that no step sees; None where there are none."""
    if recipe.data not in FAMILIES:
        return test_set(recipe.source, recipe.data_params, problem)
    most = next(p for p in recipe.source.params if p.name == "n").high
    whole = recipe.source.problem(**dict(recipe.data_params) | {"n": min(most, problem.n + FRESH)})
    return (
        whole._replace(X=whole.X[problem.n :], y=whole.y[problem.n :])
        if whole.n > problem.n
        else None
    )


@ONE_THREAD
def compared(recipe, known: Trace | None = None) -> dict | None:
    """What the stage shows, or None: the run itself, and for each solver the mean over `RUNS` runs
    with a band.
    """
    trace = known or recipe.trace()
    if not possible(trace):
        return None
    problem, params = trace.problem, dict(trace.params())
    test, whole = unseen(recipe, problem), entries(problem.X)
    rows = problem if test is None else test
    reads = min(
        max(float(metrics.costs(trace)["features_read"][-1]), whole), STEPS * whole / problem.n
    )
    setting = Setting("", "", lambda: None, (params.pop("nu"),), LAMS, reads, "")
    ready = figures.Ready(setting, problem, rows.X, rows.y)
    values = {solver: figures.tuned(ready, solver) for solver in figures.NAMES}
    given = {"simba": params}
    curves = {
        s: [figures.curve(ready, s, values[s], seed, **given.get(s, {})) for seed in range(RUNS)]
        for s in figures.NAMES
    }
    size = figures.size_of(ready)
    grid = figures.grid_of(size, curves, "entries", POINTS)
    tables = {s: figures.on_grid(size, s, runs, "entries", grid) for s, runs in curves.items()}
    means = {s: table.mean(axis=0) for s, table in tables.items()}
    return {
        "reads": grid.tolist(),
        "whole": whole,
        "runs": RUNS,
        "lam": values["pegasos"],
        "n_test": rows.n,
        "unseen": test is not None,
        "own": own(trace, rows),
        "gain": gain(grid, means),
        "curves": [
            {
                "name": figures.NAMES[s],
                "mean": numbers(means[s]),
                **{
                    name: numbers(np.quantile(table, q, axis=0))
                    for name, q in zip(("low", "high"), BAND, strict=True)
                },
            }
            for s, table in tables.items()
        ],
    }


def own(trace: Trace, rows) -> dict | None:
    """The error of the run on the stage, after a few of its steps."""
    times = spread(trace.steps, OWN)
    which = trace.params()["iterate"]
    W = np.array([trace.problem.X.T @ trace.coef(t, which) for t in times.tolist()])
    f = (rows.X @ W.T) + [trace.b(t, which) for t in times.tolist()]
    return {"t": times.tolist(), "error": ((f >= 0) != (rows.y > 0)[:, None]).mean(axis=0).tolist()}


def gain(grid: np.ndarray, means: dict[str, np.ndarray]) -> dict | None:
    """What SIMBA and Pegasos have read when their mean error stays within what both reach; None if
    one is not there.
    """
    held = {s: verdicts.held(means[s])[0] for s in ("simba", "pegasos")}
    target = near(max(float(error.min()) for error in held.values()))
    cost = {s: settled(grid, error, target) for s, error in held.items()}
    return {"error": target, **cost} if np.isfinite(list(cost.values())).all() else None


def numbers(values: np.ndarray) -> list:
    """For JSON, which has no word for what was not measured."""
    return [None if np.isnan(v) else round(float(v), 6) for v in values]
