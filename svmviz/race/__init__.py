"""Several solvers on one problem: `runs` says who takes part and measures them, `table` puts them side by side at equal cost,
`card` is what a visitor has chosen."""

from svmviz.race import card, table
from svmviz.race.runs import (
    MOST,
    Entrant,
    Lane,
    Result,
    all_costs,
    entrants,
    hindrance,
    line_up,
    matched,
    measure,
    results,
    run,
    start,
    usual,
)

__all__ = ["MOST", "Entrant", "Lane", "Result", "all_costs", "card", "entrants", "hindrance", "line_up", "matched", "measure",
           "results", "run", "start", "table", "usual"]
