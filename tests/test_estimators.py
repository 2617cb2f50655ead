"""The classifiers: scikit-learn's own checks, the runs that the app shows, exact optima, and what
users do with them.
"""

import inspect
import sys
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from numba.core.registry import CPUDispatcher
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils import estimator_checks as checks
from sklearn.utils.estimator_checks import (
    check_class_weight_classifiers,
    check_estimator,
    estimator_checks_generator,
)

from svmviz import estimators, make_problem
from svmviz.data import many_classes, plane
from svmviz.estimators import (
    BudgetedSGDClassifier,
    DualCoordinateAscentClassifier,
    IncrementalSVMClassifier,
    PegasosClassifier,
    SequentialMinimalOptimisationClassifier,
    SIMBAClassifier,
    StochasticBatchPerceptronClassifier,
    train,
)
from svmviz.estimators.classifier import WeightedClassifier
from svmviz.estimators.train import recorded
from svmviz.run.streams import stream
from svmviz.solvers import SOLVERS
from svmviz.theory import pareto, reference
from tests.tools.rotation import at_times, by_turns, in_turn
from tests.tools.variants import variants

SLOW = (
    "StochasticBatchPerceptronClassifier",
    "SequentialMinimalOptimisationClassifier",
    "BudgetedSGDClassifier",
    "DualCoordinateAscentClassifier",
    "SIMBAClassifier",
    "IncrementalSVMClassifier",
)
RUNS = {
    "pegasos": [
        {},
        {"k": 3, "iterate": "average"},
        {"kernel": "rbf(gamma=2.0)", "iterate": "average", "project": True},
        {"kernel": "rbf(gamma=2.0)", "iterate": "random"},
    ],
    "sbp": [
        {},
        {"bias": True, "iterate": "average"},
        {"kernel": "rbf(gamma=2.0)", "iterate": "average"},
    ],
    "sdca": [{}, {"kernel": "laplacian(gamma=1.0)"}],
    "smo": [{}, {"kernel": "rbf(gamma=2.0)", "bias": False}],
    "perceptron": [{}, {"kernel": "poly(degree=2, gamma=1.0, coef0=1.0)"}],
    "fourier": [{}, {"iterate": "average", "features": 20}],
    "bsgd": [
        {},
        {"maintenance": "project smallest", "B": 5},
        {"kernel": None, "maintenance": "remove smallest", "B": 10},
        {"multiclass": True},
    ],
    "simba": [
        {},
        {"bias": True},
        {"iterate": "last", "exact_margins": True},
        {"schedule": "constant", "horizon": 150},
    ],
    "incremental": [
        {},
        {"iterate": "last"},
        {"algorithm": "Algorithm 1", "kernel": None},
        {"algorithm": "batch"},
        {"teacher": "active", "pool": 8},
    ],
}
RUNS = {
    key: RUNS.get(key) or list(variants(solver))
    for key, solver in SOLVERS.items()
    if not (solver.space.real or solver.space.chained)
}


DRAWN = "with other weights, or the same example twice, a run draws other examples"
UNMET = {
    "check_sample_weight_equivalence_on_dense_data": DRAWN,
    "check_sample_weight_equivalence_on_sparse_data": DRAWN,
    "check_class_weight_classifiers": (
        "a line through the origin has points on both sides, whatever they weigh"
    ),
}


OWN_CHECKS = (
    checks.check_fit_idempotent,
    checks.check_dict_unchanged,
    checks.check_fit2d_1sample,
    checks.check_fit2d_1feature,
    checks.check_methods_subset_invariance,
    checks.check_methods_sample_order_invariance,
    checks.check_non_transformer_estimators_n_iter,
    checks.check_estimators_overwrite_params,
)


def made(key, **given):
    return next(found for found in estimators.ESTIMATORS.values() if found.solver.key == key)(
        **given
    )


