"""Kernels read from text, as links and scripts spell them."""

import math
import re

from svmviz.maths import kernels
from svmviz.work.words import brief

CALL = re.compile(r"(\w+)\s*(?:\((.*)\))?", re.DOTALL)


def parse_kernel(text: str) -> kernels.Kernel:
    """The kernel that `str(kernel)` wrote; what is left out is as usual, and so is all of it where
    a name stands alone.

    >>> parse_kernel("poly(degree=2, gamma=0.5, coef0=1.0)")
    Kernel(kind=2, gamma=0.5, degree=2, coef0=1.0, plus=0.0)
    >>> parse_kernel("rbf") == kernels.rbf()
    True
    """
    call = CALL.fullmatch(text.strip())
    if call is None or call[1] not in kernels.KERNELS:
        raise _unknown(text)
    items = [item.strip() for item in (call[2] or "").split(",") if item.strip()]
    places = kernels.FIELDS[kernels.NAMES.index(call[1])]
    if len(items) > len(places):
        raise _unknown(text)
    given = {}
    for place, item in zip(places, items, strict=False):
        name, equals, value = (part.strip() for part in item.rpartition("="))
        name = name if equals else place
        if name not in places or name in given:
            raise _unknown(text)
        given[name] = _number(value)
    try:
        return kernels.KERNELS[call[1]](**given)
    except ValueError as error:
        raise ValueError(f"kernel {brief(text)!r}: {error}") from None


def _unknown(text: str) -> ValueError:
    return ValueError(
        f"kernel must be one of {', '.join(kernels.KERNELS)} such as rbf(gamma=2.0), got"
        f" {brief(text)!r}"
    )


def _number(text: str) -> float:
    """The number that a text stands for; not-a-number where it stands for none, which every kernel
    refuses.
    """
    try:
        return float(text)
    except ValueError:
        return math.nan
