"""Computations of all visitors in processes (`work.hands`), a few at a time for every processor;
who is next says `turns`.

A job has no say in when it ends. It is ended with its process when nobody wants it any more,
because all who asked for it have moved on or left; and when it hangs, by the process's own keeper.
"""

import logging
import math
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Protocol

from svmviz.ui.jobs.turns import Entry, Turns
from svmviz.work.hands import Died, Hand, Hands
from svmviz.work.words import brief

LOOK = 0.25  # seconds between two looks at what is under way
GRACE = (
    3.0  # seconds that a visitor may be away without being gone: a connection that broke comes back
)
LOG = logging.getLogger(__name__)


class Cancelled(Exception):
    """Nobody wants it any more."""


class Lost(Exception):
    """A job was ended before its time, by no fault of who asked."""


class Listener(Protocol):
    """Such as an event."""

    def set(self) -> None: ...


@dataclass(eq=False, kw_only=True)
class Job(Entry):
    """A task, and for whom it is: each visitor with the moment when he was last there. `told` hears
    what the task tells on its way, `then` what it returned, and may return something else.
    """

    key: Hashable
    task: Callable[[], Any] | None
    seconds: float
    told: Callable[[Any], None]
    then: Callable[[Any], Any]
    wanted: dict[str, float] = field(default_factory=dict)
    hand: Hand | None = None
    ended: threading.Event = field(default_factory=threading.Event)
    struck: bool = False
    value: Any = None
    error: BaseException | None = None
    listeners: "list[Listener]" = field(default_factory=list)

    def tell(self, listener: "Listener") -> None:
        """Set this one when the job has ended, too."""
        self.listeners.append(listener)
        if self.ended.is_set():
            listener.set()

    def result(self) -> Any:
        """What the task returned or raised, once the job has ended."""
        if self.error is not None:
            raise self.error
        return self.value


class Workers:
    """What is computed, and who waits for it. `present` tells whether a visitor is still there."""

    def __init__(
        self,
        hands: Hands,
        processors: int,
        present: Callable[[str], bool] = lambda visitor: True,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.hands, self.turns, self.present, self.clock = hands, Turns(processors), present, clock
        self.lock = threading.Lock()
        self.jobs: dict[Hashable, Job] = {}  # under way and waiting, by what they compute
        self.watched = threading.Event()  # whether anybody looks at them

    def submit(
        self,
        key: Hashable,
        visitor: str,
        task: Callable[[], Any],
        seconds: float = math.inf,
        weight: int = 0,
        long: bool = False,
        told: Callable[[Any], None] = lambda what: None,
        then: Callable[[Any], Any] = lambda value: value,
    ) -> Job:
        """The job that computes this: one that is under way for somebody else, or a new one."""
        with self.lock:
            job = self.jobs.get(key)
            if job is None:
                job = Job(
                    visitor, weight, long, key=key, task=task, seconds=seconds, told=told, then=then
                )
                self.turns.enter(job)
                self.jobs[key] = job
            job.wanted[visitor] = self.clock()
            self.dispatch()
            if not self.watched.is_set():
                self.watched.set()
                threading.Thread(target=self.watch, name="watch", daemon=True).start()
            return job

    def drop(self, job: Job, visitor: str) -> None:
        """This visitor does not want it any more; where nobody else does, it ends."""
        with self.lock:
            job.wanted.pop(visitor, None)
            listeners = [] if job.wanted or job.ended.is_set() else self.end(job, Cancelled())
        for one in listeners:
            one.set()

    def dispatch(self) -> None:
        """Begin whatever may begin; with the lock held."""
        while (job := self.turns.next()) is not None:
            threading.Thread(target=self.work, args=(job,), name="job", daemon=True).start()

    def work(self, job: Job) -> None:
        """Have a job carried out, in a thread that waits for it."""
        value = error = None

        def taken(hand: Hand) -> None:
            with self.lock:
                if job.ended.is_set():
                    raise Cancelled
                job.hand = hand

        try:
            value, job.struck = self.hands.do(job.task, job.seconds, job.told, taken)
            value = job.then(value)
        except Died as died:
            error = Lost(str(died))
            if not job.ended.is_set():
                LOG.warning("a job was lost (%s): %s", error, brief(job.key, 300))
        except BaseException as raised:  # handed on to whoever asks for the result
            error = raised
        with self.lock:
            job.hand, job.value = None, value
            listeners = [] if job.ended.is_set() else self.end(job, error)
        for one in listeners:
            one.set()

    def end(self, job: Job, error: BaseException | None) -> list[Listener]:
        """Whom to tell that it has ended; with the lock held."""
        if job.hand:
            job.hand.kill()
        self.turns.leave(job)
        if self.jobs.get(job.key) is job:  # whoever asks again gets a new one
            del self.jobs[job.key]
        job.error, job.task = error, None  # what it worked on need not be kept
        job.ended.set()
        self.dispatch()
        return job.listeners

    def watch(self) -> None:
        """Look at all jobs again and again, as long as there are any."""
        while True:
            time.sleep(LOOK)
            for job in tuple(self.jobs.values()):
                self.look(job)
            with self.lock:
                if not self.jobs:
                    self.watched.clear()
                    return

    def look(self, job: Job) -> None:
        """Forget visitors who have gone."""
        now = self.clock()
        for visitor, seen in tuple(job.wanted.items()):
            if self.present(visitor):
                with self.lock:
                    if visitor in job.wanted:  # who drops it meanwhile must not be put down again
                        job.wanted[visitor] = now
            elif now - seen > GRACE:
                self.drop(job, visitor)
