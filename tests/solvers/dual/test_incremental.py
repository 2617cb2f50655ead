"""The approximate incremental SVM against the paper written out in NumPy, its identities, its
theorems and exact optima.
"""

from fractions import Fraction

import numpy as np
import pytest

from svmviz.data import plane
from svmviz.maths import kernels
from svmviz.record import metrics
from svmviz.solvers import SOLVERS
from svmviz.theory import bounds, optima, reference
from tests.tools.rotation import at_times, by_turns

INCREMENTAL = SOLVERS["incremental"]
GAUSS = plane.gauss(n=300, seed=1)


def oracle(problem, kernel, C, K, order, picks, process):
    """Algorithms 1 and 2 as printed, line 8 included: alpha, its average and g of every pick, round
    by round.
    """
    G, y = kernels.gram(kernel, problem.X), problem.y
    alpha, looked = np.zeros(problem.n), []
    g = lambda i: 1 - y[i] * (G[i] @ (y * alpha))  # noqa: E731
    for t, new in enumerate(order):
        looked.append([g(new)])
        if process:
            alpha[new] = max(0.0, min(C, g(new) / G[new, new]))
        mean = np.zeros(problem.n)
        for k, i in enumerate(picks[t], start=1):
            looked[-1].append(g(i))
            alpha[i] += max(-alpha[i], min(C - alpha[i], g(i) / G[i, i]))
            mean = (k - 1) / k * mean + alpha / k
        yield alpha.copy(), mean, looked[-1]


@pytest.mark.parametrize("algorithm", ["Algorithm 1", "Algorithm 2"])
@pytest.mark.parametrize(
    "kernel",
    [kernels.rbf(1.0), kernels.poly(2, 0.2, 1.0), kernels.linear(), kernels.laplacian(2.0)],
    ids=str,
)
@pytest.mark.parametrize("K", [1, 7])
def test_it_is_the_algorithm_of_the_paper(algorithm, kernel, K):
    problem, rng = plane.banana(n=40, seed=2), np.random.default_rng(3)
    order = rng.permutation(40)
    picks = np.array([rng.choice(order[: t + 1], K) for t in range(40)])
    trace = INCREMENTAL.trace(
        problem, order=order, picks=picks, kernel=kernel, K=K, C=0.9, algorithm=algorithm
    )
    for t, (alpha, mean, g) in enumerate(
        oracle(problem, kernel, 0.9, K, order, picks, algorithm == "Algorithm 2"), start=1
    ):
        assert abs(trace.at(t).alpha - alpha).max() <= 1e-12
        assert abs(problem.y * trace.coef(t, "average") - mean).max() <= 1e-12
        assert 1 - trace.segments[0].record.margin[t - 1] == pytest.approx(g, abs=1e-11)


@pytest.mark.parametrize(
    "params",
    by_turns(
        [
            {"changes": [(120, {"K": 20}), (200, {"C": 0.1})]},
            {},
            {"algorithm": "Algorithm 1", "K": 3},
            {"teacher": "active", "C": 3.0},
            {"kernel": None},
            {"gradients": "LASVM, all seen"},
            {"gradients": "LASVM, support vectors", "C": 0.3},
            {"algorithm": "batch"},
        ],
        3,
    ),
    ids=str,
)
def test_identity_4_ascent_and_boxes_along_whole_runs(params):
    trace = INCREMENTAL.trace(GAUSS, steps=300, seed=4, **params)
    order, ascent, G, y = (
        optima.arrivals(trace),
        0.0,
        kernels.gram(trace.kernel(1), GAUSS.X),
        GAUSS.y,
    )
    for t in range(1, 301):
        C, rows = trace.params(t)["C"], optima.seen(trace, order, t)
        for iterate, gap, primal in (
            ("last", "gap_last", "primal_last"),
            ("average", "gap", "primal"),
        ):
            coef = trace.coef(t, iterate)
            alpha, f = y * coef, G @ coef
            P = coef @ f / 2 + C * np.maximum(0, 1 - y * f)[rows].sum()
            D = alpha.sum() - coef @ f / 2
            scale = C * rows.size
            assert trace.scalars[primal][t] == pytest.approx(P / scale, rel=1e-9)
            shares = bounds.gap_shares(y[rows], f[rows], alpha[rows], C)
            assert shares.min() >= 0 and abs(shares.sum() - (P - D)) / scale <= 1e-10
            assert abs(trace.scalars[gap][t] - (P - D) / scale) <= 1e-10
            if iterate == "last":
                assert alpha.min() >= 0.0 and alpha.max() <= C  # exactly
                assert D >= ascent - 1e-10 * scale or t == 201  # there the box shrinks
                ascent = D
    hit = y * trace.at(300).coef
    assert (hit == trace.params()["C"]).any() and (hit == 0.0).any()


