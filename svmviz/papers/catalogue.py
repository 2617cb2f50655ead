"""All experiments of the five papers by key, and how they are recorded."""

import datetime
import os
import platform
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from svmviz.papers import (
    bsgd_costs,
    bsgd_experiments,
    bsgd_rivals,
    incremental_experiments,
    pegasos_experiments,
    pegasos_rivals,
    pegasos_section7,
    pegasos_throughput,
    recording,
    sbp_experiments,
    sets,
    simba_experiments,
    simba_games,
)
from svmviz.papers.experiment import Experiment, Memo
from svmviz.papers.recording import Recording

MODULES = (pegasos_experiments, pegasos_rivals, pegasos_throughput, pegasos_section7, sbp_experiments, simba_experiments,
           simba_games, bsgd_experiments, bsgd_rivals, bsgd_costs, incremental_experiments)
EXPERIMENTS = {one.key: one for module in MODULES for one in module.EXPERIMENTS}


def chosen(names: Iterable[str]) -> list[Experiment]:
    """By key, or by its beginning: sbp, sbp.figure2 or sbp.figure2.a9a; all if none is named."""
    names = list(names)
    for name in names:
        if not any(begins(key, name) for key in EXPERIMENTS):
            raise ValueError(f"there is no experiment {name!r}; there are {', '.join(EXPERIMENTS)}")
    return [one for key, one in EXPERIMENTS.items() if not names or any(begins(key, name) for name in names)]


def begins(key: str, name: str) -> bool:
    return f"{key}.".startswith(f"{name}.")


def missing(experiment: Experiment) -> list[str]:
    """What it needs and the data folder has not."""
    return [name for name in experiment.folder.split(", ") if name and not (sets.FOLDER / name).is_dir()]


def processor() -> str:
    """The name that the machine gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def record(experiment: Experiment, version: str, keep: Memo, threads: int,
           said: Callable[[str], None] = print) -> Recording:
    """Carry an experiment out, so many runs at a time."""
    def timed(task):
        began = time.thread_time()
        return task(), time.thread_time() - began

    tasks, began = experiment.tasks(keep), time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        done = dict(zip(tasks, pool.map(timed, tasks.values()), strict=True))
    seconds = sum(spent for _, spent in done.values())
    said(f"{experiment.key}: {len(tasks)} runs, {seconds:.0f} s of processors in {time.perf_counter() - began:.0f} s")
    return Recording(experiment.key, version, experiment.data, experiment.seeds, round(seconds, 3),
                     os.cpu_count() or 1, processor(), datetime.date.today().isoformat(), experiment.digest(),
                     {name: value for name, (value, _) in done.items()})


def record_all(experiments: Iterable[Experiment], version: str, folder: Path, seeds: int | None = None,
               said: Callable[[str], None] = print) -> None:
    """One after the other, each into its file; data that are not there are named."""
    folder.mkdir(parents=True, exist_ok=True)
    keep, group = Memo(), None
    for one in experiments:
        if absent := missing(one):
            said(f"{one.key}: left out, {sets.FOLDER} has no {', '.join(absent)}; put the files there, or name another folder "
                 "in SVMVIZ_DATA")
            continue
        paper, *_, data = one.key.split(".")
        if (paper, data) != group:  # matrices of other data are needed no more
            group = paper, data
            keep.forget()
        threads = 1 if one.clocks else os.cpu_count() or 1  # who is timed works alone
        found = record(one._replace(seeds=seeds) if seeds else one, version, keep, threads, said)
        recording.write(found, one.kinds, folder)
