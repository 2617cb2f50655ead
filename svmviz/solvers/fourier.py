"""Random Fourier features: the Gaussian kernel replaced by k random waves, and Pegasos on the
linear problem that is left.

    φ(x) = (cos <v_1, x>, sin <v_1, x>, ..., cos <v_k, x>, sin <v_k, x>) / √k,   v_i drawn from N(0,
    2 gamma I),

so that |φ(x)| = 1 and <φ(x), φ(z)> is an average of k values cos <v_i, x - z>, whose mean is
exp(-gamma |x - z|²).

Rahimi, Recht: "Random features for large-scale kernel machines", NIPS 2007; compared with the
stochastic batch perceptron in Appendix A (Cotter, Shalev-Shwartz, Srebro 2012), where v is drawn
from N(0, I) and divided by sigma: gamma = 1/(2 sigma²). Cost is counted as there, in inner products
of d-dimensional vectors: n k for φ of all the data, nothing for the optimisation after it. They are
charged whenever a stretch of the run begins, because φ is then computed anew. The directions are
rounded to float32, which the browser reads without a loss.
"""

import math
from dataclasses import replace

import numpy as np

from svmviz.data.constant import constant_of, of_bias, widened
from svmviz.data.params import Param
from svmviz.maths import matrix, sampling
from svmviz.maths.machine.elementary import cosine_and_sine
from svmviz.maths.machine.jit import bare
from svmviz.record import questions
from svmviz.record.sentences import Lines, Sentence, Sentences
from svmviz.record.solver import Algorithm, Goal, Solver, Space, Story, Uses
from svmviz.record.symbols import Symbol
from svmviz.solvers.pegasos import algorithm, story
from svmviz.solvers.pegasos.solver import PEGASOS
from svmviz.theory import bounds, reference

PLAIN = {"k": 1, "kernel": None}  # what Pegasos is asked for
WHY = story.WHY.only("start", "free", "inside", "wrong", "pulled") | Sentences(
    mapped=Sentence("", "", "First all φ(x): n k = {n} · {waves} = {inner} inner products.")
)

SYMBOLS = (
    *(
        symbol
        for symbol in story.SYMBOLS
        if symbol.mark not in ("α", "K", "A", "j", "k", "s", "ℓ′")
    ),
    Symbol("φ", "random features", "cosine and sine of x along each random direction"),
    Symbol("k", "waves", "random directions, a cosine and a sine each", "{waves}", "mechanism"),
    Symbol("v", "direction", "random: one for each wave", "", "mechanism"),
    Symbol("θ", "phase", "where a wave begins", "", "mechanism"),
)


def lines(params) -> Lines:
    """Return Figure 1 of Pegasos on φ(x)."""
    return Lines(
        **{
            name: line._replace(text=line.text.replace("x[i]", "φ(x[i])"))
            for name, line in story.lines(params | PLAIN).items()
        }
    )


def waves(d: int, params) -> np.ndarray:
    """(k, d) directions v; more waves begin with the fewer."""
    drawn = np.random.default_rng(params["map_seed"]).normal(size=(params["features"], d))
    return (math.sqrt(2 * params["gamma"]) * drawn).astype(np.float32).astype(np.float64)


@bare
def turn(rows, directions, divisor, phase, out):
    """cos <v, x> and sin <v, x> of every row and direction, feature by feature, so that a processor
    takes several directions
    """
    ones, dense = phase.size, matrix.is_dense(rows)
    for i in range(out.shape[0]):
        for k in range(ones):
            phase[k] = 0.0
        for p in range(
            0 if dense else rows.indptr[i], directions.shape[0] if dense else rows.indptr[i + 1]
        ):
            x, v = (
                (rows.X[i, p], directions[p])
                if dense
                else (rows.data[p], directions[rows.indices[p]])
            )
            for k in range(ones):
                phase[k] += x * v[k]
        for k in range(ones):
            cosine, sine = cosine_and_sine(phase[k])
            out[i, 2 * k], out[i, 2 * k + 1] = cosine / divisor, sine / divisor


def features(X, params) -> np.ndarray:
    """φ of the rows of X."""
    out, directions = (
        np.empty((X.shape[0], 2 * params["features"])),
        np.ascontiguousarray(waves(X.shape[1], params).T),
    )
    turn(
        matrix.rows(X), directions, math.sqrt(params["features"]), np.empty(params["features"]), out
    )
    return out


def mapped(problem, params):
    """The linear problem that is left, with the constant feature beside the waves."""
    return problem._replace(X=widened(features(problem.X, params), constant_of(params)))


def run(problem, params, order, start, active):
    """Pegasos on φ(x); of its sentences those on mini-batches are not needed."""
    record, _ = algorithm.run(mapped(problem, params), params | PLAIN, order, start, active)
    inner = np.zeros(len(order), np.int64)
    inner[0] = active.size * params["features"]
    why = WHY.translate(record.why, story.WHY) | np.where(inner > 0, WHY.mapped, 0)
    return record._replace(why=why, own=record.own | {"inner_products": inner}), None


def values(trace, t) -> dict:
    """The live quantities of step t: those of Pegasos, and of the map."""
    segment = trace.segment(t)
    return story.values(trace, t) | {
        "waves": segment.params["features"],
        "n": len(segment.active),
        "inner": int(trace.scalars["inner_products"][t]),
    }


def optimum(problem, params):
    """The exact optimum of the problem that is left, not of the kernel's."""
    return reference.optimum(mapped(problem, params), params["lam"])


TAKEN = {param.name: param for param in PEGASOS.params}

FOURIER = Solver(
    key="fourier",
    title="Random Fourier features",
    paper="Rahimi, Recht 2007",
    params=(
        TAKEN["lam"],
        Param(
            "gamma",
            "",
            1.0,
            0.01,
            100.0,
            "Width of the Gaussian kernel that is approximated, 1/(2σ²).",
            log=True,
            title="kernel width",
        ),
        Param(
            "features",
            "k",
            50,
            1,
            200,
            "Random directions; each gives a cosine and a sine. More: closer to the kernel.",
            log=True,
            title="waves",
        ),
        Param("map_seed", "", 0, 0, 2**32 - 1, "Seed of the random directions.", title="map seed"),
        *of_bias(),
        TAKEN["project"],
        replace(
            TAKEN["sampling"],
            options=sampling.SCHEMES,
            help="How examples are drawn. The theorems cover drawing with replacement only.",
        ),
        TAKEN["iterate"],
    ),
    algorithm=Algorithm(
        run=run,
        work=lambda n, d, params: 2 * (2 * n + 1) * params["features"],
        start=lambda problem, params, active: {"project": 1.0, "inner_products": 0},
        record="waves",
    ),
    story=Story(
        figure=lambda params: "SBP paper, Appendix A",
        lines=lines,
        why=WHY,
        values=values,
        questions=(questions.SWING, questions.PAYS, questions.ANSWER),
        symbols=SYMBOLS,
    ),
    goal=Goal(
        optimum=optimum,
        bound=lambda trace: bounds.pegasos(trace, math.hypot(1.0, constant_of(trace.params(0)))),
    ),
    space=Space(features=features),
    # waves that make a pattern where there are no data, and a point that they put on the wrong side
    uses=Uses(
        weighs=True,
        opening=(
            "data=circles&n=160&noise=0.2&lam=0.01&gamma=2&features=30&seed=3&T=240&t=43&beat=add"
        ),
    ),
)
