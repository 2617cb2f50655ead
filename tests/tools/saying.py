"""Sentences that player and server both say: the same words, and numbers that differ at most in
their last digit.
"""

import re

from svmviz.work.words import RAISED, SURE

POWER = "".join(map(chr, RAISED.values()))
LOWERED = {raised: plain for plain, raised in RAISED.items()}
ROUNDED = 1e-9  # what may be left of 0
NUMBER = re.compile(rf"[−-]?(?:\d+(?:\.\d+)?·)?10[{POWER}]+|[−-]?\d+(?:\.\d+)?")


def read(text: str) -> tuple[float, float]:
    """The first number in a text, and the worth of its last digit; large ones are rounded, see
    `words.SURE`.

    >>> read("a loss of −2.5·10⁻³")
    (-0.0025, 0.0001)
    """
    found = NUMBER.search(text.replace("\u202f", ""))[0].replace("−", "-")
    power = re.search(rf"·?10([{POWER}]+)$", found)
    digits, unit = (
        (found[: power.start()], 10.0 ** int(power[1].translate(LOWERED)))
        if power
        else (found, 1.0)
    )
    digits += "1" if digits in ("", "-") else ""
    whole, _, rest = digits.lstrip("-").partition(".")
    return float(digits) * unit, max(10.0 ** -len(rest), 10.0 ** (len(whole) - SURE)) * unit


def same_words(said: str, expected: str) -> None:
    said, expected = (
        re.sub("[*\u202f]", "", words).replace("\xa0", " ") for words in (said, expected)
    )
    assert NUMBER.sub("#", said) == NUMBER.sub("#", expected), (
        f"the sentence is {said!r}, Python's {expected!r}"
    )
    for a, b in zip(NUMBER.findall(said), NUMBER.findall(expected), strict=True):
        (x, last), (y, least) = read(a), read(b)
        assert abs(x - y) <= 1.01 * max(last, least) + ROUNDED, (
            f"the sentence is {said!r}, Python's {expected!r}"
        )
