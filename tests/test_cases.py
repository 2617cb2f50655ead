"""Many cases of one test: all that failed are named."""

import pytest

from tests.cases import Cases


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
