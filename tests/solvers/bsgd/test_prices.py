"""What the maintenance would have cost otherwise, in the words of a step, against brute force: all
partners of the sign, all places for z, all who could go.
"""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.solvers import SOLVERS
from svmviz.solvers.bsgd.maintenance import strategies
from svmviz.solvers.bsgd.maintenance.prices import prices
from svmviz.work.words import fill
from tests.player.test_parity import same_words
from tests.solvers.bsgd.test_budget import brute_force, gain
from tests.solvers.bsgd.test_learner import GAUSSIAN, PERCEPTRON, blobs
from tests.tools.cases import together
from tests.tools.rotation import by_turns, turn
from tests.tools.variants import seldom

BSGD = SOLVERS["bsgd"]
KERNELS = {
    "Gaussian": GAUSSIAN,
    "linear": (kernels.linear(), lambda X, Z: X @ Z.T),
    "polynomial": (kernels.poly(3, 0.5, 1.0), lambda X, Z: (0.5 * X @ Z.T + 1.0) ** 3),
    "Laplacian": (kernels.laplacian(1.5), lambda X, Z: np.exp(-1.5 * cdist(X, Z, "cityblock"))),
}
MERGING = {
    "Pegasos": (blobs(60, 2), {"B": 9, "lam": 0.01}),
    "golden section": (blobs(60, 2), {"B": 9, "lam": 0.01, "search": "golden section"}),
    "checkerboard": (plane.checkerboard(n=200, seed=1), {"B": 15, "lam": 0.001}),
    "Norma": (blobs(60, 2), {"B": 6, "lam": 0.03, "rule": "Norma"}),
    "pulled back": (blobs(60, 2), {"B": 6, "rule": PERCEPTRON, "U": 2.0}),
    "logistic": (blobs(60, 2), {"B": 6, "lam": 0.1, "loss": "logistic"}),
    "two classes, a score each": (blobs(60, 2), {"B": 6, "lam": 0.05, "multiclass": True}),
    "three classes": (blobs(60, 3), {"B": 8, "lam": 0.03, "rule": "Norma"}),
    "three classes, pulled back": (blobs(60, 3), {"B": 6, "rule": PERCEPTRON, "U": 2.0}),
}


def overflows(trace, kind: int) -> list[int]:
    return np.flatnonzero(trace.scalars["event"] == kind).tolist()


def held(trace, t: int) -> tuple[np.ndarray, np.ndarray, int, int]:
    """Vectors and coefficients, a row each, before one goes, and the places of m and n among
    them.
    """
    over = trace.overflow(t)
    m, n = (
        int(np.append(np.flatnonzero(over.row == trace.scalars[which][t]), -1)[0]) for which in "mn"
    )
    return over.vectors, over.coef.reshape(len(over.row), -1), m, n


def merged(x_m, x_n, a_m, a_n) -> float:
    """‖Δ‖² at the best of all h."""
    A, D, N, L = (
        a_m @ a_m,
        a_m @ a_n,
        a_n @ a_n,
        np.longdouble(GAUSSIAN[0].gamma) * ((x_m - x_n) ** 2).sum(),
    )
    return max(
        0.0,
        float(A + N + 2 * D * np.exp(-L) - gain(A, D, N, L, brute_force(x_m, x_n, a_m, a_n, 1.5))),
    )


def says(text: str, begin: str, template: str, **values: float) -> None:
    """A sentence has this part, from a word of it on, with these numbers."""
    assert begin in text, text
    expected = fill(template, values)
    same_words(text[text.index(begin) :].replace("*", "")[: len(expected)], expected)


