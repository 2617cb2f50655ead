"""Processes of this machine."""

import os
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from joblib.externals.loky import BrokenProcessPool, ProcessPoolExecutor

from svmviz.work.backend import Arrays, Done, answer, cores

IDLE = 600  # seconds after which a process that nobody needs ends
LOOK = 2.0  # seconds between two looks whether anybody is there to work for
NICE = 10  # by how much their priority is lower: whoever waits for a page comes first


def begun(parent: int) -> None:
    """In a process of its own: who waits for a page comes first, and when whom it works for has gone, it goes, too."""
    if hasattr(os, "nice"):
        os.nice(NICE)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK)
        os._exit(0)

    threading.Thread(target=watch, name="watch", daemon=True).start()


def opened(data: Path | Arrays) -> Arrays:
    """What was placed, in the hands of a worker: a process reads it from a file, once it needs it."""
    if not isinstance(data, Path):
        return data
    with np.load(data, allow_pickle=False) as found:
        return dict(found)


class Local:
    """One thread each. They stay for whoever comes next, and take turns with the calls of several."""

    def __init__(self, workers: int):
        self.width, self.lock, self.pool = workers, threading.Lock(), None

    def executor(self) -> ProcessPoolExecutor:
        with self.lock:
            if self.pool is None or self.pool._flags.broken:
                self.pool = ProcessPoolExecutor(self.width, timeout=IDLE, initializer=begun, initargs=(os.getpid(),))
            return self.pool

    def warm(self, ready: Callable) -> None:
        """Start the processes, and let them load what `ready` needs, so that who comes first need not wait for that."""
        pool = self.executor()
        for _ in range(self.width):
            pool.submit(ready)

    def place(self, arrays: Arrays) -> Path:
        handle, name = tempfile.mkstemp(prefix="svmviz-", suffix=".npz")
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **arrays)
        return Path(name)

    def placed(self, data: Path, arrays: Arrays) -> Path:
        return data

    def submit(self, done: Done, act: Callable, *args) -> Any:
        try:
            future = self.executor().submit(act, *args)
        except BrokenProcessPool:  # between the look and the call
            future = self.executor().submit(act, *args)
        future.add_done_callback(answer(done))
        return future

    def cancel(self, calls: Sequence[Any]) -> None:
        for future in calls:
            future.cancel()

    def remove(self, data: Path) -> None:
        data.unlink(missing_ok=True)

    def lost(self, error: BaseException) -> bool:
        return isinstance(error, BrokenProcessPool)


@lru_cache(maxsize=4)
def local(workers: int | None = None) -> Local:
    """The processes of this machine, as many as it has cores unless another number is given; the same for all who ask."""
    return Local(workers or cores())
