"""Three times as many visitors as processors, each with something that takes long, on every page
that computes: see `benchmarks.app.crowd`, which measures what is asserted here.
"""

import asyncio

import pytest

from benchmarks.app import crowd
from benchmarks.app.sessions import arrive
from benchmarks.harness import serve
from svmviz.work.backend import cores
from tests.tools.rotation import by_turns

MANY = 3 * cores()
QUICK = "", "race", "stream"  # some seconds each


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """A server of its own, whose processes nobody else uses."""
    with serve(tmp_path_factory.mktemp("server") / "output.txt") as server:
        yield server


LONG = [pytest.param(page, marks=pytest.mark.long) for page in crowd.PAGES if page not in QUICK]


@pytest.mark.parametrize("page", by_turns([*QUICK, *LONG], every=6, always=0))
def test_all_are_answered_and_nobody_is_left_when_they_have_gone(app, page):
    async def visits():
        light = await arrive(app)
        while (await light.ask(crowd.LIGHT.query())).fault:  # until all is imported
            pass
        faults, seconds, _ = await crowd.crowd(app, page, MANY)
        await crowd.until(lambda: len(crowd.children(app.pid)) <= 1 + cores())
        await light.socket.close()
        return faults, seconds

    faults, seconds = asyncio.run(visits())
    assert not faults and seconds


def test_a_process_that_is_killed_costs_its_visitor_a_sentence_and_the_others_nothing(app):
    async def visits():
        light = await arrive(app)
        while (await light.ask(crowd.LIGHT.query())).fault:
            pass
        return await crowd.killed(app)

    lost, other, again = asyncio.run(visits())
    assert lost == "the page shows an alert" and not other and not again
