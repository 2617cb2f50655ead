"""Numbers in sentences."""

import re

import pytest

from svmviz.record.sentences import DEPTHS
from svmviz.solvers import SOLVERS
from svmviz.work.words import fill


def test_templates_write_plain_numbers_with_a_true_minus():
    values = {"a": -0.284, "b": 1e6, "n": 90_000, "c": 5e-6, "d": "x"}
    assert (
        fill("{a:.2f} {b:.3g} {c:.3g} {d} {n}", values)
        == "−0.28 1\u202f000\u202f000 5·10⁻⁶ x 90\u202f000"
    )


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (0.2821, 0.2824, "0.2821 to 0.2824"),
        (0.282, 0.291, "0.282 to 0.291"),
        (-0.0004, 0.0001, "−0.0004 to 0.0001"),
        (0.5, 0.5, "0.500 to 0.500"),
        (0.5, 0.5 + 1e-9, "0.500 to 0.500"),
        (1234.5671, 1234.5672, "1234.567 to 1234.567"),
    ],
)
def test_fill_with_a_before_and_an_after_prints_digits_until_they_differ(before, after, said):
    assert fill("{a:.3f≠b} to {b:.3f≠a}", {"a": before, "b": after}) == said


@pytest.mark.parametrize(
    ("primal", "dual", "said"),
    [
        (0.3292, 0.2866, "0.3292 − 0.2866 = 0.0426"),
        (0.32944, 0.286852, "0.32944 − 0.28685 = 0.04259"),
        (1.0, 0.0, "1.00 − 0.00 = 1.00"),
        (0.25, 0.25, "0.250 − 0.250 = 0.000"),
        (0.25, 0.25 - 1e-9, "0.25 − 0.25 = 10⁻⁹"),
    ],
)
def test_fill_with_a_sum_prints_digits_until_it_adds_up(primal, dual, said):
    values = {"P": primal, "D": dual, "gap": primal - dual}
    assert fill("{P:.3g=D+gap} − {D:.3g=P-gap} = {gap:.3g=P-D}", values) == said


@pytest.mark.parametrize("key", SOLVERS)
def test_sentences_that_name_a_before_and_an_after_tell_them_apart(key):
    pairs = {
        ("old", "new"),
        ("gap_before", "gap"),
        ("norm_added", "radius"),
        ("gamma", "gamma_after"),
        ("before", "after"),
        ("gamma", "new"),
        ("lifted", "scaled"),
    }
    story = SOLVERS[key].story
    texts = [text for depth in DEPTHS for text in story.sentences(depth)]
    texts += [text for question in story.questions for text in (question.right, question.wrong)]
    for text in texts:
        names = set(re.findall(r"\{(\w+):", text))
        for pair in (pair for pair in pairs if names.issuperset(pair)):
            for name, other in (pair, pair[::-1]):
                assert not re.search(rf"\{{{name}:\.\d[fg]\}}", text), (
                    f"{text}: {name} beside {other}"
                )


@pytest.mark.parametrize("key", SOLVERS)
def test_sentences_with_a_count_of_one_use_the_singular(key):
    plural = re.compile(
        r"(?<![\d.,/])\b1 (?:support )?(?:events|points|vectors|examples|columns|are|have|lie)\b"
    )
    story = SOLVERS[key].story
    for text in (text.replace("*", "") for depth in DEPTHS for text in story.sentences(depth)):
        for name in ("events", "b", "s_m", "hits", "under"):
            one = re.sub(rf"\{{{name}(:\.0f)?\}}", "1", text).replace(f"{{{name}:s}}", "")
            assert not plural.search(re.sub(r"\b1 of \S+ (points |\S+batch\S+ )?", "1 ", one)), text
