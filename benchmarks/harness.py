"""What benchmarks and browser tests stand on: the app on a free port, a browser to look at it, and
a table that judges every figure against its budget.
"""

import http.client
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).parent.parent
START_SECONDS = 60
WIDTH = 64  # of the first column of the table
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-background-networking"
    " --disable-component-update --disable-sync --no-first-run --font-render-hinting=none"
).split()


class Server(NamedTuple):
    """A running app."""

    port: int
    pid: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cpu_seconds(self) -> float:
        """Processor time used so far, by all threads."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # utime and stime

    def resident(self) -> float:
        """Memory held, in bytes."""
        status = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return 1024 * int(next(line for line in status if line.startswith("VmRSS")).split()[1])


@contextmanager
def serve(log: Path | None = None, port: int = 0) -> Iterator[Server]:
    """The app, started for this block on a port, a free one by default, and healthy when the block
    begins; what it prints goes to `log`.
    """
    port = port or free_port()
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "app.py",
        "--server.headless",
        "true",
        "--server.address",
        "127.0.0.1",
        "--server.port",
        str(port),
    ]
    with log.open("w+b") if log else tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
        try:
            deadline = time.monotonic() + START_SECONDS
            while not healthy(port):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(
                        f"The server was not up after {START_SECONDS} s, or ended before"
                    )
                time.sleep(0.02)
            yield Server(port, process.pid)
        finally:
            if process.poll() is not None:  # else one would only hear that a connection was refused
                output.seek(0)
                print(
                    "The server ended with code"
                    f" {process.returncode}:\n{output.read().decode(errors='replace')}"
                )
            stop(process)


class Hall(NamedTuple):
    """The app as `make serve` runs it: some processes behind a proxy."""

    port: int
    pid: int
    apps: list[Server]
    log: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def proxy(self) -> Server:
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return Server(
            self.port,
            next(
                int(pid) for pid in children if "haproxy" in Path(f"/proc/{pid}/comm").read_text()
            ),
        )


@contextmanager
def serve_hall(log: Path, processes: int = 2) -> Iterator[Hall]:
    """The app behind its proxy, started for this block; what all of it prints goes to `log`."""
    port = free_port()
    with log.open("wb") as output:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "deploy.serve",
                "--address",
                "127.0.0.1",
                "--port",
                str(port),
                "--processes",
                str(processes),
            ],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            deadline = time.monotonic() + START_SECONDS
            while " processes at " not in log.read_text(errors="replace"):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(
                        f"The hall was not open after {START_SECONDS}"
                        f" s:\n{log.read_text(errors='replace')}"
                    )
                time.sleep(0.02)
            ready = re.findall(
                r"is ready \(process (\d+), port (\d+)\)", log.read_text(errors="replace")
            )
            yield Hall(port, process.pid, [Server(int(port), int(pid)) for pid, port in ready], log)
        finally:
            stop(process)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def stop(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def healthy(port: int) -> bool:
    connection = http.client.HTTPConnection(
        "127.0.0.1", port, timeout=2
    )  # knows no proxies, unlike urllib
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().read() == b"ok"
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def chromium() -> str | None:
    """Where the browser is: the one without windows first, which is the same with a fifth less to
    do.
    """
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return os.environ.get("SVMVIZ_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


class Report:
    """A table that grows as figures come in, and in the end names the budgets that were missed."""

    def __init__(self, title: str):
        self.heading, self.missed = "", []
        print(
            f"{title}\n{os.cpu_count()} cores, load average {load()}, Python"
            f" {platform.python_version()}\n"
        )
        print(f"{'quantity':{WIDTH}} {'measured':>14}   {'budget':>12}   verdict")

    def section(self, title: str) -> None:
        self.heading = title.partition(",")[0]
        print(f"-- {title} ".ljust(WIDTH + 41, "-"), flush=True)

    def add(
        self,
        quantity: str,
        measured: float,
        unit: str = "",
        *,
        most: float | None = None,
        least: float | None = None,
    ) -> None:
        """One line; without a budget the figure is there to explain the others."""
        budget, verdict = "", ""
        if most is not None or least is not None:
            budget = (
                f"<= {number(most)} {unit}" if most is not None else f">= {number(least)} {unit}"
            )
            kept = (
                measured <= most if most is not None else measured >= least
            )  # not-a-number keeps no budget
            verdict = "ok" if kept else "over" if most is not None else "under"
            if not kept:
                self.missed.append(
                    f"{self.heading}: {quantity}: {number(measured)} {unit}, budget {budget}"
                )
        print(
            f"{quantity:{WIDTH}} {f'{number(measured)} {unit}':>14}   {budget:>12}   {verdict}".rstrip(),
            flush=True,
        )

    def note(self, text: str) -> None:
        print(text, flush=True)

    def close(self) -> None:
        print(f"\nload average at the end: {load()}")
        print("all budgets kept" if not self.missed else "missed:\n  " + "\n  ".join(self.missed))


def number(value: float) -> str:
    """Three digits that matter; whole from 100 on."""
    return f"{value:,.0f}".replace(",", " ") if abs(value) >= 100 else f"{value:.3g}"


def load() -> str:
    return " ".join(f"{average:.2f}" for average in os.getloadavg())


def median(values) -> float:
    return float(np.median(values)) if len(values) else float("nan")


def p95(values) -> float:
    return float(np.percentile(values, 95)) if len(values) else float("nan")
