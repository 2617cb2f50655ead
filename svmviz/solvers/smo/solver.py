"""The parameters of sequential minimal optimisation, and the solver."""

from svmviz.data.params import Param
from svmviz.maths import kernels
from svmviz.record.solver import Algorithm, Goal, Solver, Story, Uses
from svmviz.solvers.sdca.solver import LAM
from svmviz.solvers.smo.algorithm import draw, run
from svmviz.solvers.smo.story import QUESTIONS, SYMBOLS, WHY, lines, values
from svmviz.theory import reference

SMO = Solver(
    key="smo",
    title="Sequential minimal optimisation",
    paper="Platt 1998; Fan, Chen, Lin 2005",
    params=(
        LAM,
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
            True,
            help="Add a constant b that is not regularised: then coefficients move in pairs.",
            title="unregularised bias",
        ),
    ),
    algorithm=Algorithm(
        draw=draw,
        run=run,
        work=lambda n, d, params: 2 * n * (kernels.COST if params["kernel"] else d),
        start=lambda problem, params, active: {"b": 0.0},
        entered=lambda problem, params, active, entry: {
            "b": entry.own["b"] if params["bias"] else 0.0
        },
        takes=(),
        chance=False,
    ),
    story=Story(
        figure=lambda params: "WSS 2" if params["bias"] else "WSS 2 without bias",
        lines=lines,
        why=WHY,
        values=values,
        questions=QUESTIONS,
        symbols=SYMBOLS,
    ),
    goal=Goal(
        dual=True,
        optimum=lambda problem, params: reference.optimum(
            problem, params["lam"], params["kernel"], params["bias"]
        ),
    ),
    # two points that disagree about b, and by how much their α must move
    uses=Uses(
        opening="data=moons&n=120&noise=0.2&lam=0.01&kernel=rbf(gamma=2.0)&T=120&t=21&beat=clip",
        fit_tol=1e-3,
    ),
)
