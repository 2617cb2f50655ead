"""Another solver, other data: whatever was set before, there is a run, and the player can read
it.
"""

import itertools
import json
import re
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest

from svmviz.data.params import Param
from svmviz.maths import kernels
from svmviz.patched import session
from svmviz.player import WEB
from svmviz.player.wire import packing, race, run
from svmviz.race import card, rivals
from svmviz.race.kinds import KINDS
from svmviz.run.recipe import SOURCES, Recipe
from svmviz.run.view import AXES, arrive
from svmviz.run.visit.switching import Past, switched
from svmviz.solvers import SOLVERS
from svmviz.ui.jobs.compiling import compilation
from tests.tools.cases import Cases, together
from tests.tools.rotation import at_times, in_turn
from tests.tools.variants import seldom

LISTED = re.search(
    r"const TYPES = {(.*?)};", (WEB / "engine" / "wire.js").read_text(encoding="utf-8"), re.DOTALL
)[1]
TYPES = set(re.findall(r"(\w+): \w+Array", LISTED))  # what the player knows


def some(param: Param) -> list:
    """Values of a parameter: every option, both ends of a range, kernels of all kinds."""
    if param.is_kernel:
        return [
            None,
            kernels.linear(),
            kernels.rbf(2.0),
            kernels.poly(2, 0.5, 1.0),
            kernels.laplacian(1.0),
            kernels.imq(2.0),
        ]
    if isinstance(param.default, bool):
        return [False, True]
    return list(param.options) or [param.low, param.default, param.high]


def kinds(message: bytes) -> set[str]:
    """The kinds of numbers in an answer, as its header tells the player."""
    (length,) = struct.unpack_from("<I", message)
    return {kind for kind, _ in json.loads(message[4 : 4 + length])["arrays"].values()}


def test_the_player_knows_the_usual_kinds_of_numbers():
    assert {"uint8", "uint16", "uint32", "int8", "int16", "int32", "float32", "float64"} <= TYPES


@pytest.mark.parametrize("old", SOLVERS)
def test_another_solver_takes_over_what_it_can_use_and_nothing_else(old):
    with Cases() as cases:
        for new, param in (
            (new, param) for new in SOLVERS if new != old for param in SOLVERS[old].params
        ):
            theirs = next((p for p in SOLVERS[new].params if p.name == param.name), None)
            for value in some(param) if theirs else ():
                with cases.case(f"{param.name}={value} to {new}"):
                    recipe = (
                        Recipe(solver=old, params={param.name: value}).checked().with_solver(new)
                    )
                    assert recipe.solver == new and recipe == recipe.checked()
                    assert SOLVERS[new].goes(recipe.params)
                    kept = SOLVERS[new].goes({param.name: value}) and (
                        value is not None or theirs.default is None
                    )
                    assert recipe.params[param.name] == (
                        theirs.check(value) if kept else theirs.default
                    )


@pytest.mark.parametrize(
    "old", [key for key, solver in SOLVERS.items() if any(p.is_kernel for p in solver.params)]
)
def test_what_does_not_go_together_is_left_behind_and_nothing_else(old):
    names = {p.name for p in SOLVERS[old].params}
    params = {
        name: value
        for name, value in {"lam": 0.3, "kernel": kernels.poly(2)}.items()
        if name in names
    }
    recipe = (
        Recipe("xor", solver=old, params=params, steps=5)
        .checked()
        .with_solver("bsgd" if old != "bsgd" else "smo")
    )
    assert recipe.params["kernel"] == (
        kernels.poly(2) if old == "bsgd" else SOLVERS["bsgd"].check({})["kernel"]
    )
    assert recipe.params["lam"] == params.get(
        "lam", SOLVERS["bsgd"].check({})["lam"]
    )  # merging minds the kernel alone
    recipe.trace()


def test_what_was_changed_on_the_way_is_taken_over_and_what_was_drawn_stays():
    recipe = (
        Recipe(params={"lam": 0.1})
        .checked()
        .changed(10, {"lam": 0.3})
        .edited(20, [0], [(0.5, 0.5, 1)])
    )
    other = recipe.with_solver("sdca")
    assert other.params["lam"] == 0.3 and other.changes == () and [e.t for e in other.edits] == [0]


@pytest.mark.parametrize("start", SOLVERS)
def test_whoever_returns_to_a_solver_finds_it_as_he_left_it(start):
    with Cases() as cases:
        for way in itertools.permutations(("smo", "fourier", "incremental"), 2):
            with cases.case("-".join(way)):
                returns(start, way)


