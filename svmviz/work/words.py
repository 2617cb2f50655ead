"""Numbers in sentences: into them, and out of them."""

import math
import numbers
import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

import numpy as np

SMALL, LARGE = 1e-4, 1e7  # below and from there on a number is written with a power of ten
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
THIN = "\u202f"  # a thin space at which no line breaks
SURE = 6  # digits of a number that player and server agree on: the player computes from float32
ALIKE = 1e-6  # of two numbers: what is closer differs in nothing that both agree on
COMPARED = re.compile(r"\{(\w+):\.(\d)([fg])(?:≠(\w+)|=(\w+)([+-])(\w+))\}")


def whole(name: str, value, low: int, high: int) -> int:
    """The value as an int, or a sentence about why it is none."""
    if (
        isinstance(value, bool)
        or not isinstance(value, numbers.Real)
        or not low <= value <= high
        or value != int(value)
    ):
        raise ValueError(f"{name} must be a whole number from {low} to {high}, got {brief(value)}")
    return int(value)


def brief(value, most: int = 40) -> str:
    """What was given instead, for a sentence about it: as much as there is room for, and only what
    can be seen.

    >>> brief("a" * 50)
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'
    """
    text = "".join(c if c.isprintable() else "�" for c in str(value)[: most + 1])
    return text if len(text) <= most else text[:most] + "…"


def grouped(number: str) -> str:
    """A number with its thousands apart, from five digits before the point on.

    >>> grouped("-586713.5").replace(THIN, " "), grouped("1000")
    ('-586 713.5', '1000')
    """
    whole, point, rest = number.partition(".")
    if len(whole.lstrip("-")) > 4:
        whole = re.sub(r"\B(?=(\d{3})+$)", THIN, whole)
    return whole + point + rest


def count(n: float) -> str:
    """So many, with the thousands of a large number apart.

    >>> count(10_000_000).replace(THIN, " ")
    '10 000 000'
    """
    return grouped(f"{n:.0f}")


def fill(template: str, values: Mapping[str, Any]) -> str:
    """Put live values into a template; numbers get a true minus sign, and *stars* mark what is now.

    >>> fill("margin {m:.2f}, length {w:.2f}", {"m": -0.284, "w": 586712.77})
    'margin −0.28, length 586\u202f713'
    >>> fill("{m:.2f}", {"m": -1e-9})
    '0.00'

    `≠` and `=` ask for more digits, until a number differs from another one as printed, if it does
    differ, and until a sum adds up as printed. Both numbers of a pair ask, and all three of a sum.
    A field with `s` is the s of a plural.

    >>> fill("{n} event{n:s}, {k} event{k:s}", {"n": 1, "k": 2})
    '1 event, 2 events'

    >>> fill("from {a:.2f≠b} to {b:.2f≠a}", {"a": 0.28212, "b": 0.28241})
    'from 0.2821 to 0.2824'
    >>> fill(
    ...     "{P:.2g=D+gap} − {D:.2g=P-gap} = {gap:.2g=P-D}",
    ...     {"P": 0.3344, "D": 0.2868, "gap": 0.0476},
    ... )
    '0.3344 − 0.2868 = 0.0476'
    """
    template = COMPARED.sub(lambda found: _with_digits(found, values), template)
    return template.format_map({k: _live(v) for k, v in values.items()})


def _with_digits(found: re.Match, values: Mapping[str, Any]) -> str:
    """Return a field of a template with the digits that its comparison asks for, in place of the
    comparison.
    """
    name, digits, kind, *compared = found.groups()
    other, left, sign, right = compared
    try:
        numbers = [float(values[key]) for key in ((name, other) if other else (name, left, right))]
    except (KeyError, TypeError, ValueError):
        numbers = [math.nan]
    asked = f"{{{name}:.{digits}{kind}}}"
    if not all(map(math.isfinite, numbers)) or not any(numbers):
        return asked
    most = SURE - max(0, 1 + math.floor(math.log10(max(map(abs, numbers)))))
    if other:
        a, b = numbers
        if abs(a - b) <= ALIKE * max(abs(a), abs(b)):
            return asked
        for k in range(int(digits), max(most, SURE if kind == "g" else 0) + 1):
            if format(_Number(a), f".{k}{kind}") != format(_Number(b), f".{k}{kind}"):
                return f"{{{name}:.{k}{kind}}}"
        return asked
    least = min(abs(number) for number in numbers if number)
    first = int(digits) if kind == "f" else max(0, int(digits) - 1 - math.floor(math.log10(least)))
    for k in range(first, most + 1):
        total, *parts = (round(half_up(number, k, "f") * 10**k) for number in numbers)
        if total == parts[0] + (parts[1] if sign == "+" else -parts[1]):
            return f"{{{name}:.{k}f}}"
    return asked


