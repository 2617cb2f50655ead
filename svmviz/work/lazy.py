"""Values that are computed when somebody first asks for them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np


class Late(Mapping):
    """A mapping with a function for each of its values, called at most once, beside values that are
    known.

    >>> table = Late({"dear": lambda: print("computed") or 2}, {"cheap": 1})
    >>> sorted(table), table["dear"] + table["dear"]
    computed
    (['cheap', 'dear'], 4)
    """

    def __init__(
        self, functions: Mapping[str, Callable[[], Any]], known: Mapping[str, Any] | None = None
    ):
        self.functions, self.known = functions, dict(known or {})

    def __getitem__(self, name: str):
        if name not in self.known:
            self.known[name] = self.functions[name]()
        return self.known[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self.functions, **self.known})

    def __len__(self) -> int:
        return len({**self.functions, **self.known})


def joined(first: Mapping[str, float], parts: Sequence[Mapping[str, np.ndarray]]) -> Late:
    """Quantities over several stretches, one behind the other, each after its first value.

    >>> joined({"a": 7.0}, [{"a": np.array([1.0, 2.0])}, {"a": np.array([3.0])}])["a"]
    array([7., 1., 2., 3.])
    """

    def whole(name):
        return np.concatenate([[first[name]], *(part[name] for part in parts)])

    return Late({name: partial(whole, name) for name in first})
