"""The budgeted field of the BSGD paper's Section 2.4, each algorithm against a literal
transcription, and what coincides.
"""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import svmviz
from svmviz import estimators
from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.run.streams import stream
from svmviz.solvers import SOLVERS
from svmviz.solvers.bsgd import budget
from svmviz.solvers.bsgd.solver import PRESETS
from tests.tools.cases import together
from tests.tools.rotation import in_turn

BSGD = SOLVERS["bsgd"]
GAMMA = 2.0
STREAMS = [seed for seed in range(20) if seed < 2 or in_turn(f"stream {seed} of the field", 9)]


def gaussian(X, Z):
    return np.exp(-GAMMA * cdist(np.atleast_2d(X), np.atleast_2d(Z), "sqeuclidean"))


def board(seed, n=70, noise=0.1):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 2))
    y = np.where((np.floor(2 * X).sum(axis=1) % 2 > 0) ^ (rng.random(n) < noise), 1.0, -1.0)
    return svmviz.make_problem(X, y)


def run(problem, preset, B=12, T=110, seed=0, **given):
    return BSGD.trace(
        problem, T, seed, **({"kernel": kernels.rbf(GAMMA), "B": B} | PRESETS[preset] | given)
    )


def states(trace):
    """Who is there after each step, and with which coefficients; copies of an example count for
    it.
    """
    for t in range(1, trace.steps + 1):
        support = trace.support(t)
        yield (
            trace.segments[0].record.drawn[t - 1, 0],
            support.vectors,
            support.coef.reshape(len(support.vectors), -1),
        )


def agrees(problem, trace, literal):
    """Decision values at all points after every step, the number of vectors, and who they are."""
    for (i, V, A), (W, C) in zip(states(trace), literal, strict=True):
        assert len(V) == len(W), i
        assert {tuple(v) for v in V} == {tuple(w) for w in W}
        if len(V):
            np.testing.assert_allclose(
                gaussian(problem.X, V) @ A[:, 0], gaussian(problem.X, W) @ C, rtol=0, atol=1e-10
            )


def order_of(trace):
    return trace.segments[0].record.drawn[:, 0]


def missed_least(problem, order, B, choice):
    """Budget, Tighter and Tightest Perceptron."""
    V, a, y, counts = np.empty((0, 2)), np.empty(0), np.empty(0), np.empty((0, 2))
    for i in order:
        x, label = problem.X[i], problem.y[i]
        f = gaussian(x, V)[0] @ a if len(V) else 0.0
        if label * f <= 0:
            V, a, y = np.vstack([V, x]), np.append(a, label), np.append(y, label)
            counts = np.vstack([counts, [label < 0, label > 0]])
            if len(V) > B:
                G = gaussian(V, V)
                without = (G @ a)[:, None] - G * a  # f at i without j
                if choice == "easiest":
                    p = np.argmax(y * without.diagonal())
                elif choice == "errors":
                    p = np.argmin((y[:, None] * without <= 0).sum(axis=0))
                else:
                    p = np.argmin(
                        ((without >= 0) * counts[:, :1] + (without <= 0) * counts[:, 1:]).sum(
                            axis=0
                        )
                    )
                stay = np.arange(len(V)) != p
                heir = np.flatnonzero(stay)[np.argmax(G[p, stay])]
                counts[heir] += counts[p]
                V, a, y, counts = V[stay], a[stay], y[stay], counts[stay]
        elif len(V):
            counts[np.argmax(gaussian(x, V)[0]), int(label > 0)] += 1
        yield V, a


@pytest.mark.parametrize(
    ("preset", "choice"),
    [
        ("Budget Perceptron", "easiest"),
        ("Tighter Perceptron", "errors"),
        ("Tightest Perceptron", "counts"),
    ],
)
@together("seed", STREAMS)
def test_who_is_missed_least(preset, choice, seed):
    problem = board(seed)
    trace = run(problem, preset, seed=seed)
    assert (trace.scalars["event"] == 1).sum() > 5
    agrees(problem, trace, missed_least(problem, order_of(trace), 12, choice))


def projectron(problem, order, B, eps, plus):
    V, a = np.empty((0, 2)), np.empty(0)
    for i in order:
        x, label = problem.X[i], problem.y[i]
        f = gaussian(x, V)[0] @ a if len(V) else 0.0
        share = (
            np.linalg.lstsq(gaussian(V, V), gaussian(V, x)[:, 0], rcond=None)[0]
            if len(V)
            else np.empty(0)
        )
        delta = np.sqrt(max(0.0, 1 - gaussian(x, V)[0] @ share)) if len(V) else 1.0
        if label * f <= 0:
            if delta <= eps or len(V) == B:
                a = a + label * share
            else:
                V, a = np.vstack([V, x]), np.append(a, label)
        elif plus and label * f < 1 and (loss := 1 - label * f) > delta / eps:
            length = 1 - delta**2
            a = a + label * min(loss / length, 2 * (loss - delta / eps) / length, 1.0) * share
        yield V, a


