"""The parameters of Pegasos, and the solver."""

from svmviz.data.constant import of_bias
from svmviz.data.params import Param, of_loss
from svmviz.maths import sampling
from svmviz.maths.losses import bounded
from svmviz.record import questions
from svmviz.record.solver import Algorithm, Goal, Solver, Story, Uses
from svmviz.solvers.pegasos.algorithm import optimum, run, work
from svmviz.solvers.pegasos.story import SYMBOLS, WHY, figure, lines, values
from svmviz.theory import biases, bounds

PEGASOS = Solver(
    key="pegasos",
    title="Pegasos",
    paper="Shalev-Shwartz, Singer, Srebro, Cotter 2011",
    params=(
        Param(
            "lam",
            "λ",
            0.05,
            1e-6,
            10.0,
            "Weight of the regulariser. Smaller: longer w, thinner margin, slower run.",
            log=True,
            title="regularisation",
        ),
        Param(
            "kernel",
            "K",
            None,
            help="Without a kernel w is a vector; with one it is a sum over examples (Fig. 3).",
            title="kernel",
        ),
        *of_loss(),
        *of_bias(),
        Param(
            "k",
            "k",
            1,
            1,
            5000,
            "Examples per step (Fig. 2). With k = n every step sees all the data.",
            log=True,
            title="mini-batch",
        ),
        Param(
            "project",
            "",
            False,
            help=(
                "Pull w back onto the ball of radius 1/√λ after each step (optional line of Fig."
                " 1). With the squared hinge, whose slopes have no bound, that is always done."
            ),
            title="project onto the ball",
            when=bounded,
        ),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[0],
            options=sampling.OF_BATCHES,
            title="sampling",
            help=(
                "How examples are drawn. With replacement each step draws anew, k different ones; a"
                " multi-set may hold one more than once, and counts it as often (Section 2.3). The"
                " theorems cover these two. Or the data are gone through in random order (Section"
                " 7.5)."
            ),
        ),
        Param(
            "iterate",
            "",
            "last",
            options=("last", "average", "random"),
            title="iterate",
            help=(
                "Which w predicts: the last, the mean of w(1) … w(t) (Corollaries 1, 2) or a random"
                " one (Lemma 3)."
            ),
        ),
    ),
    algorithm=Algorithm(run=run, work=work, start=lambda problem, params, active: {"project": 1.0}),
    story=Story(
        figure=figure,
        lines=lines,
        why=WHY,
        values=values,
        questions=(questions.SWING, questions.PAYS, questions.ANSWER, questions.LINE),
        symbols=SYMBOLS,
    ),
    goal=Goal(optimum=optimum, beside=biases.without_a_price, bound=bounds.pegasos),
    # all three beats, a point on the wrong side, a long step, and the pull back onto the ball
    uses=Uses(
        weighs=True,
        opening=(
            "data=blobs&n=120&noise=1.1&data_seed=0&lam=0.05&project=1&seed=3&T=120&t=9&beat=add"
        ),
    ),
)
