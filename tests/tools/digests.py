"""Digests of runs and data that must be the same, bit by bit, on every machine.

    python -m tests.tools.digests            # print them as JSON python -m tests.tools.digests
    --write    # record in digests.json what is not there yet python -m tests.tools.digests --write
    sgd pegasos    # and these anew: on purpose only, as every link then gives other numbers python
    -m tests.tools.digests --seal     # compute those whose code has changed; where they are as
    recorded, seal that code

A run has two: of its steps (all columns of the trace) and of what is measured on it (metrics and
decision values).
"""

import hashlib
import json
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from svmviz import SOLVERS
from svmviz.data import bundled, edits, many_classes, many_features, targets, uploads
from svmviz.data.plane import DATASETS
from svmviz.maths import kernels, losses, sampling
from svmviz.record import entering
from svmviz.run.streams import sources, stream
from svmviz.solvers import fourier, incremental
from svmviz.solvers.bsgd.budget import NAMES, SEARCHES
from svmviz.solvers.bsgd.maintenance.strategies import missed
from svmviz.solvers.bsgd.solver import PRESETS
from svmviz.solvers.incremental import onepass
from svmviz.theory import optima
from tests.tools.seals import seal
from tests.tools.variants import other

FIELD = (
    "Budget Perceptron",
    "Tighter Perceptron",
    "Tightest Perceptron",
    "Projectron",
    "Projectron++",
    "ILK",
    "SILK",
    "PA",
    "BPA-S",
    "BPA-NN",
    "BPA-P",
)
RECORDED = Path(__file__).with_name("digests.json")
KERNELS = {
    "linear": None,
    "rbf": kernels.rbf(1.5),
    "poly": kernels.poly(3, 0.5, 1.0),
    "laplacian": kernels.laplacian(0.7),
    "imq": kernels.imq(1.2),
}


def fed(digest, value) -> None:
    """Numbers as bytes: shape and values, however they are kept and whatever NaN looks like
    here.
    """
    value = value.toarray() if sp.issparse(value) else np.asarray(value)
    kind = np.float64 if value.dtype.kind == "f" else np.int64
    value = np.array(value, kind, order="C")
    if kind is np.float64:
        value[np.isnan(value)] = np.nan
    digest.update(f"{kind.__name__}{value.shape}".encode() + value.tobytes())


def digest_of(values) -> str:
    digest = hashlib.sha256()
    for value in values:
        fed(digest, value)
    return digest.hexdigest()[:16]


# Data


@cache
def plane(name: str = "moons", n: int = 60):
    return DATASETS[name].problem(n=n, seed=1)


@cache
def wide(name: str = "cancer", n: int = 70):
    return bundled.BUNDLED[name].problem(n=n)


@cache
def sparse():
    return many_features.documents(n=60, d=90, length=12, seed=2)


@cache
def dense_table():
    return many_features.rare(n=60, d=101, share=0.1, seed=3)


@cache
def several():
    return many_classes.ring(n=60, classes=4, seed=1)


def table_of(problem) -> tuple:
    X, y = problem
    return (X.data, X.indices, X.indptr, y) if sp.issparse(X) else (X, y)


def uploaded(scaling: str, form: str = "csv"):
    """A file of odd numbers, scaled."""
    rng = np.random.default_rng(5)
    X, y = (
        rng.normal(size=(83, 7)) * 10.0 ** np.arange(-3, 4) + np.arange(7),
        rng.integers(0, 2, 83),
    )
    if form == "csv":
        lines = (",".join(map(repr, [*row, int(c)])) for row, c in zip(X.tolist(), y, strict=True))
        text = "\n".join(["a,b,c,d,e,f,g,label", *lines])
    else:
        text = "\n".join(
            f"{2 * c - 1:+d} "
            + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(row) if (j + c) % 3)
            for row, c in zip(X.tolist(), y, strict=True)
        )
    return uploads.build(uploads.read(text.encode()), scaling=scaling).problem


def first_block(key: str):
    return next(sources.source(key).chunks(300, 4))


