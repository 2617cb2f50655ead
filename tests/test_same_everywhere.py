"""A link gives the same run on every machine, to the last bit: whatever the processor, its BLAS and its library of functions.

`python -m tests.digests --write pegasos` records those of Pegasos anew; every link to it then gives other numbers, so it is
done on purpose only. Without a name it only adds what is new.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from svmviz import SOLVERS
from tests import digests

MAKERS, RECORDED = digests.everything(), digests.recorded()
ROOT = Path(__file__).parents[1]
# Other processors, as far as this one can play them: an old one without wide or fused instructions. NUMBA_CPU_NAME=generic
# belongs here too, but compiles everything anew: `.ci/run` sets it.
OTHERS = {
    "x86_64": {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "X86_V4 X86_V3",
               "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA,-FMA4,-AVX2_Usable,-FMA_Usable"},
    "aarch64": {"OPENBLAS_CORETYPE": "ARMV8"},
}


def test_every_solver_and_every_kind_of_data_has_digests():
    runs = digests.runs()
    assert len(runs) >= 60 and {name.partition(":")[0] for name in runs} == set(SOLVERS)
    assert list(RECORDED) == list(MAKERS)


@pytest.mark.parametrize("name", MAKERS)
def test_it_is_what_was_recorded(name):
    assert name in RECORDED, "not recorded yet: python -m tests.digests --write"
    assert MAKERS[name]() == RECORDED[name]


@pytest.mark.long
def test_another_processor_gives_the_same(tmp_path):
    other = OTHERS.get(platform.machine(), {})
    found = subprocess.run([sys.executable, "-W", "ignore", "-m", "tests.digests"], cwd=ROOT, env=os.environ | other,
                           capture_output=True, text=True, check=True).stdout
    assert found == digests.RECORDED.read_text(encoding="utf-8")


def test_a_digest_tells_the_last_bit_and_no_nan_from_another():
    x = np.array([1.0, np.nan])
    assert digests.digest_of([x]) != digests.digest_of([np.nextafter(x, 2.0)])
    assert digests.digest_of([x]) == digests.digest_of([np.array([1.0, -np.nan])])