def test_a_box_is_reached_exactly_whatever_its_size():
    for C in (0.9, 0.3, 1 / 3, 1e-3, 7.7):
        alpha = GAUSS.y * INCREMENTAL.trace(GAUSS, steps=300, C=C, K=9).at(300).coef
        near = alpha[alpha > C * (1 - 1e-12)]
        assert near.size and (near == C).all()


@pytest.mark.parametrize("C", [0.9, 1 / 3, 7.7, 1.7])
def test_step_of_formula_3_that_meets_an_end_of_the_box_ends_there(C):
    """Formula (3) in fractions: alpha + max(-alpha, min(C - alpha, g)), as K(x, x) = 1.

    A step of at most half the box ends there exactly. A longer one may miss it by a unit in the
    last place, as with C = 1.7, where no difference of two doubles leads there; the next step does.
    """
    record, alpha, ends = (
        INCREMENTAL.trace(GAUSS, steps=300, seed=1, C=C, K=9).segments[0].record,
        np.zeros(300),
        [],
    )
    for i, margin, delta in zip(
        record.drawn.ravel(), record.margin.ravel(), record.delta.ravel(), strict=True
    ):
        before = Fraction(alpha[i])
        wanted = before + max(-before, min(Fraction(C) - before, Fraction(1 - margin)))
        alpha[i] += GAUSS.y[i] * delta
        assert abs(Fraction(alpha[i]) - wanted) <= 1e-15 * C
        if before != wanted in (0, Fraction(C)):
            ends.append((wanted, before, Fraction(alpha[i])))
    assert {wanted for wanted, *_ in ends} == {0, Fraction(C)} and any(
        before not in (0, wanted) for wanted, before, _ in ends
    )
    missed = [(wanted, before, end) for wanted, before, end in ends if end != wanted]
    assert all(
        wanted == C and before < Fraction(C) / 2 and abs(end - wanted) == Fraction(np.spacing(C))
        for wanted, before, end in missed
    )
    assert len(missed) == (2 if C == 1.7 else 0)


def test_an_example_of_length_0_goes_to_the_end_of_its_box():
    problem = plane.make_problem([[0.0, 0.0], [1.0, 0.5]], [1, -1])
    trace = INCREMENTAL.trace(problem, order=[0, 1], kernel=None, C=0.7, K=2)
    assert trace.at(1).alpha.tolist() == [0.7, 0.0]


def test_lemma_1_on_5000_random_states():
    rng = np.random.default_rng(0)
    tight = 0.0
    for _ in range(5000):
        t, C = int(rng.integers(1, 12)), float(10 ** rng.uniform(-2, 2))
        X = rng.normal(size=(t, 3))
        X *= rng.random((t, 1)) / np.linalg.norm(X, axis=1, keepdims=True)
        y, G = rng.choice([-1.0, 1.0], t), X @ X.T
        alpha = C * np.clip(rng.uniform(-0.5, 1.5, t), 0, 1)
        f = G @ (y * alpha)
        gap = (alpha * y) @ f + C * np.maximum(0, 1 - y * f).sum() - alpha.sum()
        bound = bounds.duality_lemma(y, f, alpha, C, G.diagonal())
        assert gap / (C * t) <= bound + 1e-12
        tight = max(tight, gap / (C * t) / max(bound, 1e-12))
    assert tight > 0.9  # there are states that nearly reach it


