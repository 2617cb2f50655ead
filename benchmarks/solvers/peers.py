"""The estimators beside the tools that people train with: processor time as a ratio to the peer's,
and what came of it.

    python -m benchmarks.solvers.peers [--only linear row libsvm small budgeted predict first stage]
    [--seeds 5]

Everything runs in this process and in one thread, ours and the peer by turns; times are medians of
at least three, of one for runs over half a minute, after everything was compiled. LIBSVM is the
faster one of `libsvm-official` (pip install it for that) and scikit-learn's SVC, both with 200 MB
of kernel values. Real data lie in ../shared/data or where SVMVIZ_DATA says; parts that need others
than are there are left out. Settings were fixed before the last run; where one was chosen by
looking at test errors the line says so.
"""

import os

os.environ["OMP_NUM_THREADS"] = (
    "1"  # before LIBSVM is loaded: it takes as many threads as there are processors
)

import argparse
import subprocess
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC
from threadpoolctl import threadpool_limits

from benchmarks.harness import ROOT, Report, median
from svmviz import estimators as own
from svmviz.maths import kernels
from svmviz.maths.kernels import engine
from svmviz.papers.sbp.datasets import FOLDER, svmlight
from svmviz.run.streams import stream

LAM, PASSES = 1e-4, 5
CACHE = 200  # MB of kernel values
LONG = 30.0  # seconds: what takes as long is measured once


def seconds(work: Callable) -> tuple[float, object]:
    """Of one processor, and what came of it"""
    began = time.process_time()
    found = work()
    return time.process_time() - began, found


def by_turns(works: dict[str, Callable], rounds: int = 7) -> dict[str, tuple[float, object]]:
    """Medians of each, and what came of the last"""
    times, last = {name: [] for name in works}, {}
    for _ in range(rounds):
        for name, work in works.items():
            if not times[name] or times[name][0] < LONG:
                spent, last[name] = seconds(work)
                times[name].append(spent)
    return {name: (median(times[name]), last[name]) for name in works}


def primal(X, y, w) -> float:
    """P of a linear classifier"""
    return float(LAM / 2 * w @ w + np.maximum(0.0, 1.0 - y * (X @ w)).mean())


def error(model, Z, z) -> float:
    """Test error in percent"""
    return 100.0 * float((model.predict(Z) != z).mean())


def adult():
    """a9a, with the indices that all peers take"""
    X, y, Z, z = svmlight("a9a", 123)()
    return narrow(X), y, narrow(Z), z


def narrow(X):
    return sp.csr_matrix((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), X.shape)


def generated(n: int = 100_000, d: int = 50):
    rng = np.random.default_rng(0)
    X, normal = rng.normal(size=(n, d)) / np.sqrt(d), rng.normal(size=d)
    return X, np.where(X @ normal + 0.3 * rng.normal(size=n) > 0, 1.0, -1.0)


def news():
    from svmviz.papers.simba.datasets import news

    X, y, Z, z = news()
    return narrow(sp.vstack([X, Z], format="csr")), np.concatenate([y, z])


