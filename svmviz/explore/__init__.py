"""Sweeps of hyperparameters: many fits of one solver, in parallel on this machine or on a Dask
cluster.

    axes = explore.Axis("lam", 1e-4, 1.0, 11), explore.Axis("gamma", 0.1, 100.0, 11)
    spec = explore.Spec(recipe, axes, seeds=(0, 1, 2))
    table = explore.Table(spec.checked())
    for rows in explore.sweep(spec, backend=explore.local()):  # as they come
        table.add(rows)
    table.best, table.mean("error")[table.best], spec.setting(table.best)

A sweep is a list of tasks, each a cell of the grid, a fold and a seed, and each gives a row of what
was measured (`rows.ROW`). Every fit is one of a scikit-learn estimator of ours, so that a table
equals what scikit-learn's own searches find.

* `axes.sweepable(recipe)`: what may be swept, as declared `Param`s. `Axis`: one of them, with its
  range or choices.
* `Spec`: the whole sweep; `faults()` says what is wrong and beside which control, `fits` how many
  there are, `setting(cell)` and `recipe_of(cell)` what a cell stands for. `specfile` reads and
  writes it as TOML and as a link.
* `sweep(spec, backend, known)`: an iterable of `Rows`, those first that `known` has already; any
  thread may `cancel()` it.
* `Live(spec, backend, known, wanted)`: the same in a thread of its own, for a page that looks at it
  now and then.
* `local()`: processes of this machine, shared by all sweeps of this process and of low priority.
  `dask(address)`: a cluster.
* `Table(spec)`: by cell `mean`, `error_of_mean`, `best`, `within` one standard error, `sparsest`,
  `front`, `status`, `reason`.
* `results`: files of rows, and a journal that survives a kill.
"""

from svmviz.explore.axes import Axis, sweepable
from svmviz.explore.engine import Live, Sweep, dask, sweep
from svmviz.explore.faults import Fault
from svmviz.explore.rows import MEASURES, Rows
from svmviz.explore.spec import Spec
from svmviz.explore.table import Table
from svmviz.work.processes import local

__all__ = [
    "MEASURES",
    "Axis",
    "Fault",
    "Live",
    "Rows",
    "Spec",
    "Sweep",
    "Table",
    "dask",
    "local",
    "sweep",
    "sweepable",
]
