"""The parameters of dual coordinate ascent, and the solver."""

from svmviz.data.constant import of_bias
from svmviz.data.params import Param, of_loss
from svmviz.maths import kernels, sampling
from svmviz.maths.losses import loss_of
from svmviz.record import questions
from svmviz.record.solver import Algorithm, Goal, Solver, Story, Uses
from svmviz.solvers.sdca.algorithm import run
from svmviz.solvers.sdca.story import SYMBOLS, WHY, lines, values
from svmviz.theory import biases, reference

LAM = Param(
    "lam",
    "λ",
    0.05,
    1e-6,
    10.0,
    "Weight of the regulariser. Smaller: a larger box [0, C], C = 1/(λn).",
    log=True,
    title="regularisation",
)
SDCA = Solver(
    key="sdca",
    title="Dual coordinate ascent",
    paper="Hsieh, Chang, Lin, Keerthi, Sundararajan 2008",
    params=(
        LAM,
        Param(
            "kernel",
            "K",
            None,
            help="Without a kernel w is a vector; with one it is a sum over support vectors.",
            title="kernel",
        ),
        *of_loss(),
        *of_bias(),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[0],
            options=sampling.SCHEMES,
            title="sampling",
            help="How examples are drawn. The paper goes through the data in random order.",
        ),
    ),
    algorithm=Algorithm(
        run=run, work=lambda n, d, params: n * kernels.COST if params["kernel"] else d
    ),
    story=Story(
        figure=lambda params: (
            "Algorithm 1, kernelised" if params["kernel"] is not None else "Algorithm 1"
        ),
        lines=lines,
        why=WHY,
        values=values,
        questions=(questions.CHANGES, questions.ALPHA, questions.GAP, questions.LINE),
        symbols=SYMBOLS,
    ),
    goal=Goal(
        dual=True,
        beside=biases.without_a_price,
        optimum=lambda problem, params: reference.optimum(
            problem, params["lam"], params["kernel"], loss=loss_of(params)
        ),
    ),
    # an α that would go beyond its box and is clipped
    uses=Uses(opening="data=blobs&n=80&noise=1.0&lam=0.05&seed=3&T=240&t=65&beat=clip"),
)