def returns(start: str, way: tuple[str, ...]) -> None:
    """Check what a visitor finds who goes from one solver by others back to it, twice."""
    own = {
        p.name: some(p)[-1]
        for p in SOLVERS[start].params
        if p.name in ("k", "iterate", "project", "nu", "bias", "B")
    }
    was = recipe = (
        Recipe("moons", solver=start, params=own if SOLVERS[start].goes(own) else {})
        .checked()
        .fitted()
    )
    past = Past()
    for key in (*(key for key in way if key != start), start):
        recipe, past = switched(recipe, key, past)
    assert recipe.params == was.params
    for key in (key for key in way if key != start):  # what is turned on the way comes along
        recipe, past = switched(recipe, key, past)
        recipe = recipe.with_params(lam=0.3) if key != "incremental" else recipe
    recipe, _ = switched(recipe, start, past)
    expected = {"lam": 0.3} if "lam" in was.params and set(way) - {start, "incremental"} else {}
    assert recipe.params == dict(was.params) | expected


def test_a_batch_that_is_larger_than_other_data_shrinks_when_its_solver_returns():
    recipe, past = switched(Recipe("moons", {"n": 200}, params={"k": 150}).checked(), "smo", Past())
    assert (
        switched(
            replace(recipe, data_params=dict(recipe.data_params) | {"n": 60}), "pegasos", past
        )[0].params["k"]
        == 60
    )


@together("data", SOURCES)
def test_other_data_never_have_fewer_points_than_a_mini_batch_asks_for(data):
    recipe = Recipe(data_params={"n": 5000}, params={"k": 5000}, steps=1).checked().with_data(data)
    assert recipe.params["k"] <= recipe.source.problem(**recipe.data_params).n


def test_who_has_a_score_for_each_class_gets_all_classes_of_other_data():
    several, plain = (Recipe("blobs", solver=key).checked() for key in ("classes", "pegasos"))
    assert [
        several.with_data(data).problem().classes for data in ("iris", "wine", "cancer", "moons")
    ] == [3, 3, 2, 2]
    assert plain.with_data("iris").problem().classes == 2


@pytest.fixture(scope="module")
def app():
    compilation().join()
    return AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=60)


@at_times()
@pytest.mark.parametrize(
    "old",
    seldom(
        [
            {"solver": "fourier", "iterate": "random"},
            {"solver": "bsgd", "sampling": "with replacement"},
            {"solver": "pegasos", "iterate": "random"},
        ],
        3,
    ),
    ids=lambda link: link["solver"],
)
def test_every_solver_can_be_chosen_from_the_menu_and_the_first_returns_as_it_was(app, old):
    for seed, key in enumerate(key for key in SOLVERS if key != old["solver"]):
        app.query_params.clear()
        app.query_params.update({"data": "moons", "n": "50", "T": "30", "seed": str(seed), **old})
        app.run()
        assert app.session_state.visit.recipe.solver == old["solver"]
        next(s for s in app.sidebar.selectbox if s.label == "solver").set_value(key).run()
        assert not app.exception and not app.error and app.session_state.visit.recipe.solver == key
        assert kinds(app.get("bidi_component")[0].proto.bytes) <= TYPES
    next(s for s in app.sidebar.selectbox if s.label == "solver").set_value(old["solver"]).run()
    params = app.session_state.visit.recipe.params
    assert params | {k: v for k, v in old.items() if k != "solver"} == params


@pytest.mark.parametrize(
    ("menu", "keys"),
    [("solver", SOLVERS), ("data", ("xor", "iris", "ring", "blobs"))],
    ids=["solver", "data"],
)
def test_a_choice_is_heard_right_after_another(app, menu, keys):
    app.query_params.clear()
    app.query_params.update({"data": "moons", "n": "50", "T": "20", "solver": "bsgd"})
    app.run()
    for key in keys:
        next(s for s in app.sidebar.selectbox if s.label == menu).set_value(key).run()
        assert not app.exception and getattr(app.session_state.visit.recipe, menu) == key


def test_controls_ask_for_their_own_values_only(app, monkeypatch):
    """Streamlit copies the whole state for each: that fails where a run of the script that was
    overtaken still tidies up.
    """

    def tidied(state):
        raise RuntimeError("dictionary changed size during iteration")

    app.run()
    monkeypatch.setattr(session, "COPY", tidied)
    assert SessionState.filtered_state.fget is session.Lookup
    app.query_params.update({"data": "moons", "n": "50", "T": "20", "seed": "77"})
    app.run()
    assert not app.exception and app.session_state.visit.recipe.seed == 77


