"""The cache of compiled code: it follows every edit, and nobody else can put anything into it."""

import os
import shutil
import subprocess
import sys
import time

import numba
import pytest

import svmviz.estimators  # noqa: F401, all modules that compile are loaded then
from svmviz.maths.machine import jit
from svmviz.papers.sbp import figures  # noqa: F401
from tests.tools.rotation import at_times


def compiled() -> list[str]:
    """Files, below the package, that hold a compiled function."""
    found = {
        module.__file__
        for name, module in sys.modules.items()
        if name.startswith("svmviz.")
        for value in vars(module).values()
        if isinstance(value, numba.core.dispatcher.Dispatcher) and value.py_func.__module__ == name
    }
    return sorted(os.path.relpath(path, jit.PACKAGE) for path in found)


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package that may be edited."""
    copy = tmp_path_factory.mktemp("copy") / "svmviz"
    return shutil.copytree(jit.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))


def test_the_files_that_only_hold_short_functions_are_among_those_that_compile():
    short = {
        "maths/machine/exponentials.py",
        "maths/water/__init__.py",
        "solvers/sdca/algorithm.py",
        "solvers/pegasos/algorithm.py",
    }
    assert short <= {*compiled()}


@at_times(4)
def test_an_edit_of_a_file_with_compiled_code_changes_the_digest(package):
    """Of each file alone: the edits come one after the other, and no two states have the same
    digest.
    """
    names, digests = compiled(), [jit.source_digest(package)]
    assert len(names) > 50 and digests[0] == jit.source_digest()
    texts = {name: (package / name).read_text(encoding="utf-8") for name in names}
    for name, text in texts.items():
        (package / name).write_text(text + "\n# edited\n", encoding="utf-8")
        digests.append(jit.source_digest(package))
    unseen = [
        name
        for name, before, after in zip(names, digests[:-1], digests[1:], strict=True)
        if before == after
    ]
    assert unseen == [] and len(set(digests)) == len(digests)
    for name, text in texts.items():
        (package / name).write_text(text, encoding="utf-8")
    assert jit.source_digest(package) == digests[0]


@pytest.fixture
def read_only(monkeypatch, tmp_path):
    """An installation that cannot be written to, and a folder for temporary files of its own."""
    (tmp_path / "installed").write_text("a file, where no folder can be made, whoever asks")
    monkeypatch.setattr(jit, "PACKAGE", tmp_path / "installed")
    monkeypatch.setattr(jit.tempfile, "tempdir", str(tmp_path))
    return tmp_path / (f"svmviz-{os.getuid()}" if hasattr(os, "getuid") else "svmviz-user")


def test_a_read_only_installation_keeps_its_cache_in_a_folder_of_the_user(read_only):
    assert jit.cache_root() == read_only and jit.cache_root() == read_only
    assert read_only.stat().st_mode & 0o777 == 0o700


unix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and modes are those of Unix")


@unix
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o701])
def test_a_folder_that_others_can_get_into_is_refused(read_only, mode):
    read_only.mkdir()
    read_only.chmod(mode)
    assert jit.cache_root() != read_only and jit.cache_root().stat().st_mode & 0o777 == 0o700


@unix
def test_a_folder_of_somebody_else_is_refused(read_only, monkeypatch):
    read_only.mkdir(mode=0o700)
    monkeypatch.setattr(jit.os, "getuid", lambda: read_only.stat().st_uid + 1)
    (read_only.parent / f"svmviz-{jit.os.getuid()}").mkdir(
        mode=0o700
    )  # of the name that is looked for, not of this owner
    assert jit.cache_root().name != f"svmviz-{jit.os.getuid()}"


@unix
def test_a_link_to_a_folder_and_a_file_are_refused(read_only, tmp_path):
    (tmp_path / "mine").mkdir(mode=0o700)
    read_only.symlink_to(tmp_path / "mine", target_is_directory=True)
    assert jit.cache_root() not in (read_only, tmp_path / "mine")
    read_only.unlink()
    read_only.write_text("")
    assert jit.cache_root() != read_only


FIRST_USE = """
import pathlib, sys, time
from numba.core.dispatcher import Dispatcher
from svmviz.maths import kernels, matrix
pathlib.Path(sys.argv[1]).touch()
while not pathlib.Path(sys.argv[2]).exists():
    time.sleep(0.001)
kernels.gram(kernels.rbf(1.0), [[0.0], [1.0]])
known = [f for module in (matrix, kernels) for f in vars(module).values() if isinstance(f, Dispatcher)]
print(sum(sum(g.stats.cache_misses.values()) for f in known for g in (f, f.inner)))
"""


@pytest.mark.long
def test_what_two_processes_need_is_compiled_by_one_of_them(tmp_path):
    def compilations(cache: str, count: int) -> list[int]:
        """How many functions each of so many processes compiles that begin at the same time."""
        env = os.environ | {
            "NUMBA_CACHE_DIR": str(tmp_path / cache),
            "PYTHONPATH": str(jit.PACKAGE.parent),
        }
        (tmp_path / cache).mkdir()
        go, ready = tmp_path / f"{cache}-go", [tmp_path / f"{cache}-{k}" for k in range(count)]
        started = [
            subprocess.Popen(
                [sys.executable, "-c", FIRST_USE, str(mine), str(go)],
                env=env,
                text=True,
                stdout=subprocess.PIPE,
            )
            for mine in ready
        ]
        while not all(mine.exists() for mine in ready):
            assert all(process.poll() is None for process in started)
            time.sleep(0.01)
        go.touch()
        return [int(process.communicate()[0]) for process in started]

    (alone,) = compilations("one", 1)
    assert alone > 1 and sum(compilations("two", 2)) == alone
