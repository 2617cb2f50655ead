"""One pass over large data: the algorithm of the traced runs, and a cache of kernel values that
nobody can tell from none.
"""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz.data import plane
from svmviz.maths import kernels, matrix
from svmviz.solvers import SOLVERS
from svmviz.solvers.incremental import blocks, cache, onepass
from tests.tools import forked
from tests.tools.rotation import by_turns, sized

INCREMENTAL = SOLVERS["incremental"]
GAUSS = plane.gauss(n=300, seed=1)
GRADIENTS = ("computed", "cached", "LASVM, all seen", "LASVM, support vectors")


def table(n: int, d: int, share: float, seed: int = 0) -> plane.Problem:
    """Two overlapping classes in d features, of which an example has some."""
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((n, d)) * (rng.random((n, d)) < share), rng.choice([-1, 1], n)
    X[:, 0] += 0.2 * y
    return plane.make_problem(sp.csr_array(X), y)


@pytest.mark.parametrize(
    ("gradients", "sparse"), by_turns(itertools.product(GRADIENTS, [False, True]), 3, always=2)
)
def test_it_is_the_same_algorithm(gradients, sparse):
    problem = plane.make_problem(sp.csr_array(GAUSS.X) if sparse else GAUSS.X, GAUSS.y)
    for teacher in ("random", "active"):
        given = {"K": 10, "teacher": teacher, "gradients": gradients}
        trace, run = (
            INCREMENTAL.trace(problem, steps=300, seed=5, **given),
            onepass.run(problem, seed=5, **given),
        )
        assert abs(run.coef - trace.coef(300, "last")).max() <= 1e-8
        assert abs(run.average - trace.coef(300, "average")).max() <= 1e-8
        assert (
            run.kernel_evals == trace.metrics["kernel_evals"][-1]
            and run.pairs == trace.scalars["pairs"][-1]
        )


@pytest.mark.parametrize("algorithm", ["Algorithm 1", "batch"])
def test_so_are_the_others(algorithm):
    """Not the counts: a second step on one example is as small as a rounding error, and may be none
    in one of them.
    """
    problem, given = (
        table(300, 12, 0.5),
        {
            "K": 10,
            "algorithm": algorithm,
            "gradients": "cached",
            "kernel": kernels.rbf(0.1),
        },
    )
    trace, run = (
        INCREMENTAL.trace(problem, steps=300, seed=5, **given),
        onepass.run(problem, seed=5, **given),
    )
    assert (
        np.count_nonzero(run.coef) > 100 and abs(run.coef - trace.coef(300, "last")).max() <= 1e-8
    )
    assert abs(run.average - trace.coef(300, "average")).max() <= 1e-8


@pytest.mark.parametrize(
    ("given", "share", "d"),
    by_turns(
        [
            (given, *form) if k % 2 == 0 else pytest.param(given, *form, marks=pytest.mark.long)
            for form in ((0.5, 12), (0.03, 60), (None, 12))  # blocks, sparse, dense
            for k, given in enumerate(
                [
                    *({"gradients": g} for g in GRADIENTS),
                    {"algorithm": "batch", "gradients": "cached"},
                    {"algorithm": "Algorithm 1", "gradients": "cached"},
                    {"teacher": "active", "pool": 5},
                ]
            )
        ],
        4,
        always=2,
    ),
    ids=str,
)
@pytest.mark.parametrize("n", sized(600, 900))
def test_a_cache_changes_nothing_but_the_time(given, share, d, n):
    """With room for all rows, for some, so that they widen and most must go, for a single one, and
    without any.
    """
    problem, kernel = table(n, d, share or 0.5), kernels.rbf(0.1)
    if share is None:
        problem = plane.make_problem(problem.X.toarray(), problem.y)
    plain = onepass.run(problem, seed=3, K=5, C=10.0, kernel=kernel, megabytes=0, **given)
    assert np.count_nonzero(plain.coef) > 200
    for megabytes in (8, n / 3000, n * 8 / 2**20):
        kept = onepass.run(
            problem, seed=3, K=5, C=10.0, kernel=kernel, megabytes=megabytes, **given
        )
        assert np.array_equal(kept.coef, plain.coef) and np.array_equal(kept.average, plain.average)
        assert kept[2:5] == plain[2:5]


@pytest.mark.parametrize(
    "kernel",
    [kernels.linear(), kernels.poly(2, 0.2, 1.0), kernels.laplacian(0.2), kernels.imq(0.2)],
    ids=str,
)
def test_so_it_does_with_other_kernels(kernel):
    problem = table(400, 12, 0.5)
    for gradients in GRADIENTS[1:]:
        runs = [
            onepass.run(problem, K=5, C=0.1, kernel=kernel, gradients=gradients, megabytes=m)
            for m in (0, 0.2, 8)
        ]
        assert np.count_nonzero(runs[0].coef) > 50
        assert all(
            np.array_equal(run.coef, runs[0].coef) and run[2:5] == runs[0][2:5] for run in runs[1:]
        )


