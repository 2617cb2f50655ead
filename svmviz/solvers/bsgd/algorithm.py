"""Budgeted SGD: stochastic gradient descent with a kernel that never keeps more than B support
vectors.

Wang, Crammer, Vucetic: "Breaking the curse of kernelization: budgeted stochastic gradient descent
for large-scale SVM training", JMLR 13 (2012): Algorithm 1 with the rules of Table 2 (`learner`),
Algorithm 2 (`strategies`), Section 5 for more than two classes. Names are the paper's: lam, eta, B,
b, U; alpha_j are the coefficients, signed. With c classes (Crammer and Singer) they are vectors:
eta for the true class, -eta for r, the best of the others, so that each sums to 0; |W| is the
Frobenius norm. E-bar is the mean of |E_t| over all steps, those without maintenance included.
`beta` is the margin that the Perceptron asks for: 1 in the paper, 0 for Rosenblatt's (there a
margin of 0 is a mistake).

Deviations: merging minimises the loss (6.8) itself, over partners of the same side (`merge`); a new
example that the others span is projected at once (`inverse`); an example drawn again while it is a
support vector makes another one, as in the paper, but adds to the first if there is no budget: then
this is Pegasos, step by step.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp

from svmviz.data.constant import kernel_of
from svmviz.maths import kernels, matrix
from svmviz.maths.losses import loss_of
from svmviz.record.changes import gathered, joined
from svmviz.record.outcome import Made, Record
from svmviz.solvers.bsgd import budget, learner
from svmviz.solvers.bsgd import model as vectors
from svmviz.solvers.bsgd.listing import forgets, leans, lines, radius, shrinks, solves
from svmviz.solvers.bsgd.maintenance import strategies
from svmviz.solvers.bsgd.start import prepared
from svmviz.solvers.bsgd.story import spoken

CHUNK = 2048  # steps for which room for new vectors is kept ready
RECORDED = 40_000_000  # changes of coefficients that one run may record (320 MB)


def rule_of(params) -> learner.Rule:
    """Table 2 as compiled code reads it."""
    kind = learner.RULE_NAMES.index(params["rule"])
    return learner.Rule(
        kind,
        regularisation(params),
        params["eta"],
        params["beta"] if kind == learner.PERCEPTRON else 1.0,
        radius(params),
        forgets(params),
        loss_of(params),
        params["C"],
    )


def regularisation(params) -> float:
    return params["lam"] if shrinks(params) else 0.0


def keep_of(params) -> budget.Maintenance:
    """Algorithm 2 as compiled code reads it."""
    return budget.maintenance(
        params["maintenance"],
        params["B"],
        params["search"],
        params["eps"],
        leans(params),
        params["pairs"],
    )


def refuse(params, scores: int = 1) -> None:
    """Say which parameters do not go together."""
    kernel, name = params["kernel"] or kernels.linear(), params["maintenance"]
    if kernel.kind == kernels.PRECOMPUTED:
        raise ValueError("support vectors need coordinates, and a precomputed kernel has none")
    if name == "merge" and kernel.kind not in kernels.RADIAL:
        raise ValueError(
            "merging needs a kernel of the distance, because only there z is known to lie on the"
            f" line, got {kernel}; take rbf, laplacian, imq or another maintenance"
        )
    if params["rule"] == "Norma" and params["eta"] * params["lam"] > 1:
        raise ValueError(
            "Norma needs eta lam of at most 1, lest the first step turn w round, got "
            f"{params['eta'] * params['lam']:g}"
        )
    if (scores > 1 or params["multiclass"]) and strategies.missed(budget.NAMES.index(name)):
        raise ValueError(
            f"{name} asks on which side of the boundary a vector lies, and a score per class has no"
            " two sides; choose another one for when the budget overflows"
        )
    if forgets(params) and (scores > 1 or params["U"]):
        raise ValueError(
            f"forget belongs to two classes and w without a ball, got U = {params['U']:g}, {scores}"
            f" score{'s' * (scores > 1)}"
        )


def scores_of(problem, params) -> int:
    """1 with two classes, else one score per class."""
    return problem.classes if params["multiclass"] or problem.classes > 2 else 1


def labels_of(y: np.ndarray, classes: int, scores: int) -> np.ndarray:
    """What the step takes for a label: the class if there is a score per class, else -1 or 1."""
    return (y > 0).astype(np.float64) if scores > 1 and classes == 2 else y


def run(problem, params, order, start, active) -> tuple[Record, Any]:
    """Steps t + 1, t + 2, ... from where the segment begins."""
    scores, count, d = scores_of(problem, params), len(order), problem.d
    refuse(params, scores)
    rows, rule, kernel = matrix.rows(problem.X), rule_of(params), kernel_of(params)
    keep = keep_of(params)
    y = labels_of(problem.y, problem.classes, scores)
    carried, made = start.state or (None, 0)
    if carried is not None and carried.A.shape[1] != scores:
        raise ValueError(
            f"multiclass cannot change on the way, and after step {start.t} it does; restart"
            " with it"
        )
    model = prepared(carried, params, d, scores, min(count, problem.n), problem.n)
    events_at_once = int(np.clip(model.count[vectors.USED] + 1 - params["B"], 1, learner.AT_ONCE))
    changed = {
        budget.MERGE: 3,
        strategies.ON_NEWCOMER: 2,
        strategies.ON_NEIGHBOUR: 3,
    }  # rows, where one goes
    all_change = strategies.inverts(keep.kind) or keep.kind == strategies.NEWCOMER
    width = 1 + events_at_once * (len(model.A) if all_change else changed.get(keep.kind, 1))
    if count * width * scores > RECORDED:
        raise ValueError(
            f"recording {count} steps with up to {width * scores} changes each takes too much"
            " memory; lower the steps or B, or stream the data"
        )
    out = learner.empty(count)
    kept = (
        sp.csr_array if sp.issparse(problem.X) else np.array
    )  # as sparse as what they are made of
    average, created, parents, found = (
        np.empty(count),
        [kept(np.empty((0, d)))],
        [np.empty((0, 2), np.int64)],
        [],
    )
    for a in range(0, count, CHUNK):
        part, many = slice(a, a + CHUNK), min(CHUNK, count - a)
        new = np.empty((many * (1 + events_at_once), d))
        origin, before = np.full((len(new), 2), -1), model.number[vectors.ERRORS]
        log = (
            np.full((many, width), -1),
            np.zeros((many, width, scores)),
            np.zeros((many, width), np.bool_),
        )
        model.count[vectors.MADE] = 0
        learner.steps(
            model,
            rows,
            y,
            order[part, 0],
            start.t + a,
            rule,
            kernel,
            keep,
            *log,
            new,
            origin,
            problem.n + made,
            learner.Steps(*(column[part] for column in out)),
        )
        total = int(model.count[vectors.MADE])
        created.append(kept(new[:total]))
        parents.append(origin[:total])
        made += total
        average[part] = before + np.cumsum(out.E[part])
        found.append(gathered(out.factor[part], *log))

    happened, steps, shrink = out.event.astype(int), out.eta > 0, out.factor / (out.pull * out.phi)
    adds = steps & ~np.isin(happened, (strategies.FOLDED, strategies.LEANT))
    leant = happened == strategies.LEANT
    kept = ~leant & ~np.isin(happened, (strategies.NOTHING, strategies.FROZEN))
    own = {
        "event": out.event,
        "m": out.m,
        "n": out.n,
        "z": out.z,
        "h": out.h,
        "degradation": out.degradation,
        "by": out.by,
        "tau": out.eta if solves(params) or leans(params) else np.zeros(count),
        "E": out.E,
        "E_bar": average / np.arange(start.t + 1, start.t + count + 1),
        "rival": out.rival,
        "added": adds.astype(float),
        "pull": out.pull,
        "phi": out.phi,
        "n_sv": out.n_sv,
    }
    said = spoken(params, out, adds, shrink, start.t + 1 + np.arange(count))
    record = Record(
        order,
        out.margin[:, None],
        joined(found),
        lines(params).ran(
            count,
            shrink=shrink < 1.0,
            add=steps & ~leant,
            pull=out.pull < 1.0,
            lean=leant,
            choose=kept,
            look=kept,
            take=kept,
        ),
        said,
        out.kernel_evals,
        out.features,
        own,
        Made(matrix.stacked(created), np.concatenate(parents)),
    )
    return record, (model, made)
