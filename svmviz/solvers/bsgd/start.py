"""The vectors that a run of budgeted SGD begins with, and what its maintenance keeps of them."""

import numpy as np

from svmviz.data.constant import kernel_of
from svmviz.maths import kernels, matrix
from svmviz.solvers.bsgd import budget, newcomer
from svmviz.solvers.bsgd import model as vectors
from svmviz.solvers.bsgd.maintenance import inverse, strategies


def prepared(
    model, params, d: int, scores: int, more: int, n: int = 0, seed: int = 0
) -> vectors.Model:
    """A model with room for `more` examples: a fresh one, or a copy of the one given, under a
    kernel that may be another.
    """
    kind = budget.NAMES.index(params["maintenance"])
    used = 0 if model is None else int(model.count[vectors.USED])
    slots = used + more if kind == budget.NONE else max(params["B"], used) + 1
    matrices = (
        2
        if strategies.inverts(kind) or kind == strategies.NEWCOMER
        else int(strategies.missed(kind) and kind != strategies.EASIEST)
    )
    if d * slots > 100_000_000:
        raise ValueError(
            f"support vectors are kept dense, and {slots} of {d} features are too many; lower B"
        )
    if model is None:
        return vectors.empty(d, scores, slots, n, matrices, seed)
    return restored(vectors.resized(model, slots, matrices), kind, kernel_of(params))


def restored(model: vectors.Model, kind: int, kernel) -> vectors.Model:
    """With what follows from its vectors under this kernel, as this maintenance keeps it."""
    used, figures = int(model.count[vectors.USED]), model.figures
    V = np.ascontiguousarray(model.V[:, :used].T)
    K, A = kernels.gram(kernel, V), model.A[:used]
    figures[vectors.OWN, :used] = K.diagonal()
    model.number[vectors.NORM2] = matrix.inner(A.ravel(), kernels.responses(kernel, V, A).ravel())
    if model.gram.size:
        model.gram[vectors.K, :used, :used] = K
    if strategies.inverts(kind):
        for ridge in (inverse.RIDGE, 1e-6):  # vectors that were merged may nearly coincide
            inverse.rebuild(model.gram, model.count, ridge)
            if inverse.good(model.gram, used):
                break
    elif kind == strategies.NEWCOMER:
        newcomer.factor(model.gram, used, figures[vectors.REACH])
    elif strategies.missed(kind):
        figures[vectors.SCORE, :used] = K @ A[:, 0]
        new = (
            figures[vectors.PLUS : vectors.MINUS + 1, :used].sum(axis=0) == 0
        )  # they stand for themselves
        figures[vectors.PLUS, :used] += new & (A[:, 0] > 0)
        figures[vectors.MINUS, :used] += new & (A[:, 0] < 0)
    elif kind == strategies.ON_NEIGHBOUR and used > 1:
        apart = K.diagonal()[:, None] + K.diagonal() - 2 * K
        np.fill_diagonal(apart, np.inf)
        near = model.facts[vectors.NEAR, :used] = apart.argmin(axis=1)
        figures[vectors.LIKENESS, :used] = K[np.arange(used), near]
    return model
