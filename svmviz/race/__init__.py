"""Several solvers on one problem: `runs` says who takes part and measures them, `table` puts them side by side at equal cost,
`card` is what a visitor has chosen."""

from svmviz.race import card, table
from svmviz.race.runs import (
    MOST,
    Result,
    Rival,
    all_costs,
    hindrance,
    line_up,
    matched,
    measure,
    results,
    rivals,
    run,
    start,
    usual,
)

__all__ = ["MOST", "Result", "Rival", "all_costs", "card", "hindrance", "line_up", "matched", "measure", "results", "rivals",
           "run", "start", "table", "usual"]

Entrant = Lane = Rival  # as scripts may know them
entrants = rivals
