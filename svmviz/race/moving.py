"""A race goes to other data: what is common to all lanes, and who takes part there."""

from svmviz.data.plane import Dataset
from svmviz.race import lanes
from svmviz.race.card import LARGEST, Card, fitting, suited
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS


def moved(base: Recipe, data: str, own: Dataset | None = None) -> Recipe:
    """What is common, on other data; without a kernel where the solver that these data are made for
    has none.

    >>> from svmviz.race.card import OPENING
    >>> moved(OPENING.base, "tagging").params["kernel"] is None
    True
    """
    there = suited(fitting(Recipe(data, {}, base.solver, base.params, own=own).checked()))
    kind = Card(there, ()).kind
    made_for = (lanes.named(key, kind) for key in lanes.usual(kind, data))
    linear = any(
        SOLVERS[lane.solver].space.chained
        and lanes.hindrance(lane, there.params["kernel"], LARGEST, kind)
        for lane in made_for
    )
    return there.with_params(kernel=None) if linear else there


def lanes_of(card: Card, base: Recipe) -> tuple[str, ...]:
    """Who takes part on other data: the same, if they were chosen and all of them can; else the
    usual ones there.
    """
    kind, usual = Card(base, ()).kind, lanes.usual(Card(base, ()).kind, base.data)
    if card.base.data != base.data and card.rivals == lanes.usual(card.kind, card.base.data):
        return usual
    try:
        return tuple(lanes.named(key, kind).key for key in card.rivals)
    except ValueError:
        return usual
