"""Generated data of three classes and more, and what the app does where a solver cannot tell them
apart.
"""

import numpy as np
import pytest

from svmviz.data import many_classes
from svmviz.data.many_classes import MULTICLASS
from svmviz.maths import kernels
from svmviz.run.recipe import Recipe, from_query
from svmviz.solvers import SOLVERS

every = pytest.mark.parametrize("key", MULTICLASS)


@every
@pytest.mark.parametrize("classes", [3, 5, 10])
def test_shape_classes_and_exactness(key, classes):
    if classes > next(p.high for p in MULTICLASS[key].params if p.name == "classes"):
        pytest.skip("so many classes are not for these data")
    for n in (10, 57, 2000):
        problem = MULTICLASS[key].problem(n=n, classes=classes, seed=n)
        assert problem.X.shape == (n, 2) and problem.classes == classes
        counts = np.bincount(problem.y.astype(int))
        assert counts.size == classes and (key == "tagging" or counts.max() - counts.min() <= 1)
        assert np.array_equal(problem.X, problem.X.astype(np.float32))


@every
def test_the_seed_decides_and_noise_moves_the_points_on_straight_lines(key):
    entry = MULTICLASS[key]
    high = next(p.high for p in entry.params if p.name == "noise")
    a, b, c, again, other = (
        entry.problem(n=60, noise=noise, seed=seed)
        for noise, seed in ((0.0, 2), (high / 2, 2), (high, 2), (high, 2), (high, 3))
    )
    assert (
        np.array_equal(c.X, again.X)
        and not np.isin(c.X, other.X).any()
        and np.array_equal(a.y, c.y)
    )
    assert np.allclose(b.X, (a.X + c.X) / 2, atol=2e-6) and abs(a.X - c.X).max() > 0.1
    assert np.count_nonzero(np.diff(entry.problem(n=1000).y)) > 500  # not sorted by class


def test_the_classes_lie_where_they_should():
    X, y = many_classes.ring(n=400, noise=0, classes=4)
    corners = 1.5 * np.array([[0, 1], [-1, 0], [0, -1], [1, 0]])
    assert np.allclose(X, corners[y.astype(int)], atol=1e-6)
    X, y = many_classes.pinwheel(n=400, noise=0, classes=5)
    radius, angle = np.hypot(*X.T), np.arctan2(X[:, 1], X[:, 0])
    assert np.allclose(np.cos(angle - 0.7 * radius - 2 * np.pi * y / 5), 1, atol=1e-5)


@every
def test_a_script_and_a_link_give_the_same_run(key):
    recipe = Recipe(key, {"n": 40}, "bsgd", {"B": 8}, steps=60).checked()
    scope = {}
    exec(recipe.python().replace("print", "(lambda *_: None)"), scope)
    assert np.array_equal(scope["trace"].at(60).coef, recipe.trace().at(60).coef)
    again, messages = from_query(recipe.query())
    assert not messages and again.checked() == recipe


def test_with_more_than_two_classes_a_score_per_class_is_no_choice():
    problem = many_classes.ring(n=60)
    trace = SOLVERS["bsgd"].trace(problem, steps=80, B=6, changes=[(40, {"B": 4})])
    assert all(
        s.params["multiclass"] for s in trace.segments
    ) and "Crammer–Singer" in trace.solver.story.figure(trace.params())
    rival, drawn = trace.scalars["rival"][1:].astype(int), trace.drawn[1:]
    assert (rival != problem.y[drawn]).all()
    spoken = {bool(" over class" in trace.why(t)) for t in range(1, 81)}
    assert spoken == {True}


@pytest.mark.parametrize("key", [k for k, solver in SOLVERS.items() if not solver.space.multiclass])
def test_a_solver_of_two_classes_says_so(key):
    with pytest.raises(
        ValueError, match="fits numbers|separates two classes, and this problem has 3"
    ):
        Recipe("ring", {"n": 30}, key, steps=5).checked().trace()


def test_regions_are_learnt():
    trace = SOLVERS["bsgd"].trace(
        many_classes.pinwheel(), steps=1500, B=40, lam=1e-3, kernel=kernels.rbf(4.0)
    )
    assert trace.metrics["error"][-1] < 0.1
