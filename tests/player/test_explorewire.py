"""A sweep on its way to the page Explore: what the picture makes of it, beside the table in
Python.
"""

import base64
from dataclasses import replace

import numpy as np
import pytest

from svmviz.explore import Axis, Rows, Spec, Table
from svmviz.explore.faults import RANDOM
from svmviz.explore.rows import DIVERGED, FINE, REFUSED, ROW, possible
from svmviz.player.wire import sweep
from svmviz.run.recipe import Recipe, from_query
from tests.player.node.ask import ask

SPEC = Spec(
    Recipe("moons", {"n": 60}, params={"kernel": "rbf(gamma=2.0)"}, steps=50),
    (Axis("lam", 0.001, 1.0, 4), Axis("gamma", 0.1, 100.0, 5)),
    (0, 1),
    folds=3,
).checked()


def rows_of(spec: Spec, share: float = 1.0) -> Rows:
    """Made-up rows, those of the last cells missing: a valley about the middle, one corner
    diverged, one refused.
    """
    tasks = list(possible(spec))
    tasks = tasks[: int(share * len(tasks))]
    table, rng = np.zeros(len(tasks), ROW), np.random.default_rng(0)
    table["key"] = np.frombuffer(b"".join(task.key for task in tasks), "V16")
    for name in ("cell", "steps", "fold", "seed"):
        table[name] = [getattr(task, name) for task in tasks]
    middle = (np.array(spec.shape) - 1) / 2
    apart = np.array([((np.array(spec.place(task.cell)) - middle) ** 2).sum() for task in tasks])
    table["error"] = 0.1 + 0.02 * apart + 0.004 * rng.standard_normal(len(tasks))
    table["train_error"], table["vectors"], table["primal"], table["tested"] = (
        0.05,
        20 + table["cell"],
        0.4,
        20,
    )
    table["status"] = np.where(
        table["cell"] == 0, DIVERGED, np.where(table["cell"] == 1, REFUSED, FINE)
    )
    refused = {
        key: "the step is too long"
        for key, cell in zip(table["key"].tolist(), table["cell"], strict=True)
        if cell == 1
    }
    return Rows(table, refused)


def sent(table: Table, measure: str = "error", look=None, **more) -> str:
    header, arrays = sweep.sweep_arrays(table, measure)
    spec = table.spec
    header |= {
        "id": "1",
        "shape": list(spec.shape),
        "axes": sweep.axes_of(spec),
        "validated": "Cross-validated",
        "measure": sweep.about_measure(spec, measure),
        "state": "",
        "fits": spec.fits,
        "done": 0,
        "left": None,
        "search": spec.search,
        "fault": "",
        "seeds": 2,
        "cross": None,
    } | more
    data = sweep.encode_sweep(header, arrays, look)
    assert len(data) < 100_000
    return base64.b64encode(data).decode()


def test_the_picture_has_the_numbers_of_the_table():
    table = Table(SPEC, rows_of(SPEC))
    found = ask(sweep=sent(table))
    assert np.allclose(found["value"], table.mean(), rtol=1e-6) and found["cells"] == list(
        range(20)
    )
    assert found["best"] == table.best and found["state"][:3] == [2, 3, 1]
    assert found["lines"] == [[0, 5, 10, 15], [0, 1, 2, 3, 4]]
    assert (
        "lowest error" in found["told"][table.best]
        and "refused: the step is too long" in found["told"][1]
    )
    assert found["told"][7].startswith("λ = 0.01, γ = 3.2, test error ")
    assert found["sentences"][1] == "the step is too long" and "diverged" in found["sentences"][0]
    inside = {tuple(SPEC.place(int(cell))) for cell in np.flatnonzero(table.within)}
    sides = sum(
        (r + a, c + b) not in inside
        for r, c in inside
        for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))
    )
    assert found["edges"] == sides, "the line runs round the region once"
    assert found["words"] == {
        "far": "20 cells, 120 fits",
        "go": "",
        "more": "All cells are computed.",
    }


def test_without_optima_there_is_nothing_below_which_nobody_gets():
    table = Table(replace(SPEC, optimum=True), rows_of(SPEC))
    found = ask(sweep=sent(table, "suboptimality"))
    assert found["best"] is None and set(found["state"]) == {0} and not found["edges"]
    assert (found["words"]["far"], found["words"]["go"]) == ("120 fits, no P* yet", "Compute P*")


def test_what_is_missing_is_to_come():
    table = Table(SPEC, rows_of(SPEC, 0.5))
    found = ask(sweep=sent(table))
    assert found["state"][10:] == [0] * 10 and found["words"]["go"] == "Compute the other 10"
    assert ask(sweep=sent(Table(SPEC)))["words"]["go"] == "Start"
    said = ask(sweep=sent(table, state="running", left=4.2))["words"]
    assert said["far"] == "10 of 20 cells, 4 s left" and said["go"] == "Stop"


