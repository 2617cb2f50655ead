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
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numba

from svmviz.patched.dispatcher import Apart, Compiled

Function = TypeVar("Function", bound=Callable)
PACKAGE = Path(__file__).parents[2]


def source_digest(package: Path = PACKAGE) -> str:
    """Digest of every file of the package that may hold compiled code: who compiles must name this
    module, numba, or `svmviz.author`, which hands the decorators on.
    """
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        text = path.read_bytes()
        if b"jit" in text or b"numba" in text or b"svmviz.author" in text:
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
