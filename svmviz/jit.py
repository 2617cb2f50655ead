"""Compilation: `jit` for every compiled function.

numba's disk cache looks only at the file of the outer function: after an edit to a helper in another file the
caller would go on returning old results. The cache folder is therefore named by a digest of all files that hold
compiled code. No `fastmath` and no `parallel`: a trace must be the same, digit for digit, on every run.
"""

import hashlib
import shutil
import tempfile
from pathlib import Path

import numba

PACKAGE = Path(__file__).parent


def source_digest() -> str:
    """Digest of every file of the package that holds compiled code."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_bytes()
        if b"@jit" in text or path.name == "jit.py":
            digest.update(path.name.encode() + b"\0" + text)
    return digest.hexdigest()[:12]


def cache_folder() -> Path:
    """A writable folder for this digest; folders of earlier digests are removed."""
    name = f"numba-{source_digest()}"
    for root in (PACKAGE / "__pycache__", Path(tempfile.gettempdir()) / "svmviz"):
        try:
            (root / name).mkdir(parents=True, exist_ok=True)
        except OSError:  # a read-only installation: try the next place
            continue
        for old in root.glob("numba-*"):
            if old.name != name:
                shutil.rmtree(old, ignore_errors=True)
        return root / name
    raise RuntimeError("svmviz found no writable folder for compiled code; set NUMBA_CACHE_DIR to one")


if not numba.config.CACHE_DIR:
    numba.config.CACHE_DIR = str(cache_folder())

jit = numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=True)  # said aloud: else `bare` callers would decide it
# For functions that neither make an array nor return one: nobody counts the arrays that they are handed, which in a short
# function takes longer than the work. One that does make an array is refused when it is compiled.
bare = numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False)
