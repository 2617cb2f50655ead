"""All experiments of the five papers by key, and how they are recorded."""

import datetime
import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from svmviz.papers.bsgd import (
    costs,
    figure4,
    million,
    pairs,
    table3,
)
from svmviz.papers.bsgd import (
    experiments as bsgd_experiments,
)
from svmviz.papers.evidence import recording
from svmviz.papers.evidence.experiment import Experiment, Memo, alone, known_as
from svmviz.papers.evidence.recording import Recording
from svmviz.papers.evidence.verdicts import lines
from svmviz.papers.incremental import experiments as incremental_experiments
from svmviz.papers.pegasos import experiments as pegasos_experiments
from svmviz.papers.pegasos import rivals, section7, throughput
from svmviz.papers.sbp import datasets
from svmviz.papers.sbp import experiments as sbp_experiments
from svmviz.papers.simba import experiments as simba_experiments
from svmviz.papers.simba import games
from svmviz.work import limits
from svmviz.work.backend import Backend, cores
from svmviz.work.flight import in_turn
from svmviz.work.threads import Threads

MODULES = (
    pegasos_experiments,
    rivals,
    throughput,
    section7,
    sbp_experiments,
    simba_experiments,
    games,
    bsgd_experiments,
    figure4,
    table3,
    costs,
    million,
    pairs,
    incremental_experiments,
)
EXPERIMENTS = {one.key: one for module in MODULES for one in module.EXPERIMENTS}
VERSION = sys.modules["svmviz"].__version__  # of the whole package, which no room imports


def chosen(names: Iterable[str]) -> list[Experiment]:
    """By key, or by its beginning: sbp, sbp.figure2 or sbp.figure2.a9a; all if none is named."""
    names = list(names)
    for name in names:
        if not any(begins(key, name) for key in EXPERIMENTS):
            raise ValueError(f"there is no experiment {name!r}; there are {', '.join(EXPERIMENTS)}")
    return [
        one
        for key, one in EXPERIMENTS.items()
        if not names or any(begins(key, name) for name in names)
    ]


def begins(key: str, name: str) -> bool:
    return f"{key}.".startswith(f"{name}.")


def missing(experiment: Experiment) -> list[str]:
    """What it needs and the data folder has not."""
    return [
        name
        for name in experiment.folder.split(", ")
        if name and not (datasets.FOLDER / name).is_dir()
    ]


def processor() -> str:
    """The name that the machine gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(
            line.partition(":")[2].strip() for line in lines if line.startswith("model name")
        )
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


# --- a run by its address: whoever has this code and the data can carry it out --------------------


def ready() -> str:
    """What numbers depend on besides the data."""
    code = blake2b("".join(one.digest() for one in EXPERIMENTS.values()).encode(), digest_size=8)
    return f"svmviz {VERSION} with the code {code.hexdigest()}"


_LOCK = threading.Lock()


@lru_cache(maxsize=1)  # matrices of other data are needed no more
def _memo(data: str) -> Memo:
    return Memo()


def memo(data: str) -> Memo:
    """What the runs of experiments on the same data keep in this process."""
    with _LOCK:
        return _memo(data)


def data_of(experiment: Experiment) -> str:
    """What tells its data from all others of the catalogue."""
    paper, *_, data = experiment.key.split(".")
    return f"{paper} {data}"


@limits.ONE_THREAD
def run_here(experiment: Experiment, name: str, data: str, known: Mapping[str, Any]) -> Any:
    """What a run gives, in a process that may have carried out others on the same data; `known` is
    what those that belong to no seed have found.
    """
    kept = memo(data)
    for label in known:
        kept.results[known_as(experiment.key, label)] = known[label]
    return experiment.task(name, kept)()


@limits.ONE_THREAD
def carried_out(key: str, name: str, size: int = 0) -> tuple[Any, float]:
    """What a run of an experiment gives, and how many seconds of a processor it took. Data that are
    not there are named.
    """
    one = EXPERIMENTS[key].of_size(size)
    if absent := missing(one):
        raise FileNotFoundError(
            f"{datasets.FOLDER} on {platform.node()} has no {', '.join(absent)}; put the files"
            " there, or name another folder in SVMVIZ_DATA"
        )
    began = spent()
    return one.task(name, memo(data_of(one)))(), spent() - began


def spent() -> float:
    """Seconds of a processor so far: of this thread, and of processes that have ended and were
    started from here.
    """
    return time.thread_time() + sum(os.times()[2:4])


# --- recording ------------------------------------------------------------------------------------

EVERY = 60.0  # seconds after which what has been found so far is written


@limits.ONE_THREAD  # here for all threads together: one that ends would give the others more
def record(
    experiment: Experiment,
    backend: Backend,
    said: Callable[[str], None] = print,
    old: Recording | None = None,
    written: Callable[[Recording], Any] | None = None,
) -> Recording:
    """Carry an experiment of the catalogue out, as many runs at a time as there is room for; runs
    that an old recording has are taken from it. What there is so far is `written` now and then.
    """
    names, began = tuple(experiment.tasks(alone)), time.perf_counter()
    found, before = ({}, 0.0) if old is None else (dict(old.found), old.seconds)
    todo = [name for name in names if name not in found]
    for label in experiment.shared(alone) if old else ():
        if label in found:
            memo(data_of(experiment)).results[known_as(experiment.key, label)] = found[label]
    seconds, last = 0.0, began

    def so_far() -> Recording:
        return Recording(
            experiment.key,
            VERSION,
            experiment.data,
            experiment.seeds,
            round(before + seconds, 3),
            os.cpu_count() or 1,
            processor(),
            datetime.date.today().isoformat(),
            experiment.digest(),
            {name: found[name] for name in names if name in found},
        )

    done = in_turn(backend, ((carried_out, experiment.key, name, experiment.size) for name in todo))
    for name, (value, spent) in zip(todo, done, strict=True):
        found[name], seconds = value, seconds + spent
        if written and time.perf_counter() > last + EVERY:
            written(so_far())
            last = time.perf_counter()
    said(
        f"{experiment.key}: {len(todo)} runs, {seconds:.0f} s of processors in"
        f" {time.perf_counter() - began:.0f} s"
    )
    return so_far()


def record_all(
    experiments: Iterable[Experiment],
    folder: Path,
    seeds: int | None = None,
    backend: Backend | None = None,
    said: Callable[[str], None] = print,
    missing: bool = False,
) -> None:
    """One after the other, each into its file, on all cores of this machine or wherever `backend`
    says; or only what its file has not, such as a row that is new or whatever was left when it was
    stopped.
    """
    folder.mkdir(parents=True, exist_ok=True)
    backend, one_by_one = backend or Threads(cores()), Threads(1)
    for one in experiments:
        try:  # who is timed works here and alone
            found = record(
                one._replace(seeds=seeds or one.seeds),
                one_by_one if one.clocks else backend,
                said,
                *(
                    (
                        recording.read(one, folder),
                        partial(recording.write, kinds=one.kinds, folder=folder),
                    )
                    if missing
                    else ()
                ),
            )
        except FileNotFoundError as error:
            said(f"{one.key}: left out, {error}")
        else:
            recording.write(found, one.kinds, folder)
            if results := one._replace(seeds=found.seeds).results(found.found):
                said("".join(f"  {line}\n" for line in lines(one.judge(results))))
