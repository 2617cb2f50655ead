"""The race of the whole field: who takes part, with equal budgets, on one stream, and in which
groups.
"""

import numpy as np
import pytest

from svmviz.race import card, field, lanes, runs
from svmviz.solvers import SOLVERS
from svmviz.views import lanes as views

PRESETS = SOLVERS["bsgd"].uses.presets
BUDGETED = {name for name, preset in PRESETS.items() if preset["maintenance"] != "none"}


@pytest.mark.parametrize("B", (20, 35))
def test_all_with_a_budget_take_part_with_the_same_one(B):
    rivals = [rival for rival in field.card(B).line_up() if rival.solver == "bsgd"]
    short = [rival.title.removesuffix(f", B = {B}") for rival in rivals]
    assert {*short} == BUDGETED | {"Pegasos"} and len(short) == len({*short}) <= lanes.MOST
    assert {rival.params["B"] for rival in rivals if rival.params["maintenance"] != "none"} == {B}
    for title, rival in zip(short, rivals, strict=True):
        assert PRESETS[title].items() <= rival.params.items()


def test_its_link_leads_to_it():
    found, said = card.read(
        {key: value for key, value in field.link(30).items() if key not in field.VIEW}
    )
    assert (
        not said
        and found.rivals == field.card(30).rivals
        and found.query() == field.card(30).query()
    )


def test_all_see_the_same_examples_in_the_same_order():
    chosen = field.card()
    rivals = [rival._replace(steps=30) for rival in chosen.line_up()]
    drawn = [runs.start(chosen.problem, rival, 1).drawn for rival in rivals]
    assert all(np.array_equal(one, drawn[0]) for one in drawn)


def test_groups_are_what_a_lane_does_on_overflow():
    found = field.grouped(field.card().line_up())
    assert list(found) == list(field.OVERFLOWS)
    for name, keys in found.items():
        assert all(
            lanes.named(key).params.get("maintenance", "merge").split()[0] == name
            for key in keys
            if "bsgd" in key
        )


def test_few_lanes_or_lanes_without_budgets_are_not_grouped():
    few = [lanes.named(key) for key in field.rivals(20)[: lanes.USUAL]]
    free = [lanes.named(key) for key in lanes.rivals()]
    assert len(free) > lanes.USUAL and not field.grouped(few) and not field.grouped(free)


def test_a_group_has_one_colour_and_each_lane_a_line_of_its_own_in_it_and_a_shape_in_the_race():
    rivals = field.card().line_up()
    found, groups = views.in_race(rivals), field.grouped(rivals)
    for keys in groups.values():
        there = [found[key] for key in keys]
        assert len({(look.light, look.dark) for look in there}) == 1
        assert len({look.dash for look in there}) == len(there)
    assert len({found[keys[0]].light for keys in groups.values()}) == len(field.OVERFLOWS)
    assert len({look.shape for look in found.values()}) == len(rivals)


def test_the_stream_is_equally_long_for_all():
    chosen = field.card()
    assert {rival.steps for rival in chosen.line_up()} == {chosen.length}
