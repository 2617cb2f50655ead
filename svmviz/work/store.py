"""Results that are kept, within bounds, for whoever asks for them again."""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from svmviz.work import limits


class Store:
    """The results that were asked for last, by key: at most `most` results, and at most `room` of
    what they weigh. Any thread may use it; no thread holds its lock while a result is computed.
    """

    def __init__(
        self,
        most: float = math.inf,
        room: float = math.inf,
        weigh: Callable[[Any], float] = lambda result: 0,
    ):
        self.most, self.room, self.weigh = most, room, weigh
        self.lock, self.results, self.weights = threading.RLock(), OrderedDict(), {}
        self.under_way: dict[Hashable, threading.Event] = {}

    def get(self, key: Hashable) -> Any:
        """Return the result that is kept under a key, or None."""
        with self.lock:
            if key in self.results:
                self.results.move_to_end(key)
            return self.results.get(key)

    def put(self, key: Hashable, result: Any) -> Any:
        """Keep a result, unless it alone weighs too much, and return it."""
        weight = self.weigh(result)
        if weight <= self.room:
            with self.lock:
                self.results[key], self.weights[key] = result, weight
                self.results.move_to_end(key)
                while len(self.results) > self.most or sum(self.weights.values()) > self.room:
                    self.drop(next(iter(self.results)))
        return result

    def find(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return the result of a key, computed by `make` where it is not kept. Of several threads
        that ask at the same time one computes it and the others wait. A result that a time limit
        cut short is not kept: it is not the one that everybody would get.
        """
        with self.lock:
            if (result := self.get(key)) is not None:
                return result
            other = self.under_way.get(key)
            if other is None:
                self.under_way[key] = threading.Event()
        if other is not None:
            other.wait()
            return self.find(key, make)
        try:
            result = make()
            return result if limits.struck() else self.put(key, result)
        finally:
            with self.lock:
                self.under_way.pop(key).set()

    def drop(self, key: Hashable) -> None:
        """Forget the result of a key, if there is one."""
        with self.lock:
            self.results.pop(key, None)
            self.weights.pop(key, None)

    def clear(self) -> None:
        """Forget all results."""
        with self.lock:
            self.results.clear()
            self.weights.clear()
