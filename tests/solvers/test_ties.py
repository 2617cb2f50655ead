"""A margin of exactly 1 costs nothing and adds nothing, for every solver that compares margins with
1.

Two points and steps whose numbers are exact, so that the first step leads to margins of 1, to the
last bit.
"""

import numpy as np
import pytest

from svmviz import SOLVERS
from svmviz.data.problem import make_multiclass_problem, make_problem
from svmviz.maths import kernels

TWO = make_problem([[1.0], [-1.0]], [1, -1])
RUNS = {
    "Pegasos": ("pegasos", {"lam": 1.0}),
    "Pegasos, projected": ("pegasos", {"lam": 1.0, "project": True}),
    "Pegasos, mini-batch": ("pegasos", {"lam": 1.0, "k": 2}),
    "Pegasos, polynomial": ("pegasos", {"lam": 4.0, "kernel": kernels.poly(2, 1.0, 1.0)}),
    "Pegasos, Gaussian": ("pegasos", {"lam": 1.0, "kernel": kernels.rbf(1e4)}),
    "BSGD": ("bsgd", {"lam": 1.0, "kernel": None, "maintenance": "none"}),
    "BSGD, remove": (
        "bsgd",
        {"lam": 1.0, "kernel": kernels.rbf(1e4), "maintenance": "remove smallest", "B": 2},
    ),
    "BSGD, merge": ("bsgd", {"lam": 1.0, "kernel": kernels.rbf(1e4), "B": 2}),
    "BSGD, Norma": (
        "bsgd",
        {"rule": "Norma", "lam": 0.5, "eta": 1.0, "kernel": None, "maintenance": "none"},
    ),
    "BSGD, margin Perceptron": (
        "bsgd",
        {"rule": "margin Perceptron", "kernel": None, "maintenance": "none"},
    ),
    "BSGD, a score per class": (
        "bsgd",
        {"lam": 2.0, "kernel": None, "maintenance": "none", "multiclass": True},
    ),
    "SDCA": ("sdca", {"lam": 0.25}),
    "SDCA, Gaussian": ("sdca", {"lam": 0.25, "kernel": kernels.rbf(1e4)}),
    "SMO": ("smo", {"lam": 0.25, "bias": False}),
    "incremental": ("incremental", {"C": 2.0, "K": 1, "kernel": None, "algorithm": "batch"}),
}
CHOOSES = "smo", "incremental"  # which example comes is theirs to say


@pytest.mark.parametrize("key, given", RUNS.values(), ids=RUNS)
def test_a_margin_of_exactly_one_adds_nothing(key, given):
    order = {} if key in CHOOSES else {"order": [[0, 1]] * 2 if given.get("k") == 2 else [0, 0]}
    trace = SOLVERS[key].trace(TWO, 2, **order, **given)
    record = trace.segments[0].record
    assert np.count_nonzero(record.changes.of(0)[1]) > 0  # the first step does move
    at = 1 if key not in CHOOSES else trace.steps - 1
    assert (record.margin[at] == 1.0).all() and not record.changes.of(at)[1].any()
    if key in ("pegasos", "bsgd"):
        assert (
            trace.counts(2).sum() == trace.counts(1).sum()
            if key == "pegasos"
            else trace.scalars["n_sv"][2] == 1
        )
        assert "costs nothing" in trace.why(2) or "at least" in trace.why(2)


@pytest.mark.parametrize(
    "key, given",
    [RUNS["Pegasos"], RUNS["BSGD"], RUNS["BSGD, a score per class"]],
    ids=["Pegasos", "BSGD", "a score per class"],
)
def test_a_margin_of_exactly_one_costs_nothing(key, given):
    trace = SOLVERS[key].trace(TWO, 1, order=[0], **given)
    assert trace.metrics["hinge"][0] == 1.0 and trace.metrics["hinge"][1] == 0.0
    below = make_problem(
        [[np.nextafter(1.0, 0.0)], [-1.0]], [1, -1]
    )  # one digit less costs something
    assert SOLVERS[key].trace(below, 1, order=[1], **given).metrics["hinge"][1] > 0.0


def test_of_three_classes_a_lead_of_exactly_one_adds_nothing():
    problem = make_multiclass_problem([[1.0], [-1.0], [0.5]], [0, 1, 2])
    trace = SOLVERS["bsgd"].trace(
        problem, 2, order=[0, 0], lam=1.0, kernel=None, maintenance="none"
    )
    assert (
        trace.segments[0].record.margin[1, 0] == 1.0
        and trace.scalars["rival"][2] == 2
        and trace.scalars["n_sv"][2] == 1
    )
