"""The sweep itself: tasks go out in small batches, rows come back as they are done."""

import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

import numpy as np

from svmviz.explore import fitting
from svmviz.explore import rows as store
from svmviz.explore.fitting import Group, Outcome, arrays_of, job_of
from svmviz.explore.plan import Plan
from svmviz.explore.rows import MEASURED, ROW, Rows, Task
from svmviz.explore.spec import Spec
from svmviz.work.backend import Backend
from svmviz.work.cluster import Dask
from svmviz.work.flight import Flight
from svmviz.work.processes import local

# seconds that a batch is meant to take: long beside what sending one costs, short for who waits for
# a picture
BATCH = 0.2
LARGEST = 2000  # tasks of a batch


class Sweep:
    """An iterable of `Rows` as they come, those first that are `known` already. Any thread may
    `cancel` it: it ends then, with what has come so far.
    """

    def __init__(self, spec: Spec, backend: Backend | None = None, known: Rows | None = None):
        self.spec = spec.checked()
        self.known = store.none() if known is None else known.matching(self.spec)
        self.plan = Plan(self.spec, set(self.known.table["key"].tolist()))
        self.job, self.flight = (
            job_of(self.spec),
            Flight(backend or local(), lambda: arrays_of(self.spec.problem())),
        )
        self.pace = 0.0  # seconds of a task, lately; 0: nobody knows yet

    def cancel(self) -> None:
        self.flight.cancel()

    def __iter__(self) -> Iterator[Rows]:
        self.plan.tell(self.known)
        if len(self.known):
            yield self.known
        with self.flight:
            while self.full():
                if arrived := [self.taken(*news) for news in self.flight.landed()]:
                    found = store.joined(arrived)
                    self.plan.tell(found)
                    yield found

    def full(self) -> bool:
        """Send out what there is room for; whether anything is under way then."""
        while self.flight.room and (tasks := self.plan.take(self.size())):
            groups = [
                Group(self.spec.params(cell), steps, tuple((task.fold, task.seed) for task in some))
                for (cell, steps), some in groupby(tasks, key=lambda task: (task.cell, task.steps))
            ]
            self.flight.send(tasks, fitting.work, self.job, groups)
        return self.flight.busy

    def taken(self, tasks: Sequence[Task], outcome: Outcome) -> Rows:
        self.timed(outcome.seconds / len(tasks))
        return rows_of(tasks, outcome)

    def timed(self, pace: float) -> None:
        """So long a task took. The first ones load compiled code besides: less is believed at once,
        more little by little.
        """
        self.pace = pace if not self.pace or pace < self.pace else 0.7 * self.pace + 0.3 * pace

    def size(self) -> int:
        """Tasks of the next batch: one, until it is known how long they take."""
        return int(np.clip(BATCH / self.pace, 1, LARGEST)) if self.pace else 1


def rows_of(tasks: Sequence[Task], outcome: Outcome) -> Rows:
    table = np.empty(len(tasks), ROW)
    for name in MEASURED.names:
        table[name] = outcome.measured[name]
    table["key"] = np.frombuffer(b"".join(task.key for task in tasks), "V16")
    for name in ("cell", "steps", "fold", "seed"):
        table[name] = [getattr(task, name) for task in tasks]
    return Rows(table, {tasks[k].key: text for k, text in outcome.reasons.items()})


def sweep(spec: Spec, backend: Backend | None = None, known: Rows | None = None) -> Sweep:
    """Carry a sweep out on the processes of this machine, or wherever `backend` says, but for the
    rows that are `known`.
    """
    return Sweep(spec, backend, known)


def dask(address: str, timeout: float = 5.0) -> Dask:
    """A Dask cluster by the address of its scheduler, such as tcp://10.0.0.1:8786, whose workers
    give rows like ours.
    """
    return Dask(address, fitting.ready, timeout)


class Live:
    """A sweep in a thread of its own, for a page that looks at it now and then; it ends when nobody
    wants it any more.
    """

    def __init__(
        self,
        spec: Spec,
        backend: Backend | None = None,
        known: Rows | None = None,
        wanted: Callable[[], bool] = lambda: True,
    ):
        self.sweep, self.wanted = Sweep(spec, backend, known), wanted
        self.spec, self.total = self.sweep.spec, self.sweep.spec.tasks
        self.parts: list[Rows] = []
        self.error: Exception | None = None
        self.thread = threading.Thread(target=self._run, name="sweep", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            for found in self.sweep:
                self.parts.append(found)
                if not self.wanted():
                    self.cancel()
        except Exception as error:  # for the page to show
            self.error = error

    @property
    def running(self) -> bool:
        return self.thread.is_alive()

    def since(self, part: int) -> tuple[Rows, int]:
        """The rows that have come since the first so many parts, and how many parts there are
        now.
        """
        now = len(self.parts)
        return store.joined(self.parts[part:now]), now

    def cancel(self) -> None:
        """End it; what has come so far stays."""
        self.sweep.cancel()
