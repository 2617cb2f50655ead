"""Merging and projection against brute force: where z lies, what it weighs, what is lost."""

import numpy as np
import pytest
from scipy.optimize import minimize

from svmviz.maths import kernels
from svmviz.maths.machine.exponentials import exponential, exponentials
from svmviz.solvers.bsgd import budget
from svmviz.solvers.bsgd.maintenance import merge
from tests.tools.rotation import at_times, turn

rng = np.random.default_rng(7)


def weights(kind: str, c: int) -> tuple[np.ndarray, np.ndarray]:
    a, b = rng.normal(size=c), rng.normal(size=c)
    if kind == "equal":
        return a, a.copy()
    if kind == "same direction":
        return a, a * rng.uniform(0.1, 5)
    if kind == "very unequal":
        return a, (b if a @ b > 0 else -b) * 10 ** rng.uniform(2, 5) * rng.choice([1, 1e-7])
    if kind == "opposite":
        return a, b if a @ b < 0 else -b
    if kind == "Crammer-Singer":  # eta for the true class, -eta for the rival
        a, b = np.zeros(c), np.zeros(c)
        for v in (a, b):
            v[rng.permutation(c)[:2]] = rng.uniform(0.2, 2) * np.array([1, -1])
        return a, b
    return a, b if a @ b > 0 else -b


def pair(kind: str, reach: str) -> tuple:
    """x_m, x_n, a_m, a_n, gamma"""
    c = 1 if kind in ("equal", "same direction") and rng.random() < 0.5 else int(rng.integers(2, 6))
    c = (
        1
        if kind in ("opposite", "very unequal") and rng.random() < 0.5
        else max(c, 2)
        if kind == "Crammer-Singer"
        else c
    )
    L = {
        "near": 10 ** rng.uniform(-3, -0.5),
        "middle": rng.uniform(0.3, 2),
        "two hills": rng.uniform(2.01, 6),
        "far": rng.uniform(30, 800),
    }[reach]  # k < e^-2 is L > 2
    gamma = 10 ** rng.uniform(-2, 2)
    x, way = rng.normal(size=3), rng.normal(size=3)
    return x, x + way / np.linalg.norm(way) * np.sqrt(L / gamma), *weights(kind, c), gamma


KINDS = "any", "equal", "same direction", "very unequal", "opposite", "Crammer-Singer"
PAIRS = [
    pair(kind, reach)
    for kind in KINDS
    for reach in ("near", "middle", "two hills", "far")
    for _ in range(84)
]


def gain(A, D, N, L, h):
    """F(h) with as many digits as there are"""
    h, L = np.asarray(h, np.longdouble), np.longdouble(L)
    p, q = np.exp(-L * (1 - h) ** 2), np.exp(-L * h * h)
    return A * p * p + 2 * D * p * q + N * q * q


def brute_force(x_m, x_n, a_m, a_n, gamma) -> float:
    """The best h of all, by looking closer and closer."""
    A, D, N, L = a_m @ a_m, a_m @ a_n, a_n @ a_n, gamma * ((x_m - x_n) ** 2).sum()
    far = 1 + 5 / np.sqrt(L) if D < 0 else 0.0
    p = lambda h: np.exp(-L * (1 - h) ** 2)  # noqa: E731
    lo, hi = -far, 1 + far
    h = np.linspace(lo, hi, 20_001)
    best = h[np.argmax(A * p(h) ** 2 + 2 * D * p(h) * p(1 - h) + N * p(1 - h) ** 2)]
    width = (hi - lo) / 20_000
    while width > 1e-12 * max(1, abs(best)):
        h = np.linspace(best - width, best + width, 41, dtype=np.longdouble)
        best = h[np.argmax(gain(A, D, N, L, h))]
        width /= 20
    return float(best)


@pytest.mark.parametrize("search", budget.SEARCHES)
def test_a_merged_pair_is_the_best_that_brute_force_finds(search):
    assert len(PAIRS) >= 2000
    some = PAIRS[(2 * budget.SEARCHES.index(search) + turn()) % 5 :: 5]  # brute force takes long
    for x_m, x_n, a_m, a_n, gamma in some:
        got, h = (
            budget.merge_pair(x_m, x_n, a_m, a_n, gamma, search),
            brute_force(x_m, x_n, a_m, a_n, gamma),
        )
        A, D, N, L = a_m @ a_m, a_m @ a_n, a_n @ a_n, gamma * ((x_m - x_n) ** 2).sum()
        if A == N and abs(got.h - h) > 0.1:  # two hills of the same height
            h = 1 - h
        assert abs(got.h - h) <= 1e-8 * max(1, abs(h)), (x_m, x_n, a_m, a_n, gamma)
        assert (
            abs(got.z - (h * x_m + (1 - h) * x_n)).max()
            <= 1e-8 * max(1, abs(h)) * np.abs([x_m, x_n]).max()
        )
        a_z = a_m * np.exp(-L * (1 - h) ** 2) + a_n * np.exp(-L * h * h)
        assert abs(got.a_z - a_z).max() <= 1e-8 * np.sqrt(A + N)
        assert got.degradation == pytest.approx(
            float(A + N + 2 * D * np.exp(-L) - gain(A, D, N, L, h)), abs=1e-8 * (A + N)
        )


