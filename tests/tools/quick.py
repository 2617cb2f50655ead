"""Run the tests that are about what one is working on.

    python -m tests.tools.quick solvers           # those of a room: its folder here, failures of
    the last time first python -m tests.tools.quick svmviz/maths/water/level.py    # those about a
    file python -m tests.tools.quick                   # those about the files that differ from the
    last commit

Browser tests and long ones are left out, unless a room of browser tests is named. `make quick
ROOM=solvers` does the same.
"""

import subprocess
import sys
from pathlib import Path

from tests.tools.rooms import ROOMS, ROOT, files_about

AT_MOST = 12  # files, nearest first: of a file that all import, the others are for `make test`


def changed() -> list[str]:
    """Return the files that differ from the last commit, new ones included."""
    listed = subprocess.run(
        ["git", "status", "--porcelain", "--no-renames", "-uall"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [
        line[3:].strip('"') for line in listed.splitlines() if (ROOT / line[3:].strip('"')).exists()
    ]


def about(what: str) -> list[str]:
    """Return the tests, as files and folders, about a room, a file of the package or a file of
    tests.
    """
    if Path(ROOT, "tests", what).is_dir():
        return [f"tests/{what}"]
    if what.startswith("tests/") and Path(what).name.startswith("test_"):
        return [what]
    if (
        what.startswith("svmviz/")
        and what.count("/") > 1
        and Path(what).suffix in (".py", ".js", ".css")
    ):
        return [*([what] if what.endswith(".py") else []), *files_about(what)[:AT_MOST]]
    return []


def main(asked: list[str]) -> int:
    wanted = asked or changed()
    if unknown := [what for what in asked if not about(what)]:
        print(
            f"There is no room and no file {', '.join(unknown)}; rooms are {', '.join(ROOMS)}.",
            file=sys.stderr,
        )
        return 2
    places = list(dict.fromkeys(place for what in wanted for place in about(what)))
    if not places:
        print(
            "No file with tests differs from the last commit; name a room, such as solvers.",
            file=sys.stderr,
        )
        return 2
    print("\n".join(places), flush=True)
    browser = any(place.startswith("tests/browser") for place in places)
    chosen = "not long" if browser else "not long and not browser"
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            "auto",
            "--maxprocesses",
            "4",
            "--failed-first",
            "-m",
            chosen,
            *places,
        ],
        cwd=ROOT,
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
