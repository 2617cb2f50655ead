"""How the rivals of a race look: a colour for light pages, one for dark ones, and a shape, so that
hue is never alone.

Light colours have at least 4.5 : 1 on white, dark ones on the dark page: they are the colour of
labels too. A shape is an SVG path in a box from 0 to 20; hollow shapes belong to variants of a
solver. A solver without a drawn look has one that follows from its key.
"""

import colorsys
import hashlib
from collections.abc import Iterable
from typing import NamedTuple


class Look(NamedTuple):
    light: str
    dark: str
    shape: str
    dash: tuple[int, ...] = ()  # of its curve


SQUARE = "M3 3H17V17H3Z"
TRIANGLE = "M10 2L18.500 17H1.500Z"
PENTAGON = "M10 1.500L18.600 7.700L15.300 17.800H4.700L1.400 7.700Z"
PLUS = "M7.500 2H12.500V7.500H18V12.500H12.500V18H7.500V12.500H2V7.500H7.500Z"
DISC = "M2.500 10A7.500 7.500 0 1 0 17.500 10A7.500 7.500 0 1 0 2.500 10Z"
STAR = (
    "M10 .8L12.500 7.300L19.400 7.700L14 12L15.800 18.700L10 15L4.200 18.700L6 12L.6 7.700L7.500"
    " 7.300Z"
)
DOWN = "M10 18L1.500 3H18.500Z"
CROSS = (
    "M5.500 2L10 6.500L14.500 2L18 5.500L13.500 10L18 14.500L14.500 18L10 13.500L5.500 18L2"
    " 14.500L6.500 10L2 5.500Z"
)
HEXAGON = "M5.500 2H14.500L19 10L14.500 18H5.500L1 10Z"
BAR = "M1.500 7H18.500V13H1.500Z"
DIAMOND = "M10 1L19 10L10 19L1 10Z"
BLADE = "M2 2H18L2 18Z"
HOURGLASS = "M2 2H18L11.500 10L18 18H2L8.500 10Z"
KITE = "M10 1L17 7L10 19L3 7Z"
ARCH = "M2 18V9A8 8 0 0 1 18 9V18Z"
THREE = "M7 1.500H13V7.500H7ZM1.500 11.500H7.500V17.500H1.500ZM12.500 11.500H18.500V17.500H12.500Z"
LINKS = "M1 6H8V9H12V6H19V14H12V11H8V14H1Z"
STAIRS = "M2 18V12.500H7.500V7.500H12.500V2H18V18Z"
RUNG = "M2 2H6.500V7.500H13.500V2H18V18H13.500V12.500H6.500V18H2Z"
TWINS = "M2.500 2H8.500V18H2.500ZM11.500 2H17.500V18H11.500Z"
TEE = "M2 2H18V7.500H12.800V18H7.200V7.500H2Z"

