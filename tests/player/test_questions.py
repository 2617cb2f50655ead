"""Questions about the next step, made by the player, against brute force over the state computed
here from the trace: truth, what is said of right and of wrong answers, and that every solver has
something to ask.
"""

import base64
import math
import re
from collections import Counter

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from svmviz.maths import contest, kernels, viterbi
from svmviz.maths.water import water_level_with_bias
from svmviz.player.wire import run
from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS
from svmviz.solvers.bias.story import OWN, SEARCH
from svmviz.solvers.bsgd import budget
from svmviz.solvers.bsgd.solver import PRESETS
from svmviz.solvers.idsvm import path
from tests.player.test_parity import T, player, recipes  # noqa: F401, a fixture
from tests.solvers.dual.test_path import come
from tests.solvers.games.test_simba import drawn_columns, paper, scaled
from tests.tools.saying import read

pytestmark = pytest.mark.long

WORDS = ["none", "one", "two", "three", "four", "five", "six"]
STATES = {
    (True, True): "found",
    (True, False): "missed",
    (False, True): "extra",
    (False, False): "left",
}
EACH = 12  # steps of a run at which all is asked that can be
# more runs for what those of the other tests seldom come to
MORE = {
    "incremental": [
        Recipe(
            "moons",
            {"n": 200},
            "incremental",
            {"teacher": teacher, "pool": pool},
            seed=seed,
            steps=T,
        )
        for seed in range(4)
        for teacher, pool in [("active", 20), ("adversary", 20), ("active", 6)]
    ],
    "simba": [
        Recipe(
            "rare", {"n": 60, "d": 30, "data_seed": seed}, "simba", {"nu": nu}, seed=seed, steps=T
        )
        for seed in range(15)
        for nu in (0.001, 0.2, 1.0)
    ],
    "bsgd": (
        [
            Recipe(
                "checkerboard",
                {"n": 100},
                "bsgd",
                {"B": B, "lam": 0.001, "maintenance": kind, "kernel": kernels.rbf(3.0)},
                seed=seed,
                steps=T,
            )
            for seed in range(4)
            for B, kind in [
                *((B, "merge") for B in (6, 8, 10, 12)),
                (10, "remove smallest"),
                (8, "project smallest"),
            ]
        ]
        + [
            Recipe(
                "checkerboard",
                {"n": 100},
                "bsgd",
                {"B": 8, "kernel": kernels.rbf(3.0)} | PRESETS[name],
                seed=seed,
                steps=T,
            )
            for seed in range(3)
            for name in ("Budget Perceptron", "Tighter Perceptron", "BPA-S", "BPA-NN")
        ]
    ),
    "pegasos": [
        Recipe(
            "blobs",
            {"n": 60, "noise": noise},
            "pegasos",
            {"lam": 0.05, "intercept": bias},
            seed=seed,
            steps=T,
        )
        for seed in range(5)
        for noise in (0.6, 1.2)
        for bias in ("none", "constant feature")
    ],
    "bias": [
        Recipe("blobs", {"n": 60}, "bias", {"k": 1, "method": method}, seed=seed, steps=T)
        for seed in range(12)
        for method in (OWN, SEARCH)
    ],
    "averaged": [
        Recipe("moons", {"n": 60}, "averaged", {"iterate": "last"}, seed=seed, steps=T)
        for seed in range(4)
    ],
}

EYES = 0.019  # of a scale: what differs by less no question asks about


def responses(trace, t: int, iterate: str = "last") -> np.ndarray:
    """<w, phi(x)> of all examples, as step t + 1 sees them: with its kernel and features, without
    b.
    """
    if trace.made is not None:
        held = trace.support(t)
        f = kernels.responses(trace.kernel(t + 1), held.vectors, held.coef, trace.problem.X)
        return f[:, 1] - f[:, 0] if f.ndim > 1 and f.shape[1] == 2 else f
    X = trace.features(trace.problem.X, t + 1)
    return kernels.responses(trace.kernel(t + 1), X, trace.coef(t, iterate), X)


def margins(trace, t: int) -> np.ndarray:
    f, y = responses(trace, t), trace.problem.y
    if f.ndim == 1:
        return y * f
    others = f.copy()
    own = f[np.arange(len(f)), y.astype(int)]
    others[np.arange(len(f)), y.astype(int)] = -np.inf
    return own - others.max(axis=1)


class Step:
    """Step t + 1 of a trace, and what it was taken with."""

    def __init__(self, trace, t: int):
        self.trace, self.t, self.segment = trace, t, trace.segment(t + 1)
        self.record, self.row, self.params = (
            self.segment.record,
            t - self.segment.start,
            self.segment.params,
        )
        self.y, self.active, self.drawn = (
            trace.problem.y,
            self.segment.active,
            self.record.drawn[t - self.segment.start],
        )
        self.factor, self.problem = float(self.record.factor[self.row]), trace.problem

    @property
    def delta(self):
        return self.record.delta[self.row]

    def after(self) -> np.ndarray:
        """<w, phi(x)> of all examples after the step."""
        trace, t = self.trace, self.t + 1
        if trace.made is not None:
            held = trace.support(t)
            f = kernels.responses(trace.kernel(t), held.vectors, held.coef, trace.problem.X)
            return f[:, 1] - f[:, 0] if f.ndim > 1 and f.shape[1] == 2 else f
        X = trace.features(trace.problem.X, t)
        return kernels.responses(trace.kernel(t), X, trace.coef(t, "last"), X)


