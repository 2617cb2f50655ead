"""The parameters of Pegasos for sequences, and the solver."""

from svmviz.data.constant import of_bias
from svmviz.data.params import Param
from svmviz.maths import sampling
from svmviz.record.solver import Algorithm, Goal, Solver, Space, Story, Uses
from svmviz.solvers.sequences.algorithm import draw, run, suits, work
from svmviz.solvers.sequences.story import LINES, QUESTIONS, SYMBOLS, WHY, first, values
from svmviz.theory import chains

SEQUENCES = Solver(
    key="sequences",
    title="Pegasos for sequences",
    paper="Shalev-Shwartz, Singer, Srebro, Cotter 2011",
    params=(
        Param(
            "lam",
            "λ",
            0.05,
            1e-6,
            10.0,
            "Weight of the regulariser, of w and v together.",
            log=True,
            title="regularisation",
        ),
        Param("length", "L", 8, 2, 50, "So many points in a row are a sentence.", title="length"),
        *of_bias(),
        Param(
            "sampling",
            "",
            sampling.SCHEMES[0],
            options=sampling.SCHEMES,
            title="sampling",
            help="How sentences are drawn.",
        ),
    ),
    algorithm=Algorithm(run=run, work=work, draw=draw, start=first, suits=suits, record="chains"),
    story=Story(
        figure=lambda params: "Section 5, Example 5",
        lines=lambda params: LINES,
        why=WHY,
        values=values,
        questions=QUESTIONS,
        symbols=SYMBOLS,
    ),
    goal=Goal(
        optimum=lambda problem, params: chains.optimum(problem, params["lam"], params["length"])
    ),
    space=Space(multiclass=True, every_class=True, chained=True),
    uses=Uses(opening="data=tagging&n=240&data_seed=0&lam=0.05&seed=1&T=120&t=45&beat=measure"),
)
