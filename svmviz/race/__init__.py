"""Several solvers on one problem: `kinds` says of what kind it is, `lanes` who may take part,
`runs` runs them, `worth` says what a run is worth, `table` puts them side by side at equal cost,
`card` is what a visitor has chosen, `field` a race of many.
"""

from svmviz.race import card, field, kinds, lanes, table
from svmviz.race.lanes import MOST, Rival, everybody, hindrance, named, rivals, usual
from svmviz.race.runs import Result, all_costs, line_up, matched, optimum, results, run, start
from svmviz.race.worth import measure

__all__ = [
    "MOST",
    "Result",
    "Rival",
    "all_costs",
    "card",
    "everybody",
    "field",
    "hindrance",
    "kinds",
    "lanes",
    "line_up",
    "matched",
    "measure",
    "named",
    "optimum",
    "results",
    "rivals",
    "run",
    "start",
    "table",
    "usual",
]

Entrant = Lane = Rival  # as scripts may know them
entrants = rivals
