"""numba's dispatcher, mended where many small compiled functions call each other.

A function that others call is optimised once, as a part of its callers, and gets its ways in from
Python only when Python calls it. Of several processes one compiles it and the others wait.

Needs, of numba 0.68: `CPUDispatcher` with `enable_caching`, `compile`, `overloads`,
`get_call_template`, `get_overload` and the argument `pipeline_class`; `Compiler(typingctx,
targetctx, library, ...)`; `JITCodeLibrary._optimize_final_module`, which numba calls once for each
library; the target options `no_cpython_wrapper` and `no_cfunc_wrapper`.
Without it: `numba.njit(cache=True)` gives the same numbers, but compiling takes twice as long, and
processes that start together compile the same functions.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import FunctionType

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature

try:
    import fcntl
except ImportError:
    fcntl = None


class Part(JITCodeLibrary):
    """Code that is optimised with those that call it, as a part of them, and not by itself
    before.
    """

    def _optimize_final_module(self) -> None:
        pass


class PartCompiler(Compiler):
    def __init__(self, typingctx, targetctx, library, *options):
        part = Part(targetctx.codegen(), "part")
        part.enable_object_caching()
        super().__init__(typingctx, targetctx, part, *options)


class Once(CPUDispatcher):
    """A function that is compiled by one process, while any other that needs it waits and reads it
    from the cache. A function is locked before those that it calls, and none calls itself by way of
    others: no two can wait for each other.
    """

    def __init__(self, py_func, **options):
        super().__init__(py_func, **options)
        self.enable_caching()

    def compile(self, sig):
        args, _ = normalize_signature(sig)
        if tuple(args) in self.overloads:
            return super().compile(sig)
        with global_compiler_lock, locked(f"{self.py_func.__module__}.{self.py_func.__qualname__}"):
            return super().compile(sig)


@contextmanager
def locked(name: str) -> Iterator[None]:
    """No other process is in a block of this name."""
    if fcntl is None:  # Windows: what two compile at the same time is compiled twice
        yield
        return
    with Path(numba.config.CACHE_DIR, f"{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


class Compiled(Once):
    """A function as Python calls it. Other compiled functions call `inner`, the same as a part of
    them, without the ways in from Python: most functions here are called by compiled ones only, and
    this takes half of the time.
    """

    part: type[Compiler] = PartCompiler

    @cached_property
    def inner(self) -> Once:
        within = FunctionType(
            self.py_func.__code__,
            self.py_func.__globals__,
            self.py_func.__name__,
            self.py_func.__defaults__,
        )
        within.__module__ = self.py_func.__module__
        within.__qualname__ = f"{self.py_func.__qualname__}.inner"  # names its files in the cache
        closed = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return Once(within, targetoptions=self.targetoptions | closed, pipeline_class=self.part)

    def get_call_template(self, args, kws):
        return self.inner.get_call_template(args, kws)

    def get_overload(self, sig):
        return self.inner.get_overload(sig)


class Apart(Compiled):
    """The same, optimised by itself and not as a part of its callers."""

    part = Compiler
