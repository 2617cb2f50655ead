"""The parameters of the Stochastic Batch Perceptron, and the solver."""

from svmviz.data.params import Param
from svmviz.maths import kernels
from svmviz.record.changes import AFTER
from svmviz.record.solver import Algorithm, Goal, Solver, Story, Uses
from svmviz.solvers.sbp.algorithm import draw, entered, facts, run, start
from svmviz.solvers.sbp.story import QUESTIONS, SYMBOLS, WHY, lines, values
from svmviz.theory import bounds, pareto

SBP = Solver(
    key="sbp",
    title="Stochastic Batch Perceptron",
    paper="Cotter, Shalev-Shwartz, Srebro 2012",
    params=(
        Param(
            "nu",
            "ν",
            0.05,
            0.0,
            10.0,
            "Slack per example: how much water is poured in. 0 is the batch perceptron.",
            log=True,
            title="slack",
        ),
        Param(
            "kernel",
            "K",
            None,
            help="The responses are kept for every example, whatever the kernel.",
            title="kernel",
        ),
        Param(
            "bias",
            "b",
            False,
            help="Add a constant b that is not regularised: one basin for each class.",
            title="unregularised bias",
        ),
        Param(
            "iterate",
            "",
            "last",
            options=("last", "average"),
            title="iterate",
            help=(
                "Which w is drawn: the last, or the mean of all so far, which the guarantee is"
                " about (Lemma 3.2)."
            ),
        ),
    ),
    algorithm=Algorithm(
        draw=draw,
        run=run,
        work=lambda n, d, params: n * (kernels.COST if params["kernel"] else d),
        start=start,
        entered=entered,
    ),
    story=Story(
        figure=lambda params: "Algorithm 1, with bias" if params["bias"] else "Algorithm 1",
        lines=lines,
        why=WHY,
        values=values,
        facts=facts,
        questions=QUESTIONS,
        symbols=SYMBOLS,
    ),
    goal=Goal(
        objective="level",
        maximises=True,
        averages=lambda params: AFTER,
        optimum=lambda problem, params: pareto.slack_optimum(
            problem, params["nu"], params["kernel"], params["bias"]
        ),
        bound=bounds.sbp,
    ),
    # Lemma 3.2 is about the average, the paper about kernels; half of the columns are wet, and one
    # of the wrong side is drawn
    uses=Uses(
        fit_defaults={"iterate": "average", "kernel": kernels.rbf(1.0)},
        opening=(
            "data=moons&n=120&noise=0.2&nu=0.05&kernel=rbf(gamma=4.0)&seed=1&T=240&t=91&beat=draw"
        ),
    ),
)