@pytest.mark.parametrize("algorithm", ["Algorithm 1", "Algorithm 2"])
@pytest.mark.parametrize("K", by_turns([5, 1, 20], 4))
def test_theorems_2_and_3_hold_on_average_over_20_seeds(algorithm, K):
    problem, T, C, kernel = plane.gauss(n=150, seed=3), 150, 1.0, kernels.rbf(1.0)
    order = np.random.default_rng(0).permutation(150)
    grown = [
        problem._replace(X=problem.X[order[:t]], y=problem.y[order[:t]]) for t in range(1, T + 1)
    ]
    best = np.array([reference.optimum(seen, 1 / (C * seen.n), kernel).primal for seen in grown])
    found, promised = [], []
    for seed in range(20):
        trace = INCREMENTAL.trace(
            problem, order=order, seed=seed, K=K, C=C, kernel=kernel, algorithm=algorithm
        )
        found.append((trace.scalars["primal"][1:] - best).mean())
        gained = trace.scalars["gain"].sum() / (C * T)
        assert (gained > 0) == (algorithm == "Algorithm 2")
        promised.append(best[-1] - gained)
    bound = bounds.tracking(float(np.mean(promised)), K, C)
    assert 0 < np.mean(found) <= bound
    drawn = INCREMENTAL.goal.bound(trace)
    assert (
        drawn.name == ("Theorem 3" if algorithm == "Algorithm 2" else "Theorem 2") and drawn.holds
    )
    assert drawn.value[-1] == pytest.approx(bounds.tracking(promised[-1], K, C), abs=2e-3)
    tracked, values = optima.tracked(trace)
    assert abs(values - best[tracked - 1]).max() <= optima.CLOSE


@pytest.mark.parametrize("K", [1, 10])
def test_section_4_1_holds_of_batch_runs_on_average_over_20_seeds(K):
    problem, T, C = plane.gauss(n=80, seed=3), 300, 2.0
    best = reference.optimum(problem, 1 / (C * 80), kernels.rbf(1.0)).primal
    given = {"K": K, "C": C, "kernel": kernels.rbf(1.0), "algorithm": "batch"}
    traces = [INCREMENTAL.trace(problem, T, seed=seed, **given) for seed in range(20)]
    missing = np.mean([trace.scalars["primal"][1:] - best for trace in traces], axis=0)
    bound = INCREMENTAL.goal.bound(traces[0])
    t = bound.t
    x = (best + optima.CLOSE) * C * 80 / t
    assert (
        bound.name == "Section 4.1"
        and bound.holds
        and bound.value == pytest.approx(np.sqrt(2 * x) + x / C, rel=1e-3)
    )
    assert (
        1 < t[0]
        and t[-1] == T
        and bound.value[0]
        < 1
        < np.sqrt(2 * x[0] * t[0] / (t[0] - 1)) + x[0] * t[0] / (t[0] - 1) / C
    )
    assert ((np.cumsum(missing) / np.arange(1, T + 1))[t - 1] <= bound.value).all()
    few = INCREMENTAL.goal.bound(INCREMENTAL.trace(problem, 5, **given))
    assert few.vacuous and few.t.size == 5
    long = INCREMENTAL.trace(problem._replace(X=2 * problem.X), 30, **(given | {"kernel": None}))
    assert "at most 1" in INCREMENTAL.goal.bound(long).broken


