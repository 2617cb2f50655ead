"""What is recorded of the papers: it comes back as it was, says on what it was run, and is what the
code still gives.
"""

import json
import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from svmviz import cli
from svmviz.papers import catalogue, listing
from svmviz.papers.evidence import experiment, recording
from svmviz.papers.evidence.experiment import Experiment, Memo, named
from svmviz.papers.evidence.verdicts import Found
from svmviz.work.threads import Threads
from tests.tools.rotation import at_times, in_turn


class Pair(NamedTuple):
    x: object
    seconds: object


KINDS = (Pair,)
NUMBERS = (
    st.floats() | st.integers(-(2**53), 2**53) | st.booleans() | st.none() | st.text(max_size=5)
)
SHAPES = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
ARRAYS = st.sampled_from([np.float64, np.int64, np.bool_]).flatmap(
    lambda kind: arrays.arrays(kind, SHAPES)
)
KEYS = st.text(max_size=3) | st.tuples(st.text(max_size=2), st.integers(0, 9))
VALUES = st.recursive(
    NUMBERS | ARRAYS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=3)
        | st.builds(Pair, inner, inner)
    ),
    max_leaves=12,
)


def same(a, b) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return (
            a.dtype == b.dtype
            and a.shape == b.shape
            and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        )
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b or (isinstance(a, float) and math.isnan(a) and math.isnan(b))


@example([np.empty(0), np.empty((2, 0), np.bool_)])
@example([np.repeat([0.5, math.nan, -0.0], 4), np.repeat(7, 5)])
@given(VALUES)
def test_results_come_back_as_they_were(value):
    text = json.dumps(recording.pack(value, KINDS), allow_nan=False)
    assert same(recording.unpack(json.loads(text), KINDS), value)


def test_a_file_can_only_make_what_its_experiment_names():
    packed = recording.pack(Pair(1, 2), KINDS)
    with pytest.raises(KeyError):
        recording.unpack(packed)
    for value in (object(), np.array(["a"]), Pair(1, 2)):
        with pytest.raises(TypeError, match="cannot be recorded"):
            recording.pack(value)


def test_clocks_are_left_out_of_a_comparison_and_nothing_else_is():
    one = {"a": Pair(np.array([1.0, math.nan, math.inf]), 3.0), "b": [2e6]}
    clock, moved, rounded = (
        {"a": Pair(np.array([1.0, math.nan, end]), time), "b": [big]}
        for end, time, big in ((math.inf, 5.0, 2e6), (0.0, 3.0, 2e6), (math.inf, 3.0, 2e6 + 1e-4))
    )
    clocks = frozenset({"seconds"})
    assert recording.difference(one, clock, clocks) == 0 < recording.difference(one, clock)
    assert (
        recording.difference(one, moved, clocks)
        == recording.difference(one, {"a": one["a"]})
        == math.inf
    )
    assert 0 < recording.difference(one, rounded) < recording.SAME


def test_a_table_has_every_number_on_a_line():
    lines = recording.table(
        {"facts": Pair(2, 0.5), named('K = 1, "x"', 3): np.array([[1.5, math.nan]])}
    ).splitlines()
    assert lines == [
        "run,seed,quantity,place,value",
        "facts,,x,,2.0",
        "facts,,seconds,,0.5",
        '"K = 1, ""x""",3,,0 0,1.5',
        '"K = 1, ""x""",3,,0 1,nan',
    ]


def small(seeds: int = 3, calls: list | None = None) -> Experiment:
    def each(seed, keep):
        return {
            label: (
                lambda label=label: (
                    (calls if calls is not None else []).append((label, seed)) or float(seed)
                )
            )
            for label in ("a", "b")
            if seed == 0 or label == "a"
        }

    return Experiment(
        "made.up",
        "nothing",
        each,
        lambda results: Found(()),
        seeds,
        lambda keep: {"facts": lambda: 7},
    )


def test_of_what_was_stopped_only_whole_seeds_count():
    one = small()
    assert list(one.tasks(Memo())) == ["facts", "a #0", "b #0", "a #1", "a #2"]
    assert one.results({"facts": 7, "a #0": 0.0}) is None
    assert one.results({"a #1": 1.0}) is None  # without what all need
    some = one.results({"facts": 7, "a #0": 0.0, "a #2": 2.0})
    assert (
        some.seeds == (2,)
        and some.of("a") == [2.0]
        and some.of("b") == []
        and some.labels == ("a",)
    )
    late = one.results(
        {"a #1": 1.0, "b #0": 0.0, "a #0": 0.0, "facts": 7}
    )  # threads end in any order
    assert late.labels == ("a", "b") and list(late.found) == ["facts", "a #0", "b #0", "a #1"]
    assert one.compute().seeds == (0, 1, 2) and one.compute().of("b") == [0.0]


