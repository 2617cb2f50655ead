"""What travels to the player: size, exactness, and the prepared opening."""

import json
import re
import struct
import zlib

import numpy as np
import pytest

from svmviz.data import many_classes, many_features, plane
from svmviz.data.problem import make_problem
from svmviz.maths import kernels
from svmviz.player.files import scripts
from svmviz.player.ready import opening, openings
from svmviz.player.wire import front as frontwire
from svmviz.player.wire import packing
from svmviz.player.wire import run as wire
from svmviz.player.wire.parts import stream
from svmviz.run.recipe import Recipe, from_query
from svmviz.solvers import SOLVERS
from svmviz.solvers.bsgd.solver import PRESETS
from tests.player.node.ask import ask, text_of
from tests.tools.rotation import at_times
from tests.tools.variants import seldom

PEGASOS = SOLVERS["pegasos"]
THREE = make_problem(
    *(lambda Z: (Z * (np.arange(90) % 15 > 0)[:, None], Z[:, 0] + 0.5 * Z[:, 1] > 0.1))(
        np.random.default_rng(1).normal(size=(90, 3))
    )
)  # features


def decode(data: bytes) -> dict:
    """The reader of web/engine/wire.js in Python."""
    start = 4 + struct.unpack("<I", data[:4])[0]
    header = json.loads(data[4:start], parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
    raw = zlib.decompress(data[start:])
    for name, (dtype, size) in header["arrays"].items():
        width = np.dtype(dtype).itemsize
        numbers, raw = raw[: size * width], raw[size * width :]
        header[name] = np.frombuffer(b"".join(numbers[j::size] for j in range(size)), dtype)
    assert not raw
    header.setdefault("shrink", 1.0 / np.maximum(np.arange(header.get("T", 0) + 1.0), 1.0))
    return header


@pytest.mark.parametrize("kernel", [None, kernels.rbf(2.0)], ids=str)
def test_a_thousand_steps_take_at_most_30_kilobytes_and_12_bytes_a_point(kernel):
    trace = PEGASOS.trace(plane.moons(n=500), steps=1000, lam=0.01, kernel=kernel, project=True)
    assert len(wire.encode(wire.pack(trace))) <= 30 * 1024 + 12 * 500


def test_so_do_those_of_a_run_that_merges_in_most_of_them():
    recipe = Recipe(
        data="checkerboard",
        data_params={"n": 400},
        solver="bsgd",
        params={"B": 20, "kernel": kernels.rbf(6.0)},
        steps=1000,
    ).checked()
    assert (recipe.trace().scalars["event"] > 0).sum() > 700
    assert len(wire.encode(wire.pack_recipe(recipe))) <= 30 * 1024 + 12 * 400


@pytest.mark.parametrize(
    "params, steps",
    seldom([({}, 1000), ({"kernel": None}, 1000), ({"algorithm": "batch"}, 1000), ({}, 2000)], 4),
    ids=str,
)
def test_so_do_those_of_a_stream(params, steps):
    recipe = Recipe(
        data="gauss", data_params={"n": 2000}, solver="incremental", params=params, steps=steps
    ).checked()
    assert recipe.trace().params()["K"] == 5 and recipe.trace().scalars["moved"].sum() > steps
    assert len(wire.encode(wire.pack_recipe(recipe))) <= 30 * 1024 * steps / 1000 + 12 * 2000


def test_whatever_is_in_an_array_arrives():
    rng = np.random.default_rng(0)
    sent = {
        "a": rng.normal(size=(7, 3)),
        "b": np.array([], np.uint8),
        "c": rng.integers(0, 2**32, 5).astype(np.uint32),
        "d": np.array([np.nan, -np.inf, -0.0], np.float32),
        "e": np.arange(-3, 9, dtype=np.int16)[::2],
    }
    message = wire.encode(wire.seal({"name": "Zoë"}, sent), id="x")
    for read in (decode(message), packing.arrays(*packing.body(sent))):
        for name, array in sent.items():
            assert read[name].dtype == array.dtype and read[name].tobytes() == array.tobytes()


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"project": True},
        {"k": 7},
        {"kernel": kernels.rbf(2.0), "iterate": "average"},
        {"iterate": "random"},
        {"changes": [(100, {"k": 3, "lam": 0.2}), (200, {"kernel": kernels.laplacian(1.0)})]},
    ],
    ids=str,
)
def test_the_coefficients_can_be_replayed_from_what_travels(params):
    trace = PEGASOS.trace(plane.blobs(n=80), steps=300, lam=0.02, **params)
    run = decode(wire.encode(wire.pack(trace), id="x"))
    widths = np.repeat(
        [s["k"] for s in run["segments"]], np.diff([*(s["start"] for s in run["segments"]), 300])
    )
    coef, at = np.zeros(80), 0
    for t in range(1, 301):
        coef *= 1.0 - run["shrink"][t].astype(float)
        np.add.at(
            coef,
            run["drawn"][at : at + widths[t - 1]],
            run["delta"][at : at + widths[t - 1]].astype(float),
        )
        at += widths[t - 1]
        if t % 50 == 0:
            assert abs(coef - trace.at(t).coef).max() <= 5e-7 * abs(coef).max()
    assert np.allclose(run["objective"], trace.metrics["primal"], rtol=1e-6)
    assert (run["wrong"] / 80 == trace.metrics["error"]).all() and (
        run["lines"] == trace.column("lines")
    ).all()


