"""Sweeps by the command line: `svmviz sweep` and `svmviz cluster`."""

import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from svmviz.explore import rows as store
from svmviz.explore import specfile
from svmviz.explore.engine import Sweep, dask
from svmviz.explore.spec import Spec
from svmviz.explore.table import Table
from svmviz.work.processes import local
from svmviz.work.words import count

OFTEN, SELDOM = (
    0.5,
    10.0,
)  # seconds between two lines about how far it has got, on a screen and in a log


def carry_out(
    path: Path,
    out: Path,
    address: str | None = None,
    workers: int | None = None,
    known: Sequence[Path] = (),
) -> None:
    """Carry out the sweep of a file, but for the rows that are there from earlier starts or in the
    files `known`, and put all of them into `out`.
    """
    try:
        from svmviz.explore import results
    except ImportError:
        raise ValueError("sweeps in files need pyarrow: pip install 'svmviz[cluster]'") from None
    if not out.parent.is_dir():
        raise ValueError(f"there is no folder {out.parent}")
    spec, journal = specfile.load(path), results.Journal(out)
    before = [results.raw(out)[1]] if out.exists() else []
    if any(len(rows.matching(spec)) < len(rows) for rows in before):
        raise ValueError(
            f"{out} holds rows that are none of this sweep and would be lost; name another file"
            " with --out, and this one with --known to use what is of use"
        )
    there = store.joined([*before, journal.read(), *(results.raw(file)[1] for file in known)])
    sweep = Sweep(spec, dask(address) if address else local(workers), there)
    told, ended = Progress(spec, len(sweep.known)), "done"
    found = []
    try:
        for rows in sweep:
            if rows is not sweep.known:
                journal.append(rows)
            found.append(rows)
            told.add(rows)
    except KeyboardInterrupt:
        ended = "stopped; the same command goes on from here"
    journal.close()
    results.write(out, path.read_text(encoding="utf-8"), store.joined(found))
    journal.remove()
    told.end(ended)


class Progress:
    """A line about how far it has got, over and over in the same place on a screen."""

    def __init__(self, spec: Spec, known: int):
        self.spec, self.total, self.known, self.done, self.parts = spec, spec.tasks, known, 0, []
        self.screen, self.began = sys.stderr.isatty(), time.monotonic()
        self.said = 0.0 if self.screen else self.began
        if known:
            print(f"{count(known)} of {count(self.total)} fits are there already", file=sys.stderr)

    def add(self, rows: store.Rows) -> None:
        self.done += len(rows)
        self.parts.append(rows)
        now = time.monotonic()
        if now - self.said >= (OFTEN if self.screen else SELDOM):
            self.said = now
            spent, new = now - self.began, self.done - self.known
            left = f", {spent / new * (self.total - self.done):.0f} s left" if new else ""
            self.say(f"{count(self.done)} of {count(self.total)} fits, {spent:.0f} s{left}")

    def say(self, line: str) -> None:
        print(
            f"\r{line:<70}" if self.screen else line,
            end="" if self.screen else "\n",
            file=sys.stderr,
            flush=True,
        )

    def end(self, ended: str) -> None:
        """What came of it."""
        self.say(
            f"{count(self.done)} of {count(self.total)} fits, {time.monotonic() - self.began:.1f}"
            f" s, {ended}"
        )
        if self.screen:
            print(file=sys.stderr)
        table = Table(self.spec, store.joined(self.parts))
        for name, cell in (
            ("lowest error", table.best),
            ("fewest vectors within one standard error", table.sparsest),
        ):
            if cell is not None:
                k = int(table.cells.searchsorted(cell))
                setting = ", ".join(
                    f"{key} = {value}" for key, value in self.spec.setting(cell).items()
                )
                print(
                    f"{name}: {table.mean()[k]:.4f} ± {table.error_of_mean()[k]:.4f} with"
                    f" {table.mean('vectors')[k]:.1f} vectors at {setting}"
                )


def cluster(workers: int) -> None:
    """Start a scheduler and workers on this machine, say where, and stay until interrupted."""
    try:
        from distributed import LocalCluster
    except ImportError:
        raise ValueError("a cluster needs Dask: pip install 'svmviz[cluster]'") from None
    signal.signal(
        signal.SIGTERM, signal.default_int_handler
    )  # whoever ends this ends the workers, too
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as started:
        print(started.scheduler_address, flush=True)
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            pass
