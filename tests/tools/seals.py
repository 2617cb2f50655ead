"""Which digests are computed: those of code that has changed since they were recorded, and a fifth
of the others in turn.

A digest belongs to a group: a solver, the data, the streams or the passes without a record. The
code of a group is every module of svmviz that its own modules import, directly or not. A seal is
the digest of that code, by its syntax without texts, at a moment at which every digest of the group
was what was recorded. As long as code and seal agree, a run can only give other numbers for a
reason outside of the code (a text that decides something, another machine), and those are looked
for in turn: over `EVERY` commits in a row, every digest is computed.

`python -m tests.tools.digests --seal` computes the digests of every group whose code is not sealed,
and seals it.
"""

import ast
import json
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from svmviz.papers.evidence.experiment import syntax
from tests.tools.rotation import in_turn

ROOT = Path(__file__).parents[2]
SEALS = Path(__file__).with_name("seals.json")
RECIPES = (
    "tests/tools/digests.py",
    "tests/tools/variants.py",
)  # they say what is run; their texts are parameters, and count
LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "llvmlite")
MEASURED = (
    "svmviz.maths",
    "svmviz.data",
    "svmviz.record",
    "svmviz.theory",
)  # rooms that every run goes through
EVERY = 5


def group_of(name: str) -> str:
    """Return the group that the digest called `name` belongs to.

    >>> group_of("bsgd: merge, sparse")
    'bsgd'
    """
    return name.partition(":")[0]


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements below `tree`, those in functions and branches too."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            yield node
            yield from statements(node)


@cache
def imported(path: Path) -> frozenset[tuple[str, str]]:
    """Return what a file imports: pairs of a module and the same with the imported name behind it,
    which may be a module.
    """
    found = set()
    for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found |= {(node.module, f"{node.module}.{alias.name}") for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {(alias.name, alias.name) for alias in node.names}
    return frozenset(found)


@cache
def modules(root: Path) -> dict[str, Path]:
    """Return the files of svmviz below `root` by the names of their modules, where links lead
    to.
    """
    return {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(
            ".__init__"
        ): path.resolve()
        for path in (root / "svmviz").rglob("*.py")
    }


def imports(path: Path, known: dict[str, Path]) -> set[str]:
    """Return the modules among `known` that a file imports, or imports something from; the package
    itself says nothing.
    """
    return {name if name in known else module for module, name in imported(path)} & known.keys() - {
        "svmviz"
    }


def closure(begun: set[str], known: dict[str, Path]) -> set[str]:
    """Return these modules with everything that they import, directly or not."""
    found, left = set(), [*begun]
    while left:
        if (module := left.pop()) not in found:
            found.add(module)
            left += imports(known[module], known)
    return found


def homes(known: dict[str, Path]) -> dict[str, str]:
    """Return the module of each solver by the solver's key, as the registry imports them."""
    import svmviz.solvers as registry

    pairs = imported(known["svmviz.solvers"])
    return {getattr(registry, name.rpartition(".")[2]).key: module for module, name in pairs}


def code_of(group: str, root: Path = ROOT) -> set[str]:
    """Return the modules whose code may decide the digests of a group."""
    known = modules(root)
    named = imports((root / RECIPES[0]).resolve(), known)
    measured = {module for module in named if module.startswith(MEASURED)}
    own = {
        "data": named,
        "stream": {"svmviz.run.streams.stream"},
        "one pass": {"svmviz.solvers.incremental.onepass"},
    }
    return closure(measured | (own[group] if group in own else {homes(known)[group]}), known)


@cache
def libraries() -> str:
    """Return the minor versions of the libraries that compute: those that requirements.txt pins."""
    return " ".join(".".join(version(library).split(".")[:2]) for library in LIBRARIES)


def seal_of(group: str, root: Path = ROOT) -> str:
    """Return the digest of the code of a group, of what the tests run of it, and of the libraries
    below it.
    """
    known, found = modules(root), blake2b(digest_size=8)
    for module in sorted(code_of(group, root)):
        found.update(module.encode() + syntax(known[module]))
    for recipe in RECIPES:
        found.update((root / recipe).read_text(encoding="utf-8").encode())
    found.update(libraries().encode())
    return found.hexdigest()


def sealed() -> dict[str, str]:
    """Return the seals that are kept, by group."""
    return json.loads(SEALS.read_text(encoding="utf-8"))


def unsealed(groups, root: Path = ROOT) -> set[str]:
    """Return those of the groups whose code is not the code that was sealed."""
    seals = sealed()
    return {group for group in groups if seals.get(group) != seal_of(group, root)}


def chosen(names, changed: set[str], at: int | None = None) -> list[str]:
    """Return the digests to compute: every one of the groups that have `changed`, and of the others
    those whose turn it is.
    """
    return [name for name in names if group_of(name) in changed or in_turn(name, EVERY, at)]


def seal(makers, recorded) -> list[str]:
    """Compute the digests of all groups whose code is not sealed; seal those that agree, and return
    the names that differ.
    """
    changed = unsealed(dict.fromkeys(map(group_of, makers)))
    differ = [
        name
        for name, make in makers.items()
        if group_of(name) in changed and make() != recorded.get(name)
    ]
    agreeing = changed - {group_of(name) for name in differ}
    seals = {
        group: seal_of(group) if group in agreeing else kept
        for group, kept in ({group_of(name): "" for name in makers} | sealed()).items()
    }
    SEALS.write_text(json.dumps(seals, indent=1) + "\n", encoding="utf-8")
    return differ
