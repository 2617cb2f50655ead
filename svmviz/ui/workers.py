"""Computations of all visitors in threads, no more at a time than the machine has cores (`turns`); compiled code frees the
interpreter, so threads are enough.

A job pauses wherever it asks whether its time is up (`limits`): there it gives way to others, and there it ends if it is wanted
no more, because all who asked for it have moved on or left. Compiled code cannot be interrupted: it goes on to the next pause,
which takes a second or two at most.
"""

import math
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from svmviz.maths import limits
from svmviz.ui.turns import Entry, Turns

SLICE = 0.1  # seconds from one look at who else waits to the next
GRACE = 3.0  # seconds that a visitor may be away without being gone: a connection that broke comes back


class Cancelled(Exception):
    """Nobody wants it any more."""


class Waiting(Entry):
    """Somebody with a thread who waits for a place, and is told when there is one."""

    def __init__(self, visitor: str, urgent: bool = False, weight: int = 0):
        super().__init__(visitor, urgent, weight)
        self.go = threading.Event()


class Job(Waiting):
    """A task in a thread of its own, and for whom it is: each visitor with the moment when he was last there."""

    def __init__(self, key: Hashable, visitor: str, task: Callable[[], Any], seconds: float, weight: int):
        super().__init__(visitor, weight=weight)
        self.key, self.task, self.limit = key, task, limits.Limit(seconds)
        self.wanted: dict[str, float] = {}
        self.thread: threading.Thread | None = None
        self.ended, self.looked = threading.Event(), -math.inf
        self.value, self.error = None, None
        self.listeners: list[threading.Event] = []

    @property
    def struck(self) -> bool:
        """Whether it ran out of time and came back with what it had."""
        return self.limit.struck

    def tell(self, listener: threading.Event) -> None:
        """Set this event when the job has ended, too."""
        self.listeners.append(listener)
        if self.ended.is_set():
            listener.set()

    def result(self) -> Any:
        """What the task returned or raised, once the job has ended."""
        if self.error is not None:
            raise self.error
        return self.value


class Workers:
    """The places for computations, and who waits for them. `present` tells whether a visitor is still there."""

    def __init__(self, places: int, present: Callable[[str], bool] = lambda visitor: True,
                 clock: Callable[[], float] = time.monotonic):
        self.turns, self.present, self.clock = Turns(places), present, clock
        self.lock = threading.Lock()
        self.jobs: dict[Hashable, Job] = {}  # under way and waiting, by what they compute

    def submit(self, key: Hashable, visitor: str, task: Callable[[], Any], seconds: float = math.inf, weight: int = 0) -> Job:
        """The job that computes this: one that is under way for somebody else, or a new one."""
        with self.lock:
            job = self.jobs.get(key)
            if job is None:
                job = Job(key, visitor, task, seconds, weight)
                job.limit.pause = lambda: self.pause(job)
                self.turns.enter(job)
                self.jobs[key] = job
            job.wanted[visitor] = self.clock()
            self.dispatch()
            return job

    def drop(self, job: Job, visitor: str) -> None:
        """This visitor does not want it any more; where nobody else does, it ends at its next pause."""
        with self.lock:
            job.wanted.pop(visitor, None)
            if job.wanted or job.ended.is_set():
                return
            if self.jobs.get(job.key) is job:  # whoever asks again gets a new one
                del self.jobs[job.key]
            if job not in self.turns.running:
                self.turns.leave(job)
                if not job.begun:
                    self.end(job, Cancelled())
                job.go.set()  # what waits in mid-work goes on to its end

    @contextmanager
    def place(self, visitor: str, urgent: bool, waiting: Callable[[], None]) -> Iterator[None]:
        """A place for what the caller computes in this block in its own thread; `waiting` is called again and again until there
        is one, and may raise."""
        entry = Waiting(visitor, urgent)
        with self.lock:
            self.turns.enter(entry)
            self.dispatch()
        try:
            while not entry.go.wait(SLICE):
                waiting()
            yield
        finally:
            with self.lock:
                self.turns.leave(entry)
                self.dispatch()

    def dispatch(self) -> None:
        """Let go on whoever's turn it is; with the lock held."""
        while (entry := self.turns.next()) is not None:
            entry.go.set()
            if isinstance(entry, Job) and entry.thread is None:
                entry.thread = threading.Thread(target=self.work, args=(entry,), name="job", daemon=True)
                entry.thread.start()

    def work(self, job: Job) -> None:
        """The whole life of a job, in its own thread."""
        error = None
        try:
            with limits.within(job.limit):
                self.look(job)  # it may have waited long
                job.value = job.task()
        except BaseException as raised:  # handed on to whoever asks for the result
            error = raised
        with self.lock:
            self.turns.leave(job)
            if self.jobs.get(job.key) is job:
                del self.jobs[job.key]
            self.end(job, error)
            self.dispatch()

    def end(self, job: Job, error: BaseException | None) -> None:
        job.error, job.task = error, None  # what it worked on need not be kept
        job.ended.set()
        for listener in job.listeners:
            listener.set()

    def pause(self, job: Job) -> None:
        """At a question of the task: end it if nobody wants it, and give way if it has had its slice."""
        if not job.wanted:
            raise Cancelled
        if self.clock() - job.looked < SLICE:
            return
        self.look(job)
        with self.lock:
            if not self.turns.crowded(job):
                return
            job.go.clear()
            self.turns.give_way(job)
            self.dispatch()
        job.go.wait()
        self.look(job)

    def look(self, job: Job) -> None:
        """Forget visitors who have gone."""
        job.looked = now = self.clock()
        for visitor in tuple(job.wanted):
            here = self.present(visitor)
            with self.lock:  # who drops it meanwhile must not be put down again
                seen = job.wanted.get(visitor, now)
                if here and visitor in job.wanted:
                    job.wanted[visitor] = now
            if not here and now - seen > GRACE:
                self.drop(job, visitor)
        if not job.wanted:
            raise Cancelled