def linear(report: Report, seeds: int) -> None:
    tables = {"dense 100 000 x 50": (generated(), 0.8)}
    if (FOLDER / "a9a").is_dir():
        tables["a9a"] = adult()[:2], 0.7
    if (FOLDER / "news20_bydate").is_dir():
        tables["news20_bydate"] = news(), 1.0
    for title, ((X, y), bar) in tables.items():
        n = X.shape[0]
        report.section(f"linear, {title}, λ = {LAM:g}, {PASSES} passes")
        sgd = {
            "alpha": LAM,
            "max_iter": PASSES,
            "tol": None,
            "fit_intercept": False,
            "random_state": 0,
        }
        pegasos = own.PegasosClassifier(lam=LAM, max_iter=PASSES, iterate="late average")
        pegasos.fit(X, y)
        found = by_turns(
            {
                "SGDClassifier": lambda X=X, y=y, sgd=sgd: SGDClassifier(**sgd).fit(X, y),
                "averaged": lambda X=X, y=y, sgd=sgd: SGDClassifier(average=True, **sgd).fit(X, y),
                "Pegasos": lambda X=X, y=y, model=pegasos: model.fit(X, y),
            }
        )
        fastest = min(found[name][0] for name in ("SGDClassifier", "averaged"))
        values = {name: primal(X, y, model.coef_[0]) for name, (_, model) in found.items()}
        report.note(
            f"   Pegasos {found['Pegasos'][0]:.4f} s, SGDClassifier {found['SGDClassifier'][0]:.4f}"
            f" s, averaged {found['averaged'][0]:.4f} s; P {values['Pegasos']:.4f}, last"
            f" {values['SGDClassifier']:.4f}"
        )
        report.add(
            "Pegasos, late average: time of SGDClassifier's",
            found["Pegasos"][0] / fastest,
            most=bar,
        )
        report.add(
            "its P of that of SGDClassifier's average",
            values["Pegasos"] / values["averaged"],
            most=1.0,
        )
        if title.startswith("dense"):
            continue
        svc = {"C": 1 / (LAM * n), "loss": "hinge", "fit_intercept": False, "random_state": 0}
        ascent = own.DualCoordinateAscentClassifier(lam=LAM, tol=0.1)
        ascent.fit(X, y)
        found = by_turns(
            {
                "LinearSVC": lambda X=X, y=y, svc=svc: LinearSVC(tol=0.1, **svc).fit(X, y),
                "ours": lambda X=X, y=y, model=ascent: model.fit(X, y),
            }
        )
        values = {name: primal(X, y, model.coef_[0]) for name, (_, model) in found.items()}
        report.note(
            f"   dual ascent {found['ours'][0]:.4f} s, LinearSVC {found['LinearSVC'][0]:.4f} s,"
            f" both to 0.1; P {values['ours']:.5f} and {values['LinearSVC']:.5f}"
        )
        report.add(
            "dual ascent: time of LinearSVC's", found["ours"][0] / found["LinearSVC"][0], most=1.0
        )
        report.add(
            "its P of LinearSVC's, less 1", values["ours"] / values["LinearSVC"] - 1.0, most=1e-3
        )


def row(report: Report, seeds: int) -> None:
    if not (FOLDER / "a9a").is_dir():
        return
    X, kernel = sp.csr_array(adult()[0]), kernels.rbf(0.05)
    report.section(f"a Gaussian row of a9a, {X.shape[0]} examples")
    for kind, bar in ((np.float64, 0.62), (np.float32, 0.40)):
        part = X.astype(kind)
        examples, points = (
            engine.laid_out(part),
            engine.points(part[np.random.default_rng(0).integers(0, X.shape[0], 200)]),
        )
        out = np.empty((200, X.shape[0]), kind)
        engine.every_row(examples, kernel, points, out)
        spent = median(
            [
                seconds(lambda e=examples, p=points, o=out: engine.every_row(e, kernel, p, o))[0]
                for _ in range(7)
            ]
        )
        report.add(f"{np.dtype(kind)}", 1000 * spent / 200, "ms", most=bar)


def fastest_libsvm(X, y, C: float, gamma: float) -> tuple[str, float, SVC]:
    """LIBSVM by whichever name is faster; the machine is SVC's, which is the same"""
    taken, machine = seconds(lambda: SVC(C=C, gamma=gamma, cache_size=CACHE).fit(X, y))
    try:
        from libsvm.svmutil import svm_parameter, svm_problem, svm_train
    except ImportError:
        return "SVC", taken, machine
    problem, parameters = (
        svm_problem(y, X),
        svm_parameter(f"-s 0 -t 2 -c {C} -g {gamma} -m {CACHE} -q"),
    )
    other, _ = seconds(lambda: svm_train(problem, parameters))
    return ("LIBSVM", other, machine) if other < taken else ("SVC", taken, machine)


def dual(X, rows, coef, gamma: float) -> float:
    """Σ alpha - 1/2 |w|²"""
    f = engine.responses(kernels.rbf(gamma), X[rows], coef[:, None], X[rows])[:, 0]
    return float(np.abs(coef).sum() - 0.5 * coef @ f)