def _live(value: Any) -> Any:
    if isinstance(value, float):
        return _Number(value)
    return _Whole(value) if isinstance(value, int) and not isinstance(value, bool) else value


def signed(text: str) -> str:
    """The numbers of a text with a true minus sign; a zero has none.

    >>> signed("-0.00 at -1.50")
    '0.00 at −1.50'
    """
    return re.sub(r"-(?=0(\.0*)?(?![.\d]))", "", text).replace("-", "−")


def short(value: float, digits: int = 3) -> str:
    """A number with so many digits, without a row of zeros.

    >>> short(5e-5, 2), short(-0.01234), short(1234567.0)
    ('5·10⁻⁵', '−0.0123', '1\u202f230\u202f000')
    """
    return format(_Number(value), f".{digits}g")


def times(share: float) -> str:
    """How much of a thing, in front of its name: of one whole nothing is said.

    >>> times(0.25) + "η", times(1.0) + "η"
    ('0.25 η', 'η')
    """
    text = short(share)
    return "" if text == "1" else f"{text} "


def half_up(value: float, digits: int, kind: str) -> float:
    """Return a number rounded to so many decimals (`f`) or significant digits (`g`); of two that
    are as near, the larger one, as in the player: Python's own formats take the even one.

    >>> half_up(52.5, 0, "f"), half_up(0.125, 2, "f"), half_up(-0.25, 1, "g"), f"{52.5:.0f}"
    (53.0, 0.13, -0.3, '52')
    """
    exact = Decimal(float(value))
    if kind == "f":
        return float(exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))
    return float(Context(prec=max(digits, 1), rounding=ROUND_HALF_UP).create_decimal(exact))


class _Number(float):
    def __format__(self, spec: str) -> str:
        value = float(self)
        if spec == "s":
            return "" if value == 1.0 else "s"
        if math.isfinite(value) and abs(value) < 1e4 and re.fullmatch(r"(\.\d+)?[fg]", spec):
            value = half_up(value, int(spec[1:-1] or 6), spec[-1])
        if spec.endswith("f") and 1e4 <= abs(self) < np.inf:
            places = SURE - 1 - math.floor(math.log10(abs(self)))
            shown = min(places, int(spec[1:-1]))
            text = f"{round(value, shown):.{max(0, shown)}f}"
        else:
            text = format(value, spec)
        if spec.endswith("g"):  # plain decimals, never 1e+06
            odd = value and math.isfinite(value) and not SMALL <= abs(value) < LARGE
            if odd:
                return signed(powered(value, int(spec[1:-1] or 6)))
            text = np.format_float_positional(float(text), trim="-")
        return signed(grouped(text))


class _Whole(int):
    def __format__(self, spec: str) -> str:
        return format(_Number(self), spec) if spec else signed(count(int(self)))


def powered(value: float, digits: int) -> str:
    """A number that would begin or end with a row of zeros.

    >>> powered(2.5e-30, 3), powered(-1e-6, 3), powered(2e14, 3)
    ('2.5·10⁻³⁰', '-10⁻⁶', '2·10¹⁴')
    """
    mantissa, exponent = f"{float(value):.{digits - 1}e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    power = "10" + str(int(exponent)).translate(RAISED)
    return power if mantissa == "1" else "-" + power if mantissa == "-1" else f"{mantissa}·{power}"
