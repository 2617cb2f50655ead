"""Threads of this process: compiled code needs no interpreter, and threads no copies."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait

from svmviz.work.backend import Arrays, Done, answer


class Threads:
    """So many, which end when nobody has this any more."""

    def __init__(self, width: int):
        self.width, self.pool = width, ThreadPoolExecutor(width)

    def place(self, arrays: Arrays) -> Arrays:
        return arrays

    def placed(self, data: Arrays, arrays: Arrays) -> Arrays:
        return data

    def submit(self, done: Done, act: Callable, *args) -> Future:
        future = self.pool.submit(act, *args)
        future.add_done_callback(answer(done))
        return future

    def cancel(self, calls: Sequence[Future]) -> None:
        """A thread cannot be ended from outside: those that have begun are waited for."""
        for future in calls:
            future.cancel()
        wait(calls)

    def remove(self, data: Arrays) -> None:
        pass

    def lost(self, error: BaseException) -> bool:
        return False
