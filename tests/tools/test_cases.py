"""Many cases of one test: all that failed are named."""

import inspect

import pytest

from tests.tools.cases import Cases, together


def test_cases_name_every_failure_and_check_those_behind_it():
    done = []
    said = r"(?s)^2 failed:\nfirst, line \d+: assert .*\nthird, line \d+: words"
    with pytest.raises(AssertionError, match=said), Cases() as cases:
        for name in ("first", "second", "third"):
            with cases.case(name):
                done.append(name)
                assert name != "first" or len(done) == 2
                assert name != "third", "words"
    assert done == ["first", "second", "third"]


def test_cases_that_hold_pass():
    with Cases() as cases, cases.case("only"):
        assert True


def test_cases_let_other_errors_through_with_the_name_of_the_case():
    with pytest.raises(KeyError) as raised, Cases() as cases, cases.case("only"):
        raise KeyError("x")
    assert raised.value.__notes__ == ["The case is only."]


@together("a, b", [(1, 1), (2, 3), (4, 5)])
@together("c", "xy")
def all_alike(a, b, c, capsys):
    assert a == b, c


def test_together_goes_through_all_cases_and_leaves_fixtures_to_pytest():
    with pytest.raises(AssertionError) as raised:
        all_alike(capsys=None)
    said = str(raised.value)
    assert (
        said.startswith("2 failed:\n2, 3, line ")
        and "x, line" in said
        and "y, line" in said
        and "\n4, 5, line " in said
    )
    assert list(inspect.signature(all_alike).parameters) == ["capsys"]
