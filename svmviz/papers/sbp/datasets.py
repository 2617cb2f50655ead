"""Data for the experiments of the SBP paper: its own sets where the data folder is there, else sets
that the app knows.

The folder is `shared/data` beside the project, or the one that SVMVIZ_DATA names. Parameters are
those of Table 2; a stand-in takes over those of the set that it stands for, with a kernel as wide
in proportion to its data.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from svmviz.data import bundled, plane

FOLDER = Path(os.environ.get("SVMVIZ_DATA") or Path(__file__).parents[4] / "shared" / "data")


class Setting(NamedTuple):
    """Training and test rows, and the parameters to use on them."""

    key: str
    title: str
    load: Callable[[], tuple]  # X, y, Z, z: training rows, then test rows
    gamma: float  # of the Gaussian kernel, 1 / (2 sigma²); λ = 1/n
    bias_gamma: float  # the same with an unregularised bias ...
    bias_C: float  # ... and there C = 1 / (λ n)
    rows: int  # training rows that a page uses
    paper: str  # what the paper used
    recipe: Mapping[str, Any] | None = None  # how the Playground makes the same training rows


def svmlight(folder: str, features: int):
    def load():
        from sklearn.datasets import load_svmlight_file

        X, y = load_svmlight_file(str(FOLDER / folder / f"{folder}.train.bz2"), n_features=features)
        Z, z = load_svmlight_file(str(FOLDER / folder / f"{folder}.test.bz2"), n_features=features)
        return X, y, Z, z

    return load


def mnist():
    data = np.load(FOLDER / "mnist" / "mnist.npz")
    X, y = data["X_train"][:10_000], data["y_train"][:10_000]
    return (
        X / np.float32(255),
        np.where(y == 8, 1.0, -1.0),
        data["X_test"] / np.float32(255),
        np.where(data["y_test"] == 8, 1.0, -1.0),
    )


def parted(load: Callable, given: Mapping[str, Any]):
    """The rows that the Playground would show for these parameters, and all others as test rows."""

    def rows():
        X, labels = load()
        y = np.where(labels == given["positive"], 1.0, -1.0)
        train = bundled.sample((y > 0).astype(int), given["n"], given["seed"])
        rest = np.setdiff1d(np.arange(len(y)), train)
        X = bundled.scaled(X, given["scaling"]).astype(np.float32).astype(np.float64)
        return X[train], y[train], X[rest], y[rest]

    return rows


def moons():
    train, test = (plane.moons(n=2000, noise=0.3, seed=seed) for seed in (0, 1))
    return *train, *test


ADULT, DIGIT_8 = "Adult, 31 562 rows, σ² = 10", "MNIST, 8 against the rest, 60 000 rows, σ² = 25"
DIGITS = {"n": 1200, "positive": "8", "scaling": "unit ball", "seed": 0}
WAVES = {"n": 2000, "positive": "0", "scaling": "standardise", "seed": 0}
MOONS = {"n": 2000, "noise": 0.3, "seed": 0}
PAPER = (
    Setting("a9a", "Adult", svmlight("a9a", 123), 0.05, 0.005, 100.0, 2000, ADULT),
    Setting(
        "reuters_money_fx",
        "Reuters money-fx",
        svmlight("reuters_money_fx", 8315),
        1.0,
        1.0,
        10.0,
        2000,
        "Reuters money-fx, 7770 rows, σ² = 0.5",
    ),
    Setting("mnist", "MNIST, 8 against the rest", mnist, 0.02, 0.02, 1000.0, 2000, DIGIT_8),
)
STAND_INS = (
    Setting(
        "digits",
        "Digits, 8 against the rest",
        parted(lambda: bundled.from_sklearn("digits"), DIGITS),
        5.0,
        5.0,
        1000.0,
        1200,
        DIGIT_8,
        {"data": "digits", "data_params": DIGITS},
    ),
    Setting(
        "waveform",
        "Waveform, 0 against the rest",
        parted(bundled.waveforms, WAVES),
        0.05,
        0.005,
        100.0,
        2000,
        ADULT,
        {"data": "waveform", "data_params": WAVES},
    ),
    Setting(
        "moons",
        "Two moons, noise 0.3",
        moons,
        2.0,
        0.2,
        100.0,
        2000,
        ADULT,
        {"data": "moons", "data_params": MOONS},
    ),
)
TABLE_2 = (  # as printed
    ("data", "n", "test rows", "σ²", "λ", "ν", "σ² with bias", "λ with bias", "ν with bias"),
    ("Reuters money-fx", "7770", "3229", "0.5", "1/n", "6.34 · 10⁻⁴", "", "", ""),
    ("Adult", "31 562", "16 282", "10", "1/n", "1.10 · 10⁻²", "100", "1/(100 n)", "5.79 · 10⁻⁴"),
    (
        "MNIST, 8 against the rest",
        "60 000",
        "10 000",
        "25",
        "1/n",
        "2.21 · 10⁻⁴",
        "25",
        "1/(1000 n)",
        "6.42 · 10⁻¹¹",
    ),
    ("Forest", "522 910", "58 102", "", "", "", "5000", "1/(10 000 n)", "7.62 · 10⁻¹⁰"),
)
