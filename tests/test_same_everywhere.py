"""A link gives the same run on every machine, to the last bit: whatever the processor, its BLAS and
its library of functions.

`python -m tests.tools.digests --write pegasos` records the digests of Pegasos anew; every link to
it then gives other numbers, so it is done on purpose only. Without a name it only adds what is new.
The quick tests compute the digests of code that has changed since it was sealed, and a fifth of the
others (`tests.tools.seals`); the long ones compute all.
"""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from svmviz import SOLVERS
from tests.tools import digests, seals

MAKERS, RECORDED = digests.everything(), digests.recorded()
GROUPS = list(dict.fromkeys(map(seals.group_of, MAKERS)))
ROOT = Path(__file__).parents[1]
# Other processors, as far as this one can play them: an old one without wide or fused instructions.
# NUMBA_CPU_NAME=generic belongs here too, but compiles everything anew: `.ci/run` sets it.
OTHERS = {
    "x86_64": {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": "X86_V4 X86_V3",
        "GLIBC_TUNABLES": (
            "glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA,-FMA4,-AVX2_Usable,-FMA_Usable"
        ),
    },
    "aarch64": {"OPENBLAS_CORETYPE": "ARMV8"},
}


def test_every_solver_and_every_kind_of_data_has_digests():
    runs = digests.runs()
    assert len(runs) >= 60 and {name.partition(":")[0] for name in runs} == set(SOLVERS)
    assert list(RECORDED) == list(MAKERS)


@pytest.fixture(scope="module")
def changed():
    """The groups whose code has changed since it was sealed."""
    return seals.unsealed(GROUPS)


def differing(names) -> list[str]:
    """Compute these digests, and return the names of those that are not what was recorded."""
    names = list(names)
    missing = [name for name in names if name not in RECORDED]
    assert not missing, f"not recorded yet: python -m tests.tools.digests --write; {missing}"
    return [name for name in names if MAKERS[name]() != RECORDED[name]]


@pytest.mark.parametrize("group", GROUPS)
def test_digests_of_changed_code_and_a_fifth_of_the_others_are_what_was_recorded(group, changed):
    assert (
        differing(name for name in seals.chosen(MAKERS, changed) if seals.group_of(name) == group)
        == []
    )


@pytest.mark.long
@pytest.mark.parametrize("group", GROUPS)
def test_all_digests_are_what_was_recorded(group):
    assert differing(name for name in MAKERS if seals.group_of(name) == group) == []


@pytest.mark.long
def test_another_processor_gives_the_same(tmp_path):
    other = OTHERS.get(platform.machine(), {})
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.tools.digests"],
        cwd=ROOT,
        env=os.environ | other,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert found == digests.RECORDED.read_text(encoding="utf-8")


def test_a_digest_tells_the_last_bit_and_no_nan_from_another():
    x = np.array([1.0, np.nan])
    assert digests.digest_of([x]) != digests.digest_of([np.nextafter(x, 2.0)])
    assert digests.digest_of([x]) == digests.digest_of([np.array([1.0, -np.nan])])


@pytest.fixture
def tree(tmp_path):
    """A copy of the code, as links; a file that is written to `edit` is one of its own."""
    shutil.copytree(
        ROOT / "svmviz",
        tmp_path / "svmviz",
        copy_function=os.symlink,
        ignore=shutil.ignore_patterns("__pycache__", "web", "recorded"),
    )
    (tmp_path / "tests" / "tools").mkdir(parents=True)
    for recipe in seals.RECIPES:
        (tmp_path / recipe).symlink_to(ROOT / recipe)
    return tmp_path


def edit(tree, path: str, old: str, new: str) -> None:
    """Put a file of its own, with the first `old` replaced by `new`, in the place of a link."""
    text = (ROOT / path).read_text(encoding="utf-8")
    assert old in text
    (tree / path).unlink()
    (tree / path).write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("svmviz/solvers/simba/tree.py", "k] + sums", "k] - sums", {"simba", "chw", "pst"}),
        (
            "svmviz/solvers/incremental/rounds.py",
            "0.5 * a * K_ii",
            "0.25 * a * K_ii",
            {"incremental", "one pass", "data"},
        ),
        (
            "svmviz/solvers/incremental/onepass.py",
            "CHUNK = 1000",
            "CHUNK = 999",
            {"one pass", "data"},
        ),
        ("svmviz/maths/kernels/__init__.py", "return", "return 2 *", {*GROUPS}),
        ("svmviz/data/uploads/problem.py", "0", "1", {*GROUPS}),
        ("tests/tools/digests.py", "steps: int = 150", "steps: int = 151", {*GROUPS}),
        ("svmviz/solvers/simba/tree.py", "\n", "\n# other words\n", set()),
        ("svmviz/player/files/page.py", "import", "import ast\nimport", set()),
    ],
)
def test_seal_after_an_edit_of_a_file_is_another_for_the_groups_that_use_it(
    path, old, new, expected, tree
):
    edit(tree, path, old, new)
    changed = {group for group in GROUPS if seals.seal_of(group, tree) != seals.seal_of(group)}
    assert changed == expected
    taken = {*seals.chosen(MAKERS, changed)}
    assert {name for name in MAKERS if seals.group_of(name) in expected} <= taken
    assert len(taken) < len(MAKERS) or changed == {*GROUPS}


def test_chosen_over_five_turns_in_a_row_are_all_digests_once_each():
    turns = [seals.chosen(MAKERS, set(), at) for at in range(11, 11 + seals.EVERY)]
    assert sorted(name for taken in turns for name in taken) == sorted(MAKERS)
    assert all(0.5 < len(taken) * seals.EVERY / len(MAKERS) < 1.5 for taken in turns)
    assert seals.chosen(MAKERS, set(), 11) == seals.chosen(MAKERS, set(), 11 + seals.EVERY)


def test_seal_of_digests_that_differ_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(seals, "SEALS", tmp_path / "seals.json")
    seals.SEALS.write_text("{}")
    computed = []
    makers = {
        name: lambda name=name: computed.append(name) or [name]
        for name in ("sbp: one", "sbp: two", "sdca: three")
    }
    assert seals.seal(
        makers, {"sbp: one": ["sbp: one"], "sbp: two": ["sbp: two"], "sdca: three": ["four"]}
    ) == ["sdca: three"]
    assert computed == [*makers] and seals.unsealed(["sbp", "sdca"]) == {"sdca"}
    assert seals.seal(makers, {"sdca: three": ["sdca: three"]}) == []
    assert computed[3:] == ["sdca: three"] and not seals.unsealed(["sbp", "sdca"])
