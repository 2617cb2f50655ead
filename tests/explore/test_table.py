"""Means, standard errors, the best cell and its kin, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from svmviz.explore.axes import Axis
from svmviz.explore.rows import DIVERGED, OPTIMUM, REFUSED, ROW, UNSETTLED, Rows
from svmviz.explore.spec import Spec
from svmviz.explore.table import Table
from svmviz.run.recipe import Recipe

SPEC = Spec(Recipe("moons", {"n": 40}), (Axis("lam", 1e-3, 1.0, 4),), (3, 1), 2).checked()


def rows(error, vectors, status=0, **more) -> Rows:
    """A row for each cell, fold and seed."""
    error = np.asarray(error, float)
    table = np.zeros(error.size, ROW)
    cell, fold, seed = np.indices(error.shape)
    table["cell"], table["fold"], table["seed"] = (
        cell.ravel(),
        fold.ravel(),
        np.array([3, 1])[seed.ravel()],
    )
    table["error"], table["tested"], table["primal"] = error.ravel(), 20, 0.5
    for name, values in {"vectors": vectors, "status": status, **more}.items():
        table[name] = np.broadcast_to(np.asarray(values)[..., None, None], error.shape).ravel()
    table["key"] = np.frombuffer(b"".join(k.to_bytes(16, "big") for k in range(len(table))), "V16")
    return Rows(table, {})


ERRORS = [
    [[0.1, 0.2], [0.3, 0.2]],
    [[0.1, 0.1], [0.3, 0.3]],
    [[0.2, 0.3], [0.2, 0.3]],
    [[0.0, 0.0], [0.0, 0.0]],
]


def test_means_are_over_folds_of_seeds_and_errors_are_those_of_folds():
    table = Table(SPEC, rows(ERRORS, [9, 5, 2, 1]))
    assert table.mean().tolist() == pytest.approx([0.2, 0.2, 0.25, 0.0])
    assert table.error_of_mean().tolist() == pytest.approx([0.05, 0.1, 0.0, 0.0])
    assert table.best == 3


def test_ties_go_to_fewer_vectors_and_what_diverged_is_never_best():
    table = Table(SPEC, rows(ERRORS, [9, 5, 2, 1], [0, 0, 0, DIVERGED]))
    assert (table.best, table.sparsest, table.within.tolist()) == (1, 2, [True, True, True, False])
    assert table.front() == [2, 1] and table.front("seconds") == [0]
    assert table.reason(3).endswith("it has diverged") and table.reason(0) == ""
    refused = rows(
        np.where(np.arange(4)[:, None, None] == 1, np.nan, ERRORS),
        [9, 5, 2, 1],
        [0, REFUSED, 0, DIVERGED],
    )
    table = Table(
        SPEC, replace(refused, reasons={key: "too narrow" for key in refused.table["key"].tolist()})
    )
    assert (table.best, table.reason(1)) == (0, "too narrow")


def test_table_with_runs_above_their_start_calls_them_not_settled():
    table = Table(SPEC, rows(ERRORS, [9, 5, 2, 1], [0, 0, DIVERGED, UNSETTLED]))
    assert table.status.tolist() == [0, 0, DIVERGED, UNSETTLED] and table.best == 1
    assert table.reason(3).endswith(
        "more than w = 0 has: it has not settled"
    ) and "diverged" not in table.reason(3)


def test_a_cell_counts_when_all_its_rows_are_there():
    whole = rows(ERRORS, [9, 5, 2, 1])
    table = Table(SPEC, replace(whole, table=whole.table[:-1]))
    assert np.isnan(table.mean()[3]) and np.isnan(table.error_of_mean()[3]) and table.best == 1
    table.add(replace(whole, table=whole.table[-1:]))
    assert table.best == 3
    assert Table(SPEC).best is None and not Table(SPEC).within.any() and Table(SPEC).front() == []


def test_the_optimum_is_subtracted_fold_by_fold():
    table = Table(SPEC, rows(ERRORS, 1))
    assert np.isnan(table.mean("suboptimality")).all()
    best = rows(ERRORS, 1).table[:2].copy()
    best["seed"], best["fold"], best["primal"] = OPTIMUM, [0, 1], [0.4, 0.2]
    table.add(Rows(best, {}))
    assert table.mean("suboptimality")[0] == pytest.approx(0.2)
    assert table.error_of_mean("suboptimality")[0] == pytest.approx(0.1)


def test_where_rows_are_held_out_the_error_is_that_of_a_share():
    spec = Spec(SPEC.recipe, SPEC.axes, SPEC.seeds, held_out=0.5).checked()
    table = Table(spec, rows(np.array(ERRORS)[:, :1], [1, 2, 3, 4], primal=[1.0, 2.0, 3.0, 4.0]))
    assert table.error_of_mean()[0] == pytest.approx((0.15 * 0.85 / 20) ** 0.5)
    assert table.error_of_mean("primal").tolist() == [0.0] * 4


def test_later_rounds_of_halving_take_the_place_of_earlier_ones():
    spec = Spec(
        SPEC.recipe, SPEC.axes, SPEC.seeds, 2, search="halving", draws=4, factor=2
    ).checked()
    assert spec.rungs == ((4, 30), (2, 60), (1, 120))
    table = Table(spec, rows(ERRORS, [9, 5, 2, 1], steps=[30] * 4))
    assert table.best == 3
    later = rows(np.add(ERRORS, 0.1), [9, 5, 2, 1], steps=[60] * 4)
    table.add(replace(later, table=later.table[np.isin(later.table["cell"], [1, 3])]))
    table.add(rows(ERRORS, [9, 5, 2, 1], steps=[30] * 4))  # late, and of no more use
    assert (
        table.mean().tolist() == pytest.approx([0.2, 0.3, 0.25, 0.1])
        and table.candidates.tolist() == [False, True] * 2
    )
