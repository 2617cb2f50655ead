"""Calls go out, outcomes come back as they are done."""

import itertools
import queue
import threading
from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import Any, NamedTuple

from svmviz.work.backend import Arrays, Backend

AHEAD = 2  # calls for every worker: one under way, one that waits for it
TRIES = 4  # of a call whose worker has gone


class Call(NamedTuple):
    label: Any  # by which whoever sent it knows it again
    act: Callable
    args: tuple
    tries: int = 1


class Flight:
    """Calls that are under way on a backend, for a `with` block: nothing stays under way after it.
    `arrays` makes data that all calls have in common; they are placed when the first call goes out,
    and every call gets them before its own arguments. Any thread may `cancel` it.
    """

    def __init__(self, backend: Backend, arrays: Callable[[], Arrays] | None = None):
        self.backend, self.arrays = backend, arrays
        self.data: tuple = ()  # where the workers find them
        self.news: queue.SimpleQueue = queue.SimpleQueue()  # (token, outcome), or None to wake up
        self.tokens, self.under_way = itertools.count(), {}
        self.cancelled = threading.Event()

    @property
    def room(self) -> bool:
        """Whether another call may go out."""
        return (
            len(self.under_way) < AHEAD * max(1, self.backend.width) and not self.cancelled.is_set()
        )

    @property
    def busy(self) -> bool:
        """Whether there is anything to wait for."""
        return bool(self.under_way) and not self.cancelled.is_set()

    def send(self, label: Any, act: Callable, *args: Any) -> None:
        if self.arrays and not self.data:
            self.data = (self.backend.place(self.arrays()),)
        self._begin(Call(label, act, args))

    def _begin(self, call: Call) -> None:
        token = next(self.tokens)
        begun = self.backend.submit(partial(self._tell, token), call.act, *self.data, *call.args)
        self.under_way[token] = begun, call

    def _tell(self, token: int, outcome: Any) -> None:
        self.news.put((token, outcome))

    def landed(self) -> list[tuple[Any, Any]]:
        """Wait for news, and take all that there are: labels and outcomes."""
        found, news = [], self.news.get()
        while True:
            if news is not None and news[0] in self.under_way:
                found += self._taken(*news)
            try:
                news = self.news.get_nowait()
            except queue.Empty:
                return found

    def _taken(self, token: int, outcome: Any) -> list[tuple[Any, Any]]:
        call = self.under_way.pop(token)[1]
        if not isinstance(outcome, BaseException):
            return [(call.label, outcome)]
        if self.cancelled.is_set():
            return []
        if not self.backend.lost(outcome):
            raise outcome
        if call.tries == TRIES:
            raise RuntimeError(
                f"{TRIES} workers in turn went away over the same work; perhaps it needs more"
                " memory than there is"
            ) from outcome
        if self.arrays:
            self.data = (self.backend.placed(self.data[0], self.arrays()),)
        self._begin(call._replace(tries=call.tries + 1))
        return []

    def cancel(self) -> None:
        self.cancelled.set()
        self.news.put(None)

    def __enter__(self) -> "Flight":
        return self

    def __exit__(self, *error: object) -> None:
        self.backend.cancel([begun for begun, _ in self.under_way.values()])
        self.under_way.clear()
        for data in self.data:
            self.backend.remove(data)


def in_turn(backend: Backend, calls: Iterable[tuple]) -> Generator[Any, None, None]:
    """What calls give, each a function and its arguments, in their order, whichever is done first.
    Who closes this early leaves nothing under way, and no others begin.

    >>> from svmviz.work.threads import Threads
    >>> list(in_turn(Threads(2), [(pow, 2, k) for k in range(5)]))
    [1, 2, 4, 8, 16]
    """
    left, found = enumerate(calls), {}
    with Flight(backend) as flight:
        for place in itertools.count():
            while place not in found:
                while flight.room and (call := next(left, None)):
                    flight.send(call[0], *call[1])
                if not flight.busy:
                    return
                found |= dict(flight.landed())
            yield found.pop(place)
