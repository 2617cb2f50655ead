"""Incremental SVMs without a record: the pass of `onepass`, and batches that make one longer
pass.
"""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz.data import plane
from svmviz.estimators import IncrementalSVMClassifier
from svmviz.estimators.train import Task, incremental, lasvm, train
from svmviz.maths import kernels
from svmviz.maths.kernels import engine
from svmviz.solvers import SOLVERS
from svmviz.solvers.incremental import onepass
from tests.tools.rotation import by_turns, turn

INCREMENTAL = SOLVERS["incremental"]
SUPPORT, ALL = "LASVM, support vectors", "LASVM, all seen"
KERNELS = [
    kernels.rbf(0.1),
    kernels.poly(2, 0.2, 1.0),
    kernels.laplacian(0.2),
    kernels.imq(0.2),
    kernels.linear(),
]
LAYOUTS = {"blocks": (0.5, 12), "walked": (0.03, 60), "dense": (None, 12)}


def table(layout="dense", n=700, seed=0, dtype=np.float64):
    """Two overlapping classes. No two examples are the same: whether the second one moves would be
    up to rounding.
    """
    share, d = LAYOUTS[layout]
    rng = np.random.default_rng(seed)
    X, y = (
        rng.standard_normal((n, d)) * (rng.random((n, d)) < (share or 1.0)),
        rng.choice([-1.0, 1.0], n),
    )
    X[:, 0] = rng.standard_normal(n) + 0.2 * y
    return plane.make_problem(X if share is None else sp.csr_array(X), y)._replace(
        X=X.astype(dtype) if share is None else sp.csr_array(X.astype(dtype))
    )


def asked(problem, steps=None, seed=3, told=None, **given):
    params = INCREMENTAL.check({"gradients": SUPPORT, "iterate": "last", "K": 5} | given)
    return Task(problem, params, steps or problem.n, seed, **told or {})


def whole(found, n):
    coef = np.zeros(n)
    coef[found.rows] = found.coef[:, 0]
    return coef


def close(a, b, within=1e-9):
    assert a == pytest.approx(b, rel=within, abs=within * abs(b).max())


def agree(task, within=1e-9):
    """Both iterates are those of `onepass`, and nobody ran it."""
    assert lasvm.fits(task.params)
    problem, params = task.problem, dict(task.params)
    expected = onepass.run(
        problem._replace(X=problem.X.astype(np.float64)), task.seed, task.steps, **params
    )
    for iterate, coef in (("last", expected.coef), ("average", expected.average)):
        found = train(INCREMENTAL, task._replace(params=params | {"iterate": iterate}))
        close(whole(found, problem.n), coef, within)
    return expected


# Each kernel with each layout meets two of them, so that each of them meets every kernel and every
# layout.
FORMS_OF_LASVM = (
    {"C": 1.0},
    {"C": 0.05, "K": 20},
    {"C": 0.05, "K": 20, "gradients": ALL},
    {"teacher": "as given"},
    {"intercept": "constant feature", "constant": 2.0, "C": 0.1},
)


@pytest.mark.parametrize(
    ("kernel", "layout"), by_turns(itertools.product(KERNELS, LAYOUTS), 4, always=3), ids=str
)
def test_it_is_the_pass_of_the_paper(kernel, layout):
    problem, k = (
        table(layout),
        KERNELS.index(kernel) + [*LAYOUTS].index(layout) + turn(),
    )  # 4 turns and 5 forms: all meet
    for given in (FORMS_OF_LASVM[k % 5], FORMS_OF_LASVM[(k + 2) % 5]):
        expected = agree(asked(problem, kernel=kernel, **given))
        assert np.count_nonzero(expected.coef) > 50


def test_slots_go_beyond_a_block_and_examples_leave():
    problem = table(n=1500)
    expected = agree(asked(problem, kernel=kernels.rbf(0.02), C=1.0, K=10))
    assert np.count_nonzero(expected.coef) > engine.LANES


def test_rounds_go_on_without_newcomers_or_end_early():
    problem = table(n=300)
    for steps in (120, 450):
        agree(asked(problem, steps, kernel=kernels.rbf(0.1), C=10.0))


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUTS)
def test_single_precision_is_close(layout):
    agree(asked(table(layout, n=300, dtype=np.float32), kernel=kernels.rbf(0.1)), 1e-3)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rows_that_are_kept_change_nothing_but_the_cost(layout):
    problem, given = table(layout, n=900), {"kernel": kernels.rbf(0.1), "C": 10.0, "K": 10}
    plain = train(INCREMENTAL, asked(problem, told={"megabytes": 0.0}, **given))
    for megabytes in (0.3, 8.0):
        kept = train(INCREMENTAL, asked(problem, told={"megabytes": megabytes}, **given))
        close(whole(kept, 900), whole(plain, 900))
        assert kept.costs["kernel_evals"] < plain.costs["kernel_evals"]
    with pytest.raises(ValueError, match="megabytes must be finite"):
        train(INCREMENTAL, asked(problem, told={"megabytes": np.nan}, **given))


