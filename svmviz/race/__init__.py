"""Several solvers on one problem: `lanes` says who may take part, `runs` measures them, `table` puts them side by side at equal
cost, `card` is what a visitor has chosen."""

from svmviz.race import card, lanes, table
from svmviz.race.lanes import MOST, Rival, hindrance, named, rivals, usual
from svmviz.race.runs import Result, all_costs, line_up, matched, measure, results, run, start

__all__ = ["MOST", "Result", "Rival", "all_costs", "card", "hindrance", "lanes", "line_up", "matched", "measure", "named",
           "results", "rivals", "run", "start", "table", "usual"]

Entrant = Lane = Rival  # as scripts may know them
entrants = rivals
