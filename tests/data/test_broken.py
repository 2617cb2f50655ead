"""Sparse matrices that name rows or columns that they do not have: refused at every door, in a
sentence. Compiled code would read such places, and the process would end.
"""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import is_regressor

from svmviz import estimators
from svmviz.data.problem import (
    Problem,
    make_multiclass_problem,
    make_problem,
    make_regression_problem,
)
from svmviz.explore import fitting
from svmviz.run import saved
from svmviz.run.streams import stream
from svmviz.solvers import SOLVERS
from tests.tools.rotation import by_turns

ROWS, COLUMNS = 12, 5
Y = np.tile([-1.0, 1.0], ROWS // 2)
ESTIMATORS = estimators.ESTIMATORS | estimators.REGRESSORS
NAMED = ["indices", "indptr"]


def whole(form: str = "csr"):
    """Return a sparse matrix that is as it should be."""
    X = np.random.default_rng(3).standard_normal((ROWS, COLUMNS))
    X[X < -0.4] = 0.0
    return sp.csr_array(X).asformat(form)


def broken(form: str, part: str, place: float, value: int):
    """Return a matrix of which one index names what is not there."""
    X = whole(form)
    if form == "lil":
        row = X.rows[int(place * ROWS)]
        row[int(place * len(row))] = value
    elif form == "coo":
        X.coords[part == "indptr"][int(place * X.nnz)] = value
    else:
        array = getattr(X, part)
        array[int(place * len(array))] = value
    return X


def saved_in(X, folder) -> str:
    """Write a file as a saved run is one, with this matrix."""
    path = folder / "run.npz"
    np.savez(
        path,
        data=X.data,
        indices=X.indices,
        indptr=X.indptr,
        shape=np.array(X.shape),
        y=Y,
        kind="two",
        query="{}",
    )
    return path


FAR = st.sampled_from([-10_000_000, -COLUMNS, -1, ROWS * COLUMNS, 10_000_000, 2**31 - 1])
FAULTS = st.tuples(
    st.sampled_from(["csr", "csc", "coo", "lil"]),
    st.sampled_from(NAMED),
    st.floats(0, 1, exclude_max=True),
    FAR,
)
RUN = SOLVERS["pegasos"].trace(make_problem(np.ones((2, COLUMNS)), [0, 1]), steps=3)
DOORS = {
    "two classes": lambda X: make_problem(X, Y),
    "several": lambda X: make_multiclass_problem(X, np.arange(ROWS) % 3),
    "targets": lambda X: make_regression_problem(X, np.arange(ROWS)),
    "a problem made by hand": lambda X: SOLVERS["pegasos"].trace(Problem(X, Y), steps=3),
    "points that a run is asked about": lambda X: RUN.f(3, X) is not None,
    "a block of a stream": lambda X: stream.checked(X, Y, 2, None),
    "rows of a sweep": lambda X: fitting.problem_of(
        {
            "data": X.data,
            "indices": X.indices,
            "indptr": X.indptr,
            "shape": X.shape,
            "y": Y,
            "real": False,
        }
    ),
}


@pytest.mark.parametrize("door", DOORS)
@settings(max_examples=40, deadline=None)
@given(fault=FAULTS)
def test_a_matrix_that_names_what_is_not_there_is_refused_by_what_makes_problems(door, fault):
    if door == "rows of a sweep":
        fault = ("csr", *fault[1:])
    with pytest.raises(ValueError, match="sparse matrix"):
        DOORS[door](broken(*fault))


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "lil", "dok"])
def test_a_matrix_that_is_as_it_should_be_is_none_of_these(door, form):
    assert DOORS[door](whole("csr" if door == "rows of a sweep" else form))


@pytest.mark.parametrize("name", by_turns(sorted(ESTIMATORS), 8))
def test_estimators_refuse_it_where_they_learn_and_where_they_predict(name):
    model = ESTIMATORS[name]()
    y = np.arange(ROWS) / ROWS if is_regressor(model) else Y
    model.fit(whole(), y)

    @settings(max_examples=20, deadline=None)
    @given(fault=FAULTS)
    def refused(fault):
        for ask in (lambda X: ESTIMATORS[name]().fit(X, y), model.predict):
            with pytest.raises(ValueError, match="sparse matrix"):
                ask(broken(*fault))

    refused()


@settings(max_examples=40, deadline=None)
@given(fault=FAULTS)
def test_a_saved_run_with_such_data_is_none(tmp_path_factory, fault):
    path = saved_in(broken("csr", *fault[1:]), tmp_path_factory.mktemp("broken"))
    with pytest.raises(ValueError, match="no run that was saved"):
        saved.load(path)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_complex_numbers_are_refused_where_they_would_lose_a_part(form):
    with pytest.raises(ValueError, match="real numbers"):
        make_problem(form(np.ones((2, 2)) * 1j), [0, 1])


def test_a_saved_run_whose_indices_are_no_whole_numbers_is_none(tmp_path):
    X = whole()
    X.indices = X.indices + 0.5
    with pytest.raises(ValueError, match="no run that was saved"):
        saved.load(saved_in(X, tmp_path))