def test_examples_in_blocks_give_the_bits_of_the_plain_loop():
    X, rng = table(700, 30, 0.3).X, np.random.default_rng(1)
    rows, held, out = matrix.rows(X), blocks.empty(X, True), np.full(700, np.nan)
    members = rng.permutation(700)
    blocks.put_all(held, rows, members)
    for p in (699, 256, 3):  # one leaves, another takes its place
        blocks.clear(held, rows, members[p], p)
        members[p] = members[0]
        blocks.put(held, rows, members[p], p)
    for first, last in ((0, 700), (255, 257), (300, 301), (10, 10), (256, 512), (1, 699)):
        out[:] = np.nan
        blocks.products(held, rows, 5, first, last, out)
        assert np.array_equal(
            out[first:last],
            [kernels.k(kernels.linear(), rows, 5, rows, j) for j in members[first:last]],
        )
        assert np.isnan(out[:first]).all() and np.isnan(out[last:]).all()
    assert not blocks.there(blocks.empty(X, False)) and not blocks.there(
        blocks.empty(table(50, 200, 0.02).X, True)
    )


def test_rows_of_the_cache_are_right_as_far_as_they_say_whatever_happens():
    """Members come and go at random, rows are asked for; the truth is known for every pair."""
    n, rng, gone = 600, np.random.default_rng(0), 0
    low, high = np.sort(np.indices((n, n)), axis=0)
    truth = 1000.0 * low + high
    held, support, outside = (
        cache.empty(n, 8 * 50_000 / 2**20),
        np.zeros(n, np.int64),
        list(rng.permutation(n)),
    )
    many, whole = 0, 0
    owner, fills, used, row = held.book
    for step in range(1500):
        before = np.count_nonzero(owner >= 0)
        if many < 2 or (rng.random() < 0.45 and outside):
            i, support[many] = outside[-1], outside.pop()
            many += 1
            cache.widen(held, many)
            cache.learn(held, support, many, truth[i, support[:many]], many - 1)
        elif rng.random() < 0.3:
            p, many = int(rng.integers(many)), many - 1
            outside.insert(int(rng.integers(len(outside) + 1)), support[p])  # it may come back soon
            support[p] = support[many]
            cache.forget(held, p, many)
        else:
            i = support[rng.integers(many)]
            oldest = owner[used[: held.state[cache.HEIGHT]].argmin()]
            known = row[i] >= 0
            r = cache.claim(held, i)
            assert owner[r] == i and (known or oldest < 0 or row[oldest] < 0), (
                "the least recently used makes room"
            )
            start, fill = r * held.state[cache.WIDTH], fills[r]
            whole += fill == many
            held.values[start + fill : start + many] = truth[i, support[fill:many]]
            fills[r] = many
        width, height = held.state[[cache.WIDTH, cache.HEIGHT]]
        assert many <= width and width * height <= held.values.size
        gone += np.count_nonzero(owner >= 0) < before
        there = np.flatnonzero(owner >= 0)
        assert np.array_equal(row[owner[there]], there) and np.count_nonzero(row >= 0) == there.size
        assert (there < height).all() and fills.max() <= many
        for r in there[step % 10 :: 10]:
            i, fill = owner[r], fills[r]
            assert np.array_equal(
                held.values[r * width : r * width + fill], truth[i, support[:fill]]
            )
    assert many > 260 and height < many and gone > 0 and whole > 100, (many, height, gone, whole)


def test_memory_that_makes_no_sense_is_refused():
    for megabytes in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="megabytes must be finite"):
            onepass.run(GAUSS, megabytes=megabytes)


FEW = """
import numpy as np
from svmviz import estimators, make_problem
from svmviz.data import plane
X, y = plane.moons(n=8, noise=0.2, seed=1)
for teacher in ("active", "adversary"):
    for _ in range(20):  # a write beyond an array is not always fatal at once
        model = estimators.IncrementalSVMClassifier(teacher=teacher, K=400, steps=30, random_state=2).fit(X, y)
    trace = model.solver.trace(make_problem(X, y), 30, 2, **dict(model.solver.uses.fit_defaults) | {"teacher": teacher, "K": 400})
    assert np.allclose(model.decision_function(X), np.ravel(trace.f(30, X)), rtol=1e-9, atol=1e-9), teacher
"""


def test_pass_with_more_draws_a_round_than_examples_stays_within_its_arrays():
    forked.run(FEW)