def test_corollary_4():
    assert bounds.draws_for(0.1, C=1.0) == 800
    for C in (0.05, 1.0, 1000.0):
        for eps in (0.01 * C, C, 4 * C):
            assert bounds.tracking(1.0, bounds.draws_for(eps, C), C) <= eps * (1 + 1e-12)
    with pytest.raises(ValueError, match="eps must lie in"):
        bounds.draws_for(1.0, C=0.05)


def test_the_batch_version_reaches_the_exact_optimum():
    problem, C = plane.blobs(n=60, seed=5), 0.5
    trace = INCREMENTAL.trace(
        problem, steps=400, K=1000, C=C, kernel=kernels.rbf(2.0), algorithm="batch"
    )
    exact = reference.optimum(problem, 1 / (C * 60), kernels.rbf(2.0))
    assert trace.scalars["gap"][-1] <= 1e-8 and trace.scalars["primal"][-1] == pytest.approx(
        exact.primal, abs=1e-8
    )
    assert (
        abs(trace.f(400, problem.X) - kernels.gram(kernels.rbf(2.0), problem.X) @ exact.coef).max()
        <= 1e-4
    )
    assert np.array_equal(trace.coef(400, "average"), trace.coef(400, "last"))


def test_after_the_stream_it_goes_on_to_the_optimum():
    problem = plane.blobs(n=40, seed=5)
    trace = INCREMENTAL.trace(problem, steps=400, K=500, kernel=kernels.rbf(2.0))
    exact = reference.optimum(problem, 1 / 40, kernels.rbf(2.0)).primal
    assert (trace.scalars["arrived"][1:] == (np.arange(1, 401) <= 40)).all()
    assert trace.scalars["primal"][-1] == pytest.approx(exact, abs=1e-8)


@pytest.mark.long
def test_gap_is_flat_in_t_and_falls_with_k_and_process_is_worth_twice_the_draws():
    problem, Ks, mean, middle = plane.gauss(n=1200), (4, 8, 16, 32, 64, 128), {}, {}
    for algorithm in ("Algorithm 1", "Algorithm 2"):
        for K in Ks:
            runs = [
                INCREMENTAL.trace(problem, steps=1200, seed=seed, K=K, algorithm=algorithm).scalars
                for seed in range(3)
            ]
            middle[algorithm, K] = np.median([own["gap"][1:] for own in runs])
            for which in ("gap", "gap_last"):  # of the average that is put out, and of alpha itself
                gaps = np.mean([own[which][1:] for own in runs], axis=0)
                mean[which, algorithm, K] = gaps.mean()
                assert 0.75 < gaps[700:].mean() / gaps[200:700].mean() < 1.33
    for which in ("gap", "gap_last"):
        assert (
            -1.05
            <= np.polyfit(np.log(Ks), [np.log(mean[which, "Algorithm 1", K]) for K in Ks], 1)[0]
            <= -0.7
        )
    for K in Ks[:-1]:
        assert mean["gap_last", "Algorithm 2", K] <= mean["gap_last", "Algorithm 1", 2 * K]
        # The average over 2K iterates is the smoother one, and catches up at last.
        assert mean["gap", "Algorithm 2", K] <= mean["gap", "Algorithm 1", 2 * K] or K > 16
        assert middle["Algorithm 2", K] <= middle["Algorithm 1", 2 * K] or K > 32


@at_times(4)
def test_an_active_teacher_halves_the_error_of_chance():
    errors = {"random": [], "active": []}
    for seed in range(5):
        problem, test = (
            plane.checkerboard(n=2000, seed=seed),
            plane.checkerboard(n=3000, seed=1000 + seed),
        )
        for teacher in errors:
            trace = INCREMENTAL.trace(
                problem,
                steps=400,
                seed=seed,
                K=100,
                C=100.0,
                kernel=kernels.rbf(4.0),
                teacher=teacher,
                algorithm="Algorithm 1",
            )
            errors[teacher].append(metrics.error_on(trace, test, [400])[0])
    assert np.mean(errors["active"]) <= np.mean(errors["random"]) / 2


