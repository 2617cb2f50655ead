"""Values that are computed when somebody first asks for them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np


class Late(Mapping):
    """A mapping with a function for each of its values, called at most once.

    >>> table = Late({"cheap": lambda: 1, "dear": lambda: print("computed") or 2})
    >>> list(table), table["dear"] + table["dear"]
    computed
    (['cheap', 'dear'], 4)
    """

    def __init__(self, functions: Mapping[str, Callable[[], Any]]):
        self.functions, self.values_so_far = functions, {}

    def __getitem__(self, name: str):
        if name not in self.values_so_far:
            self.values_so_far[name] = self.functions[name]()
        return self.values_so_far[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.functions)

    def __len__(self) -> int:
        return len(self.functions)


def joined(first: Mapping[str, float], parts: Sequence[Mapping[str, np.ndarray]]) -> Late:
    """Quantities over several stretches, one behind the other, each after its first value.

    >>> joined({"a": 7.0}, [{"a": np.array([1.0, 2.0])}, {"a": np.array([3.0])}])["a"]
    array([7., 1., 2., 3.])
    """
    def whole(name):
        return np.concatenate([[first[name]], *(part[name] for part in parts)])

    return Late({name: partial(whole, name) for name in first})
