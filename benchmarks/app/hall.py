"""A lecture hall at the app as `make serve` runs it, measured against the budgets of the design.

    python -m benchmarks.app.hall [--processes 2] [--crowd 200] [--users 60] [--seconds 60]

Starts the processes behind HAProxy on a free port and sends visitors through it who speak
Streamlit's own protocol, with the cookies that it gives them, all of them from one address, as a
class behind one router is. Three things are timed:

opening   so many open the same link within ten seconds: page, scripts, player, connection, until the last message has come;
using     so many ask again and again for runs that nobody had before (`benchmarks.app.sessions`);
killed    everybody stands at a step of his own run when a process is killed with -9: who has lost his connection asks for it
          as the browser does, and is back when the run stands at that step again.

The visitors share the processors with the server; their use of them is given, too.
"""

import argparse
import asyncio
import itertools
import os
import random
import re
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from benchmarks.app.sessions import PATIENCE, SCENES, Visitor, use, variations
from benchmarks.harness import Hall, Report, median, p95, serve_hall
from svmviz.run.recipe import Recipe

WITHIN = 10.0  # seconds in which a hall opens a link
AGAIN = 0.5  # seconds after which a browser asks anew whether the server is there
LECTURE = {**Recipe("banana", {"n": 200}, solver="sbp", steps=600).checked().query(), "t": "120"}


