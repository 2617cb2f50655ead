"""How time and memory of a fit grow with the number of examples, for every classifier, and the
exponent beside the theory's.

    python -m benchmarks.solvers.growth [--most 10] [--out benchmarks/solvers/growth.svg]

Generated data of 1000 to 1 000 000 rows: a plane of 20 features for those without a kernel, the
checkerboard for those with one; then Adult (32 561 x 123) and Covertype (581 012 x 54) where their
files are at hand. Each fit has a process of its own, whose largest memory is given less what it had
before the fit. Sizes end where the next one would take more than --most seconds. The exponent is
the slope of the last three sizes on logarithmic scales. Settings are the defaults but for what
`SETTINGS` says.
"""

import argparse
import multiprocessing
import resource
import time
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.harness import load
from svmviz import estimators
from svmviz.papers.sbp.datasets import FOLDER, svmlight
from svmviz.run.streams import stream

SIZES = (1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000)


class Setting(NamedTuple):
    """What is fitted, and how its time should grow."""

    name: str
    given: dict
    theory: str  # exponent of n
    why: str


SETTINGS = (
    Setting("PegasosClassifier", {"lam": 1e-4, "max_iter": 5}, "1", "passes over the data"),
    Setting(
        "DualCoordinateAscentClassifier", {"lam": 1e-4, "tol": 0.1}, "1", "passes over the data"
    ),
    Setting("PerceptronClassifier", {"max_iter": 1}, "1", "one pass"),
    Setting("RandomFourierFeaturesClassifier", {"max_iter": 1}, "1", "one pass"),
    Setting("SIMBAClassifier", {"steps": 2000}, "1", "n + d a step"),
    Setting(
        "BudgetedSGDClassifier",
        {"B": 100, "kernel": "rbf(gamma=4.0)", "lam": 1e-5, "max_iter": 1},
        "1",
        "B a step",
    ),
    Setting(
        "StochasticBatchPerceptronClassifier",
        {"steps": 1000, "kernel": "rbf(gamma=4.0)"},
        "1",
        "n a step",
    ),
    Setting(
        "IncrementalSVMClassifier",
        {"C": 10.0, "K": 10, "kernel": "rbf(gamma=4.0)", "gradients": "LASVM, support vectors"},
        "1 to 2",
        "support vectors a step",
    ),
    Setting(
        "SequentialMinimalOptimisationClassifier",
        {"kernel": "rbf(gamma=4.0)", "tol": 1e-3},
        "2 to 3",
        "n a step, steps ~ n",
    ),
    Setting(
        "PegasosClassifier",
        {"lam": 1e-4, "max_iter": 1, "kernel": "rbf(gamma=4.0)"},
        "2",
        "support vectors a step",
    ),
)


def title(setting: Setting) -> str:
    return setting.name.removesuffix("Classifier") + (
        ", Gaussian" if "kernel" in setting.given else ""
    )


def generated(setting: Setting, n: int):
    if "kernel" in setting.given:
        return next(stream.checkerboard(n, seed=1, chunk=n))
    rng = np.random.default_rng(0)
    X, normal = rng.normal(size=(n, 20)) / np.sqrt(20), rng.normal(size=20)
    return X, np.where(X @ normal + 0.3 * rng.normal(size=n) > 0, 1.0, -1.0)


def adult():
    X, y, _, _ = svmlight("a9a", 123)()
    return X, y


def forest():
    held = np.load(FOLDER / "covtype" / "covtype.npz")
    parts = [held["quant"].astype(np.float64)]
    for name in ("wilderness", "soil"):
        parts.append(held[name][:, None] == np.unique(held[name]))
    X = np.hstack(parts)
    return (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-12) / np.sqrt(X.shape[1]), np.where(
        held["y"] == 2, 1.0, -1.0
    )


REAL = {"a9a": adult, "covtype": forest}


def model_of(setting: Setting, n: int):
    given = dict(setting.given)
    if "Sequential" in setting.name:
        given["lam"] = 1 / (10.0 * n)
    return getattr(estimators, setting.name)(**given)


def measured(setting: Setting, data, connection) -> None:
    """In a process of its own: seconds, and megabytes besides the data"""
    warnings.simplefilter("ignore")
    X, y = data()
    some = np.r_[np.flatnonzero(y > 0)[:100], np.flatnonzero(y < 0)[:100]]
    model_of(setting, some.size).fit(X[some], y[some])  # loads what was compiled
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    model_of(setting, X.shape[0]).fit(X, y)
    connection.send(
        (
            time.process_time() - began,
            (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
        )
    )


def apart(setting: Setting, data) -> tuple[float, float]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(
        target=measured, args=(setting, data, theirs)
    )
    process.start()
    theirs.close()
    try:
        return ours.recv()
    finally:
        process.join()


def exponent(points: list[tuple[int, float]]) -> float:
    """The slope of the last three"""
    n, value = np.log(np.array(points[-3:], float)).T
    return float(np.polyfit(n, value, 1)[0]) if len(n) > 1 else float("nan")


COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#8c6d00",
    "#56b4e9",
    "#000000",
    "#e69f00",
    "#7a5195",
    "#6b6b6b",
)


