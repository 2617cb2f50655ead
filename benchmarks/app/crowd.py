"""More visitors at once than there are processors, each with something that takes long, and one who
wants little beside them.

    python -m benchmarks.app.crowd [--times 3]

Starts the app, and for every page that computes has so many times as many visitors as processors
ask it for something at the same moment: all are answered. A light visitor opens small runs
meanwhile. Then everybody leaves, and what is left is counted: the processes that are kept warm, and
no others. Last, processes are killed in the midst of their work, which costs those who wait for
them a sentence.
"""

import argparse
import asyncio
import json
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.app.sessions import Visitor, arrive
from benchmarks.harness import Report, Server, median, p95, serve
from svmviz.maths import kernels
from svmviz.run.recipe import Recipe
from svmviz.work.backend import cores

PATIENCE = 300  # seconds until an answer counts as lost
WORKED = 0.3  # seconds of the processor, by which one has begun
HARD = {"kernel": kernels.rbf(2.0), "lam": 0.001}
LIGHT = Recipe("moons", {"n": 40}, steps=40).checked()
EVENTS = (  # how the button of a component ends whose key that is: what it tells the server
    "{}__events"
)
# By page: a link that asks for something of its own for each visitor, and the button to press, if
# there is one.
PAGES: dict[str, tuple[Callable[[int], dict[str, str]], str]] = {
    "": (
        lambda k: (
            Recipe("moons", {"n": 2000, "noise": 0.4, "seed": k}, params=HARD, steps=9000)
            .checked()
            .query()
        ),
        "",
    ),
    "race": (
        lambda k: {
            "data": "moons",
            "n": "300",
            "noise": "0.3",
            "data_seed": str(k),
            "lam": "0.002",
            "kernel": "rbf(gamma=4.0)",
            "seeds": "2",
        },
        "",
    ),
    "stream": (
        lambda k: {"data": "checkerboard", "B": "50", "examples": "100000", "seed": str(k)},
        "stream.go",
    ),
    "pegasos": (lambda k: {}, "pegasos.figure8.go"),
    "explore": (
        lambda k: {
            "data": "moons",
            "n": "200",
            "data_seed": str(k),
            "solver": "pegasos",
            "kernel": "rbf(gamma=2.0)",
            "T": "1000",
            "seeds": "0-1",
            "folds": "5",
            "sweep": "lam:0.001:1:9:log;gamma:0.1:10:9:log",
        },
        EVENTS.format("explore"),
    ),
}


class Guest(Visitor):
    """One who goes to a page, presses its button, and waits until what that began is done."""

    buttons: set[str]

    @property
    def busy(self) -> bool:
        """Whether what the button began goes on: there is another button to stop it, or the picture
        says so.
        """
        running = bool(self.payload) and self.header.get("state") == "running"
        return running or any(one.endswith(".stop") for one in self.buttons)

    async def go(self, page: str, query: dict[str, str], button: str = "") -> str:
        """What went wrong, if anything did; the run that a link leads to has come then."""
        self.buttons = set()
        fault = await self.send(page, query)
        if button and not fault:
            (pressed,) = (one for one in self.buttons if one.endswith(button))
            fault = await self.send(page, query, pressed)
            while not fault and self.busy:  # the page looks again and again
                await asyncio.sleep(0.6)
                self.buttons.clear()
                fault = await self.send(page, query)
        return fault

    async def send(self, page: str, query: dict[str, str], pressed: str = "") -> str:
        request = BackMsg()
        request.rerun_script.query_string = "&".join(
            f"{name}={value}" for name, value in query.items()
        )
        request.rerun_script.page_name = page
        if pressed.endswith(EVENTS.format("")):
            told = [{"event": "go", "value": {"id": self.header["id"]}}]
            request.rerun_script.widget_states.widgets.add(
                id=pressed, json_trigger_value=json.dumps(told)
            )
        elif pressed:
            request.rerun_script.widget_states.widgets.add(id=pressed, trigger_value=True)
        await self.socket.send(request.SerializeToString())
        return await self.listen()

    def heard(self, element) -> None:
        if element.WhichOneof("type") == "button":
            self.buttons.add(element.button.id)
        elif element.WhichOneof("type") == "bidi_component":
            self.buttons.add(f"$$STREAMLIT_INTERNAL_KEY_{EVENTS.format(element.bidi_component.id)}")


