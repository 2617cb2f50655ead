"""Every option of every control against every kind of data: each is taken, or refused in a
sentence; no page breaks.

The quick tests open links, each with options of the controls drawn by chance: within a few commits
every solver meets every kind of data, and each option, too. The long ones take the options as a
visitor does, one click after the other.
"""

import random
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from svmviz.data.params import Param
from svmviz.data.plane import Dataset
from svmviz.data.problem import make_problem, private
from svmviz.explore.faults import ESTIMATOR
from svmviz.maths import kernels
from svmviz.run.visit.after import Visit
from svmviz.solvers import SOLVERS
from svmviz.ui.explore import sweeping
from svmviz.ui.jobs.compiling import compilation
from tests.tools.rotation import by_turns, in_turn, turn

APP = str(Path(__file__).parents[2] / "app.py")
KINDS = {
    "two classes": {"data": "moons", "n": "30"},
    "several": {"data": "pinwheel", "n": "40"},
    "targets": {"data": "sine", "n": "30"},
    "far targets": {"data": "outliers", "n": "30"},
    "sentences": {"data": "tagging", "n": "48"},
    "hundreds of features": {"data": "rare", "n": "40", "d": "120"},
    "measured": {"data": "iris"},
    "measured targets": {"data": "diabetes", "n": "40"},
    "own": {"data": "upload:own"},
    "own, sparse": {"data": "upload:sparse"},
    "one feature": {"data": "upload:one"},
    "drawn": {"data": "moons", "n": "30", "edit": "0:1,2:0.5,0.5,1"},
}
KERNELS = [
    None,
    kernels.rbf(2.0),
    kernels.poly(3),
    kernels.poly(2, 0.5, 20.0),
    kernels.laplacian(1.0),
    kernels.imq(0.5),
]
MOST = 80  # clicks of a visitor who takes every option that he has not taken yet


def own() -> dict[str, Dataset]:
    """Return data of a visitor's own: dense, sparse, and with a single feature."""
    X, y = np.random.default_rng(8).normal(size=(24, 4)).round(3), np.arange(24) % 2
    tables = {"own": X, "sparse": sp.csr_array(np.where(X > 0.6, X, 0.0)), "one": X[:, :1]}
    return {
        f"upload:{name}": Dataset(
            f"upload:{name}",
            f"{name}.csv",
            lambda table=table: private(make_problem(table, y)),
            (),
            "Your file.",
            tuple("abcd"[: table.shape[1]]),
        )
        for name, table in tables.items()
    }


@pytest.fixture
def opened(monkeypatch):
    """Open a page of the app at a link, with files of the visitor's own; Explore's processes are
    not started.
    """
    compilation().join()
    monkeypatch.setattr(sweeping, "processes", lambda: type("Idle", (), {"width": 2})())

    def opened(page: str, query: dict[str, str]) -> AppTest:
        app = AppTest.from_file(APP, default_timeout=120)
        app.session_state["visit"] = Visit(own=own())
        app.session_state["tab_asked"] = True  # no browser is there to be asked for a file
        app.query_params.update(query)
        if page:
            app.switch_page(f"pages/{page}.py")
        return app.run()

    return opened


def broken(app: AppTest) -> str:
    """Return what a page says that has broken; nothing where it has not. A refusal is a
    sentence.
    """
    return " ".join(str(box.value) for box in app.exception)


def option(param: Param, chance: random.Random) -> str:
    """Return an option of a parameter, as a link says it."""
    if param.is_kernel:
        return param.write(chance.choice(KERNELS))
    if param.text:
        return param.write(param.default)
    usual = (
        list(param.options) or [True, False]
        if isinstance(param.default, bool)
        else param.options or [param.low, param.default, param.high]
    )
    return param.write(chance.choice(list(usual)))


def link(kind: str, solver: str, chance: random.Random) -> dict[str, str]:
    """Return a link to a short run with some of the options of the solver's controls."""
    chosen = {p.name: option(p, chance) for p in SOLVERS[solver].params if chance.random() < 0.5}
    return {**chosen, **KINDS[kind], "solver": solver, "T": "30", "t": "12"}