def data() -> dict[str, Callable[[], tuple]]:
    """Everything that is generated, drawn or scaled, by name."""
    made: dict[str, Callable[[], tuple]] = {}
    for key, item in (
        DATASETS | many_classes.MULTICLASS | many_features.FAMILIES | targets.REGRESSION
    ).items():
        made[f"{key}"] = lambda item=item: table_of(item.problem())
        made[f"{key}, n = 41, seed 7"] = lambda item=item: table_of(item.problem(n=41, seed=7))
    for key in DATASETS:
        made[f"{key}, n = 5000"] = lambda key=key: table_of(DATASETS[key].problem(n=5000, seed=11))
    for key, item in bundled.BUNDLED.items():
        for scaling in bundled.SCALINGS:
            made[f"{key}, {scaling}"] = lambda item=item, scaling=scaling: table_of(
                item.problem(n=120, scaling=scaling)
            )
    for scaling in uploads.problem.SCALINGS:
        for form in ("csv", "libsvm"):
            made[f"upload, {form}, {scaling}"] = lambda scaling=scaling, form=form: uploaded(
                scaling, form
            )
    for key in ("standard", "waves", "banana", "digits-all"):
        made[f"stream of {key}"] = lambda key=key: first_block(key)
    for scheme in sampling.OF_BATCHES:
        made[f"drawn {scheme}"] = lambda scheme=scheme: (sampling.draw(37, 90, 3, scheme, 5),)
    made["random iterates"] = lambda: (sampling.random_iterates(3, 50)[1:50],)
    made["waves of Fourier features"] = lambda: (
        fourier.waves(13, {"features": 50, "gamma": 0.3, "map_seed": 2}),
    )
    return made


# Runs


def of(key: str, problem: Callable, steps: int = 150, seed: int = 3, **given):
    return SOLVERS[key].trace(problem(), steps, seed, **given)


def edited(key: str, **given):
    """Points come and go, and a knob is turned."""
    problem, active = edits.apply(
        plane(),
        [
            edits.edit(30, [2, 5], [(0.5, -1.25, 1), (1.5, 0.3, -1)]),
            edits.edit(70, [61], [(-0.4, 0.9, 1)]),
        ],
    )
    return SOLVERS[key].trace(problem, 150, 3, active=active, **given)


CHANGES = {
    "pegasos": [(40, {"lam": 0.2}), (90, {"k": 3})],
    "sbp": [(40, {"nu": 0.3}), (90, {"nu": 0.01})],
    "sdca": [(40, {"lam": 0.2}), (90, {"lam": 0.01})],
    "smo": [(8, {"lam": 0.02}), (20, {"lam": 0.3})],
    "perceptron": [(40, {"sampling": "fixed permutation"})],
    "fourier": [(40, {"gamma": 0.4}), (90, {"lam": 0.3})],
    "bsgd": [(40, {"B": 4}), (90, {"B": 8, "maintenance": "project smallest"})],
    "simba": [(40, {"nu": 0.2}), (90, {"clip": False})],
    "incremental": [(30, {"C": 0.5}), (50, {"K": 7})],
}
CHANGES = {key: CHANGES.get(key) or [(40, other(solver))] for key, solver in SOLVERS.items()}
KERNEL_CHANGE = [(50, {"kernel": kernels.rbf(4.0)}), (100, {"kernel": kernels.poly(2, 1.0, 0.5)})]


