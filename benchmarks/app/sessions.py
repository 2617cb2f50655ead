"""How many visitors one server process bears, measured against the budget of the design.

    python -m benchmarks.app.sessions [--users 60] [--think 2] [--seconds 60] [--scene gaussian]

Starts the app on a free port and opens one websocket per user that speaks Streamlit's own protocol,
without a browser: what is measured is the server. Every user opens the Playground with a link of
their own, then again and again thinks (for an exponential time with the given mean) and asks for a
run that nobody has asked for before: λ and seed change, so no cache can help. Timed is the way from
the request to the run on the stage, and to the message that the script has finished; an answer
counts only if the component received the run that was asked for and, with it or after it, the exact
optimum, and the page shows neither an error nor an exception. Processor time is all that the server
used, optima included; what an optimum takes by itself is measured beside it, in this process.

Memory is compared with a server that a crowd has used before: its cache of runs is full and its
threads have the memory that they work in. Neither grows with the number of sessions, so neither
must be counted as theirs. The clients share the processor with the server; their own use of it is
given too.
"""

import argparse
import asyncio
import itertools
import json
import random
import struct
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from benchmarks.harness import Report, Server, median, p95, serve
from svmviz.maths import kernels
from svmviz.player.ready.opening import OPENING
from svmviz.run.link import VIEW_KEYS
from svmviz.run.recipe import Recipe, from_query
from svmviz.solvers import SOLVERS

SCENES = {
    "opening": OPENING,
    "gaussian": (
        Recipe("moons", {"n": 500}, params={"kernel": kernels.rbf(2.0)}, steps=1000).checked()
    ),
}
CROWD, FILL = (
    20,
    7,
)  # visitors before the measurement, and runs that each asks for: more than the server keeps
PATIENCE = 60  # seconds until an answer counts as lost
MEGABYTE = 1e6


class Answer(NamedTuple):
    """What came back for one request."""

    seconds: float
    picture: float  # seconds until the run was there
    fault: str  # empty if all is well


class Visitor:
    """One session: sends links, listens until the script has finished, keeps what the component
    received last.
    """

    def __init__(self, socket: ClientConnection):
        self.socket = socket
        self.session = ""  # what the server calls it
        # hash of the page that the server chose; the browser, too, repeats it in each request
        self.page = ""
        self.payload, self.news, self.drawn = b"", {}, 0.0

    @property
    def header(self) -> dict:
        (length,) = struct.unpack_from("<I", self.payload)
        return json.loads(self.payload[4 : 4 + length])

    @property
    def shown(self) -> dict[str, str]:
        """The link to the run that the player has."""
        return self.header["query"]

    @property
    def solved(self) -> bool:
        """Whether the player has the exact optima of its run, with it or after it."""
        header = self.header
        late = self.news.get("optima", []) if self.news.get("id") == header["id"] else []
        return all(late or [segment["optimum"] for segment in header["segments"]])

    async def ask(self, query: dict[str, str]) -> Answer:
        request = BackMsg()
        request.rerun_script.query_string = urlencode(query)
        request.rerun_script.page_script_hash = self.page
        start, self.payload, self.news = time.perf_counter(), b"", {}
        try:
            await self.socket.send(request.SerializeToString())
            async with asyncio.timeout(PATIENCE):
                fault = await self.listen()
        except TimeoutError:
            fault = "no answer"
        except ConnectionClosed as error:
            fault = str(error)
        seconds = time.perf_counter() - start
        if not fault:
            run = {key: value for key, value in query.items() if key not in VIEW_KEYS}
            fault = (
                "no run"
                if not self.payload
                else (
                    "another run than asked for"
                    if self.shown != run
                    else "no optimum"
                    if not self.solved
                    else ""
                )
            )
        return Answer(seconds, self.drawn - start, fault)

    async def listen(self) -> str:
        """Take in messages until the script has run to its end; returns what went wrong on the
        way.
        """
        fault = ""
        while True:
            message = ForwardMsg.FromString(await self.socket.recv())
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self.session = message.new_session.initialize.session_id
            elif kind == "navigation":
                self.page = message.navigation.page_script_hash
            elif kind == "delta":
                element = message.delta.new_element
                self.heard(element)
                if element.WhichOneof("type") == "bidi_component" and element.bidi_component.bytes:
                    self.payload, self.drawn = element.bidi_component.bytes, time.perf_counter()
                elif element.WhichOneof("type") == "bidi_component":
                    self.news = json.loads(element.bidi_component.json)
                elif element.WhichOneof("type") in ("alert", "exception"):
                    fault = f"the page shows an {element.WhichOneof('type')}"
            elif kind == "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                    return fault
                if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    return "the script did not finish"

    def heard(self, element) -> None:
        """An element of the page has come."""


