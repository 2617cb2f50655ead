"""The Twin Vector Machine: an exact SVM over its rack, never more than its budget, the SVM of all
while there is room.
"""

import numpy as np
import pytest

from svmviz.data import plane
from svmviz.estimators import TwinVectorMachineClassifier
from svmviz.maths import kernels
from svmviz.run.streams import stream, twinned
from svmviz.solvers import SOLVERS
from svmviz.solvers.tvm.twins import COMBINED, DROPPED
from svmviz.theory import reference
from tests.tools.variants import seldom

TVM = SOLVERS["tvm"]
KERNEL = kernels.rbf(2.0)


def exact(Q, C):
    """argmin of 1/2 a'Qa - Σ a in the boxes, by Newton steps on the free ones: slow, and right."""
    a = np.zeros(len(C))
    for _ in range(4000):
        i = int(
            np.argmax(
                np.where(
                    a <= 0,
                    np.maximum(0, -(g := Q @ a - 1)),
                    np.where(a >= C, np.maximum(0, g), abs(g)),
                )
            )
        )
        a[i] = min(max(a[i] - g[i] / Q[i, i], 0.0), C[i])
        if _ % 20 == 19:
            free = (a > 1e-9 * C) & (a < C * (1 - 1e-9))
            new = a.copy()
            new[free] = np.linalg.lstsq(
                Q[np.ix_(free, free)], 1 - Q[np.ix_(free, ~free)] @ a[~free], rcond=None
            )[0]
            if (new >= 0).all() and (new <= C).all():
                a = new
            g = Q @ a - 1
            if max(np.where(a <= 0, -g, np.where(a >= C, g, abs(g)))) < 1e-11:
                break
    return a


def transcribed(X, y, kernel, order, B, C, near, far):
    """The machine with an SVM that is solved anew after every change; its places, counts and f at
    all rows after each step.
    """
    V, S, after = [], [], []

    def solved():
        if not V:
            return lambda Z: np.zeros(len(Z))
        signs = [(k, side) for k in range(len(V)) for side in (0, 1) if S[k][side]]
        at = np.array([V[k] for k, _ in signs])
        label = np.array([1.0 - 2 * side for _, side in signs])
        a = exact(
            kernels.gram(kernel, at) * np.outer(label, label),
            np.array([C * S[k][side] for k, side in signs]),
        )
        return lambda Z: kernels.gram(kernel, Z, at) @ (label * a)

    f = solved()
    for i in order:
        if len(V) < B or y[i] * f(X[[i]])[0] <= near:
            V.append(X[i].copy())
            S.append([float(y[i] > 0), float(y[i] < 0)])
            f = solved()
        while len(V) > B:
            values = f(np.array(V))
            margins = [
                min(v if s[0] else np.inf, -v if s[1] else np.inf)
                for v, s in zip(values, S, strict=True)
            ]
            if max(margins) > far:
                gone = int(np.argmax(margins))
                del V[gone], S[gone]
                continue
            pairs = [
                (sum(S[a]) * sum(S[b]) / (sum(S[a]) + sum(S[b])) * ((V[a] - V[b]) ** 2).sum(), a, b)
                for a in range(len(V))
                for b in range(a + 1, len(V))
                if (values[a] >= 0) == (values[b] >= 0)
            ]
            _, a, b = min(pairs)
            h = sum(S[a]) / (sum(S[a]) + sum(S[b]))
            V[a], S[a] = h * V[a] + (1 - h) * V[b], [S[a][0] + S[b][0], S[a][1] + S[b][1]]
            del V[b], S[b]
            f = solved()
        after.append((len(V), sum(map(sum, S)), f(X)))
    return after


@pytest.mark.parametrize("seed", seldom(range(20), 3))
def test_it_is_the_machine_whose_svm_is_solved_anew(seed):
    problem = plane.moons(n=40, noise=0.3, seed=seed)
    B, C, far = 6 + seed % 4, (0.5, 2.0)[seed % 2], (1.3, 2.0)[seed // 2 % 2]
    trace = TVM.trace(problem, 40, seed=seed, B=B, C=C, kernel=KERNEL, far=far)
    for t, (many, stands, f) in enumerate(
        transcribed(problem.X, problem.y, KERNEL, trace.drawn[1:], B, C, 1.0, far), start=1
    ):
        assert (trace.scalars["n_sv"][t], trace.scalars["stands"][t]) == (many, stands)
        assert trace.f(t, problem.X) == pytest.approx(f, abs=1e-6)
        assert abs(trace.scalars["gap"][t]) < 1e-10 and many <= B


def test_room_is_made_in_both_ways():
    trace = TVM.trace(plane.blobs(n=120, noise=1.0, seed=1), 120, B=10, C=5.0, far=1.2, kernel=None)
    assert {COMBINED, DROPPED} <= set(trace.scalars["room"].tolist())
    for t in np.flatnonzero(
        trace.scalars["room"] == DROPPED
    ):  # its α were 0: the newcomer alone changes w
        assert trace.scalars["beyond"][t] > 1.2 and trace.scalars["n_sv"][t] == 10


def test_with_room_for_all_it_is_the_svm():
    problem = plane.moons(n=50, noise=0.25, seed=3)
    trace = TVM.trace(problem, 50, seed=2, B=50, C=3.0, kernel=KERNEL)
    best = reference.optimum(problem, 1.0 / (3.0 * 50), KERNEL)
    exactly = kernels.gram(KERNEL, problem.X) @ (problem.y * best.alpha)
    assert trace.f(50, problem.X) == pytest.approx(exactly, abs=1e-6)
    other = SOLVERS["idsvm"].trace(problem, 50, seed=2, C=3.0, kernel=KERNEL)
    assert trace.f(30, problem.X) == pytest.approx(other.f(30, problem.X), abs=1e-9)


def test_a_smaller_budget_or_another_kernel_on_the_way():
    problem = plane.moons(n=60, noise=0.3, seed=1)
    trace = TVM.trace(
        problem,
        60,
        B=20,
        C=2.0,
        kernel=KERNEL,
        changes=[(30, {"B": 5}), (40, {"kernel": kernels.rbf(0.5)}), (50, {"B": 12, "C": 0.3})],
    )
    assert trace.scalars["n_sv"][31] == 5 and trace.scalars["n_sv"][60] <= 12
    assert np.abs(trace.scalars["gap"]).max() < 1e-10


def test_a_stream_in_blocks_is_the_run_and_so_are_batches():
    problem = plane.moons(n=300, noise=0.3, seed=1)
    params = {"B": 15, "C": 2.0, "kernel": KERNEL}
    trace = TVM.trace(problem, order=np.arange(300), **params)
    found = stream.run(
        [(problem.X[:130], problem.y[:130]), (problem.X[130:], problem.y[130:])],
        params,
        by=twinned.watch,
    )
    assert (
        found.examples == 300
        and found.n_sv == 15
        and found.events == (trace.scalars["room"] > 0).sum()
    )
    model = TwinVectorMachineClassifier(**params)
    for part in np.array_split(np.arange(300), 4):
        model.partial_fit(problem.X[part], problem.y[part], classes=[-1, 1])
    for f in (found.model.scores(problem.X)[:, 0], model.decision_function(problem.X)):
        assert f == pytest.approx(trace.f(300, problem.X), abs=1e-9)