def runs() -> dict[str, Callable]:
    """Runs of every solver by name: kernels, options, data, changes on the way and edits."""
    made = {}

    def add(key: str, label: str, problem=plane, **given):
        made[f"{key}: {label}"] = partial(of, key, problem, **given)

    for key, solver in SOLVERS.items():
        names = {p.name for p in solver.params}
        if "kernel" in names:
            for name, kernel in KERNELS.items():
                more = (
                    {"maintenance": "project smallest", "B": 12}
                    if key == "bsgd" and name != "rbf"
                    else {}
                )
                add(key, name, kernel=kernel, **more)
                add(
                    key,
                    f"{name}, 30 features",
                    wide,
                    kernel=kernel and kernel._replace(gamma=kernel.gamma / 30),
                    **more,
                )
        narrow = {"kernel": kernels.rbf(1.0)} if key in ("bsgd", "incremental") else {}
        for problem in (plane, wide, sparse, dense_table):
            add(key, problem.__name__, problem, **narrow)
        add(key, "changes", changes=CHANGES[key])
        add(key, "changes, 30 features", wide, changes=CHANGES[key])
        add(key, "changes, sparse", sparse, changes=CHANGES[key])
        if "kernel" in names and key != "bsgd":
            add(key, "other kernels on the way", changes=KERNEL_CHANGE)
            add(key, "other kernels on the way, 30 features", wide, changes=KERNEL_CHANGE)
        made[f"{key}: edits"] = partial(edited, key)
        made[f"{key}: edits and changes"] = partial(edited, key, changes=CHANGES[key])
        for param in solver.params:
            if param.name in (
                "iterate",
                "sampling",
                "algorithm",
                "teacher",
                "gradients",
                "schedule",
            ):
                for option in param.options:
                    add(key, f"{param.name} = {option}", **{param.name: option})
            elif isinstance(param.default, bool) and param.name not in ("multiclass", "forget"):
                add(key, f"{param.name} = {not param.default}", **{param.name: not param.default})

    add("pegasos", "mini-batch, projected", k=5, project=True, lam=0.5)
    add(
        "pegasos",
        "mini-batch, multi-set, projected",
        k=20,
        sampling=sampling.MULTI_SET,
        project=True,
        lam=0.5,
    )
    add(
        "pegasos", "mini-batch, projected, rbf", k=5, project=True, lam=0.5, kernel=kernels.rbf(1.0)
    )
    add(
        "pegasos",
        "projected, changes, rbf",
        project=True,
        kernel=kernels.rbf(1.0),
        lam=0.5,
        changes=[(40, {"lam": 1.0})],
    )
    add(
        "pegasos",
        "projected, changes, 30 features",
        wide,
        project=True,
        lam=0.5,
        changes=[(40, {"lam": 1.0})],
    )
    add("pegasos", "order given", order=np.arange(150) * 7 % 60)
    add("sbp", "bias, rbf, changes", bias=True, kernel=kernels.rbf(1.0), changes=CHANGES["sbp"])
    add("sbp", "bias, 30 features", wide, bias=True, nu=0.01)
    add("smo", "no bias, changes, rbf", bias=False, kernel=kernels.rbf(1.0), changes=CHANGES["smo"])
    add("smo", "30 features, changes, rbf", wide, kernel=kernels.rbf(0.05), changes=CHANGES["smo"])
    add("fourier", "projected", project=True, lam=0.5, features=7)
    add("fourier", "many waves, 30 features", wide, features=200, gamma=0.02)
    add("fourier", "far phases", lambda: plane()._replace(X=1e7 * plane().X), gamma=100.0)

    for name in NAMES:
        add("bsgd", name, maintenance=name, B=8, lam=0.005)
        if not missed(NAMES.index(name)):  # these are about two
            add("bsgd", f"{name}, four classes", several, maintenance=name, B=8)
        add("bsgd", f"{name}, sparse", sparse, maintenance=name, B=8)
    for name, preset in PRESETS.items():
        if name in FIELD:
            add(
                "bsgd",
                name,
                lambda: plane("checkerboard", 200),
                B=12,
                kernel=kernels.rbf(3.0),
                steps=400,
                **preset,
            )
    for kernel in (kernels.laplacian(1.0), kernels.imq(3.0)):
        for name, problem in (
            ("merge", plane),
            ("merge, four classes", several),
            ("merge, sparse", sparse),
        ):
            add("bsgd", f"{name}, {kernel}", problem, B=8, kernel=kernel)
    for kernel in (kernels.rbf(1.0), kernels.imq(3.0)):
        add("bsgd", f"merge any two, {kernel}", B=8, kernel=kernel, pairs="all")
    for search in SEARCHES:
        add(
            "bsgd",
            f"merge by {search}",
            lambda: plane("checkerboard", 200),
            B=12,
            search=search,
            lam=0.001,
            steps=400,
        )
    for rule in ("Norma", "margin Perceptron"):
        add("bsgd", rule, rule=rule, B=8, eta=0.5)
    add(
        "bsgd",
        "Forgetron",
        rule="margin Perceptron",
        maintenance="remove oldest",
        beta=0.0,
        forget=True,
        B=8,
    )
    add("bsgd", "ball", rule="margin Perceptron", U=2.0, B=8)
    add("bsgd", "a score per class", multiclass=True, B=8)
    add(
        "bsgd",
        "ten classes of digits",
        lambda: bundled.BUNDLED["digits"].problem(n=150, positive=bundled.ALL),
        B=15,
    )
    add(
        "bsgd",
        "another kernel on the way",
        B=8,
        maintenance="project smallest",
        changes=[(60, {"kernel": kernels.rbf(3.0)})],
    )

    for key in ("pegasos", "sdca", "bsgd"):
        for name in losses.NAMES[1:]:
            add(key, name, loss=name)
            add(
                key,
                f"{name}, rbf, 30 features",
                wide,
                loss=name,
                kernel=kernels.rbf(0.05),
                lam=0.005,
                smoothing=0.3,
            )
        add(
            key,
            "losses on the way",
            changes=[(30 * k, {"loss": name}) for k, name in enumerate(losses.NAMES[1:], start=1)],
        )
    add("pegasos", "logistic, mini-batch, projected", loss="logistic", k=5, project=True, lam=0.5)
    add("pegasos", "logistic, sparse", sparse, loss="logistic", lam=0.001)
    add("sdca", "logistic, sparse", sparse, loss="logistic", lam=0.001)
    add("bsgd", "logistic, Norma", rule="Norma", loss="logistic", B=8, eta=0.5)

    add("incremental", "chosen", teacher="you", chosen=[(3, 7), (5, 11)])
    add(
        "incremental",
        "active, 30 features",
        wide,
        teacher="active",
        pool=9,
        kernel=kernels.rbf(0.05),
    )
    for name in ("exact_p", "exact_margins"):
        for problem in (wide, sparse, dense_table):
            add("simba", f"{name}, {problem.__name__}", problem, **{name: True})
    add("simba", "bias, changes", bias=True, changes=CHANGES["simba"])
    add("simba", "bias, table", dense_table, bias=True, nu=0.01)
    add(
        "simba",
        "more than its table shows at once",
        lambda: many_features.rare(n=200, d=150, seed=1),
        steps=120,
        nu=0.01,
    )
    return made