class Guest:
    """A browser without a screen: its cookies, what it has loaded, its connection."""

    def __init__(self, hall: Hall):
        self.hall, self.cookies = hall, {}
        self.visitor: Visitor | None = None

    @property
    def process(self) -> str:
        """The one that the proxy leads to."""
        return self.cookies["svmviz"]

    def headers(self) -> dict[str, str]:
        return (
            {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
            if self.cookies
            else {}
        )

    async def get(self, *paths: str, packed: bool = False) -> bytes:
        """The answers, one after the other over one connection; refused where one of them is not
        what was asked for.
        """
        reader, writer = await asyncio.open_connection("127.0.0.1", self.hall.port)
        common = {
            "Host": f"127.0.0.1:{self.hall.port}",
            "Accept-Encoding": "gzip" if packed else "identity",
            **self.headers(),
        }
        for k, path in enumerate(paths):
            head = common | ({"Connection": "close"} if k == len(paths) - 1 else {})
            writer.write(
                "\r\n".join(
                    [f"GET {path} HTTP/1.1", *(f"{k}: {v}" for k, v in head.items()), "", ""]
                ).encode()
            )
        answers = await reader.read(-1)
        writer.close()
        if (good := answers.count(b"HTTP/1.1 200 OK\r\n")) != len(paths):
            raise OSError(f"{len(paths) - good} of {len(paths)} answers were others than 200")
        for name, value in re.findall(
            rb"(?im)^set-cookie: (\w+)=([^;]+)", b"" if packed else answers
        ):
            self.cookies[name.decode()] = value.decode()
        return answers

    async def load(self, query: str) -> None:
        """The page and its scripts, as a browser that was never here."""
        page = await self.get(f"/?{query}", "/_stcore/health", "/_stcore/host-config")
        parts = re.findall(rb'(?:src|href)="\./(static/[^"]+)"', page)
        await self.get(*(f"/{part.decode()}" for part in parts), packed=True)

    async def connect(self) -> Visitor:
        socket = await connect(
            f"ws://127.0.0.1:{self.hall.port}/_stcore/stream",
            subprotocols=["streamlit"],
            origin=self.hall.address,
            compression=None,
            proxy=None,
            max_size=None,
            additional_headers=self.headers(),
            open_timeout=PATIENCE,
        )
        self.visitor = Visitor(socket)
        return self.visitor

    async def back(self, query: dict[str, str]) -> str:
        """Lost: ask until the server is there, connect, and ask for what was there; returns what
        went wrong with it.
        """
        await self.visitor.socket.wait_closed()
        while True:
            try:
                await self.get("/_stcore/health")
                return (await (await self.connect()).ask(query)).fault
            except (OSError, ConnectionClosed, TimeoutError):
                pass
            await asyncio.sleep(AGAIN)

    async def leave(self) -> None:
        await self.visitor.socket.close()


def standing(visitor: Visitor) -> str:
    """The step at which the run on the stage stands."""
    return str((visitor.header["view"] or {}).get("t"))


class Cost:
    """Processor time of the apps, the proxy and these visitors from here on."""

    def __init__(self, hall: Hall):
        self.of = {"apps": hall.apps, "proxy": [hall.proxy]}
        self.start, self.before, self.own = time.perf_counter(), self.now(), time.process_time()

    def now(self) -> dict[str, float]:
        return {
            name: sum(server.cpu_seconds() for server in servers)
            for name, servers in self.of.items()
        }

    def add(self, report: Report, count: int, what: str) -> None:
        seconds, used = time.perf_counter() - self.start, self.now()
        for name, before in self.before.items():
            report.add(
                f"{name}, processor time of {what}", 1000 * (used[name] - before) / count, "ms"
            )
            report.add(f"{name}, use of processors", 100 * (used[name] - before) / seconds, "%")
        report.add(
            "visitors, use of processors", 100 * (time.process_time() - self.own) / seconds, "%"
        )


def faults(report: Report, found: list[str]) -> None:
    report.add("errors", sum(map(bool, found)), most=0)
    for fault, many in Counter(filter(None, found)).items():
        report.note(f"  {many} x {fault}")


async def opening(hall: Hall, report: Report, crowd: int) -> None:
    """The same link within ten seconds."""
    report.section(f"opening, {crowd} visitors, the same link within {WITHIN:g} s")
    rng, cost, query = (
        random.Random(1),
        Cost(hall),
        "&".join(f"{k}={v}" for k, v in LECTURE.items()),
    )

    async def arrive(guest: Guest, after: float) -> tuple[float, float, str]:
        await asyncio.sleep(after)
        start = time.perf_counter()
        try:
            await guest.load(query)
            loaded = time.perf_counter() - start
            answer = await (await guest.connect()).ask(LECTURE)
        except (OSError, ConnectionClosed, TimeoutError) as error:
            return time.perf_counter() - start, 0, f"{type(error).__name__}: {error}"
        wrong = answer.fault or ("" if standing(guest.visitor) == LECTURE["t"] else "another step")
        return time.perf_counter() - start, loaded, wrong

    guests = [Guest(hall) for _ in range(crowd)]
    found = await asyncio.gather(*(arrive(guest, rng.uniform(0, WITHIN)) for guest in guests))
    report.add(
        "click to the last message, p50", 1000 * median([whole for whole, _, _ in found]), "ms"
    )
    report.add(
        "click to the last message, p95",
        1000 * p95([whole for whole, _, _ in found]),
        "ms",
        most=2000,
    )
    report.add(
        "  of that, page and scripts, p95", 1000 * p95([loaded for _, loaded, _ in found]), "ms"
    )
    faults(report, [fault for _, _, fault in found])
    cost.add(report, crowd, "an opening")
    report.note(
        "  "
        + ", ".join(
            f"{many} at {name}" for name, many in sorted(Counter(g.process for g in guests).items())
        )
    )
    await asyncio.gather(*(guest.leave() for guest in guests if guest.visitor))


async def using(
    hall: Hall, report: Report, users: int, think: float, seconds: float, scene: str
) -> None:
    """A new run again and again."""
    report.section(f"using, {users} visitors, a new run every {think:g} s each, scene {scene}")
    links, guests = variations(SCENES[scene]), [Guest(hall) for _ in range(users)]
    for guest in guests:
        await guest.get("/")
        await (await guest.connect()).ask(next(links))
    cost, until = Cost(hall), time.perf_counter() + seconds
    used = await asyncio.gather(
        *(use(guest.visitor, links, think, until, k) for k, guest in enumerate(guests))
    )
    answers = list(itertools.chain.from_iterable(used))
    times = [1000 * answer.seconds for answer in answers]
    report.add("request to script finished, p50", median(times), "ms")
    report.add("request to script finished, p95", p95(times), "ms", most=300)
    report.add("requests a second", len(answers) / seconds, "/s")
    faults(report, [answer.fault for answer in answers])
    cost.add(report, len(answers), "a request")
    await asyncio.gather(*(guest.leave() for guest in guests))


async def killed(hall: Hall, report: Report, crowd: int) -> None:
    """One process goes; everybody is back at his step."""
    report.section(f"killed, {crowd} visitors, one of {len(hall.apps)} processes killed with -9")
    guests, links = [Guest(hall) for _ in range(crowd)], []
    for k, guest in enumerate(guests):
        links.append(LECTURE | {"t": str(10 + k)})
        await guest.get("/")
        await (await guest.connect()).ask(links[-1])
    victim = hall.apps[0]
    lost = [k for k, guest in enumerate(guests) if guest.process == "app-0"]
    start = time.perf_counter()
    os.kill(victim.pid, signal.SIGKILL)

    async def return_(k: int) -> tuple[float, str]:
        fault = await guests[k].back(links[k])
        wrong = fault or ("" if standing(guests[k].visitor) == links[k]["t"] else "another step")
        return time.perf_counter() - start, wrong

    found = await asyncio.gather(*(return_(k) for k in lost))
    report.add("visitors of that process", len(lost))
    report.add(
        "until one was back at his step, p50", median([seconds for seconds, _ in found]), "s"
    )
    report.add(
        "until all were back at their steps", max(seconds for seconds, _ in found), "s", most=10
    )
    kept = [await guests[k].visitor.ask(links[k]) for k in range(crowd) if k not in lost]
    faults(report, [fault for _, fault in found] + [answer.fault for answer in kept])
    while hall.log.read_text(errors="replace").count(" is back ") == 0:
        await asyncio.sleep(0.1)
    report.add("until the process was there again", time.perf_counter() - start, "s")
    await asyncio.gather(*(guest.leave() for guest in guests))


async def measure(hall: Hall, report: Report, given: argparse.Namespace) -> None:
    await opening(hall, report, given.crowd)
    await using(hall, report, given.users, given.think, given.seconds, given.scene)
    await killed(hall, report, given.crowd)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--crowd",
        type=int,
        default=200,
        help="who open the same link, and of whom a process is killed",
    )
    parser.add_argument("--users", type=int, default=60, help="who ask for new runs")
    parser.add_argument(
        "--think", type=float, default=2, help="mean seconds between an answer and the next request"
    )
    parser.add_argument("--seconds", type=float, default=60, help="how long these are measured")
    parser.add_argument("--scene", choices=SCENES, default="gaussian")
    given = parser.parse_args()
    report = Report("svmviz hall")
    with (
        tempfile.TemporaryDirectory() as folder,
        serve_hall(Path(folder, "output.txt"), given.processes) as hall,
    ):
        asyncio.run(measure(hall, report, given))
    report.close()


if __name__ == "__main__":
    main()