TABLED = [
    {},
    {"maintenance": "project smallest", "lam": 0.05},
    {"maintenance": "remove oldest", "rule": "Norma"},
    {"rule": "margin Perceptron", "U": 2.0},
    {"maintenance": "none"},
    {"changes": [(100, {"B": 4})]},
    PRESETS["BPA-NN"],
    PRESETS["Projectron++"],
    PRESETS["SILK"],
]


def replayed(run, V, steps):
    """The coefficients by row after each step, and in the midst of it, as engine/own/table.js and
    engine/replay.js find them.
    """
    coef, at, scores, added = {}, 0, run["scores"], 2 if run["scores"] > 1 else 1
    made = iter(
        run["n"] + np.flatnonzero(run.get("made_m", np.zeros(0)) != run.get("made_n", np.zeros(0)))
    )
    for t in range(1, steps + 1):
        coef = (
            {r: (1.0 - float(run["shrink"][t])) * a for r, a in coef.items()}
            if run["shrink"][t] < 1
            else {}
        )
        midst = dict(coef)
        for e in range(at, at + int(run["changes"][t])):
            row, delta = int(run["change_index"][e]), float(run["change_delta"][e])
            if np.isnan(delta):
                coef.pop(row, None)  # one that was made and went in the same step was never there
                continue
            change = np.zeros(scores)
            change[run["change_class"][e] if scores > 1 else 0] = delta
            coef[row] = coef.get(row, 0.0) + change
            midst = dict(coef) if e < at + added else midst
        at += int(run["changes"][t])
        if run["event"][t] == 3 and "made_h" in run:
            z = int(next(made))
            m, n = (int(run[f"made_{name}"][z - run["n"]]) for name in "mn")
            gamma = run["segments"][0]["params"]["kernel"]["gamma"]
            coef[z] = sum(coef.pop(r) * np.exp(-gamma * ((V[r] - V[z]) ** 2).sum()) for r in (m, n))
        yield t, coef, midst
    assert not list(made)


@pytest.mark.parametrize("params", [*TABLED, {"multiclass": True}], ids=str)
@pytest.mark.parametrize(
    "problem",
    [plane.moons(n=60), many_classes.ring(n=60), many_classes.pinwheel(n=80, classes=10)],
    ids=["two classes", "three", "ten"],
)
def test_a_table_of_vectors_can_be_replayed_from_what_travels(params, problem):
    trace = SOLVERS["bsgd"].trace(problem, steps=300, B=9, **params)
    run = decode(wire.encode(wire.pack(trace)))
    assert run["scores"] == (1 if problem.classes == 2 else problem.classes) and len(
        run["classes"]
    ) == (0 if problem.classes == 2 else problem.classes)
    V = list(run["X"].astype(np.float64).reshape(-1, 2))
    for h, m, n in zip(*(run.get(f"made_{name}", ()) for name in "hmn"), strict=True):
        V.append(h * V[m] + (1 - h) * V[n])
    V = np.array(V)
    assert len(V) == problem.n + len(trace.created) and (V[problem.n :] == trace.created).all()

    def shown(coef):
        return (
            coef[:, None]
            if coef.ndim == 1
            else coef
            if coef.shape[1] > 2
            else coef[:, 1:] - coef[:, :1]
        )

    for t, coef, midst in replayed(run, V, 300):
        assert len(coef) == run["n_sv"][t] == trace.scalars["n_sv"][t]
        if run["scores"] > 1:
            assert run["rival"][t] == trace.scalars["rival"][t]
        for mine, theirs in (
            ((coef, trace.support(t)), (midst, trace.overflow(t))) if t % 15 == 0 else ()
        ):
            if mine is midst and trace.scalars["event"][t] in (0, 4, 7):
                continue  # nothing was maintained
            unit = (
                trace.scalars["pull"][t] if mine is midst else 1.0
            )  # w is pulled back after the maintenance
            assert set(mine) == set(theirs.row.tolist()) and np.allclose(
                V[theirs.row], theirs.vectors, atol=1e-7
            )
            values = shown(theirs.coef)
            assert (
                abs(np.array([mine[r] for r in theirs.row.tolist()]) / unit - values).max()
                <= 1e-5 * abs(values).max()
            )
    assert np.allclose(run["objective"], trace.metrics["primal"], rtol=1e-6)
    assert (run["wrong"] / problem.n == trace.metrics["error"]).all()