def test_the_digest_is_that_of_the_code_not_of_its_words(tmp_path):
    def digest(text: str) -> bytes:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.py"
        path.write_text(text, encoding="utf-8")
        return experiment.syntax(path)

    first = digest('"""A."""\nWHY = "it moves"\n\ndef f(x):\n    return 2 * x\n')
    assert digest('"""B."""\nWHY = "it is moved"\ndef f(x):  # twice\n    return 2*x\n') == first
    assert (
        digest(
            '"""A."""\nMOVED = "it moves"\nWHY = Sentence(MOVED, "so")\n\ndef f(x):\n    return 2'
            " * x\n"
        )
        == first
    )
    assert digest('"""A."""\nWHY, HOW = "it moves", 3\n\ndef f(x):\n    return 2 * x\n') != first
    assert digest('"""A."""\nWHY = "it moves"\ndef f(x):\n    return 3 * x\n') != first
    assert digest('"""A."""\nWHY = "it moves"\ndef f(x):\n    return 2 + x\n') != first
    theory = [
        path.relative_to(experiment.PACKAGE).as_posix()
        for path in experiment.sources(experiment.PACKAGE / "theory")
    ]
    assert "theory/reference.py" in theory and not any(
        "bounds" in path for path in theory
    )  # promises change no measurement
    for one in catalogue.EXPERIMENTS.values():
        assert all((experiment.PACKAGE / place).exists() for place in one.code)


def test_the_command_records_what_it_is_asked_for(tmp_path, monkeypatch, capsys):
    calls, ran = [], []
    monkeypatch.setattr(cli, "compile_all", lambda: ran.append(len(calls)))
    monkeypatch.setitem(catalogue.EXPERIMENTS, "made.up", small(calls=calls))
    assert (
        cli.main(["papers", "record", "--only", "made", "--seeds", "2", "--out", str(tmp_path)])
        == 0
    )
    found = recording.read(small(), tmp_path)
    assert found.seeds == 2 and found.found == {"facts": 7, "a #0": 0.0, "b #0": 0.0, "a #1": 1.0}
    assert (
        (found.data, found.digest) == ("nothing", small().digest())
        and found.cores >= 1
        and found.processor
    )
    assert ran == [0] and calls  # clocks run on what is loaded, not on what has just been compiled
    assert not found.stale(small()) and found._replace(digest="").stale(small())
    assert cli.main(["papers", "record", "--only", "none"]) == 2
    assert "there is no experiment 'none'" in capsys.readouterr().err