@pytest.mark.parametrize("kind", by_turns(KINDS, every=3, always=1))
def test_every_solver_opens_on_every_kind_of_data_or_says_why_not(kind, opened):
    found = []
    for solver in SOLVERS:
        if in_turn(f"{kind}, {solver}", 6):
            query = link(kind, solver, random.Random(f"{turn()} {kind} {solver}"))
            if said := broken(opened("", query)):
                found.append((query, said))
    assert not found, found


@pytest.mark.parametrize("kind", by_turns(KINDS, every=3, always=1))
def test_explore_opens_on_every_kind_of_data_or_says_why_not(kind, opened):
    found = []
    for solver in ESTIMATOR:
        if in_turn(f"{kind}, {solver}", 16):
            query = link(kind, solver, random.Random(f"{turn()} {kind} {solver}"))
            if said := broken(opened("explore", query)):
                found.append((query, said))
    assert not found, found


# As a visitor does --------------------------------------------------------------------------------


def choices(app: AppTest):
    """Yield every option of every control but of data and solver: a name that stays from run to
    run, and how to take it.
    """
    for menu in (*app.selectbox, *app.radio):
        for text in menu.options if menu.label not in ("data", "solver") else ():
            yield f"{menu.label}: {text}", lambda menu=menu, text=text: chosen(menu, text)
    for switch in (*app.toggle, *app.checkbox):
        yield (
            f"{switch.label}: {not switch.value}",
            lambda switch=switch: switch.set_value(not switch.value),
        )
    for number in (*app.slider, *app.number_input):
        for value in (number.min, number.max):
            yield (
                f"{plain(number.key)}: {value}",
                lambda number=number, value=value: number.set_value(value),
            )
    for row in (*app.segmented_control, *app.select_slider):
        for text in dict.fromkeys([row.options[0], row.options[-1], *row.options[:6]]):
            yield f"{plain(row.key)}: {text}", lambda row=row, text=text: chosen(row, text)


def plain(key: str) -> str:
    """Return a key without the numbers that change from run to run."""
    return re.sub(r"\d", "", key)


def chosen(control, text: str):
    """Choose an option by what is written there, of a menu, of a row of buttons, on a slider of
    words.
    """
    state = WidgetState(id=control.id)
    if control.type in ("selectbox", "radio"):
        state.string_value = text
    else:
        state.string_array_value.data[:] = [text]
    control.__class__ = type(
        "Chosen", (type(control),), {"_widget_state": property(lambda self: state)}
    )
    return control


def wander(app: AppTest) -> None:
    """Take every option that has not been taken yet, and go on from where that leads."""
    taken, said = [], broken(app)
    while not said and len(taken) < MOST:
        fresh = next(((name, take) for name, take in choices(app) if name not in taken), None)
        if fresh is None:
            break
        name, take = fresh
        taken.append(name)
        said = broken(app := take().run())
    assert not said, (taken[-6:], said)
    assert len(taken) > 5, "a page with controls"


def menu(app: AppTest, label: str):
    return next(box for box in app.selectbox if box.label == label)


@pytest.mark.long
@pytest.mark.parametrize("page", ["", "explore"], ids=["playground", "explore"])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", KINDS)
def test_no_option_of_any_control_breaks_the_page(page, solver, kind, opened):
    app = opened(page, {**KINDS[kind], "T": "30"})
    title = SOLVERS[solver].title
    if title in menu(app, "solver").options:
        wander(chosen(menu(app, "solver"), title).run())


@pytest.mark.long
@pytest.mark.parametrize("solver", SOLVERS)
def test_no_data_of_the_menu_break_the_page_of_any_solver(solver, opened):
    app = opened("", {"solver": solver, "T": "30"})
    for text in menu(app, "data").options:
        assert not (said := broken(app := chosen(menu(app, "data"), text).run())), (text, said)
