"""A long stream through all that keep a budget: neither the model nor the process grows."""

import pytest

from svmviz.papers.bsgd import million
from svmviz.papers.evidence.experiment import named
from svmviz.papers.evidence.verdicts import AS, NOT
from svmviz.run.streams import stream
from tests.tools.cases import together


@together("name", million.BUDGETED)
def test_the_model_is_of_one_size_however_long_the_stream(name):
    first, *_, last = million.watch(name, stream.checkerboard(3000, 0, 1000))
    model = last.learnt()
    assert first.n_sv <= million.B and last.n_sv <= million.B and last.examples == 3000
    assert model.vectors.shape == (last.n_sv, 2) and model.coef.shape == (last.n_sv, 1)


@together("name", [name for name in million.BUDGETED if name != million.TWINS])
def test_nothing_that_is_kept_grows(name):
    def numbers(found) -> int:
        return sum(part.size for part in found.learnt.__defaults__[0])

    first, *_, last = million.watch(name, stream.checkerboard(9000, 0, 3000))
    assert numbers(first) == numbers(last)


def test_a_run_says_what_it_took():
    found = million.here("BPegasos + merge", 0, 20_000)
    assert (
        found.late > 0
        and found.vectors == million.B
        and found.accuracy > 0.9
        and 0 < found.events < 1
    )
    assert not found.grown > million.ALLOWED


@pytest.mark.long
def test_a_process_of_its_own_grows_by_nothing():
    assert not million.alone("Stoptron", 0).grown > million.ALLOWED


@together(
    "name, field, value, place",
    (
        (million.BUDGETED[3], "grown", 9000.0, 0),
        (million.BUDGETED[3], "late", 9e-6, 1),
        (million.TWINS, "grown", 9000.0, 0),
        (million.TWINS, "late", 9e-6, 2),
    ),
)
def test_one_that_grows_or_slows_down_refutes_the_claim(name, field, value, place):
    one, usual = million.million(), million.Passed(3e-6, 3e-6, 0.9, 100, 0.2, 30.0)

    def outcomes(**odd) -> list[str]:
        runs = {
            named(each, seed): usual._replace(**(odd if each == name else {}))
            for each in million.BUDGETED
            for seed in range(3)
        }
        return [verdict.outcome for verdict in million.judge(one.results(runs)).verdicts]

    assert outcomes() == [AS, AS, AS]
    assert outcomes(**{field: value}) == [NOT if k == place else AS for k in range(3)]