def sent(solver: str, data: str) -> None:
    """Check that what is sent of a short run can be read, or that it is refused in a sentence."""
    few = {"n": 60} if any(p.name == "n" for p in SOURCES[data].params) else {}
    recipe = Recipe(data, few, solver=solver, steps=30).checked()
    if SOLVERS[solver].refusal(recipe.problem()):
        with pytest.raises(
            ValueError, match="separates two classes|tells classes apart|fits numbers"
        ):
            run.pack_recipe(recipe)
    else:
        assert kinds(run.encode(run.pack_recipe(recipe), id="x")) <= TYPES


@pytest.mark.long
@pytest.mark.parametrize("solver", SOLVERS)
def test_the_player_can_read_every_solver_on_every_data_set(solver):
    with Cases() as cases:
        for data in SOURCES:
            with cases.case(data):
                sent(solver, data)


def test_message_of_every_solver_on_data_sets_in_turn_can_be_read():
    with Cases() as cases:
        for solver, data in itertools.product(SOLVERS, SOURCES):
            if in_turn(f"{solver} on {data}", every=16):
                with cases.case(f"{solver} on {data}"):
                    sent(solver, data)


LANES = {"moons": "two", "sine": "targets", "surface": "targets", "ring": "classes"}


@together(
    "data, rival", [(data, rival) for data, kind in LANES.items() for rival in rivals(KINDS[kind])]
)
def test_the_player_can_read_every_lane(data, rival):
    found, _ = card.read(
        {"data": data, "lanes": rival, "length": "100", "n": "60", "kernel": "rbf(gamma=1.0)"}
    )
    (rival,) = found.line_up()
    trace = SOLVERS[rival.solver].trace(found.problem, 40, **rival.params)
    assert kinds(race.pack_rival(trace, found.base.look(trace.problem))) <= TYPES


@pytest.mark.parametrize(
    "values",
    [
        np.array([1, 1, 1, 1, 2]),
        np.array([1, 2, 3]),
        np.array([1.0, 1.0, 1.0, 1.0, 0.3]),
        np.array([True, True, True, True, False]),
        np.array([-1, 2, 2]),
    ],
    ids=str,
)
def test_whatever_a_solver_counts_in_travels_in_numbers_that_the_player_knows(values):
    sent = packing.thinned("own", values)
    assert {array.dtype.name for array in sent.values()} <= TYPES
    if "own" in sent:
        assert np.array_equal(sent["own"], values)
    else:
        whole = np.ones(len(values))
        whole[sent["own_at"]] = sent["own_value"]
        assert np.array_equal(whole, values)


@pytest.mark.parametrize("iterate", ["last", "average", "random"])
def test_a_solver_that_counts_by_itself_may_offer_iterates_to_look_at(iterate):
    plain = SOLVERS["perceptron"]
    solver = replace(
        plain,
        params=(*plain.params, Param("iterate", "", "last", options=("last", "average", "random"))),
    )
    trace = solver.trace(Recipe(data_params={"n": 40}).checked().problem(), 60, iterate=iterate)
    message = run.encode(run.pack(trace), id="x")
    assert kinds(message) <= TYPES and b'"iterate":"%s"' % iterate.encode() in message
    assert np.array_equal(
        trace.scalars["mistakes"], plain.trace(trace.problem, 60).scalars["mistakes"]
    )
    assert trace.f(60, trace.problem.X).shape == (40,)


@pytest.mark.parametrize(
    ("asked", "says", "seen"),
    [
        ({"t": "9999999"}, "t was replaced by 20", {"t": 20}),
        ({"x": "foo"}, "x was left out", {"x": "steps"}),
        ({"beat": "zzz"}, "beat was left out: beat may be rest, draw, measure", {"beat": ""}),
        (
            {"beat": "project", "t": "3", "project": "1", "change": "9:project=0"},
            "",
            {"beat": "project"},
        ),
        ({"beat": "rest", "x": "features_read", "t": "3"}, "", {"x": "features_read"}),
    ],
)
def test_a_link_is_told_what_of_its_view_cannot_be(asked, says, seen):
    _, view, messages = arrive({"data": "moons", "n": "20", "T": "20"} | asked)
    assert len(messages) == bool(says) and says in "".join(messages)
    assert seen.items() <= view.items()


def test_links_know_the_axes_that_the_player_has():
    listed = re.search(
        r"const AXES = {(.*?)};",
        (WEB / "curves" / "chart.js").read_text(encoding="utf-8"),
        re.DOTALL,
    )[1]
    assert AXES == tuple(re.findall(r"(\w+): ", listed))
