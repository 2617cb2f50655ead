"""What a place where calls are carried out must know."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

Arrays = Mapping[str, np.ndarray]  # data by name, so that no file of them needs a pickle
Done = Callable[
    [Any], None
]  # told from some thread what a call gave, or the exception that came instead


class Backend(Protocol):
    """Takes calls (`submit`), each of which ends by a call of `done`. Data that many have in common
    are sent once (`place`).
    """

    @property
    def width(self) -> int:
        """Calls that are carried out at the same time."""
        ...

    def place(self, arrays: Arrays) -> Any:
        """The data, where the workers find them; what they get instead is for
        `processes.opened`.
        """
        ...

    def placed(self, data: Any, arrays: Arrays) -> Any:
        """The data after a worker has gone, which may have taken them with it."""
        ...

    def submit(self, done: Done, act: Callable, *args: Any) -> Any:
        """Begin a call of a function that a worker can import; returns what `cancel` takes."""
        ...

    def cancel(self, calls: Sequence[Any]) -> None:
        """Nobody waits for these any more, and those that have not begun never will."""
        ...

    def remove(self, data: Any) -> None:
        """Nobody needs the data any more."""
        ...

    def lost(self, error: BaseException) -> bool:
        """Whether a call failed only because its worker has gone, so that it can be tried again."""
        ...


def answer(done: Done) -> Callable[[Any], None]:
    """What a future does at its end."""

    def ended(future) -> None:
        try:
            outcome = future.result()
        except BaseException as error:  # handed on to whoever asked, whatever it is
            outcome = error
        done(outcome)

    return ended


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
