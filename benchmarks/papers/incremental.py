"""Table 1 of the paper on approximate incremental SVMs: one pass over Adult and over MNIST (8
against the rest), beside LIBSVM.

    python -m benchmarks.papers.incremental [--data a9a mnist] [--rows 0] [--draws 10] [--also]
    [--peer 0] [--cache 512]

The data lie in ../shared/data or where SVMVIZ_DATA says; --rows 0 takes all of them. Parameters are
the paper's: C = 1 and 1000, k(x, z) = exp(-0.005 |x - z|²), and 512 MB of kernel values, here in
double precision. Kernel evaluations count what the variant asks for, kept or not, and distinct
pairs stand beside them. Chance is the teacher. LIBSVM (scikit-learn's SVC with the same cache, in
single precision, and a bias) trains on the same rows, or on the first --peer of them. Each run has
a process of its own, whose largest memory is given, the data included. --also adds Algorithm 1 and
the first reading of the LASVM shortcut.
"""

import argparse
import multiprocessing
import os
import resource
import time

import numpy as np
import scipy.sparse as sp

from benchmarks.harness import load
from svmviz.data.problem import make_problem
from svmviz.maths import kernels
from svmviz.papers.sbp.datasets import FOLDER, svmlight
from svmviz.solvers.incremental import onepass
from svmviz.theory import bounds

GAMMA = 0.005
BOX = {"a9a": 1.0, "mnist": 1000.0}
USUAL = {
    "Algorithm 2, cached": {"gradients": "cached"},
    "LASVM, support vectors": {"gradients": "LASVM, support vectors"},
}
ALSO = {
    "Algorithm 1, cached": {"algorithm": "Algorithm 1", "gradients": "cached"},
    "LASVM, all seen": {"gradients": "LASVM, all seen"},
}
BLOCK = 2000


def read(name: str):
    """Training and test rows, sparse, labels -1 and 1."""
    if name == "a9a":
        X, y, Z, z = svmlight("a9a", 123)()
    else:
        held = np.load(FOLDER / "mnist" / "mnist.npz")
        X, y, Z, z = (held[which] for which in ("X_train", "y_train", "X_test", "y_test"))
        X, y, Z, z = X / 255.0, np.where(y == 8, 1, -1), Z / 255.0, np.where(z == 8, 1, -1)
    return sp.csr_array(X), y, sp.csr_array(Z), z


def responses(X, coef, Z) -> np.ndarray:
    """Σ coef_j K(x_j, z), in blocks and with matrix products in single precision, whose error is
    far below that of a vote.
    """
    used = np.flatnonzero(coef)
    V, out = X[used].toarray().astype(np.float32), np.empty(Z.shape[0])
    own = np.einsum("ij,ij->i", V, V)
    for a in range(0, Z.shape[0], BLOCK):
        W = Z[a : a + BLOCK].toarray().astype(np.float32)
        D = np.einsum("ij,ij->i", W, W)[:, None] + own - 2.0 * (W @ V.T)
        out[a : a + BLOCK] = np.exp(-GAMMA * np.maximum(D, 0.0)) @ coef[used]
    return out


def error(f, z) -> float:
    return float(((f >= 0) != (z > 0)).mean())


def peak() -> str:
    """The largest memory of this process so far, in MB."""
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:9.0f}"


def apart(work, *arguments) -> None:
    """Work in a process of its own, which leaves no memory behind."""
    process = multiprocessing.get_context("fork").Process(target=work, args=arguments)
    process.start()
    process.join()


def one(problem, Z, z, C: float, megabytes: float, draws: int, title: str, given) -> None:
    began = time.process_time()
    done = onepass.run(
        problem, C=C, K=draws, kernel=kernels.rbf(GAMMA), megabytes=megabytes, **given
    )
    spent, memory = time.process_time() - began, peak()
    f = responses(problem.X, done.average, problem.X)
    gap = bounds.gap_shares(problem.y, f, problem.y * done.average, C).sum() / (C * problem.n)
    print(
        f"{title:26}{draws:5d}{100 * error(responses(problem.X, done.average, Z), z):12.2f}{np.count_nonzero(done.coef):9d}"
        f"{gap:11.4f}{done.kernel_evals:18.3e}{done.pairs:15.3e}{done.seconds:10.1f}{spent:9.1f}{memory}",
        flush=True,
    )


def libsvm(problem, Z, z, C: float, megabytes: float, rows: int) -> None:
    from sklearn.svm import SVC

    X, y = problem.X[: rows or problem.n], problem.y[: rows or problem.n]
    X.indices, X.indptr = (
        X.indices.astype(np.int32),
        X.indptr.astype(np.int32),
    )  # as LIBSVM wants them
    began, used = time.perf_counter(), time.process_time()
    machine = SVC(C=C, gamma=GAMMA, cache_size=megabytes).fit(X, y)
    seconds, spent, memory = time.perf_counter() - began, time.process_time() - used, peak()
    coef = np.zeros(X.shape[0])
    coef[machine.support_] = (
        machine.dual_coef_.toarray()[0]
        if sp.issparse(machine.dual_coef_)
        else machine.dual_coef_[0]
    )
    f = responses(X, coef, Z) + machine.intercept_[0]
    print(
        f"{f'LIBSVM, {X.shape[0]} rows':26}{'':5}{100 * error(f, z):12.2f}{machine.support_.size:9d}{'':11}{'':18}{'':15}"
        f"{seconds:10.1f}{spent:9.1f}{memory}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", nargs="+", default=list(BOX), choices=list(BOX))
    parser.add_argument(
        "--rows", type=int, default=0, help="training rows in random order; 0 for all"
    )
    parser.add_argument("--draws", type=int, nargs="+", default=[10], help="K, one or several")
    parser.add_argument(
        "--peer", type=int, default=0, help="rows for LIBSVM; 0 for all, -1 for no LIBSVM"
    )
    parser.add_argument(
        "--cache", type=float, default=onepass.MEGABYTES, help="megabytes of kernel values"
    )
    parser.add_argument("--also", action="store_true")
    chosen = parser.parse_args()
    for name in chosen.data:
        if not (FOLDER / name).is_dir():
            raise SystemExit(f"no data {name!r} in {FOLDER}, which SVMVIZ_DATA can change")
        X, y, Z, z = read(name)
        rows = np.random.default_rng(0).permutation(len(y))[: chosen.rows or None]
        problem, C = make_problem(X[rows], y[rows]), BOX[name]
        onepass.run(
            make_problem(X[:50], [1, -1] * 25), K=1, kernel=kernels.rbf(GAMMA)
        )  # nobody's seconds are the compiler's
        print(
            f"\n{name}: {problem.n} rows, {len(z)} test rows, C = {C:g}, gamma = {GAMMA};"
            f" {os.cpu_count()} cores, load "
            f"{load()}; {chosen.cache:g} MB of kernel values\n"
            f"{'':26}{'K':>5}{'test error %':>12}{'SVs':>9}{'gap/(C n)':>11}{'kernel evals':>18}{'distinct pairs':>15}"
            f"{'seconds':>10}{'CPU s':>9}{'peak MB':>9}",
            flush=True,
        )
        for title, given in (USUAL | ALSO if chosen.also else USUAL).items():
            for draws in chosen.draws:
                apart(one, problem, Z, z, C, chosen.cache, draws, title, given)
        if chosen.peer >= 0:
            apart(libsvm, problem, Z, z, C, chosen.cache, chosen.peer)


if __name__ == "__main__":
    main()
