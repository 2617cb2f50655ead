"""Compile, or load from the cache, whatever a run on the stage calls, so that nobody waits for it.

    python -m svmviz.player.warm

does so on all cores, for a fresh installation.
"""

import os
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context

from svmviz import reference
from svmviz.core import make_problem
from svmviz.parts import rbf
from svmviz.player import wire
from svmviz.solvers import SOLVERS


def show(key: str) -> None:
    """A short run of one solver with either kernel, packed for the stage."""
    problem = make_problem([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]], [1, 1, -1, -1])
    for kernel in (None, rbf(1.0)):
        own = {"kernel": kernel} if kernel and any(p.name == "kernel" for p in SOLVERS[key].params) else {}
        wire.pack(SOLVERS[key].trace(problem, steps=2, **own))
        reference.optimum(problem, lam=0.1, kernel=kernel)


@lru_cache(maxsize=1)
def warm_up() -> None:
    """All of it in this process; safe to call from a thread."""
    for key in SOLVERS:
        show(key)


if __name__ == "__main__":
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        list(pool.map(show, reversed(SOLVERS)))  # the last ones take longest to compile
