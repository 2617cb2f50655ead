"""Problems and parameters: what is checked at the door."""

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz.data.params import Param
from svmviz.data.problem import make_problem
from svmviz.maths import kernels

LAM = Param("lam", "λ", 0.1, 1e-4, 1.0, log=True)
SMALL = [[0.0, 1.0], [1.0, 0.0]]


def test_make_problem_fixes_type_layout_and_labels():
    X = np.asfortranarray(np.arange(6).reshape(3, 2))
    problem = make_problem(X, ["b", "a", "b"])
    assert (
        problem.X.dtype == np.float64 and problem.X.flags.c_contiguous and problem.X.flags.writeable
    )
    assert problem.y.tolist() == [1.0, -1.0, 1.0] and (problem.n, problem.d) == (3, 2)
    X[0, 0] = 99
    assert problem.X[0, 0] == 0  # a copy: nobody can change the data behind a trace


def test_sparse_input_stays_sparse_with_sorted_rows():
    X = sp.coo_array(([1.0, 2.0, 3.0], ([0, 0, 1], [2, 0, 1])), shape=(2, 3))
    problem = make_problem(X, [0, 1])
    assert sp.issparse(problem.X) and problem.X.has_sorted_indices
    assert np.array_equal(problem.X.toarray(), [[2, 0, 1], [0, 3, 0]])


@pytest.mark.parametrize(
    "X, y, words",
    [
        ([[np.nan], [1.0]], [0, 1], "finite"),
        ([[np.inf], [1.0]], [0, 1], "finite"),
        ([1.0, 2.0], [0, 1], "table"),
        (np.zeros((0, 2)), [], "at least one row"),
        (SMALL, [0, 1, 1], "one label for each of the 2 rows"),
        (SMALL, [1, 1], "two classes, got 1: 1"),
        ([[1.0]] * 3, [1, 2, 3], "two classes, got 3: 1, 2, 3"),
    ],
)
def test_make_problem_says_what_is_wrong(X, y, words):
    with pytest.raises(ValueError, match=words):
        make_problem(X, y)


@pytest.mark.parametrize(
    "value, words",
    [
        (-1, r"lam must lie in \[0.0001, 1.0\], got -1"),
        (2, "got 2"),
        ("x", "lam must be a number, got 'x'"),
        (float("nan"), "got nan"),
        (None, "must be a number"),
    ],
)
def test_a_parameter_names_itself_its_range_and_the_value(value, words):
    with pytest.raises(ValueError, match=words):
        LAM.check(value)


def test_a_parameter_casts_to_the_type_of_its_default():
    assert type(LAM.check(1)) is float and type(Param("k", "", 1, 1, 9).check(3.0)) is int
    with pytest.raises(ValueError, match="whole number"):
        Param("k", "", 1, 1, 9).check(2.5)
    with pytest.raises(ValueError, match="True or False"):
        Param("p", "", False).check("maybe")
    with pytest.raises(ValueError, match="one of a, b"):
        Param("c", "", "a", options=("a", "b")).check("z")


@pytest.mark.parametrize(
    "param, value",
    [
        (LAM, 0.0123),
        (Param("k", "", 1, 1, 9), 7),
        (Param("p", "", False), True),
        (Param("c", "", "a", options=("a", "b")), "b"),
        (Param("kernel", "", None), None),
        (Param("kernel", "", None), kernels.poly(2, 0.5, 1.0)),
    ],
)
def test_what_a_parameter_writes_it_reads(param, value):
    assert param.read(param.write(value)) == value