def test_only_what_is_missing_is_recorded(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(cli, "compile_all", lambda: None)
    monkeypatch.setattr(catalogue, "cores", lambda: 1)  # two threads would call in any order
    monkeypatch.setitem(catalogue.EXPERIMENTS, "made.up", small(calls=calls))
    asked = ["papers", "record", "--only", "made", "--out", str(tmp_path)]
    assert cli.main([*asked, "--seeds", "1"]) == 0 and calls == [("a", 0), ("b", 0)]
    assert cli.main([*asked, "--seeds", "3", "--missing"]) == 0 and calls[2:] == [
        ("a", 1),
        ("a", 2),
    ]
    found = recording.read(small(), tmp_path)
    assert found.seeds == 3 and list(found.found) == list(small().tasks(Memo()))
    assert cli.main([*asked, "--missing"]) == 0 and len(calls) == 4
    assert cli.main(asked) == 0 and len(calls) == 8  # all of it anew


def test_what_was_stopped_goes_on(tmp_path, monkeypatch):
    calls, files = [], []
    monkeypatch.setattr(catalogue, "EVERY", 0.0)
    monkeypatch.setitem(catalogue.EXPERIMENTS, "made.up", small(calls=calls))
    one = small(calls=calls)
    whole = catalogue.record(one, Threads(1), lambda line: None, written=files.append)
    assert [len(file.found) for file in files] == [1, 2, 3, 4, 5] and files[-1].found == whole.found
    recording.write(files[1], (), tmp_path)
    assert one.results(recording.read(one, tmp_path).found) is None  # no seed is complete
    calls.clear()
    catalogue.record_all([one], tmp_path, said=lambda line: None, missing=True)
    assert (
        sorted(calls) == [("a", 1), ("a", 2), ("b", 0)]
        and recording.read(one, tmp_path).found == whole.found
    )


def test_data_that_are_not_there_are_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(
        catalogue.EXPERIMENTS, "made.up", small()._replace(folder="nowhere, banana")
    )
    monkeypatch.setattr(catalogue.datasets, "FOLDER", tmp_path)
    monkeypatch.setattr(cli, "compile_all", lambda: None)
    assert cli.main(["papers", "record", "--only", "made", "--out", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert "has no nowhere, banana" in said and str(tmp_path) in said and "SVMVIZ_DATA" in said
    assert recording.read(small(), tmp_path / "out") is None


# --- the files ------------------------------------------------------------------------------------


@at_times(2)
def test_everything_is_recorded_in_little_room():
    files = {path.stem: path.stat().st_size for path in recording.FOLDER.glob("*.json")}
    assert files.keys() == catalogue.EXPERIMENTS.keys() and sum(files.values()) < 2**20
    for one in catalogue.EXPERIMENTS.values():
        known = recording.read(one)
        results = one._replace(seeds=known.seeds).results(known.found)
        assert len(results.seeds) == known.seeds and one.judge(results)
        assert "".join(known.data.split()) == "".join(
            one.data.split()
        )  # however its numbers are spaced


@at_times()
def test_the_list_of_figures_is_that_of_the_recordings():
    assert listing.PAGE.read_text(encoding="utf-8") == listing.page(), (
        "python -m svmviz.papers.listing writes it anew"
    )
    keys = [item.key for items in listing.PAPERS.values() for item in items if item.key]
    assert all(
        sum(catalogue.begins(key, name) for name in keys) == 1 for key in catalogue.EXPERIMENTS
    )


# What is carried out again of every experiment: all runs of its first seed, or those that take
# little.
PARTS = {
    "pegasos.table3": (
        "documents, Pegasos",
        "covtype, cutting planes",
        "a9a, SMO",
        "reuters_money_fx, LASVM",
    ),
    "pegasos.figure4": ("Pegasos", "cutting planes", "LASVM"),
    "pegasos.figure5": ("SDCA", "LASVM"),
    "pegasos.figure6": ("Pegasos, λ = 1.0e-06", "SDCA, λ = 1.0e-02"),
    "pegasos.figure7.documents": ("k = 64",),
    "pegasos.figure9": ("Norma", "η = 0.1"),
    "sbp.figure3": ("sbp", "1 pairs", "64 pairs"),
    "simba.figure1.news20_bydate": ("pegasos", "perceptron"),
    "simba.figure1.reuters_money_fx": ("pegasos", "perceptron"),
    "bsgd.figure2": ("B = 10", "B = 100", "B = 1000"),
    "bsgd.figure3": ("gauss, 5", "pendigits, 1", "shuttle, 5", "waveform, 1"),
    "bsgd.table3": (
        "MP, 0",
        "BPegasos + project, 100",
        "BPegasos + merge, 500",
        "BNorma + merge, 100",
        "LIBSVM, 0",
    ),
    "bsgd.million": ("Stoptron", "BPegasos + merge"),
    "bsgd.table1": ("Forgetron, 50", "BPegasos + project, 100"),
    "bsgd.figure6": ("merge, 100", "project, 100"),
    "bsgd.pairs": ("of the smallest, 100", "all, 100"),
    "incremental.table1": ("a9a, one pass",),
    "incremental.figure2": ("Algorithm 1, K = 5", "Algorithm 2, K = 10"),
    "incremental.figure4": ("K = 1", "K = 8", "Algorithm 2, K = 4"),
    "incremental.figure6": ("active, K = 10", "batch"),
}
QUICK = (
    "incremental.figure3",
    "simba.figure1.rare",
    "bsgd.table3.banana",
    "bsgd.figure7.digits",
    *(
        key
        for key in ("pegasos.figure7.documents", "pegasos.figure9.documents", "bsgd.table3.gauss")
        if in_turn(key, 4)
    ),
)
ALONE = (
    "pegasos.figure7",
    "pegasos.figure8",
)  # quick, which those of that name on other data are not


def again(one: Experiment) -> list[str]:
    few = next((labels for key, labels in PARTS.items() if catalogue.begins(one.key, key)), None)
    return [label for label in one.each(0, experiment.alone) if few is None or label in few]


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(
            key,
            marks=(
                []
                if key in ALONE or any(catalogue.begins(key, one) for one in QUICK)
                else [pytest.mark.long]
            ),
        )
        for key in catalogue.EXPERIMENTS
    ],
)
def test_the_code_still_gives_what_is_recorded(key):
    one = catalogue.EXPERIMENTS[key]
    known, keep, labels = recording.read(one), Memo(), again(one)
    assert labels
    for label in one.shared(keep):  # what was tuned need not be tuned again
        keep.results[experiment.known_as(key, label)] = known.found[label]
    absent = catalogue.missing(one)
    tasks = {
        label: task
        for label, task in one.each(0, keep).items()
        if label in labels and not any(label.startswith(name) for name in absent)
    }
    if absent and not (len(one.folder.split(", ")) > 1 and tasks):
        pytest.skip(f"no {', '.join(absent)} in the data folder")
    for label, task in tasks.items():
        found = recording.difference(task(), known.found[named(label, 0)], one.clocks)
        assert found <= recording.SAME, (
            f"{label} of {key} is not what was recorded; svmviz papers record --only {key}"
        )


def test_table_of_results_stands_in_the_order_of_the_tasks_whichever_came_first():
    figure = catalogue.EXPERIMENTS["pegasos.figure8"]
    found = {"optimum": 0.5, "passes": np.array([1.0, 2.0])}
    assert list(figure.in_order(found)) == ["passes", "optimum"]