def rows_of(asked: dict) -> list[int]:
    return [option["row"] for option in asked["options"]]


def truly(asked: dict) -> set[int]:
    """Rows that the question says are right."""
    return {asked["options"][k]["row"] for k in asked["truth"]}


def said(asked: dict) -> str:
    (k,) = asked["truth"]
    return asked["options"][k]["words"]


def number(text: str) -> float:
    return read(text)[0]


def close(text: str, value: float, rtol: float = 0.0, scale: float = 0.0) -> None:
    """What is written is the value, to its last digit or what float32 leaves of it."""
    plain = re.sub(r"[\u2009\s%]", "", text)
    places = len(plain.partition(".")[2].partition("e")[0])
    off = 0.51 * 10.0**-places + max(5 * rtol, 1e-5) * abs(value) + 5e-5 * scale
    assert abs(number(text) - value) <= off, (text, value)


def apart(points: np.ndarray, least: float) -> int:
    """How many of these points lie so far from each other, at least."""
    taken: list[np.ndarray] = []
    for p in points:
        if all(np.hypot(*(p - q)) > least for q in taken):
            taken.append(p)
    return len(taken)


def plain(step: Step, asked: dict, off: np.ndarray) -> None:
    """`off` is how far those who take part are from the threshold. Nobody is offered who is closer
    to it than 2 % of the spread, or whose mark is covered by another, unless there are too few
    others.
    """
    points = asked["points"][step.active]
    size = float(np.hypot(*np.ptp(points, axis=0))) or 1.0
    away = np.hypot(*(points[:, None] - points[None]).T)
    np.fill_diagonal(away, np.inf)
    clear = np.abs(off) > 0.02 * np.ptp(off)
    alone = away.min(axis=0) >= 0.02 * size
    at = [int(np.flatnonzero(step.active == row)[0]) for row in rows_of(asked)]
    for good in (clear & alone, clear):
        # so many that lie twice as far apart as candidates must cannot all be kept off by five of
        # them
        enough = (good & (off < 0)).any() and apart(points[good & (off > 0)], 0.09 * size) > 6
        assert good[at].all() or not enough, "there are better candidates"


def who_pulls(step: Step, asked: dict) -> None:
    m = margins(step.trace, step.t)
    perceptron = step.trace.solver.goal.objective == "mistakes"
    beta = (
        step.params["beta"]
        if step.params.get("rule") == "margin Perceptron"
        else 0.0
        if perceptron
        else 1.0
    )
    rows = rows_of(asked)
    assert truly(asked) == {i for i in rows if (m[i] < beta if beta else m[i] <= 0.0)}
    assert 0 < len(truly(asked)) < len(rows) and set(rows) <= set(step.active.tolist())
    plain(step, asked, m[step.active] - beta)
    for option in asked["options"]:
        close(option["value"], m[option["row"]], scale=np.abs(m).max())
        own = m[option["row"]]
        side = {"right side" if own > 0 else "wrong side"} if abs(own) > 0.9e-5 else set()
        assert option["words"] in side | ({"on the line"} if abs(own) < 1.1e-5 else set())
    # whoever is drawn does what is said: the record agrees
    i = int(step.drawn[0])
    if i in rows and step.drawn.size == 1 and step.trace.made is None:
        assert (step.delta[0] != 0) == (i in truly(asked))


def swing(step: Step, asked: dict) -> None:
    pulls, shrinks = (
        bool((step.delta != 0).any()),
        step.factor != 1.0 and step.trace.coef(step.t, "last").any(),
    )
    assert said(asked) == (
        "it shrinks and swings" if pulls else "it only shrinks" if shrinks else "it stays as it is"
    )
    assert asked["drawn"] == step.drawn.tolist()


def changes(step: Step, asked: dict) -> None:
    old, new = step.trace.coef(step.t, "last"), step.trace.coef(step.t + 1, "last")
    same = old.shape == new.shape and np.array_equal(old, new)
    assert said(asked) == ("w stays as it is" if same else "w changes")


def answer(step: Step, asked: dict) -> None:
    i = int(step.drawn[0])
    old, new = (step.y[i] * f[i] for f in (responses(step.trace, step.t), step.after()))
    assert said(asked) == ("it rises" if new > old else "it falls" if new < old else "it stays")
    numbers = re.findall(r"(?:was|is) (−?[\d\s]+(?:\.\d+)?)", asked["verdicts"][0]["sentence"])
    for text, value in zip(numbers, (old, new), strict=True):
        close(text, value, scale=np.abs(responses(step.trace, step.t)).max())