LOOKS = {
    "averaged": Look("#7A4B2A", "#D9A27E", BAR),
    "sgd": Look("#2F6B2F", "#9BD48A", DIAMOND),
    "pa1": Look("#B3261E", "#FF9C93", BLADE),
    "chw": Look("#00688B", "#7FD0E8", ARCH),
    "pst": Look("#8F4A00", "#F5B36B", HOURGLASS),
    "bias": Look("#0E7A55", "#63DDB0", KITE),
    "pegasos": Look("#4A3AA8", "#A497FF", SQUARE),
    "sbp": Look("#007C82", "#3ED6CF", TRIANGLE),
    "sdca": Look("#8A6100", "#E3B23C", PENTAGON),
    "smo": Look("#A33A12", "#FF8F66", STAR),
    "perceptron": Look("#56606E", "#B9C3D0", DOWN),
    "fourier": Look("#1D6FA5", "#6FBCF0", CROSS),
    "bsgd": Look("#8E2A5E", "#F08FC0", PLUS),
    "simba": Look("#5C6900", "#C9D75A", HEXAGON),
    "incremental": Look("#1B2430", "#F1F4F8", DISC),
    "classes": Look("#6A5300", "#EBD36A", THREE),
    "sequences": Look("#3D5A80", "#A9C9F0", LINKS),
    "regression": Look("#2F55A4", "#9DB8FF", STAIRS),
    "svr": Look("#945A14", "#E8B15A", TEE),
    "idsvm": Look("#5B4B8A", "#BDB0EC", RUNG),
    "tvm": Look("#3F6212", "#B7DB6E", TWINS),
    "pegasos-average": Look("#8257D9", "#CDB9FF", SQUARE + "M7 7V13H13V7Z"),
    "sbp-last": Look("#3B7F4A", "#8FDB9F", TRIANGLE + "M10 8.500L6.800 14H13.200Z"),
    "pegasos-k10": Look(
        "#9A3B8F", "#F2A3E8", "M2 2H9V9H2ZM11 2H18V9H11ZM2 11H9V18H2ZM11 11H18V18H11Z"
    ),
    "regression-average": Look("#7E4FC0", "#D3C0FF", STAIRS + "M11 15V10.500H15V15Z"),
    "regression-k10": Look(
        "#A0357A", "#F5A8DC", "M2 2H18V5.500H2ZM2 8.200H18V11.800H2ZM2 14.500H18V18H2Z"
    ),
    "classes-k10": Look(
        "#2C6E9E", "#86C7F2", "M2 2H5.500V18H2ZM8.200 2H11.800V18H8.200ZM14.500 2H18V18H14.500Z"
    ),
}
SHAPES = (
    DISC,
    SQUARE,
    TRIANGLE,
    DIAMOND,
    PLUS,
    DOWN,
    STAR,
    HEXAGON,
    CROSS,
    BAR,
    KITE,
    HOURGLASS,
    PENTAGON,
    ARCH,
    BLADE,
    TEE,
    STAIRS,
    LINKS,
    THREE,
    RUNG,
    TWINS,
)
LINES = ((), (8, 4), (2, 3), (9, 3, 2, 3), (15, 4), (4, 3), (15, 3, 4, 3), (9, 3, 2, 3, 2, 3))
OVERFLOWS = {  # of those who do the same when a budget overflows: a colour
    "none": Look("#1B2430", "#F1F4F8", DISC),
    "stop": Look("#66707E", "#A9B3C0", DISC),
    "remove": Look("#B3460E", "#FF9A66", DISC),
    "project": Look("#1F5FAE", "#7DB8FF", DISC),
    "merge": Look("#00735A", "#4FD6AE", DISC),
}
LUMINANCE = (0.12, 0.5)  # of derived colours on light and on dark pages


def look(key: str) -> Look:
    """Return the look of a rival: the drawn one, or the one derived from its key.

    >>> look("sbp").light
    '#007C82'
    """
    return LOOKS.get(key) or derived(key)


def derived(key: str) -> Look:
    """Return a look that depends on the key alone: a hue, and blocks of a 3 x 3 grid that is its
    own mirror image.
    """
    digest = hashlib.sha256(key.encode()).digest()
    hue = colorsys.hsv_to_rgb(digest[0] / 256, 0.8, 1.0)
    sides, middle = digest[1] % 8, digest[1] // 8 % 8 | 2
    shape = "".join(
        f"M{1 + 6 * x} {1 + 6 * y}H{7 + 6 * x}V{7 + 6 * y}H{1 + 6 * x}Z"
        for x, column in enumerate((sides, middle, sides))
        for y in range(3)
        if column >> y & 1
    )
    return Look(*(with_luminance(hue, level) for level in LUMINANCE), shape)


def with_luminance(colour: Iterable[float], luminance: float) -> str:
    """Return an sRGB colour, given in linear light from 0 to 1, darkened or lightened until it has
    the relative luminance.

    >>> with_luminance((1.0, 1.0, 1.0), 0.5), with_luminance((0.0, 0.0, 0.0), 0.5)
    ('#BCBCBC', '#BCBCBC')
    """
    colour = list(colour)
    now = sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), colour, strict=True))
    black = now > luminance
    share = luminance / now if black else (luminance - now) / (1 - now)
    linear = [v * share if black else v + (1 - v) * share for v in colour]
    coded = (12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055 for v in linear)
    return "#" + "".join(f"{round(255 * v):02X}" for v in coded)


def together(keys: Iterable[str]) -> dict[str, Look]:
    """The looks of those who race together. A lane with parameters of its own, `bsgd[B=5]`, has one
    that nobody else has.

    >>> len({*together(["bsgd", "bsgd[B=5]", "bsgd[B=9]"]).values()})
    3
    """
    keys = list(keys)
    taken = {key: look(key) for key in keys if "[" not in key}
    free = (one for one in LOOKS.values() if one not in taken.values())
    return {key: taken[key] if key in taken else next(free) for key in keys}
