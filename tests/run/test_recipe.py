"""Links, scripts and changes: everything that makes a run, written down and read back."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

from svmviz.data.plane import DATASETS
from svmviz.maths import kernels
from svmviz.record import metrics
from svmviz.run.recipe import SOURCES, STEPS, Recipe, from_query
from svmviz.solvers import SOLVERS
from svmviz.ui.controls import widgets
from tests.tools import forked

BUSY = Recipe(
    data="moons",
    data_params={"n": 60, "noise": 0.2, "seed": 3},
    params={"lam": 0.02, "kernel": kernels.rbf(2.0), "k": 2},
    changes=((20, {"lam": 0.1, "project": True}), (45, {"kernel": kernels.poly(2, 0.5, 1.0)})),
    seed=9,
    steps=80,
).checked()


@pytest.mark.parametrize(
    "recipe", [Recipe(data=key).checked() for key in DATASETS] + [BUSY], ids=lambda r: r.data
)
def test_a_link_opens_the_same_run(recipe):
    again, messages = from_query(recipe.query())
    assert again == recipe and messages == []


def test_a_script_run_elsewhere_gives_the_same_bits(tmp_path):
    script = (
        BUSY.python(50)
        + f"import numpy as np\nnp.save({str(tmp_path / 'coef.npy')!r}, trace.at(80).coef)\n"
    )
    printed = forked.run(script).stdout
    trace = BUSY.trace()
    assert np.array_equal(np.load(tmp_path / "coef.npy"), trace.at(80).coef)
    assert printed.startswith(trace.why(50)) and repr(float(trace.metrics["primal"][50])) in printed


def test_a_change_keeps_the_past_and_forgets_what_was_planned_later():
    recipe = Recipe(steps=50).checked().changed(10, {"lam": 0.1}).changed(30, {"lam": 0.2})
    assert (
        recipe.changes == ((10, {"lam": 0.1}), (30, {"lam": 0.2})) and recipe.current["lam"] == 0.2
    )
    earlier = recipe.changed(20, {"k": 3})
    assert earlier.changes == ((10, {"lam": 0.1}), (20, {"k": 3})) and earlier.current["lam"] == 0.1
    assert recipe.changed(30, {"k": 2}).changes[-1] == (30, {"lam": 0.2, "k": 2})
    assert recipe.undone().current["lam"] == 0.1 and recipe.restarted().params["lam"] == 0.2
    assert recipe.restarted().changes == () and recipe.changed(0, {"lam": 0.5}).params["lam"] == 0.5
    assert recipe.changed(50, {"lam": 0.3}).steps == 100, (
        "nobody would see a change after the last step"
    )
    assert recipe.changed(49, {"lam": 0.3}).steps == 50


@pytest.mark.parametrize(
    "query, words",
    [
        ({"lam": "abc"}, "lam must be a number, got 'abc'"),
        ({"lam": "-1"}, "lam must lie in"),
        ({"n": "1"}, "n must lie in"),
        ({"data": "mars"}, "'mars'"),
        ({"solver": "magic"}, "'magic'"),
        ({"kernel": "rbf(gamma=-2)"}, "gamma must be positive"),
        ({"change": "nonsense"}, "a change reads 40:lam=0.1"),
        ({"change": "5:lam=7e9"}, "lam must lie in"),
        ({"T": "1e9"}, "T must lie in"),
        ({"seed": "x"}, "seed must be a number"),
        ({"foo": "1"}, "'foo', which means nothing"),
        ({"project": "perhaps"}, "True or False"),
        ({"sampling": "by hand"}, "one of with replacement"),
    ],
)
def test_a_bad_link_is_answered_with_a_sentence_and_a_run(query, words):
    recipe, messages = from_query(query)
    assert len(messages) == 1 and words in messages[0]
    assert recipe == recipe.checked() and recipe.trace().steps == recipe.steps


def test_parts_that_mean_nothing_are_named_up_to_five_and_the_others_counted():
    _, five = from_query({letter: "1" for letter in "abcde"})
    _, six = from_query({letter: "1" for letter in "abcdef"})
    _, seven = from_query({letter: "1" for letter in "abcdefg"})
    assert len(five) == 5 and all("means nothing here" in words for words in five)
    assert six == [*five, "The link holds 1 more part that means nothing here."]
    assert seven == [*five, "The link holds 2 more parts that mean nothing here."]


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "data",
                "n",
                "noise",
                "data_seed",
                "solver",
                "lam",
                "kernel",
                "k",
                "project",
                "change",
                "sampling",
                "iterate",
                "seed",
                "T",
                "zzz",
            ]
        ),
        st.text(max_size=30),
    )
)
def test_no_link_breaks_the_reader(query):
    recipe, _ = from_query(query)
    assert recipe == recipe.checked()


def test_what_would_take_too_long_is_refused_with_the_reason():
    heavy = Recipe(
        data_params={"n": 5000}, params={"kernel": kernels.rbf(1.0), "k": 500}, steps=20_000
    ).checked()
    with pytest.raises(ValueError, match="lower the number of points"):
        heavy.trace()


def test_more_examples_per_step_than_points_is_refused():
    with pytest.raises(ValueError, match=r"k must lie in \[1, 20\]"):
        replace(Recipe(data_params={"n": 20}).checked(), params={"k": 30}).checked().trace()


def test_the_table_of_a_trace_holds_every_step_to_the_last_digit():
    trace = BUSY.trace()
    lines = metrics.to_csv(trace).splitlines()
    names = lines[0].split(",")
    last = dict(zip(names, lines[-1].split(","), strict=True))
    assert len(lines) == 82 and float(last["primal"]) == trace.metrics["primal"][80]
    assert [int(i) - 1 for i in last["drawn"].split()] == trace.drawn[80].tolist()


def test_streamlit_still_says_whether_somebody_went_back():
    assert ScriptRunContext.__dataclass_fields__["is_history_navigation"].default is False


def test_a_log_slider_has_a_place_for_what_the_browser_shows_and_for_what_the_recipe_says():
    assert {137, 151} <= set(widgets.grid(STEPS, 137, 151))


def test_no_two_things_of_a_link_have_one_name():
    """The words of a document and the sentences of a tagger are both so long."""
    for source in SOURCES.values():
        for solver in SOLVERS.values():
            recipe = Recipe(source.key, {}, solver.key).checked()
            named = sum(p.named(recipe.params[p.name]) for p in solver.params)
            assert len(recipe.query()) == 4 + len(source.params) + named, (source.key, solver.key)
    assert (
        from_query({"data": "documents", "length": "8", "solver": "pegasos"})[0].data_params[
            "length"
        ]
        == 8
    ), "a link of old"
    both, said = from_query(
        {"data": "documents", "data_length": "9", "length": "8", "solver": "sequences"}
    )
    assert (both.data_params["length"], both.params["length"], said) == (9, 8, [])
