"""The app for a class: as many processes as there are processors, behind one door (HAProxy).

    python -m deploy.serve [--port 8501] [--processes 2] python -m deploy.serve --alone         one
    process without a door, for a cluster that has its own

Everything is imported, compiled and loaded once, before the door opens; the processes are copies of
this one, so that another is there at once when one has ended. A visitor stays with a process as
long as it lives, and is led to another one when it does not: what he looks at stands in the link.
"""

import argparse
import gc
import http.client
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from deploy.proxy import HEALTH, Place, config

ROOT = Path(__file__).parent.parent
PATIENCE = 60.0  # seconds until a process must have answered
SOON = 5.0  # seconds: one that ends before is given a pause of that length
MISSING = (
    "HAProxy is not installed, which leads visitors to the processes: apt-get install haproxy, or"
    " brew install haproxy. For one process without it: make run."
)


def warm() -> None:
    """Import, compile and load all that a visitor may ask for, and keep it out of the collector:
    who pays is this process.
    """
    from svmviz.ui.jobs.compiling import compilation

    compilation().join()
    gc.collect()
    gc.freeze()


def app(port: int, secret: str, address: str = "127.0.0.1") -> None:
    """Be one of the processes, until told to stop."""
    from streamlit import config as settings
    from streamlit.web import bootstrap

    script, options = (
        str(ROOT / "app.py"),
        {
            "server_port": port,
            "server_address": address,
            "server_headless": True,
            "logger_hideWelcomeMessage": True,
            "server_cookieSecret": (
                secret
            ),  # one for all: what one process has signed holds for the others
            "server_scriptHealthCheckEnabled": True,  # a first run of the script, see `visited`
        },
    )
    settings._main_script_path = script
    bootstrap.load_config_options(options)
    bootstrap.run_asgi_app(script, "app:app", [], options)


class Process:
    """A copy of this process that serves the app."""

    def __init__(self, name: str, port: int, secret: str):
        self.name, self.port, self.secret, self.pid, self.began = name, port, secret, 0, 0.0

    def start(self) -> None:
        self.began = time.monotonic()
        self.pid = os.fork()
        if self.pid:
            return
        code = 1
        try:
            for one in (signal.SIGTERM, signal.SIGINT):
                signal.signal(one, signal.SIG_DFL)
            app(self.port, self.secret)
            code = 0
        finally:
            os._exit(code)  # what ends with a process, such as folders, is the parent's

    def visited(self) -> bool:
        """Whether it answers: asked to run the script once, so that no visitor is its first."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self.alive():
            if answer(self.port, HEALTH) == b"ok":
                return answer(self.port, "/_stcore/script-health-check") == b"ok"
            time.sleep(0.02)
        return False

    def alive(self) -> bool:
        """Whether it has not ended; who has is left to be noticed by the parent."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None


class Door:
    """HAProxy, with a folder for what it reads."""

    name = "HAProxy"

    def __init__(self, command: str, place: Place, processes: list[Process]):
        self.port = int(place.bind.rpartition(":")[2])
        self.folder = tempfile.TemporaryDirectory(prefix="svmviz-")
        self.file, self.command, self.pid, self.began = (
            Path(self.folder.name, "haproxy.cfg"),
            command,
            0,
            0.0,
        )
        place = Place(**vars(place) | {"socket": f"unix@{self.folder.name}/parts.sock"})
        servers = {one.name: f"127.0.0.1:{one.port}" for one in processes}
        self.file.write_text(config(servers, place), encoding="utf-8")

    def start(self) -> None:
        self.began = time.monotonic()
        self.process = subprocess.Popen([self.command, "-db", "-f", self.file])
        self.pid = self.process.pid

    def visited(self) -> bool:
        """Whether it is open."""
        while self.process.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
            time.sleep(0.02)
        return False


def answer(port: int, path: str) -> bytes:
    """What a process says, or nothing."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        return connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return b""
    finally:
        connection.close()


def free_ports(many: int) -> list[int]:
    probes = [socket.socket() for _ in range(many)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def say(text: str) -> None:
    print(f"svmviz: {text}", flush=True)


def watch(running: list[Process | Door]) -> None:
    """Start again whoever ends, for ever."""
    while True:
        pid, status = os.wait()
        for one in running:
            if one.pid == pid:
                say(
                    f"{one.name} has ended ({os.waitstatus_to_exitcode(status)}) and is started"
                    " again"
                )
                time.sleep(SOON if time.monotonic() - one.began < SOON else 0)
                one.start()
                say(
                    f"{one.name} {'is back' if one.visited() else 'does not answer'} (process"
                    f" {one.pid})"
                )


def stop(running: list[Process | Door]) -> None:
    """The door first: nobody comes in any more."""
    left = [one.pid for one in reversed(running) if one.pid]
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + SOON
    while left:
        left = [pid for pid in left if not ended(pid)]
        if left and time.monotonic() > deadline:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)


def ended(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG) != (0, 0)
    except ChildProcessError:
        return True


def haproxy() -> str | None:
    """Where it is: distributions put it where only root looks."""
    return shutil.which("haproxy") or shutil.which(
        "haproxy", path="/usr/sbin:/usr/local/sbin:/opt/homebrew/bin"
    )


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument(
        "--address", default="", help="to listen at; all of this machine's if none is named"
    )
    parser.add_argument("--processes", type=int, default=cores())
    parser.add_argument(
        "--frames",
        default=Place.frames,
        help=(
            "sites that may show embed=true in a frame, such as "
            "'https://moodle.example.org'; any if none is named"
        ),
    )
    parser.add_argument(
        "--certificate", default="", help="file with certificate and key, for https"
    )
    parser.add_argument(
        "--behind",
        default="",
        help="addresses of a proxy before this one, whose X-Forwarded-For is true",
    )
    parser.add_argument("--alone", action="store_true", help="be one process, without HAProxy")
    given = parser.parse_args()
    secret = os.environ.get("SVMVIZ_SECRET") or secrets.token_urlsafe(32)
    if given.alone:
        warm()
        return app(given.port, secret, given.address or "0.0.0.0")
    if (command := haproxy()) is None:
        sys.exit(MISSING)
    place = Place(
        f"{given.address}:{given.port}",
        frames=given.frames,
        certificate=given.certificate,
        behind=given.behind,
    )
    processes = [
        Process(f"app-{k}", port, secret) for k, port in enumerate(free_ports(given.processes))
    ]
    door, running = Door(command, place, processes), []
    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, lambda *_: sys.exit(0))
    try:
        say("warming up")
        warm()
        for one in processes:
            one.start()
            running.append(one)
        for one in processes:
            if not one.visited():
                sys.exit(f"svmviz: {one.name} did not start")
            say(f"{one.name} is ready (process {one.pid}, port {one.port})")
        door.start()
        running.append(door)
        if not door.visited():
            sys.exit("svmviz: HAProxy did not start, for the reason above")
        scheme = "https" if given.certificate else "http"
        say(
            f"{given.processes} processes at {scheme}://{given.address or 'localhost'}:{given.port}"
        )
        watch(running)
    finally:
        stop(running)


if __name__ == "__main__":
    main()
