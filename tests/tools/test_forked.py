"""Python source that runs in a fork: what it must have in common with a Python that was just
started.
"""

import os
import signal
import sys

import pytest

from tests.tools import forked
from tests.tools.rotation import at_times

WHOLE = """
import os, sys
print(sys.argv[1:], os.environ["SAID"], os.getcwd(), __name__, [name for name in sys.modules if name.startswith("svmviz")])
import atexit
atexit.register(print, "at the end")
import svmviz.cli
print(svmviz.cli.__file__)
print("to stderr", file=sys.stderr)
sys.exit(3)
"""


@at_times()
def test_run_reports_code_output_and_errors_and_knows_nothing_of_svmviz(tmp_path):
    env = os.environ | {"SAID": "yes", "PYTHONPATH": str(forked.ROOT)}
    for _ in range(2):  # the second knows nothing of the first
        done = forked.run(WHOLE, "one", "two", env=env, cwd=tmp_path, check=False)
        first, second, third = done.stdout.splitlines()
        assert first == f"['one', 'two'] yes {tmp_path} __main__ []" and third == "at the end"
        assert second == str(forked.ROOT / "svmviz" / "cli.py")
        assert done.returncode == 3 and done.stderr == "to stderr\n"


def test_run_fails_with_the_traceback_of_its_source():
    with pytest.raises(
        AssertionError,
        match=r'(?s)exit code 1.*Traceback.*File "<string>", line 1.*KeyError: .none',
    ):
        forked.run("{}['none']")


def test_run_compiles_as_the_environment_says():
    source = "import numba\n@numba.njit\ndef one():\n    return 1\nprint(one(), type(one).__name__)"
    found = [
        forked.run(source, env=os.environ | {"NUMBA_DISABLE_JIT": how}).stdout.split()
        for how in "01"
    ]
    assert found == [["1", "CPUDispatcher"], ["1", "function"]]


@at_times(8)
@pytest.mark.skipif(sys.platform != "linux", reason="there a process of its own is waited for")
def test_run_ends_at_its_limit():
    assert forked.run("while True: pass", limit=1, check=False).returncode == -signal.SIGALRM
