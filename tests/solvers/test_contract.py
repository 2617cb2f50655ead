"""Promises that every solver keeps by being listed in SOLVERS."""

import subprocess
import sys

import numpy as np
import pytest

from svmviz.data import plane
from svmviz.maths import kernels, losses
from svmviz.record.sentences import DEPTHS
from svmviz.solvers import SOLVERS
from svmviz.solvers.bsgd.solver import PRESETS
from svmviz.work.words import fill
from tests.tools import forked
from tests.tools.variants import variants

solvers = pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
PROBLEM = plane.moons(n=40, seed=1)
BEFORE = PROBLEM.X.copy(), PROBLEM.y.copy()
VARIANTS = {  # where those of `variants` do not reach every line and every sentence
    "pegasos": (
        {},
        {"project": True, "k": 4},
        {"kernel": kernels.rbf(1.0), "project": True, "lam": 0.5},
        {"loss": "logistic", "project": True},
        {"loss": "smoothed hinge", "k": 4},
        {"k": 8, "sampling": "multi-set", "project": True},
    ),
    "sdca": (
        {"changes": [(200, {"lam": 0.5})]},
        {"kernel": kernels.rbf(1.0)},
        {"lam": 0.01},
        {"loss": "logistic"},
        {"loss": "smoothed hinge", "kernel": kernels.rbf(1.0)},
        {"loss": "squared hinge"},
    ),
    "smo": (
        {"lam": 0.01, "changes": [(200, {"lam": 0.5})]},
        {"bias": False, "kernel": kernels.rbf(1.0)},
    ),
    "simba": (
        {},
        {"bias": True},
        {"exact_margins": True},
        {"exact_p": True},
        {"clip": False},
        {"schedule": "constant"},
    ),
    "perceptron": ({}, {"kernel": kernels.rbf(1.0)}),
    "fourier": ({}, {"lam": 0.5, "project": True, "features": 3}),
    "bsgd": (
        {"B": 1, "lam": 0.1},
        {"B": 5, "maintenance": "project smallest", "lam": 0.1},
        {"B": 5, "maintenance": "project best", "kernel": kernels.linear()},
        {"maintenance": "stop", "B": 5},
        {"maintenance": "remove smallest", "B": 5},
        {"rule": "margin Perceptron", "U": 2.0, "B": 5},
        {
            "rule": "margin Perceptron",
            "maintenance": "remove oldest",
            "beta": 0.0,
            "forget": True,
            "B": 5,
        },
        {"loss": "logistic", "B": 5, "lam": 0.1},
        {"loss": "smoothed hinge", "rule": "Norma", "B": 5},
        {
            "loss": "squared hinge",
            "B": 5,
            "maintenance": "project best",
            "kernel": kernels.linear(),
        },
        *({"B": 5, "kernel": kernels.rbf(2.0), "C": 0.7} | given for given in PRESETS.values()),
        {"B": 50, "kernel": kernels.rbf(2.0), "eps": 0.8} | PRESETS["Projectron++"],
    ),
    "incremental": (
        {},
        {"teacher": "active", "pool": 5, "chosen": [(3, 7)]},
        {"teacher": "adversary", "changes": [(30, {"C": 0.5})]},
        {"algorithm": "Algorithm 1", "teacher": "as given"},
        {"algorithm": "batch"},
        {"K": 1, "C": 0.1},
    ),
    "idsvm": (
        {"changes": [(36, {"C": 0.5})], "active": [(31, np.arange(2, 40))]},
        {"kernel": kernels.linear()},
        {"kernel": kernels.poly(2, 1e6, 0.0), "C": 1e5},
    ),
    "tvm": ({"B": 8}, {"kernel": kernels.linear(), "B": 6, "C": 5.0}),
    "bias": (
        {},
        {"method": "best for the batch", "k": 2},
        {"method": "best for the batch", "kernel": kernels.rbf(1.0)},
        {"method": "outer search", "round": 20},
    ),
    "regression": (
        {"epsilon": 0.5, "lam": 0.5},
        {"project": True, "k": 4, "lam": 0.5},
        {"epsilon": 2.0, "k": 2},
        {"kernel": kernels.rbf(1.0), "loss": "squared", "lam": 0.5},
        {"loss": "squared", "k": 3, "project": True},
    ),
    "svr": (
        {"changes": [(200, {"lam": 0.5})]},
        {"kernel": kernels.rbf(1.0), "epsilon": 0.5},
        {"lam": 0.5},
        {"loss": "squared"},
    ),
    "classes": (
        {},
        {"project": True, "k": 4, "costs": "0,2/1,0"},
        {"kernel": kernels.rbf(1.0), "project": True, "lam": 0.5},
        {"loss": "logistic", "lam": 0.001},
        {"loss": "logistic", "k": 4, "kernel": kernels.rbf(1.0)},
        {"k": 2, "lam": 0.01},
    ),
    "sbp": (
        {},
        {"nu": 0.0},
        {"bias": True, "kernel": kernels.rbf(1.0)},
        {"nu": 0.0, "kernel": kernels.rbf(0.1)},
    ),
}
VARIANTS = {key: VARIANTS.get(key) or variants(solver) for key, solver in SOLVERS.items()}
WITHOUT_CHANCE = {"smo", "pst"}  # the seed decides nothing


