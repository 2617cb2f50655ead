"""Each theorem as a function: the curve it promises, its constants, and whether its assumptions
hold.

>>> bound = corollary_1(steps=100, lam=0.1, R=1.0)
>>> bound.name, round(float(bound.value[-1]), 3)
('Corollary 1', 1.121)
"""

from svmviz.theory.bounds.bsgd import (
    bsgd,
    bsgd_theorem_1,
    bsgd_theorem_2,
    bsgd_theorem_3,
    largest_norm,
)
from svmviz.theory.bounds.common import Assumption, Bound, radius
from svmviz.theory.bounds.incremental import (
    draws_for,
    duality_lemma,
    fixed_set,
    gains,
    gap_shares,
    incremental,
    mu,
    tracking,
)
from svmviz.theory.bounds.pegasos import (
    corollary_1,
    corollary_2,
    gradient_constant,
    lemma_2,
    lemma_3,
    pegasos,
    several,
    theorem_1,
)
from svmviz.theory.bounds.regression import regression
from svmviz.theory.bounds.sbp import (
    learning,
    lemma_2_1,
    lemma_3_2,
    mistakes,
    perceptron,
    sbp,
    steps_for,
    table_1,
)
from svmviz.theory.bounds.simba import (
    corollary_5_1,
    regret,
    simba,
    simba_gap,
    theorem_4_3,
    variance_mw,
)

__all__ = [
    "Assumption",
    "Bound",
    "bsgd",
    "bsgd_theorem_1",
    "bsgd_theorem_2",
    "bsgd_theorem_3",
    "corollary_1",
    "corollary_2",
    "corollary_5_1",
    "draws_for",
    "duality_lemma",
    "fixed_set",
    "gains",
    "gap_shares",
    "gradient_constant",
    "incremental",
    "largest_norm",
    "learning",
    "lemma_2",
    "lemma_2_1",
    "lemma_3",
    "lemma_3_2",
    "mistakes",
    "mu",
    "pegasos",
    "perceptron",
    "radius",
    "regression",
    "regret",
    "sbp",
    "several",
    "simba",
    "simba_gap",
    "steps_for",
    "table_1",
    "theorem_1",
    "theorem_4_3",
    "tracking",
    "variance_mw",
]