def test_vectors_travel_as_they_are_where_a_step_made_several():
    trace = SOLVERS["bsgd"].trace(plane.moons(n=60), steps=120, B=30, changes=[(60, {"B": 10})])
    run = decode(wire.encode(wire.pack(trace)))
    assert "made_h" not in run and len(run["event_E"]) == (run["event"] > 0).sum()
    assert (run["X"].reshape(-1, 2)[60:] == trace.created).all() and len(trace.created) > 20


STREAMS = [
    {},
    {"C": 100.0},
    {"C": 1000.0, "kernel": kernels.laplacian(2.0)},
    {"kernel": kernels.poly(2, 0.5, 1.0), "K": 20},
    {"K": 1},
    {"kernel": None},
    {"algorithm": "Algorithm 1"},
    {"algorithm": "batch"},
    {"teacher": "active"},
    {"gradients": "LASVM, all seen"},
    {"gradients": "LASVM, support vectors"},
    {"C": 0.01},
    {
        "changes": [
            (60, {"K": 11}),
            (90, {"teacher": "adversary"}),
            (130, {"K": 2, "algorithm": "Algorithm 1"}),
        ]
    },
]


def movers(run, trace) -> np.ndarray:
    """Whose coefficient each move changes, as web/engine/own/rounds.js finds it."""
    t = np.repeat(np.arange(len(run["moves"])), run["moves"])
    first = np.cumsum([0, 0, *(trace.params(s)["K"] for s in range(1, trace.steps))])
    draw = run["move_draw"].astype(int)
    return np.where(
        draw == 0, run["drawn"][t - 1], run["picks"][np.maximum(first[t] + draw - 1, 0)]
    )


@pytest.mark.parametrize("params", STREAMS, ids=str)
@pytest.mark.parametrize(
    "problem", [plane.gauss(n=150), THREE], ids=["plane", "space, rows of zeros"]
)
def test_the_moves_of_a_stream_follow_from_where_they_end(problem, params):
    trace = SOLVERS["incremental"].trace(problem, steps=200, **params)
    run = decode(wire.encode(wire.pack(trace)))
    assert not {"move_delta", "margin"} & set(run)
    C, kernel = (run["segments"][0]["params"][name] for name in ("C", "kernel"))
    margin = np.concatenate([s.record.margin[:, 0] for s in trace.segments])
    delta = np.concatenate([s.record.delta[s.record.delta != 0.0] for s in trace.segments])
    X, y, alpha = run["X"].reshape(problem.n, -1).astype(float), run["y"], np.zeros(problem.n)
    G, found, index = (
        kernels.gram(kernels.Kernel(**kernel), X),
        np.zeros(delta.size),
        movers(run, trace),
    )
    first = np.cumsum(run["moves"], dtype=int)
    for t in range(1, 201):
        new = run["drawn"][t - 1]
        assert y[new] * (G[new] @ (y * alpha)) == pytest.approx(
            margin[t - 1], rel=1e-12, abs=1e-12 * C * G.max()
        )
        for e in range(first[t - 1], first[t]):
            i, end = index[e], run["move_end"][e]
            inside = (
                np.clip(alpha[i] + (1.0 - y[i] * (G[i] @ (y * alpha))) / G[i, i], 0.0, C)
                if end == 0
                else 0.0
            )
            after = (inside, 0.0, C)[end]
            found[e], alpha[i] = y[i] * (after - alpha[i]), after
    assert first[-1] == len(index) == delta.size and abs(found - delta).max() <= 1e-12 * C
    at = abs(trace.at(200).coef)
    assert np.array_equal(alpha == 0.0, at == 0.0) and np.array_equal(alpha == C, at == C)


