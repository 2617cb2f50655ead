"""The player against Python, without a browser: coefficients, decision values, the field, what
follows from them and the sentence at some steps of hundreds of runs, of every solver, with every
kind of parameter, change and edit; and what panels may say.
"""

import base64
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from svmviz.data import plane
from svmviz.data.params import Param
from svmviz.data.plane import DATASETS
from svmviz.maths import kernels, losses, viterbi
from svmviz.maths.kernels.lengths import largest
from svmviz.maths.water import water_level, water_level_with_bias
from svmviz.maths.water.search import water_level_steps
from svmviz.player import WEB
from svmviz.player.wire import run
from svmviz.record.sentences import DEPTHS, Line
from svmviz.record.trace import Trace
from svmviz.run.recipe import Recipe
from svmviz.run.shown import OPTIMUM_UP_TO
from svmviz.solvers import SOLVERS
from svmviz.solvers.bsgd.budget import merge_pair
from svmviz.work.words import fill, times
from tests.player.node.ask import ask, text_of
from tests.tools.saying import same_words

SOME, EACH, T = 6, 60, 120  # runs of a solver, of them and of all, and their steps
DATA = {
    "moons": {"n": 50},
    "blobs": {"n": 40},
    "xor": {"n": 60},
    "rare": {"n": 30, "d": 40},
    "wine": {"n": 60},
    "iris": {"n": 50},
    "spirals": {"n": 45},
    "checkerboard": {"n": 50},
    "pinwheel": {"n": 50, "classes": 4},
}
TARGETS = {
    "sine": {"n": 50},
    "surface": {"n": 40},
    "diabetes": {"n": 50},
    "outliers": {"n": 40},
    "moons": {"n": 50},
}
KERNELS = [
    None,
    None,
    kernels.rbf(2.0),
    kernels.rbf(0.3),
    kernels.poly(2, 0.5, 1.0),
    kernels.laplacian(1.0),
    kernels.imq(2.0),
]


def some(param: Param, rng) -> object:
    """A value of a parameter by chance."""
    if param.is_kernel:
        return KERNELS[rng.integers(len(KERNELS))]
    if param.text:
        return param.default
    if isinstance(param.default, bool):
        return bool(rng.integers(2))
    if param.options:
        return str(rng.choice(param.options))
    near = (param.default or 1.0) * np.exp(rng.uniform(-3.0, 3.0))
    return type(param.default)(np.clip(near, param.low, param.high))


def chosen(solver, rng, share: float) -> dict:
    return {p.name: some(p, rng) for p in solver.params if rng.random() < share}


def recipes(key: str) -> Iterator[Recipe]:
    """Runs of a solver that nobody would think of; the seed is the solver's own, so that each has
    the same runs every time.
    """
    rng, solver, found = np.random.default_rng(list(key.encode())), SOLVERS[key], 0
    sets = TARGETS if solver.space.real else DATA
    while found < EACH:
        data = str(rng.choice(list(sets)))
        new = Recipe(
            data, sets[data], key, chosen(solver, rng, 0.5), seed=int(rng.integers(1000)), steps=T
        )
        if not solver.goes(new.params):
            continue
        new = new.checked().fitted()
        for t in sorted(rng.choice(np.arange(5, T - 5), rng.integers(3), replace=False).tolist()):
            change = chosen(solver, rng, 0.3)
            change.pop("multiclass", None)
            if (
                change
                and solver.goes(new.current | change)
                and change.get("k", 1) <= new.problem().n
            ):
                new = new.changed(int(t), change)
            if len(new.source.names) == 2 and new.problem().classes == 2 and rng.random() < 0.5:
                full = new.current.get("k", 1) > new.problem().n - 2
                gone = [] if new.edits or full else rng.choice(20, 2, replace=False).tolist()
                new = new.edited(
                    int(t),
                    gone,
                    [(float(rng.normal()), float(rng.normal()), int(rng.choice([-1, 1])))],
                )
        if (
            new.admitted() and new.trace().metrics["norm"].max() < 1e15
        ):  # a long step on a square may go beyond all numbers
            found += 1
            yield new


