"""Runs in files: what an estimator kept opens in the app as the same run."""

import io
import json
import os
import subprocess
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp

from svmviz import cli
from svmviz.data import many_classes, plane, targets
from svmviz.estimators import PegasosClassifier
from svmviz.run import saved, saving
from svmviz.solvers import SOLVERS
from tests.tools import forked
from tests.tools.variants import seldom

X, Y = plane.moons(n=60, noise=0.2, seed=1)
SHOWN = """
import json, sys
from svmviz.run.recipe import SOURCES, from_query
recipe, messages = from_query(json.loads(sys.argv[1]))
trace = recipe.checked().trace()
print(json.dumps([messages, SOURCES["run"].title, trace.steps, trace.f(trace.steps, trace.problem.X).ravel().tolist()]))
"""


def shown(path):
    """What an app that was started with a file makes of its link"""
    _, query = saved.load(path)
    return json.loads(
        forked.run(SHOWN, json.dumps(query), env=os.environ | {saved.ENVIRONMENT: str(path)}).stdout
    )


@pytest.mark.parametrize("sparse", seldom([True, False]))
def test_what_an_estimator_kept_is_the_same_run_in_the_app(tmp_path, sparse):
    model = PegasosClassifier(
        lam=0.02, kernel="rbf(gamma=2.0)", steps=80, random_state=7, trace=True
    )
    model.fit(sp.csr_array(X) if sparse else X, np.where(Y > 0, "yes", "no"))
    link = saving.save(model.trace_, tmp_path / "run.npz")
    messages, title, steps, f = shown(tmp_path / "run.npz")
    assert not messages and title == "Your run: run.npz" and steps == 80 and "data=run" in link
    assert f == model.trace_.f(80, X).ravel().tolist()


@pytest.mark.parametrize(
    ("key", "problem"),
    [("bsgd", many_classes.pinwheel(n=60, classes=3)), ("svr", targets.sine(n=40))],
)
def test_classes_and_targets_stay_what_they_are(tmp_path, key, problem):
    solver = (
        SOLVERS[key] if key in SOLVERS else next(one for one in SOLVERS.values() if one.space.real)
    )
    saving.save(solver.trace(problem, 20), tmp_path / "run.npz")
    found, query = saved.load(tmp_path / "run.npz")
    assert (
        np.array_equal(found.X, problem.X)
        and np.array_equal(found.y, problem.y)
        and found.classes == problem.classes
    )
    assert found.real == problem.real and query["solver"] == solver.key


def test_what_cannot_be_shown_is_refused(tmp_path):
    trace = SOLVERS["pegasos"].trace(plane.moons(n=40), 30, changes=[(10, {"lam": 0.5})])
    with pytest.raises(ValueError, match="change on the way"):
        saving.save(trace, tmp_path / "run.npz")
    wide = plane.Problem(
        np.zeros((600, 1000)) + np.arange(600)[:, None] % 2, np.where(np.arange(600) % 2, 1.0, -1.0)
    )
    with pytest.raises(ValueError, match="at most 500000 values"):
        saving.save(SOLVERS["pegasos"].trace(wide, 5), tmp_path / "run.npz")
    for name, data in (("a.npz", b"no run"), ("b.npz", b"")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ValueError, match="is no run that was saved"):
            saved.load(tmp_path / name)
    np.savez(tmp_path / "c.npz", X=np.array([{"a": 1}], dtype=object))
    with pytest.raises(ValueError, match="is no run that was saved"):
        saved.load(tmp_path / "c.npz")


WHOLE = {"X": X, "y": Y, "kind": "two", "query": "{}"}


@pytest.mark.parametrize(
    "other",
    [
        {"query": "[1, 2]"},
        {"query": "5"},
        {"query": 100_000 * "["},
        {"query": "{"},
        {"kind": "three"},
        {"y": Y[:-1]},
        {"X": X[0]},
        {"X": np.array(["a"])},
        {"y": np.full(60, np.nan)},
        {"X": np.zeros(0)},
        {"X": None, "data": X[0], "indices": np.arange(2), "indptr": np.arange(3), "shape": 7},
    ],
    ids=lambda other: ", ".join(f"{name} {str(value)[:12]}" for name, value in other.items()),
)
def test_whatever_a_file_holds_it_is_a_run_or_refused(tmp_path, other):
    np.savez(
        tmp_path / "run.npz",
        **{name: value for name, value in (WHOLE | other).items() if value is not None},
    )
    with pytest.raises(ValueError, match=r"run\.npz is no run that was saved: \S"):
        saved.load(tmp_path / "run.npz")


def test_a_file_that_claims_to_be_larger_than_any_memory_is_refused(tmp_path):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f8", "fortran_order": False, "shape": (10**12, 14)}
    )
    with zipfile.ZipFile(tmp_path / "run.npz", "w") as file:
        file.writestr("X.npy", header.getvalue() + bytes(64))
    with pytest.raises(ValueError, match=r"run\.npz is no run that was saved: \S"):
        saved.load(tmp_path / "run.npz")


def test_the_command_prints_the_link_and_names_the_file(tmp_path, monkeypatch, capsys):
    saving.save(SOLVERS["pegasos"].trace(plane.moons(n=40), 30), tmp_path / "run.npz")
    ran = []
    monkeypatch.setattr(
        cli.subprocess,
        "run",
        lambda words, env: ran.append(env) or subprocess.CompletedProcess(words, 0),
    )
    assert cli.main(["app", "--run", str(tmp_path / "run.npz")]) == 0
    assert (
        ran[0][saved.ENVIRONMENT] == str(tmp_path / "run.npz")
        and "/?data=run&solver=pegasos" in capsys.readouterr().out
    )
    assert (
        cli.main(["app", "--run", str(tmp_path / "none.npz")]) == 2
        and "is no run" in capsys.readouterr().err
    )
