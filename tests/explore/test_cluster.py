"""A real Dask cluster: a scheduler and two workers in processes of their own, and the command line
on it.
"""

import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from svmviz import cli
from svmviz.explore import results, specfile
from svmviz.explore import rows as store
from svmviz.explore.axes import Axis
from svmviz.explore.engine import Live, dask, sweep
from svmviz.explore.spec import Spec
from svmviz.explore.table import Table
from svmviz.papers import catalogue
from svmviz.papers.evidence import recording
from svmviz.run.recipe import Recipe
from svmviz.work.processes import Local
from tests.explore.here import Here
from tests.tools.rotation import by_turns

RECIPE = Recipe("moons", {"n": 60, "noise": 0.3}, params={"kernel": "rbf(gamma=2.0)"}, steps=100)
SPEC = Spec(
    RECIPE, (Axis("lam", 1e-3, 1.0, 5), Axis("gamma", 0.1, 10.0, 5)), (0, 1, 2, 3), 6
).checked()
LONG = Spec(
    RECIPE, (Axis("lam", 1e-3, 1.0, 31), Axis("gamma", 0.1, 10.0, 31)), tuple(range(100)), 5
).checked()
FIGURE = "simba.figure1.rare"  # with tuned rivals that its runs keep
SVMVIZ = [sys.executable, "-m", "svmviz.cli"]


@pytest.fixture(scope="module")
def address():
    process = subprocess.Popen(
        [*SVMVIZ, "cluster", "--workers", "2"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "SVMVIZ_DATA": "/nowhere"},
    )
    yield process.stdout.readline().strip()
    process.terminate()
    process.wait()


def same(mine: Table, theirs: Table) -> bool:
    """To the last bit, but for the time that it took."""
    return all(
        np.array_equal(values, mine.values[name], equal_nan=True)
        for name, values in theirs.values.items()
        if name != "seconds"
    )


def until(condition) -> None:
    while not condition():
        time.sleep(0.01)


@pytest.mark.long
def test_a_cluster_gives_the_same_rows_whatever_happens_to_it(
    address, tmp_path, monkeypatch, capsys
):
    """One test, as the cluster is one."""
    here, backend = Table(SPEC, store.joined(sweep(SPEC, Here()))), dask(address)
    assert backend.width == 2
    assert same(Table(SPEC, store.joined(sweep(SPEC, backend))), here)
    monkeypatch.setattr(cli, "compile_all", lambda: None)
    with_figures_of_papers(address, tmp_path, capsys)
    left_by_a_cancelled_sweep(backend)
    after_the_loss_of_a_worker(backend, here)
    backend.close()
    by_the_command_line(address, tmp_path, here)


def with_figures_of_papers(address: str, tmp_path, capsys) -> None:
    """Recorded on threads, in a process and on the cluster: the same to the last bit. A worker says
    what data it has not.
    """
    record = ["papers", "record", "--seeds", "1", "--only", FIGURE]
    assert cli.main([*record, "--out", str(tmp_path / "here")]) == 0
    assert (
        cli.main([*record, "sbp.figure2.a9a", "--out", str(tmp_path / "there"), "--dask", address])
        == 0
    )
    assert re.search(
        "sbp.figure2.a9a: left out, /nowhere on .* has no a9a; put the files there",
        capsys.readouterr().out,
    )
    one, process = catalogue.EXPERIMENTS[FIGURE], Local(1)
    here, there = (recording.read(one, tmp_path / place) for place in ("here", "there"))
    beside = catalogue.record(one._replace(seeds=1), process)
    for hand in process.hands.idle:
        hand.kill()
    packed = [recording.pack(found.found, one.kinds) for found in (here, there, beside)]
    assert (
        here.seeds == 1
        and packed[0] == packed[1] == packed[2]
        and not (tmp_path / "there/sbp.figure2.a9a.json").exists()
    )


def left_by_a_cancelled_sweep(backend) -> None:
    live = Live(LONG, backend)
    until(lambda: live.parts)
    live.cancel()
    live.thread.join()
    assert live.error is None and 0 < len(live.since(0)[0]) < LONG.fits
    until(
        lambda: (
            not backend.client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))
        )
    )


def after_the_loss_of_a_worker(backend, here: Table) -> None:
    workers = backend.client.run(os.getpid)
    live = Live(SPEC, backend)
    until(lambda: live.parts)
    os.kill(next(iter(workers.values())), signal.SIGKILL)
    live.thread.join()
    assert live.error is None and len(live.since(0)[0]) == SPEC.fits
    assert same(Table(SPEC, live.since(0)[0]), here)


def by_the_command_line(address: str, tmp_path, here: Table) -> None:
    """Killed in the middle and begun again: the same table, and what was done is not done again."""
    (tmp_path / "spec.toml").write_text(specfile.write(SPEC))
    out = tmp_path / "out.parquet"
    command = [*SVMVIZ, "sweep", str(tmp_path / "spec.toml"), "--out", str(out), "--dask", address]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    journal = results.Journal(out)
    until(lambda: len(journal.read()) or out.exists())
    process.kill()
    process.wait()
    kept = journal.read()
    assert 0 < len(kept) < SPEC.fits and not out.exists()
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    assert (
        f"{len(kept)} of {SPEC.fits} fits are there already" in said.stderr
        and "lowest error" in said.stdout
    )
    spec, found = results.read(out)
    assert spec == SPEC and not journal.folder.exists() and same(Table(SPEC, found), here)
    before, places = kept.table, found.places()
    again = found.table[[places[key] for key in before["key"].tolist()]]
    assert np.array_equal(again["seconds"], before["seconds"])  # the very rows


@pytest.mark.parametrize(
    "address",
    by_turns(
        ["nowhere", "http://127.0.0.1:1", "", "tcp://127.0.0.1:1", "tcp://127.0.0.1:99999"],
        5,
        always=3,
    ),
)
def test_an_address_where_there_is_no_cluster_is_told_so(address):
    with pytest.raises(ValueError, match="no Dask scheduler answers at"):
        dask(address, timeout=0.5)