def test_every_solver_has_a_classifier_with_its_parameters_as_arguments():
    assert [found.solver.key for found in estimators.ESTIMATORS.values()] == list(RUNS)
    for name, found in estimators.ESTIMATORS.items():
        assert getattr(estimators, name) is found and found.__name__ == name
        arguments = inspect.signature(found).parameters
        own = [p.name for p in found.solver.params]
        biased, weighs = bool({"intercept", "bias"} & {*own}), issubclass(found, WeightedClassifier)
        usual = (
            ["fit_intercept"] * biased
            + ["class_weight"] * weighs
            + ["steps", "max_iter"]
            + ["tol"] * (found.solver.key in ("sdca", "smo"))
            + ["cache_size"] * (found.solver.key in ("incremental", "sbp", "smo"))
            + ["warm_start", "verbose"]
            + ["n_jobs"] * (not found.solver.space.multiclass)
            + ["trace", "random_state"]
        )
        assert list(arguments) == [*own, *usual]
        own = found.solver.check(found.solver.uses.fit_defaults)
        assert (
            found.solver.check({p.name: arguments[p.name].default for p in found.solver.params})
            == own
        )


def test_defaults_of_a_classifier_may_differ_from_those_of_a_picture():
    X, y = next(stream.checkerboard(1500))
    Z, z = next(stream.checkerboard(3000, seed=1))
    sbp, incremental = (
        StochasticBatchPerceptronClassifier(),
        IncrementalSVMClassifier(kernel="rbf(gamma=10.0)", C=100.0),
    )
    assert (sbp.iterate, sbp.kernel, incremental.K) == ("average", "rbf(gamma=1.0)", 100)
    assert (
        SOLVERS["sbp"].check({})["kernel"] is None and SOLVERS["incremental"].check({})["K"] == 5
    )  # links stay as they are
    few = IncrementalSVMClassifier(kernel="rbf(gamma=10.0)", C=100.0, K=5).fit(X, y).score(Z, z)
    assert incremental.fit(X, y).score(Z, z) > few
    assert sbp.fit(4 * X, y).score(4 * Z, z) > 0.3 + StochasticBatchPerceptronClassifier(
        kernel=None
    ).fit(X, y).score(Z, z)


@pytest.mark.parametrize(
    "given", [{}, {"iterate": "last", "kernel": None}, {"teacher": "adversary", "pool": 8}], ids=str
)
@pytest.mark.parametrize("steps", [40, 150])
def test_a_pass_without_a_record_is_the_run_that_the_app_shows(given, steps, monkeypatch):
    problem, given = plane.moons(n=100, noise=0.3, seed=1), {"K": 7} | given
    model = IncrementalSVMClassifier(steps=steps, random_state=5, **given).fit(*problem)
    trace = SOLVERS["incremental"].trace(problem, steps, 5, **given)
    f = np.ravel(trace.f(steps, problem.X))
    assert model.decision_function(problem.X) == pytest.approx(f, rel=1e-9, abs=1e-9 * abs(f).max())
    monkeypatch.setattr(train, "TRAINERS", {})
    other = IncrementalSVMClassifier(steps=steps, random_state=5, **given).fit(*problem)
    assert (other.predict(problem.X) == model.predict(problem.X)).all()


def first_of_each_base() -> set[str]:
    """The first estimator of each base class that is not slow: what scikit-learn checks is mostly
    that class.
    """
    firsts = {}
    for name, found in estimators.ESTIMATORS.items():
        if name not in SLOW:
            firsts.setdefault(found.__mro__[1], name)
    return {*firsts.values()}


CHECKED = {name for name in first_of_each_base() if name == "PegasosClassifier" or in_turn(name, 3)}


@pytest.mark.parametrize(
    "name",
    [
        name if name in CHECKED else pytest.param(name, marks=pytest.mark.long)
        for name in estimators.ESTIMATORS
    ],
)
@pytest.mark.filterwarnings("ignore")  # of scikit-learn, about checks that need an array API
def test_it_is_an_estimator_to_scikit_learn(name):
    model = getattr(estimators, name)()
    check_estimator(
        model,
        on_skip=None,
        expected_failed_checks=UNMET if isinstance(model, WeightedClassifier) else None,
    )


