"""How fast sweeps are, on this machine and on a Dask cluster of one and of two workers, and what
limits them.

    python -m benchmarks.solvers.sweeps [--only page workers engine]

`page`: the sweep that a visitor of Explore waits for, 11 x 11 cells of Gaussian Pegasos with 5
folds and 3 seeds, 1815 fits, once the processes are warm. `workers`: 400 fits of 20 ms or more on
one worker, on two, and in a plain loop without any of it. `engine`: batches that take no time, so
that all that is left is what a batch costs the scheduler and the process that holds the sweep; from
that follows how many workers it can keep busy.
"""

import argparse
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from benchmarks.harness import ROOT, Report, stop
from svmviz.explore import fitting
from svmviz.explore import rows as store
from svmviz.explore.axes import Axis
from svmviz.explore.engine import BATCH, sweep
from svmviz.explore.fitting import MEASURED, Group, Outcome, arrays_of, job_of
from svmviz.explore.spec import Spec
from svmviz.explore.table import Table
from svmviz.run.recipe import Recipe
from svmviz.work.cluster import Dask
from svmviz.work.processes import Local, local

PARTS = ("page", "workers", "engine")
AXES = Axis("lam", 1e-4, 1.0, 11), Axis("gamma", 0.1, 100.0, 11)
RBF = {"kernel": "rbf(gamma=1.0)"}
PAGE = Spec(
    Recipe("moons", {"n": 200, "noise": 0.3}, params=RBF, steps=1000), AXES, (0, 1, 2)
).checked()
HEAVY = Spec(
    Recipe("moons", {"n": 700, "noise": 0.3}, params=RBF, steps=20_000),
    tuple(replace(axis, count=4) for axis in AXES),
    (0, 1, 2, 3, 4),
).checked()
EMPTY = replace(PAGE, seeds=tuple(range(33))).checked()
SECONDS = 0.02  # that a fit of `EMPTY` pretends to take


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    chosen, report = parser.parse_args().only, Report("Sweeps")
    for part in chosen:
        {"page": page, "workers": workers, "engine": engine}[part](report)
    report.close()


def page(report: Report) -> None:
    report.section(f"a page: {PAGE.fits} fits, {local().width} processes")
    began = time.perf_counter()
    for _ in sweep(replace(PAGE, axes=(Axis("lam", 0.01, 1.0, 3),)), local()):
        pass
    report.add("start of the processes, and a first small sweep", time.perf_counter() - began, "s")
    table, began, first = Table(PAGE), time.perf_counter(), None
    for rows in sweep(PAGE, local()):
        table.add(rows)
        if first is None and table.complete.any():
            first = time.perf_counter() - began
    report.add("first cell", first, "s", most=1.0)
    whole = time.perf_counter() - began
    report.add("whole sweep", whole, "s", most=25.0)
    report.add(
        "a fit, all that belongs to it", 1000 * whole * local().width / PAGE.fits, "ms of a core"
    )
    began = time.perf_counter()
    known = store.joined(sweep(PAGE, local()))
    again = len(store.joined(sweep(PAGE, local(), known)))
    assert again == PAGE.fits


def workers(report: Report) -> None:
    report.section(f"{HEAVY.fits} fits of 20 ms or more")
    groups = [
        Group(
            HEAVY.params(cell),
            HEAVY.recipe.steps,
            tuple((fold, seed) for fold in range(5) for seed in HEAVY.seeds),
        )
        for cell in range(HEAVY.size)
    ]
    data, job = arrays_of(HEAVY.problem()), job_of(HEAVY)
    fitting.work(data, job, groups[:1])
    began = time.perf_counter()
    for group in groups:
        fitting.work(data, job, [group])
    loop = time.perf_counter() - began
    report.add("a fit in a plain loop", 1000 * loop / HEAVY.fits, "ms", least=20.0)
    one, two = (timed(Local(many), HEAVY) for many in (1, 2))
    report.add("processes: two against one", two / one, "", most=0.6)
    report.add("processes: overhead of a fit", 1000 * (one - loop) / HEAVY.fits, "ms", most=5.0)
    found = []
    for many in (1, 2):
        with cluster(many) as backend:
            found.append(timed(backend, HEAVY))
    report.add("Dask: two workers against one", found[1] / found[0], "", most=0.6)
    report.add("Dask: overhead of a fit", 1000 * (found[0] - loop) / HEAVY.fits, "ms", most=5.0)


def timed(backend, spec: Spec) -> float:
    """Seconds of a sweep, after one that compiles and loads."""
    for rows in (going := sweep(spec, backend)):
        if len(rows):
            going.cancel()
    began = time.perf_counter()
    assert len(store.joined(sweep(spec, backend))) == spec.fits
    return time.perf_counter() - began


class Empty(Dask):
    """A cluster on which every fit takes no time, but says that it took 20 ms, and which seems to
    have many workers: what is measured is how fast batches can be given out, not how long one is on
    its way.
    """

    width = 64

    def submit(self, done, act, *args):
        return super().submit(done, pretend, *args)


def pretend(data, job, groups) -> Outcome:
    out = np.zeros(sum(len(group.pairs) for group in groups), MEASURED)
    return Outcome(out, {}, SECONDS * len(out))


def engine(report: Report) -> None:
    report.section(
        f"{EMPTY.fits} fits that take no time, in batches as if they took {1000 * SECONDS:g} ms"
    )
    groups = [
        Group(
            EMPTY.params(0),
            EMPTY.recipe.steps,
            tuple((0, seed) for seed in range(int(BATCH / SECONDS))),
        )
    ]
    there, back = (
        len(pickle.dumps((job_of(EMPTY), groups))),
        len(pickle.dumps(pretend(None, None, groups))),
    )
    many = len(groups[0].pairs)
    report.add("bytes of a fit, there", there / many, "B")
    report.add("bytes of a fit, and back", back / many, "B")
    with cluster(2, Empty) as backend:
        seconds = timed(backend, EMPTY)
    batches = EMPTY.fits / many
    report.add("a batch, at the scheduler and here", 1000 * seconds / batches, "ms")
    report.add("a fit", 1000 * seconds / EMPTY.fits, "ms", most=5.0)
    busy = BATCH * batches / seconds
    report.add("workers that this keeps busy", busy, "")
    report.add(f"10⁶ fits of {1000 * SECONDS:g} ms on so many", 1e6 * SECONDS / busy / 60, "min")


@contextmanager
def cluster(many: int, kind: type[Dask] = Dask) -> Iterator[Dask]:
    """A Dask cluster of this machine with so many workers, for this block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "svmviz.cli", "cluster", "--workers", str(many)],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
    )
    try:
        backend = kind(process.stdout.readline().strip(), fitting.ready)
        yield backend
        backend.close()
    finally:
        stop(process)


if __name__ == "__main__":
    main()
