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

from svmviz.data.constant import kernel_of, lifted, of_bias
from svmviz.data.params import Param, of_loss
from svmviz.maths import kernels, matrix, sampling
from svmviz.maths.losses import loss_of
from svmviz.record.changes import gathered, joined
from svmviz.record.outcome import Made, Record
from svmviz.record.solver import Algorithm, Goal, Solver, Space, Story, Uses
from svmviz.solvers.bsgd import budget, learner, words
from svmviz.solvers.bsgd import model as vectors
from svmviz.solvers.bsgd.listing import (
    any_two,
    forgets,
    leans,
    lines,
    radius,
    shrinks,
    solves,
)
from svmviz.solvers.bsgd.maintenance import strategies
from svmviz.solvers.bsgd.start import prepared
from svmviz.solvers.bsgd.words import WHY, spoken, values
from svmviz.theory import bounds, reference

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


def work(n, d, params) -> int:
    """Kernel values of a step, and what the curves cost: the scores of all points are brought up to
    date for every change.
    """
    slots = n if params["maintenance"] == "none" else min(params["B"], n)
    kind = budget.NAMES.index(params["maintenance"])
    changes = slots if strategies.inverts(kind) or kind == strategies.NEWCOMER else 4
    squares = (
        4
        if changes == slots
        else 2
        if strategies.missed(kind) and kind != strategies.EASIEST
        else 0
    )
    squares = kernels.COST // 2 if any_two(params) else squares
    return slots * kernels.COST + changes * n + 4 * n * kernels.COST + squares * slots * slots


def optimum(problem, params):
    """The exact optimum of P where it is known: for two classes with lam; with a score for each,
    that of lam/2.
    """
    if problem.classes > 2 or not shrinks(params):
        return None
    problem, params = lifted(problem, params)
    if not params["multiclass"]:
        return reference.optimum(problem, params["lam"], params["kernel"], loss=loss_of(params))
    exact = reference.optimum(problem, params["lam"] / 2, params["kernel"])
    return exact._replace(norm=exact.norm / 2**0.5, w=None)  # W = (-w/2, w/2)


FIRST = {
    "event": 0,
    "m": -1,
    "n": -1,
    "z": -1,
    "h": 0.0,
    "degradation": 0.0,
    "by": 0.0,
    "tau": 0.0,
    "E": 0.0,
    "E_bar": 0.0,
    "rival": -1,
    "added": 0,
    "pull": 1.0,
    "phi": 1.0,
    "n_sv": 0,
}

PERCEPTRON, PASSIVE = {"rule": "margin Perceptron"}, {"rule": "passive-aggressive"}
MISTAKES = PERCEPTRON | {"beta": 0.0}
# of the paper's tables and its Section 2.4; Perceptrons learn from mistakes, as in the literature
PRESETS = {
    "BPegasos + merge": {"maintenance": "merge"},
    "BPegasos + project": {"maintenance": "project smallest"},
    "BPegasos + remove": {"maintenance": "remove smallest"},
    "BNorma + merge": {"rule": "Norma", "maintenance": "merge"},
    "BMP + merge": PERCEPTRON | {"maintenance": "merge", "U": 10.0},
    "Pegasos": {"maintenance": "none"},
    "Norma": {"rule": "Norma", "maintenance": "none"},
    "MP": PERCEPTRON | {"maintenance": "none"},
    "MP + stop": PERCEPTRON | {"maintenance": "stop"},
    "MP + random": PERCEPTRON | {"maintenance": "remove random"},
    "Stoptron": MISTAKES | {"maintenance": "stop"},
    "Random Perceptron": MISTAKES | {"maintenance": "remove random"},
    "Forgetron": MISTAKES | {"maintenance": "remove oldest", "forget": True},
    "Budget Perceptron": MISTAKES | {"maintenance": "remove easiest"},
    "Tighter Perceptron": MISTAKES | {"maintenance": "remove by errors"},
    "Tightest Perceptron": MISTAKES | {"maintenance": "remove by counts"},
    "Projectron": MISTAKES | {"maintenance": "project newcomer"},
    "Projectron++": MISTAKES | {"maintenance": "project newcomer", "small_steps": True},
    "ILK": {"rule": "implicit", "maintenance": "none"},
    "SILK": {"rule": "implicit", "maintenance": "remove smallest"},
    "PA": PASSIVE | {"maintenance": "none"},
    "BPA-S": PASSIVE | {"maintenance": "project on newcomer"},
    "BPA-NN": PASSIVE | {"maintenance": "project on neighbour"},
    "BPA-P": PASSIVE | {"maintenance": "project best old"},
}
OPENING = (  # one vector too many, its partner found and z between them
    "data=checkerboard&n=400&maintenance=merge&B=20&lam=0.001&kernel=rbf(gamma=3.0)&seed=7&T=400&t=179&beat=look"
)


def rivals(params) -> dict[str, dict]:
    """The same stream without a budget, and with a budget but nobody who takes over."""
    within = "" if params["maintenance"] == "none" else f", B = {params['B']}"
    own = "no budget" if params["maintenance"] == "none" else params["maintenance"] + within
    others = {"no budget": "none", f"remove smallest, B = {params['B']}": "remove smallest"}
    return {own: {}} | {
        label: {"maintenance": name}
        for label, name in others.items()
        if name != params["maintenance"]
    }


def perceptron(params) -> bool:
    return params["rule"] == "margin Perceptron"


def gaussian(params) -> bool:
    return params["kernel"] is not None and params["kernel"].kind == kernels.RBF


