"""How long a computation may go on, and what else must be seen to on its way.

Who waits for a computation sets a limit (`within`). What may take long asks between its parts
whether it is `over`, and if so ends with what it has and the gap that says how good that is. Where
nobody set a limit, nobody is interrupted.

>>> ticks = iter(range(100))
>>> with within(Limit(2, clock=lambda: next(ticks))) as limit:
...     [over() for _ in range(3)], limit.struck
([False, True, True], True)
>>> over()
False
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from threadpoolctl import ThreadpoolController

ONE_THREAD = ThreadpoolController().wrap(
    limits=1, user_api="blas"
)  # more wait for each other where cores are busy


class Limit:
    """So many seconds of the processor in this thread."""

    def __init__(self, seconds: float = math.inf, clock: Callable[[], float] = time.thread_time):
        self.seconds, self.clock = seconds, clock
        self.begun, self.struck = 0.0, False

    @property
    def left(self) -> float:
        return max(0.0, self.begun + self.seconds - self.clock())

    def over(self) -> bool:
        self.struck = self.struck or self.left == 0.0
        return self.struck


_NONE = Limit()
_CURRENT: ContextVar[Limit] = ContextVar("limit", default=_NONE)


@contextmanager
def within(limit: Limit) -> Iterator[Limit]:
    """Set a limit for what this thread computes in this block."""
    token, limit.begun = _CURRENT.set(limit), limit.clock()
    try:
        yield limit
    finally:
        _CURRENT.reset(token)


def over() -> bool:
    """Whether the time is up: then what was found so far must do."""
    return _CURRENT.get().over()


def struck() -> bool:
    """Whether a computation ended before its time, so that its answer is not the one that everybody
    would get.
    """
    return _CURRENT.get().struck


def left() -> float:
    """Seconds that are left, infinite where nobody set a limit."""
    return _CURRENT.get().left
