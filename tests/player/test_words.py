"""The player's own way with words and numbers, beside Python's."""

import pytest

from svmviz.work.words import fill
from tests.player.node.ask import ask

SPECS = ["{v}", "{v:g}", "{v:.3g}", "{v:.2f}", "{v:.0f}", "{v:.1g}"]
NUMBERS = [
    0,
    7,
    9999,
    10_000,
    90_000,
    1_234_567,
    -12_345,
    9999.5,
    12_345.678,
    -0.001,
    5e-6,
    2e14,
    52.5,
    2.5,
    -0.5,
    0.125,
    -0.375,
    0.25,
    1.0625,
    9999.995,
]


def called(module: str, name: str, *args):
    """Return what a function of the engine answers."""
    return ask(module=f"engine/{module}", name=name, args=args)["value"]


def test_player_and_server_write_a_number_alike():
    cases = [(spec, v) for v in NUMBERS for spec in (SPECS if isinstance(v, int) else SPECS[1:])]
    assert [called("words", "fill", spec, {"v": v}) for spec, v in cases] == [
        fill(spec, {"v": v}) for spec, v in cases
    ]
    assert fill("{v} of {v:.0f}", {"v": 90_000}) == "90\u202f000 of 90\u202f000"


def test_player_and_server_compare_numbers_alike():
    pairs = [
        (0.2821, 0.2824),
        (0.5, 0.5),
        (0.5, 0.500000001),
        (0.00012, 0.00013),
        (1234.5, 1234.6),
        (90_000.1, 90_000.2),
        (0.3292, 0.2866),
        (0.32944, 0.28685),
        (1, 0),
        (0.25, 0.249999999),
        (12.344, 11.998),
        (0, 0),
    ]
    texts = [
        "{a:.3f≠b} to {b:.3f≠a}",
        "{a:.3g≠b} to {b:.3g≠a}",
        "{a:.3g=b+c} − {b:.3g=a-c} = {c:.3g=a-b}",
        "{a:.3f=b+c} − {b:.3f=a-c} = {c:.3f=a-b}",
        "{a:.3f≠none}",
    ]
    cases = [(text, {"a": a, "b": b, "c": a - b}) for text in texts for a, b in pairs]
    assert [called("words", "fill", *case) for case in cases] == [
        fill(text, {k: float(v) for k, v in values.items()}) for text, values in cases
    ]


def test_fill_with_a_count_of_one_writes_the_singular_on_both_sides():
    for n, said in ((1, "1 event"), (2, "2 events"), (0, "0 events")):
        assert (
            called("words", "fill", "{n} event{n:s}", {"n": n})
            == fill("{n} event{n:s}", {"n": n})
            == said
        )
        assert called("words", "plural", n, "event") == said


@pytest.mark.parametrize(
    "lines",
    [
        ["‖w‖_>_r:", "w_←_1.00/1.20_w."],
        ["m_=_y_f(x)", "=_*0.28*_<_1:", "w_←_(1_−_1/9)_w_+_η_y_x", "=_0.889_w_+_11.1_y_x."],
        ["α_=_clip((1_−_y_f)/k,_0,_C)", "=_clip(0.3/1,_0,_2)", "=_0.3."],
        [
            "Point",
            "12_(+1)",
            "has",
            "margin",
            "*0.28*,",
            "below",
            "1:",
            "a",
            "step",
            "of",
            "η_=_11.1",
            "along",
            "y_x.",
        ],
        [
            "‖Δ‖²_=_α[m]²_+_α[n]²_+_2_α[m]_α[n]_K[m,_n]",
            "−_α[z]²",
            "=_*0.1*.",
        ],  # or it would be longer than a line of a phone
    ],
    ids=lambda lines: lines[0],
)
def test_a_line_breaks_between_words_and_between_equal_terms_only(lines):
    said = called("words", "unbroken", " ".join(lines).replace("_", " "))
    assert said.split(" ") == [line.replace("_", "\xa0") for line in lines]


def test_of_two_classes_the_second_looks_as_plus_one_does_everywhere():
    """Which look a class has: the first is the blue disc of +1, the second the orange diamond of
    -1.
    """
    assert [
        [called("scores", "lookOf", {"scores": scores}, c) for c in (0, 1)] for scores in (2, 3)
    ] == [[1, 0], [0, 1]]