@pytest.mark.parametrize(
    "params", [{"changes": [(90, {"C": 2.0})]}, {}], ids=["a change on the way", "much work"]
)
def test_moves_travel_as_they_are_where_finding_them_would_not_be_cheap(params, monkeypatch):
    trace = SOLVERS["incremental"].trace(plane.gauss(n=150), steps=200, **params)
    if not params:
        drawn, moved = trace.segments[0].record.drawn, trace.segments[0].record.delta != 0.0
        monkeypatch.setattr(stream, "MOST_WORK", stream.work(drawn[:, 0], drawn[moved], 2) - 1)
    run = decode(wire.encode(wire.pack(trace)))
    assert "move_end" not in run
    for name, values in (("move_delta", "delta"), ("margin", "margin")):
        sent = [getattr(s.record, values) for s in trace.segments]
        sent = np.concatenate([v[v != 0.0] if values == "delta" else v[:, 0] for v in sent])
        assert (
            np.array_equal(run[name], sent.astype(run[name].dtype))
            and run["move_delta"].dtype == np.float64
        )


def test_segments_say_what_changed():
    trace = PEGASOS.trace(
        plane.blobs(n=50), steps=60, lam=0.1, changes=[(20, {"lam": 0.5}), (40, {"project": True})]
    )
    segments = decode(wire.encode(wire.pack(trace)))["segments"]
    assert [segment["label"] for segment in segments] == ["", "λ 0.5", "project onto the ball 1"]
    assert [segment["params"]["lam"] for segment in segments] == [0.1, 0.5, 0.5]
    assert (
        segments[2]["params"]["project"] is True
        and segments[2]["params"]["kernel"] == kernels.linear()._asdict()
    )


def test_segments_with_a_changed_kernel_name_it_in_words():
    poly = kernels.poly(degree=3, gamma=0.5, coef0=1.0)
    trace = PEGASOS.trace(
        plane.blobs(n=20),
        steps=9,
        changes=[(3, {"kernel": kernels.rbf(1.0)}), (6, {"kernel": poly})],
    )
    labels = [segment["label"] for segment in decode(wire.encode(wire.pack(trace)))["segments"]]
    assert labels == [
        "",
        "Gaussian kernel, gamma = 1",
        "polynomial kernel, degree = 3, gamma = 0.5, coef0 = 1",
    ]


def test_a_flag_says_that_costs_changed_and_nothing_of_what_does_nothing():
    changes = [(20, {"costs": "0,2/1,0"}), (40, {"loss": "logistic", "costs": ""})]
    trace = SOLVERS["classes"].trace(plane.blobs(n=40), steps=60, changes=changes)
    segments = decode(wire.encode(wire.pack(trace)))["segments"]
    assert [segment["label"] for segment in segments] == ["", "costs changed", "loss logistic"]


def test_float32_is_used_only_where_it_loses_nothing():
    rng = np.random.default_rng(0)
    assert wire.exact(plane.moons(n=20).X).dtype == np.float32
    assert wire.exact(rng.normal(size=(20, 2))).dtype == np.float64
    assert wire.exact(np.array([[1e60, 1.0]])).dtype == np.float64  # and nobody is warned of it


def test_above_2000_points_no_exact_optimum_is_promised():
    rng = np.random.default_rng(0)
    problem = make_problem(rng.normal(size=(2001, 2)), rng.random(2001) < 0.5)
    assert wire.pack(PEGASOS.trace(problem, steps=5)).header["segments"][0]["optimum"] is None


@pytest.mark.parametrize(
    "recipe", openings.recorded().values(), ids=[file.stem for file in openings.recorded()]
)
def test_what_is_prepared_is_a_fresh_run_of_its_recipe(recipe):
    kept, fresh = (decode(wire.encode(p)) for p in (opening.load(recipe), wire.pack_recipe(recipe)))
    for name in fresh["arrays"]:
        assert np.allclose(kept[name], fresh[name], rtol=1e-5), (
            f"{name}: run python -m svmviz.player.ready.opening"
        )
    texts = {"solver", "n", "T", "seed", "arrays", "costs"}
    assert {k: kept[k] for k in texts} == {k: fresh[k] for k in texts}
    for old, new in zip(kept["segments"], fresh["segments"], strict=True):
        assert old["lines"] == new["lines"] and old["params"] == new["params"]
        if new["optimum"]:
            assert old["optimum"]["value"] == pytest.approx(new["optimum"]["value"], rel=1e-9)


def test_all_three_beats_act_in_the_step_of_the_opening():
    values = PEGASOS.story.values(opening.OPENING.trace(), opening.VIEW["t"])
    assert values["margin"] < 0 and values["norm_added"] > values["radius"]


