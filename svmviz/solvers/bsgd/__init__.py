"""Budgeted SGD and the budgeted field around it: the `solver`, its `algorithm`, what it says
(`listing`, `story`, `values`), and what it does when there are too many support vectors (`budget`).

An algorithm is three parts: when an example is learnt from and how far the step goes (`learner`),
and who pays (`strategies`). `removal` says who goes, `newcomer` who stays out, `inverse` and
`heirs` to whom the weight of one flows, `merge` where two become one, `radial` the same for other
kernels, `pairs` which two; `model` holds the vectors, `start` what they begin with, `prices` what
keeping the budget would have cost otherwise.
"""
