"""The parameters of Pegasos with a bias, and the solver."""

from svmviz.data.params import Param
from svmviz.maths import sampling
from svmviz.record import questions
from svmviz.record.solver import Algorithm, Goal, Solver, Story, Uses
from svmviz.record.symbols import Symbol, shared
from svmviz.solvers.bias.algorithm import refuse, run, work
from svmviz.solvers.bias.story import METHODS, OWN, SEARCH, WHY, lines, values
from svmviz.theory import biases, reference

BIAS = Solver(
    key="bias",
    title="Pegasos with a bias",
    paper="Shalev-Shwartz, Singer, Srebro, Cotter 2011",
    params=(
        Param(
            "lam",
            "λ",
            0.05,
            1e-6,
            10.0,
            "Weight of the regulariser, which leaves b alone.",
            log=True,
            title="regularisation",
        ),
        Param(
            "method",
            "",
            OWN,
            options=METHODS,
            title="method",
            help=(
                "Section 6: b takes steps of its own, is the best one for each batch, or searched"
                " for around whole runs."
            ),
        ),
        Param(
            "kernel",
            "K",
            None,
            help="Without a kernel w is a vector; with one it is a sum over examples.",
            title="kernel",
        ),
        Param(
            "k",
            "k",
            10,
            1,
            5000,
            "Examples per step. The best b for a batch wants many.",
            log=True,
            title="mini-batch",
        ),
        Param(
            "round",
            "R",
            100,
            10,
            100_000,
            "Steps for each b that is tried.",
            log=True,
            title="steps of a round",
            when=lambda params: params["method"] == SEARCH,
        ),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[0],
            options=sampling.SCHEMES,
            title="sampling",
            help="How examples are drawn.",
        ),
        Param(
            "iterate",
            "",
            "last",
            options=("last", "average"),
            title="iterate",
            help="Which w and b are drawn: the last, or the mean of all so far.",
        ),
    ),
    algorithm=Algorithm(
        run=run,
        refuse=refuse,
        work=work,
        start=lambda problem, params, active: dict.fromkeys(
            ("b", "b_average", "low", "high", "local"), 0.0
        ),
    ),
    story=Story(
        figure=lambda params: f"Section 6, {params['method']}",
        lines=lines,
        why=WHY,
        values=values,
        questions=(questions.SWING, questions.ANSWER, questions.LINE),
        symbols=(
            *shared("t i j n x y w w̄ f m λ η α K b P P*"),
            Symbol("k", "mini-batch", "examples drawn in a step", "{k}", "drawn"),
            Symbol("A", "examples drawn", "those that this step looks at", "", "drawn"),
            Symbol("R", "round", "steps that are taken with one b", "{round}"),
            Symbol("τ", "step of the round", "counts from 1 for every b"),
        ),
    ),
    goal=Goal(
        optimum=lambda problem, params: reference.optimum(
            problem, params["lam"], params["kernel"], bias=True
        ),
        beside=biases.with_a_price,
    ),
    uses=Uses(
        weighs=True,
        opening=(
            "data=imbalanced&n=160&noise=0.7&share=0.1&lam=0.05&k=10&seed=3&T=200&t=24&beat=add"
        ),
    ),
)