@pytest.mark.parametrize(
    "name",
    [
        (
            name
            if name in first_of_each_base() or in_turn(name, 3)
            else pytest.param(name, marks=pytest.mark.long)
        )
        for name in estimators.ESTIMATORS
        if name not in CHECKED
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_estimator_that_is_not_checked_whole_passes_the_checks_that_its_solver_has_a_part_in(name):
    own = [
        (model, check)
        for model, check in estimator_checks_generator(getattr(estimators, name)(), mark=None)
        if check.func in OWN_CHECKS
    ]
    assert len(own) == len(OWN_CHECKS)
    for model, check in own:
        check(model)


@pytest.mark.parametrize("name", ["PegasosClassifier", "ConstantStepSGDClassifier"])
def test_with_a_bias_one_class_may_outweigh_the_other(name):
    check_class_weight_classifiers(name, getattr(estimators, name)(fit_intercept=True))


@pytest.mark.parametrize("key", RUNS)
def test_it_is_the_run_that_the_app_shows(key, monkeypatch):
    """The defaults with dense and with sparse rows; of the others each with one of them, and with
    the other at another turn.
    """
    cases = [
        (given, sparse)
        for given in RUNS[key]
        for sparse in (False, True)
        if not given or in_turn(f"{key} {given}", 2) == sparse
    ]
    failed = []
    for given, sparse in cases:
        try:
            compare_with_the_run_that_the_app_shows(key, given, sparse, monkeypatch)
        except AssertionError as error:
            failed.append(f"{given}, sparse={sparse}: {error}")
    assert not failed, "\n".join(failed)


def compare_with_the_run_that_the_app_shows(key, given, sparse, monkeypatch):
    monkeypatch.setattr(recorded, "STRETCH", 7)
    X, y = plane.moons(n=60, noise=0.3, seed=1)
    X, steps = sp.csr_array(X) if sparse else X, {"incremental": 50, "tvm": 60}.get(key, 170)
    model = made(key, steps=steps, random_state=5, **given).fit(X, np.where(y > 0, "yes", "no"))
    trace = SOLVERS[key].trace(
        make_problem(X, y), steps, 5, **dict(SOLVERS[key].uses.fit_defaults) | given
    )
    Z = np.random.default_rng(0).normal(size=(40, 2))
    f = np.asarray(trace.f(steps, Z))
    f = f if f.ndim == 1 or f.shape[1] == 1 else f[:, 1] - f[:, 0]
    assert model.decision_function(Z) == pytest.approx(f.ravel(), rel=1e-9, abs=1e-9 * abs(f).max())
    assert abs(f).max() > 0 and (model.predict(Z) == np.where(f.ravel() >= 0, "yes", "no")).all()
    assert model.n_iter_ == steps and list(model.classes_) == ["no", "yes"]


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X) / 6, y


@pytest.mark.parametrize(
    ("model", "within"),
    [
        (PegasosClassifier(lam=0.01, iterate="average", steps=50_000), 0.01),
        (DualCoordinateAscentClassifier(lam=0.01), 1e-3),
        (SequentialMinimalOptimisationClassifier(lam=0.01, bias=False, steps=3000), 1e-6),
        (
            SequentialMinimalOptimisationClassifier(
                lam=0.01, kernel="rbf(gamma=0.5)", bias=False, steps=3000
            ),
            1e-6,
        ),
    ],
    ids=str,
)
def test_fits_end_near_the_exact_optimum(model, within, cancer):
    X, y = cancer
    model.fit(X, y)
    best = reference.optimum(
        make_problem(X, y), 0.01, model.kernel_ if model.kernel is not None else None
    )
    coef = model.dual_coef_[0]
    K = reference.kernels.gram(model.kernel_, X[model.support_])
    primal = (
        0.005 * coef @ K @ coef + np.maximum(0, 1 - (2 * y - 1) * model.decision_function(X)).mean()
    )
    assert best.primal - 1e-9 <= primal <= (1 + within) * best.primal


@pytest.mark.parametrize(
    "model",
    by_turns(
        [
            StochasticBatchPerceptronClassifier(nu=0.1, steps=3000, kernel=None),
            SIMBAClassifier(nu=0.1, steps=20_000),
        ],
        4,
    ),
    ids=str,
)
def test_margins_after_slack_end_near_the_exact_optimum(model, cancer):
    X, y = cancer
    model.fit(X, y)
    problem = make_problem(X, y)
    best = pareto.slack_optimum(problem, 0.1).level
    c = np.sort((2 * y - 1) * model.decision_function(X) / max(1.0, np.linalg.norm(model.coef_)))
    k = np.arange(1, len(c) + 1)
    level = ((0.1 * len(c) + np.cumsum(c)) / k).min()  # the water level: slack on the lowest
    assert 0.97 * best <= level <= best + 1e-9


@at_times(4)
def test_ten_classes_at_once_or_one_against_the_rest():
    X, y = load_digits(return_X_y=True)
    X, names = X / 16, np.array([f"digit {k}" for k in range(10)])
    own = BudgetedSGDClassifier(B=200, kernel="rbf(gamma=0.1)", lam=1e-4).fit(
        X[:1200], names[y[:1200]]
    )
    assert own.decision_function(X).shape == (1797, 10) and own.dual_coef_.shape == (
        10,
        len(own.support_vectors_),
    )
    assert len(own.support_vectors_) <= 200 and own.score(X[1200:], names[y[1200:]]) > 0.9
    given = {"lam": 1e-3, "iterate": "late average"}
    one_each = PegasosClassifier(n_jobs=2, **given).fit(X[:1200], y[:1200])
    assert one_each.score(X[1200:], y[1200:]) > 0.9
    wrapped = OneVsRestClassifier(PegasosClassifier(**given)).fit(X[:1200], y[:1200])
    assert one_each.decision_function(X) == pytest.approx(wrapped.decision_function(X), rel=1e-12)
    assert one_each.coef_ == pytest.approx(one_each.dual_coef_ @ X[one_each.support_])
    curved = SequentialMinimalOptimisationClassifier(lam=1e-4, kernel="rbf(gamma=0.1)").fit(
        X[:1200], y[:1200]
    )
    assert curved.score(X[1200:], y[1200:]) > 0.95 and curved.dual_coef_.shape == (
        10,
        len(curved.support_vectors_),
    )


def test_it_stands_in_pipelines_and_searches(cancer):
    X, y = cancer
    given = {
        "pegasosclassifier__lam": [1e-3, 1e-1],
        "pegasosclassifier__kernel": [None, "rbf(gamma=0.05)"],
    }
    search = GridSearchCV(
        make_pipeline(StandardScaler(), PegasosClassifier(steps=2000)), given, cv=3
    )
    assert search.fit(X, y).best_score_ > 0.95


def test_what_it_leaves_has_the_usual_names(cancer):
    X, y = cancer
    linear, curved = (
        PegasosClassifier(steps=500).fit(X, y),
        PegasosClassifier(steps=500, kernel="rbf(gamma=1.0)").fit(X, y),
    )
    assert linear.decision_function(X) == pytest.approx(X @ linear.coef_[0] + linear.intercept_[0])
    assert np.array_equal(curved.support_vectors_, X[curved.support_]) and not hasattr(
        curved, "coef_"
    )
    assert linear.coef_ == pytest.approx(linear.dual_coef_ @ X[linear.support_]) and not hasattr(
        linear, "support_vectors_"
    )
    assert not hasattr(linear.set_params(kernel="rbf(gamma=1.0)").fit(X, y), "coef_")


def test_sparse_rows_may_have_long_indices(cancer):
    X, y = cancer
    long = sp.csr_matrix(X)
    long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
    found = PegasosClassifier(steps=300).fit(long, y)
    assert found.decision_function(long) == pytest.approx(
        PegasosClassifier(steps=300).fit(X, y).decision_function(X)
    )


def test_chance_is_a_seed(cancer):
    X, y = cancer
    fits = [
        PegasosClassifier(steps=50, random_state=given).fit(X, y).coef_
        for given in (3, 3, 4, np.random.RandomState(3))
    ]
    assert np.array_equal(fits[0], fits[1]) and not np.array_equal(fits[0], fits[2])
    PegasosClassifier(steps=50, random_state=None).fit(X, y)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"lam": -1}, "lam must lie in"),
        ({"kernel": "cubic"}, "kernel must be one of"),
        ({"steps": 0}, "steps must"),
        ({"steps": 2.5}, "steps must"),
        ({"random_state": -1}, "random_state must"),
    ],
)
def test_what_cannot_be_is_refused_by_fit(given, message, cancer):
    with pytest.raises(ValueError, match=message):
        PegasosClassifier(**given).fit(*cancer)