@solvers
def test_same_seed_same_trace_and_another_seed_another(solver):
    first, again, other = (solver.trace(PROBLEM, steps=80, seed=seed) for seed in (5, 5, 6))
    assert np.array_equal(first.at(80).coef, again.at(80).coef)
    assert np.array_equal(first.at(80).coef, other.at(80).coef) == (solver.key in WITHOUT_CHANCE)


@solvers
def test_a_longer_run_begins_with_the_shorter_one(solver):
    short, long = solver.trace(PROBLEM, steps=60, seed=2), solver.trace(PROBLEM, steps=120, seed=2)
    for name, column in short.metrics.items():
        assert np.array_equal(column, long.metrics[name][:61]), name
    assert np.array_equal(short.at(60).coef, long.at(60).coef)


@solvers
def test_a_change_that_changes_nothing_leaves_the_run_as_it_was(solver):
    for given in VARIANTS[solver.key]:
        given = given | {"changes": []}
        whole = solver.trace(PROBLEM, 90, 2, **given)
        cut = solver.trace(PROBLEM, 90, 2, **given | {"changes": [(7, {}), (31, {})]})
        assert len(cut.segments) == 3 and np.array_equal(whole.drawn, cut.drawn)
        assert cut.at(90).coef == pytest.approx(whole.at(90).coef, rel=1e-9, abs=1e-12)
        assert cut.f(90, PROBLEM.X) == pytest.approx(whole.f(90, PROBLEM.X), rel=1e-9, abs=1e-9)


@solvers
def test_back_and_forwards_gives_the_same_bits(solver):
    trace = solver.trace(PROBLEM, steps=200, seed=3)
    there = {t: trace.at(t).coef for t in range(0, 201, 7)}
    for t in sorted(there, key=lambda t: (t * 37) % 101):
        assert np.array_equal(trace.at(t).coef, there[t])


@solvers
def test_metrics_are_finite_columns_over_every_step(solver):
    trace = solver.trace(PROBLEM, steps=50)
    needed = {
        "primal",
        "hinge",
        "norm",
        "error",
        "n_sv",
        "kernel_evals",
        "features_read",
        "examples",
    }
    assert needed <= set(trace.metrics) and len(trace.drawn) == 51
    for name, column in trace.metrics.items():
        assert column.shape == (51,) and np.isfinite(column).all(), name
    for name in ("kernel_evals", "features_read", "examples"):
        assert (np.diff(trace.metrics[name]) >= 0).all(), name


@solvers
def test_decision_values_and_metrics_speak_of_the_same_iterate(solver):
    if solver.space.chained:
        pytest.skip("what a sentence costs is no sum over its points")
    trace = solver.trace(
        PROBLEM, steps=90, **({"kernel": kernels.rbf(2.0)} if "kernel" in solver.check({}) else {})
    )
    for t in (0, 1, 45, 90):
        f = trace.f(t, PROBLEM.X, "last")
        if f.ndim > 1:  # a score per class: the first of those that tie wins
            f = np.where((lead := f[:, 1] - f[:, 0]) == 0, -1e-300, lead)
        r = np.abs(f - PROBLEM.y)
        loss = np.maximum(0, r - 0.1) if solver.space.real else np.maximum(0, 1 - PROBLEM.y * f)
        assert loss.mean() == pytest.approx(trace.metrics["hinge"][t], abs=1e-12)
        wrong = r > 0.1 + 1.1 * losses.RIM if solver.space.real else (f >= 0) != (PROBLEM.y > 0)
        assert wrong.mean() == trace.metrics["error"][t]


@solvers
def test_every_line_of_pseudo_code_runs_and_every_sentence_is_spoken(solver):
    seen_lines, spoken, most = 0, 1, 0
    for params in VARIANTS[solver.key]:
        trace = solver.trace(PROBLEM, steps=400, **params)
        seen_lines |= np.bitwise_or.reduce(trace.column("lines"))
        spoken |= np.bitwise_or.reduce(trace.column("why", first=1))
        listed = solver.story.lines(trace.params())
        most = max(most, len(listed))
        for t in (1, 7, 400):
            values = trace.params(t) | solver.story.values(trace, t)
            assert all(fill(line.value, values) for line in listed)
            for depth in DEPTHS:
                said = trace.why(t, depth)
                assert (
                    said
                    and "{" not in said
                    and "  " not in said
                    and (depth == "short" or any(ch.isdigit() for ch in said))
                )
    assert seen_lines == (1 << most) - 1
    silent = [text for bit, text in enumerate(solver.story.sentences()) if not spoken >> bit & 1]
    assert not silent, "none of these runs (VARIANTS) speaks these sentences"


