"""Warm processes of this machine, one task at a time each, that can be ended in the midst of it.

They are copies of one process, the nursery, that has imported and loaded what they need, so that
another is there within milliseconds. One that is killed, or crashes, takes nothing with it but its
task. Whoever waits for a page comes before them.

`main` is the nursery, which carries out the calls that its command names and is told by its
standard input, a socket, when to make a copy. Where processes cannot be copied safely each is one
by itself, and finds whom it works for at SVMVIZ_HAND.
"""

import gc
import math
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

import cloudpickle

from svmviz.work import limits

NICE = 10  # by how much their priority is lower
LOOK = 1.0  # seconds between two looks at who works, and whether anybody is there to work for
STILL = 10.0  # seconds without the processor, after which a task hangs
START = 60.0  # seconds until a process must be there
TRIES = 3
LARGE = 600 * 2**20  # bytes that one may hold after its task and still be kept
COPIES = sys.platform == "linux"
PLACE = "SVMVIZ_HAND"  # where one that is no copy finds whom it works for, and the key to it
PACKAGE = Path(__file__).parents[1]
BEGUN, NEWS, VALUE, ERROR = range(4)
_WAY: list[Connection] = []  # to whom a process of this kind works for


class Died(RuntimeError):
    """The process ended before its task did."""


class NotBegun(Died):
    """The process ended before it was asked, so that another one can be."""


def tell(what: Any) -> None:
    """Say something of the task while it is carried out; where nobody listens, to nobody."""
    if _WAY:
        say(_WAY[0], NEWS, what)


# --- in the processes -----------------------------------------------------------------------------


def serve(connection: Connection) -> None:
    """Carry out what is asked for, as long as somebody is there to ask."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK)
        os._exit(0)

    threading.Thread(target=watch, name="watch", daemon=True).start()
    _WAY[:] = [connection]
    with suppress(EOFError, OSError):
        tell(os.getpid())
        while True:
            asked = connection.recv_bytes()
            say(connection, BEGUN, None)
            say(connection, *outcome(asked))


def say(connection: Connection, kind: int, what: Any) -> None:
    connection.send_bytes(cloudpickle.dumps((kind, what)))


def outcome(asked: bytes) -> tuple[int, Any]:
    """What a task returned, and whether its time was up; or what it raised."""
    try:
        task, seconds = pickle.loads(asked)
        with limits.within(limits.Limit(seconds)) as limit:
            value = task()
        return VALUE, (value, limit.struck)
    except Exception as error:
        error.__traceback__ = error.__context__ = error.__cause__ = None
        return ERROR, error


def nursery(door: socket.socket) -> None:
    """Make copies of this process as long as somebody wants them."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how they ended
    gc.freeze()
    while True:
        wanted, (*places,), *_ = socket.recv_fds(door, 1, 1)
        if not wanted:
            return
        if os.fork() == 0:
            door.close()
            try:
                serve(Connection(*places))
            finally:
                os._exit(0)
        os.close(*places)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # is for the server, whose end ends this
    if hasattr(os, "nice"):
        os.nice(NICE)
    for name in sys.argv[1:]:
        module, _, function = name.partition(":")
        getattr(import_module(module), function)()
    if place := os.environ.pop(PLACE, ""):
        address, key = place.split()
        serve(Client(address, authkey=bytes.fromhex(key)))
    else:
        door = socket.socket(fileno=os.dup(0))
        os.dup2(
            os.open(os.devnull, os.O_RDONLY), 0
        )  # a copy must not hold the other end of the door
        nursery(door)


# --- in the process that they work for ------------------------------------------------------------


class Nursery:
    """Where they come from."""

    def __init__(self, calls: tuple[str, ...]):
        self.command = [sys.executable, "-c", f"from {__name__} import main; main()", *calls]
        self.lock, self.door, self.process = threading.Lock(), None, None

    def born(self) -> tuple[Connection, int]:
        """A new one: the way to it, and its number."""
        for _ in range(TRIES):
            connection = self._copied() if COPIES else self._started()
            try:
                if connection.poll(START):
                    return connection, pickle.loads(connection.recv_bytes())[1]
            except (EOFError, OSError):
                pass
            connection.close()
            self.process.kill()  # whatever is wrong with it: the next one comes from another
        raise Died("no process for it could be started")

    def _copied(self) -> Connection:
        ours, theirs = socket.socketpair()
        with self.lock, theirs:
            try:
                self._ask(theirs)
            except OSError:  # it has ended, or never was
                if self.process is not None:
                    self.door.close()
                    self.process.kill()
                    self.process.wait()  # or it would stay in the list of processes
                self.door, stdin = socket.socketpair()
                with stdin:
                    self.process = subprocess.Popen(self.command, stdin=stdin, cwd=PACKAGE.parent)
                self._ask(theirs)
        return Connection(ours.detach())

    def _ask(self, theirs: socket.socket) -> None:
        if self.process is None or self.process.poll() is not None:
            raise BrokenPipeError
        socket.send_fds(self.door, [b"!"], [theirs.fileno()])

    def _started(self) -> Connection:
        key = os.urandom(16)
        with Listener(authkey=key) as door:
            self.process = subprocess.Popen(
                self.command,
                cwd=PACKAGE.parent,
                env=os.environ | {PLACE: f"{door.address} {key.hex()}"},
            )
            return door.accept()


