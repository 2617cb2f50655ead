"""The parameters and presets of budgeted SGD, and the solver."""

from svmviz.data.constant import lifted, of_bias
from svmviz.data.params import Param, of_loss
from svmviz.maths import kernels, sampling
from svmviz.maths.losses import loss_of
from svmviz.record.solver import Algorithm, Goal, Solver, Space, Story, Uses
from svmviz.solvers.bsgd import budget, learner, story
from svmviz.solvers.bsgd.algorithm import refuse, regularisation, run
from svmviz.solvers.bsgd.listing import any_two, lines, shrinks
from svmviz.solvers.bsgd.maintenance import strategies
from svmviz.solvers.bsgd.story import WHY
from svmviz.solvers.bsgd.values import values
from svmviz.theory import bounds, reference


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
        run=run,
        work=work,
        start=lambda problem, params, active: FIRST,
        refuse=refuse,
        record="slots",
    ),
    story=Story(
        figure=figure,
        lines=lines,
        why=WHY,
        values=values,
        questions=story.QUESTIONS,
        symbols=story.SYMBOLS,
    ),
    goal=Goal(regularisation=regularisation, optimum=optimum, bound=bounds.bsgd),
    space=Space(multiclass=True, lifted=False),
    uses=Uses(
        weighs=True,
        presets=PRESETS,
        opening=OPENING,
        rivals=rivals,
        fit_defaults={"B": 200},
        streams=True,
    ),
)