def test_mini_batch_is_no_larger_than_the_examples_unless_somebody_says_so():
    X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), [0, 1]
    model = made("bias").fit(X, y)
    assert model.predict(X).tolist() == y and model.k == 10
    with pytest.raises(ValueError, match=r"k must lie in \[1, 2\]"):
        made("bias", k=11).fit(X, y)


@pytest.mark.parametrize(
    "key", by_turns(["smo", "sbp", "simba", "incremental", "tvm", "pegasos", "bsgd"], 4)
)
@pytest.mark.parametrize("sparse", [False, True])
def test_examples_that_may_only_be_read_are_fitted_by_the_same_compiled_code(key, sparse, cancer):
    """A memory map of joblib's is such: for numba another type, for which all was compiled once
    more.
    """
    X, y = cancer
    X, y, given = X[:80], y[:80], {"steps": 100} if key not in ("smo",) else {}
    rows = sp.csr_array(X) if sparse else X.copy()
    model = made(key, random_state=0, **given).fit(rows, y)
    before = compiled()
    for array in (rows.data, rows.indices, rows.indptr) if sparse else (rows,):
        array.flags.writeable = False
    frozen = made(key, random_state=0, **given).fit(rows, y)
    assert np.array_equal(frozen.decision_function(rows), model.decision_function(rows))
    again = {name: many for name, many in compiled().items() if before.get(name, many) < many}
    assert not again, "compiled for other arguments as well"


