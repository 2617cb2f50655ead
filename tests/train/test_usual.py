"""What scikit-learn's users expect of any estimator: limits, tolerances, progress, warm starts,
batches, single precision.
"""

import pickle
import re
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from svmviz import estimators
from svmviz.data import plane
from svmviz.estimators import (
    BudgetedSGDClassifier,
    DualCoordinateAscentClassifier,
    PegasosClassifier,
    PerceptronClassifier,
    StochasticBatchPerceptronClassifier,
)
from svmviz.estimators import SequentialMinimalOptimisationClassifier as SMOClassifier
from svmviz.estimators import progress as lines
from svmviz.solvers import SOLVERS

X, Y = plane.moons(n=300, noise=0.25, seed=1)
RBF = "rbf(gamma=2.0)"


def test_passes_limit_those_that_draw_and_steps_those_that_choose():
    assert PegasosClassifier(max_iter=2).fit(X, Y).n_iter_ == 600
    assert PegasosClassifier(max_iter=2, k=3).fit(X, Y).n_iter_ == 200
    assert PegasosClassifier(max_iter=2, steps=50).fit(X, Y).n_iter_ == 50
    assert StochasticBatchPerceptronClassifier(max_iter=70).fit(X, Y).n_iter_ == 70
    with pytest.raises(ValueError, match="max_iter must"):
        PegasosClassifier(max_iter=0).fit(X, Y)