@pytest.mark.parametrize("key", by_turns(seldom(MERGING, 3), 2))
def test_a_merging_is_compared_with_the_next_partner_and_with_removal(key):
    problem, params = MERGING[key]
    trace = BSGD.trace(problem, steps=300, seed=2, kernel=GAUSSIAN[0], **params)
    steps, compared = overflows(trace, strategies.MERGED_TWO), 0
    for t in steps[::2]:
        (V, A, m, n), found, said, maths = (
            held(trace, t),
            prices(trace, t),
            trace.why(t),
            trace.why(t, "maths"),
        )
        costs = {
            j: merged(V[m], V[j], A[m], A[j]) for j in range(len(V)) if j != m and A[j] @ A[m] > 0
        }
        taken, removal = costs.pop(n), float(A[m] @ A[m])
        assert taken == pytest.approx(
            trace.scalars["degradation"][t], rel=1e-6, abs=1e-12 * removal
        )
        assert found.removal == pytest.approx(removal, rel=1e-12)
        if costs:
            second = min(costs.values())
            assert found.second == pytest.approx(second, rel=1e-6) and second >= taken * (1 - 1e-9)
            says(
                said,
                "; the",
                "; the next partner would cost {second:.3g}, removal {removal:.3g}",
                second=second,
                removal=removal,
            )
            compared += 1
        else:
            assert found.second is None and "partner" not in said
            says(said, "; rem", "; removal would cost {removal:.3g}", removal=removal)
        z = trace.support(t)
        a_z = z.coef[z.row == trace.scalars["z"][t]][0] / trace.scalars["pull"][t]
        p, q = GAUSSIAN[1](trace.table[[int(trace.scalars["z"][t])]], V[[m, n]])[0]
        assert p * A[m] + q * A[n] == pytest.approx(a_z, rel=1e-9)
        if trace.scores == 1:
            says(
                maths,
                "|α[z]|",
                "|α[z]| = {p:.3f} · {a_m:.3g} + {q:.3f} · {a_n:.3g} = {a_z:.3g}",
                p=float(p),
                q=float(q),
                a_m=float(abs(A[m, 0])),
                a_n=float(abs(A[n, 0])),
                a_z=float(abs(a_z)),
            )
        else:
            says(maths, "α[z]", "α[z] = {p:.3f} α[m] + {q:.3f} α[n]", p=float(p), q=float(q))
    assert compared > 20


def test_a_budget_of_one_leaves_no_other_partner():
    trace = BSGD.trace(blobs(40, 2), steps=200, B=1, lam=0.1)
    steps = overflows(trace, strategies.MERGED_TWO)
    assert len(steps) > 20
    for t in steps:
        assert prices(trace, t).second is None and "partner" not in trace.why(t)
        says(trace.why(t), "; rem", "; removal would cost {v:.3g}", v=prices(trace, t).removal)


@pytest.mark.parametrize("classes", seldom([2, 3]))
@together(
    "keep",
    ["remove smallest", "remove oldest", "remove random", "project smallest", "project best"],
)
@pytest.mark.parametrize("name", KERNELS)
def test_who_goes_is_compared_with_the_lightest_other_and_a_projection_with_removal(
    name, keep, classes
):
    kernel, K = KERNELS[name]
    trace = BSGD.trace(
        blobs(60, classes),
        steps=150,
        maintenance=keep,
        B=6,
        lam=0.05,
        rule="Norma",
        eta=0.3,
        kernel=kernel,
    )
    projects = keep.startswith("project")
    steps = overflows(trace, strategies.PROJECTED if projects else strategies.REMOVED)
    assert len(steps) > 20 or (projects and name == "linear")  # two vectors span the plane
    for t in steps[turn() % 6 :: 6]:
        (V, A, m, _), found, said = held(trace, t), prices(trace, t), trace.why(t)
        G, others = K(V, V), np.delete(np.arange(len(V)), m)
        costs = ((A**2).sum(axis=1) * np.diag(G)).tolist()
        removal, lost, size = (
            costs.pop(m),
            float(trace.scalars["degradation"][t]),
            float(np.sqrt(A[m] @ A[m])),
        )
        assert found.removal == pytest.approx(removal, rel=1e-12)
        if projects:
            assert lost <= removal * (1 + 1e-9)
            says(said, "; rem", "; removal would cost {removal:.3g}", removal=removal)
        else:
            assert lost == pytest.approx(removal, rel=1e-9) and found.second == pytest.approx(
                min(costs), rel=1e-12
            )
            says(said, "; the", "; the lightest other would cost {second:.3g}", second=min(costs))
        left = float(
            G[m, m]
            - (
                G[m, others] @ np.linalg.solve(G[np.ix_(others, others)], G[others, m])
                if projects
                else 0.0
            )
        )
        says(
            trace.why(t, "maths"),
            "[p, p] =",
            "[p, p] = {size:.3g}² · {left:.3g}",
            size=size,
            left=left,
        )


def test_where_several_go_at_once_nothing_is_compared():
    trace = BSGD.trace(
        plane.gauss(n=100, seed=1),
        steps=150,
        B=30,
        lam=0.001,
        kernel=kernels.rbf(20.0),
        changes=[(100, {"B": 5})],
    )
    used = trace.scalars["n_sv"]
    steps = [t for t in range(101, 151) if used[t - 1] + trace.scalars["added"][t] - used[t] > 1]
    assert steps
    for t in steps:
        assert (
            prices(trace, t) is None
            and "merge, costing" in trace.why(t)
            and "would cost" not in trace.why(t)
        )
        assert "|α[z]| =" not in trace.why(t, "maths")
