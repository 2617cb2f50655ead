"""Data for Section 7 of the Pegasos paper: its own sets where the data folder is there, excerpts of
them, and a set of the app.

Rows are fewer than in print, as every run is made ten times over. λ is larger by as much, so that
λn is the paper's, and with it what a pass over the data does to w. The excerpt of CCAT has λ = 1/n:
with the paper's λn = 78 and no more than 1000 rows hardly anything would be learnt.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from svmviz.data import many_features
from svmviz.papers.sbp.datasets import FOLDER, mnist, svmlight
from svmviz.papers.simba.datasets import generated

TESTS = 3000  # rows to test on, at most
DOCUMENTS = {"n": 2000, "d": 2000, "length": 60, "overlap": 0.5, "noise": 0.02, "seed": 0}


class Setting(NamedTuple):
    """Training and test rows, and the parameters to use on them."""

    key: str
    title: str
    load: Callable[[], tuple]  # X, y, Z, z: training rows, then test rows
    lam_n: float  # λ times the number of rows
    gamma: float  # of the Gaussian kernel; 0 where there is none
    rows: int
    paper: str  # what the paper used
    folder: str = ""

    @property
    def lam(self) -> float:
        return self.lam_n / self.rows

    @property
    def about(self) -> str:
        return f"{self.title}, {self.rows} rows, λ = {power(self.lam)}" + (
            f", γ = {self.gamma:g}" if self.gamma else ""
        )


def power(value: float) -> str:
    """A small number in words.

    >>> power(1e-4), power(1.29e-4), power(0.01)
    ('10⁻⁴', '1.29 · 10⁻⁴', '0.01')
    """
    if value >= 0.01:
        return f"{value:g}"
    digits, exponent = f"{value:.2e}".split("e")
    places = f"10{str(int(exponent)).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
    return places if float(digits) == 1.0 else f"{float(digits):g} · {places}"


def cov1():
    """Class 1 of Covertype against the others, in random order: quantities between 0 and 1, then
    flags.
    """
    held = np.load(FOLDER / "covtype" / "covtype.npz")
    order = np.random.default_rng(0).permutation(len(held["y"]))[:20_000]
    quantities = held["quant"][order].astype(np.float64)
    low, high = quantities.min(axis=0), quantities.max(axis=0)
    X = np.hstack(
        [
            (quantities - low) / (high - low),
            np.eye(4)[held["wilderness"][order]],
            np.eye(40)[held["soil"][order]],
        ]
    )
    y = np.where(held["y"][order] == 1, 1.0, -1.0)
    return X[:10_000], y[:10_000], X[10_000:], y[10_000:]


def usps():
    """8 against the rest; pixels from −1 to 1, over 16, as the paper's γ belongs to rows of about
    length 1.
    """
    held = np.load(FOLDER / "usps" / "usps.npz")
    X, Z = (held[name].astype(np.float64) / 16 for name in ("X_train", "X_test"))
    return X, np.where(held["y_train"] == 8, 1.0, -1.0), Z, np.where(held["y_test"] == 8, 1.0, -1.0)


ASTRO = "astro-ph, 29 882 documents, λ = 5 · 10⁻⁵"
LINEAR = (
    Setting(
        "documents",
        "Made-up documents",
        generated(many_features.documents, DOCUMENTS, TESTS),
        1.494,
        0.0,
        2000,
        ASTRO,
    ),
    Setting(
        "rcv1_ccat_small",
        "CCAT, an excerpt",
        svmlight("rcv1_ccat_small", 47236),
        1.0,
        0.0,
        1000,
        "CCAT, 781 265 rows, λ = 10⁻⁴",
        "rcv1_ccat_small",
    ),
    Setting(
        "covtype",
        "Covertype, class 1 against the rest",
        cov1,
        0.523,
        0.0,
        4000,
        "cov1, 522 911 rows, λ = 10⁻⁶",
        "covtype",
    ),
)
KERNEL = (
    Setting(
        "reuters_money_fx",
        "Reuters money-fx",
        svmlight("reuters_money_fx", 8315),
        1.0,
        1.0,
        2000,
        "Reuters, 7770 rows, λ = 1.29 · 10⁻⁴, γ = 1",
        "reuters_money_fx",
    ),
    Setting(
        "a9a",
        "Adult",
        svmlight("a9a", 123),
        1.0,
        0.05,
        2000,
        "Adult, 32 562 rows, λ = 3.07 · 10⁻⁵, γ = 0.05",
        "a9a",
    ),
    Setting(
        "usps",
        "USPS, 8 against the rest",
        usps,
        1.0,
        2.0,
        2000,
        "USPS, 7329 rows, λ = 1.36 · 10⁻⁴, γ = 2",
        "usps",
    ),
    Setting(
        "mnist",
        "MNIST, 8 against the rest",
        mnist,
        1.0,
        0.02,
        2000,
        "MNIST, 60 000 rows, λ = 1.67 · 10⁻⁵, γ = 0.02",
        "mnist",
    ),
)
SETTINGS = {setting.key: setting for setting in (*LINEAR, *KERNEL)}
