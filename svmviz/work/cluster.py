"""The workers of a Dask cluster."""

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

from svmviz.work.backend import Arrays, Done, answer
from svmviz.work.words import brief


def connected(address: str, timeout: float) -> Any:
    """A client of the scheduler there."""
    try:
        from distributed import Client
    except ImportError:
        raise ValueError("a cluster needs Dask: pip install 'svmviz[cluster]'") from None
    try:
        return Client(address, timeout=timeout, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = brief(error, 120) or "it took too long"
    # a client that failed closes itself then; some time later it may do so where the next one
    # starts, which hangs
    gc.collect()
    raise ValueError(f"no Dask scheduler answers at {brief(address, 80)}: {reason}")


class Dask:
    """A cluster by the address of its scheduler, such as tcp://10.0.0.1:8786. `ready` says what a
    process has that its numbers depend on; workers that say other words than this process are none.
    A `ValueError` says why the cluster cannot be had.
    """

    def __init__(self, address: str, ready: Callable[[], str], timeout: float = 5.0):
        self.client = connected(address, timeout)
        self.address, self.counted, self.workers = address, 0.0, 0
        if fault := self.fault(ready):
            self.close()
            raise ValueError(f"the Dask cluster at {brief(address, 80)} cannot be used: {fault}")

    def fault(self, ready: Callable[[], str]) -> str:
        """What its workers lack; nothing where they are there and have what they need."""
        if not self.width:
            return "it has no workers"
        try:
            found = self.client.run(ready, on_error="return")
        except (ImportError, RuntimeError, OSError) as error:
            return brief(error, 120)
        needed = ready()
        other = {str(has) for has in found.values() if has != needed}
        return (
            f"its workers need {needed}, and some have {brief(other.pop(), 120)}" if other else ""
        )

    @property
    def width(self) -> int:
        if time.monotonic() - self.counted > 2.0:  # workers come and go
            self.counted, self.workers = time.monotonic(), sum(self.client.nthreads().values())
        return self.workers

    def place(self, arrays: Arrays) -> Any:
        (data,) = self.client.scatter(
            [arrays], broadcast=True, hash=False
        )  # by themselves they would be taken apart
        return data

    def placed(self, data: Any, arrays: Arrays) -> Any:
        return data if data.status == "finished" else self.place(arrays)

    def submit(self, done: Done, act: Callable, *args) -> Any:
        future = self.client.submit(act, *args, pure=False)
        future.add_done_callback(answer(done))
        return future

    def cancel(self, calls: Sequence[Any]) -> None:
        self.client.cancel(list(calls), force=True)

    def remove(self, data: Any) -> None:
        data.release()

    def lost(self, error: BaseException) -> bool:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        gone = isinstance(error, KilledWorker | FutureCancelledError)
        if gone and self.client.status != "running":
            raise ConnectionError(
                f"the Dask cluster at {self.address} has gone; what has come so far stays"
            )
        return gone

    def close(self) -> None:
        self.client.close()