@pytest.fixture(scope="module")
def player():
    """The player: a function of what `replay.mjs` may be asked."""
    return ask


def alike(mine, theirs, within: float) -> None:
    apart = np.abs(np.asarray(mine, float) - theirs).max(initial=0.0)
    assert apart <= within, f"{apart} instead of {within}"


def numbered(said: str, names: list[str]) -> str:
    """A sentence with the numbers of classes instead of their names, which only the player knows;
    of two all say the sign.
    """
    known = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return (
        re.sub(f"class ({known})", lambda found: f"class {names.index(found[1])}", said)
        if len(names) > 2
        else said
    )


def coefficients(trace: Trace, t: int, mine: np.ndarray, summed: float) -> None:
    """Those of the player, a row for each vector; nobody who is gone has left a trace. Changes
    travel as float32, and `summed` is all that ever was added: projections add much that cancels
    out.
    """
    if not trace.made:
        theirs = trace.coef(t)[:, None]
        return alike(
            mine,
            theirs,
            1e-6 * max(np.abs(theirs).max(), 1e-9) + 1e-7 * np.abs(trace.at(t).coef).sum(),
        )
    held = trace.support(t)
    theirs = np.zeros((len(mine), *held.coef.shape[1:]))
    theirs[held.row] = held.coef
    theirs = theirs.reshape(len(mine), -1)
    if theirs.shape[1] == 2 > mine.shape[1]:
        theirs = theirs[:, 1:] - theirs[:, :1]
    alike(mine, theirs, 1e-6 * max(np.abs(theirs).max(), 1e-9) + summed * 2.0**-24)
    assert np.array_equal(mine.any(axis=1), theirs.any(axis=1))


def added_up(trace: Trace) -> list[float]:
    """All that ever was added, however much of it cancelled out."""
    summed = [0.0]
    for segment in trace.segments:
        changes = segment.record.changes
        for s, factor in enumerate(changes.factor):
            raised = np.abs(changes.amount[changes.first[s] : changes.first[s + 1]])
            summed.append(summed[-1] * abs(factor) + raised.sum())
    return summed


def left_of(trace: Trace, t: int, summed: float, *values: np.ndarray) -> float:
    """What float32 leaves of a sum."""
    terms = summed * largest(trace.kernel(max(t, 1)), trace.features(trace.problem.X, max(t, 1)))
    return max(1e-6 * max(np.abs(some).max() for some in values), 1e-7 * terms)


