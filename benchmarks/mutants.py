"""How much the tests see: small faults are put into the code, one at a time, and the tests must
notice.

    python -m benchmarks.mutants --count 300 --jobs 2 --write before.json
    python -m benchmarks.mutants --again before.json --jobs 2 --write after.json

The first command draws `count` mutants by `--seed` from five rooms in turn (maths, record, solvers,
run, the player's engine) and runs, for each, the tests that `make test` runs of its room and those
that import its file, until the first one fails. The second repeats the mutants of a file on the
tree as it is now, so that two states of the suite are compared on the same faults. A mutant that no
test notices is printed with its line. A test that uses `HANG` seconds of processor time counts as
one that noticed: the mutant made a loop endless. Browser tests are left out. Nothing is changed in
this checkout: each job works on a copy of it, with a cache of compiled code from which only the
functions that the mutant can reach are missing.
"""

import argparse
import ast
import hashlib
import json
import os
import random
import re
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import numba
from numba.core.caching import _CacheLocator

from benchmarks.harness import ROOT
from svmviz.maths.machine import jit  # noqa: F401  names the folder of compiled code
from tests.tools import rooms

ROOMS = ("maths", "record", "solvers", "run", "engine")
ENGINE = Path("svmviz/player/web/engine")
HANG, LIMIT = 90, 200  # seconds of processor time: of one test, of all tests of a mutant


class Mutant(NamedTuple):
    """One fault: in `line` of the file, `old` at `column` (in characters) becomes `new`."""

    room: str
    path: str
    line: str
    number: int
    column: int
    old: str
    new: str

    @property
    def kind(self) -> str:
        return "number" if self.old[0].isdigit() else f"{self.old} to {self.new}"


# Drawing ------------------------------------------------------------------------------------------

SWAPS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "+": "-",
    "-": "+",
    "*": "/",
    "/": "*",
    "//": "*",
    "+=": "-=",
    "-=": "+=",
    "*=": "/=",
    "/=": "*=",
    "and": "or",
    "or": "and",
    "True": "False",
    "False": "True",
    "break": "continue",
    "continue": "break",
    "min": "max",
    "max": "min",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}
SCRIPT_SWAPS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "===": "!==",
    "!==": "===",
    "+": "-",
    "-": "+",
    "*": "/",
    "/": "*",
    "+=": "-=",
    "-=": "+=",
    "*=": "/=",
    "/=": "*=",
    "&&": "||",
    "||": "&&",
    "true": "false",
    "false": "true",
    "break": "continue",
    "continue": "break",
    "min": "max",
    "max": "min",
}
SYMBOLS = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.And: "and",
    ast.Or: "or",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


def changed_number(text: str) -> str | None:
    """Return another number: one more for a whole number, twice for a fraction; None for what is
    not plainly a number.
    """
    if re.fullmatch(r"\d+", text):
        return str(int(text) + 1)
    return repr(2 * float(text) or 1.0) if re.fullmatch(r"[\d.]+(e-?\d+)?", text) else None