def pull(step: Step, asked: dict) -> None:
    i = int(step.drawn[0])
    old, new = (f[i] for f in (responses(step.trace, step.t), step.after()))
    still = abs(new - old) <= 2e-6 * max(np.ptp(step.y), abs(old))
    assert said(asked) in (
        {"it stays as it is"}
        if new == old
        else {"it rises" if new > old else "it falls"} | ({"it stays as it is"} if still else set())
    )
    r, epsilon = old - step.y[i], step.params["epsilon"]
    told = asked["verdicts"][0]["sentence"]
    if abs(abs(r) - epsilon) > 1e-5 * max(1.0, abs(r)):
        assert ("within ε" in told) == (abs(r) <= epsilon) and ("too high" in told) == (r > epsilon)
    found = re.search(r"f was (.+?) before step .+? and is (.+?) after it", told).groups()
    far = (
        1e-6 * step.trace.metrics["norm"][: step.t + 2].max()
    )  # from where a squared residual may have thrown w
    for text, value in zip(found, (old, new), strict=True):
        close(text, value, scale=np.abs(responses(step.trace, step.t)).max() + far)


def tube(step: Step, asked: dict) -> None:
    r, epsilon, rows = (
        responses(step.trace, step.t) - step.y,
        step.params["epsilon"],
        rows_of(asked),
    )
    assert truly(asked) == {i for i in rows if abs(r[i]) > epsilon} and 0 < len(truly(asked)) < len(
        rows
    )
    plain(step, asked, epsilon - np.abs(r[step.active]))
    for option in asked["options"]:
        close(option["value"], r[option["row"]], scale=np.abs(r).max())
        assert option["words"] == ("f is above" if r[option["row"]] > 0 else "f is below")
    i = int(step.drawn[0])
    if i in rows and step.drawn.size == 1:
        assert (step.delta[0] != 0) == (i in truly(asked))


def straight(w: np.ndarray) -> float:
    return math.atan2(w[1], w[0])


def line(step: Step, asked: dict) -> None:
    X, coef = step.problem.X, step.trace.coef
    was, now = (straight(X.T @ coef(t, "last")) for t in (step.t, step.t + 1))
    away = -step.trace.b(step.t + 1, "last") / np.linalg.norm(X.T @ coef(step.t + 1, "last"))
    assert math.isclose(math.cos(asked["truth"]["angle"] - now), 1.0, abs_tol=1e-6)
    assert math.isclose(asked["truth"]["offset"], away, rel_tol=1e-6, abs_tol=1e-9)
    turned = math.degrees(math.acos(min(1.0, abs(math.cos(was - now)))))
    assert turned <= 0.25 or turned >= 9.9
    low, high = X[step.active].min(axis=0), X[step.active].max(axis=0)
    size, centre = float(np.hypot(*(high - low))), (low + high) / 2
    c = np.array([math.cos(now), math.sin(now)])
    foot = centre - (c @ centre - away) * c
    for verdict in asked["verdicts"]:
        angle, offset = verdict["answer"]["angle"], verdict["answer"]["offset"]
        degrees = math.degrees(math.acos(min(1.0, abs(math.cos(angle - now)))))
        off = 100 * abs(np.array([math.cos(angle), math.sin(angle)]) @ foot - offset) / size
        if abs(degrees - 6) > 0.01 and abs(off - 3) > 0.01:
            assert verdict["right"] == (degrees <= 6 and off <= 3)
        told = re.search(r"off by ([\d.]+)° and ([\d.]+) %", verdict["sentence"])
        close(told[1], degrees, 1e-3)
        close(told[2], off, 1e-3)
        close(re.search(r"turned by ([\d.]+)°", verdict["sentence"])[1], turned, 1e-3)


def level_of(c: np.ndarray, volume: float) -> float:
    """The level of water over a floor, by bisection."""
    low, high = c.min(), c.min() + volume + 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if np.maximum(0.0, middle - c).sum() < volume else (low, middle)
    return high


