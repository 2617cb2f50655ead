"""One step of a budgeted learner, compiled: Algorithm 1 of BSGD with the rules of its Table 2.
Recorded runs (`solvers.bsgd`) and streams (`stream`) both run this.

    w_{t+1} = (1 - eta_t lam) w_t + beta_t phi(x_t) - Delta_t,    |E_t| = |Delta_t| / eta_t,

where beta_t is -eta_t loss'(m) y_t of the margin m under w_t, before the shrinking: for the hinge
it is not 0 only if the example violates the margin. With a score per class the loss is that of
Crammer and Singer. The margin Perceptron has lam = 0 and is pulled back onto the ball of radius U
after the maintenance; E_t is measured before. `stop` freezes w for good once there are B vectors:
otherwise Pegasos would shrink it to nothing. The Forgetron (Dekel, Shalev-Shwartz, Singer: "The
Forgetron: a kernel-based perceptron on a budget", SIAM J. Comput. 37, 2008) shrinks w by the
largest phi that its analysis allows before the oldest vector goes.

Two rules solve for w_{t+1} instead: Passive-Aggressive I (Crammer, Dekel, Keshet, Shalev-Shwartz,
Singer, JMLR 7, 2006) and the implicit one (Cheng, Vishwanathan, Schuurmans, Wang, Caelli: "Implicit
online learning with kernels", NIPS 2006), whose step also takes the shrinking into account: up to a
margin of 1 + eta lam it learns. The first has no eta: its E_t is Delta_t.
"""

import math
from typing import NamedTuple

import numpy as np

from svmviz.maths import matrix
from svmviz.maths.losses import Loss, slope
from svmviz.maths.machine.jit import jit
from svmviz.record.outcome import columns
from svmviz.solvers.bsgd import model as vectors
from svmviz.solvers.bsgd import newcomer
from svmviz.solvers.bsgd.kernels import kernel_row, load, respond, self_kernel
from svmviz.solvers.bsgd.maintenance import heirs, removal, strategies
from svmviz.solvers.bsgd.maintenance.strategies import (
    COUNTS,
    FOLDED,
    FROZEN,
    LEANT,
    ON_NEIGHBOUR,
    STOP,
    Event,
)
from svmviz.solvers.bsgd.model import (
    AGE,
    ERRORS,
    EVALS,
    MISTAKES,
    NORM2,
    NOTED,
    REACH,
    SCORE,
    SHRUNK,
    SPARE,
    SQUARE,
    STEP,
    USED,
    VALUES,
    F,
    Log,
    Q,
    scale,
)

RULES = PEGASOS, NORMA, PERCEPTRON, PASSIVE, IMPLICIT = range(5)
RULE_NAMES = ("Pegasos", "Norma", "margin Perceptron", "passive-aggressive", "implicit")
AT_ONCE = (
    8  # vectors that go in one step, where the budget was lowered: what a step records is bounded
)
NOTHING = 1e-12  # of eta: a weight that is worth no vector; the logistic loss is never without any
ALLOWED = 15.0 / 32.0  # share of the mistakes that the Forgetron may use up


class Rule(NamedTuple):
    """Table 2."""

    kind: int
    lam: float  # 0 for the Perceptron
    eta: float
    beta: float  # the margin that is asked for
    U: float  # radius of the ball, 0: none
    forget: bool
    loss: Loss  # the Perceptron and several classes have none of these
    C: float = 1.0  # the longest step of Passive-Aggressive I


class Step(NamedTuple):
    """What a step leaves behind."""

    margin: float  # under w_t
    rival: int  # the best of the wrong classes, -1: there are only two
    factor: float  # of all coefficients: shrinking, phi and pull
    pull: float  # back onto the ball
    phi: float  # of the Forgetron
    error: float  # |E_t|
    eta: float  # 0: the example added nothing
    event: Event


class Steps(NamedTuple):
    """The same of all steps, (steps,) each, and what they cost."""

    margin: np.ndarray
    rival: np.ndarray
    factor: np.ndarray
    pull: np.ndarray
    phi: np.ndarray
    E: np.ndarray
    eta: np.ndarray
    event: np.ndarray  # its kind
    m: np.ndarray
    n: np.ndarray
    z: np.ndarray
    h: np.ndarray
    degradation: np.ndarray
    by: np.ndarray  # what the choice was made by
    n_sv: np.ndarray  # after the step
    kernel_evals: np.ndarray
    features: np.ndarray  # read