def agrees(recipe: Recipe, trace: Trace, player, steps: list[int]) -> None:
    problem, plane, key = trace.problem, recipe.look(trace.problem), recipe.solver
    summed = added_up(trace)
    found = player(data=base64.b64encode(run.encode(run.pack_recipe(recipe))).decode(), steps=steps)
    if "moves" in found:  # of a stream, digit for digit up to where Python sums up anew
        moves = np.concatenate(
            [segment.record.delta[segment.record.delta != 0.0] for segment in trace.segments]
        )
        alike(found["moves"], moves, 1e-12 * np.abs(moves).max(initial=1e-9))
    if trace.solver.key != "fourier":
        for i, mine in zip((0, problem.n - 1), found["columns"], strict=True):  # digit for digit
            assert np.array_equal(
                mine, kernels.gram(trace.kernel(1), problem.X, problem.X[[i]])[:, 0]
            )
    xs, ys, scores, n = np.array(found["xs"]), np.array(found["ys"]), found["scores"], problem.n
    places = (
        np.column_stack([np.tile(xs, ys.size), np.repeat(ys, xs.size)]) @ plane.basis + plane.origin
    )
    for t, shown in zip(steps, found["shown"], strict=True):
        f, field = trace.f(t, problem.X), trace.f(t, places)
        if f.ndim > 1 and scores == 1:  # of two classes the player keeps the difference
            f, field = f[:, 1] - f[:, 0], field[:, 1] - field[:, 0]
        scale = left_of(trace, t, summed[t], f, field)
        alike(np.reshape(shown["f"], (scores, -1)).T[:n], f.reshape(n, -1), scale)
        alike(np.reshape(shown["field"], (scores, -1)).T, field.reshape(len(places), -1), scale)
        coefficients(trace, t, np.reshape(shown["coef"], (scores, -1)).T, summed[t])
        if shown["weights"]:
            weighed(trace, t, shown["weights"], shown["numbers"])
        if key == "sbp":
            poured(trace, t, shown["water"], scale)
        if t in [
            segment.start for segment in trace.segments[1:]
        ]:  # there the stage speaks of what comes next
            continue
        for depth in DEPTHS:
            same_words(numbered(shown[depth], found["classes"]), trace.why(t, depth))
        iterate, rows = trace.segment(t).params.get("iterate", "last"), trace.segment(t).active
        if f.ndim > 1:
            contested(trace, t, shown, f[rows], scale)
        elif (
            iterate != "random" and problem.classes <= 2
        ):  # a point on the boundary may fall to either side
            loss = trace.solver.loss(trace.segment(t).params)
            margin = f[rows] - problem.y[rows] if loss.residual else problem.y[rows] * f[rows]
            rim = loss.s + losses.RIM * (loss.s + np.abs(problem.y[rows]))
            edge = np.abs(np.abs(margin) - rim) if loss.residual else np.abs(f[rows])
            steepest = max(
                np.abs(losses.each(losses.SLOPE, loss, margin + by)).max() for by in (-scale, scale)
            )
            if (
                iterate == "last"
                and trace.solver.goal.objective == "primal"
                and "lam" in trace.params(t)
                and key != "bsgd"
            ):
                primal = trace.metrics["primal"][t]
                assert (
                    abs(shown["primal"] - primal)
                    <= 1e-5 * max(primal, 1.0) + max(1.0, steepest) * scale
                )
            error = trace.metrics["error_average" if iterate == "average" else "error"][t]
            assert abs(shown["wrong"] - error * len(rows)) <= (edge <= scale).sum() + 0.5
            alike(
                shown["hinge"],
                losses.each(losses.VALUE, loss, margin).mean(),
                1e-6 + steepest * scale,
            )


def contested(trace: Trace, t: int, mine: dict, f: np.ndarray, scale: float) -> None:
    """With a score per class: the mean loss, P where all scores have travelled, and who is taken
    for another class.
    """
    if trace.solver.space.chained:  # what a sentence costs is told, not found
        return
    second, first = np.sort(f, axis=1)[:, -2:].T
    assert (
        abs(mine["wrong"] - trace.metrics["error"][t] * len(f))
        <= (first - second <= 2 * scale).sum() + 0.5
    )
    alike(mine["hinge"], trace.metrics["hinge"][t], 1e-6 + 2 * scale)
    if trace.solver.goal.regularisation(trace.params(t)):
        primal = trace.metrics["primal"][t]
        assert abs(mine["primal"] - primal) <= 1e-5 * max(primal, 1.0) + 2 * scale


def weighed(trace: Trace, t: int, mine: dict, numbers: dict[str, str]) -> None:
    """SIMBA's weights of the rows, how much of the table is known, and the level."""
    assert mine["cells"] == trace.scalars["cells"][t]
    if t not in [segment.start for segment in trace.segments[1:]]:
        level = trace.scalars[
            "level_average" if trace.params(t)["iterate"] == "average" else "level"
        ][t]
        assert float(numbers["level γ(w)"].replace("−", "-")) == pytest.approx(level, abs=6e-4)
    if t and not trace.params(t)["exact_p"]:
        assert mine["p"][trace.drawn[t]] == pytest.approx(trace.scalars["p"][t], rel=1e-6)