FORMS = [
    {},
    {"gradients": ALL},
    {"gradients": "cached"},
    {"gradients": "computed", "algorithm": "Algorithm 1"},
    {"gradients": SUPPORT, "teacher": "active", "pool": 5},
    {"gradients": "cached", "intercept": "constant feature"},
]


@pytest.mark.parametrize(
    ("given", "layout"), by_turns(itertools.product(FORMS, LAYOUTS), 4, always=3), ids=str
)
def test_batches_are_one_pass_in_their_order(given, layout):
    given = {
        "gradients": SUPPORT,
        "teacher": "as given",
        "kernel": "rbf(gamma=0.1)",
        "C": 10.0,
        "K": 7,
        "random_state": 5,
    } | given
    (X, y), Z = table(layout, n=400), table(layout, n=50, seed=1).X
    if given["teacher"] == "as given":
        one = IncrementalSVMClassifier(**given).fit(X, y)
    else:  # whoever is named comes, whatever the teacher says
        one = IncrementalSVMClassifier(**given).partial_fit(X, y, [-1, 1])
    several = IncrementalSVMClassifier(**given)
    for a, b in ((0, 150), (150, 151), (151, 400)):
        several.partial_fit(X[a:b], y[a:b], [-1, 1])
    close(several.decision_function(Z), one.decision_function(Z))
    assert several.dual_coef_.shape == one.dual_coef_.shape
    state = several._state[0]
    assert state.problem.n == (state.begun.support.size if lasvm.fits(several._params) else 400)


@pytest.mark.parametrize("teacher", ["random", "as given"])
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"gradients": ALL},
        {"gradients": "cached"},
        {"algorithm": "batch", "gradients": "cached"},
    ],
    ids=str,
)
def test_two_tasks_are_one_longer_run(given, teacher):
    problem, told = table(n=300), []
    given = {"kernel": kernels.rbf(0.1), "C": 10.0, "teacher": teacher} | given
    first = train(INCREMENTAL, asked(problem, 200, **given))
    more = {"state": first.state, "watch": lambda *so_far: told.append(so_far)}
    second, once = (
        train(INCREMENTAL, asked(problem, 250, told=more, **given)),
        train(INCREMENTAL, asked(problem, 450, **given)),
    )
    close(whole(second, 300), whole(once, 300))
    assert told[-1][0] == 250 and told[-1][1]
    again = train(INCREMENTAL, asked(problem, 250, told=more, **given))  # a state may be used twice
    assert np.array_equal(again.coef, second.coef)


@pytest.mark.parametrize("gradients", [SUPPORT, "cached"])
def test_another_box_and_another_kernel_may_follow(gradients):
    """Responses are those of the coefficients that fit into the box, under the kernel that is there
    now.
    """
    problem = table(n=200)
    first = train(INCREMENTAL, asked(problem, kernel=kernels.rbf(0.1), C=10.0, gradients=gradients))
    for given in (
        {"kernel": kernels.rbf(0.1), "C": 0.5},
        {"kernel": kernels.laplacian(0.2), "C": 10.0},
    ):
        more = train(
            INCREMENTAL,
            asked(problem, 1, told={"state": first.state}, gradients=gradients, **given),
        )
        begun = more.state.begun
        assert abs(begun.coef).max() <= given["C"]
        f = engine.responses(given["kernel"], problem.X, begun.coef[:, None], problem.X)[:, 0]
        close(begun.f[begun.support], f[begun.support])


def test_one_form_may_follow_another():
    """All seen go on with the support vectors that LASVM kept, and the other way round."""
    X, y = table(n=300)
    model = IncrementalSVMClassifier(kernel="rbf(gamma=0.1)", gradients=SUPPORT, K=10)
    for k, gradients in enumerate((SUPPORT, "cached", SUPPORT, ALL)):
        model.set_params(gradients=gradients).partial_fit(
            X[75 * k : 75 * k + 75], y[75 * k : 75 * k + 75], [-1, 1]
        )
        coef, vectors = np.ascontiguousarray(model._state[0].begun.coef[:, None]), model._state[0]
        f = engine.responses(
            kernels.rbf(0.1), vectors.problem.X, coef[vectors.who], vectors.problem.X
        )[:, 0]
        support = np.isin(vectors.who, vectors.begun.support)
        close(vectors.begun.f[vectors.who][support], f[support])


def test_everything_else_runs_as_before():
    for given in (
        {"gradients": "cached"},
        {"teacher": "active", "pool": 5},
        {"gradients": "computed", "algorithm": "batch"},
    ):
        task = asked(table(n=100), kernel=kernels.rbf(0.1), **given)
        expected = onepass.run(task.problem, task.seed, task.steps, **task.params)
        found = incremental.train(INCREMENTAL, task)
        assert not lasvm.fits(task.params) and np.array_equal(whole(found, 100), expected.coef)
        assert found.costs["kernel_evals"] == expected.kernel_evals
