"""Numbers in sentences."""

from svmviz.maths.words import fill


def test_templates_write_plain_numbers_with_a_true_minus():
    values = {"a": -0.284, "b": 1e6, "n": 90_000, "c": 5e-6, "d": "x"}
    assert fill("{a:.2f} {b:.3g} {c:.3g} {d} {n}", values) == "−0.28 1\u202f000\u202f000 5·10⁻⁶ x 90\u202f000"
