"""Changes and their replay, against dictionaries and loops."""

import numpy as np
import pytest

from svmviz.data.problem import make_problem
from svmviz.maths import kernels, matrix
from svmviz.maths.losses import hinge
from svmviz.record.changes import AFTER, BEFORE, Changes, Mean, each, gathered, joined, settled
from svmviz.record.measure import Judged
from svmviz.record.outcome import advance
from svmviz.record.replay import replay
from svmviz.record.responses import Answers, Space
from svmviz.record.slots import Frame, closed, opened

RNG = np.random.default_rng(3)
PROBLEM = make_problem(RNG.normal(size=(12, 3)), [1, -1] * 6)


def some(steps: int = 90) -> Changes:
    factor = RNG.uniform(0.5, 1.1, steps)
    factor[[0, 40]] = 0.0
    return each(factor, RNG.integers(0, 12, (steps, 3)), RNG.normal(size=(steps, 3)))


def by_hand(changes: Changes, coef: np.ndarray):
    """Coefficients before each step, and after the last."""
    found = [coef.copy()]
    for s, factor in enumerate(changes.factor):
        coef = coef * factor
        for row, amount in zip(*changes.of(s), strict=True):
            coef[row] += amount
        found.append(coef)
    return np.array(found)


def everyone(coef: np.ndarray, total: np.ndarray):
    return opened(Frame(np.arange(12), coef[:, None], total, np.zeros(12, np.int64)), 12, 12)


@pytest.mark.parametrize("mean", [BEFORE, AFTER], ids=["before", "after"])
def test_a_replay_is_every_change_in_turn(mean):
    changes, (coef, total) = some(), RNG.normal(size=(2, 12))
    slots = everyone(coef, total)
    advance(slots, changes, 0, mean)
    steps = by_hand(changes, coef)
    assert np.array_equal(slots.coef[0], steps[-1])
    assert slots.total == pytest.approx(
        total + (steps[1:] if mean.after else steps[:-1]).sum(axis=0), abs=1e-12
    )


def test_settling_is_replaying_in_one_sweep_backwards():
    changes, (coef, total) = some(), RNG.normal(size=(2, 12))
    steps = by_hand(changes, coef)
    one, two = settled(changes, coef, total)
    assert one == pytest.approx(steps[-1], rel=1e-10, abs=1e-10)
    assert two == pytest.approx(total + steps[:-1].sum(axis=0), rel=1e-10, abs=1e-10)


def test_stretches_are_cut_and_joined():
    changes = some()
    parts = [changes.between(0, 30), changes.between(30, 31), changes.between(31, 90)]
    whole = joined(
        [
            Changes(
                p.factor,
                p.first - p.first[0],
                p.row[p.first[0] : p.first[-1]],
                p.amount[p.first[0] : p.first[-1]],
                p.gone,
            )
            for p in parts
        ]
    )
    assert all(np.array_equal(a, b) for a, b in zip(whole, changes, strict=True))
    assert changes.step().tolist() == [s for s in range(90) for _ in range(3)]


def come_and_go(steps: int, scores: int, n: int, made: int):
    """Changes by chance of rows that come and go, and for each step the coefficients by row."""
    held, states, tables = {}, [], ([], [], [])
    for _ in range(steps):
        row, amount, gone = np.full(4, -1), np.zeros((4, scores)), np.zeros(4, bool)
        held = {r: 0.9 * a for r, a in held.items()}
        row[0], amount[0] = RNG.integers(n + made), RNG.normal(size=scores)
        held[int(row[0])] = held.get(int(row[0]), 0.0) + amount[0]
        if len(held) > 4:
            row[1] = leaves = int(RNG.choice(list(held)))
            amount[1], gone[1] = -held.pop(leaves), True
            gone[0] = row[0] == leaves
        states.append({r: a.copy() for r, a in held.items()})
        for table, values in zip(tables, (row, amount, gone), strict=True):
            table.append(values)
    return gathered(np.full(steps, 0.9), *map(np.array, tables)), states


@pytest.mark.parametrize("scores", [1, 3])
@pytest.mark.parametrize("kernel", [kernels.linear(), kernels.rbf(0.7)], ids=str)
def test_who_is_gone_leaves_no_trace_in_coefficients_responses_and_norm(scores, kernel):
    steps, n, V = 200, 12, RNG.normal(size=(8, 3))
    changes, states = come_and_go(steps, scores, n, len(V))
    slots = opened(
        Frame(np.empty(0, np.int64), np.empty((0, scores)), np.empty(0), np.empty(0, np.int64)),
        20,
        8,
    )
    rows, none = matrix.rows(PROBLEM.X), np.zeros(0)
    space = Space(rows, matrix.rows(V), rows, kernel)
    answers = Answers(
        none,
        none,
        none,
        np.zeros((scores, n)),
        none,
        np.empty((1, n)),
        np.empty(8),
        np.zeros((scores, 8)),
        np.empty((8, n)),
        np.full(8, -1),
    )
    y = PROBLEM.y if scores == 1 else np.arange(n) % scores * 1.0
    last = np.empty((steps, 4))
    judged = Judged(
        y,
        np.arange(n),
        np.zeros((steps, 2)),
        0.1,
        hinge(),
        1.0 - np.eye(scores),
        True,
        last,
        np.empty((0, 4)),
        np.empty(steps, np.int64),
        1.0,
        none,
        none,
    )
    replay(space, n, slots, answers, judged, changes, Mean(), 0)
    frame, whole = closed(slots), np.vstack([PROBLEM.X, V])
    assert sorted(frame.row.tolist()) == sorted(states[-1])
    for row, coef in zip(frame.row.tolist(), frame.coef, strict=True):
        assert coef == pytest.approx(states[-1][row], abs=1e-12)
    K = kernels.gram(kernel, whole)
    for s, state in enumerate(states):
        used = list(state)
        A = np.array([state[r] for r in used])
        f = (K[:n, used] @ A).T
        norm = np.sqrt(max(0.0, (A * (K[np.ix_(used, used)] @ A)).sum()))
        if scores == 1:
            loss, wrong = np.maximum(0, 1 - y * f[0]), (f[0] >= 0) != (y > 0)
        else:
            true = f[y.astype(int), np.arange(n)]
            rival = np.where(np.arange(scores)[:, None] == y, -np.inf, f).max(axis=0)
            loss, wrong = np.maximum(0, 1 + rival - true), f.argmax(axis=0) != y
        assert last[s] == pytest.approx(
            [0.05 * norm**2 + loss.mean(), loss.mean(), norm, wrong.mean()], abs=1e-9
        )
