"""Theorem 1 of Pegasos for a regression: it asks of a loss that it is convex, and how steep it may
become.
"""

import numpy as np

from svmviz.maths import sampling
from svmviz.maths.losses import in_ball, loss_of
from svmviz.theory.bounds.common import Assumption, Bound, radius
from svmviz.theory.bounds.pegasos import corollary_1, theorem_1
from svmviz.theory.regression import radius as ball


def regression(trace) -> Bound:
    """As `pegasos` has it, with the longest gradient that there may be: λ times the radius of the
    ball, and the steepest slope times R. The squared loss is as steep as its largest residual,
    which only a ball limits.
    """
    params = trace.segments[0].params
    steps = trace.segments[1].start if len(trace.segments) > 1 else trace.steps
    problem, lift = trace.solver.lifted(trace.problem, params)
    lam, loss, project, R = (
        params["lam"],
        loss_of(params),
        in_ball(params),
        radius(problem, lift["kernel"]),
    )
    every = params["k"] == len(trace.segments[0].active)
    bound = corollary_1(steps, lam, R, project) if every else theorem_1(steps, lam, R, project)
    assumptions = bound.assumptions
    if not every:
        drawn = params["sampling"] == sampling.SCHEMES[0]
        assumptions = (*assumptions, Assumption("examples are drawn with replacement", drawn))
        bound = bound._replace(statement="expected P(w̄) − P* of the averaged iterate")
    if not project:
        return bound._replace(assumptions=assumptions)
    reach = ball(problem, lam, loss)
    steepest = min(loss.steepest, R * reach + float(np.abs(problem.y).max()))
    c = (lam * reach + steepest * R) ** 2
    return bound._replace(
        value=bound.value * (c / bound.constants["c"]),
        assumptions=assumptions,
        constants=bound.constants | {"c": c, "reach": reach, "steepest": steepest},
        where=(
            "c = (λρ + {steepest:.3g} R)² bounds the squared slope of P; R = {R:.3g} is the length"
            " of the longest example, ρ = {reach:.3g} the radius of the ball."
        ),
    )
