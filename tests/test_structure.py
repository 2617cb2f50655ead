"""The architecture as a test: who may import whom, and how long a file may be."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ["maths", "data", "record", "theory", "solvers", "run", "estimators", "race", "papers", "views", "player", "ui"]
MODULES = sorted((ROOT / "svmviz").rglob("*.py"))


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def arrows(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules that a file imports, or from which it imports something."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            parts = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {part if part in known else node.module for part in parts}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & known.keys() - {name(path)}


def test_rooms_import_from_those_before_them_and_no_two_files_from_each_other():
    known = {name(path): path for path in MODULES}
    left = {module: arrows(path, known) for module, path in known.items()}
    rooms = {module: module.split(".")[1] for module in known if "." in module}
    for module, room in rooms.items():
        for other in left[module]:
            assert ROOMS.index(rooms.get(other, "ui")) <= ROOMS.index(room), f"{module} imports {other}, which comes after it"
    while free := [module for module, others in left.items() if not others & left.keys()]:
        for module in free:
            del left[module]
    assert not left, f"among these some import each other: {sorted(left)}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_each_module_imports_only_what_its_room_allows(path):
    room, names = path.relative_to(ROOT / "svmviz").parts[0], imports(path)
    if room not in ("ui", "player"):
        assert not any(name.split(".")[0] == "streamlit" for name in names), "Streamlit belongs to ui, player and pages"
    if room != "views":
        assert not any(name.split(".")[0] == "plotly" for name in names), "Plotly belongs to views"
    if room not in ("ui", "player", "views"):
        for upper in ("svmviz.ui", "svmviz.player", "svmviz.views"):
            assert not any(name.startswith(upper) for name in names), "arrows never go back from a picture to a solver"


@pytest.mark.parametrize("path", [*MODULES, *(ROOT / "svmviz").rglob("*.js"), *(ROOT / "pages").glob("*.py")],
                         ids=lambda p: p.name)
def test_a_file_is_a_screen_or_a_few(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


def test_nothing_that_travels_holds_markup_from_python():
    for path in (ROOT / "svmviz" / "player" / "web").glob("*.js"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if "innerHTML" in line:
                assert "${run" not in line and "${this.run" not in line, f"{path.name}:{number} puts data into HTML"