def poured(trace: Trace, t: int, mine: dict, scale: float) -> None:
    """The water of SBP on the last iterate, with the volume of the step to come."""
    segment = trace.segment(min(t + 1, T))
    rows, y = segment.active, trace.problem.y
    c = (
        y[rows]
        * (
            kernels.gram(segment.params["kernel"] or kernels.linear(), trace.problem.X)
            @ trace.at(t).coef
        )[rows]
    )
    volume = rows.size * segment.params["nu"]
    gamma, b = (
        water_level_with_bias(c, y[rows], volume)
        if segment.params["bias"]
        else (water_level(c, volume), 0.0)
    )
    assert abs(mine["gamma"] - gamma) <= scale and abs(mine["b"] - b) <= 10 * scale


@pytest.mark.parametrize(
    "runs",
    [slice(SOME), pytest.param(slice(SOME, EACH), marks=pytest.mark.long)],
    ids=["some", "others"],
)
@pytest.mark.parametrize("key", SOLVERS)
def test_player_and_python_agree(player, key, runs):
    for recipe in islice(recipes(key), runs.start, runs.stop):
        trace, rng = recipe.trace(), np.random.default_rng(recipe.seed)
        steps = [
            T,
            *rng.integers(1, T, 4).tolist(),
            0,
            *(segment.start for segment in trace.segments[1:]),
        ]
        try:
            agrees(recipe, trace, player, steps)
        except AssertionError as error:
            raise AssertionError(f"{recipe.query()}: {error}") from error


def test_the_search_for_the_level_goes_round_by_round_as_python_does(player):
    rng = np.random.default_rng(3)
    for n in rng.integers(1, 60, 100).tolist():
        c, volume = (
            np.round(rng.normal(size=n), int(rng.integers(1, 4))),
            float(rng.choice([0.0, rng.gamma(1.0), 50.0])),
        )
        mine = player(
            module="engine/own/water", name="rounds", args=[c.tolist(), list(range(n)), volume]
        )["value"]
        theirs = water_level_steps(c, volume)
        assert [r["pivot"] for r in mine] == [r.pivot for r in theirs]
        assert [r["kept"] for r in mine] == [r.kept.tolist() for r in theirs]
        assert [r["floods"] for r in mine] == [r.why == "floods" for r in theirs]
        alike([r["need"] for r in mine], [r.need for r in theirs], 1e-9 * (1.0 + volume))
        assert mine[-1]["gamma"] == pytest.approx(theirs[-1].gamma, rel=1e-12)


def test_losses_are_those_of_python(player):
    kinds = (
        losses.hinge(),
        losses.squared_hinge(),
        losses.smoothed_hinge(0.3),
        losses.smoothed_hinge(2.0),
        losses.logistic(),
    )
    for loss in (*kinds, losses.epsilon_insensitive(0.7), losses.squared()):
        for m in (-50.0, -1.0, 0.0, 0.5, 0.7, 1.0, 1.5, 30.0):
            for name, mine in (("value", losses.value), ("slope", losses.slope)):
                theirs = player(module="engine/losses", name=name, args=[loss._asdict(), m])[
                    "value"
                ]
                assert theirs == pytest.approx(mine(loss, m), rel=1e-13)


def test_taggings_are_those_of_python(player):
    rng, path, costly = np.random.default_rng(5), np.empty(6, np.int64), np.empty((6, 3))
    for _ in range(50):
        scores, pairs, true = (
            rng.normal(size=(6, 3)).round(1),
            rng.normal(size=(3, 3)).round(1),
            rng.integers(3, size=6),
        )
        loss = viterbi.dearest(scores, pairs, true, costly, path)
        mine = player(
            module="engine/own/viterbi",
            name="dearest",
            args=[scores.tolist(), pairs.tolist(), true.tolist()],
        )["value"]
        assert mine["path"] == path.tolist() and mine["loss"] == pytest.approx(loss, abs=1e-12)


