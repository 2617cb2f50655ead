"""Budgeted SGD: the `solver`, what it says (`words`), and what it does when there are too many support vectors (`budget`).

`merge` holds the mathematics of a pair, `inverse` that of projections, `model` the vectors, `strategies` the choice,
`learner` the steps, `prices` what keeping the budget would have cost otherwise.
"""