def test_what_may_take_millions_of_steps_is_said_before_they_are_taken():
    """On features of size 1000 a fit took 15 s, on those of size 10^6 it ended with a warning only
    then.
    """
    with pytest.warns(
        ConvergenceWarning,
        match=r"may take millions of steps .* K\(x, x\) is up to .*StandardScaler",
    ):
        SMOClassifier(max_iter=1).fit(1e4 * X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        SMOClassifier().fit(X, Y)
        SMOClassifier(kernel=RBF).fit(1e4 * X, Y)


def test_a_tolerance_ends_a_fit_and_says_so_if_it_was_not_reached():
    loose, tight = (SMOClassifier(lam=1e-3, kernel=RBF, tol=tol).fit(X, Y) for tol in (1e-1, 1e-6))
    assert (
        loose.n_iter_ < tight.n_iter_
        and SMOClassifier(lam=1e-3, kernel=RBF).fit(X, Y).n_iter_ < tight.n_iter_
    )
    with pytest.warns(ConvergenceWarning, match=r"took 30 steps and did not reach tol=1e-06"):
        assert SMOClassifier(lam=1e-3, kernel=RBF, tol=1e-6, max_iter=30).fit(X, Y).n_iter_ == 30
    assert DualCoordinateAscentClassifier(lam=0.01, tol=1e-3).fit(X, Y).n_iter_ < 3000
    with pytest.raises(ValueError, match="tol must be a finite number above 0"):
        SMOClassifier(tol=0.0).fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SMOClassifier(lam=1e-3, kernel=RBF, steps=10).fit(
            X, Y
        )  # as many steps as were asked for are no failure


def test_how_far_it_is_is_said(capsys, monkeypatch):
    monkeypatch.setattr(lines, "EVERY", 0.0)
    StochasticBatchPerceptronClassifier(steps=2500, verbose=1).fit(X, Y)
    said = capsys.readouterr().out.splitlines()
    assert [re.search(r"\d+ of at most \d+", line).group() for line in said] == [
        f"{t} of at most 2500" for t in (1000, 2000, 2500, 2500)
    ]
    assert "level" in said[0] and said[-1].endswith("done")
    PegasosClassifier().fit(X, Y)
    assert not capsys.readouterr().out


@pytest.mark.parametrize(
    "made",
    [
        PegasosClassifier(lam=0.01, sampling="new permutation"),
        PegasosClassifier(lam=0.01, kernel=RBF),
        PerceptronClassifier(),
        DualCoordinateAscentClassifier(lam=0.01),
        DualCoordinateAscentClassifier(lam=0.01, kernel=RBF),
        StochasticBatchPerceptronClassifier(),
        BudgetedSGDClassifier(B=10),
        SMOClassifier(lam=1e-3, kernel=RBF, bias=False),
        BudgetedSGDClassifier(B=10, maintenance="remove smallest"),
        PegasosClassifier(lam=0.01, iterate="average", kernel=RBF),
    ],
    ids=str,
)
def test_two_warm_fits_are_one_longer_fit(made):
    whole, made = clone(made).set_params(steps=500).fit(X, Y).decision_function(X), clone(made)
    made.set_params(steps=200, warm_start=True).fit(X, Y)
    twice = made.set_params(steps=300).fit(X, Y).decision_function(X)
    assert twice == pytest.approx(whole, rel=1e-9, abs=1e-9 * np.abs(whole).max())
    with pytest.raises(ValueError, match="the same examples: there were 300 rows"):
        made.fit(X[:200], Y[:200])
    with pytest.raises(ValueError, match="the same examples"):  # again, and of as many others
        made.fit(X[:200], Y[:200])
    with pytest.raises(ValueError, match="the same examples"):
        made.fit(X + 3.0, -Y)


@pytest.mark.parametrize(
    "made",
    [
        PegasosClassifier(lam=0.01),
        PegasosClassifier(lam=0.01, kernel=RBF),
        PerceptronClassifier(),
        PerceptronClassifier(kernel=RBF),
        BudgetedSGDClassifier(B=15, kernel=RBF),
        PegasosClassifier(lam=0.01, iterate="average"),
    ],
    ids=str,
)
@pytest.mark.parametrize("sparse", [False, True])
def test_batches_in_their_order_are_the_run_in_that_order(made, sparse):
    made = clone(made)
    given = sp.csr_array(X) if sparse else X
    for a, b in ((0, 120), (120, 121), (121, 300)):
        made.partial_fit(given[a:b], Y[a:b], classes=[-1, 1])
    params = {p.name: getattr(made, p.name) for p in made.solver.params}
    f = made.solver.trace(plane.moons(n=300, noise=0.25, seed=1), order=np.arange(300), **params).f(
        300, X
    )
    assert made.decision_function(X) == pytest.approx(
        np.ravel(f), rel=1e-9, abs=1e-9 * np.abs(f).max()
    )
    assert made.score(X, Y) > 0.7
    with pytest.raises(ValueError, match="labels that are not among the classes"):
        made.partial_fit(given[:3], [1, 2, 3])
    with pytest.raises(ValueError, match="must stay those of the first batch"):
        made.partial_fit(given[:3], Y[:3], classes=[0, 1])


def test_the_first_batch_names_all_classes():
    with pytest.raises(ValueError, match="classes must be given with the first batch"):
        PegasosClassifier().partial_fit(X, Y)
    many, y = load_digits(return_X_y=True)
    for model in (
        PegasosClassifier(lam=1e-3),
        BudgetedSGDClassifier(B=100, kernel="rbf(gamma=0.1)", lam=1e-4),
    ):
        for a in range(0, 1200, 400):
            model.partial_fit(many[a : a + 400] / 16, y[a : a + 400], classes=range(10))
        assert model.score(many[1200:] / 16, y[1200:]) > 0.75


def test_a_batch_goes_on_from_a_fit():
    fitted = PegasosClassifier(lam=0.01, steps=3000).fit(X, Y)
    before = fitted.coef_.copy()
    after = fitted.partial_fit(X[:1], Y[:1]).coef_
    assert 0 < np.abs(after - before).max() < 0.1 * np.abs(before).max()


@pytest.mark.long
@pytest.mark.parametrize("name", list(estimators.ESTIMATORS))
def test_single_precision_is_kept_and_close(name):
    single, double = getattr(estimators, name)(), getattr(estimators, name)()
    given = (
        sp.csr_array(X.astype(np.float32)) if name == "PegasosClassifier" else X.astype(np.float32)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        single.fit(given, Y), double.fit(X.astype(np.float32).astype(np.float64), Y)
    assert (single.predict(given) == double.predict(X)).mean() > 0.97
    if hasattr(single, "support_"):
        assert getattr(single, "support_vectors_", given).dtype == np.float32
    assert single.decision_function(X).shape == (300,)  # of doubles, too


def test_a_trace_is_the_run_on_the_stage():
    model = PegasosClassifier(lam=0.01, kernel=RBF, steps=150, trace=True).fit(X, Y)
    assert model.trace_.steps == 150 and "margin" in model.trace_.why(150)
    assert model.decision_function(X) == pytest.approx(np.ravel(model.trace_.f(150, X)), rel=1e-9)
    assert not hasattr(model.set_params(trace=False).fit(X, Y), "trace_")
    chance = PegasosClassifier(steps=100, trace=True, random_state=np.random.RandomState(3)).fit(
        X, Y
    )
    assert chance.decision_function(X) == pytest.approx(np.ravel(chance.trace_.f(100, X)), rel=1e-9)
    several = np.arange(300) % 3
    for given, weights, y in (
        ({}, np.ones(300), Y),
        ({"iterate": "late average"}, None, Y),
        ({}, None, several),
    ):
        with pytest.raises(ValueError, match="the app has no trace of a fit with"):
            PegasosClassifier(trace=True, **given).fit(X, y, sample_weight=weights)
    with pytest.raises(ValueError, match="no trace of a fit with batches"):
        PegasosClassifier(trace=True).partial_fit(X, Y, classes=[-1, 1])
    again = PegasosClassifier(trace=True, warm_start=True).fit(X, Y)
    with pytest.raises(ValueError, match="no trace of a fit with a warm start"):
        again.fit(X, Y)


def test_a_fit_that_was_refused_leaves_the_one_before_as_it_was():
    model = PegasosClassifier(lam=0.01).fit(X, Y)
    before = model.predict(X)
    with pytest.raises(ValueError, match="lam must"):
        model.set_params(lam=-1).fit(X, np.where(Y > 0, "a", "b"))
    assert np.array_equal(model.predict(X), before)
    fresh = PegasosClassifier()
    with pytest.raises(ValueError, match="needs two classes"):
        fresh.fit(X, np.ones(300))
    with pytest.raises(NotFittedError):
        fresh.predict(X)
    with pytest.raises(ValueError, match="not among the classes"):
        fresh.partial_fit(X, np.where(Y > 0, 5, 6), classes=[0, 1])
    assert fresh.partial_fit(X, Y, classes=[-1, 1]).score(X, Y) > 0.7


@pytest.mark.parametrize(
    "made",
    [
        PegasosClassifier(),
        PerceptronClassifier(),
        DualCoordinateAscentClassifier(),
        SMOClassifier(),
    ],
    ids=str,
)
def test_a_run_of_another_kind_does_not_go_on(made):
    made = clone(made).set_params(warm_start=True, steps=50).fit(X, Y)
    with pytest.raises(ValueError, match="kernel was None and is rbf"):
        made.set_params(kernel=RBF).fit(X, Y)
    if hasattr(made, "partial_fit"):
        with pytest.raises(ValueError, match="kernel was None and is rbf"):
            made.partial_fit(X, Y)
        with pytest.raises(ValueError, match="batches know no weights"):
            PegasosClassifier(class_weight="balanced").partial_fit(X, Y, classes=[-1, 1])


@pytest.mark.long
@pytest.mark.parametrize("name", list(estimators.ESTIMATORS))
def test_numbers_too_large_to_compute_with_are_refused(name):
    for factor, kind in ((1e75, np.float64), (1e200, np.float64), (1e30, np.float32)):
        with pytest.raises(ValueError, match="features must not be larger than 1e[+]15"):
            getattr(estimators, name)().fit((factor * X).astype(kind), Y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = getattr(estimators, name)(max_iter=5).fit(1e10 * X, Y)
    assert np.isfinite(model.decision_function(1e10 * X)).all()


@pytest.mark.parametrize(
    "given",
    [
        {"tol": "a"},
        {"tol": np.nan},
        {"cache_size": -1},
        {"cache_size": None},
        {"cache_size": np.inf},
    ],
    ids=str,
)
def test_what_is_no_number_is_refused(given):
    with pytest.raises(ValueError, match=f"{next(iter(given))} must be a finite number"):
        SMOClassifier(**given).fit(X, Y)


def test_a_cap_on_passes_leaves_the_tolerance():
    capped, free = (
        SMOClassifier(lam=1e-3, kernel=RBF, max_iter=most).fit(X, Y) for most in (10**6, None)
    )
    assert capped.n_iter_ == free.n_iter_
    with pytest.warns(ConvergenceWarning, match="did not reach tol=0.001"):
        SMOClassifier(lam=1e-3, kernel=RBF, max_iter=5).fit(X, Y)


def test_what_it_cost_is_counted():
    kernelised, linear = (
        PegasosClassifier(kernel=RBF, steps=100).fit(X, Y),
        PegasosClassifier(steps=100).fit(X, Y),
    )
    trace = SOLVERS["pegasos"].trace(
        plane.moons(n=300, noise=0.25, seed=1), 100, kernel=kernelised.kernel_
    )
    assert kernelised.n_kernel_evals_ == trace.column("kernel_evals").sum() > 0
    assert linear.n_kernel_evals_ == 0 and linear.n_features_read_ == 200
    roomy, tight = (
        StochasticBatchPerceptronClassifier(steps=400, cache_size=size).fit(X, Y)
        for size in (200, 0)
    )
    assert (
        tight.n_kernel_evals_ == 400 * 300 > roomy.n_kernel_evals_
        and tight.n_features_read_ == 2 * 400 * 300
    )
    assert roomy.decision_function(X) == pytest.approx(tight.decision_function(X), rel=1e-12)


def test_late_averages_are_offered_where_there_are_averages():
    late, whole = (
        PegasosClassifier(lam=1e-3, max_iter=3, iterate=mean).fit(X, Y)
        for mean in ("late average", "average")
    )
    assert primal(late, 1e-3) < primal(whole, 1e-3)
    with pytest.raises(ValueError, match="iterate must"):
        estimators.IncrementalSVMClassifier(iterate="late average").fit(X, Y)


def primal(model, lam) -> float:
    return (
        lam / 2 * (model.coef_**2).sum() + np.maximum(0, 1 - Y * model.decision_function(X)).mean()
    )


@pytest.mark.parametrize(
    "made",
    [
        PegasosClassifier(),
        SMOClassifier(kernel=RBF),
        BudgetedSGDClassifier(),
        StochasticBatchPerceptronClassifier(warm_start=True),
    ],
    ids=str,
)
def test_it_can_be_kept(made):
    again = pickle.loads(pickle.dumps(made.fit(X, Y)))
    assert np.array_equal(again.decision_function(X), made.decision_function(X))