def test_two_vectors_become_the_one_that_python_makes_of_them(player):
    rng = np.random.default_rng(4)
    for _ in range(200):
        classes, gamma = int(rng.integers(1, 4)), float(np.exp(rng.uniform(-3.0, 2.0)))
        (x_m, x_n), (a_m, a_n) = rng.normal(size=(2, 3)), np.abs(rng.normal(size=(2, classes)))
        a_n *= 10.0 ** (
            rng.integers(2) * rng.uniform(0.0, 7.0)
        )  # heavier by far, and z is next to it
        plus = float(rng.integers(2) * rng.uniform(0.0, 4.0))  # with a constant feature, or without
        kind = int(rng.choice(kernels.RADIAL))
        best = merge_pair(x_m, x_n, a_m, a_n, gamma, plus=plus, kind=kind)
        L = gamma * (abs(x_m - x_n) if kind == kernels.LAPLACIAN else (x_m - x_n) ** 2).sum()
        pair = {
            "mm": a_m @ a_m,
            "nn": a_n @ a_n,
            "mn": a_m @ a_n,
            "kind": kind,
            "L": L,
            "plus": plus,
        }
        mine = player(module="engine/own/merging", name="golden", args=[pair])["value"]
        light = min(a_m @ a_m, a_n @ a_n)
        assert (
            mine["lost"] == pytest.approx(best.degradation, rel=1e-6, abs=1e-9 * light)
            and abs(mine["h"] - best.h) < 1e-4
        )


def shown_of(trace: Trace, player, steps: list[int]) -> dict:
    """What the player shows of a run that nobody asked for by a link."""
    return player(data=text_of(trace), steps=steps)


PLANE = DATASETS["blobs"].problem(n=40, seed=1)


@pytest.mark.parametrize(
    "key",
    [key for key, solver in SOLVERS.items() if any(p.name == "iterate" for p in solver.params)],
)
def test_the_bold_curve_is_that_of_the_w_that_is_shown(player, key):
    (options,) = (p.options for p in SOLVERS[key].params if p.name == "iterate")
    for iterate in options:
        trace = SOLVERS[key].trace(PLANE, T, 3, iterate=iterate)
        curves = shown_of(trace, player, [T])["shown"][0]["curves"]
        assert [curve["main"] for curve in curves] == [*[False] * (len(curves) - 1), True]
        assert len(curves) == 1 or (curves[-1]["name"] == "average w̄") == (iterate == "average")
        for curve in curves:
            name = trace.solver.goal.objective + "_average" * (curve["name"] == "average w̄")
            assert curve["value"] == pytest.approx(trace.metrics[name][T], rel=1e-6)


def test_where_the_chosen_w_changes_on_the_way_so_does_the_bold_curve(player):
    trace = SOLVERS["sgd"].trace(PLANE, T, 3, changes=[(50, {"iterate": "average"})])
    early, late = (
        shown["curves"][-1]["name"] for shown in shown_of(trace, player, [30, 80])["shown"]
    )
    assert (early, late) == ("last w", "average w̄")


@pytest.mark.parametrize("iterate", ["last", "average"])
def test_a_mean_loss_is_called_one(player, iterate):
    trace = SOLVERS["pa1"].trace(PLANE, T, 3, iterate=iterate)
    found = shown_of(trace, player, [T])
    (shown,) = found["shown"]
    assert found["metrics"] == {"objective": "Mean hinge loss"}
    assert {curve["name"] for curve in shown["curves"]} == {"last w", "average w̄"}
    worth = trace.metrics["hinge" if iterate == "last" else "hinge_average"][T]
    assert float(shown["numbers"]["mean hinge loss"]) == pytest.approx(worth, abs=6e-4)