@solvers
def test_parameters_out_of_range_and_unknown_ones_are_named(solver):
    for param in solver.params:
        if param.low is not None:
            with pytest.raises(ValueError, match=param.name):
                solver.trace(PROBLEM, steps=2, **{param.name: param.high * 10})
    with pytest.raises(ValueError, match="has no parameter 'colour'"):
        solver.trace(PROBLEM, steps=2, colour=1)
    with pytest.raises(ValueError, match="steps must be a whole number"):
        solver.trace(PROBLEM, steps=0)
    for seed in (-1, 2**32):
        with pytest.raises(ValueError, match="seed must be a whole number"):
            solver.trace(PROBLEM, steps=2, seed=seed)
    with pytest.raises(ValueError, match="t must be a whole number from 0 to 2"):
        solver.trace(PROBLEM, steps=2).at(3)
    with pytest.raises(ValueError, match="Z must have 2 columns"):
        solver.trace(PROBLEM, steps=2).f(1, [[1.0, 2.0, 3.0]])


@solvers
def test_the_problem_is_not_written_into(solver):
    solver.trace(PROBLEM, steps=50, **VARIANTS[solver.key][-1]).metrics["primal"]
    assert np.array_equal(PROBLEM.X, BEFORE[0]) and np.array_equal(PROBLEM.y, BEFORE[1])


SIGNATURES = """
import numpy as np, scipy.sparse as sp, svmviz
from svmviz.maths import kernels as parts
from svmviz.record import replay
from svmviz.run.streams import stream
from svmviz.solvers.pegasos import algorithm as pegasos
from svmviz.solvers.bsgd import learner
from svmviz.solvers.simba import learn, loop
X = np.random.default_rng(0).normal(size=(20, 3))
for data in (X, np.asfortranarray(X), X.astype(np.float32), X.tolist(), sp.csr_array(X)):
    problem = svmviz.make_problem(data, [1, 0] * 10)
    for kernel in (None, parts.rbf(1), parts.poly(2, 1, 0)):
        for project in (0, True):
            trace = svmviz.SOLVERS["pegasos"].trace(problem, steps=5, lam=1, kernel=kernel, project=project, k=2)
            trace.metrics, trace.f(3, data)
    for keep, kernel, many in (("merge", parts.rbf(1), 0), ("merge", parts.rbf(2.0), True), ("none", None, 0),
                               ("project best", parts.poly(2, 1, 0), 0), ("remove random", parts.laplacian(), True)):
        given = {"maintenance": keep, "kernel": kernel, "multiclass": many, "B": 3}
        given["search"] = "golden section" if many else "table"
        trace = svmviz.SOLVERS["bsgd"].trace(problem, steps=30, changes=[(20, {"B": 2})], **given)
        trace.metrics, trace.f(3, data), trace.at(9)
        stream.run([(data, np.array([1, -1] * 10))], given)
    for given in ({}, {"nu": 0, "bias": 1}, {"exact_p": True}, {"schedule": "constant", "exact_margins": True}):
        svmviz.SOLVERS["simba"].trace(problem, steps=9, changes=[(4, {"nu": 1})], **given).metrics
        list(learn.simba(problem, given, [2, 5]))
print(*(len(f.signatures) for f in (pegasos.steps, replay.replay, learner.steps, loop.steps)))
"""


def test_no_input_makes_compiled_code_compile_again():
    counted = forked.run(SIGNATURES).stdout
    assert counted.split() == ["1"] * 4


WITHOUT_JIT = """
import svmviz
from svmviz import parts
trace = svmviz.SOLVERS["pegasos"].trace(svmviz.datasets.moons(n=12), steps=30, kernel=parts.rbf(1.0), project=True, k=2)
moons = svmviz.datasets.moons(n=12)
budgeted = [svmviz.SOLVERS["bsgd"].trace(moons, steps=60, B=4, lam=0.1, maintenance=keep, multiclass=keep == "merge", U=2.0,
    rule=rule) for keep in svmviz.budget.NAMES for rule in ("Pegasos", "margin Perceptron")]
sublinear = [svmviz.SOLVERS["simba"].trace(moons, steps=40, **{name: True}) for name in ("bias", "exact_p", "exact_margins")]
total = sum(t.metrics["primal"].sum() for t in (trace, *budgeted, *sublinear))
print(repr(total), svmviz.reference.optimum(trace.problem, lam=0.1).gap <= 1e-10)
"""


@pytest.mark.long
def test_it_also_runs_without_compilation(monkeypatch):
    outputs = []
    for disabled in ("0", "1"):
        monkeypatch.setenv("NUMBA_DISABLE_JIT", disabled)
        outputs.append(
            subprocess.run(
                [sys.executable, "-c", WITHOUT_JIT], capture_output=True, text=True, check=True
            ).stdout
        )
    (compiled, exact), (plain, also_exact) = (out.split() for out in outputs)
    assert exact == also_exact == "True"
    assert eval(compiled, {"np": np}) == pytest.approx(eval(plain, {"np": np}), rel=1e-12)