@pytest.mark.parametrize("teacher", ["active", "adversary"])
def test_a_teacher_takes_from_its_pool_whom_it_should(teacher):
    trace = INCREMENTAL.trace(GAUSS, steps=300, seed=2, teacher=teacher, pool=20)
    seen, columns = set(), trace.segments[0].record
    for t in range(1, 301):
        pool = columns.own["pool"][t - 1]
        pool = pool[pool >= 0]
        assert len(set(pool.tolist())) == pool.size == min(20, 300 - len(seen)) and not seen & set(
            pool.tolist()
        )
        f = trace.f(t - 1, GAUSS.X[pool])  # of what was put out last
        wish = abs(f) if teacher == "active" else GAUSS.y[pool] * f
        taken = int(columns.drawn[t - 1, 0])
        assert wish[pool == taken] <= wish.min() + 1e-10
        assert trace.scalars["score"][t] == pytest.approx(f[pool == taken][0], abs=1e-10)
        seen.add(taken)


def test_everybody_arrives_once_and_draws_are_uniform_among_the_seen():
    trace = INCREMENTAL.trace(GAUSS, steps=300, K=40, seed=7)
    columns = trace.segments[0].record
    assert (
        sorted(columns.drawn[:, 0]) == list(range(300))
        and (columns.drawn[:, 0] != np.arange(300)).any()
    )
    place = np.argsort(columns.drawn[:, 0])  # when each arrived
    share = (place[columns.drawn[:, 1:]] + 0.5) / np.arange(1, 301)[:, None]
    assert (
        share.max() < 1
        and abs(share[20:].mean() - 0.5) < 0.01
        and abs(share[20:].var() - 1 / 12) < 0.005
    )
    given = INCREMENTAL.trace(GAUSS, steps=300, teacher="as given").segments[0].record
    assert given.drawn[:, 0].tolist() == list(range(300))


def test_kernel_evaluations_are_those_that_each_variant_needs():
    """Counted anew from the recorded draws, with sets."""
    problem = plane.gauss(n=60, seed=2)
    for first, later in (
        ("computed", "LASVM, support vectors"),
        ("cached", "LASVM, all seen"),
        ("LASVM, all seen", "cached"),
        ("LASVM, support vectors", "cached"),
    ):
        for teacher in ("random", "active"):
            trace = INCREMENTAL.trace(
                problem,
                steps=70,
                K=6,
                gradients=first,
                teacher=teacher,
                pool=8,
                changes=[(50, {"gradients": later})],
            )
            drawn, deltas = (
                np.concatenate([getattr(segment.record, name) for segment in trace.segments])
                for name in ("drawn", "delta")
            )
            pools = np.concatenate([segment.record.own["pool"] for segment in trace.segments])
            coef, mean, seen, pairs, total = np.zeros(60), np.zeros(60), [], set(), 0
            for s in range(70):
                need, gradients = [], first if s < 50 else later
                for p in pools[s][pools[s] >= 0]:
                    need += [(p, j) for j in np.flatnonzero((mean != 0) | (coef != 0))]
                for e, (i, d) in enumerate(zip(drawn[s], deltas[s], strict=True)):
                    support = lambda: np.flatnonzero(coef).tolist()  # noqa: B023, E731
                    if e == 0 and s < 60:
                        seen.append(i)
                        need += [(i, j) for j in support()]
                    elif e and gradients == "computed":
                        need += [(i, j) for j in support()]
                    coef[i] += d
                    if abs(coef[i]) < 1e-15:
                        coef[i] = 0.0
                    if d and gradients == "cached":
                        need += [(i, j) for j in seen]
                    elif d and gradients != "computed":
                        need += [(i, j) for j in support()]
                mean = trace.coef(s + 1, "average")
                mean[abs(mean) < 1e-15] = 0.0
                need = [frozenset(pair) for pair in need if pair[0] != pair[1]]
                total, pairs = total + len(need), pairs | set(need)
                assert trace.metrics["kernel_evals"][s + 1] == total, (gradients, teacher, s)
                assert trace.scalars["pairs"][s + 1] == len(pairs)


