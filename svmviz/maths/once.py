"""Properties that are computed when they are first asked for, and then kept.

`functools.cached_property` of Python 3.11 holds one lock for all objects of a class while it computes. A computation that gives
way to others in its midst would hold it meanwhile, and those who wait for it in the places that it needs would wait for ever.
"""

from collections.abc import Callable
from typing import Any


class cached_property:  # noqa: N801  the name that everybody knows it by
    """A property that is computed once for each object, without a lock: of two threads that ask at once both compute it, and
    both get what the first one found.

    >>> class Circle:
    ...     radius = 2.0
    ...     @cached_property
    ...     def area(self):
    ...         print("computed")
    ...         return 3.14 * self.radius**2
    >>> circle = Circle()
    >>> circle.area, circle.area
    computed
    (12.56, 12.56)
    """

    def __init__(self, compute: Callable[[Any], Any]):
        self.compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else instance.__dict__.setdefault(self.name, self.compute(instance))
