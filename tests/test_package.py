"""Installed as a package: what travels, what it asks for, and the command line."""

import os
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from svmviz import cli
from svmviz.record import metrics
from svmviz.run.recipe import from_query

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.long
RUN = ["data=moons", "n=50", "solver=sbp", "T=20"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The package as pip would install it, in a folder of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    subprocess.run([*build, "--wheel-dir", folder, ROOT], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "site")
    return folder / "site"


def test_all_that_the_app_needs_is_in_the_package(installed):
    there = {
        path.relative_to(installed / "svmviz").as_posix()
        for path in (installed / "svmviz").rglob("*")
        if path.is_file()
    }
    kept = {".py", ".js", ".css", ".md", ".png", ".svg", ".bin", ".json", ".typed"}
    here = {
        path.relative_to(ROOT / "svmviz").as_posix()
        for path in (ROOT / "svmviz").rglob("*")
        if path.suffix in kept and "__pycache__" not in path.parts
    }
    assert here <= there
    pages = {f"app/pages/{path.name}" for path in (ROOT / "pages").glob("*.py")}
    assert pages | {"app/app.py", "app/.streamlit/config.toml"} <= there
    assert not list(installed.rglob("__pycache__"))
    assert not any(
        path.parts[0] in ("tests", "benchmarks", "pages")
        for path in (Path(p).relative_to(installed) for p in installed.rglob("*.py"))
    )


def test_it_asks_for_what_the_one_list_of_versions_says(installed):
    (found,) = installed.glob("*.dist-info/METADATA")
    name = "Requires-Dist: "
    asked = [
        line.removeprefix(name) for line in found.read_text().splitlines() if line.startswith(name)
    ]
    always = {line.partition("~")[0] for line in asked if "extra ==" not in line}
    assert always == {
        "numpy",
        "scipy",
        "numba",
        "scikit-learn",
        "joblib",
        "cloudpickle",
        "threadpoolctl",
    }
    listed = [
        line.partition("  #")[0].partition(";")[0]
        for line in (ROOT / "requirements.txt").read_text().splitlines()
    ]
    assert {line for line in listed if line and not line.startswith("#")} == {
        line.partition(";")[0].strip() for line in asked
    }


def test_an_installation_gives_the_same_run(installed, tmp_path):
    env = os.environ | {
        "PYTHONPATH": str(installed),
        "NUMBA_DISABLE_JIT": "1",
    }  # other files: all would be compiled anew
    said = subprocess.run(
        [sys.executable, "-m", "svmviz.cli", "trace", *RUN],
        cwd=tmp_path,
        env=env,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert said == metrics.to_csv(from_query(cli.query(RUN))[0].trace())
    where = "import svmviz, sys; print(svmviz.__file__, 'streamlit' in sys.modules)"
    said = subprocess.run(
        [sys.executable, "-c", where],
        cwd=tmp_path,
        env=env,
        check=True,
        capture_output=True,
        text=True,
    )
    assert said.stdout.split() == [str(installed / "svmviz" / "__init__.py"), "False"]


def test_a_run_is_saved(tmp_path, capsys):
    link = f"http://localhost:8501/?{'&'.join(RUN)}&t=7&beat=draw"
    assert cli.main(["trace", link, "--out", str(tmp_path / "run.npz")]) == 0
    assert cli.main(["trace", link, "--out", str(tmp_path / "run.csv")]) == 0
    assert cli.main(["trace", link]) == 0
    trace = from_query(cli.query(RUN))[0].trace()
    saved = np.load(tmp_path / "run.npz")
    assert np.array_equal(saved["drawn"], trace.drawn) and np.array_equal(
        saved["level"], trace.metrics["level"]
    )
    assert (tmp_path / "run.csv").read_text() == capsys.readouterr().out == metrics.to_csv(trace)


def test_the_package_is_the_command_where_none_is_installed(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["svmviz", "trace", *RUN])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("svmviz", run_name="__main__")
    assert not ended.value.code and capsys.readouterr().out == metrics.to_csv(
        from_query(cli.query(RUN))[0].trace()
    )


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["trace", "data=nothing"], "must be one of"),
        (["trace", "T=0"], "T must lie in"),
        (["trace", "foo=1"], "means nothing"),
        (["trace", "data=digits", "n=1700", "T=20000", "solver=simba", "exact_p=1"], "allows"),
        (["bench", "none"], "name one of"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_said(words, answer, capsys):
    assert cli.main(words) == 2
    assert answer in capsys.readouterr().err


def test_options_go_to_streamlit_and_to_benchmarks(monkeypatch):
    ran = []
    monkeypatch.setattr(
        cli.subprocess,
        "run",
        lambda words, **_: ran.append(words) or subprocess.CompletedProcess(words, 0),
    )
    assert (
        cli.main(["app", "--server.port", "8600"])
        == 0
        == cli.main(["bench", "peers", "--only", "row"])
    )
    assert ran[0][1:] == ["-m", "streamlit", "run", str(ROOT / "app.py"), "--server.port", "8600"]
    assert ran[1][1:] == ["-m", "benchmarks.solvers.peers", "--only", "row"]
