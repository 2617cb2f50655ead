"""Two runs that are one up to a step: what B is, what A stays, and the link of both."""

import numpy as np
import pytest

from svmviz.maths import kernels
from svmviz.run import fork
from svmviz.run.fork import Fork
from svmviz.run.recipe import Recipe, from_query

RUN = Recipe("moons", {"n": 40}, params={"lam": 0.02}, steps=90).checked()


def test_b_with_no_change_is_a_and_with_one_is_a_up_to_the_fork_to_the_bit():
    recipe, same = fork.forked(RUN, None, 40)
    assert recipe == RUN and same.branch(recipe) == RUN and same.query(recipe) == {"fork": "40"}
    before = RUN.trace()
    other = same.turned(recipe, {"lam": 0.2}).branch(recipe).trace()
    assert np.array_equal(other.drawn, before.drawn), "the same draws"
    for name in ("hinge", "norm", "error"):
        a, b = before.metrics[name], other.metrics[name]
        assert np.array_equal(a[:41], b[:41]) and (name == "error" or not np.array_equal(a, b))
    assert np.array_equal(RUN.trace().metrics["primal"], before.metrics["primal"])


def test_what_was_planned_later_stays_but_for_what_is_turned():
    planned = RUN.changed(20, {"k": 2}).changed(60, {"lam": 0.1, "k": 5})
    recipe, begun = fork.forked(planned, None, 40)
    turned = begun.turned(recipe, {"lam": 0.3})
    assert turned.branch(recipe).changes == ((20, {"k": 2}), (40, {"lam": 0.3}), (60, {"k": 5}))
    assert turned.differing(recipe) == ["lam"] and turned.measures(recipe) == [
        "hinge",
        "error",
        "test",
        "norm",
    ]
    wider = turned.turned(recipe, {"kernel": kernels.rbf(2.0)})
    assert "norm" not in wider.measures(recipe) and "objective" in begun.turned(
        recipe, {"k": 7}
    ).measures(recipe)


@pytest.mark.parametrize("t", [0, 40, 89])
def test_swapped_twice_they_are_what_they_were_and_one_of_them_can_be_kept(t):
    recipe, begun = fork.forked(RUN.changed(20, {"k": 2}).changed(60, {"lam": 0.1}), None, t)
    both = begun.turned(recipe, {"lam": 0.3})
    other, back = fork.after(recipe, both, "swap", 5)
    assert other == both.branch(recipe) and back.branch(other) == recipe
    assert back.swapped(other)[0] == recipe
    assert fork.after(recipe, both, "keep", 5) == (other, None) and fork.after(
        recipe, both, "drop", 5
    ) == (recipe, None)
    for a, split in ((recipe, both), (other, back)):
        again, found, said = fork.read(a.query() | split.query(a), from_query(a.query())[0])
        assert again == a and found.t == t and found.branch(a) == split.branch(a) and not said
    third, split = fork.after(recipe, both, "fork", 70)
    assert third == other and split == Fork(70, other.changes), (
        "the second takes the place of the first"
    )


@pytest.mark.parametrize(
    "query, words",
    [
        ({"fork": "-1"}, "a step from 0"),
        ({"fork": "99999999999"}, "a step from 0"),
        ({"fork": "20000"}, "a step from 0"),
        ({"fork": "4", "other": "4:lamb=1"}, "a change reads"),
        ({"fork": "4", "other": "4:lam=-1"}, "lam must"),
        ({"fork": "4", "other": "2:lam=0.5"}, "before it differ"),
        ({"other": "4:lam=0.1"}, "no fork"),
    ],
)
def test_a_link_that_cannot_be_used_is_answered_in_a_sentence(query, words):
    recipe, found, (said,) = fork.read(query, RUN)
    assert recipe == RUN and found is None and words in said


def test_what_has_no_two_planes_is_not_forked():
    several = Recipe("pinwheel", {"n": 60, "classes": 4}, "bsgd", steps=50).checked()
    assert fork.can(RUN) and not fork.can(several)
    with pytest.raises(ValueError, match="two classes"):
        fork.forked(several, None, 10)
    budget = Recipe("moons", {"n": 40}, "bsgd", steps=50).checked()
    with pytest.raises(ValueError, match="two classes"):
        fork.forked(budget, None, 10)[1].turned(budget, {"multiclass": True})


def test_a_fork_at_the_end_makes_the_run_longer():
    recipe, found = fork.forked(RUN, None, 90)
    assert recipe.steps == 180 and found.t == 90 and not found.holds(RUN) and found.holds(recipe)
