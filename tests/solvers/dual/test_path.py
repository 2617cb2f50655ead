"""The exact path of an SVM: against a transcription that solves every system anew, the batch
optimum, back and forth.
"""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz.data.problem import Problem
from svmviz.maths import kernels
from svmviz.solvers.idsvm import log as bends
from svmviz.solvers.idsvm import path
from svmviz.theory import reference
from tests.tools.rotation import by_turns

KERNELS = (
    kernels.rbf(1.0),
    kernels.rbf(0.02),
    kernels.linear(),
    kernels.poly(3, 1.0, 1.0),
    kernels.poly(6, 1.0, 1.0),
)


def come(Q, C, alpha, sets, c):
    """Cauwenberghs and Poggio without a bias: c comes to those who have a set; alpha and sets
    follow. Returns all events.
    """
    seen, events = [*sets, c], []
    if Q[c, seen] @ alpha[seen] - 1 >= 0:
        sets[c] = path.REST
    while c not in sets:
        S = [j for j in sets if sets[j] == path.MARGIN]
        beta = np.zeros(len(Q))
        beta[S], beta[c] = -np.linalg.solve(Q[np.ix_(S, S)], Q[S, c]), 1.0
        gamma, g = Q @ beta, Q[:, seen] @ alpha[seen] - 1
        found = [(-g[c] / gamma[c], c, path.MARGIN), (C[c] - alpha[c], c, path.ERROR)]
        found += [((C[j] - alpha[j]) / beta[j], j, path.ERROR) for j in S if beta[j] > 0]
        found += [(-alpha[j] / beta[j], j, path.REST) for j in S if beta[j] < 0]
        found += [
            (-g[j] / gamma[j], j, path.MARGIN)
            for j in sets
            if sets[j] == path.REST and gamma[j] < 0
        ]
        found += [
            (-g[j] / gamma[j], j, path.MARGIN)
            for j in sets
            if sets[j] == path.ERROR and gamma[j] > 0
        ]
        far, who, to = min(found)
        alpha += far * beta
        alpha[who] = {path.REST: 0.0, path.ERROR: C[who]}.get(to, alpha[who])
        sets[who] = to
        events.append((who, to))
    return events


def filled(K, y, C) -> path.Box:
    """A box that knows these examples, and has learnt none."""
    box = path.empty(len(y))
    box.Q[:], box.C[:] = K * np.outer(y, y), C
    return box


def violated(box) -> float:
    """By how much the conditions of the optimum fail, beside the size of f."""
    m = box.member[: box.count[path.N_MEMBERS]]
    alpha, C, Q = box.alpha[m], box.C[m], box.Q[np.ix_(m, m)]
    g = Q @ alpha - 1
    assert (alpha >= 0).all() and (alpha <= C).all()
    assert box.count[path.STUCK] == 0
    assert not np.isin(box.where[m], (path.ABSENT, path.WAITING)).any()
    off = np.where(alpha == 0, -g, np.where(alpha == C, g, np.abs(g)))
    return max(0.0, off.max(initial=0.0)) / max(
        1.0, alpha.max(initial=0.0) * Q.diagonal().max(initial=0.0)
    )