def python_sites(text: str) -> list[tuple[int, int, str, str]]:
    """Return the places (line, column, old, new) inside functions where a fault can be put into
    Python code.
    """
    lines, sites = text.splitlines(), []

    def between(before: ast.AST, after: ast.AST, old: str) -> None:
        """Find an operator between two operands of one line."""
        if before.end_lineno == after.lineno:
            line = lines[before.end_lineno - 1].encode()
            gap = line[before.end_col_offset : after.col_offset].decode()
            if (
                found := re.search(rf"(?<![\w*/<>=!]){re.escape(old)}(?![\w*/=])", gap)
            ) and old in SWAPS:
                column = len(line[: before.end_col_offset].decode()) + found.start()
                sites.append((before.end_lineno, column, old, SWAPS[old]))

    def visit(node: ast.AST, inside: bool) -> None:
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            body = node.body if isinstance(node.body, list) else [node.body]
            for child in body:
                visit(child, True)
            return
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            or isinstance(node, ast.JoinedStr)
        ):
            return  # a docstring; words
        if inside:
            match node:
                case ast.Compare():
                    for before, kind, after in zip(
                        [node.left, *node.comparators], node.ops, node.comparators, strict=False
                    ):
                        between(before, after, SYMBOLS[type(kind)])
                case ast.BinOp() if type(node.op) in SYMBOLS:
                    between(node.left, node.right, SYMBOLS[type(node.op)])
                case ast.BoolOp():
                    for before, after in zip(node.values, node.values[1:], strict=False):
                        between(before, after, SYMBOLS[type(node.op)])
                case ast.AugAssign() if type(node.op) in SYMBOLS:
                    between(node.target, node.value, SYMBOLS[type(node.op)] + "=")
                case ast.Constant() | ast.Break() | ast.Continue() | ast.Name():
                    line = lines[node.lineno - 1].encode()
                    old, column = (
                        line[node.col_offset : node.end_col_offset].decode(),
                        len(line[: node.col_offset].decode()),
                    )
                    if node.lineno == node.end_lineno and (
                        new := SWAPS.get(old) or changed_number(old)
                    ):
                        sites.append((node.lineno, column, old, new))
        for field, child in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list"):
                continue
            for one in child if isinstance(child, list) else [child]:
                if isinstance(one, ast.AST):
                    visit(one, inside)

    visit(ast.parse(text), False)
    return sorted(set(sites))


TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`
    |[A-Za-z_$][\w$]*|\d[\d._]*(?:e-?\d+)?|[=!]==|&&=?|\|\|=?|=>|\*\*|\+\+|--|\?\?|<<|>>>?|[-+*/<>]=?|.""",
    re.DOTALL | re.VERBOSE,
)


def script_sites(text: str) -> list[tuple[int, int, str, str]]:
    """Return the places where a fault can be put into JavaScript; only operators with a space on
    both sides count.
    """
    sites = []
    for found in TOKEN.finditer(text):
        old, start = found.group(), found.start()
        line = text.count("\n", 0, start)
        column = start - (text.rfind("\n", 0, start) + 1)
        spaced = text[start - 1 : start].isspace() and text[found.end() : found.end() + 1].isspace()
        new = (
            SCRIPT_SWAPS.get(old)
            if old[0].isalpha() or spaced
            else changed_number(old)
            if old[0].isdigit()
            else None
        )
        if new and not text[:start].rpartition("\n")[2].lstrip().startswith(("import", "export {")):
            sites.append((line + 1, column, old, new))
    return sites


def candidates(room: str) -> list[Mutant]:
    """Return every mutant of a room, in the order of its files."""
    folder = ENGINE if room == "engine" else Path("svmviz") / room
    found = []
    for path in sorted((ROOT / folder).rglob("*.js" if room == "engine" else "*.py")):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        sites = script_sites(text) if room == "engine" else python_sites(text)
        name = path.relative_to(ROOT).as_posix()
        found += [Mutant(room, name, lines[at - 1], at, *rest) for at, *rest in sites]
    return found


def draw(seed: int, count: int) -> list[Mutant]:
    """Draw mutants from the rooms in turn; a shorter draw is the beginning of a longer one."""
    chance = random.Random(seed)
    each = -(-count // len(ROOMS))
    drawn = [chance.sample(every, min(len(every), 300)) for every in map(candidates, ROOMS)]
    return [m for row in zip_longest(*(of[:each] for of in drawn)) for m in row if m][:count]


def found_again(mutant: Mutant) -> Mutant | None:
    """Return the mutant at the place where its line stands now, the nearest if there are several;
    None if it is gone.
    """
    path = ROOT / mutant.path
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    places = [k for k, line in enumerate(lines, 1) if line == mutant.line]
    return (
        mutant._replace(number=min(places, key=lambda k: abs(k - mutant.number)))
        if places
        else None
    )


# Tests of a mutant --------------------------------------------------------------------------------


def dependents(path: str) -> set[str]:
    """Return the modules whose compiled code may hold code of a file: its own, those that import
    it, and so on.
    """
    imported = {module: rooms.arrows(place) for module, place in rooms.KNOWN.items()}
    found, fresh = set(), {rooms.name(ROOT / path)}
    while fresh:
        found |= fresh
        fresh = {module for module, others in imported.items() if others & fresh} - found
    return found


# Jobs ---------------------------------------------------------------------------------------------

# Forked for each mutant, so that third-party packages are imported once; none of ours is.
ZYGOTE = """
import os, sys, time
import numba, scipy.stats, sklearn.svm, sklearn.utils.estimator_checks, pandas, pytest, hypothesis, joblib, plotly.graph_objects
import streamlit.testing.v1
class Tell:
    def pytest_runtest_logstart(self, nodeid): print("test", nodeid, flush=True, file=told)
    def pytest_runtest_logreport(self, report):
        if report.failed: print("failed", report.nodeid, flush=True, file=told)
    def pytest_collectreport(self, report):
        if report.failed: print("failed", report.nodeid, flush=True, file=told)
told = os.fdopen(os.dup(1), "w")
print("ready", flush=True, file=told)
for line in sys.stdin:
    args = line.split()
    child = os.fork()
    if not child:
        os.setsid()
        hole = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2): os.dup2(hole, number)
        code = 70
        try:
            given = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not long and not browser", *args]
            code = pytest.main(given, plugins=[Tell()])
        finally:
            os._exit(int(code))
    print("child", child, flush=True, file=told)
    _, status = os.waitpid(child, 0)
    print("done", os.waitstatus_to_exitcode(status), flush=True, file=told)
"""


class Job:
    """A copy of the checkout in which one mutant after the other is tried."""

    def __init__(self, folder: Path):
        self.root, self.cache, self.whole = folder / "main", folder / "cache", folder / "whole"
        ignored = shutil.ignore_patterns(
            ".git", ".venv", "node_modules", "__pycache__", ".hypothesis"
        )
        shutil.copytree(ROOT, self.root, ignore=ignored)
        for name in (".venv", "node_modules"):
            if (ROOT / name).exists():
                (self.root / name).symlink_to(ROOT / name)
        if (ROOT.parent / "shared").exists() and not (folder / "shared").exists():
            (folder / "shared").symlink_to((ROOT.parent / "shared").resolve())
        self.whole.mkdir()
        for source in (ROOT / "svmviz").rglob("*.py"):
            mine = self.compiled(self.whole, self.root / source.relative_to(ROOT))
            theirs = self.compiled(Path(numba.config.CACHE_DIR), source)
            if theirs.exists() and not mine.exists():
                shutil.copytree(theirs, mine)
        environment = os.environ | {
            "NUMBA_CACHE_DIR": str(self.cache),
            "PYTHONDONTWRITEBYTECODE": "1",
            "CI": "true",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", ZYGOTE],
            cwd=self.root,
            env=environment,
            text=True,
            bufsize=1,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.process.stdout.readline()

    @staticmethod
    def compiled(cache: Path, source: Path) -> Path:
        """Return the folder in which numba keeps the compiled functions of a source file."""
        return cache / _CacheLocator.get_suitable_cache_subpath(str(source))

    def try_out(self, mutant: Mutant) -> tuple[str, str]:
        """Return what became of a mutant (killed, hangs, alive) and the test that decided."""
        path = self.root / mutant.path
        before, status = path.read_text(encoding="utf-8"), path.stat()
        lines = before.split("\n")
        line = lines[mutant.number - 1]
        end = mutant.column + len(mutant.old)
        assert line[mutant.column : end] == mutant.old, mutant
        lines[mutant.number - 1] = line[: mutant.column] + mutant.new + line[end:]
        shutil.rmtree(self.cache, ignore_errors=True)
        shutil.copytree(self.whole, self.cache, copy_function=os.link)
        script = mutant.path.endswith(".js")
        for module in () if script else dependents(mutant.path):
            folder = self.compiled(self.cache, self.root / f"{module.replace('.', '/')}.py")
            package = self.compiled(
                self.cache, self.root / module.replace(".", "/") / "__init__.py"
            )
            for place in (folder, package):
                for file in place.glob(f"{module.rpartition('.')[2]}.*"):
                    file.unlink()
        path.write_text("\n".join(lines), encoding="utf-8")
        try:
            return self.run(
                [*([] if script else [mutant.path]), *rooms.files_about(mutant.path)]
            )  # with its own doctests
        finally:
            path.write_text(before, encoding="utf-8")
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def run(self, tests: list[str]) -> tuple[str, str]:
        self.process.stdin.write(" ".join(tests) + "\n")
        child, test, failed, ended, began, at = 0, "", "", "", 0.0, 0.0
        while True:
            if select.select([self.process.stdout], [], [], 1.0)[0]:
                word, _, rest = self.process.stdout.readline().strip().partition(" ")
                match word:
                    case "child":
                        child = int(rest)
                    case "test":
                        test, began = rest, at
                    case "failed":
                        failed = failed or rest
                    case "done":
                        return (
                            ended or {"0": "alive", "5": "alive"}.get(rest, "killed"),
                            failed or ended and test,
                        )
                    case "":
                        raise RuntimeError("the process that runs the tests has ended")
            elif child:
                at = processor_seconds(child)
                if at - began > HANG or at > LIMIT:
                    ended = "hangs" if at - began > HANG else "alive so far"
                    os.killpg(child, 9)


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process and of its children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def carry_out(mutants: list[Mutant], jobs: int, write: Path | None) -> None:
    results, lock, waiting = [], threading.Lock(), iter(list(mutants))
    began = time.monotonic()

    def work(folder: Path) -> None:
        job = Job(folder)
        while True:
            with lock:
                mutant = next(waiting, None)
            if mutant is None:
                job.process.stdin.close()
                return
            here = found_again(mutant)
            outcome, test = job.try_out(here) if here else ("gone", "")
            with lock:
                results.append({**mutant._asdict(), "outcome": outcome, "test": test})
                print(
                    f"{len(results):4}/{len(mutants)} {time.monotonic() - began:6.0f} s "
                    f" {outcome:8} {mutant.path}:{mutant.number} {mutant.old} -> {mutant.new} "
                    f" {test or mutant.line.strip()}",
                    flush=True,
                )
                if write:
                    write.write_text(json.dumps(results, indent=1))

    with tempfile.TemporaryDirectory() as folder:
        threads = [threading.Thread(target=work, args=(Path(folder, str(k)),)) for k in range(jobs)]
        for k in range(jobs):
            Path(folder, str(k)).mkdir()
            threads[k].start()
        for thread in threads:
            thread.join()
    report(results)


def report(results: list[dict]) -> None:
    """Print the share killed in each room, and the mutants that live."""
    for room in ROOMS:
        counts = Counter(r["outcome"] for r in results if r["room"] == room)
        print(
            f"{room:8}", ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
        )
    killed = sum(r["outcome"] in ("killed", "hangs") for r in results)
    print(f"{killed} of {len(results)} killed: {killed / max(len(results), 1):.1%}")
    kinds = Counter(
        Mutant(*(r[name] for name in Mutant._fields)).kind
        for r in results
        if r["outcome"].startswith("alive")
    )
    print("alive, by kind:", ", ".join(f"{kind} ({count})" for kind, count in kinds.most_common()))
    for r in results:
        if r["outcome"] not in ("killed", "hangs"):
            print(
                f"  {r['outcome']}: {r['path']}:{r['number']} {r['old']} -> {r['new']}:"
                f" {r['line'].strip()}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=20261119)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument(
        "--again", type=Path, help="a file that --write made: its mutants once more"
    )
    parser.add_argument("--write", type=Path)
    args = parser.parse_args()
    if args.again:
        mutants = [
            Mutant(*(r[name] for name in Mutant._fields))
            for r in json.loads(args.again.read_text())
        ]
    else:
        mutants = draw(args.seed, args.count)
    print(
        f"{len(mutants)} mutants, {hashlib.sha256(repr(mutants).encode()).hexdigest()[:8]}",
        flush=True,
    )
    carry_out(mutants, args.jobs, args.write)


if __name__ == "__main__":
    main()
