"""Budgeted SGD against the paper in NumPy, the algorithms that it contains, and its theorems."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist

import svmviz
from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.record import metrics
from svmviz.solvers import SOLVERS
from svmviz.solvers.bsgd import budget
from svmviz.solvers.bsgd.solver import PRESETS
from svmviz.theory import bounds, reference
from tests.tools.variants import seldom

BSGD, PEGASOS = SOLVERS["bsgd"], SOLVERS["pegasos"]
PERCEPTRON = "margin Perceptron"
GAUSSIAN = kernels.rbf(1.5), lambda X, Z: np.exp(-1.5 * cdist(X, Z, "sqeuclidean"))
rng = np.random.default_rng(3)
CENTRES = np.array([[1.0, 1.0], [-1.0, 0.5], [0.2, -1.2]])


def blobs(n=40, classes=3, seed=0):
    """Overlapping groups; two classes are -1 and 1."""
    draw = np.random.default_rng(seed)
    label = np.arange(n) % classes
    X = CENTRES[label] + 0.7 * draw.normal(size=(n, 2))
    make = svmviz.make_problem if classes == 2 else svmviz.make_multiclass_problem
    return make(X, label)


def paper(
    problem,
    order,
    K,
    keep,
    B,
    rule="Pegasos",
    lam=0.05,
    eta=1.0,
    U=0.0,
    beta=1.0,
    gamma=1.5,
    many=False,
    plus=0.0,
    kind=kernels.RBF,
    any_two=False,
):
    """Algorithms 1 and 2 word for word: vectors, coefficients (rows), |Delta|² and eta of every
    step.
    """
    many = many or problem.classes > 2
    y = ((problem.y > 0) if problem.classes == 2 else problem.y).astype(int) if many else problem.y
    V, A, age = np.empty((0, 2)), np.empty((0, problem.classes if many else 1)), np.empty(0)
    rule_of = {
        "Pegasos": lambda t: (1 / (lam * t), 1 - 1 / t),
        "Norma": lambda t: (eta / t**0.5, 1 - eta * lam / t**0.5),
        PERCEPTRON: lambda t: (eta, 1.0),
    }[rule]
    for t, i in enumerate(order, start=1):
        (step, shrink), lost, x = rule_of(t), 0.0, problem.X[i : i + 1]
        f = (K(x, V) @ A)[0] if len(V) else np.zeros(A.shape[1])
        wrong = int(np.argmax(np.where(np.arange(len(f)) == y[i], -np.inf, f))) if many else 0
        margin = f[y[i]] - f[wrong] if many else y[i] * f[0]
        if keep == "stop" and len(V) >= B:
            yield V, A, lost, step
            continue
        A = shrink * A
        if shrink == 0:
            V, A, age = V[:0], A[:0], age[:0]
        if margin < beta or (margin == beta == 0):
            new = np.zeros((1, A.shape[1]))
            new[0, y[i] if many else 0] = step if many else step * y[i]
            if many:
                new[0, wrong] = -step
            spread = (
                np.linalg.solve(K(V, V), K(V, x)) if keep.startswith("project") and len(V) else None
            )
            rest = (K(x, x) - (K(x, V) @ spread if spread is not None else 0)).item()
            if spread is not None and rest <= 1e-4 * K(x, x).item():
                A, lost = A + spread * new, rest * (new**2).sum()
            else:
                V, A, age = (
                    np.vstack([V, x]),
                    np.vstack([A, new]),
                    np.append(age, age.max(initial=0) + 1),
                )
            if len(V) > B:
                sizes = (A**2).sum(axis=1) * np.diag(K(V, V))
                small = np.flatnonzero(sizes <= sizes.min() * (1 + 2e-12))
                p = small[age[small].argmin()] if keep != "remove oldest" else age.argmin()
                others = np.arange(len(V)) != p
                if keep == "merge":
                    same = A @ A.T > 0
                    options = [
                        (
                            budget.merge_pair(V[m], V[n], A[m], A[n], gamma, plus=plus, kind=kind),
                            m,
                            n,
                        )
                        for m in (range(len(V)) if any_two else [p])
                        for n in np.flatnonzero(same[m])
                        if n != m
                        if not any_two
                        or (
                            sizes[m] < sizes[n] * (1 - 2e-12)
                            or (sizes[m] <= sizes[n] * (1 + 2e-12) and age[m] < age[n])
                        )
                    ]
                    best, m, n = min(
                        options, key=lambda option: option[0].degradation, default=(None, p, p)
                    )
                    if best and best.degradation <= sizes[p] * (1 + 1e-12):
                        p, others = m, np.arange(len(V)) != m
                        lost, others[n] = best.degradation, False
                        h = (
                            1 - best.h if sizes[p] > sizes[n] * (1 - 2e-12) else best.h
                        )  # of equals z stays with the older
                        z = h * V[p] + (1 - h) * V[n]
                        a_z = K(z[None], V[[p, n]]) @ A[[p, n]] / K(z[None], z[None])
                        V, A = np.vstack([V[others], z]), np.vstack([A[others], a_z])
                        age = np.append(age[others], age.max() + 1)
                    else:
                        lost, V, A, age = sizes[p], V[others], A[others], age[others]
                else:
                    if keep == "project best":
                        p = np.argmin((A**2).sum(axis=1) / np.diag(np.linalg.inv(K(V, V))))
                        others = np.arange(len(V)) != p
                    lost = sizes[p]
                    V, a, v, A, age = V[others], A[p], V[p : p + 1], A[others], age[others]
                    if keep.startswith("project"):
                        share = np.linalg.solve(K(V, V), K(V, v))
                        A, lost = A + share * a, (a**2).sum() * (K(v, v) - K(v, V) @ share).item()
        if U:
            A = A * min(1.0, U / np.sqrt(np.trace(A.T @ K(V, V) @ A))) if len(V) else A
        yield V, A, lost, step


BUDGETED = "stop", "remove smallest", "remove oldest", "project smallest", "project best", "merge"


def assert_is_the_papers(trace, K, **given):
    order, Z = trace.drawn[1:], trace.problem.X
    total = 0.0
    for t, (V, A, lost, step) in enumerate(paper(trace.problem, order, K, **given), start=1):
        f = trace.f(t, Z)
        expected = K(Z, V) @ A if len(V) else np.zeros((len(Z), A.shape[1]))
        assert abs(f.reshape(len(Z), -1) - expected).max() <= 1e-8 * max(
            1.0, abs(A).max(initial=0.0)
        ), t
        assert trace.scalars["n_sv"][t] == len(V) == len(trace.support(t).row)
        assert trace.scalars["degradation"][t] == pytest.approx(
            lost, abs=1e-9 * max(1.0, (A**2).max(initial=0.0))
        )
        total += np.sqrt(max(0.0, lost)) / step
        assert trace.scalars["E_bar"][t] * t == pytest.approx(
            total, rel=1e-5, abs=1e-4 * t
        )  # a root of what is nearly 0
        norm = np.sqrt(max(0.0, np.trace(A.T @ K(V, V) @ A))) if len(V) else 0.0
        assert trace.metrics["norm"][t] == pytest.approx(
            norm, abs=1e-7 * max(1.0, abs(A).max(initial=0.0))
        )


@pytest.mark.parametrize(
    ("classes", "keep", "rule"),
    seldom(
        [  # every two of them meet
            (classes, keep, rule)
            for i, keep in enumerate(BUDGETED)
            for j, rule in enumerate(("Pegasos", "Norma", PERCEPTRON))
            for classes in ((2, 3) if (i + j) % 2 == 0 else (3, 2))
        ]
    ),
)
def test_every_step_is_the_papers(classes, keep, rule):
    U = 2.5 if rule == PERCEPTRON else 0.0
    trace = BSGD.trace(
        blobs(classes=classes),
        steps=150,
        seed=1,
        rule=rule,
        maintenance=keep,
        B=7,
        lam=0.05,
        U=U,
        eta=0.5,
        kernel=GAUSSIAN[0],
    )
    assert_is_the_papers(trace, GAUSSIAN[1], keep=keep, B=7, rule=rule, U=U, eta=0.5)
    assert keep == "stop" or (trace.scalars["event"] > 0).sum() > 20


@pytest.mark.parametrize("keep", ["remove smallest", "project smallest", "merge"])
@pytest.mark.parametrize("classes", [2, 3])
def test_every_step_with_a_constant_feature_is_the_papers(classes, keep):
    problem = blobs(classes=classes)
    problem = problem._replace(X=problem.X + [3.0, 1.0])
    trace = BSGD.trace(
        problem,
        steps=150,
        seed=1,
        maintenance=keep,
        B=7,
        lam=0.05,
        kernel=GAUSSIAN[0],
        intercept="constant feature",
        constant=0.5,
    )
    assert_is_the_papers(trace, lambda X, Z: GAUSSIAN[1](X, Z) + 0.25, keep=keep, B=7, plus=0.25)


@pytest.mark.parametrize(
    "kernel, oracle",
    [
        (kernels.linear(), lambda X, Z: X @ Z.T),
        (kernels.poly(3, 0.5, 1.0), lambda X, Z: (0.5 * X @ Z.T + 1.0) ** 3),
        (kernels.laplacian(1.5), lambda X, Z: np.exp(-1.5 * cdist(X, Z, "cityblock"))),
    ],
    ids=["linear", "polynomial", "Laplacian"],
)
@pytest.mark.parametrize("keep", ["remove smallest", "project smallest"])
def test_other_kernels_may_remove_and_project(keep, kernel, oracle):
    trace = BSGD.trace(
        blobs(classes=2),
        steps=120,
        maintenance=keep,
        B=6,
        lam=0.05,
        kernel=kernel,
        rule="Norma",
        eta=0.3,
    )
    assert_is_the_papers(trace, oracle, keep=keep, B=6, rule="Norma", eta=0.3)


@pytest.mark.parametrize("form", ["dense", "CSR"])
def test_examples_may_be_sparse(form):
    X = rng.normal(size=(50, 2)) * (rng.random((50, 2)) < 0.6)
    y = np.where(X.sum(axis=1) + 0.3 * rng.normal(size=50) > 0, 1, -1)
    problem = svmviz.make_problem(sp.csr_array(X) if form == "CSR" else X, y)
    trace = BSGD.trace(problem, steps=120, B=6, lam=0.05, kernel=GAUSSIAN[0], rule="Norma")
    dense = BSGD.trace(
        svmviz.make_problem(X, y), steps=120, B=6, lam=0.05, kernel=GAUSSIAN[0], rule="Norma"
    )
    assert abs(trace.f(120, problem.X) - dense.f(120, X)).max() <= 1e-12
    assert np.allclose(trace.metrics["primal"], dense.metrics["primal"], atol=1e-12)


def test_the_margin_is_measured_before_w_shrinks():
    """The same point twice with lam = 0.6: its margin is 1/0.6, and no second vector comes; shrunk
    first it would be 0.83.
    """
    problem = svmviz.make_problem([[0.0, 0.0], [9.0, 9.0]], [1, -1])
    trace = BSGD.trace(problem, order=[0, 0], lam=0.6)
    assert trace.segments[0].record.margin[1, 0] == pytest.approx(1 / 0.6) and trace.scalars[
        "n_sv"
    ].tolist() == [0, 1, 1]


# Coincidences -------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["dense", "CSR"])
def test_without_a_limit_it_is_pegasos_step_by_step(form):
    problem = plane.moons(n=60, seed=4)
    problem = problem._replace(X=sp.csr_array(problem.X)) if form == "CSR" else problem
    given = {
        "steps": 400,
        "seed": 2,
        "lam": 0.02,
        "kernel": kernels.rbf(2.0),
        "sampling": "with replacement",
    }
    free, pegasos = (
        BSGD.trace(problem, maintenance="none", **given),
        PEGASOS.trace(problem, **given),
    )
    wide = BSGD.trace(problem, maintenance="merge", B=500, **given)  # room for everything
    for t in range(401):
        expected = pegasos.at(t).coef
        assert abs(free.at(t).coef - expected).max() <= 1e-12 * max(1.0, abs(expected).max())
    for t in range(0, 401, 20):
        assert abs(wide.f(t, problem.X) - pegasos.f(t, problem.X)).max() <= 1e-10 * max(
            1.0, abs(expected).max()
        )
    for name in ("n_sv", "kernel_evals", "features_read"):
        assert (free.metrics[name] == pegasos.metrics[name]).all(), name
    assert np.allclose(free.metrics["primal"], pegasos.metrics["primal"], rtol=1e-10)
    assert not free.scalars["E"].any() and not wide.scalars["E"].any()


@pytest.mark.parametrize("keep", ["none", *BUDGETED[1:]])
def test_two_classes_with_a_score_each_are_one_score_with_half_of_lam(keep):
    problem = plane.moons(n=80, seed=5)
    many = BSGD.trace(problem, steps=300, maintenance=keep, B=12, lam=0.02, multiclass=True)
    one = BSGD.trace(problem, steps=300, maintenance=keep, B=12, lam=0.01)
    for t in range(0, 301, 10):
        scores = many.f(t, problem.X)
        assert abs(scores[:, 1] - scores[:, 0] - one.f(t, problem.X)).max() <= 1e-9
    assert np.allclose(many.scalars["E"], np.sqrt(2) * one.scalars["E"], atol=1e-9)
    assert np.allclose(many.metrics["hinge"], one.metrics["hinge"], atol=1e-9)
    exact, half = (trace.solver.optimum(problem, trace.params()) for trace in (many, one))
    assert (
        exact.primal == pytest.approx(half.primal)
        and (many.metrics["primal"] >= exact.primal - 1e-9).all()
    )


@pytest.mark.parametrize("keep", ["remove smallest", "remove oldest", "remove random"])
def test_removal_under_pegasos_errs_by_exactly_one(keep):
    problem = plane.gauss(n=200, seed=1)
    one = BSGD.trace(problem, steps=600, maintenance=keep, B=10, lam=0.01)
    many = BSGD.trace(problem, steps=600, maintenance=keep, B=10, lam=0.01, multiclass=True)
    for trace, error in ((one, 1.0), (many, np.sqrt(2))):
        removed = trace.scalars["event"] == 1
        assert removed.sum() > 100 and abs(trace.scalars["E"][removed] - error).max() <= 1e-12
        assert not trace.scalars["E"][~removed].any()


@pytest.mark.parametrize("rule", ["Pegasos", "Norma", PERCEPTRON])
@pytest.mark.parametrize("keep", ["remove smallest", "project smallest", "project best", "merge"])
def test_the_smallest_vector_never_costs_more_than_one_gradient(keep, rule):
    trace = BSGD.trace(
        plane.gauss(n=150, seed=2), steps=500, maintenance=keep, B=8, rule=rule, lam=0.02, eta=0.7
    )
    assert trace.scalars["E"].max() <= 1 + 1e-9
    oldest = BSGD.trace(
        plane.gauss(n=150, seed=2),
        steps=500,
        maintenance="remove oldest",
        B=8,
        rule="Norma",
        lam=1e-6,
    )
    assert (
        oldest.scalars["E"].max() > 1.001
    )  # what was large when it came is larger than a step now


@pytest.mark.parametrize("keep", ["none", *BUDGETED])
def test_coefficients_of_many_classes_sum_to_zero(keep):
    trace = BSGD.trace(blobs(n=90), steps=400, maintenance=keep, B=10, lam=0.02)
    for t in range(0, 401, 25):
        coef = trace.at(t).coef
        assert coef.shape[1] == 3 and abs(coef.sum(axis=1)).max() <= 1e-11 * max(
            1.0, abs(coef).max()
        )
    wrong = trace.f(400, trace.problem.X).argmax(axis=1) != trace.problem.y
    assert wrong.mean() == trace.metrics["error"][400]


# What the steps record ----------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 3])
def test_the_solver_merges_the_pair_that_candidates_names(classes):
    trace = BSGD.trace(
        blobs(n=60, classes=classes), steps=300, B=9, rule="Norma", lam=0.03, kernel=GAUSSIAN[0]
    )
    merged = np.flatnonzero(trace.scalars["event"] == budget.EVENTS.index("merged"))
    assert merged.size > 30
    for t in merged:
        over, own = trace.overflow(t), {name: column[t] for name, column in trace.scalars.items()}
        found = budget.candidates(over.vectors, over.coef, 1.5)
        place = list(found.n).index(found.best)
        assert (
            len(over.row) == 10
            and over.row[found.m] == own["m"]
            and over.row[found.best] == own["n"]
        )
        assert found.degradation[place] == pytest.approx(own["degradation"], abs=1e-12)
        assert (
            found.h[place] == pytest.approx(own["h"], abs=1e-9)
            and int(own["z"]) in trace.support(t).row
        )


def test_a_table_of_vectors_grows_and_keeps_what_it_had():
    trace = BSGD.trace(
        blobs(n=30, classes=2), steps=200, B=14, lam=0.03, sampling="with replacement"
    )
    n, parents = 30, trace.made.parents
    merged = parents[:, 1] >= 0
    assert (
        len(parents) == len(trace.created) == len(trace.at(200).coef) - n
        and merged.any()
        and (~merged).any()
    )
    assert (parents[:, 0] < n + np.arange(len(parents))).all()
    for row, (m, _) in zip(
        trace.created[~merged], parents[~merged], strict=True
    ):  # a second copy of an example
        assert np.array_equal(row, trace.problem.X[m])
    at = {int(z): t for t, z in enumerate(trace.scalars["z"]) if z >= 0}
    for k in np.flatnonzero(merged):
        h, (m, other) = trace.scalars["h"][at[n + k]], parents[k]
        V = np.vstack([trace.problem.X, trace.created])
        assert np.allclose(trace.created[k], h * V[m] + (1 - h) * V[other], atol=1e-15)
    support = trace.support(200)
    assert (
        (support.merged[support.row < n] == 0).all()
        and support.merged.max() > 2
        and (support.since <= 200).all()
    )
    assert support.coef.shape == (14,) and np.array_equal(
        trace.at(200).coef[support.row], support.coef
    )


def test_error_on_other_points_and_responses():
    trace, test = BSGD.trace(blobs(n=60), steps=150, B=9), blobs(n=45, seed=9)
    error, f = metrics.error_on(trace, test), metrics.responses(trace, test.X, [0, 75, 150])
    assert f.shape == (3, 45, 3)
    assert (error[[0, 75, 150]] == (f.argmax(axis=2) != test.y).mean(axis=1)).all()


def test_parameters_may_change_on_the_way():
    problem = plane.moons(n=60, seed=1)
    changes = [
        (60, {"B": 5}),
        (90, {"maintenance": "project smallest"}),
        (120, {"kernel": kernels.rbf(4.0)}),
        (150, {"maintenance": "none"}),
        (200, {"maintenance": "remove oldest", "rule": PERCEPTRON, "U": 3.0}),
    ]
    trace = BSGD.trace(problem, steps=260, B=12, lam=0.02, changes=changes)
    same = BSGD.trace(problem, steps=260, B=12, lam=0.02)
    assert all(np.array_equal(trace.f(t, problem.X), same.f(t, problem.X)) for t in range(61))
    used = trace.scalars["n_sv"]
    assert used[:61].max() == 12 and used[85:151].max() <= 6 and used[199] > 6 and used[-1] == 5
    for t in range(0, 261, 5):
        f = trace.f(t, problem.X)
        assert np.maximum(0, 1 - problem.y * f).mean() == pytest.approx(
            trace.metrics["hinge"][t], abs=1e-9
        )
        support = trace.support(t)
        K = kernels.gram(trace.kernel(t), support.vectors)
        assert np.sqrt(support.coef @ K @ support.coef) == pytest.approx(
            trace.metrics["norm"][t], abs=1e-7
        )
    assert (trace.metrics["norm"][205:] <= 3 * (1 + 1e-9)).all()


def test_a_much_lower_budget_is_reached_in_a_few_steps():
    problem = plane.gauss(n=300, seed=1)
    for keep in ("merge", "project smallest", "remove oldest"):
        trace = BSGD.trace(
            problem,
            steps=400,
            B=60,
            lam=0.001,
            maintenance=keep,
            kernel=kernels.rbf(20.0),
            changes=[(300, {"B": 5})],
        )
        used = trace.scalars["n_sv"]
        assert used[300] > 40 and used[-1] == 5 and (np.diff(used[300:]) >= -7).all()
        hinge = np.maximum(0, 1 - problem.y * trace.f(400, problem.X)).mean()
        assert hinge == pytest.approx(trace.metrics["hinge"][400], abs=1e-9)


def test_points_may_come_and_go():
    problem, active = svmviz.edits.apply(
        plane.blobs(n=40), [svmviz.edits.edit(50, [3, 5], [(0.5, 0.5, 1)])]
    )
    trace = BSGD.trace(problem, steps=120, B=8, active=active)
    assert set(trace.drawn[51:]) <= set(active[1][1]) and np.isfinite(trace.metrics["primal"]).all()


def test_a_budgeted_run_has_no_average():
    with pytest.raises(ValueError, match="only its last iterate, got 'average'"):
        BSGD.trace(blobs(classes=2), steps=5).coef(3, "average")


@pytest.mark.parametrize(
    "given, words",
    [
        ({"kernel": kernels.linear()}, r"merging needs a kernel of the distance.*got linear\(\)"),
        ({"kernel": None}, "merging needs a kernel of the distance"),
        ({"rule": "Norma", "eta": 50.0, "lam": 0.1}, "eta lam of at most 1.*got 5"),
        (
            {"forget": True, "rule": "margin Perceptron", "maintenance": "remove oldest", "U": 2.0},
            "without a ball, got U = 2",
        ),
        ({"maintenance": "burn"}, "maintenance must be one of none, stop.*got 'burn'"),
        (
            {"changes": [(3, {"multiclass": True})]},
            "multiclass cannot change on the way, and after step 3 it does",
        ),
        ({"B": 0}, r"B must lie in \[1, 5000\], got 0"),
    ],
)
def test_what_does_not_go_together_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        BSGD.trace(blobs(classes=2), steps=5, **given)


def test_other_solvers_refuse_more_than_two_classes():
    with pytest.raises(ValueError, match="Pegasos separates two classes, and this problem has 3"):
        PEGASOS.trace(blobs(), steps=5)


# Relatives ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_parameters_of_the_same_solver(name):
    trace = BSGD.trace(plane.moons(n=80, seed=2), steps=300, B=10, **PRESETS[name])
    limited = trace.params()["maintenance"] != "none"
    assert (trace.scalars["n_sv"].max() <= 10) == limited and trace.metrics["error"][-1] < 0.4


def test_the_stoptron_freezes_at_its_budget():
    trace = BSGD.trace(plane.moons(n=80, seed=2), steps=200, B=10, **PRESETS["Stoptron"])
    full = int(np.argmax(trace.scalars["n_sv"] == 10))
    assert all(np.array_equal(trace.at(t).coef, trace.at(full).coef) for t in range(full, 201, 10))


def test_the_random_perceptron_keeps_the_newcomer_and_spares_nobody_else():
    trace = BSGD.trace(plane.gauss(n=300, seed=2), steps=2000, B=10, **PRESETS["Random Perceptron"])
    removed = np.flatnonzero(trace.scalars["event"] == 1)
    ages = []
    for t in removed:
        over = trace.overflow(t)
        goes = int(np.flatnonzero(over.row == trace.scalars["m"][t])[0])
        assert over.since[goes] < t
        ages.append((over.since[goes] > over.since).sum())
    share = np.bincount(ages, minlength=10) / len(ages)
    assert len(ages) > 300 and share[:10].min() > 0.05 and share[:10].max() < 0.16  # a tenth each


def forgetron(K, y, order, B):
    """Dekel, Shalev-Shwartz, Singer 2008, the self-tuned Forgetron, by search for phi."""
    active, sigma, Q, M = [], [], 0.0, 0
    for i in order:
        f = sum(s * y[j] * K[j, i] for j, s in zip(active, sigma, strict=True))
        if y[i] * f <= 0:
            M += 1
            active, sigma = [*active, i], [*sigma, 1.0]
            if len(active) > B:
                r, s = active[0], sigma[0]
                mu = y[r] * sum(w * y[j] * K[j, r] for j, w in zip(active, sigma, strict=True))
                psi = lambda phi: (s * phi) ** 2 + 2 * s * phi - 2 * s * phi * mu * phi  # noqa: B023, E731
                grid = np.linspace(0, 1, 200_001)
                phi = grid[psi(grid) + Q <= 15 / 32 * M + 1e-15].max()
                Q += psi(phi)
                active, sigma = active[1:], [phi * w for w in sigma[1:]]
        coef = np.zeros(len(y))
        np.add.at(coef, active, np.array(sigma) * y[active])
        yield coef


def test_the_forgetron_shrinks_as_far_as_its_analysis_asks():
    problem = plane.gauss(n=120, seed=3)
    trace = BSGD.trace(problem, steps=500, B=12, **PRESETS["Forgetron"])
    K = kernels.gram(kernels.rbf(1.0), problem.X)
    for t, coef in enumerate(forgetron(K, problem.y, trace.drawn[1:], 12), start=1):
        assert abs(trace.f(t, problem.X) - K @ coef).max() <= 2e-4, t
    assert (trace.scalars["phi"] < 0.99).sum() > 20


# Theorems 1 to 3 ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["Pegasos", "Norma", PERCEPTRON])
@pytest.mark.parametrize("keep", ["remove smallest", "project smallest", "merge"])
def test_theorems_hold_round_by_round_and_say_when_they_are_vacuous(keep, rule):
    problem, lam, T, kernel = plane.gauss(n=120, seed=4), 0.1, 400, kernels.rbf(1.0)
    U, eta = 4.0, 0.1 if rule == PERCEPTRON else 1.0
    trace = BSGD.trace(problem, steps=T, rule=rule, maintenance=keep, B=15, lam=lam, eta=eta, U=U)
    regular, bound = (
        trace.solver.goal.regularisation(trace.params()),
        trace.solver.goal.bound(trace),
    )
    u = reference.optimum(problem, lam if rule != PERCEPTRON else 0.02, kernel)
    u_coef = u.coef if rule != PERCEPTRON else u.coef * min(1.0, U / u.norm)
    i, y, K = trace.drawn[1:], problem.y, kernels.gram(kernel, problem.X)
    best = regular / 2 * (u_coef @ K @ u_coef) + np.maximum(0, 1 - y * (K @ u_coef))[i]
    margins = np.concatenate([s.record.margin[:, 0] for s in trace.segments])
    ours = regular / 2 * trace.metrics["norm"][:-1] ** 2 + np.maximum(0, 1 - margins)
    t = np.arange(1, T + 1)
    assert (np.cumsum(ours - best) / t <= bound.value).all() and bound.t[-1] == T
    assert "more than w = 0" in bound.broken and not bound.holds
    rates = {"Pegasos": 1 / (lam * t), "Norma": eta / np.sqrt(t), PERCEPTRON: np.full(T, eta)}[rule]
    for s in range(0, T, 7):  # (A.3) with the true norms
        apart = [trace.support(r) for r in (s, s + 1)]
        w_u = [
            a.coef @ kernels.gram(kernel, a.vectors, problem.X) @ u_coef if a.row.size else 0.0
            for a in apart
        ]
        distance = trace.metrics["norm"][s : s + 2] ** 2 - 2 * np.array(w_u) + u_coef @ K @ u_coef
        E, norm = trace.scalars["E"][s + 1], trace.metrics["norm"][s]
        gradient = regular * norm + 1 + E
        assert ours[s] - best[s] <= (
            (distance[0] - distance[1]) / (2 * rates[s])
            - regular / 2 * distance[0]
            + rates[s] * gradient**2 / 2
            + E * np.sqrt(max(0.0, distance[0]))
            + 1e-9
        )


def test_bounds_name_what_breaks_them():
    problem = plane.gauss(n=80, seed=4)
    many = BSGD.trace(problem, steps=50, multiclass=True)
    assert "1/2" in many.solver.goal.bound(many).broken
    plain = BSGD.trace(problem, steps=50, rule=PERCEPTRON)
    assert plain.solver.goal.bound(plain) is None  # without a ball there is no theorem
    assert bounds.largest_norm(1e-4) == 2e4 and bounds.largest_norm(100.0) == 0.1
    assert bounds.bsgd_theorem_1(np.full(10**6, 0.037), 1e-4).value[-1] == pytest.approx(
        2 * 2e4 * 0.037, rel=0.01
    )
    oldest = BSGD.trace(
        problem, steps=300, maintenance="remove oldest", rule="Norma", B=8, lam=1e-6
    )
    assert "‖E‖ never exceeds 1" in oldest.solver.goal.bound(oldest).broken
