"""What holds of every run, whatever the solver, loss, kernel and scale: numbers are finite, P is
not below what it can be, and no gap is below 0. Two broke it: steps along slopes without a bound,
which reached 1e262, and a P of drifted margins, which lay below P*.
"""

import itertools

import numpy as np
import pytest

from svmviz.data.bundled import BUNDLED
from svmviz.data.plane import moons
from svmviz.data.problem import make_problem
from svmviz.data.targets import sine
from svmviz.maths import kernels
from svmviz.maths.losses import bounded
from svmviz.solvers import SOLVERS
from svmviz.theory import reference
from tests.tools.rotation import by_turns

STEPS = 60
SCALES = 1e-6, 1e-3, 1.0, 1e3, 1e6
KERNELS = None, kernels.rbf(1.0), kernels.poly(2, 1.0, 1.0)
SLACK = 1e-9
TWO, REAL, MANY = moons(n=24, noise=0.3), sine(n=24), BUNDLED["iris"].problem(n=24)


def settings(solver) -> list[dict]:
    """Its losses and kernels, and its boxes at either end."""
    given = {p.name: p for p in solver.params}
    losses = given["loss"].options if "loss" in given else (None,)
    options = [
        kernel for kernel in KERNELS if "kernel" in given and given["kernel"].accepts(kernel)
    ] or [...]
    found = [
        ({"loss": loss} if loss else {}) | ({"kernel": kernel} if kernel is not ... else {})
        for loss, kernel in itertools.product(losses, options)
    ]
    return [one for one in found if solver.goes(one)]


def problems(solver):
    base = REAL if solver.space.real else MANY if solver.space.every_class else TWO
    for scale in SCALES:
        yield f"scale {scale:g}", base._replace(X=base.X * scale)
    if base.X.shape[1] > 1:
        yield "columns apart", base._replace(X=base.X * np.geomspace(1e-5, 1e5, base.X.shape[1]))


def complaints(solver, name: str, problem, given: dict):
    """Whatever does not hold of one run."""
    try:
        solver.algorithm.suits(problem, solver.check(given))
        trace = solver.trace(problem, STEPS, seed=1, **given)
    except ValueError:  # it is refused in a sentence
        return
    where, found = f"{name}, {given}", trace.metrics
    for key, values in found.items():
        if not np.isfinite(values).all() and not (np.isnan(values).all() or key in MAY_LACK):
            yield f"{where}: {key} is not finite"
    if "gap" in found and not (found["gap"] >= -SLACK * (1.0 + np.abs(found["primal"]))).all():
        yield (
            f"{where}: a gap of {found['gap'].min():.3g} beside P ="
            f" {found['primal'][found['gap'].argmin()]:.3g}"
        )
    best = solver.optimum(problem, trace.params()) if solver.optimum else None
    least = getattr(best, "primal", None)
    if (
        least is not None
        and trace.segments[-1].active.size == problem.n
        and solver.key not in GROWING
    ):
        low = found["primal"].min()
        if not low >= least - best.gap - SLACK * (1.0 + abs(least)):
            yield f"{where}: P = {low!r} below P* = {least!r} (gap {best.gap:.2g})"


MAY_LACK = {"level", "lowest", "highest"}
GROWING = {"idsvm", "tvm", "incremental"}  # whose P is of those learnt so far


@pytest.mark.parametrize("key", by_turns(SOLVERS, every=8, always=0))
def test_numbers_are_finite_p_is_not_below_its_optimum_and_no_gap_below_0(key):
    solver = SOLVERS[key]
    found = [
        complaint
        for name, problem in problems(solver)
        for given in settings(solver)
        for complaint in complaints(solver, name, problem, given)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lam", [0.05, 1e-3, 1e-5])
@pytest.mark.parametrize(
    ("key", "loss"),
    [("pegasos", "squared hinge"), ("bsgd", "squared hinge"), ("regression", "squared")],
)
def test_with_slopes_without_a_bound_w_stays_in_a_ball(key, loss, lam):
    solver = SOLVERS[key]
    problem = REAL if solver.space.real else TWO
    trace = solver.trace(problem, 400, seed=1, loss=loss, lam=lam)
    assert not bounded(trace.params()) and "project" not in {
        p.name for p in solver.params if p.matters(trace.params())
    }
    longest = np.sqrt((problem.y**2).mean() / lam) if solver.space.real else lam**-0.5
    assert trace.metrics["norm"].max() <= longest * (1 + 1e-12)
    assert trace.metrics["primal"].max() < 1e6


@pytest.mark.parametrize(
    ("scale", "C"),
    [((1e6, 1, 1), 1e3), ((1e6, 1, 1), 1e5), ((1e6, 1e-6, 1), 1e3), ((1e5, 1e-5, 1), 1e5)],
)
def test_idsvm_says_what_rounding_leaves_of_its_optimum(scale, C):
    """P and D of the alphas that it has, and never a P below that of the exact optimum."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = np.where(X @ [1.0, 0.5, -0.3] + 0.6 * rng.normal(size=40) > 0, 1, -1)
    problem = make_problem((X * scale).tolist(), y.tolist())
    trace = SOLVERS["idsvm"].trace(problem, 40, C=C, kernel=None)
    found, best = trace.metrics, reference.optimum(problem, 1.0 / (C * 40))
    assert found["primal"][-1] >= best.primal * (1 - SLACK) and found["gap"].min() >= -SLACK
    assert ("Scale the columns" in trace.why(40)) == (
        found["gap"][-1] > 1e-6 * (1 + found["primal"][-1])
    )