@at_times()
def test_a_table_of_half_a_million_cells_travels_lightly_and_loses_nothing():
    trace = from_query({"data": "rare", "solver": "simba", "nu": "0.001"})[0].checked().trace()
    message = wire.encode(wire.pack(trace), id="x")
    assert trace.problem.X.size == 450_000 and np.array_equal(
        decode(message)["X"], trace.problem.X.ravel()
    )
    assert len(message) <= 700_000


@at_times()
def test_a_thousand_steps_of_simba_take_at_most_30_kilobytes_beside_its_table():
    problem = many_features.direction(n=120, d=600)
    short, long = (
        len(wire.pack(SOLVERS["simba"].trace(problem, steps, nu=0.01)).body)
        for steps in (500, 1500)
    )
    assert long - short <= 30 * 1024


def test_every_module_of_the_player_stands_behind_those_that_it_imports():
    written, seen = scripts.sources(), []
    for name, source in scripts.modules().items():
        imported = scripts.imports(name, written[name])
        late = re.search(r"[^{]import\(", source)  # {import(...)} names a type
        assert set(imported) <= set(seen) and bool(late) == (
            name in ("browser/library.js", "site/charts.js")
        ), name
        assert len(imported) == len(
            re.findall(r"^(?:import\b|export \{|export \*)", source, re.MULTILINE)
        ), name
        assert re.findall(r'from "([^"]+)"', source) == imported, name
        seen.append(name)
    assert set(seen) == set(written)


def test_the_engine_of_the_player_knows_no_picture_and_the_stage_no_solver():
    tools = {"engine", "canvas", "browser"}
    page = tools | {"plane", "curves", "hall", "taking", "beside", "stage"}
    allowed = {
        "engine": {"engine"},
        "canvas": tools,
        "browser": tools,
        "plane": page,
        "curves": page,
        "hall": page,
        "taking": page,
        "beside": page,
        "stage": page | {"panels"},
        "panels": page | {"panels"},
        "questions": page | {"questions"},
        "race": page | {"race"},
        "fork": page | {"fork"},
        "explore": page | {"explore"},
        "lesson": page | {"questions", "lesson"},
        "figure": page | {"lesson", "figure"},
        "saving": page | {"saving"},
        "storyboard": page | {"storyboard"},
        "offline": page | {"storyboard", "offline"},
        "site": page | {"offline", "site"},
        "deck": set(),
        "charts": set(),
    }
    for name, source in scripts.sources().items():
        room = name.split("/")[0]
        assert {other.split("/")[0] for other in scripts.imports(name, source)} <= allowed[room], (
            name
        )
        if room == "engine":
            assert not re.search(r"\b(document|window|location|navigator)\.", source), name


@pytest.mark.parametrize("key", SOLVERS)
def test_every_run_that_promises_a_front_has_one(key):
    found = {**dict(data="moons", n="40"), "solver": key, "T": "60"}
    trace = from_query(found)[0].trace()
    if not frontwire.has_front(trace):
        assert (
            key == "fourier"
            or trace.solver.space.real
            or trace.scores > 1
            or not {"lam", "nu"} & trace.params().keys()
        )
        return
    front = frontwire.front(trace)
    assert len(front["norm"]) == len(front["hinge"]) > 5
    assert (
        {"last"}
        <= {*front["path"]}
        == {"last", *(["average"] if "norm_average" in trace.metrics else [])}
    )
    assert all(len(way) > 20 for way in front["path"].values())


@pytest.mark.parametrize("data", ["pinwheel", "moons"])
def test_a_score_for_each_class_promises_no_front(data):
    trace = from_query({"solver": "bsgd", "data": data, "n": "60", "T": "60", "multiclass": "1"})[
        0
    ].trace()
    assert not frontwire.has_front(trace)


@pytest.mark.parametrize(
    ("key", "given", "change"),
    [
        ("sbp", {"bias": True}, {"nu": 0.3}),
        ("sdca", {}, {"lam": 0.5}),
        ("pegasos", {"iterate": "average"}, {"lam": 0.5}),
    ],
)
def test_entry_of_a_segment_reaches_the_player_with_every_digit(key, given, change):
    trace = SOLVERS[key].trace(plane.moons(n=60), 80, 1, changes=[(40, change)], **given)
    before, after = ask(data=text_of(trace), steps=[0])["entries"]
    objective, worth = trace.solver.goal.objective, trace.entries[40]
    called = {"objective": objective, "objective_average": f"{objective}_average"}
    fractions = {name for name, value in after.items() if value % 1}
    assert not before and after.pop("wrong") == round(60 * worth[trace.solver.goal.error])
    assert after == {name: worth[called.get(name, name)] for name in after}
    assert {"objective"} | {"gap", "b", "b_average", "objective_average"} & {*worth} <= fractions
