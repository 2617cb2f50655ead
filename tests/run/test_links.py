"""Thousands of generated links, from `fuzz_links`: each opens a run or is answered in sentences,
and nothing else ever happens.

    SVMVIZ_LINKS=20000 python -m pytest tests/run/test_links.py -n auto

or `make fuzz`, carries out so many of them. A link that breaks something is printed, cut down to
what matters.
"""

import ast
import asyncio
import json
import os
import struct
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, note, seed, settings
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

from svmviz.player.wire import race, run
from svmviz.race import card, start
from svmviz.run.recipe import STEPS, from_query
from svmviz.run.view import arrive
from svmviz.ui.playground.stage import AT_ONCE, ways_out
from svmviz.ui.race.page import VIEW
from tests.run.test_switching import TYPES
from tests.tools.fuzz_links import links, races
from tests.tools.rotation import at_times, turn

LINKS = int(os.environ.get("SVMVIZ_LINKS", 1200))
PARTS = 8  # each with a seed of its own, so that they can be shared out
RACES = 0.1  # of all
OPENED = 60  # through the running app
SESSION = 20  # links that one visitor opens
LONGEST = 700  # characters of a sentence


def said(messages) -> None:
    """Sentences as one can read them: text in one line, and not a whole link."""
    for message in messages:
        assert isinstance(message, str) and message.isprintable() and 0 < len(message) <= LONGEST, (
            message
        )


def readable(message: bytes) -> None:
    """The player can read this: JSON without what is no number, arrays of kinds that it knows."""
    (length,) = struct.unpack_from("<I", message)
    header = json.loads(
        message[4 : 4 + length], parse_constant=lambda name: pytest.fail(f"{name} in JSON")
    )
    assert {kind for kind, _ in header["arrays"].values()} <= TYPES


def runs(pairs) -> None:
    """From the link to what is sent to the player, as the Playground does it."""
    recipe, view, messages = arrive(dict(pairs))
    said(messages)
    assert recipe == recipe.checked() and 0 <= view["t"] <= recipe.steps
    again, nothing = from_query(recipe.query())
    assert nothing == [] and (again == recipe or "edit" not in recipe.query())
    ast.parse(recipe.python("0"))
    try:
        packed = run.pack_recipe(recipe, AT_ONCE)
    except ValueError as error:
        said([str(error)])
        for words, other in ways_out(recipe):
            said([words])
            assert other != recipe and other == other.checked()
    else:
        readable(run.encode(packed, id=recipe.key(), query=recipe.query(), view=view))


def races_on(pairs) -> None:
    """The same for a race, with a few steps of each rival."""
    found, messages = card.read(dict(pairs), VIEW, {})
    said(messages)
    assert card.read(found.query()) == (found, [])
    try:
        rivals = found.line_up() if found.problem and found.nu >= 0 else ()
        for rival in rivals:
            readable(
                race.pack_rival(
                    start(found.problem, rival._replace(steps=20), 0),
                    found.base.look(found.problem),
                )
            )
    except ValueError as error:
        said([str(error)])


def each(strategy, check, count: int, number: int) -> None:
    """So many links of a strategy, the same ones whenever asked for by this number."""

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        suppress_health_check=[*HealthCheck],
        report_multiple_bugs=False,
    )
    @given(strategy)
    def one(pairs):
        note(f"the link: ?{urlencode(pairs)}")
        check(pairs)

    one()


# One part comes with every commit, the others are among the long tests.
by_turns = pytest.mark.parametrize(
    "part",
    [
        pytest.param(part, marks=() if (part - turn()) % PARTS == 0 else pytest.mark.long)
        for part in range(PARTS)
    ],
)


@by_turns
def test_every_link_opens_a_run_or_is_answered_in_a_sentence(part):
    each(links(), runs, int(LINKS * (1 - RACES)) // PARTS, part)


@by_turns
def test_every_link_opens_a_race_or_is_answered_in_a_sentence(part):
    each(races(), races_on, int(LINKS * RACES) // PARTS, part)


def collected(strategy, count: int) -> list:
    found = []
    each(strategy, found.append, count, 99)
    return found[:count]


async def faults(server: str, page: str, some: list) -> list[str]:
    """Open links one after the other in one session, and tell which of them made the app show an
    exception.
    """
    out = []
    address = server.replace("http://", "ws://") + "/_stcore/stream"
    plain = {"compression": None, "proxy": None, "max_size": None}
    async with connect(address, subprotocols=["streamlit"], origin=server, **plain) as socket:
        for pairs in some:
            request = BackMsg()
            request.rerun_script.query_string = urlencode(pairs)
            request.rerun_script.page_name = page
            await socket.send(request.SerializeToString())
            status = None
            while status in (None, ForwardMsg.FINISHED_EARLY_FOR_RERUN):
                message = ForwardMsg.FromString(await asyncio.wait_for(socket.recv(), 120))
                element = message.delta.new_element
                if (
                    message.WhichOneof("type") == "delta"
                    and element.WhichOneof("type") == "exception"
                ):
                    out.append(
                        f"/{page}?{urlencode(pairs)}: {element.exception.type}"
                        f" {element.exception.message}"
                    )
                elif message.WhichOneof("type") == "script_finished":
                    status = message.script_finished
            if status != ForwardMsg.FINISHED_SUCCESSFULLY:
                out.append(f"/{page}?{urlencode(pairs)}: the script did not finish")
    return out


@at_times()
def test_the_running_app_answers_every_link(server):
    runs_, races_ = collected(links(), OPENED - OPENED // 10), collected(races(), OPENED // 10)
    tasks = [("", runs_[k : k + SESSION]) for k in range(0, len(runs_), SESSION)]
    tasks += [("race", races_[k : k + SESSION]) for k in range(0, len(races_), SESSION)]

    async def all_of_them():
        return [fault for page, some in tasks for fault in await faults(server, page, some)]

    with ThreadPoolExecutor(1) as own:  # this thread may have an event loop already
        assert own.submit(asyncio.run, all_of_them()).result() == []


def test_what_is_said_of_the_length_of_a_run_is_what_it_has():
    recipe, view, said = arrive({"data": "moons", "T": "1e9", "t": "99999"})
    assert recipe.steps == STEPS.default == view["t"] and "T was replaced by its default" in said[0]
    assert f"t was replaced by {STEPS.default}, the end of the run" in said[1]
    recipe, view, said = arrive({"data": "moons", "T": "1e9", "t": "500"})
    assert recipe.steps == 500 == view["t"] and "The run has 500 steps all the same" in said[1]