def laid_out(record) -> tuple[np.ndarray, np.ndarray]:
    """Rows and amounts of the changes as tables with a row per step, filled up with -1 and 0."""
    many = np.diff(record.changes.first)
    there = np.arange(max(1, many.max())) < many[:, None]
    row, amount = np.full(there.shape, -1), np.zeros((*there.shape, record.changes.amount.shape[1]))
    row[there], amount[there] = record.changes.row, record.changes.amount
    return row, amount if record.made else amount[:, :, 0]


def steps_of(trace) -> str:
    """What the steps left behind."""

    def arrays():
        for _, params, record, active, _ in trace.segments:
            yield active
            yield np.broadcast_to(
                record.lines, len(record.factor)
            )  # one number where every step runs the same lines
            yield from (
                record.drawn,
                record.margin,
                record.factor,
                *laid_out(record),
                record.why,
                record.kernel_evals,
                record.features_read,
            )
            yield from (
                record.own[name] for name in sorted(record.own) if record.own[name].ndim == 1
            )
            yield from record.made or ()
            if record.made is None and trace.solver.goal.averages(params).late.size:
                yield trace.solver.goal.averages(params).late
            yield from (values for values in record.own.values() if values.ndim > 1)

    return digest_of(arrays())


def measured_on(trace) -> str:
    """What is shown of it: all metrics, the state and the decision values at some steps, the bias
    included.
    """

    def arrays():
        yield from (trace.metrics[name] for name in sorted(trace.metrics))
        for t in (0, 1, trace.steps // 2, trace.steps):
            state = trace.at(t)
            yield from (part for part in (state.coef, state.w, trace.coef(t)) if part is not None)
            yield trace.f(t, trace.problem.X[:20])
        for k in range(1, len(trace.segments)):
            entry = entering.entered(trace, k, trace.problem)
            yield [entry[name] for name in sorted(entry)]
        if trace.solver.goal.tracked:
            yield from optima.tracked(trace)

    return digest_of(arrays())


def streamed(maintenance: str) -> str:
    """Budgeted SGD on a stream: no columns, but what it ends with."""
    test = next(stream.checkerboard(500, seed=9))
    params = {"B": 20, "lam": 1e-3, "kernel": kernels.rbf(8.0), "maintenance": maintenance}
    found = stream.run(stream.checkerboard(3000), params, test=test, every=1000)
    return digest_of(
        (found.model.vectors, found.model.coef, found.n_sv, found.E_bar, found.curve["accuracy"])
    )


def passed(gradients: str, problem) -> str:
    """One pass of the incremental solver over data that are not recorded."""
    found = onepass.run(problem(), seed=2, gradients=gradients, kernel=kernels.rbf(0.5))
    return digest_of((found.coef, found.average, found.kernel_evals))


def everything() -> dict[str, Callable[[], list[str]]]:
    """Name of each -> a function that gives its digests."""
    found: dict[str, Callable[[], list[str]]] = {}
    for name, make in data().items():
        found[f"data: {name}"] = lambda make=make: [digest_of(make())]
    for name, run in runs().items():

        def of_run(run=run):
            trace = run()
            return [steps_of(trace), measured_on(trace)]

        found[name] = of_run
    for name in ("merge", "project smallest", "remove smallest"):
        found[f"stream: {name}"] = lambda name=name: [streamed(name)]
    for name in incremental.GRADIENTS:
        for problem in (plane, wide, sparse):
            found[f"one pass: {name}, {problem.__name__}"] = lambda name=name, problem=problem: [
                passed(name, problem)
            ]
    return found


def recorded() -> dict[str, list[str]]:
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def text_of(found: dict[str, list[str]]) -> str:
    return (
        "{\n"
        + ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in found.items())
        + "\n}\n"
    )


if __name__ == "__main__":
    if "--seal" in sys.argv:
        if differ := seal(everything(), recorded()):
            sys.exit("not sealed, as these are not what was recorded:\n" + "\n".join(differ))
        sys.exit()
    writing, anew = "--write" in sys.argv, sys.argv[2:]
    kept = (
        {name: value for name, value in recorded().items() if name.partition(":")[0] not in anew}
        if writing
        else {}
    )
    text = text_of({name: kept.get(name) or make() for name, make in everything().items()})
    if writing:
        RECORDED.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
