"""The budgeted field: every algorithm that keeps a budget on one stream, all budgets equal, and one
without any beside them; grouped by what they do when the budget overflows.

>>> list(groups(card().line_up()))
['none', 'stop', 'remove', 'project', 'merge']
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from svmviz.maths import kernels
from svmviz.race import lanes
from svmviz.race.card import Card
from svmviz.race.lanes import Rival
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS
from svmviz.solvers.bsgd.solver import BSGD, PRESETS

TITLE = "The budgeted field"
OVERFLOWS = {
    "none": "Keep all",
    "stop": "Stop",
    "remove": "Remove",
    "project": "Project",
    "merge": "Merge",
}
STREAM = Recipe(
    "checkerboard", {"n": 400}, params={"lam": 0.001, "kernel": kernels.rbf(3.0)}
).checked()
SEEDS, LENGTH = 5, 2000
VIEW = {
    "x": "examples",
    "y": "error",
}  # the same stream for all, and not all of them minimise one P


def overflow(rival: Rival) -> str:
    """What a lane does when its budget overflows: the first word of the name that budgeted SGD has
    for it.

    >>> overflow(lanes.named("bsgd[maintenance=remove random]")), overflow(lanes.named("pegasos"))
    ('remove', 'none')
    """
    params = SOLVERS[rival.solver].check(rival.params)
    return SOLVERS[rival.solver].uses.keeps or params.get("maintenance", "none").split()[0]


def groups(rivals: Iterable[Rival]) -> dict[str, list[str]]:
    """The names of lanes by what they do."""
    found: dict[str, list[str]] = {name: [] for name in OVERFLOWS}
    for rival in rivals:
        found[overflow(rival)].append(rival.key)
    return {name: there for name, there in found.items() if there}


def grouped(rivals: Sequence[Rival]) -> dict[str, list[str]]:
    """The groups of a race with so many lanes that one looks for groups, most of them on a budget;
    else there are none.
    """
    found = groups(rivals) if len(rivals) > lanes.USUAL else {}
    return found if 2 * len(found.get("none", [])) < len(rivals) else {}


def rivals(B: int) -> tuple[str, ...]:
    """Every preset that keeps a budget, and Pegasos without one."""
    own = {p.name: p.default for p in BSGD.params}
    budget = {} if own["B"] == B else {"B": B}
    known = [
        lanes.write(BSGD.key, dict(preset) | ({} if preset["maintenance"] == "none" else budget))
        for name, preset in PRESETS.items()
        if name == "Pegasos" or preset["maintenance"] != "none"
    ]
    known += [lanes.write(key, budget) for key, solver in SOLVERS.items() if solver.uses.keeps]
    return tuple(chain.from_iterable(groups(map(lanes.named, known)).values()))


def card(B: int = 20) -> Card:
    return Card(STREAM, rivals(B), SEEDS, LENGTH)


def link(B: int = 20) -> dict[str, str]:
    return card(B).query() | VIEW