def test_degradation_is_the_squared_norm_in_feature_space():
    for x_m, x_n, a_m, a_n, gamma in PAIRS[::7]:
        got = budget.merge_pair(x_m, x_n, a_m, a_n, gamma)
        K = kernels.gram(kernels.rbf(gamma), np.array([x_m, x_n, got.z]))
        delta = np.array([a_m, a_n, -np.atleast_1d(got.a_z)])
        squared = np.trace(delta.T @ K @ delta)
        assert got.degradation == pytest.approx(squared, abs=1e-13 * (delta**2).sum())
        curve = budget.curve(x_m, x_n, a_m, a_n, gamma, [got.h, 0.0, 0.3, 1.0])
        assert (
            curve[0] == pytest.approx(got.degradation, abs=1e-15)
            and (curve[1:] >= got.degradation * (1 - 1e-12)).all()
        )
        assert curve[1] == pytest.approx(
            (a_m @ a_m) * (1 - K[0, 1] ** 2), rel=1e-9
        )  # z = x_n: m projected on n


def test_no_vector_off_the_line_is_better():
    for x_m, x_n, a_m, a_n, gamma in [p for p in PAIRS if p[4] * ((p[0] - p[1]) ** 2).sum() < 4][
        ::60
    ]:
        got = budget.merge_pair(x_m, x_n, a_m, a_n, gamma)

        def negative(z, x_m=x_m, x_n=x_n, a_m=a_m, a_n=a_n, gamma=gamma):
            p, q = (np.exp(-gamma * ((x - z) ** 2).sum()) for x in (x_m, x_n))
            return -((a_m * p + a_n * q) ** 2).sum()

        for start in (got.z, x_m, x_n, x_m + 0.3 * (x_n - x_m) + 0.1 / np.sqrt(gamma)):
            assert minimize(negative, start, tol=1e-12).fun >= negative(got.z) - 1e-9 * abs(
                negative(got.z)
            )


def test_numbers_and_vectors_of_one_number_are_the_same():
    x, z = rng.normal(size=(2, 4))
    plain, listed = (
        budget.merge_pair(x, z, wrap(0.3), wrap(1.2), 0.1)
        for wrap in (float, lambda v: np.array([v]))
    )
    assert (
        isinstance(plain.a_z, float)
        and plain.a_z == listed.a_z[0]
        and plain[0] == listed[0]
        and plain[3] == listed[3]
    )


def test_duplicates_cost_nothing_and_may_cancel():
    x = rng.normal(size=3)
    same = budget.merge_pair(x, x, 0.5, 2.0, 1.0)
    assert same.a_z == 2.5 and same.degradation == 0 and np.array_equal(same.z, x) and same.h == 0
    assert budget.merge_pair(x, x, 1.0, -1.0, 1.0).a_z == 0


def test_two_hills_and_one():
    """Equal weights: the middle is best up to k = e^-2, and e^-1 for orthogonal classes; beyond, it
    is the worst between.
    """
    for cosine, border in ((1.0, 2.0), (0.0, 1.0), (0.5, 1.5)):
        a, b = np.array([1.0, 0.0]), np.array([cosine, np.sqrt(1 - cosine**2)])
        for L, middle in ((border - 1e-3, True), (border + 1e-3, False)):
            h = budget.merge_pair([0.0], [np.sqrt(L)], a, b, 1.0).h
            assert (h == 0.5) == middle and 0 <= h <= 0.5


def test_opposite_signs_send_z_beyond_the_heavier_vector():
    for ratio in (0.1, 0.5, 0.99):
        L = 0.7
        h = budget.merge_pair([0.0], [np.sqrt(L)], ratio, -1.0, 1.0).h
        assert h < 0 and -h / (1 - h) == pytest.approx(ratio * np.exp(-L * (1 - 2 * h)), rel=1e-12)