@pytest.mark.parametrize("preset", ["Projectron", "Projectron++"])
@together("seed", STREAMS)
def test_the_projectron(preset, seed):
    problem, eps = board(seed), (0.2, 0.45)[seed % 2]
    trace = run(problem, preset, B=14, seed=seed, eps=eps)
    happened = trace.scalars["event"]
    assert (happened == budget.EVENTS.index("folded")).sum() > 5
    if preset == "Projectron++" and eps > 0.4:
        assert (happened == budget.EVENTS.index("leant")).any()
    agrees(problem, trace, projectron(problem, order_of(trace), 14, eps, preset == "Projectron++"))


def passive_aggressive(problem, order, B, C, variant):
    """BPA as the minimum over who goes: the coefficients of those who take over come from the
    projection on them.
    """
    V, a = np.empty((0, 2)), np.empty(0)
    for i in order:
        x, label = problem.X[i], problem.y[i]
        loss = max(0.0, 1 - label * (gaussian(x, V)[0] @ a if len(V) else 0.0))
        spread = (
            np.linalg.solve(gaussian(V, V), gaussian(V, x)[:, 0])
            if len(V) and variant == "P"
            else np.zeros(len(V))
        )
        if (
            loss > 0 and len(V) and 1 - gaussian(x, V)[0] @ spread <= 1e-4
        ):  # the others span it: it is spread over them at once
            a = a + label * min(C, loss) * spread
        elif loss > 0:
            old, tau = len(V), min(C, loss)
            V, a = np.vstack([V, x]), np.append(a, tau * label)
            if len(V) > B:
                G, best = gaussian(V, V), (np.inf, 0, None, None)
                for p in range(old):
                    others = [j for j in range(old) if j != p]
                    heirs = {
                        "S": [old],
                        "NN": [max(others, key=lambda j, p=p: G[p, j]), old],
                        "P": [*others, old],
                    }[variant]
                    share = np.linalg.solve(G[np.ix_(heirs, heirs)], G[heirs, p])
                    cost = a[p] ** 2 * (1 - share @ G[heirs, p])
                    if cost < best[0]:
                        best = cost, p, heirs, share
                _, p, heirs, share = best
                a[heirs] += a[p] * share
                stay = np.arange(len(V)) != p
                V, a = V[stay], a[stay]
        yield V, a


@pytest.mark.parametrize("variant", ["S", "NN", "P"])
@together("seed", STREAMS)
def test_passive_aggressive_on_a_budget(variant, seed):
    problem, C = board(seed, n=120), (1.0, 0.3)[seed % 2]
    trace = run(problem, f"BPA-{variant}", seed=seed, C=C)
    assert (trace.scalars["event"] == 2).sum() > 20
    agrees(problem, trace, passive_aggressive(problem, order_of(trace), 12, C, variant))


def implicit(problem, order, B, lam, eta_0):
    V, a, age = np.empty((0, 2)), np.empty(0), np.empty(0)
    for t, i in enumerate(order, 1):
        x, label, eta = problem.X[i], problem.y[i], eta_0 / np.sqrt(t)
        f = gaussian(x, V)[0] @ a if len(V) else 0.0
        new, a = np.clip(1 + eta * lam - label * f, 0, eta), a / (1 + eta * lam)
        if new > 0:
            V, a, age = (
                np.vstack([V, x]),
                np.append(a, label * new / (1 + eta * lam)),
                np.append(age, t),
            )
            if len(V) > B:
                least = np.flatnonzero(abs(a) <= abs(a).min() * (1 + 1e-12))
                stay = np.arange(len(V)) != least[age[least].argmin()]
                V, a, age = V[stay], a[stay], age[stay]
        yield V, a


@pytest.mark.parametrize("preset", ["ILK", "SILK"])
@together("seed", STREAMS)
def test_implicit_steps(preset, seed):
    problem = board(seed, n=120)
    trace = run(problem, preset, T=100, seed=seed, lam=0.05, eta=0.8)
    agrees(
        problem,
        trace,
        implicit(problem, order_of(trace), 12 if preset == "SILK" else 1000, 0.05, 0.8),
    )


