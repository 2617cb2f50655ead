"""The architecture as a test: who may import whom, and how long a file may be."""

import ast
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from svmviz.player import WEB
from svmviz.player.files import scripts
from tests.tools import forked
from tests.tools.rooms import (
    KNOWN,
    MODULES,
    ROOMS,
    ROOT,
    arrows,
    called_imports,
    files_about,
    imported,
    room,
    written,
)
from tests.tools.rotation import at_times


def imports(path: Path) -> set[str]:
    found = set()
    for node in imported(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_rooms_import_from_those_before_them_and_no_two_files_from_each_other():
    left, order = {module: arrows(path) for module, path in KNOWN.items()}, list(ROOMS)
    assert {room(module) for module in KNOWN} == set(order)
    for module in KNOWN:
        for other in left[module] if "." in module else ():
            assert order.index(room(other)) <= order.index(room(module)), (
                f"{module} imports {other}, which comes after it"
            )
    while free := [module for module, others in left.items() if not others & left.keys()]:
        for module in free:
            del left[module]
    assert not left, f"among these some import each other: {sorted(left)}"


def test_the_picture_of_the_rooms_is_that_of_the_code():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert written(text) == text, "python -m tests.tools.rooms --write draws it anew"
    assert len(list((ROOT / "svmviz").glob("[!_]*"))) <= 20


def test_each_module_imports_only_what_its_room_allows():
    wrong = []
    for path in MODULES:
        room, names = path.relative_to(ROOT / "svmviz").parts[0], imports(path)
        if room not in ("patched", "ui", "player") and any(
            name.split(".")[0] == "streamlit" for name in names
        ):
            wrong.append(f"{path}: Streamlit belongs to patched, ui, player and pages")
        if room != "views" and any(name.split(".")[0] == "plotly" for name in names):
            wrong.append(f"{path}: Plotly belongs to views")
        if room not in (
            "ui",
            "player",
            "views",
            "cli.py",
            "__init__.py",
        ):  # the package itself shows its runs
            wrong += [
                f"{path} imports {name}: arrows never go back from a picture to a solver"
                for name in names
                if name.startswith(("svmviz.ui", "svmviz.player", "svmviz.views"))
            ]
    assert not wrong, "\n".join(wrong)


def test_imports_by_a_call_are_arrows_too():
    text = (
        'def page():\n    return import_module("svmviz.player.files.page"), __import__("svmviz.ui")'
    )
    assert [node.names[0].name for node in called_imports(text)] == [
        "svmviz.player.files.page",
        "svmviz.ui",
    ]
    assert not called_imports("def import_module(name): return name\nimport_module(name)")


@at_times(8)
def test_files_about_a_module_begin_with_the_tests_of_its_folder():
    assert files_about("svmviz/maths/water/level.py")[0] == "tests/maths/test_water.py"


def written_files() -> dict[Path, list[Path]]:
    """Return the files by their folders, without recordings, what others wrote, and `__init__`."""
    found = defaultdict(list)
    for top in ("svmviz", "tests", "benchmarks", "deploy", "pages"):
        for path in (ROOT / top).rglob("*.*"):
            apart = {"recorded", "vendor", "__pycache__"} & set(path.parts)
            if path.is_file() and not apart and path.name != "__init__.py":
                found[path.parent].append(path)
    return found


def test_folder_holds_at_most_sixteen_files():
    assert not {folder: len(files) for folder, files in written_files().items() if len(files) > 16}


def test_name_of_a_file_repeats_neither_its_folder_nor_a_sibling():
    for folder, files in written_files().items():
        names = {path.stem.removeprefix("test_") for path in files}
        assert folder.name not in names, f"{folder} holds a file of its own name"
        begins = Counter(name.split("_")[0] for name in names)
        crowded = [one for one, many in begins.items() if many > 2 or many > 1 and one in names]
        assert not crowded, f"in {folder} some files begin with {crowded}: they are a folder"


LONG = 400  # lines of a file
# What is longer still; each entry goes when its file is divided.
LONGER = {
    "svmviz/run/recipe.py": 454,
    "svmviz/race/card.py": 412,
    "svmviz/player/web/plane/map.js": 611,
    "svmviz/player/web/stage/main.js": 490,
    "svmviz/player/web/canvas/draw.js": 471,
    "svmviz/player/web/engine/replay.js": 448,
    "svmviz/player/web/saving/svgpen.js": 431,
    "svmviz/player/web/lesson/main.js": 424,
}


def test_file_is_a_screen_or_a_few():
    ours = [path for path in WEB.rglob("*") if "vendor" not in path.parts]
    looks = [path for path in ours if path.name.endswith((".css", ".js", ".d.ts"))]
    for path in [*MODULES, *(ROOT / "pages").glob("*.py"), *looks]:
        most = LONGER.get(path.relative_to(ROOT).as_posix(), LONG)
        length = len(path.read_text(encoding="utf-8").splitlines())
        assert length <= most, f"{path} has {length} lines, of which {most} are enough"


def test_style_of_a_stage_or_of_the_shell_is_in_its_list():
    listed = {*scripts.SHELL, *scripts.ROOT}.union(*map(scripts.styles, scripts.OWN))
    there = {path.relative_to(WEB).as_posix() for path in WEB.rglob("*.css")}
    apart = ("vendor/", "charts/", "deck/", "offline/", "site/")  # pages name these by themselves
    assert listed <= there and not {name for name in there - listed if not name.startswith(apart)}


def test_nothing_that_travels_holds_markup_from_python():
    for path in (ROOT / "svmviz" / "player" / "web").rglob("*.js"):
        for markup in re.findall(
            r"innerHTML = (.*?);$", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
        ):
            assert "${run" not in markup and "${this.run" not in markup, (
                f"{path.name} puts data into HTML: {markup}"
            )


def test_a_slider_of_the_stage_has_a_value_before_its_first_picture():
    written = "".join(path.read_text(encoding="utf-8") for path in WEB.rglob("*.js"))
    sliders = re.findall(r'<[^<>]*role="slider"[^<>]*>', written)
    assert len(sliders) > 1 and all("aria-valuenow=" in slider for slider in sliders)


FORMER = """
import warnings
warnings.simplefilter("error")
import svmviz
from svmviz.core import make_problem
from svmviz.parts import rbf
from svmviz.solvers.sbp import water_level
import svmviz.data.planes
import svmviz.uploads
from svmviz.data import datasets
from svmviz.data.families import FAMILIES
from svmviz.families import rare
from svmviz.multiclass import MULTICLASS
assert datasets is svmviz.datasets is svmviz.data.plane and FAMILIES and MULTICLASS and svmviz.data.planes.default
problem = svmviz.datasets.moons(n=30, seed=1)
trace = svmviz.SOLVERS["pegasos"].trace(problem, steps=20, seed=0, lam=0.1, kernel=svmviz.parts.rbf(2.0))
assert svmviz.bundled.BUNDLED and svmviz.recipe.SOURCES and svmviz.sources and svmviz.stream.checkerboard
assert svmviz.budget.merge_pair([0.0], [1.0], 1.0, 1.0, gamma=0.5).h == 0.5 and svmviz.bounds.corollary_1(100, 0.1, 1.0)
assert svmviz.reference.optimum(problem, lam=0.1, kernel=rbf(2.0)).gap < 1e-9 and callable(water_level)
"""


def test_names_that_downloaded_scripts_call_are_there_in_a_fresh_python():
    forked.run(FORMER)


LAZY = """
import sys
from importlib import import_module
import svmviz
def loaded():
    return {name.split(".")[1] for name in sys.modules if name.startswith("svmviz.")}
assert loaded() == {"data", "record"} and "numpy" not in sys.modules, loaded()
before = loaded()
for module in MODULES:
    room = module.split(".")[1]
    import_module(module)
    before.add(room)
    assert loaded() <= before, f"{module} brings {loaded() - before}"
missing = [name for name in svmviz.__all__ if not hasattr(svmviz, name)]
assert not missing and {*svmviz.__all__} <= {*dir(svmviz)} and not hasattr(svmviz, "nothing")
from svmviz.record import solver
assert svmviz.core is solver and svmviz.data.planes is svmviz.projection
"""


def test_importing_a_room_brings_none_that_comes_after_it():
    order = list(ROOMS)[: list(ROOMS).index("solvers") + 1]
    of_rooms = sorted(
        (module for module in KNOWN if "." in module and room(module) in order),
        key=lambda module: order.index(room(module)),
    )
    script = f"MODULES = {of_rooms}\n{LAZY}"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


PLAYGROUND = """
import ast, sys
from pathlib import Path
page = ast.parse(Path("pages/playground.py").read_text(encoding="utf-8"))
imports = [node for node in page.body if isinstance(node, ast.Import | ast.ImportFrom)]
exec(compile(ast.Module(imports, []), "pages/playground.py", "exec"))
import svmviz.ui.shell.menu
rooms = "papers", "lessons", "explore", "race", "estimators"
shown = [f"svmviz.{room}" for room in rooms] + [f"svmviz.ui.{room}" for room in (*rooms, "stream", "data", "site")]
shown += ["sklearn", "scipy.stats", "scipy.optimize", "pandas"]
found = {name for name in sys.modules if any(f"{name}.".startswith(f"{one}.") for one in shown)}
assert not found, f"the Playground imports what it does not show: {sorted(found)}"
"""


def test_playground_imports_nothing_that_it_does_not_show():
    done = subprocess.run(
        [sys.executable, "-c", PLAYGROUND], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_pandas_is_there_before_plotly_draws_beside_another_thread():
    script = "import sys, svmviz.views.theme; assert 'pandas' in sys.modules"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
