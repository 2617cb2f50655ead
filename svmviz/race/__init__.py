"""Several solvers on one problem: `kinds` says of what kind it is, `runs` who takes part, `worth` what a run is worth, `table`
puts them side by side at equal cost, `card` is what a visitor has chosen."""

from svmviz.race import card, kinds, table
from svmviz.race.runs import (
    MOST,
    Result,
    Rival,
    all_costs,
    everybody,
    hindrance,
    line_up,
    matched,
    optimum,
    results,
    rivals,
    run,
    start,
    usual,
)
from svmviz.race.worth import measure

__all__ = ["MOST", "Result", "Rival", "all_costs", "card", "everybody", "hindrance", "kinds", "line_up", "matched", "measure",
           "optimum", "results", "rivals", "run", "start", "table", "usual"]

Entrant = Lane = Rival  # as scripts may know them
entrants = rivals
