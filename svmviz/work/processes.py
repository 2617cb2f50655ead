"""Processes of this machine."""

import os
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from svmviz.work.backend import Arrays, Done, answer, cores
from svmviz.work.hands import Died, Hands


def opened(data: Path | Arrays) -> Arrays:
    """What was placed, in the hands of a worker: a process reads it from a file, once it needs
    it.
    """
    if not isinstance(data, Path):
        return data
    with np.load(data, allow_pickle=False) as found:
        return dict(found)


class Local:
    """One thread each. They stay for whoever comes next, and take turns with the calls of
    several.
    """

    def __init__(self, workers: int, hands: Hands | None = None):
        self.width, self.hands = workers, hands or Hands(workers)
        self.pool = ThreadPoolExecutor(workers, "sweep")

    def place(self, arrays: Arrays) -> Path:
        handle, name = tempfile.mkstemp(prefix="svmviz-", suffix=".npz")
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **arrays)
        return Path(name)

    def placed(self, data: Path, arrays: Arrays) -> Path:
        return data

    def submit(self, done: Done, act: Callable, *args) -> Any:
        future = self.pool.submit(self.hands.call, act, *args)
        future.add_done_callback(answer(done))
        return future

    def cancel(self, calls: Sequence[Any]) -> None:
        for future in calls:
            future.cancel()

    def remove(self, data: Path) -> None:
        data.unlink(missing_ok=True)

    def lost(self, error: BaseException) -> bool:
        return isinstance(error, Died)


@lru_cache(maxsize=4)
def local(workers: int | None = None) -> Local:
    """The processes of this machine, as many as it has cores unless another number is given; the
    same for all who ask.
    """
    return Local(workers or cores())
