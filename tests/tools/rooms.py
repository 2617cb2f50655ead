"""The rooms of svmviz/, which of them imports which, and which tests are about a file.

    python -m tests.tools.rooms --write

draws the picture in CONTRIBUTING.md anew; without --write it is printed.
"""

import ast
import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
# In order of use: each imports only from those before it.
ROOMS = {
    "patched": "what reaches into numba and Streamlit",
    "work": "calls on threads, processes or a cluster; limits, memory, numbers in words",
    "maths": "matrices, kernels, chance; compiled, knows no solver",
    "data": "a seed or bytes become a Problem",
    "record": "what a run leaves, and its replay",
    "theory": "what is promised, what is exact",
    "author": "what an author of a solver needs",
    "solvers": "an algorithm, a file",
    "run": "a link becomes a run",
    "estimators": "the solvers as classifiers",
    "explore": "many fits in parallel",
    "race": "several solvers at equal cost",
    "papers": "what a paper's page computes",
    "lessons": "cards from text files",
    "views": "pictures that do not move",
    "player": "packs a run, replays it in the browser",
    "ui": "Streamlit: widgets, links, visitors",
    "cli": "the command line",
}
MODULES = sorted((ROOT / "svmviz").rglob("*.py"))
BEGIN, END = "<!-- python -m tests.tools.rooms --write -->\n", "<!-- end -->\n"


def name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


KNOWN = {name(path): path for path in MODULES}


@cache
def imported(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Parse a file and return its imports, those in functions and those by `import_module` or
    `__import__` included; other expressions, which are most of a tree, have none.
    """
    text = path.read_text(encoding="utf-8")
    nodes: list[ast.AST] = [ast.parse(text), *called_imports(text)]
    for node in nodes:
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            nodes += getattr(node, name, ())
    return tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


def called_imports(text: str) -> list[ast.Import]:
    """Return the imports of a file by a call, `import_module("a.b")` or `__import__("a.b")`; a
    computed name cannot be told.
    """
    if "import_module" not in text and "__import__" not in text:
        return []
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and node.args]
    ours = [
        call
        for call in calls
        if ast.unparse(call.func).rpartition(".")[2] in ("import_module", "__import__")
    ]
    return [
        ast.Import([ast.alias(call.args[0].value)])
        for call in ours
        if isinstance(call.args[0], ast.Constant)
    ]


@cache
def arrows(path: Path) -> set[str]:
    """The modules of ours that a file imports, or from which it imports something."""
    found = set()
    for node in imported(path):
        if isinstance(node, ast.ImportFrom):
            parts = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {part if part in KNOWN else node.module for part in parts}
        else:
            found |= {alias.name for alias in node.names}
    return found & KNOWN.keys() - {name(path)}


@cache
def imported_by_tests() -> dict[str, frozenset[str]]:
    """Return the test files, as paths from the root of the checkout, with the modules of ours that
    each imports.
    """
    return {
        path.relative_to(ROOT).as_posix(): frozenset(arrows(path))
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
    }


def files_about(path: str) -> list[str]:
    """Return the test files about a file of the package, nearest first: those of its room, and
    those that import it.

    The player's scripts are tested in Node. Browser tests are about all of the app, and so not
    listed for any file of it.
    """
    if "/web/" in path:
        found = [test for test in imported_by_tests() if test.startswith("tests/player/")]
        return sorted(
            found,
            key=lambda test: (
                Path(path).stem not in test,
                test != "tests/player/test_parity.py",
                test,
            ),
        )
    module, place = name(ROOT / path), Path(path)
    own = f"tests/{place.parts[1]}/"
    about = {
        test
        for test in imported_by_tests()
        if re.sub("^test_", "", Path(test).stem) in (place.stem, *place.parts)
    }
    direct = {test for test, modules in imported_by_tests().items() if module in modules}
    quick = [test for test in imported_by_tests() if not test.startswith("tests/browser/")]
    found = [test for test in quick if test in direct or test.startswith(own)]
    return sorted(
        found,
        key=lambda test: (test not in about, test not in direct, not test.startswith(own), test),
    )


def room(module: str) -> str:
    return module.split(".")[1] if "." in module and "__main__" not in module else "cli"


def between() -> dict[str, set[str]]:
    """Which rooms each room imports from."""
    found = {key: set() for key in ROOMS}
    for module, path in KNOWN.items():
        if "." in module:
            found[room(module)] |= {room(other) for other in arrows(path) if "." in other} - {
                room(module)
            }
    return found


def drawn() -> str:
    """The picture, in Mermaid: of arrows that follow from others only those others."""
    direct, order = between(), list(ROOMS)
    beyond = {}
    for key in order:
        beyond[key] = set().union(*(beyond[other] | {other} for other in direct[key]))
    lines = [f'    {key}["<b>{key}</b><br/>{words}"]' for key, words in ROOMS.items()]
    for key in order:
        needed = {
            other
            for other in direct[key]
            if not any(other in beyond[third] for third in direct[key])
        }
        lines += [f"    {key} --> {other}" for other in sorted(needed, key=order.index)]
    return "```mermaid\nflowchart BT\n" + "\n".join(lines) + "\n```\n"


def written(text: str) -> str:
    """A text with the picture between its marks."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + drawn() + END + rest.partition(END)[2]


if __name__ == "__main__":
    if "--write" in sys.argv:
        page = ROOT / "CONTRIBUTING.md"
        page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(drawn(), end="")
