"""The parameters of Pegasos for regression, and the solver."""

from svmviz.data.constant import of_bias
from svmviz.data.params import Param
from svmviz.maths import losses, sampling
from svmviz.maths.losses import TUBE, bounded, loss_of
from svmviz.record import questions
from svmviz.record.solver import Algorithm, Goal, Solver, Space, Story, Uses
from svmviz.solvers.pegasos.algorithm import work
from svmviz.solvers.regression.algorithm import optimum, run
from svmviz.solvers.regression.story import SYMBOLS, WHY, lines, values
from svmviz.theory import bounds


def of_residuals() -> tuple[Param, Param]:
    """The parameters that `losses.loss_of` reads, of a solver that fits real targets."""
    return (
        Param(
            "loss",
            "",
            losses.OF_RESIDUALS[0],
            options=losses.OF_RESIDUALS,
            title="loss",
            help=(
                "What a residual costs: what it has beyond the tube, as support vector regression"
                " has it, or r²/2. The slopes of this one have no bound: where w takes steps"
                " against them, it is kept in a ball."
            ),
        ),
        Param(
            "epsilon",
            "ε",
            0.1,
            0.0,
            1000.0,
            "In the units of the target.",
            log=True,
            title="half width",
            when=lambda params: loss_of(params).kind == TUBE,
        ),
    )


REGRESSION = Solver(
    key="regression",
    title="Pegasos for regression",
    paper="Shalev-Shwartz, Singer, Srebro, Cotter 2011",
    params=(
        Param(
            "lam",
            "λ",
            0.01,
            1e-6,
            10.0,
            "Weight of the regulariser. Smaller: longer w, f follows the points more closely.",
            log=True,
            title="regularisation",
        ),
        Param(
            "kernel",
            "K",
            None,
            help="Without a kernel f is linear; with one it is a sum over examples.",
            title="kernel",
        ),
        *of_residuals(),
        *of_bias(),
        Param(
            "k",
            "k",
            1,
            1,
            5000,
            "Examples per step. With k = n each sees all the data.",
            log=True,
            title="mini-batch",
        ),
        Param(
            "project",
            "",
            False,
            help=(
                "Pull w back onto the ball that w* lies in, of radius √(mean loss of f = 0, over"
                " λ). With the squared loss, whose slopes have no bound, that is always done."
            ),
            title="project onto the ball",
            when=bounded,
        ),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[0],
            options=sampling.SCHEMES,
            title="sampling",
            help="How examples are drawn. The theorems cover drawing with replacement only.",
        ),
        Param(
            "iterate",
            "",
            "last",
            options=("last", "average", "random"),
            title="iterate",
            help="Which w predicts: the last, the mean of w(1) … w(t), or a random one.",
        ),
    ),
    algorithm=Algorithm(run=run, work=work, start=lambda problem, params, active: {"project": 1.0}),
    story=Story(
        figure=lambda params: "Section 5, Example 2",
        lines=lines,
        why=WHY,
        values=values,
        questions=(questions.PULL, questions.TUBE),
        symbols=SYMBOLS,
    ),
    goal=Goal(optimum=optimum, bound=bounds.regression),
    space=Space(real=True),
    # a point far from its target, which lifts the curve about it
    uses=Uses(
        opening="data=sine&n=80&noise=0.15&data_seed=0&kernel=rbf(gamma=4.0)&lam=0.02&epsilon=0.2&seed=4&T=300&t=82&beat=add"
    ),
)