def picture(curves: dict[str, list[tuple[int, float, float]]], notes: dict[str, str]) -> str:
    """Two panels on logarithmic scales, seconds and megabytes, with the names beside the second"""
    panels = (
        ("seconds of one processor", 1, 1e-3, 1e2),
        ("megabytes besides the data", 2, 1.0, 1e4),
    )
    width, height, left, top, gap = 300, 300, 60, 40, 70
    parts = [
        (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1080 400"'
            ' font-family="sans-serif" font-size="12">'
        ),
        '<rect width="1080" height="400" fill="#ffffff"/>',
    ]
    for k, (name, column, low, high) in enumerate(panels):
        x0 = left + k * (width + gap)

        def at(n, value, x0=x0, low=low, high=high):
            across, up = (
                np.log10(n / 1e3) / 3,
                np.log10(np.clip(value, low, high) / low) / np.log10(high / low),
            )
            return x0 + width * across, top + height * (1 - up)

        parts.append(f'<text x="{x0}" y="{top - 14}" font-size="14" fill="#333333">{name}</text>')
        for n in (1e3, 1e4, 1e5, 1e6):
            x, y = at(n, low)
            label = {1e3: "1 000", 1e4: "10 000", 1e5: "100 000", 1e6: "1 000 000"}[n]
            parts.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{top + height}"'
                f' stroke="#e6e6e6"/><text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle"'
                f' fill="#555555">{label}</text>'
            )
        for power in range(round(np.log10(low)), round(np.log10(high)) + 1):
            x, y = at(1e3, 10.0**power)
            parts.append(
                f'<line x1="{x0}" x2="{x0 + width}" y1="{y:.1f}" y2="{y:.1f}"'
                f' stroke="#e6e6e6"/><text x="{x0 - 6}" y="{y + 4:.1f}" text-anchor="end"'
                f' fill="#555555">{10.0**power:g}</text>'
            )
        for (_, points), colour in zip(curves.items(), COLOURS, strict=False):
            path = " ".join(
                f"{x:.1f},{y:.1f}"
                for x, y in (at(p[0], p[column]) for p in points if p[column] >= low)
            )
            parts.append(
                f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
            )
            parts += [
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
                for x, y in (at(p[0], p[column]) for p in points if p[column] >= low)
            ]
    x0 = left + 2 * width + gap + 30
    parts.append(
        f'<text x="{x0}" y="{top - 14}" font-size="14" fill="#333333">time grows as n to the power'
        " of</text>"
    )
    for k, (name, colour) in enumerate(zip(curves, COLOURS, strict=False)):
        y = top + 14 + 34 * k
        parts.append(
            f'<rect x="{x0}" y="{y - 9}" width="10" height="10" fill="{colour}"/>'
            f'<text x="{x0 + 16}" y="{y}" fill="#222222">{name}</text>'
            f'<text x="{x0 + 16}" y="{y + 14}" font-size="11" fill="#666666">{notes[name]}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--most", type=float, default=10.0, help="seconds after which no larger size follows"
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("growth.svg"))
    chosen = parser.parse_args()
    print(f"load {load()}\n{'':48}{'n':>10}{'seconds':>10}{'MB':>8}", flush=True)
    curves, notes = {}, {}
    for setting in SETTINGS:
        name, points = title(setting), []
        for n in SIZES:
            points.append((n, *apart(setting, lambda setting=setting, n=n: generated(setting, n))))
            print(f"{name:48}{n:10}{points[-1][1]:10.3f}{points[-1][2]:8.0f}", flush=True)
            if points[-1][1] > chosen.most / 3:
                break
        for kind, data in REAL.items():
            slow = setting.theory != "1" or setting.why.startswith(
                "n "
            )  # on half a million examples they take minutes
            if (FOLDER / kind).is_dir() and not (slow and kind == "covtype"):
                spent, memory = apart(setting, data)
                print(f"{name:48}{kind:>10}{spent:10.3f}{memory:8.0f}", flush=True)
        found = exponent([point[:2] for point in points])
        curves[name] = points
        notes[name] = f"{found:.2f}; theory {setting.theory}: {setting.why}"
        print(f"{name:48} time grows as n^{notes[name]}", flush=True)
    chosen.out.write_text(picture(curves, notes), encoding="utf-8")


if __name__ == "__main__":
    main()