@pytest.mark.parametrize("rule", ["passive-aggressive", "implicit"])
def test_the_step_solves_its_problem(rule):
    """What is added minimises 1/2 |v - w|² + C loss(v), or 1/2 |v - w|² + eta (lam/2 |v|² +
    loss(v)), among all on the ray and nearby off it.
    """
    problem, rng = board(3), np.random.default_rng(0)
    preset = {"passive-aggressive": "PA", "implicit": "ILK"}[rule]
    trace = run(problem, preset, T=60, C=0.4, lam=0.1, eta=1.5)
    for t in rng.integers(2, 60, 12):
        i = order_of(trace)[t]
        before, after = (
            np.bincount(s.row, s.coef.ravel(), problem.n)
            for s in (trace.support(t), trace.support(t + 1))
        )
        G, eta = gaussian(problem.X, problem.X), 1.5 / np.sqrt(t + 1)

        def cost(v, i=i, before=before, G=G, eta=eta):
            near, loss = (
                0.5 * (v - before) @ G @ (v - before),
                max(0.0, 1 - problem.y[i] * (G[i] @ v)),
            )
            return near + (
                0.4 * loss if rule == "passive-aggressive" else eta * (0.05 * v @ G @ v + loss)
            )

        for _ in range(40):
            assert (
                cost(after)
                <= cost(after + 0.05 * rng.normal() * rng.normal(size=problem.n)) + 1e-12
            )
            assert cost(after) <= cost(after + 0.1 * rng.normal() * np.eye(problem.n)[i]) + 1e-12


@pytest.mark.parametrize(
    ("preset", "eta"),
    [
        ("BPA-NN", lambda t: np.ones_like(t)),
        ("BPA-P", lambda t: np.ones_like(t)),
        ("SILK", lambda t: 1 / np.sqrt(t)),
        ("Projectron++", lambda t: np.ones_like(t)),
    ],
)
def test_what_a_step_loses_is_measured_by_its_rate(preset, eta):
    """However short a step that is solved for turns out to be; Passive-Aggressive has no rate."""
    trace = run(board(3), preset, B=6, T=200)
    t, lost = np.arange(1.0, 201.0), np.sqrt(trace.scalars["degradation"][1:])
    assert (lost > 0).sum() > 10
    np.testing.assert_allclose(
        trace.scalars["E"][1:],
        lost / (PRESETS[preset].get("eta", 1.0) * eta(t)),
        rtol=1e-12,
        atol=0,
    )


@pytest.mark.parametrize(
    "preset", [name for name, given in PRESETS.items() if given["maintenance"] != "none"]
)
@pytest.mark.parametrize("B", [1, 2, 7])
def test_budgets_are_never_exceeded(preset, B):
    """After every step; within one by the newcomer alone."""
    trace = run(board(5), preset, B=B, T=80, eps=0.1)
    assert trace.metrics["n_sv"].max() == B
    n_sv, added = trace.scalars["n_sv"], trace.scalars["added"]
    assert (n_sv[:-1] + added[1:]).max() <= B + 1


def values_of(trace, X, t):
    return trace.f(t, X)


def same(one, other, X):
    for t in range(one.steps + 1):
        np.testing.assert_allclose(values_of(one, X, t), values_of(other, X, t), rtol=0, atol=1e-10)


def test_a_projectron_with_threshold_0_and_room_is_the_perceptron():
    """Also where examples come again, and where a smooth kernel makes them all but dependent."""
    problem = plane.moons(n=60, noise=0.3, seed=1)
    for gamma in (0.3, 5.0):
        kernel, order = (
            kernels.rbf(gamma),
            np.random.default_rng(1).permutation(np.tile(np.arange(60), 3)),
        )
        one = BSGD.trace(
            problem, order=order, kernel=kernel, B=200, **PRESETS["Projectron"] | {"eps": 0.0}
        )
        same(one, SOLVERS["perceptron"].trace(problem, order=order, kernel=kernel), problem.X)
        assert (one.scalars["event"] == budget.EVENTS.index("folded")).any()


@pytest.mark.parametrize("preset", ["PA", "BPA-S", "BPA-NN", "BPA-P"])
def test_passive_aggressive_without_overflow_is_pa1(preset):
    problem = board(2, n=40)
    order = np.random.default_rng(2).permutation(40)
    kernel = kernels.rbf(6.0)
    one = BSGD.trace(problem, order=order, kernel=kernel, B=100, C=0.7, **PRESETS[preset])
    same(one, SOLVERS["pa1"].trace(problem, order=order, kernel=kernel, C=0.7), problem.X)