SOURCES = {  # of Section 2.4, where the algorithm is not the paper's own
    "remove easiest": "Crammer et al. 2003",
    "remove by errors": "Weston et al. 2005",
    "remove by counts": "Wang, Vucetic 2009",
    "project newcomer": "Orabona et al. 2009",
    "project on newcomer": "Wang, Vucetic 2010",
    "project on neighbour": "Wang, Vucetic 2010",
    "project best old": "Wang, Vucetic 2010",
    "passive-aggressive": "Crammer et al. 2006",
    "implicit": "Cheng et al. 2006",
}


def figure(params) -> str:
    source = SOURCES.get(params["maintenance"]) or SOURCES.get(params["rule"])
    algorithms = "Algorithm 1" if params["maintenance"] == "none" else "Algorithms 1 and 2"
    return (source or algorithms) + ", Crammer–Singer" * params["multiclass"]


BSGD = Solver(
    key="bsgd",
    title="Budgeted SGD",
    paper="Wang, Crammer, Vucetic 2012",
    params=(
        Param(
            "rule",
            "",
            "Pegasos",
            options=learner.RULE_NAMES,
            title="update rule",
            help="Table 2: how long the steps are, and whether w shrinks.",
        ),
        Param(
            "maintenance",
            "",
            "merge",
            options=budget.NAMES,
            title="when the budget overflows",
            help="What happens to the vector that is one too many (Algorithm 2).",
        ),
        Param(
            "B",
            "B",
            20,
            1,
            5000,
            "Support vectors that may stay.",
            log=True,
            title="budget",
            when=lambda params: params["maintenance"] != "none",
        ),
        Param(
            "lam",
            "λ",
            0.01,
            1e-6,
            10.0,
            "Weight of the regulariser; Perceptron and passive-aggressive have none.",
            log=True,
            title="regularisation",
            when=shrinks,
        ),
        Param(
            "kernel",
            "K",
            kernels.rbf(1.0),
            title="kernel",
            help="Merging needs one of the distance: Gaussian, Laplacian or inverse multiquadric.",
        ),
        *of_loss(
            lambda params: params["rule"] in ("Pegasos", "Norma") and not params["multiclass"]
        ),
        Param(
            "eta",
            "η₀",
            1.0,
            1e-4,
            100.0,
            "Length of the steps: of Norma and the implicit rule (divided by √t), of the "
            "Perceptron.",
            log=True,
            title="step",
            when=lambda params: params["rule"] in ("Norma", "implicit", "margin Perceptron"),
        ),
        Param(
            "C",
            "C",
            1.0,
            1e-5,
            1e4,
            "The longest step of the passive-aggressive rule.",
            log=True,
            title="aggressiveness",
            when=lambda params: params["rule"] == "passive-aggressive",
        ),
        Param(
            "beta",
            "β",
            1.0,
            0.0,
            10.0,
            "Margin that the Perceptron asks for: 1 in the paper, 0: only mistakes count.",
            title="margin",
            when=perceptron,
        ),
        Param(
            "U",
            "U",
            0.0,
            0.0,
            1e4,
            "Radius of the ball that the Perceptron's w is pulled back to; 0: none.",
            log=True,
            title="radius",
            when=perceptron,
        ),
        Param(
            "eps",
            "ε",
            0.5,
            0.0,
            10.0,
            "A newcomer that is no farther than this from the span of the others is spread over "
            "them; 0: only if there is no room.",
            title="sparsity",
            when=lambda params: params["maintenance"] == "project newcomer",
        ),
        Param(
            "small_steps",
            "",
            False,
            title="steps within the margin",
            help="Projectron++: also learn from margins between 0 and 1, by what the others span.",
            when=lambda params: perceptron(params) and params["maintenance"] == "project newcomer",
        ),
        Param(
            "search",
            "",
            budget.SEARCHES[0],
            options=budget.SEARCHES,
            title="search for the partner",
            help=(
                "Golden section for every candidate, or only for those that a table of losses"
                " cannot rule out: the same."
            ),
            when=lambda params: params["maintenance"] == "merge" and gaussian(params),
        ),
        Param(
            "pairs",
            "",
            budget.PAIRS[0],
            options=budget.PAIRS,
            title="pairs that may merge",
            help=(
                "The smallest vector with any other, as in the paper, or any two of one sign: less"
                " is lost, and each overflow takes B²/2 kernel values instead of B."
            ),
            when=lambda params: params["maintenance"] == "merge",
        ),
        Param(
            "forget",
            "",
            False,
            title="forget",
            help="Shrink w before the oldest vector goes, as the Forgetron does.",
            when=lambda params: perceptron(params) and params["maintenance"] == "remove oldest",
        ),
        Param(
            "multiclass",
            "",
            False,
            title="a score per class",
            help="Crammer and Singer (Section 5) on two classes too; always on with more.",
        ),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[1],
            options=sampling.SCHEMES,
            title="sampling",
            help="How examples are drawn. The paper makes one pass in random order.",
        ),
        *of_bias(mark=""),
    ),
    algorithm=Algorithm(
        run=run, work=work, start=lambda problem, params, active: FIRST, refuse=refuse
    ),
    story=Story(
        figure=figure,
        lines=lines,
        why=WHY,
        values=values,
        questions=words.QUESTIONS,
        symbols=words.SYMBOLS,
    ),
    goal=Goal(regularisation=regularisation, optimum=optimum, bound=bounds.bsgd),
    space=Space(multiclass=True, lifted=False),
    uses=Uses(
        weighs=True, presets=PRESETS, opening=OPENING, rivals=rivals, fit_defaults={"B": 200}
    ),
)