def compiled() -> dict[str, int]:
    """Return for how many kinds of arguments each function of ours that was called in this process
    is compiled.
    """
    modules = [module for name, module in sys.modules.items() if name.startswith("svmviz.")]
    found = {
        id(value): value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, CPUDispatcher)
    }
    return {str(value): len(value.signatures) for value in found.values() if value.signatures}


def test_unknown_arguments_are_refused_at_once():
    with pytest.raises(TypeError, match="alpha"):
        PegasosClassifier(alpha=1.0)


def test_default_steps_are_passes_where_examples_are_drawn():
    X, y = many_classes.pinwheel(n=150, classes=3)
    assert BudgetedSGDClassifier().fit(X, y).n_iter_ == 1500
    assert (
        made("sbp").fit(X, y > 0).n_iter_ == 1000
        and made("incremental").fit(X, y > 0).n_iter_ == 150
    )
    assert PegasosClassifier(k=5).fit(X, y > 0).n_iter_ == 1000


@pytest.mark.parametrize("found", [StochasticBatchPerceptronClassifier, SIMBAClassifier])
def test_a_margin_that_is_not_positive_is_said_and_w_is_left_as_it_is(found):
    (X, y), given = plane.blobs(n=80, noise=2.5, seed=2), {"nu": 0.0}
    if "kernel" in inspect.signature(found).parameters:
        given["kernel"] = None
    with pytest.warns(
        ConvergenceWarning,
        match=r"level is -.*Scale the features, allow more slack than nu=0, or take more",
    ):
        model = found(steps=200, **given).fit(X, y)
    trace = found.solver.trace(
        make_problem(X, y), 200, 0, **(dict(found.solver.uses.fit_defaults) | given)
    )
    np.testing.assert_allclose(model.decision_function(X), trace.f(200, X), rtol=1e-9, atol=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found(steps=200, **given | {"nu": 1.0}).fit(X, y)


def weighed(X, y, s, lam, model):
    """P with weights, and that of LIBLINEAR, which divides by nothing"""
    s = s / s.sum()
    peer = LinearSVC(
        C=1 / lam, loss="hinge", fit_intercept=False, tol=1e-8, max_iter=1_000_000
    ).fit(X, y, sample_weight=s)
    return (
        lam / 2 * w @ w + s @ np.maximum(0, 1 - (2 * y - 1) * (X @ w))
        for w in (model.coef_[0], peer.coef_[0])
    )


@pytest.mark.parametrize("given", [{}, {"k": 4}], ids=str)
def test_weights_weigh_the_losses(given, cancer):
    X, y = cancer
    s, model = (
        np.where(y == 1, 1.0, 5.0) * np.random.default_rng(0).random(y.size),
        PegasosClassifier(lam=0.05, iterate="average", steps=40_000, **given),
    )
    found, best = weighed(X, y, s, 0.05, model.fit(X, y, sample_weight=s))
    assert best - 1e-9 <= found <= 1.001 * best
    plain, _ = weighed(X, y, s, 0.05, model.fit(X, y))
    assert plain > 1.02 * best  # without weights it is another problem


def test_weights_of_classes_are_weights_of_their_examples(cancer):
    X, y = cancer
    by_class = PegasosClassifier(steps=500, class_weight={0: 3.0, 1: 0.5}).fit(X, y).coef_
    assert np.array_equal(
        by_class,
        PegasosClassifier(steps=500).fit(X, y, sample_weight=np.where(y == 0, 3.0, 0.5)).coef_,
    )
    with pytest.raises(ValueError, match="no example with a weight above 0"):
        PegasosClassifier(class_weight={0: 0.0, 1: 0.0}).fit(X, y)
    assert (
        "sample_weight" not in inspect.signature(DualCoordinateAscentClassifier.fit).parameters
    )  # there it means nothing yet


@pytest.mark.parametrize("weight", [np.nan, np.inf, -1.0, -0.5])
def test_weights_that_are_none_are_refused_however_they_are_given(weight, cancer):
    X, y = cancer
    every = np.ones(y.size)
    with pytest.raises(ValueError, match="sample_weight|weights"):
        PegasosClassifier(steps=50).fit(X, y, sample_weight=weight)
    for given in ({0: weight, 1: 1.0}, {0: weight, 1: weight}):
        with pytest.raises(ValueError, match="finite numbers of at least 0"):
            PegasosClassifier(steps=50, class_weight=given).fit(X, y, sample_weight=every)


@pytest.mark.parametrize("size", [1e308, 1e-300, 3.0])
def test_how_large_all_weights_are_together_says_nothing(size, cancer):
    X, y = cancer
    fit = PegasosClassifier(steps=500, random_state=0).fit
    assert np.array_equal(
        fit(X, y, sample_weight=np.full(y.size, size)).coef_,
        fit(X, y, sample_weight=np.ones(y.size)).coef_.copy(),
    )


def test_a_rare_class_needs_a_bias():
    """One in a thousand, beside a cloud around the origin: a line through it halves the cloud."""
    rng = np.random.default_rng(0)
    y = np.arange(4004) % 1001 == 0
    X = rng.normal(size=(4004, 2)) + 4.0 * y[:, None]
    for name, given in (
        ("pegasos", {}),
        ("sdca", {}),
        ("perceptron", {}),
        ("fourier", {"gamma": 0.05}),
    ):
        plain, biased = (
            made(name, fit_intercept=wanted, **given).fit(X, y).score(X, y)
            for wanted in (False, True)
        )
        assert biased > 0.99 and (plain < 0.9 or name == "fourier")


def test_fit_intercept_is_the_parameter_that_the_solver_has_for_it(cancer):
    X, y = cancer
    for name, given in (("pegasos", {"intercept": "constant feature"}), ("smo", {"bias": True})):
        wanted, named = (
            made(name, steps=200, fit_intercept=True).fit(X, y),
            made(name, steps=200, **given).fit(X, y),
        )
        assert (
            np.array_equal(wanted.coef_, named.coef_) and wanted.intercept_ == named.intercept_ != 0
        )
        assert made(name, steps=200, fit_intercept=False).fit(X, y).intercept_ == 0