def shores(step: Step, f: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """The level, the answers of those who take part, and the height of the water over each."""
    rows, y = step.active, step.y[step.active]
    c, volume = y * f[rows], step.params["nu"] * rows.size
    if step.params["bias"]:
        gamma, b = water_level_with_bias(c, y, volume)
        return gamma, c, gamma - y * b
    return level_of(c, volume), c, np.full(rows.size, level_of(c, volume))


def wet(step: Step, asked: dict) -> None:
    gamma, c, shore = shores(step, responses(step.trace, step.t))
    at = {int(i): k for k, i in enumerate(step.active)}
    under = {i for i in rows_of(asked) if c[at[i]] <= shore[at[i]]}
    assert truly(asked) == under and under and len(under) < len(asked["options"])
    plain(step, asked, c - shore)
    for option in asked["options"]:
        k = at[option["row"]]
        close(option["value"], c[k])
        assert option["note"] == ("under water" if option["row"] in under else "dry")
    for verdict in asked["verdicts"]:
        for which, value, by in re.findall(
            r"umber (\d) answers (\S+) and is dry by (\d+\.\d+)", verdict["sentence"]
        ):
            k = at[rows_of(asked)[int(which) - 1]]
            assert c[k] > shore[k]
            close(value, c[k])
            assert abs(float(by) - (c[k] - shore[k])) < 6e-4 + 1e-4 * abs(c).max()
        many = re.search(r"Of the (\d+) under water", verdict["sentence"])
        if many and not step.params["bias"]:
            assert (
                abs(int(many[1]) - (c <= gamma).sum())
                <= (np.abs(c - gamma) < 1e-5 * np.ptp(c)).sum()
            )


def level(step: Step, asked: dict) -> None:
    (old, c, shore), (new, floor, _) = (
        shores(step, f) for f in (responses(step.trace, step.t), step.after())
    )
    assert said(asked) == ("it rises" if new > old else "it falls")
    assert abs(new - old) > EYES * max(old, new), "one sees that it moves"
    if step.params["bias"]:
        return  # two basins, and who of equals is under water is a matter of their order
    found = re.search(
        r"of the (\d+) columns under water (\d+) rose and (\d+) fell.* room for (\S+) units of"
        r" water now, and "
        r"(\S+) are poured in\.$",
        asked["verdicts"][0]["sentence"],
    ).groups()
    moved, least = (floor - c)[c <= shore], 1e-4 * max(np.abs(c).max(), abs(old))
    doubt = int(
        (np.abs(np.abs(moved) - least) < 0.1 * least).sum()
        + (np.abs(c - shore) < 1e-5 * np.ptp(c)).sum()
    )
    for count, many in zip(
        found, (moved.size, (moved > least).sum(), (moved < -least).sum()), strict=False
    ):
        assert abs(int(count) - many) <= doubt
    close(found[3], np.maximum(0.0, old - floor).sum(), 1e-4, scale=np.abs(c).sum())
    close(found[4], step.params["nu"] * c.size)


def box_of(step: Step) -> float:
    if "lam" not in step.params:
        return step.params["C"]
    loss = step.trace.solver.loss(step.params)
    return math.inf if loss.kind == 1 else 1.0 / (step.params["lam"] * step.active.size)


def alpha(step: Step, asked: dict) -> None:
    i, C = int(step.drawn[0]), box_of(step)
    old, key = abs(step.trace.coef(step.t, "last")[i]), step.trace.solver.key
    if key == "incremental":
        assert old == 0.0
        new = abs(step.delta[0])
    else:
        new = abs(step.trace.coef(step.t + 1, "last")[i])
    loss = step.trace.solver.loss(step.params)
    single = key == "incremental" or not step.params.get("bias")
    if loss.kind == 0 and single and key != "idsvm":  # the formula, not what was recorded
        X = step.problem.X[[i]]
        K = float(kernels.gram(step.trace.kernel(step.t + 1), X)[0, 0])
        m = step.y[i] * responses(step.trace, step.t)[i]
        formula = min(max(old + (1 - m) / K, 0.0), C) if K > 0 else C
        assert abs(formula - new) <= 1e-9 * max(C, 1.0)
    way = "it stays" if new == old else f"it {'rises' if new > old else 'falls'} and stops inside"
    if new != old:
        way = (
            "it rises to C"
            if new >= C * (1 - 1e-9)
            else "it falls to 0"
            if new <= 1e-9 * min(C, 1.0)
            else way
        )
    assert said(asked) == way
    assert len({option["words"] for option in asked["options"]}) == len(asked["options"])


def learning(step: Step):
    """Events on the path of the newcomer of step t + 1, followed anew; None where it is not plain
    who is in S.
    """
    trace, t, i = step.trace, step.t, int(step.drawn[0])
    came = {int(trace.drawn[s]) for s in range(1, t + 1)} & set(step.active.tolist())
    assert i not in came
    C, y, alpha = np.full(step.problem.n, step.params["C"]), step.y, np.abs(trace.coef(t))
    Q = kernels.gram(trace.kernel(t + 1), step.problem.X) * np.outer(y, y)
    sets = {
        j: path.REST if alpha[j] == 0 else path.ERROR if alpha[j] >= C[j] else path.MARGIN
        for j in came
    }
    spanned = np.linalg.matrix_rank(Q[np.ix_(all_of := [*came, i], all_of)]) <= len(came)
    if spanned or any(abs(Q[j] @ alpha - 1) < 1e-7 for j in came if sets[j] != path.MARGIN):
        return None
    return come(Q, C, alpha, sets, i)


def set_of(step: Step, asked: dict) -> None:
    i, C = int(step.drawn[0]), step.params["C"]
    alpha, f = abs(step.trace.coef(step.t + 1)[i]), step.y[i] * step.after()[i]
    assert (
        0 <= alpha <= C and (alpha == 0 or f < 1 + 1e-6) and (alpha == C or f > 1 - 1e-6)
    )  # the optimum, where it must be
    assert said(asked) == ("rest" if alpha == 0 else "error set" if alpha == C else "margin set")


def movers(step: Step, asked: dict) -> None:
    events = learning(step)
    if events is None:
        return
    others = {to == path.MARGIN for who, to in events if who != int(step.drawn[0])}
    assert said(asked) == (
        "both"
        if len(others) > 1
        else (
            "one or more join the margin set"
            if True in others
            else "one or more leave the margin set"
            if others
            else "nobody"
        )
    )


def entry(step: Step, asked: dict) -> None:
    own, t, i = step.trace.scalars, step.t, int(step.drawn[0])
    assert own["n_sv"][t] >= step.params["B"]
    margin = step.y[i] * responses(step.trace, t)[i]
    came = "it comes in, " + (
        "one is dropped" if (own["beyond"][t + 1] > step.params["far"]) else "two are combined"
    )
    assert said(asked) == ("it is not taken" if margin > step.params["near"] else came)


def share(step: Step, asked: dict) -> None:
    t, i = step.t, int(step.drawn[0])
    assert step.trace.scalars["n_sv"][t] < step.params["B"]
    f = step.y[i] * step.after()[i]  # the SVM over the rack is exact
    assert {"at 0": f > 1 - 1e-6, "at C": f < 1 + 1e-6, "between 0 and C": abs(f - 1) < 1e-6}[
        said(asked)
    ]


def mover(step: Step, asked: dict) -> None:
    rows, y = step.active, step.y[step.active]
    C, coef = box_of(step), step.trace.coef(step.t, "last")[rows]
    K = kernels.gram(step.trace.kernel(step.t + 1), step.problem.X[rows])
    g, lo, hi = y - K @ coef, np.minimum(0, y * C), np.maximum(0, y * C)
    room = 1e-9 * C
    if step.params["bias"]:
        i = int(np.argmax(np.where(coef < hi - room, g, -np.inf)))
        curvature = np.maximum(K[i, i] + K.diagonal() - 2 * K[i], 1e-12)
        gains = np.where((coef > lo + room) & (g < g[i]), (g[i] - g) ** 2 / curvature, -np.inf)
        j = int(np.argmax(gains))
        movers = {int(rows[i]), int(rows[j])}
    else:
        move = np.clip(g / np.maximum(K.diagonal(), 1e-12), lo - coef, hi - coef)
        gains = move * (g - 0.5 * move * K.diagonal())
        movers = {int(rows[np.argmax(gains)])}
    assert truly(asked) == movers
    for option in asked["options"]:
        k = int(np.flatnonzero(rows == option["row"])[0])
        assert rows[k] in movers or gains[k] < (1 - EYES) * gains.max(), (
            "who gains nearly as much is not offered"
        )
        a = abs(coef[k])
        assert option["words"] == (
            "α at 0" if a <= 1e-6 * C else "α at C" if a >= C * (1 - 1e-6) else "α inside"
        )
        close(option["value"], y[k] * (K @ coef)[k])


def gap(step: Step, asked: dict) -> None:
    old, new = step.trace.before("gap", step.t + 1), float(step.trace.metrics["gap"][step.t + 1])
    assert said(asked) == ("it rises" if new > old else "it falls")
    found = re.search(
        r"was (\S+) and is (\S+)\. The primal went from (\S+) to (\S+), the dual from (\S+) to"
        r" (\S+)\.$",
        asked["verdicts"][0]["sentence"],
    )
    metrics = step.trace.metrics
    primal = step.trace.before("primal", step.t + 1), float(metrics["primal"][step.t + 1])
    for text, value in zip(
        found.groups(), (old, new, *primal, primal[0] - old, primal[1] - new), strict=True
    ):
        assert abs(number(text) - value) <= 6e-3 * abs(value) + 1e-5 * max(map(abs, primal)), (
            text,
            value,
        )


def pick(step: Step, asked: dict) -> None:
    pool = step.record.own["pool"][step.row]
    pool = pool[pool >= 0].astype(int)
    f = responses(step.trace, step.t, "average")
    wish = np.abs(f) if step.params["teacher"] == "active" else step.y * f
    best = pool[np.argmin(wish[pool])]
    assert truly(asked) == {int(best)} == {int(step.drawn[0])} and set(rows_of(asked)) <= set(
        pool.tolist()
    )
    for option in asked["options"]:
        row = option["row"]
        assert row == best or wish[row] - wish[best] > EYES * np.abs(wish[pool]).max(), (
            "one can tell it from the best"
        )
        close(option["value"], wish[option["row"]])
        knows = {"active": ("machine says ", f), "adversary": ("", step.y)}[
            step.params["teacher"]
        ]  # labels, or not
        if abs(knows[1][option["row"]]) > 1e-6:
            assert option["words"] == knows[0] + ("+1" if knows[1][option["row"]] > 0 else "−1")


def rack(step: Step) -> tuple[list[int], np.ndarray, np.ndarray]:
    """Rows, coefficients (a row of them each) and vectors in the midst of the step."""
    held = step.trace.overflow(step.t + 1)
    coef = held.coef.reshape(len(held.row), -1)
    X = held.vectors.toarray() if hasattr(held.vectors, "toarray") else held.vectors
    return held.row.tolist(), coef, X


def weights(K: np.ndarray, coef: np.ndarray, keep: str, newcomer: int) -> tuple[np.ndarray, int]:
    """What decides who leaves, and whether it is the least of it (1) or the most (-1); who cannot
    leave has none.
    """
    a, own = coef[:, 0], K.diagonal()
    if keep in ("remove easiest", "remove by errors"):
        y, without = np.sign(a), (K @ a)[:, None] - K * a
        np.fill_diagonal(without, (K - np.diag(own)) @ a)  # a difference would leave little of it
        return (
            (y * without.diagonal(), -1)
            if keep == "remove easiest"
            else (
                (y[:, None] * without <= 1e-12 * (np.abs(K @ a)[:, None] + np.abs(K * a)))
                .sum(axis=0)
                .astype(float),
                1,
            )
        )
    if not keep.startswith("project on"):
        return (coef**2).sum(axis=1) * own, 1
    found = np.full(len(a), np.nan)
    for p in np.flatnonzero(np.arange(len(a)) != newcomer):
        others = [j for j in range(len(a)) if j not in (p, newcomer)]
        heirs = [newcomer] + (
            [max(others, key=lambda j, p=p: K[p, j])] if keep == "project on neighbour" else []
        )
        found[p] = (coef[p] ** 2).sum() * (
            own[p] - K[p, heirs] @ np.linalg.solve(K[np.ix_(heirs, heirs)], K[heirs, p])
        )
    return found, 1


def leaves(step: Step, asked: dict) -> None:
    rows, coef, X = rack(step)
    newcomer = int(step.drawn[0])
    K, keep = (
        kernels.gram(step.trace.kernel(step.t + 1), X),
        step.trace.params(step.t + 1)["maintenance"],
    )
    values, sign = weights(K, coef, keep, rows.index(newcomer))
    weight = {
        row: sign * value for row, value in zip(rows, values, strict=True) if np.isfinite(value)
    }
    lightest = min(weight.values())
    (m,) = truly(asked)
    assert m == int(step.record.own["m"][step.row]) and weight[m] <= lightest + 1e-6 * abs(lightest)
    assert (newcomer in rows_of(asked)) == (newcomer in weight)
    others = [weight[row] for row in rows_of(asked) if row not in (m, newcomer)]
    assert min(others) > weight[m] + 5e-5 * abs(
        weight[m]
    )  # only the newcomer may be as light, and it is younger
    for option in asked["options"]:
        close(option["value"], sign * weight[option["row"]], 1e-3, 1.0)
    same = re.search(r"\((\d+) other", asked["verdicts"][0]["sentence"])
    assert (int(same[1]) if same else 0) == sum(
        w <= lightest + 1e-4 * abs(lightest) for w in weight.values()
    ) - 1


H = np.linspace(0.0, 1.0, 4001)


SHAPES = {
    kernels.RBF: lambda L, s: np.exp(-L * s * s),
    kernels.LAPLACIAN: lambda L, s: np.exp(-L * np.abs(s)),
    kernels.IMQ: lambda L, s: 1 / np.sqrt(1 + L * s * s),
}


def merged(a: np.ndarray, b: np.ndarray, L: float, plus: float, kind: int) -> float:
    """The loss of putting two vectors into the one on the segment between them that is best without
    a constant feature, by trying; `plus` is what such a feature adds to the kernel.
    """
    A, N, D, K = a @ a, b @ b, a @ b, SHAPES[kind]

    def kept(h, plus=0.0):
        p, q = K(L, 1 - h) + plus, K(L, h) + plus
        return (A * p * p + 2 * D * p * q + N * q * q) / (1 + plus)

    near = H[np.argmax(kept(H))]
    h = minimize_scalar(
        lambda h: -kept(h),
        bounds=(near - H[1], near + H[1]),
        method="bounded",
        options={"xatol": 1e-9},
    ).x
    return max(0.0, float((A + N) * (1 + plus) + 2 * D * (K(L, 1.0) + plus) - kept(h, plus)))


def pair(step: Step, asked: dict) -> None:
    rows, coef, X = rack(step)
    kernel, at = step.trace.kernel(step.t + 1), {row: k for k, row in enumerate(rows)}
    assert sorted(rows_of(asked)) == sorted(rows)
    power = 1 if kernel.kind == kernels.LAPLACIAN else 2
    L = {
        (a, b): kernel.gamma * float((np.abs(X[at[a]] - X[at[b]]) ** power).sum())
        for a in rows
        for b in rows
    }
    cost = {
        frozenset((a, b)): merged(coef[at[a]], coef[at[b]], L[a, b], kernel.plus, kernel.kind)
        for k, a in enumerate(rows)
        for b in rows[k + 1 :]
        if coef[at[a]] @ coef[at[b]]
        > budget.ASKEW * np.sqrt((coef[at[a]] ** 2).sum() * (coef[at[b]] ** 2).sum())
    }
    own = step.record.own
    taken = frozenset((int(own["m"][step.row]), int(own["n"][step.row])))
    assert set(asked["truth"]) == taken
    lightest = min((coef**2).sum(axis=1)) * (1 + kernel.plus)
    unit = max(cost.values())
    noise = 1e-6 * unit  # steps of h, and float32
    prices = sorted(cost.values())
    for verdict in asked["verdicts"][:25]:
        mine, sentence = frozenset(verdict["answer"]), verdict["sentence"]
        close(
            re.search(r"Throwing the lightest away would cost (\S+)\.$", sentence)[1],
            lightest,
            1e-3,
        )
        if mine not in cost:
            assert not verdict["right"] and verdict["title"] == "No pair of one sign."
            continue
        if abs(cost[mine] - cost[taken]) > 1e-3 * cost[taken] + noise:
            assert verdict["right"] == (cost[mine] < cost[taken])
            assert ("Cheaper" in verdict["title"]) == (cost[mine] < cost[taken])
            assert ("never saw yours" in sentence) == (cost[mine] < cost[taken])
        if mine == taken:
            assert verdict["right"] and verdict["title"] == "The solver's pair."
        table = {row[0]: row[1:] for row in verdict["cost"]["rows"]}
        for text, which in zip(table["cost ‖Δ‖²"], (mine, taken), strict=True):
            assert abs(number(text) - cost[which]) <= 6e-3 * cost[which] + noise
        for text, which in zip(table[f"rank of {len(cost)}"], (mine, taken), strict=True):
            low = sum(c < cost[which] * (1 - 2e-3) - noise for c in prices)
            high = sum(c < cost[which] * (1 + 2e-3) + noise for c in prices)
            assert low <= int(text) - 1 <= high


ROUGH = 6e-3  # what three digits leave of a number


def row(step: Step, asked: dict) -> None:
    trace, own = step.trace, step.trace.scalars
    (best,) = truly(asked)
    p = {o["row"]: number(o["value"]) / 100 for o in asked["options"]}
    i = int(step.drawn[0])
    if i in p:
        assert p[i] == pytest.approx(own["p"][step.t + 1], rel=ROUGH, abs=1e-7)
    assert own["p"][step.t + 1] <= p[best] * (1 + ROUGH)
    if len(trace.segments) > 1:
        return
    X, R = scaled(step.problem)
    params = step.params
    log_q = paper(
        X,
        step.y,
        params["nu"] / R,
        trace.drawn[1:],
        drawn_columns(trace),
        params["bias"],
        params["clip"],
        params["horizon"] if params["schedule"] == "constant" else None,
        params["exact_margins"],
    )[1]
    weight = np.exp(log_q[step.t] - log_q[step.t].max())
    chance = weight / weight.sum()
    assert best == int(np.argmax(chance)) and np.sort(chance)[-2] < chance[best]
    for i, v in p.items():
        assert v == pytest.approx(chance[i], rel=ROUGH, abs=1e-7)
    shown = step.y * responses(
        trace, step.t, params["iterate"]
    )  # by the iterate that the plane shows
    for option in asked["options"]:
        if abs(m := shown[option["row"]]) > 1e-6:
            assert option["words"] == ("right side" if m > 0 else "wrong side")


def cells(step: Step, asked: dict) -> None:
    trace, read = step.trace, step.trace.scalars["cells"]
    below = float(re.search(r"less than (\d+) %", asked["ask"])[1]) / 100
    error = trace.metrics["error"]
    reached = next(t for t in range(step.t + 1, trace.steps + 1) if error[t] < below - 1e-9)
    assert (
        error[step.t] >= below - 1e-9
        and asked["truth"] == read[reached]
        and asked["until"] == reached
    )
    for verdict in asked["verdicts"]:
        factor = max(verdict["answer"] / read[reached], read[reached] / verdict["answer"])
        assert verdict["right"] == (factor <= 1.5)
        close(re.search(r"factor of (\S+?)\.$", verdict["title"])[1], factor, 1e-3)


def rival(step: Step, asked: dict) -> None:
    """Of the classes other than its own the one with the highest score and cost, where that is
    above its own score.
    """
    problem, (i,) = step.problem, step.drawn.tolist()
    held = step.trace.support(step.t)
    f = kernels.responses(step.trace.kernel(step.t + 1), held.vectors, held.coef, problem.X[[i]])[0]
    y = int(problem.y[i] > 0) if problem.classes == 2 else int(problem.y[i])
    tops = f + contest.read(step.params["costs"], problem.classes)[y]
    others = [c for c in range(problem.classes) if c != y]
    best = max(others, key=lambda c: tops[c])
    assert asked["truth"] == ([1 + others.index(best)] if tops[best] > f[y] else [0]) and asked[
        "drawn"
    ] == [i]


def tags(step: Step, asked: dict) -> None:
    """How many tags of the dearest tagging are wrong."""
    problem, sentence, trace, t = step.problem, step.drawn, step.trace, step.t
    held, many = trace.support(t), problem.classes
    f = kernels.responses(trace.kernel(t + 1), held.vectors, held.coef, problem.X[sentence])
    pairs = np.array(
        [[trace.scalars[f"pair_{a}_{b}"][t] for b in range(many)] for a in range(many)]
    )
    true = (problem.y[sentence] > 0 if many == 2 else problem.y[sentence]).astype(np.int64)
    path = np.empty(len(sentence), np.int64)
    viterbi.dearest(np.ascontiguousarray(f), pairs, true, np.empty(f.shape), path)
    wrong = int((path != true).sum())
    assert (
        asked["truth"] == [2 if wrong > 2 else int(wrong > 0)]
        and asked["drawn"] == sentence.tolist()
    )


TRULY = {
    "pays": who_pulls,
    "mistake": who_pulls,
    "swing": swing,
    "changes": changes,
    "answer": answer,
    "line": line,
    "wet": wet,
    "level": level,
    "alpha": alpha,
    "mover": mover,
    "gap": gap,
    "pick": pick,
    "leaves": leaves,
    "pair": pair,
    "row": row,
    "cells": cells,
    "pull": pull,
    "tube": tube,
    "rival": rival,
    "tags": tags,
    "movers": movers,
    "set": set_of,
    "entry": entry,
    "share": share,
}


def stands(asked: dict) -> None:
    """Candidates and vectors are shown in the state that was asked about; everything else once it
    has happened.
    """
    found = bool(asked["options"] and asked["options"][0]["number"]) or asked["form"] == "pair"
    assert bool(asked["beat"]) == found
    overflows = asked["kind"] in ("leaves", "pair")  # one has come in, and none has gone
    assert asked["stands"]["shown"] == (overflows if found else 1)
    if found:
        assert asked["stands"]["taken"] == 0


def judged(asked: dict) -> None:
    """What is said of each answer: right if and only if it is the truth, and the counts that the
    title names.
    """
    options, truth = asked["options"], asked["truth"]
    assert asked["same"]  # the same question, however often it is made
    for text in (
        asked["ask"],
        asked["how"],
        *(v[k] for v in asked["verdicts"] for k in ("title", "sentence")),
    ):
        assert text and not re.search(r"undefined|NaN|null|[{}]|Infinity|\s{2}| \.", text), text
    if asked["form"] not in ("many", "one", "choice"):
        assert asked["verdicts"][0]["right"]
        return
    numbers = [option["number"] for option in options]  # on the badges: the keys that pick them
    assert numbers == [*range(1, len(options) + 1)] if numbers[0] else not any(numbers)
    if numbers[0]:
        assert len(set(rows_of(asked))) == len(options) >= 3
    assert len(truth) == 1 or asked["form"] == "many"
    for verdict in asked["verdicts"]:
        picked = set(verdict["answer"])
        found, missed, extra = (
            len(picked & set(truth)),
            len(set(truth) - picked),
            len(picked - set(truth)),
        )
        assert verdict["right"] == (missed == extra == 0)
        for k, option in enumerate(verdict["options"]):
            assert option["state"] == STATES[k in truth, k in picked]
            assert (option["word"] == "too many") == (
                option["state"] == "extra" and asked["form"] == "many"
            )
        if asked["form"] == "many":
            if not verdict["right"]:
                parts = [
                    f"{WORDS[n]} {what}"
                    for n, what in ((found, "found"), (missed, "missed"), (extra, "too many"))
                    if n
                ]
                assert verdict["title"].lower() == ", ".join(parts) + "."
        else:
            answer = options[truth[0]]
            assert (
                f"number {answer['number']}" if answer["number"] else answer["words"]
            ) in verdict["title"]


def asked_of(player, recipe: Recipe, steps: list[int]) -> list[dict]:  # noqa: F811
    out = player(data=base64.b64encode(run.encode(run.pack_recipe(recipe))).decode(), ask=steps)
    points = np.array(out["points"]).reshape(-1, 2)
    return [asked | {"points": points} for asked in out["found"]]


LEAST = 100  # of a kind, in all runs of a solver


@pytest.mark.parametrize("key", SOLVERS)
def test_the_truth_is_that_of_brute_force_and_so_is_what_is_said(player, key):  # noqa: F811
    count = Counter()
    for recipe in (*recipes(key), *(new.checked().fitted() for new in MORE.get(key, ()))):
        rng = np.random.default_rng([recipe.seed, 17])
        steps = sorted({*range(4), *rng.choice(np.arange(4, T), EACH, replace=False).tolist()})
        trace = None
        for asked in asked_of(player, recipe, steps):
            trace = trace or recipe.trace()
            count[asked["kind"]] += 1
            try:
                judged(asked)
                stands(asked)
                TRULY[asked["kind"]](Step(trace, asked["t"]), asked)
            except (
                AssertionError,
                KeyError,
                StopIteration,
                TypeError,
                ValueError,
                IndexError,
            ) as error:
                raise AssertionError(
                    f"{asked['kind']} after step {asked['t']} of {recipe.query()}: {error!r}"
                ) from error
    print(key, dict(count))
    for question in SOLVERS[key].story.questions:
        assert count[question.kind] >= LEAST, count


@pytest.mark.parametrize("key", SOLVERS)
def test_every_solver_has_two_kinds_in_its_default_run(player, key):  # noqa: F811
    found = asked_of(player, Recipe(solver=key).checked().fitted(), list(range(T - 1)))
    assert len({asked["kind"] for asked in found}) >= 2
    assert all(asked["kind"] in TRULY for asked in found)


def test_a_solver_that_declares_none_has_general_ones():
    from svmviz.record.solver import Story

    general = Story(figure=lambda params: "", lines=lambda params: (), why=()).questions
    assert len(general) >= 2 and {question.kind for question in general} <= set(TRULY)
    assert {
        question.kind for solver in SOLVERS.values() for question in solver.story.questions
    } == set(TRULY)
