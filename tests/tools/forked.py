"""Python source that runs in a fresh Python, without the seconds that third-party packages take to
import.

    done = forked.run("import svmviz; print(svmviz.__version__)", env=os.environ | {"SVMVIZ_DATA":
    "/nowhere"}) assert done.stdout == "1.0\\n"

One process per test session, the zygote, has imported numpy, scipy, numba, scikit-learn, pandas,
plotly and streamlit, but nothing of svmviz. Each call of `run` forks it, so a call begins with a
Python that has never seen svmviz. Three things differ from `python -c source`: third-party modules
are in `sys.modules`, what they read from the environment when they were imported (the number of
threads, the seed of hashes) is that of the zygote, and so are the interpreter's options. A test
about these starts a process of its own. Outside Linux, where forking a process with these packages
is not safe, `run` does that always.
"""

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIMIT = 600  # seconds

# A child leaves the loop and goes on below it. It ends as every Python does, with its threads, its
# exit handlers and its exit code, but does not tidy up what it shares with the zygote, which would
# take a second.
ZYGOTE = """
import atexit, gc, json, os, signal, sys, threading, types
import joblib, numba, pandas, plotly.graph_objects, plotly.subplots, pyarrow
import scipy.linalg, scipy.optimize, scipy.sparse.linalg, scipy.special, scipy.stats
import sklearn.datasets, sklearn.model_selection, sklearn.svm, sklearn.utils.validation
import streamlit.testing.v1
numba.njit(lambda x: x + 1.0)(1.0)  # the first compilation imports the compiler
gc.freeze()
for line in sys.stdin:
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    else:
        break
else:
    sys.exit()
given = json.loads(line)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(os.open(given["stdout"], os.O_WRONLY), 1)
os.dup2(os.open(given["stderr"], os.O_WRONLY), 2)
sys.stdin = open(os.devnull)
signal.alarm(given["limit"])
os.environ.clear()
os.environ.update(given["env"])
numba.config.reload_config()
os.chdir(given["cwd"])
sys.argv = ["-c", *given["args"]]
sys.path[1:1] = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path not in ("", *sys.path)]
main = sys.modules["__main__"] = types.ModuleType("__main__")
code = 0
try:
    exec(compile(given["source"], "<string>", "exec"), vars(main))
except SystemExit as end:
    code = end.code if isinstance(end.code, int) else int(end.code is not None)
    if code and not isinstance(end.code, int):
        print(end.code, file=sys.stderr)
except BaseException:
    sys.excepthook(*sys.exc_info())
    code = 1
threading._shutdown()
atexit._run_exitfuncs()
sys.stdout.flush()
sys.stderr.flush()
os._exit(code)
"""


@cache
def zygote() -> subprocess.Popen:
    """Return the process that is forked; it ends when its input does, with this process at the
    latest.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", ZYGOTE],
        cwd=ROOT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    atexit.register(process.communicate)
    return process


def run(
    source: str,
    *args: str,
    env: dict[str, str] | None = None,
    cwd: Path | str = ROOT,
    limit: int = LIMIT,
    check: bool = True,
) -> subprocess.CompletedProcess:
    """Run `source` as `python -c source *args` would; `limit` is in seconds.

    With `check`, an exit code other than 0 fails the test with what the source wrote to stderr.
    """
    env = dict(os.environ if env is None else env)
    if sys.platform == "linux":
        done = fork(source, args, env, Path(cwd), limit)
    else:
        done = subprocess.run(
            [sys.executable, "-c", source, *args],
            env=env,
            cwd=cwd,
            timeout=limit,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
    assert not check or done.returncode == 0, f"exit code {done.returncode}\n{done.stderr}"
    return done


def fork(
    source: str, args: tuple[str, ...], env: dict[str, str], cwd: Path, limit: int
) -> subprocess.CompletedProcess:
    """Run `source` in a fork of the zygote; it writes into files, so that nobody has to read while
    it runs.
    """
    process = zygote()
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("stdout", "stderr")]
        for path in files:
            path.touch()
        given = {"source": source, "args": args, "env": env, "cwd": str(cwd), "limit": limit}
        process.stdin.write(json.dumps(given | {path.name: str(path) for path in files}) + "\n")
        process.stdin.flush()
        code = int(process.stdout.readline())
        return subprocess.CompletedProcess(
            ["-c", *args], code, *(path.read_text(encoding="utf-8") for path in files)
        )