def empty(count: int) -> Steps:
    """Room for so many steps."""
    return columns(Steps, count, whole=("n_sv", "kernel_evals", "features"))


@jit
def rate(rule, t):
    """eta_t"""
    if rule.kind == PEGASOS:
        return 1.0 / (rule.lam * t)
    return rule.eta / math.sqrt(t) if rule.kind in (NORMA, IMPLICIT) else rule.eta


@jit
def solved(rule, eta, margin, own):
    """By how much w shrinks and how much of an example is added, where a rule solves for it; K(x,
    x) = own.

    Passive-Aggressive I minimises 1/2 |v - w|² + C loss(v), the implicit rule 1/2 |v - w|² + eta
    (lam/2 |v|² + loss(v))
    """
    if own <= 0.0:
        return 1.0 if rule.kind == PASSIVE else 1.0 / (1.0 + eta * rule.lam), 0.0
    if rule.kind == PASSIVE:
        return 1.0, min(rule.C, max(0.0, 1.0 - margin) / own)
    grown = 1.0 + eta * rule.lam
    return 1.0 / grown, min(eta, max(0.0, grown - margin) / own) / grown


@jit
def margin_of(f, label):
    """The margin of an example, and with more than two classes the best of the wrong ones, the
    first of several
    """
    if f.size == 1:
        return label * f[0] + 0.0, -1  # a zero has no sign
    y, r = int(label), -1
    for c in range(f.size):
        if c != y and (r < 0 or f[c] > f[r]):
            r = c
    return f[y] - f[r] + 0.0, r


@jit
def weight(rule, margin, rival):
    """The share of eta with which an example is added: by how much the loss falls with its
    margin
    """
    if rule.kind == PERCEPTRON or rival >= 0:
        return 1.0 if margin < rule.beta or (margin == 0.0 and rule.beta == 0.0) else 0.0
    fall = -slope(rule.loss, margin)
    return fall if fall > NOTHING else 0.0


@jit
def add(change, label, rival, size):
    """What an example adds: with two classes along its label, else to its own and away from the
    rival
    """
    for c in range(change.size):
        change[c] = 0.0
    if rival < 0:
        change[0] = size * label
    else:
        change[int(label)], change[rival] = size, -size


@jit
def forgetting(model, kernel, eta):
    """phi of the Forgetron: the largest in (0, 1] with  Psi(s phi, mu phi) + used <= 15/32
    mistakes,  where Psi(s, mu) = s² + 2 s - 2 s mu,  for the oldest vector of weight s and margin
    mu, the new example counted
    """
    p, number = removal.oldest(model.facts[AGE], model.count[USED]), model.number
    vectors.respond_at(model, kernel, p)
    s = abs(model.A[p, 0]) / eta
    mu = math.copysign(1.0, model.A[p, 0]) * model.scores[F, 0] / eta
    a, b, room = (
        s * s - 2.0 * s * mu,
        2.0 * s,
        max(0.0, ALLOWED * number[MISTAKES] - number[SHRUNK]),
    )
    phi = 1.0
    # then the parabola a phi² + b phi passes `room` once on the way to 1, whatever the sign of a
    if a + b > room:
        phi = 2.0 * room / (b + math.sqrt(max(0.0, b * b + 4.0 * a * room)))
    number[SHRUNK] += a * phi * phi + b * phi
    return phi