class Hand:
    """One of them."""

    def __init__(self, nursery: Nursery):
        self.connection, self.pid = nursery.born()
        self.free = True  # whether it waits for a task

    @property
    def alive(self) -> bool:
        try:
            return self.free and not self.connection.poll()
        except OSError:
            return False

    def do(
        self, task: Callable[[], Any], seconds: float, told: Callable[[Any], None]
    ) -> tuple[Any, bool]:
        """What the task returns, and whether its time was up; what it raises is raised, and what it
        says meanwhile is told. One that hangs is ended: it uses no processor, or twice the time
        that it was given.
        """
        asked, self.free = cloudpickle.dumps((task, seconds)), False
        kind, what, begun = BEGUN, None, False
        try:
            self.connection.send_bytes(asked)
            before = moved = self.used(), time.monotonic()
            while kind in (BEGUN, NEWS):
                if kind == NEWS:
                    told(what)
                while not self.connection.poll(LOOK):
                    moved = self.moved(before, moved, seconds)
                (kind, what), begun = pickle.loads(self.connection.recv_bytes()), True
        except (EOFError, OSError) as error:
            raise (Died if begun else NotBegun)("the process that it ran in has ended") from error
        self.free = True
        if kind == ERROR:
            raise what
        return what

    def moved(
        self, before: tuple[float, float], last: tuple[float, float], seconds: float
    ) -> tuple[float, float]:
        """Seconds of the processor and of the clock when it moved last, which may be now; it is
        ended if it hangs.
        """
        used, now = self.used(), time.monotonic()
        if used > last[0]:
            last = used, now
        spent = now - before[1] if math.isnan(used) else used - before[0]
        why = (
            f"it did nothing for {STILL:g} seconds and was ended"
            if now - last[1] > STILL and not math.isnan(used)
            else (
                f"it did not end in twice the {seconds:g} seconds that it was given, and was ended"
                if spent > 2 * max(1.0, seconds)
                else ""
            )
        )
        if why:
            self.kill()
            raise Died(why)
        return last

    def used(self) -> float:
        """Seconds of the processor that it has used; not a number where the system does not say."""
        try:
            found = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(found[11]) + int(found[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            return float("nan")

    def holds(self) -> int:
        """Bytes of memory; 0 where the system does not say."""
        try:
            return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf(
                "SC_PAGE_SIZE"
            )
        except OSError:
            return 0

    def kill(self) -> None:
        """End it, whatever it does."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


class Hands:
    """So many are kept warm; there may be more while there is more to do. What they are copied from
    carries out these `calls` first, each as module:function.
    """

    def __init__(self, keep: int, *calls: str):
        self.keep, self.lock, self.idle = keep, threading.Lock(), []
        self.nursery = Nursery(calls)

    def take(self) -> Hand:
        """The one that was at work last, whose memory may know what is asked for; a new one if all
        are.
        """
        with self.lock:
            while self.idle:
                if (hand := self.idle.pop()).alive:
                    return hand
                hand.connection.close()
        return Hand(self.nursery)

    def give(self, hand: Hand) -> None:
        """It is done with its task, or not wanted any more."""
        with self.lock:
            if len(self.idle) < self.keep and hand.alive and hand.holds() < LARGE:
                self.idle.append(hand)
                return
        hand.kill()
        hand.connection.close()

    def do(
        self,
        task: Callable[[], Any],
        seconds: float = math.inf,
        told: Callable[[Any], None] = lambda what: None,
        taken: Callable[[Hand], None] = lambda hand: None,
    ) -> tuple[Any, bool]:
        """What a task returns, carried out by one of them, and whether its time was up. `taken`
        hears which, and may raise.
        """
        for left in reversed(range(TRIES)):
            hand = self.take()
            try:
                taken(hand)
                return hand.do(task, seconds, told)
            except NotBegun:  # it had ended when it was asked
                if not left:
                    raise
            finally:
                self.give(hand)
        raise AssertionError

    def call(self, act: Callable, *args: Any) -> Any:
        """What a function returns."""
        return self.do(partial(act, *args))[0]

    def warm(self) -> None:
        """Have those that are kept."""
        for hand in [self.take() for _ in range(self.keep)]:
            self.give(hand)
