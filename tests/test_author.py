"""The door for authors of solvers: what `svmviz new` writes works as it stands."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from svmviz import author, cli
from tests.tools.rotation import at_times

ROOT = Path(__file__).parents[1]
KEY = "stranger"


@pytest.fixture
def copy(tmp_path, monkeypatch) -> Path:
    """Return a copy of the checkout, in which `svmviz new` writes."""
    shutil.copytree(
        ROOT / "svmviz", tmp_path / "svmviz", ignore=shutil.ignore_patterns("__pycache__", "web")
    )
    (tmp_path / "tests" / "solvers").mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    monkeypatch.setattr(cli, "BESIDE", tmp_path)
    monkeypatch.setattr(cli, "PACKAGE", tmp_path / "svmviz")
    return tmp_path


@at_times(4)
def test_new_writes_a_solver_whose_test_passes(copy):
    assert cli.main(["new", KEY, "--title", "A stranger"]) == 0
    files = [copy / f"svmviz/solvers/{KEY}.py", copy / f"tests/solvers/test_{KEY}.py"]
    written = [*files, copy / "svmviz/solvers/__init__.py"]
    ruff = [sys.executable, "-m", "ruff"]
    for words in (["check", "--no-cache"], ["format", "--check", "--no-cache"]):
        done = subprocess.run([*ruff, *words, *written], cwd=copy, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", files[1]],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.parametrize(
    ("key", "answer"),
    [("pegasos", "exists"), ("bsgd", "exists"), ("A b", "lower-case")],
)
def test_new_refuses_a_key_that_cannot_be(copy, key, answer, capsys):
    assert cli.main(["new", key]) == 2
    assert answer in capsys.readouterr().err


def test_the_door_has_what_it_names():
    assert all(hasattr(author, name) for name in author.__all__)