@jit
def step(model, log, rows, i, label, t, rule, kernel, maintenance):
    """One iteration t of Algorithm 1 on example i: measure, shrink, add, keep the budget, pull
    back
    """
    A, count, number, figures, x = model.A, model.count, model.number, model.figures, model.x
    f, change, b = model.scores[F], model.scores[STEP], count[USED]
    features = load(rows, i, x, model.at)
    kernel_row(kernel, model.V, figures[SQUARE], b, x, model.at, features, figures[VALUES])
    respond(A, b, figures[VALUES], f)
    count[EVALS], count[NOTED] = b, 0
    margin, rival = margin_of(f, label)
    pull, phi, error, added, event = (
        1.0,
        1.0,
        0.0,
        0.0,
        Event(strategies.NOTHING, -1, -1, -1, 0.0, 0.0, 0.0),
    )
    strategies.stir(count, i)
    if maintenance.kind == STOP and b >= maintenance.B:
        return Step(
            margin, rival, 1.0, pull, phi, error, added, Event(FROZEN, -1, -1, -1, 0.0, 0.0, 0.0)
        )
    eta, own = rate(rule, t), self_kernel(kernel, x)
    unit = 1.0 if rule.kind == PASSIVE else eta
    if rule.kind == PASSIVE or rule.kind == IMPLICIT:
        shrink, eta = solved(rule, eta, margin, own if rival < 0 else 2.0 * own)
        share = 1.0 if eta > NOTHING else 0.0
    else:
        shrink = max(0.0, 1.0 - 1.0 / t if rule.kind == PEGASOS else 1.0 - eta * rule.lam)
        share = weight(rule, margin, rival)
    if shrink < 1.0:
        scale(A, figures[SCORE], count, number, log.delta, shrink)
    if shrink == 0.0:
        vectors.clear(model.facts, model.where, count, number)
    if share > 0.0:
        added = eta
        for c in range(f.size):
            f[c] = shrink * f[c]
        add(change, label, rival, share * eta)
        number[MISTAKES] += 1.0
        loss, far = strategies.admit(model, log, kernel, maintenance, i, own)
        if loss >= 0.0:
            event = Event(FOLDED, i, -1, -1, 0.0, loss, far)
            error = math.sqrt(loss) / unit
        for _ in range(
            AT_ONCE if maintenance.kind > STOP else 0
        ):  # more than once if B was lowered
            if count[USED] <= maintenance.B:
                break
            if rule.forget:
                less = forgetting(model, kernel, rule.eta)
                scale(A, figures[SCORE], count, number, log.delta, less)
                phi *= less
            event = strategies.maintain(model, log, kernel, rule.U > 0.0, maintenance, event)
            error += math.sqrt(event.loss) / unit
        if maintenance.kind == ON_NEIGHBOUR:
            heirs.meet(model, removal.newest(model.facts[AGE], count[USED]))
    elif maintenance.small_steps:
        rest = newcomer.span(model.gram[Q], b, figures[VALUES], own, figures[REACH], figures[SPARE])
        parts = 1.0 if rival < 0 else 2.0
        added = newcomer.small_step(1.0 - margin, parts * rest, parts * own, maintenance.eps, eta)
        if added > 0.0:
            add(change, label, rival, added)
            loss = strategies.lean(model, log, own, figures[SPARE], rest)
            event = Event(LEANT, i, -1, -1, 0.0, loss, math.sqrt(rest))
            error = math.sqrt(loss) / unit
    if maintenance.kind == COUNTS and share == 0.0:
        removal.stand_for(figures, count[USED], own, label > 0.0)
    if rule.U > 0.0 and number[NORM2] > rule.U * rule.U:
        pull = rule.U / math.sqrt(number[NORM2])
        scale(A, figures[SCORE], count, number, log.delta, pull)
    number[ERRORS] += error
    return Step(margin, rival, shrink * phi * pull, pull, phi, error, added, event)


@jit
def steps(
    model,
    rows,
    y,
    order,
    start,
    rule,
    kernel,
    maintenance,
    index,
    delta,
    gone,
    created,
    parents,
    first,
    out,
):
    """All iterations, each written into its row; a stream keeps no changes: `index` and `created`
    are empty then
    """
    for s in range(order.size):
        i, log = order[s], Log(index[s], delta[s], gone[s], created, parents, first)
        done = step(model, log, rows, i, y[i], start + s + 1, rule, kernel, maintenance)
        (
            out.margin[s],
            out.rival[s],
            out.factor[s],
            out.pull[s],
            out.phi[s],
            out.E[s],
            out.eta[s],
            event,
        ) = done
        out.event[s], out.m[s], out.n[s], out.z[s], out.h[s], out.degradation[s], out.by[s] = event
        out.n_sv[s], out.kernel_evals[s], out.features[s] = (
            model.count[USED],
            model.count[EVALS],
            matrix.nonzeros(rows, i),
        )
