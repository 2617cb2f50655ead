"""Run every solver once, so that what a run on the stage calls is compiled, or loaded from the
cache.

    python -m svmviz.player.ready.warm

is a worker of `compiling`: it compiles the solvers that are named on its standard input, and says
which are done.
"""

import gc
import hashlib
import os
import queue
import signal
import sys
import threading
from pathlib import Path

import numba
from numba.core.registry import cpu_target

from svmviz.data.problem import make_problem
from svmviz.maths.kernels import rbf
from svmviz.maths.machine.jit import source_digest
from svmviz.player.wire import run
from svmviz.solvers import SOLVERS
from svmviz.theory import reference

COPIES = 4  # of four points: as many as a mini-batch has by default, and some more


def show(key: str) -> None:
    """A short run of one solver with either kernel, and another loss than the hinge, packed for the
    stage.
    """
    problem = make_problem(
        COPIES * [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]], COPIES * [1, 1, -1, -1]
    )
    for kernel in (None, rbf(1.0)):
        other = {"kernel": kernel, "loss": "logistic"} if kernel else {}
        own = {
            p.name: other[p.name]
            for p in SOLVERS[key].params
            if p.name in other and p.accepts(other[p.name])
        }
        run.pack(SOLVERS[key].trace(problem, steps=2, **own))
        reference.optimum(problem, lam=0.1, kernel=kernel)


def mark(key: str) -> Path:
    """The file that says that this solver is in the cache, compiled from these sources for this
    processor.
    """
    made_of = (
        f"{source_digest()} {numba.__version__} {sys.version}"
        f" {cpu_target.target_context.codegen().magic_tuple()}"
    )
    return Path(
        numba.config.CACHE_DIR, f"ready-{key}-{hashlib.sha256(made_of.encode()).hexdigest()[:12]}"
    )


def load() -> None:
    """Load all that is in the cache."""
    for key in SOLVERS:
        if mark(key).exists():
            show(key)


def work() -> None:
    """Compile what is asked for, until standard input ends: then whoever asked is gone, and nobody
    waits for the rest.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # is for the server, whose end ends this
    gc.disable()  # a compiler makes millions of objects, and what it keeps is in use to the end
    asked = queue.SimpleQueue()
    threading.Thread(target=listen, args=(asked,), daemon=True).start()
    while True:
        key = asked.get()
        show(key)
        mark(key).touch()
        print(key, flush=True)


def listen(asked: queue.SimpleQueue) -> None:
    for line in sys.stdin:
        asked.put(line.strip())
    os._exit(0)


if __name__ == "__main__":
    work()