def models(c: int, b: int = 60):
    """Coefficients and distances as `partner` reads them, with m the smallest."""
    A = rng.normal(size=(b, c)) * 10 ** rng.uniform(-2, 1, size=(b, 1))
    if c > 2:
        A[: b // 2] = 0
        for v in A[: b // 2]:
            v[rng.permutation(c)[:2]] = rng.uniform(0.2, 2) * np.array([1, -1])
    N = (A * A).sum(axis=1)
    m = int(N.argmin())
    return N[m], A @ A[m], N, 10 ** rng.uniform(-6, 1.5, size=b), b, m


@pytest.mark.parametrize("c", [1, 2, 10])
def test_table_and_golden_section_find_the_same_partner_and_loss(c):
    nothing = np.empty((0, 0, 0))
    for _ in range(200):
        given = models(c)
        by_table, by_golden = (
            merge.partner(*given, 0.0, table, np.empty(60)) for table in (budget.lookup(), nothing)
        )
        assert by_table[0] == by_golden[0] and abs(by_table[2] - by_golden[2]) <= 1e-6 * given[0]
        assert by_table[1] == pytest.approx(by_golden[1], abs=1e-7)
        if by_table[0] >= 0:
            A, D, N, L, b, m = given
            losses = [
                merge.lost(A, D[j], N[j], L[j], merge.exact(A, D[j], N[j], L[j]))
                for j in range(b)
                if j != m and D[j] > 0
            ]
            assert by_table[2] == min(losses)


@at_times(4)
def test_the_table_never_exceeds_the_loss_by_more_than_its_slack():
    table, worst = budget.lookup(), 0.0
    for _ in range(20_000):
        root, L = (
            (rng.random() if rng.random() < 0.8 else 1 - 10 ** rng.uniform(-6, -1)),
            10 ** rng.uniform(-6, 1.7),
        )
        cosine = 1.0 if rng.random() < 0.4 else rng.random()
        A, D = root**2, cosine * root
        loss = merge.lost(A, D, 1.0, L, merge.exact(A, D, 1.0, L)) / A
        worst = max(worst, merge.at_least(table, A, D, 1.0, L) / max(loss, 1e-300) - 1)
        assert merge.lost(A, D, 1.0, L, merge.golden(A, D, 1.0, L)) / A == pytest.approx(
            loss, rel=1e-9, abs=1e-15
        )
    assert worst <= merge.SLACK * (1 - merge.SLACK)


def test_exponentials_are_right_to_the_last_digits():
    v = np.concatenate([[0.0, 1e-300], rng.random(5000) * 40, 10 ** rng.uniform(-18, 2.8, 5000)])
    out = v.copy()
    exponentials(out, out.size, 1.0)
    assert np.array_equal(out, [exponential(value) for value in v])
    assert out[0] == 1.0 and (abs(out / np.exp(-v) - 1) <= 4e-16).all()
    far = np.array([709.0, 1e4, np.inf, np.nan])
    exponentials(far, 4, 1.0)
    assert (far <= 1e-300).all() and (far >= 0).all()


def test_candidates_rank_all_partners_of_the_smallest():
    V, a = rng.normal(size=(12, 2)), rng.normal(size=12)
    found = budget.candidates(V, a, 0.5)
    assert (
        found.m == abs(a).argmin()
        and len(found.n) == 11
        and (found.same_side == (a[found.n] * a[found.m] > 0)).all()
    )
    one = budget.merge_pair(V[found.m], V[found.n[3]], a[found.m], a[found.n[3]], 0.5)
    assert (found.h[3], found.degradation[3]) == (one.h, one.degradation)
    allowed = found.degradation[found.same_side]
    assert found.degradation[list(found.n).index(found.best)] == allowed.min()
    assert budget.candidates(V[:2], [1.0, -2.0], 0.5).best == -1


@pytest.mark.parametrize(
    "given, words",
    [
        (([0.0], [1.0, 2.0], 1.0, 1.0, 1.0), "same shape"),
        (([0.0], [1.0], [1.0, 2.0], [1.0], 1.0), "same shape"),
        (([0.0], [1.0], 1.0, 1.0, -2.0), "gamma must be positive, got -2"),
        (([0.0], [1.0], 1.0, 1.0, np.nan), "gamma must be"),
        (([0.0], [1.0], np.nan, 1.0, 1.0), "must be finite"),
        (([0.0], [np.inf], 1.0, 1.0, 1.0), "must be finite"),
    ],
)
def test_what_does_not_fit_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        budget.merge_pair(*given)
    with pytest.raises(ValueError, match="search must be one of table, golden section, got 'luck'"):
        budget.merge_pair([0.0], [1.0], 1.0, 1.0, 1.0, "luck")


@pytest.mark.parametrize("plus", [0.25, 4.0])
def test_with_a_constant_feature_a_merged_pair_is_the_best_that_brute_force_finds(plus):
    """|Delta|² from kernel values k + c² alone, over a fine grid of h with the best coefficient for each."""
    rng = np.random.default_rng(7)
    for _ in range(200):
        x_m, x_n, gamma = *rng.normal(size=(2, 3)), 10 ** rng.uniform(-2, 1)
        a_m, a_n = rng.uniform(0.01, 2, size=2)
        got, L = (
            budget.merge_pair(x_m, x_n, a_m, a_n, gamma, plus=plus),
            gamma * ((x_m - x_n) ** 2).sum(),
        )
        h = np.append(np.linspace(0, 1, 4001), got.h)
        a_z = (a_m * (np.exp(-L * (1 - h) ** 2) + plus) + a_n * (np.exp(-L * h * h) + plus)) / (
            1 + plus
        )
        lost = (
            (a_m**2 + a_n**2) * (1 + plus)
            + 2 * a_m * a_n * (np.exp(-L) + plus)
            - a_z**2 * (1 + plus)
        )
        assert got.a_z == pytest.approx(a_z[-1]) and got.degradation == pytest.approx(
            lost[-1], abs=1e-12
        )
        assert lost[-1] <= lost.min() + 1e-12