def test_a_missing_optimum_is_put_down_to_the_size_only_where_that_is_why(player):
    def caption(key: str, problem=PLANE, **params) -> str:
        return shown_of(SOLVERS[key].trace(problem, 5, 3, **params), player, [5])["shown"][0][
            "caption"
        ]

    many = DATASETS["blobs"].problem(n=OPTIMUM_UP_TO + 1, seed=1)
    assert caption("pegasos", many) == "P(w), no exact optimum at this size"
    assert caption("bsgd", rule="margin Perceptron") == "P(w), no exact optimum to compare with"
    assert caption("incremental") == "P(w), the optimum is in Primal and dual"
    assert caption("pegasos").startswith("P(w), exact P* = ")


def test_sentences_and_lines_may_name_parameters(player):
    sgd = SOLVERS["sgd"]
    story = replace(
        sgd.story,
        why=("λ is {lam:.3g} and η {eta:.2f}.",) * 3,
        lines=lambda params: (Line("w ← w", "λ = {lam:g}, {sampling}", "draw"),),
    )
    trace = replace(
        sgd, story=story, algorithm=replace(sgd.algorithm, start=lambda *_: {"factor": 1.0})
    ).trace(PLANE, 20, 3, lam=0.25, changes=[(10, {"lam": 0.125})])
    found = shown_of(trace, player, [0, 5, 15])["shown"]
    for t, lam, shown in zip((0, 5, 15), ("0.25", "0.25", "0.125"), found, strict=True):
        assert trace.why(t) == shown["why"] == f"λ is {lam} and η 0.10."
        assert shown["beside"] == [f"λ = {lam}, with replacement"]


def test_a_zero_has_no_sign_and_one_whole_no_number(player):
    for v, words in (
        (-0.001, "0.00"),
        (-0.0, "0.00"),
        (-0.006, "−0.01"),
        (0.0, "0.00"),
        (-3.0, "−3.00"),
    ):
        assert (
            fill("{v:.2f}", {"v": v})
            == player(module="engine/words", name="decimals", args=[v, 2])["value"]
            == words
        )
        assert (
            player(module="engine/words", name="fill", args=["{v:.2f}", {"v": v}])["value"] == words
        )
    for share, words in ((1.0, ""), (0.99999997, ""), (0.25, "0.25 "), (2.0, "2 ")):
        assert (
            times(share)
            == player(module="engine/words", name="times", args=[share])["value"]
            == words
        )


def test_end_of_a_long_budgeted_run_needs_only_the_columns_of_what_is_left():
    budget, steps = 8, 3000
    problem, given = (
        plane.moons(n=60, noise=0.3),
        {
            "B": budget,
            "lam": 0.01,
            "kernel": kernels.rbf(2.0),
        },
    )
    trace = SOLVERS["bsgd"].trace(problem, steps, **given)
    assert len(trace.created) > 1000
    found = ask(plotted=text_of(trace), steps=[steps], xs=[0.0, 1.0], ys=[0.0])
    np.testing.assert_allclose(found["shown"][0]["f"][:60], trace.f(steps, problem.X), atol=1e-4)
    np.testing.assert_allclose(
        found["shown"][0]["field"], trace.f(steps, np.array([[0.0, 0.0], [1.0, 0.0]])), atol=1e-4
    )
    assert found["columns"] <= 2 * budget


def test_panels_say_what_their_contract_knows(player):
    """`Panel` in panels/types.d.ts: all of it in plain.js, of the others what differs."""
    types = (WEB / "panels" / "types.d.ts").read_text(encoding="utf-8")
    declared = re.search(r"^interface Panel {\n(.*?)^}", types, re.DOTALL | re.MULTILINE)[1]
    known = set(re.findall(r"^  (\w+)[(:]", declared, re.MULTILINE))
    names = [path.relative_to(WEB).as_posix() for path in (WEB / "panels").rglob("*.js")]
    whole = set(player(exports="panels/plain")["value"])
    assert whole == known
    for key in SOLVERS:
        own = player(module="panels/index", name="panelName", args=[names, key]).get("value")
        assert own is None or set(player(exports=own.removesuffix(".js"))["value"]) <= known, key
