"""Which cells come first, and what is used again."""

from dataclasses import replace

import numpy as np

from svmviz.explore import rows as store
from svmviz.explore.axes import Axis
from svmviz.explore.engine import sweep
from svmviz.explore.spec import Spec
from svmviz.run.recipe import Recipe
from tests.explore.here import Pretended

AXES = Axis("lam", 1e-4, 1.0, 9), Axis("k", 1, 9, 9, log=False)
GRID = Spec(Recipe("moons", {"n": 40}, steps=50), AXES, (0, 1), 3).checked()


def cells(spec: Spec, error, known=None) -> tuple[list[int], store.Rows]:
    """In which order the cells are done."""
    found = store.joined(sweep(spec, Pretended(error), known))
    return list(dict.fromkeys(found.table["cell"].tolist())), found


def test_coarse_cells_come_first_then_outwards_from_the_best():
    aim = GRID.place(70)

    def error(params):
        place = [
            values.index(params[axis.name])
            for axis, values in zip(GRID.axes, GRID.swept, strict=True)
        ]
        return float(np.hypot(*np.subtract(place, aim)))

    order, found = cells(GRID, error)
    assert sorted(order) == list(range(81)) and len(found) == GRID.fits == 81 * 6
    assert [GRID.place(cell) for cell in order[:9]] == [
        (i, j) for i in (0, 4, 8) for j in (0, 4, 8)
    ]
    late = [error(GRID.params(cell)) for cell in order[20:]]
    assert order.index(70) < 20 and np.corrcoef(late, np.arange(len(late)))[0, 1] > 0.95
    assert order == cells(GRID, error)[0]


def test_other_ranges_use_what_is_known():
    found = cells(GRID, lambda params: params["lam"])[1]
    wider = replace(
        GRID, axes=(Axis("lam", 1e-4, 1.0, 5), Axis("k", 1, 13, 13, log=False)), seeds=(1, 0, 2)
    ).checked()
    backend = Pretended(lambda params: params["lam"])
    parts = list(sweep(wider, backend, found))
    assert len(parts[0]) == 5 * 9 * 3 * 2 and backend.fitted == wider.fits - len(parts[0])
    table = store.joined(parts).table
    assert len(np.unique(table[["cell", "fold", "seed"]])) == wider.fits
    assert np.array_equal(table["error"], [wider.params(cell)["lam"] for cell in table["cell"]])
    done = Pretended(None)
    assert (
        len(store.joined(sweep(wider, done, store.joined([found, *parts])))) == wider.fits
        and done.fitted == 0
    )
    other = [
        replace(wider, **new)
        for new in (
            {"folds": 4},
            {"fold_seed": 1},
            {"recipe": replace(wider.recipe, steps=51)},
            {"held_out": 0.3},
            {"recipe": replace(wider.recipe, data_params={"n": 41})},
        )
    ]
    assert not any(len(found.matching(spec.checked())) for spec in other)


def test_an_end_that_is_wanted_keeps_what_there_is():
    backend = Pretended(lambda params: 0.5)
    going = sweep(GRID, backend)
    parts = []
    for rows in going:
        parts.append(rows)
        if len(parts) == 3:
            going.cancel()
    assert len(parts) == 3 and backend.fitted < GRID.fits and backend.removed == 1


def test_a_batch_is_tried_again_when_its_worker_has_gone():
    class Unsteady(Pretended):
        fallen = 0

        def work(self, *batch):
            self.fallen += 1
            if self.fallen % 3:
                return ConnectionError("gone")
            return super().work(*batch)

    assert len(store.joined(sweep(GRID, Unsteady(lambda params: 0.5)))) == GRID.fits
