"""Compilation: `jit` for every compiled function.

numba's disk cache looks only at the file of the outer function: after an edit to a helper in
another file the caller would go on returning old results. The cache folder is therefore named by a
digest of all files that hold compiled code. No `fastmath` and no `parallel`: a trace must be the
same, digit for digit, on every run.
"""

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import TypeVar

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

Function = TypeVar("Function", bound=Callable)
PACKAGE = Path(__file__).parents[2]


def source_digest(package: Path = PACKAGE) -> str:
    """Digest of every file of the package that may hold compiled code: who compiles must name this
    module, or numba.
    """
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        text = path.read_bytes()
        if b"jit" in text or b"numba" in text:
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + text)
    return digest.hexdigest()[:12]


def writable(folder: Path) -> bool:
    """Whether a file can be made in a folder, which is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def private(folder: Path) -> bool:
    """Whether a folder in a place that everybody may write to, made if it is not there, is ours
    alone: what the cache holds is run, so nobody else may have put it there.
    """
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):  # Windows: the folder for temporary files is the user's own
        return stat.S_ISDIR(found.st_mode)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def cache_root() -> Path:
    """A folder for compiled code that only the owner of the installation, or else this user, can
    write to.
    """
    if writable(PACKAGE / "__pycache__"):
        return PACKAGE / "__pycache__"
    user = os.getuid() if hasattr(os, "getuid") else "user"
    own = Path(tempfile.gettempdir()) / f"svmviz-{user}"
    return own if private(own) and writable(own) else Path(tempfile.mkdtemp(prefix="svmviz-"))


def cache_folder() -> Path:
    """The folder for this digest; folders of earlier digests are removed."""
    root = cache_root()
    folder = root / f"numba-{source_digest()}"
    folder.mkdir(exist_ok=True)
    for old in root.glob("numba-*"):
        if old.name != folder.name:
            shutil.rmtree(old, ignore_errors=True)
    return folder


if not numba.config.CACHE_DIR:
    numba.config.CACHE_DIR = str(cache_folder())


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


def compiled(kind: type[Compiled] = Compiled, **options) -> Callable[[Function], Function]:
    """A decorator that compiles with these options of numba's. To a type checker the function stays
    what it is.
    """
    if numba.config.DISABLE_JIT:
        return lambda py_func: py_func
    always = {"nopython": True, "boundscheck": None, "nogil": True, "error_model": "numpy"}
    return lambda py_func: kind(py_func, targetoptions=always | options)


jit = compiled(_nrt=True)  # said aloud: else `bare` callers would decide it
# For functions that neither make an array nor return one: nobody counts the arrays that they are
# handed, which in a short function takes longer than the work. One that does make an array is
# refused when it is compiled.
bare = compiled(_nrt=False)
# For long loops over arrays, such as those of kernels: within a large caller a compiler gives up
# what it does for them alone.
loop = compiled(Apart, _nrt=False)