def test_of_many_parameters_the_lowest_travel(monkeypatch):
    spec = replace(SPEC, axes=(*SPEC.axes, Axis("k", 1, 5, 5)), search=RANDOM, draws=40).checked()
    table = Table(spec, rows_of(spec))
    assert ask(sweep=sent(table))["cells"] == table.cells.tolist()
    monkeypatch.setattr(sweep, "MOST", 10)
    found = ask(sweep=sent(table))
    assert len(found["cells"]) == 10 and table.best in found["cells"]
    assert max(found["errors"]) <= np.sort(table.mean())[9] + 1e-6


def test_a_grid_that_was_tried_in_part_keeps_its_places():
    spec = replace(SPEC, search=RANDOM, draws=6).checked()
    found = ask(sweep=sent(Table(spec, rows_of(spec))))
    assert [cell for cell, state in enumerate(found["state"]) if state != 4] == sorted(
        spec.cells.tolist()
    )


@pytest.mark.parametrize(
    ("link", "where"),
    [
        ({"lam": "0.01", "kernel": "rbf(gamma=100)"}, [1.0, 4.0]),
        ({"lam": "0.0316228", "kernel": "rbf(gamma=0.1)"}, [1.5, 0.0]),
        ({"lam": "0.0001", "kernel": "rbf(gamma=1)"}, None),
        ({"lam": "0.01", "kernel": "none"}, None),
        ({"solver": "sbp", "kernel": "rbf(gamma=1)"}, None),
    ],
)
def test_where_the_playground_stands(link, where):
    found = sweep.crossed(SPEC, from_query(link)[0].checked())
    assert found == where if where is None else np.allclose(found, where, atol=1e-6)


def test_the_plane_of_a_cell_is_that_of_its_run():
    recipe = SPEC.recipe_of(8)
    look = sweep.look(SPEC, 8)
    found = ask(sweep=sent(Table(SPEC), look=look))
    x0, x1, y0, y1 = found["extent"]
    trace = recipe.trace()
    for k in (0, 1234, 80 * 60 - 1):
        row, column = divmod(k, 80)
        at = np.array([[x0 + column / 79 * (x1 - x0), y1 - row / 59 * (y1 - y0)]])
        assert abs(found["field"][k] - trace.f(recipe.steps, at)[0]) < 1e-6
    low, high = trace.problem.X.min(axis=0), trace.problem.X.max(axis=0)
    assert x0 < low[0] and x1 > high[0] and y0 < low[1] and y1 > high[1]
    assert abs((x1 - x0) / 80 - (y1 - y0) / 60) < 1e-9, "equal units on both axes"


@pytest.mark.parametrize(
    ("data", "solver", "grids"), [("pinwheel", "bsgd", 5), ("digits", "pegasos", 1)]
)
def test_planes_of_several_classes_and_slices(data, solver, grids):
    spec = Spec(
        Recipe(data, solver=solver, steps=40).checked(), (Axis("lam", 0.001, 1.0, 3),)
    ).checked()
    look = sweep.look(spec, 1)
    assert not look.header["refused"] and bool(look.header["slice"]) == (spec.problem().d > 2)
    columns, rows = look.arrays["grid"]
    assert (
        look.arrays["field"].size == grids * columns * rows
        and np.isfinite(look.arrays["field"]).all()
    )
    assert len(look.header["classes"]) == (grids if grids > 1 else 0)


def test_targets_are_a_curve_over_one_feature_and_no_picture_over_more():
    def looked(data):
        spec = Spec(
            Recipe(data, solver="regression", steps=20).checked(), (Axis("lam", 0.001, 1.0, 3),)
        ).checked()
        return spec, sweep.look(spec, 0)

    spec, look = looked("sine")
    x0, x1, y0, y1 = look.arrays["extent"]
    at = np.array([[x0 + 40 / 159 * (x1 - x0)]])
    assert (
        look.arrays["grid"].tolist() == [160, 1]
        and y0 < spec.problem().y.min() < spec.problem().y.max() < y1
    )
    assert abs(look.arrays["field"][40] - spec.recipe_of(0).trace().f(20, at)[0]) < 1e-6
    assert looked("diabetes")[1].header["refused"].startswith("There is no picture of it here")


def test_small_parts_of_the_picture():
    share, whole = {"percent": True, "whole": False}, {"percent": False, "whole": True}
    cases = [
        (["brief", 0.0904, share], "9.0"),
        (["brief", 186.4, whole], "186"),
        (["brief", 1234567, whole], "1.23M"),
        (["written", None, share], "–"),
        (["extentOf", [], []], [0, 1]),
        (["passes", [0.2, 0.9], [[0.1, 0.3], None]], True),
        (["passes", [0.2, 0.9], [None, [0.1, 0.3]]], False),
        (["depth", 0.12, 0.1, 0.4, 0.12, True], 0.5),
        (["depth", 0.4, 0.1, 0.4, None, False], 1),
        (["level", [0.1, 0.11, 0.2, 0.21, 0.22, 0.3], 0.12], 0.21),
        (["level", [0.1, 0.11], 0.12], None),
    ]
    places = {"extentOf": "explore/charts", "passes": "explore/parallel"}
    for (name, *args), answer in cases:
        found = ask(module=places.get(name, "explore/cells"), name=name, args=args)["value"]
        assert found == (pytest.approx(answer) if isinstance(answer, float) else answer)
