"""Which solvers are compiled, which are being compiled, and which come next.

Worker processes (`warm`), one per core, run each solver once and so fill numba's cache; the server
serves meanwhile, and reads what is there. Nothing is compiled twice (`dispatcher.Once`). A solver
that somebody waits for comes before the others.

    python -m svmviz.player.ready.compiling

compiles all of them, for a fresh installation.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import numba

from svmviz.maths.machine.jit import PACKAGE
from svmviz.player.ready import warm
from svmviz.solvers import SOLVERS
from svmviz.work.backend import cores

# First whose parts all others need, then those that take long: two processors end at about the same
# time.
FIRST = ("pegasos", "simba", "sbp", "bsgd", "incremental")
ORDER = (*FIRST, *(key for key in SOLVERS if key not in FIRST))


class Queue:
    """Solvers in the order in which they are to be compiled; without threads."""

    def __init__(self, keys: Iterable[str], ready: Iterable[str] = ()):
        self.ready = set(ready)
        self.waiting = [key for key in keys if key not in self.ready]
        self.wanted: list[str] = []  # by somebody who waits, whoever came first in front
        self.working: list[str] = []

    def ask(self, *keys: str) -> None:
        self.wanted += [key for key in keys if key in self.waiting and key not in self.wanted]

    def take(self) -> str | None:
        """The next one, which is being compiled from now on."""
        key = next((key for key in (*self.wanted, *self.waiting) if key in self.waiting), None)
        if key is not None:
            self.waiting.remove(key)
            self.working.append(key)
        return key

    def done(self, key: str) -> None:
        self.working.remove(key)
        self.ready.add(key)


class Worker:
    """A process that compiles."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", warm.__name__],
            cwd=PACKAGE.parent,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"NUMBA_CACHE_DIR": str(Path(numba.config.CACHE_DIR).absolute())},
        )

    def compile(self, key: str) -> bool:
        """Whether it could; if not, the process has ended and said why."""
        try:
            self.process.stdin.write(f"{key}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return False
        return self.process.stdout.readline().strip() == key

    def close(self) -> None:
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Compilation:
    """The queue, worked off by so many processes at a time, while anybody may look at it and wait.
    `load` brings a solver that is ready into this process; what no worker could compile it compiles
    here.
    """

    def __init__(
        self,
        queue: Queue,
        at_once: int,
        start: Callable[[], Worker] = Worker,
        load: Callable[[str], None] = lambda key: None,
        loaded: Callable[[], None] = lambda: None,
    ):
        self.queue, self.start, self.load, self.loaded = queue, start, load, loaded
        self.news = threading.Condition()
        many = min(at_once, len(queue.waiting))
        self.threads = [
            threading.Thread(target=self.work, name="compiling", daemon=True) for _ in range(many)
        ]
        self.loader = threading.Thread(target=self.bring, name="loading", daemon=True)
        for thread in (*self.threads, self.loader):
            thread.start()

    def ask(self, *keys: str) -> None:
        """Somebody waits for these."""
        with self.news:
            self.queue.ask(*keys)

    def ready(self, *keys: str) -> bool:
        """Whether these are compiled; all of them if none is named."""
        return self.queue.ready.issuperset(keys or ORDER)

    def wait(self, seconds: float) -> None:
        """Until there is news, or so long."""
        with self.news:
            self.news.wait(seconds)

    def join(self) -> None:
        """Until everything is compiled, and loaded."""
        self.loader.join()

    def work(self) -> None:
        worker = None
        while (key := self.next()) is not None:
            worker = worker or self.start()
            if not worker.compile(key):
                worker.close()
                worker = None
            with self.news:
                self.queue.done(key)
                self.news.notify_all()
        if worker:
            worker.close()

    def next(self) -> str | None:
        with self.news:
            return self.queue.take()

    def bring(self) -> None:
        """Load whatever becomes ready, one after the other."""
        here = set()
        while True:
            with self.news:
                self.news.wait_for(
                    lambda: (
                        self.queue.ready - here or not (self.queue.waiting or self.queue.working)
                    )
                )
                key = min(self.queue.ready - here, key=ORDER.index, default=None)
            if key is None:
                break
            self.load(key)
            here.add(key)
        self.loaded()


def compilation(**options) -> Compilation:
    """Begin with what is not in the cache yet."""
    return Compilation(
        Queue(ORDER, [key for key in ORDER if warm.mark(key).exists()]), cores(), **options
    )


def functions() -> tuple[int, int]:
    """Functions in the cache, and about how many there will be: some are compiled for two types,
    some for none.
    """
    known = sum(
        isinstance(value, numba.core.dispatcher.Dispatcher) and value.py_func.__module__ == name
        for name, module in tuple(sys.modules.items())
        if name.startswith("svmviz.")
        for value in tuple(vars(module).values())
    )
    return min(known, sum(1 for _ in Path(numba.config.CACHE_DIR).rglob("*.nbi"))), known


def main() -> None:
    under_way = compilation()
    while not under_way.ready():
        under_way.wait(0.5)
        done, known = functions()
        print(
            f"\rCompiling: {len(under_way.queue.ready)} of {len(ORDER)} solvers, {done} of about"
            f" {known} functions ",
            end="",
        )
    print("\rAll solvers are compiled." + " " * 40)


if __name__ == "__main__":
    main()