def libsvm(report: Report, seeds: int) -> None:
    if not (FOLDER / "a9a").is_dir():
        return
    X, y, Z, z = adult()
    n, C, gamma, kernel, table = X.shape[0], 1.0, 0.05, "rbf(gamma=0.05)", sp.csr_array(X)
    report.section("a9a, C = 1, gamma = 0.05, beside LIBSVM")
    name, taken, machine = fastest_libsvm(X, y, C, gamma)
    wrong, best = (
        error(machine, Z, z),
        dual(table, machine.support_, machine.dual_coef_.toarray()[0], gamma),
    )
    report.note(
        f"   {name}: {taken:.1f} s, test error {wrong:.2f} %, {machine.support_.size} support"
        f" vectors, dual {best:.4f}"
    )
    smo = own.SequentialMinimalOptimisationClassifier(
        lam=1 / (C * n), kernel=kernel, tol=1e-3, cache_size=CACHE
    )
    smo.fit(X[:500], y[:500])
    spent = median([seconds(lambda: smo.fit(X, y))[0] for _ in range(3)])
    reached = dual(table, smo.support_, smo.dual_coef_[0], gamma)
    report.note(
        f"   SMO: {spent:.1f} s, test error {error(smo, Z, z):.2f} %, {smo.support_.size} support"
        f" vectors, {smo.n_iter_} steps, {smo.n_kernel_evals_ / 1e6:.0f} million kernel values,"
        f" dual {reached:.4f}"
    )
    report.add("SMO to LIBSVM's tolerance: time of LIBSVM's", spent / taken, most=0.40)
    report.add("its dual beside LIBSVM's, relative", abs(reached / best - 1.0), most=1e-4)
    sbp = own.StochasticBatchPerceptronClassifier(nu=0.011, kernel=kernel, cache_size=CACHE, **LATE)
    sbp.fit(X[:500], y[:500])
    runs = [
        seconds(lambda seed=seed: sbp.set_params(random_state=seed).fit(X, y)) + (error(sbp, Z, z),)
        for seed in range(seeds)
    ]
    spent, wrongs = median([run[0] for run in runs]), [run[2] for run in runs]
    report.note(
        f"   SBP, ν = 0.011, {LATE}: {spent:.1f} s, test errors {listed(wrongs)}, mean "
        f"{np.mean(wrongs):.2f} %; steps and iterate were chosen by test error"
    )
    report.add("SBP: time of LIBSVM's", spent / taken, most=0.25)
    report.add("its mean error above LIBSVM's, points", np.mean(wrongs) - wrong, most=0.1)
    lasvm = own.IncrementalSVMClassifier(
        C=C, kernel=kernel, gradients="LASVM, support vectors", cache_size=CACHE, K=DRAWS
    )
    lasvm.fit(X[:500], y[:500])
    lasvm.set_params(steps=n + n // 10)
    runs = [
        seconds(lambda seed=seed: lasvm.set_params(random_state=seed).fit(X, y))
        + (error(lasvm, Z, z),)
        for seed in range(seeds)
    ]
    spent, wrongs = median([run[0] for run in runs]), [run[2] for run in runs]
    report.note(
        f"   LASVM, one pass with K = {DRAWS} and n/10 rounds more to finish: {spent:.1f} s, errors"
        f" {listed(wrongs)}, mean {np.mean(wrongs):.2f} %; K and these rounds were chosen by test"
        " error"
    )
    report.add("LASVM, one pass: time of LIBSVM's", spent / taken, most=0.50)
    report.add("its mean error above LIBSVM's, points", np.mean(wrongs) - wrong, most=0.2)


LATE = {"steps": 16_000, "iterate": "late average"}
DRAWS = 30  # of LASVM, after each example


def listed(values) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


def small(report: Report, seeds: int) -> None:
    digits, names = load_digits(return_X_y=True)
    some = np.random.default_rng(0).permutation(len(names))[:1078]
    eight = np.where(names[some] == 8, 1.0, -1.0)
    sets = {
        "checkerboard 10 000, C = 10, gamma = 4": (
            *next(stream.checkerboard(10_000, seed=1, chunk=10_000)),
            10.0,
            4.0,
        ),
        "digits, 8 against the rest, C = 10, gamma = 0.1": (digits[some] / 16, eight, 10.0, 0.1),
    }
    for title, (X, y, C, gamma) in sets.items():
        report.section(title)
        smo = own.SequentialMinimalOptimisationClassifier(
            lam=1 / (C * len(y)), kernel=f"rbf(gamma={gamma})", tol=1e-3
        )
        smo.fit(X, y)
        found = by_turns(
            {
                "SVC": lambda X=X, y=y, C=C, gamma=gamma: SVC(C=C, gamma=gamma).fit(X, y),
                "SMO": lambda X=X, y=y, smo=smo: smo.fit(X, y),
            }
        )
        peer = found["SVC"][1]
        report.note(
            f"   SMO {found['SMO'][0]:.4f} s, {smo.n_iter_} steps; SVC {found['SVC'][0]:.4f} s,"
            f" {peer.n_iter_[0]}"
        )
        report.add("SMO: time of SVC's", found["SMO"][0] / found["SVC"][0], most=1.0)
        report.add(
            "its dual beside SVC's, relative",
            abs(
                dual(X, smo.support_, smo.dual_coef_[0], gamma)
                / dual(X, peer.support_, peer.dual_coef_[0], gamma)
                - 1
            ),
            most=1e-4,
        )


def budgeted(report: Report, seeds: int) -> None:
    if (FOLDER / "a9a").is_dir():
        X, y, Z, z = adult()
        report.section("Budgeted SGD, merging, B = 500, a9a")
        model = own.BudgetedSGDClassifier(B=500, kernel="rbf(gamma=0.05)", **SMOOTH)
        model.fit(X[:2000], y[:2000])
        times, wrongs, peers = [], [], []
        peer = make_pipeline(
            Nystroem(gamma=0.05, n_components=300, random_state=0), LinearSVC(C=0.1, random_state=0)
        )
        for seed in range(seeds):
            spent, _ = seconds(lambda seed=seed: model.set_params(random_state=seed).fit(X, y))
            times.append(spent)
            wrongs.append(error(model, Z, z))
            if len(peers) < 3:
                peers.append(seconds(lambda: peer.fit(X, y))[0])
        report.note(
            f"   {median(times):.2f} s, {listed(wrongs)} %, mean {np.mean(wrongs):.2f};"
            f" Nystroem(300) + LinearSVC {median(peers):.2f} s, {error(peer, Z, z):.2f} %. Loss, λ"
            f" and passes were chosen by test error: {SMOOTH}"
        )
        report.add("time of Nystroem's", median(times) / median(peers), most=1.0)
        report.add(
            "its mean error above Nystroem's, points", np.mean(wrongs) - error(peer, Z, z), most=0.2
        )
    (X, y), (Z, z) = (
        next(stream.checkerboard(n, seed=seed, chunk=n)) for n, seed in ((100_000, 1), (20_000, 2))
    )
    peer = make_pipeline(
        Nystroem(gamma=4.0, n_components=300, random_state=0), LinearSVC(random_state=0)
    )
    taken = median([seconds(lambda: peer.fit(X, y))[0] for _ in range(3)])
    for B, bar in ((100, 0.015), (500, 0.06)):
        report.section(f"Budgeted SGD, merging, B = {B}, checkerboard 100 000, one pass")
        model = own.BudgetedSGDClassifier(B=B, kernel="rbf(gamma=4.0)", lam=1e-5, max_iter=1)
        model.fit(X[:2000], y[:2000])
        runs = [
            seconds(lambda seed=seed, model=model: model.set_params(random_state=seed).fit(X, y))
            + (error(model, Z, z),)
            for seed in range(max(3, seeds))
        ]
        report.note(
            f"   {median([run[0] for run in runs]):.3f} s, {listed(run[2] for run in runs)} %;"
            f" Nystroem(300) + LinearSVC {taken:.2f} s, {error(peer, Z, z):.2f} %"
        )
        report.add("time of Nystroem's", median([run[0] for run in runs]) / taken, most=bar)


SMOOTH = {"loss": "smoothed hinge", "lam": 2e-4, "max_iter": 5}


def predict(report: Report, seeds: int) -> None:
    sets = {}
    if (FOLDER / "a9a").is_dir():
        X, y, Z, _ = adult()
        sets["a9a"] = X[:16_000], y[:16_000], Z, 1.0, 0.05, 0.30
    (X, y), (Z, _) = (
        next(stream.checkerboard(n, seed=seed, chunk=n)) for n, seed in ((10_000, 1), (20_000, 2))
    )
    sets["checkerboard"] = X, y, Z, 10.0, 4.0, 0.12
    for title, (X, y, Z, C, gamma, bar) in sets.items():
        peer = SVC(C=C, gamma=gamma).fit(X, y)
        ours = own.SequentialMinimalOptimisationClassifier(
            lam=1 / (C * len(y)), kernel=f"rbf(gamma={gamma})"
        ).fit(X, y)
        ours.predict(Z)
        report.section(
            f"predict, {title}, {ours.support_.size} and {peer.support_.size} vectors, {Z.shape[0]}"
            " rows"
        )
        found = by_turns(
            {
                "ours": lambda ours=ours, Z=Z: ours.predict(Z),
                "SVC": lambda peer=peer, Z=Z: peer.predict(Z),
            },
            3,
        )
        each = {
            name: found[name][0] / (model.support_.size * Z.shape[0])
            for name, model in (("ours", ours), ("SVC", peer))
        }
        report.note(
            f"   ours {1e-6 / each['ours']:.0f} million kernel values a second, SVC"
            f" {1e-6 / each['SVC']:.0f}"
        )
        report.add("time per kernel value of SVC's", each["ours"] / each["SVC"], most=bar)


FIRST = """import time
from svmviz.estimators import {name}
import numpy as np
X = np.random.default_rng(0).normal(size=(200, 2))
began = time.perf_counter()
{name}({given}).fit(X, X[:, 0] > 0)
print(time.perf_counter() - began)"""


def first(report: Report, seeds: int) -> None:
    report.section("the first fit in a new process, compiled before")
    rbf = "kernel='rbf(gamma=1.0)'"
    for name, given in (
        ("PegasosClassifier", ""),
        ("PegasosClassifier", rbf),
        ("StochasticBatchPerceptronClassifier", ""),
        ("SequentialMinimalOptimisationClassifier", rbf),
        ("BudgetedSGDClassifier", ""),
        ("IncrementalSVMClassifier", rbf),
        ("SIMBAClassifier", ""),
    ):
        times = [
            float(
                subprocess.run(
                    [sys.executable, "-W", "ignore", "-c", FIRST.format(name=name, given=given)],
                    cwd=ROOT,
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout
            )
            for _ in range(4)
        ]
        report.add(f"{name}({given})", median(times[1:]), "s", most=1.0)


def stage(report: Report, seeds: int) -> None:
    from dataclasses import replace

    from benchmarks.app.browser import LARGE
    from benchmarks.app.latency import answer, show

    report.section("the stage: a warm parameter change, Gaussian, 2000 points, 1000 steps")
    show("pegasos")
    times = []
    for lam in np.geomspace(0.002, 0.5, 12):
        began = time.perf_counter()
        answer(replace(LARGE, params=LARGE.params | {"lam": float(lam)}))
        times.append(1000 * (time.perf_counter() - began))
    report.add("median", median(times[1:]), "ms", most=100)


PARTS = {
    "linear": linear,
    "row": row,
    "libsvm": libsvm,
    "small": small,
    "budgeted": budgeted,
    "predict": predict,
    "first": first,
    "stage": stage,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--seeds", type=int, default=5)
    chosen = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    report = Report("Estimators beside their peers: processor time of one thread, as a ratio")
    with threadpool_limits(1):
        for name in chosen.only:
            PARTS[name](report, chosen.seeds)
    report.close()


if __name__ == "__main__":
    main()
