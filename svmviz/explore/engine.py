"""The sweep itself: tasks go out in small batches, rows come back as they are done."""

import itertools
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

import numpy as np

from svmviz.explore import rows as store
from svmviz.explore.backends import Backend, local
from svmviz.explore.fitting import Group, Outcome, job_of
from svmviz.explore.plan import Plan
from svmviz.explore.rows import MEASURED, ROW, Rows, Task
from svmviz.explore.spec import Spec

BATCH = 0.2  # seconds that a batch is meant to take: long beside what sending one costs, short for who waits for a picture
LARGEST = 2000  # tasks of a batch
AHEAD = 2  # batches for every worker: one under way, one that waits for it
TRIES = 4  # of a batch whose worker has gone


class Sweep:
    """An iterable of `Rows` as they come, those first that are `known` already. Any thread may `cancel` it: it ends then, with
    what has come so far."""

    def __init__(self, spec: Spec, backend: Backend | None = None, known: Rows | None = None):
        self.spec, self.backend = spec.checked(), backend or local()
        self.known = store.none() if known is None else known.matching(self.spec)
        self.plan = Plan(self.spec, set(self.known.table["key"].tolist()))
        self.news: queue.SimpleQueue = queue.SimpleQueue()  # (token, outcome), or None to wake up
        self.cancelled = threading.Event()
        self.pace = 0.0  # seconds of a task, lately; 0: nobody knows yet

    def cancel(self) -> None:
        self.cancelled.set()
        self.news.put(None)

    def __iter__(self) -> Iterator[Rows]:
        self.plan.tell(self.known)
        if len(self.known):
            yield self.known
        first = self.plan.take(1)
        if not first:
            return
        flight = Flight(self, first)
        try:
            while not self.cancelled.is_set() and flight.full():
                if arrived := flight.landed():
                    found = store.joined(arrived)
                    self.plan.tell(found)
                    yield found
        finally:
            flight.end()

    def timed(self, pace: float) -> None:
        """So long a task took. The first ones load compiled code besides: less is believed at once, more little by little."""
        self.pace = pace if not self.pace or pace < self.pace else 0.7 * self.pace + 0.3 * pace

    def size(self) -> int:
        """Tasks of the next batch: one, until it is known how long they take."""
        return int(np.clip(BATCH / self.pace, 1, LARGEST)) if self.pace else 1


class Flight:
    """The batches that are under way."""

    def __init__(self, sweep: Sweep, first: Sequence[Task]):
        self.sweep, self.backend, self.job = sweep, sweep.backend, job_of(sweep.spec)
        self.data = self.backend.place(sweep.spec.problem())
        self.tokens, self.under_way, self.first = itertools.count(), {}, list(first)

    def full(self) -> bool:
        """Send out what there is room for; whether anything is under way then."""
        while len(self.under_way) < AHEAD * max(1, self.backend.width):
            tasks, self.first = self.first or self.sweep.plan.take(self.sweep.size()), []
            if not tasks:
                break
            self.send(tasks, 1)
        return bool(self.under_way)

    def send(self, tasks: Sequence[Task], tries: int) -> None:
        token = next(self.tokens)
        spec, done = self.sweep.spec, self.sweep.news.put
        groups = [Group(spec.params(cell), steps, tuple((task.fold, task.seed) for task in some))
                  for (cell, steps), some in groupby(tasks, key=lambda task: (task.cell, task.steps))]
        batch = self.backend.submit(token, self.job, self.data, groups, lambda *outcome: done(outcome))
        self.under_way[token] = batch, tasks, tries

    def landed(self) -> list[Rows]:
        """Wait for news, and take all that there are."""
        found, news = [], self.sweep.news.get()
        while True:
            if news is not None and news[0] in self.under_way:
                found += self.taken(*news)
            try:
                news = self.sweep.news.get_nowait()
            except queue.Empty:
                return found

    def taken(self, token: int, outcome: Outcome | BaseException) -> list[Rows]:
        _, tasks, tries = self.under_way.pop(token)
        if not isinstance(outcome, BaseException):
            self.sweep.timed(outcome.seconds / len(tasks))
            return [rows_of(tasks, outcome)]
        if self.sweep.cancelled.is_set():
            return []
        if not self.backend.lost(outcome):
            raise outcome
        if tries == TRIES:
            raise RuntimeError(f"{TRIES} workers in turn went away over the same fits; perhaps these need more memory than "
                               "there is") from outcome
        self.data = self.backend.placed(self.data, self.sweep.spec.problem())
        self.send(tasks, tries + 1)
        return []

    def end(self) -> None:
        """Nothing stays under way."""
        self.backend.cancel([batch for batch, _, _ in self.under_way.values()])
        self.under_way.clear()
        self.backend.remove(self.data)


def rows_of(tasks: Sequence[Task], outcome: Outcome) -> Rows:
    table = np.empty(len(tasks), ROW)
    for name in MEASURED.names:
        table[name] = outcome.measured[name]
    table["key"] = np.frombuffer(b"".join(task.key for task in tasks), "V16")
    for name in ("cell", "steps", "fold", "seed"):
        table[name] = [getattr(task, name) for task in tasks]
    return Rows(table, {tasks[k].key: text for k, text in outcome.reasons.items()})


def sweep(spec: Spec, backend: Backend | None = None, known: Rows | None = None) -> Sweep:
    """Carry a sweep out on the processes of this machine, or wherever `backend` says, but for the rows that are `known`."""
    return Sweep(spec, backend, known)


class Live:
    """A sweep in a thread of its own, for a page that looks at it now and then; it ends when nobody wants it any more."""

    def __init__(self, spec: Spec, backend: Backend | None = None, known: Rows | None = None,
                 wanted: Callable[[], bool] = lambda: True):
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
        """The rows that have come since the first so many parts, and how many parts there are now."""
        now = len(self.parts)
        return store.joined(self.parts[part:now]), now

    def cancel(self) -> None:
        """End it; what has come so far stays."""
        self.sweep.cancel()