def children(pid: int) -> list[int]:
    """All processes that come from this one, and still live."""
    found = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += [int(child), *children(int(child))]
    return found


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.1)


async def crowd(server: Server, page: str, many: int) -> tuple[list[str], list[float], float]:
    """What went wrong for so many visitors of a page at once, the seconds in which a light visitor
    was answered meanwhile, and those until all were.
    """
    link, button = PAGES[page]
    guests = [await arrive(server, Guest) for _ in range(many)]
    light, begun = await arrive(server), time.perf_counter()
    heavy = asyncio.gather(
        *(
            asyncio.wait_for(guest.go(page, link(k), button), PATIENCE)
            for k, guest in enumerate(guests)
        ),
        return_exceptions=True,
    )
    seconds, seed = [], 0
    while not heavy.done():
        seed += 1
        answer = await light.ask(LIGHT.query() | {"seed": str(seed)})
        assert not answer.fault, answer
        seconds.append(answer.seconds)
        await asyncio.sleep(0.2)
    faults = [str(fault) for fault in await heavy if fault]
    took = time.perf_counter() - begun
    for one in (*guests, light):
        await one.socket.close()
    return faults, seconds, took


async def killed(server: Server) -> list[str]:
    """What is wrong for a visitor whose process is killed, for another meanwhile, and for the first
    when he asks again.
    """
    link, _ = PAGES[""]
    first, other = await arrive(server, Guest), await arrive(server, Guest)
    asked = asyncio.create_task(first.go("", link(100)))
    answered = asyncio.create_task(other.go("", LIGHT.query()))
    await until(lambda: busy(server) or asked.done())
    for pid in busy(server):
        os.kill(pid, signal.SIGSEGV)
    found = [await asked, await answered, await first.go("", link(101))]
    await until(lambda: len(children(server.pid)) <= 1 + cores())
    for one in (first, other):
        await one.socket.close()
    return found


def busy(server: Server) -> list[int]:
    """Its processes that are at work on something: copies of the first one, some tenths of a second
    old at least.
    """
    found = []
    for pid in (copy for first in children(server.pid) for copy in children(first)):
        with suppress(OSError):
            state, *_ = fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            if state == "R" and int(fields[11]) > WORKED * os.sysconf("SC_CLK_TCK"):
                found.append(pid)
    return found


async def measure(server: Server, report: Report, many: int) -> None:
    light = await arrive(server)
    while (await light.ask(LIGHT.query())).fault:  # until all is imported and compiled
        await asyncio.sleep(0.5)
    for page in PAGES:
        faults, seconds, took = await crowd(server, page, many)
        report.section(f"{many} visitors of /{page} at once")
        report.add("not answered, or not as it should be", len(faults), most=0)
        for fault in sorted(set(faults)):
            report.note(f"  {fault}")
        report.add("until all were answered", took, "s")
        report.add("a light visitor meanwhile, p50", 1000 * median(seconds), "ms")
        report.add("a light visitor meanwhile, p95", 1000 * p95(seconds), "ms", most=1000)
        report.add("memory of the server", server.resident() / 1e6, "MB")
    report.section("afterwards")
    with suppress(TimeoutError):
        await until(lambda: not busy(server))
    report.add(
        "processes beside the server: the nursery and the warm ones",
        len(children(server.pid)),
        most=1 + cores(),
    )
    lost, other, again = await killed(server)
    as_due = bool(lost) and not other and not again
    report.add(
        "killed: its visitor is told, the other is not, both are answered", float(as_due), least=1
    )
    await light.socket.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    report = Report("svmviz crowd")
    with serve() as server:
        asyncio.run(measure(server, report, given.times * cores()))
    report.close()


if __name__ == "__main__":
    main()
