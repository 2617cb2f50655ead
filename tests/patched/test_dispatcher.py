"""What `svmviz.patched.dispatcher` needs of numba, and what it mends."""

import inspect

import numba
import pytest
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher

from svmviz.maths.machine.jit import jit

CHANGED = f"numba {numba.__version__} is not as svmviz/patched/dispatcher.py needs it:"
NEEDED = {
    CPUDispatcher: ("enable_caching", "compile", "get_call_template", "get_overload"),
    JITCodeLibrary: ("_optimize_final_module", "enable_object_caching"),
}


def test_numba_still_has_what_is_overridden():
    missing = [name for kind, names in NEEDED.items() for name in names if not hasattr(kind, name)]
    assert not missing, f"{CHANGED} it has no {missing}"
    assert "pipeline_class" in inspect.signature(Dispatcher).parameters, f"{CHANGED} no pipelines"
    first = list(inspect.signature(Compiler).parameters)[:3]
    assert first == ["typingctx", "targetctx", "library"], f"{CHANGED} a compiler takes {first}"
    ends = inspect.getsource(CPUCodeLibrary.finalize)
    assert ends.count("self._optimize_final_module()") == 1, f"{CHANGED} it optimises elsewhere"


@jit
def doubled(x):
    return 2.0 * x


@jit
def doubled_twice(x):
    return doubled(doubled(x))


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_called_function_is_a_part_of_its_caller_until_python_calls_it():
    assert doubled_twice(1.5) == 6.0 and doubled_twice.signatures
    assert not doubled.signatures
    assert (
        doubled.inner.signatures or doubled_twice.stats.cache_hits
    )  # what an earlier run compiled is read
    assert doubled(1.5) == 3.0 and doubled.signatures