def made(kind, n, rng):
    """Examples of which many tie, coincide or contradict each other."""
    X = rng.normal(size=(n, 2))
    if kind == "grid":
        X = rng.integers(-3, 4, size=(n, 2)) / 2
    if kind in ("twice", "contradictory"):
        X = X[rng.integers(0, n // 4, n)]
    y = np.where(X[:, 0] + (0.5 * rng.normal(size=n) if kind != "twice" else 0) > 0, 1.0, -1.0)
    return X, np.ones(n) if kind == "one class" else y


@pytest.mark.parametrize("seed", by_turns(range(20), 4, always=3))
def test_it_is_the_papers_path_event_by_event(seed):
    rng = np.random.default_rng(seed)
    n, kernel = 40, (kernels.rbf(1.0), kernels.rbf(4.0), kernels.poly(3, 0.5, 1.0))[seed % 3]
    X, y = made("apart", n, rng)
    K, C = kernels.gram(kernel, X), rng.uniform(0.2, 5.0, n)
    order, box, log = rng.permutation(n), filled(K, y, C), bends.empty(4000, 80000)
    alpha, sets, events = np.zeros(n), {}, []
    for c in order.tolist():
        path.learn(box, c, log)
        events += come(K * np.outer(y, y), C, alpha, sets, c)
        assert box.alpha == pytest.approx(alpha, rel=1e-10, abs=1e-10)
    many = log.count[bends.N_EVENTS]
    assert log.count[bends.CUT] == 0
    assert list(zip(log.slot[:many].tolist(), log.to[:many].tolist(), strict=True)) == events
    assert {int(i): int(box.where[i]) for i in order} == sets
    for e in range(many):  # at each bend the alphas that moved are told
        told = log.knot[log.last[e - 1] if e else 0 : log.last[e]]
        assert len(set(told.tolist())) == told.size


@pytest.mark.parametrize(
    ("kind", "kernel"),
    by_turns(
        itertools.product(["contradictory", "apart", "grid", "twice", "one class"], KERNELS),
        4,
        always=5,
    ),
    ids=str,
)
def test_the_optimum_stays_exact_as_examples_come_and_go(kernel, kind):
    for C in (1e-3, 1.0, 1e5):
        rng = np.random.default_rng(1)
        X, y = made(kind, 80, rng)
        box, log = filled(kernels.gram(kernel, X), y, C), bends.empty()
        for c in range(80):
            path.learn(box, c, log)
            assert violated(box) < 1e-10
        for c in rng.permutation(80)[:60]:
            path.unlearn(box, c, log)
            assert violated(box) < 1e-10
            assert box.alpha[c] == 0 and box.where[c] == path.ABSENT


@pytest.mark.parametrize("kernel", [kernels.rbf(1.0), kernels.linear()], ids=str)
def test_it_is_the_batch_optimum_after_every_example(kernel):
    rng, C = np.random.default_rng(3), 2.0
    X, y = made("apart", 40, rng)
    sparse = sp.csr_array(np.where(np.abs(X) > 0.3, X, 0.0))
    for data in (X, sparse):
        K = kernels.gram(kernel, data)
        box, log = filled(K, y, C), bends.empty()
        for c in range(40):
            path.learn(box, c, log)
            if c < 2 or c % 6 == 0:
                best = reference.optimum(
                    Problem(data[: c + 1], y[: c + 1]), 1.0 / (C * (c + 1)), kernel
                )
                assert K[: c + 1, : c + 1] @ (y * box.alpha)[: c + 1] == pytest.approx(
                    K[: c + 1, : c + 1] @ (y[: c + 1] * best.alpha), abs=1e-6
                )


@pytest.mark.parametrize("seed", range(6))
def test_unlearning_brings_back_what_was_there(seed):
    rng = np.random.default_rng(seed)
    X, y = made("apart", 50, rng)
    box, log, before = (
        filled(kernels.gram(kernels.rbf(1.0), X), y, rng.uniform(0.2, 5.0, 50)),
        bends.empty(),
        [],
    )
    for c in range(50):
        before.append(
            (box.alpha.copy(), box.where.copy(), np.where(box.where > path.WAITING, box.g, 0.0))
        )
        path.learn(box, c, log)
    for c in range(49, -1, -1):
        path.unlearn(box, c, log)
        alpha, where, g = before[c]
        assert box.alpha == pytest.approx(alpha, abs=1e-10)
        assert box.where.tolist() == where.tolist()
        assert np.where(box.where > path.WAITING, box.g, 0.0) == pytest.approx(g, abs=1e-10)


def test_boxes_may_change_on_the_way():
    rng = np.random.default_rng(5)
    X, y = made("apart", 60, rng)
    box, log = filled(kernels.gram(kernels.rbf(1.0), X), y, 1.0), bends.empty()
    for c in range(60):
        path.learn(box, c, log)
    for C in (0.3, 20.0, 1e-3):
        path.unsettle(box, C * np.ones(60))
        path.settle(box, log)
        assert violated(box) < 1e-10


def test_of_a_vector_of_zeros_alpha_goes_to_the_end_of_its_box():
    box, log = (
        filled(kernels.gram(kernels.linear(), np.array([[0.0], [2.0]])), np.array([1.0, 1.0]), 3.0),
        bends.empty(),
    )
    for c in (0, 1):
        path.learn(box, c, log)
    assert box.alpha.tolist() == [3.0, 0.25]
    assert box.where.tolist() == [path.ERROR, path.MARGIN]