@pytest.mark.parametrize(
    "preset",
    [
        "Stoptron",
        "Random Perceptron",
        "Forgetron",
        "Budget Perceptron",
        "Tighter Perceptron",
        "Tightest Perceptron",
    ],
)
def test_a_perceptron_with_an_endless_budget_is_the_perceptron(preset):
    problem, order = board(4, n=50), np.random.default_rng(4).permutation(50)
    kernel = kernels.rbf(GAMMA)
    one = BSGD.trace(problem, order=order, kernel=kernel, B=500, **PRESETS[preset])
    same(one, SOLVERS["perceptron"].trace(problem, order=order, kernel=kernel), problem.X)


def test_silk_with_an_endless_budget_is_ilk():
    problem = board(4, n=50)
    same(run(problem, "SILK", B=500, T=50), run(problem, "ILK", T=50), problem.X)


@pytest.mark.parametrize(
    "preset", ["Projectron++", "PA", "BPA-S", "BPA-NN", "BPA-P", "ILK", "SILK"]
)
def test_two_classes_with_a_score_each(preset):
    """E-bar aside they are the same classifier where the rule scales: f_1 - f_0 of half the
    step.
    """
    problem = board(6)
    trace = run(problem, preset, multiclass=True, C=0.5, eps=0.4)
    support = trace.support(trace.steps)
    np.testing.assert_allclose(support.coef.sum(axis=1), 0.0, atol=1e-12)
    assert trace.metrics["error"][-1] < 0.5


@pytest.mark.parametrize("maintenance", ["remove easiest", "remove by errors", "remove by counts"])
def test_sides_are_two(maintenance):
    with pytest.raises(ValueError, match="no two sides"):
        run(board(1), "PA", maintenance=maintenance, multiclass=True)


@pytest.mark.parametrize(
    "maintenance", [name for name in budget.NAMES if name not in ("none", "stop")]
)
def test_goes_on_from_any_other(maintenance):
    """A change on the way: what the new maintenance keeps is rebuilt, and then it does as if it had
    always been there.
    """
    problem = board(7, n=150)
    trace = BSGD.trace(
        problem,
        150,
        3,
        kernel=kernels.rbf(GAMMA),
        rule="passive-aggressive",
        B=15,
        maintenance="merge",
        changes=[(60, {"maintenance": maintenance}), (90, {"B": 9}), (120, {"B": 12})],
    )
    assert trace.metrics["n_sv"][100:121].max() <= 15 and trace.metrics["n_sv"][120] <= 9
    again = BSGD.trace(
        problem,
        150,
        3,
        kernel=kernels.rbf(GAMMA),
        rule="passive-aggressive",
        B=15,
        maintenance="merge",
        changes=[
            (60, {"maintenance": maintenance}),
            (75, {"C": 1.0}),
            (90, {"B": 9}),
            (120, {"B": 12}),
        ],
    )
    np.testing.assert_allclose(
        values_of(again, problem.X, 150), values_of(trace, problem.X, 150), atol=1e-8
    )


@pytest.mark.parametrize(
    "preset",
    ["Budget Perceptron", "Tightest Perceptron", "Projectron++", "SILK", "BPA-NN", "BPA-P"],
)
def test_a_stream_is_the_same_run(preset):
    problem, params = (
        board(8, n=200),
        {"kernel": kernels.rbf(GAMMA), "B": 10, "eps": 0.4} | PRESETS[preset],
    )
    order = np.random.default_rng(0).permutation(200)
    found = stream.run([(problem.X[order], problem.y[order])], params)
    trace = BSGD.trace(problem, order=order, **params)
    np.testing.assert_allclose(
        found.model.scores(problem.X)[:, 0], values_of(trace, problem.X, 200), atol=1e-10
    )


@pytest.mark.parametrize("preset", ["Tightest Perceptron", "Projectron++", "BPA-NN"])
def test_as_a_classifier_piece_by_piece(preset):
    problem = board(9, n=200)
    given = {"kernel": kernels.rbf(GAMMA), "B": 15, "eps": 0.4} | PRESETS[preset]
    model, order = (
        estimators.BudgetedSGDClassifier(**given),
        [i for part in range(4) for i in range(part, 200, 4)],
    )
    for part in range(4):
        model.partial_fit(problem.X[part::4], problem.y[part::4], classes=[-1, 1])
    whole = stream.run([(problem.X[order], problem.y[order])], given)
    np.testing.assert_allclose(
        model.decision_function(problem.X), whole.model.scores(problem.X)[:, 0], atol=1e-10
    )