def test_cached_gradients_change_the_cost_and_nothing_else():
    computed, cached = (
        INCREMENTAL.trace(GAUSS, steps=300, K=20, gradients=which)
        for which in ("computed", "cached")
    )
    assert np.array_equal(computed.at(300).coef, cached.at(300).coef)
    assert cached.metrics["kernel_evals"][-1] < computed.metrics["kernel_evals"][-1]


def test_lasvm_never_lets_an_example_back_in():
    effective = {}
    for reading in ("LASVM, all seen", "LASVM, support vectors"):
        trace = INCREMENTAL.trace(GAUSS, steps=300, K=20, gradients=reading)
        columns, coef = trace.segments[0].record, np.zeros(300)
        for s in range(300):
            for e, (i, d) in enumerate(zip(columns.drawn[s], columns.delta[s], strict=True)):
                if e:
                    assert not (coef[i] == 0.0 and d != 0.0)
                    assert reading != "LASVM, support vectors" or coef[i] != 0.0 or not coef.any()
                coef[i] += d
        effective[reading] = trace.scalars["moved"].sum() / (20 * 300)
    assert effective["LASVM, support vectors"] > 1.2 * effective["LASVM, all seen"]
    with pytest.raises(ValueError, match="only PROCESS"):
        INCREMENTAL.trace(GAUSS, steps=5, algorithm="Algorithm 1", gradients="LASVM, all seen")


def test_what_one_chooses_arrives_then_and_nothing_before_changes():
    plain = INCREMENTAL.trace(GAUSS, steps=60, seed=3)
    wish = next(i for i in range(300) if i not in plain.segments[0].record.drawn[:60, 0])
    mine = INCREMENTAL.trace(GAUSS, steps=60, seed=3, chosen=[(31, wish)])
    assert np.array_equal(mine.at(30).coef, plain.at(30).coef)
    assert mine.segments[0].record.drawn[30, 0] == wish and mine.why(31).startswith(
        f"You chose point {wish + 1}"
    )
    early = int(plain.segments[0].record.drawn[4, 0])  # it has arrived already: the teacher goes on
    again = INCREMENTAL.trace(GAUSS, steps=60, seed=3, chosen=[(31, early)])
    assert sorted({*again.segments[0].record.drawn[:, 0]}) == sorted(
        again.segments[0].record.drawn[:, 0]
    )


def test_what_cannot_be_replayed_is_refused():
    for given, told in (
        ({"order": [0, 0]}, "once at most"),
        ({"order": [0, 999]}, "indices from 0 to 299"),
        ({"order": [3, 4], "picks": [[4], [3]], "K": 1}, "have arrived"),
        ({"order": [3, 4], "picks": [[3, 3]], "K": 1}, "must hold 1 examples"),
        ({"chosen": [(1, -1)], "steps": 3}, "chosen must hold"),
    ):
        with pytest.raises(ValueError, match=told):
            INCREMENTAL.trace(GAUSS, **given)
    with pytest.raises(ValueError, match="knows no stream"):
        SOLVERS["sdca"].trace(GAUSS, steps=3, chosen=[(1, 2)])


def test_points_that_come_and_go_on_the_way():
    problem = plane.gauss(n=100, seed=1)
    trace = INCREMENTAL.trace(
        problem, steps=120, active=[(0, np.arange(50)), (30, np.arange(10, 90))]
    )
    late = trace.segments[1].record
    assert set(trace.segments[0].record.drawn.ravel()) <= set(range(50)) and set(
        late.drawn.ravel()
    ) <= set(range(10, 90))
    assert trace.scalars["seen"][-1] == 80 and trace.scalars["gap"][-1] < 0.2
