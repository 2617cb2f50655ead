"""What a link may ask for and what is refused at the door, in a sentence and with a way on."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from svmviz.data import edits
from svmviz.maths import kernels, sampling
from svmviz.player.wire import run
from svmviz.race import card
from svmviz.run.link import CHANGES, PART
from svmviz.run.recipe import STEPS, Recipe, from_query
from svmviz.solvers import SOLVERS
from svmviz.ui.jobs.compiling import compilation
from svmviz.ui.playground.stage import ways_out
from tests.tools.rotation import at_times, turn

DIGITS = "1" * 400
NUMBERS = [
    "poly(degree=1e400)",
    f"rbf(gamma={DIGITS})",
    f"poly(degree={DIGITS})",
    "poly(coef0=1e400)",
    f"poly(coef0={DIGITS})",
    "laplacian(gamma=-1e400)",
    "rbf(gamma=" + "(" * 5000 + ")",
    "poly(degree=nan)",
]


@pytest.mark.parametrize("kernel", NUMBERS, ids=lambda text: text[:24])
def test_a_number_that_no_computer_holds_is_refused_in_a_sentence(kernel):
    for read in (from_query, card.read):
        for query in ({"kernel": kernel}, {"change": f"5:kernel={kernel}"}):
            found, messages = read(query | {"data": "moons"})
            assert found and len(messages) == 1 and len(messages[0]) < 250
    assert from_query({"kernel": kernel})[0].params["kernel"] is None


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (
            {"change": f"{STEPS.high + 1}:lam=0.1"},
            "a step must be a whole number from 0 to 20000, got 20001",
        ),
        ({"change": "1000001:lam=0.1"}, "got 1000001"),
        ({"change": "9999999999:lam=0.1"}, "a change reads 40:lam=0.1"),
        (
            {"change": ";".join(f"{t}:lam=0.1" for t in range(1, CHANGES + 2))},
            f"at {CHANGES} steps, and this one would at 101",
        ),
        ({"edit": f"{STEPS.high + 1}:0:"}, "a step must be"),
        ({"edit": "0:-1:"}, "points are counted from 0, got '0:-1:'"),
        ({"edit": "0:1.-2:"}, "points are counted from 0"),
        ({"edit": "0::1000000,1,1"}, "coordinates below a million"),
        ({"edit": ";".join(f"{t}:{t}:" for t in range(CHANGES + 1))}, "would at 101"),
        ({"solver": "incremental", "chosen": "20001:3"}, "a step must be"),
        ({"data": "iris", "plane": "01,1"}, "two different features"),
        ({"data": "iris", "plane": "00,0"}, "two different"),
        ({"data": "iris", "plane": "0,4"}, "from 0 to 3"),
        ({"data": "iris", "plane": f"0,{DIGITS}"}, "two different"),
        ({"data": "rare", "plane": "0,1"}, "no features to choose from"),
        ({"plane": "0,1"}, "no features to choose from"),
        ({"change": "1:lam=0.1;" * 20_000}, f"no part of a link may have more than {PART}"),
    ],
)
def test_what_no_run_can_do_is_refused_in_a_sentence(query, words):
    recipe, messages = from_query(query)
    assert len(messages) == 1 and words in messages[0] and len(messages[0]) < 300
    assert recipe == recipe.checked() and not (
        recipe.changes or recipe.edits or recipe.chosen or recipe.plane
    )


def test_a_plane_is_written_as_our_own_links_write_it():
    recipe, messages = from_query({"data": "iris", "plane": "٢,0"})
    assert recipe.plane == recipe.query()["plane"] == "2,0" and not messages


def test_a_link_of_a_thousand_words_gets_a_handful_of_answers():
    assert len(from_query({f"word{k}": "1" for k in range(1000)})[1]) == 6
    assert len(card.read({"lanes": ",".join(f"lane{k}" for k in range(1000))})[1]) == 6


def test_a_visitor_changes_a_run_no_more_often_than_a_link_can_tell():
    recipe = Recipe(steps=500).checked()
    for t in range(1, CHANGES + 1):
        recipe = recipe.changed(t, {"lam": t / 1000})
    assert from_query(recipe.query()) == (recipe, [])
    assert len(recipe.changed(CHANGES, {"k": 2}).changes) == CHANGES
    with pytest.raises(ValueError, match="a run may change at 100 steps"):
        recipe.changed(CHANGES + 1, {"lam": 1.0})
    for t in range(CHANGES):
        recipe = recipe.edited(400 + t, [t], [])
    with pytest.raises(ValueError, match="a run may change at 100 steps"):
        recipe.edited(500, [150], [])


@pytest.mark.parametrize(
    "solver", [key for key, s in SOLVERS.items() if any(p.is_kernel for p in s.params)]
)
def test_kernel_values_that_overflow_are_refused_before_the_run(solver):
    kernel = "poly(degree=9, gamma=1, coef0=1e30)"
    recipe, messages = from_query(
        {"data": "moons", "n": "60", "T": "60", "solver": solver, "kernel": kernel}
    )
    assert not messages
    with pytest.raises(ValueError, match="kernel values reach 1e\\+270 on these data"):
        run.pack_recipe(recipe)
    with pytest.raises(ValueError, match="kernel values reach"):
        card.read({"data": "moons", "n": "60", "kernel": kernel})[0].problem  # noqa: B018  it is computed when asked for


def test_what_is_no_number_is_refused_before_a_page_sends_it():
    with pytest.raises(ValueError, match="larger than a computer can tell"):
        run.encode(run.Packed({"value": float("nan")}, b""))


@at_times()
def test_margins_beyond_what_the_player_computes_with_are_refused_in_a_sentence():
    recipe, _ = from_query(
        {
            "data": "moons",
            "solver": "perceptron",
            "T": "120",
            "kernel": "poly(gamma=2950318429619.0)",
        }
    )
    with pytest.raises(ValueError, match="larger than a computer can tell"):
        run.pack_recipe(recipe)


LEFT_OUT = {
    "solver": "sbp",
    "T": "50",
    "seed": "3",
    "k": "4",
    "edit": "0:1:",
    "change": "5:nu=0.1",
    "chosen": "3:1",
}


def test_a_race_takes_from_the_link_of_a_run_what_both_know():
    found, messages = card.read({"data": "moons", "n": "80", "lam": "0.01"} | LEFT_OUT)
    assert len(messages) == 1 and all(name in messages[0] for name in LEFT_OUT)
    assert (
        found.lam == 0.01
        and found.problem.n == 80
        and not found.base.edits
        and found.base.solver == "pegasos"
    )
    assert card.read(found.query()) == (found, [])


REFUSED = [
    "data=rare&n=3&noise=0.4",
    "data=rare&n=2&noise=0.4",
    "data=blobs&n=40&edit=0:99999:",
    "data=blobs&n=40&edit=5:1:;9:1:",
    "data=blobs&n=40&edit=0::" + "!".join(["0.5,0.5,1"] * 501),
    "data=blobs&n=20&k=30",
    "data=ring&solver=pegasos",
    "data=blobs&n=5000&T=20000",
    "data=moons&n=60&solver=sbp&kernel=poly(degree=9, gamma=1, coef0=1e30)",
]


@pytest.fixture(scope="module")
def app():
    compilation().join()
    return AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=60)


def test_every_way_out_of_a_refused_run_leads_to_one(app):
    for k, text in enumerate(REFUSED):
        if (k + turn()) % 3:
            continue
        query = dict(item.split("=", 1) for item in text.split("&"))
        app.query_params.clear()
        app.query_params.update(query)
        app.run()
        assert not app.exception and app.error[0].value.startswith("This run was not started"), text
        for words, recipe in ways_out(app.session_state.visit.recipe):
            assert words in [b.label for b in app.button] and run.pack_recipe(recipe)
        next(
            b
            for b in app.button
            if b.label in ("Take the last change back", "Start with an example")
        ).click().run()
        assert not app.exception and not app.error, text


@pytest.mark.parametrize(
    ("text", "words"),
    list(
        zip(
            REFUSED,
            (
                "Take Rare groups as it usually is",
                "Take Rare groups as it usually is",
                "Leave out the drawn points",
                "Leave out the drawn points",
                "Leave out the drawn points",
                "Take smaller mini-batches",
                "Use Budgeted SGD",
                "Run ",
                "",
            ),
            strict=True,
        )
    ),
    ids=range(len(REFUSED)),
)
def test_a_refused_run_offers_what_would_run_instead(text, words):
    recipe, _ = from_query(dict(item.split("=", 1) for item in text.split("&")))
    assert (
        any(label.startswith(words) for label, _ in ways_out(recipe))
        if words
        else ways_out(recipe) == []
    )


@pytest.mark.parametrize("scheme", sampling.OF_BATCHES)
def test_a_stretch_is_what_it_would_be_in_one_go(scheme):
    whole = {k: sampling.draw(50, 20_000 // k, k, scheme, seed=5) for k in (1, 3, 50)}
    chance, rng = sampling.Chance(5), np.random.default_rng(0)
    for k, start in itertools.product(whole, rng.integers(0, 300, 12).tolist()):
        stop = start + int(rng.integers(1, 90))
        assert np.array_equal(chance.examples(50, start, stop, k, scheme), whole[k][start:stop])
    late = chance.examples(50, 19_000, 19_100, 1, scheme)  # hundreds of passes on, and back again
    assert np.array_equal(late, whole[1][19_000:19_100])
    assert np.array_equal(chance.examples(50, 10, 30, 3, scheme), whole[3][10:30])
    assert np.array_equal(chance.numbers(7, 20, 4), np.random.default_rng(5).random((20, 4))[7:])


def test_nothing_is_drawn_twice_however_often_parameters_change(monkeypatch):
    drawn, plain = [], sampling.Chance.numbers
    monkeypatch.setattr(
        sampling.Chance,
        "numbers",
        lambda self, start, stop, width: (
            drawn.append(stop - start) or plain(self, start, stop, width)
        ),
    )
    changes = tuple((10 * t, {"lam": t / 100}) for t in range(1, 100))
    trace = Recipe(data_params={"n": 20}, steps=1000, changes=changes).checked().trace()
    assert len(trace.segments) == 100 and sum(drawn) == 1000
    constant = SOLVERS["pegasos"].trace(trace.problem, 1000)
    assert np.array_equal(trace.drawn, constant.drawn)


def test_the_parts_of_a_trace_are_found_at_every_step():
    trace = (
        Recipe(data_params={"n": 20}, steps=30, changes=((5, {"lam": 0.1}), (9, {"lam": 0.2})))
        .checked()
        .trace()
    )
    assert [trace.segment(t).start for t in (0, 1, 5, 6, 9, 10, 30)] == [0, 0, 0, 5, 5, 9, 9]


def test_edits_that_count_from_the_end_are_refused():
    with pytest.raises(ValueError, match="counted from 0"):
        edits.edit(0, [-1], [])


@pytest.mark.parametrize(
    "make",
    [
        lambda: kernels.rbf(10**400),
        lambda: kernels.poly(float("inf")),
        lambda: kernels.poly(10**400),
        lambda: kernels.poly(2, 1.0, 10**400),
    ],
)
def test_a_kernel_refuses_numbers_that_no_computer_holds(make):
    with pytest.raises(ValueError, match="must be"):
        make()
