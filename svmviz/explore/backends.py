"""Where batches are carried out: processes of this machine, or the workers of a Dask cluster.

A backend sends the data once (`place`), then takes batches (`submit`), each of which ends by a call of `done(token, outcome)`
from some thread: an `Outcome`, or the exception that came instead. `lost` says of an exception whether a worker has gone, so
that the batch can be tried again. `cancel` forgets what has not begun.
"""

import os
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from joblib.externals.loky import BrokenProcessPool, ProcessPoolExecutor

from svmviz.data.problem import Problem
from svmviz.explore import fitting
from svmviz.explore.fitting import Group, Job, Outcome
from svmviz.maths.words import brief

IDLE = 600  # seconds after which a process of this machine that nobody needs ends
LOOK = 2.0  # seconds between two looks whether anybody is there to work for
NICE = 10  # by how much their priority is lower: whoever waits for a page comes first
Done = Callable[[int, Outcome | BaseException], None]


class Backend(Protocol):
    """What a sweep asks of the place where it runs."""

    @property
    def width(self) -> int:
        """Batches that are carried out at the same time."""
        ...

    def place(self, problem: Problem) -> Any:
        """The data, where the workers find them."""
        ...

    def placed(self, data: Any, problem: Problem) -> Any:
        """The data after a worker has gone, which may have taken them with it."""
        ...

    def submit(self, token: int, job: Job, data: Any, groups: Sequence[Group], done: Done) -> Any:
        """Begin a batch; returns what `cancel` takes."""
        ...

    def cancel(self, batches: Sequence[Any]) -> None:
        """Nobody waits for these any more."""
        ...

    def remove(self, data: Any) -> None:
        """Nobody needs the data any more."""
        ...

    def lost(self, error: BaseException) -> bool:
        """Whether a batch failed only because its worker has gone."""
        ...


def answer(token: int, done: Done) -> Callable[[Any], None]:
    """What a future does at its end."""
    def ended(future) -> None:
        try:
            done(token, future.result())
        except BaseException as error:  # handed on to the sweep, whatever it is
            done(token, error)

    return ended


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def begun(parent: int) -> None:
    """In a process of its own: who waits for a page comes first, and when whom it works for has gone, it goes, too."""
    if hasattr(os, "nice"):
        os.nice(NICE)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK)
        os._exit(0)

    threading.Thread(target=watch, name="watch", daemon=True).start()


class Local:
    """Processes of this machine, one thread each. They stay for the next sweep, and take turns with the batches of several."""

    def __init__(self, workers: int):
        self.width, self.lock, self.pool = workers, threading.Lock(), None

    def executor(self) -> ProcessPoolExecutor:
        with self.lock:
            if self.pool is None or self.pool._flags.broken:
                self.pool = ProcessPoolExecutor(self.width, timeout=IDLE, initializer=begun, initargs=(os.getpid(),))
            return self.pool

    def warm(self) -> None:
        """Start the processes, and let them load what they need, so that a first sweep need not wait for them."""
        pool = self.executor()
        for _ in range(self.width):
            pool.submit(fitting.ready)

    def place(self, problem: Problem) -> Path:
        handle, name = tempfile.mkstemp(prefix="svmviz-", suffix=".npz")
        os.close(handle)
        fitting.pack(problem, Path(name))
        return Path(name)

    def placed(self, data: Path, problem: Problem) -> Path:
        return data

    def submit(self, token: int, job: Job, data: Path, groups: Sequence[Group], done: Done) -> Any:
        try:
            future = self.executor().submit(fitting.work, job, data, groups)
        except BrokenProcessPool:  # between the look and the call
            future = self.executor().submit(fitting.work, job, data, groups)
        future.add_done_callback(answer(token, done))
        return future

    def cancel(self, batches: Sequence[Any]) -> None:
        for future in batches:
            future.cancel()

    def remove(self, data: Path) -> None:
        data.unlink(missing_ok=True)

    def lost(self, error: BaseException) -> bool:
        return isinstance(error, BrokenProcessPool)


@lru_cache(maxsize=4)
def local(workers: int | None = None) -> Local:
    """The processes of this machine, as many as it has cores unless another number is given; the same for all who ask."""
    return Local(workers or cores())


class Dask:
    """The workers of a cluster. A `ValueError` says why it cannot be had."""

    def __init__(self, address: str, timeout: float = 5.0):
        try:
            from distributed import Client
        except ImportError:
            raise ValueError("a cluster needs Dask: pip install 'svmviz[cluster]'") from None
        try:
            self.client = Client(address, timeout=timeout, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            reason = brief(error, 120) or "it took too long"
            raise ValueError(f"no Dask scheduler answers at {brief(address, 80)}: {reason}") from None
        self.address, self.counted, self.workers = address, 0.0, 0
        if fault := self.fault():
            self.close()
            raise ValueError(f"the Dask cluster at {brief(address, 80)} cannot be used: {fault}")

    def fault(self) -> str:
        """What its workers lack; nothing where they are there and have what they need."""
        if not self.width:
            return "it has no workers"
        try:
            found = self.client.run(fitting.ready, on_error="return")
        except (ImportError, RuntimeError, OSError) as error:
            return brief(error, 120)
        other = {str(has) for has in found.values() if has != fitting.ready()}
        return f"its workers need svmviz {fitting.ready()[0]}, and some have {brief(other.pop(), 120)}" if other else ""

    @property
    def width(self) -> int:
        if time.monotonic() - self.counted > 2.0:  # workers come and go
            self.counted, self.workers = time.monotonic(), sum(self.client.nthreads().values())
        return self.workers

    def place(self, problem: Problem) -> Any:
        (data,) = self.client.scatter([problem], broadcast=True, hash=False)  # a tuple by itself would be taken apart
        return data

    def placed(self, data: Any, problem: Problem) -> Any:
        if self.client.status != "running":
            raise ConnectionError(f"the Dask cluster at {self.address} has gone; what has come so far stays")
        return data if data.status == "finished" else self.place(problem)

    def submit(self, token: int, job: Job, data: Any, groups: Sequence[Group], done: Done) -> Any:
        future = self.client.submit(fitting.work, job, data, groups, pure=False)
        future.add_done_callback(answer(token, done))
        return future

    def cancel(self, batches: Sequence[Any]) -> None:
        self.client.cancel(list(batches), force=True)

    def remove(self, data: Any) -> None:
        data.release()

    def lost(self, error: BaseException) -> bool:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        return isinstance(error, KilledWorker | FutureCancelledError)

    def close(self) -> None:
        self.client.close()


def dask(address: str, timeout: float = 5.0) -> Dask:
    """A Dask cluster by the address of its scheduler, such as tcp://10.0.0.1:8786."""
    return Dask(address, timeout)