def variations(scene: Recipe) -> Iterator[dict[str, str]]:
    """Links to runs of the scene that all differ."""
    rng = random.Random(0)
    for seed in itertools.count(1):
        lam = float(f"{10 ** rng.uniform(-2.5, -0.5):.4g}")
        yield replace(scene, params=scene.params | {"lam": lam}, seed=seed).query()


async def arrive(server: Server, kind: type[Visitor] = Visitor) -> Visitor:
    """A new session. Streamlit's own settings leave compression off; a proxy must not come in
    between.
    """
    return kind(
        await connect(
            f"ws://127.0.0.1:{server.port}/_stcore/stream",
            subprotocols=["streamlit"],
            origin=server.address,
            compression=None,
            proxy=None,
            max_size=None,
        )
    )


async def ask_for(visitor: Visitor, links: Iterator[dict[str, str]], count: int) -> None:
    for link in itertools.islice(links, count):
        await visitor.ask(link)


async def use(
    visitor: Visitor, links: Iterator[dict[str, str]], think: float, until: float, seed: int
) -> list[Answer]:
    """Think, ask, wait for the answer, until the time is over."""
    rng, answers = random.Random(seed), []
    while time.perf_counter() + (pause := rng.expovariate(1 / think)) < until:
        await asyncio.sleep(pause)
        answers.append(await visitor.ask(next(links)))
    return answers


async def measure(
    server: Server, report: Report, users: int, think: float, seconds: float, scene: str
) -> None:
    links = variations(SCENES[scene])
    crowd = [await arrive(server) for _ in range(CROWD)]
    await asyncio.gather(*(ask_for(visitor, links, FILL) for visitor in crowd))
    before = server.resident()

    visitors = [await arrive(server) for _ in range(users)]
    loads = [
        await visitor.ask(next(links)) for visitor in visitors
    ]  # one after the other: no storm of arrivals
    loaded = server.resident()

    start, cpu, own = time.perf_counter(), server.cpu_seconds(), time.process_time()
    used = await asyncio.gather(
        *(use(visitor, links, think, start + seconds, k) for k, visitor in enumerate(visitors))
    )
    answers = list(itertools.chain.from_iterable(used))
    elapsed = time.perf_counter() - start
    cpu, own, after = server.cpu_seconds() - cpu, time.process_time() - own, server.resident()

    times, faults = (
        [1000 * a.seconds for a in answers],
        [a.fault for a in loads + answers if a.fault],
    )
    report.section(
        f"{users} users, {think:g} s of thought, scene {scene}, {len(visitors[0].payload)} bytes"
        " a run"
    )
    pictures = [1000 * a.picture for a in answers if not a.fault]
    report.add("request to the run on the stage, p50", median(pictures), "ms")
    report.add("request to the run on the stage, p95", p95(pictures), "ms", most=150)
    report.add("request to script finished, p50", median(times), "ms")
    report.add("request to script finished, p95", p95(times), "ms", most=150)
    report.add("first load of a session, p95", p95([1000 * a.seconds for a in loads]), "ms")
    report.add("requests", len(answers))
    report.add("requests a second", len(answers) / elapsed, "/s")
    report.add("errors", len(faults), most=0)
    for fault in sorted(set(faults)):
        report.note(f"  {faults.count(fault)} x {fault}")
    report.add("server, use of one core", 100 * cpu / elapsed, "%")
    report.add(
        "server, processor time of a request", 1000 * cpu / max(len(answers), 1), "ms", most=35
    )
    report.add("  of that, the exact optimum by itself", 1000 * optimum_seconds(links), "ms")
    report.add("clients, use of one core", 100 * own / elapsed, "%")
    report.add("server memory before", before / MEGABYTE, "MB")
    report.add("server memory at the end", after / MEGABYTE, "MB")
    report.add(
        "server memory per session, all loaded", (loaded - before) / users / MEGABYTE, "MB", most=1
    )
    report.add(
        "server memory per session, at the end", (after - before) / users / MEGABYTE, "MB", most=1
    )
    for visitor in crowd + visitors:
        await visitor.socket.close()


def optimum_seconds(links: Iterator[dict[str, str]], count: int = 20) -> float:
    """Processor time of the exact optimum of a run that nobody asked for before."""
    recipes = [from_query(link)[0] for link in itertools.islice(links, count + 1)]
    for k, recipe in enumerate(recipes):
        if k == 1:  # the first compiled
            start = time.process_time()
        SOLVERS[recipe.solver].optimum(recipe.problem(), recipe.checked().params)
    return (time.process_time() - start) / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--users", type=int, default=60)
    parser.add_argument(
        "--think", type=float, default=2, help="mean seconds between an answer and the next request"
    )
    parser.add_argument("--seconds", type=float, default=60, help="how long to measure")
    parser.add_argument("--scene", choices=SCENES, default="gaussian")
    given = parser.parse_args()
    report = Report("svmviz sessions")
    with serve() as server:
        asyncio.run(measure(server, report, given.users, given.think, given.seconds, given.scene))
    report.close()


if __name__ == "__main__":
    main()
