"""The optimum of an SVM without a bias while one example comes or goes, followed exactly along its
piecewise linear path:

    min over alpha of  1/2 alpha' Q alpha - Σ alpha_i,    0 <= alpha_i <= C_i,    Q_ij = y_i y_j
    K_ij,    g = Q alpha - 1.

Whoever has been learnt stands in one of three sets: margin (g = 0, alpha within its box), error
(alpha = C_i, g <= 0) or rest (alpha = 0, g >= 0). While alpha_c of the one that comes or goes
moves, the margin vectors keep their g at 0:

    beta = -Q_SS^-1 Q_Sc  is how fast their alphas move with alpha_c,  gamma = Q_.c + Q_.S beta  how
    fast each g does,

until somebody changes sets. Then the inverse gets or loses a row, and the path goes on with another
slope. It ends where g_c = 0, or where alpha_c is at an end of its box. Nothing is allocated on the
way.

A vector that the margin vectors span (`FLAT`) has gamma = 0. As the one that moves it goes on to
the next event; as one whose g reaches 0 it cannot join, for the inverse would not exist: it changes
places with a margin vector instead, along the direction that moves no g. Ends of boxes that tie are
taken in a fixed order. `settle` takes rounding back: g is computed anew, the margin vectors are
brought to 0 by the inverse, and whoever is not where it belongs is moved there by a path of its
own. That is also how boxes may change: everybody waits, and is moved in turn.
"""

from svmviz.maths.machine.jit import bare
from svmviz.solvers.idsvm.box import (
    ABSENT,
    ERROR,
    EVENTS,
    MARGIN,
    N_MARGIN,
    N_MEMBERS,
    REBUILT,
    REST,
    STUCK,
    WAITING,
    Box,
    empty,
    forget,
    refresh,
    respond,
    size_of,
)
from svmviz.solvers.idsvm.inverse import (
    NOISE,
    direction,
    join,
    leave,
    place_of,
    rebuild,
    slopes,
    solve,
)
from svmviz.solvers.idsvm.log import begun, note

CLOSE = 1e-12  # of g, where f is of size 1: further off is not where it belongs
DRIFT = 1e-13  # of g: what the margin vectors are brought to
PATIENCE = 20  # events for each member before a path is given up
ROUNDS = 12
__all__ = [
    "ABSENT",
    "ERROR",
    "MARGIN",
    "N_MARGIN",
    "N_MEMBERS",
    "REBUILT",
    "REST",
    "STUCK",
    "WAITING",
    "Box",
    "come",
    "empty",
    "go_away",
    "learn",
    "respond",
    "settle",
    "unlearn",
    "unsettle",
]


@bare
def nearest(box, c, sign, kappa, down, null):
    """How far alpha_c can go before something happens, and to whom: -1 if g_c is 0 there, -2 if its
    box ends, the place of a margin vector whose box ends, or many + p for member p, whose g is 0
    there
    """
    alpha, g, C, S, many = box.alpha, box.g, box.C, box.margin, box.count[N_MARGIN]
    far, what = C[c] - alpha[c] if sign > 0 else alpha[c], -2
    if kappa > 0.0 and not down and not null:
        reach = max(0.0, -sign * g[c] / kappa)
        if reach <= far:
            far, what = reach, -1
    steepest = 1.0
    for a in range(many):
        steepest = max(steepest, abs(box.beta[a]))
    for a in range(many):
        v = sign * box.beta[a]
        if abs(v) > NOISE * steepest:
            reach = max(0.0, (C[S[a]] - alpha[S[a]]) / v if v > 0.0 else -alpha[S[a]] / v)
            if reach < far:
                far, what = reach, a
    if null:
        return far, what
    for p in range(box.count[N_MEMBERS]):
        j = box.member[p]
        if j == c:
            continue
        v = sign * box.gamma[j]
        if box.where[j] == REST and v < 0.0 or box.where[j] == ERROR and v > 0.0:
            reach = max(0.0, -g[j] / v)
            if reach < far:
                far, what = reach, many + p
    return far, what


@bare
def go(box, c, sign, far, kappa, null):
    """Everybody moves so far along the path"""
    alpha, C, S = box.alpha, box.C, box.margin
    alpha[c] = min(max(alpha[c] + sign * far, 0.0), C[c])
    for a in range(box.count[N_MARGIN]):
        alpha[S[a]] = min(max(alpha[S[a]] + sign * far * box.beta[a], 0.0), C[S[a]])
    if null:
        return
    for p in range(box.count[N_MEMBERS]):
        j = box.member[p]
        if box.where[j] != MARGIN:
            box.g[j] += sign * far * (kappa if j == c else box.gamma[j])


@bare
def drive(box, c, down, log):
    """Move alpha_c until c is where it belongs, or (`down`) until it is 0, while everybody else
    stays where he belongs
    """
    mover, patience = c, PATIENCE * (box.count[N_MEMBERS] + 5)
    sign = -1.0 if down or box.g[c] > 0.0 else 1.0
    back = sign
    while patience > 0:
        patience -= 1
        null = mover != c  # a vector that the others span is on its way in, and no g moves
        kappa = direction(box, mover)
        if not null:
            slopes(box, c)
        many = box.count[N_MARGIN]
        far, what = nearest(box, mover, sign, kappa, down, null)
        go(box, mover, sign, far, kappa, null)
        box.count[EVENTS] += 1
        if what == -2:  # the end of its own box
            box.alpha[mover] = box.C[mover] if sign > 0 else 0.0
            box.where[mover] = ERROR if sign > 0 else REST
            note(log, box, mover, box.where[mover], box.alpha[c])
            if not null:
                return True
            mover, sign = c, back
        elif what == -1:
            note(log, box, c, MARGIN, box.alpha[c])
            join(box, c, kappa)
            return True
        elif what < many:  # the end of another's
            j, up = box.margin[what], sign * box.beta[what] > 0.0
            box.alpha[j] = box.C[j] if up else 0.0
            note(log, box, j, ERROR if up else REST, box.alpha[c])
            leave(box, what, ERROR if up else REST)
            if null:
                kappa = direction(box, mover)
                if kappa > 0.0:
                    note(log, box, mover, MARGIN, box.alpha[c])
                    join(box, mover, kappa)
                    mover, sign = c, back
        else:
            j = box.member[what - many]
            kappa = direction(box, j)
            if kappa > 0.0:
                note(log, box, j, MARGIN, box.alpha[c])
                join(box, j, kappa)
            else:
                mover, back = j, sign
                sign = 1.0 if box.where[j] == REST else -1.0
    box.where[c] = WAITING
    box.count[STUCK] += 1
    return False


@bare
def polish(box, near):
    """Bring g of the margin vectors to 0, in a few steps"""
    S, many, right = box.margin, box.count[N_MARGIN], box.spare[0]
    for turn in range(4):
        refresh(box)
        worst = 0.0
        for a in range(many):
            worst = max(worst, abs(box.g[S[a]]))
        if worst <= near or turn == 3:
            return
        if turn == 2:
            rebuild(box)
        for a in range(many):
            right[a] = -box.g[S[a]]
        solve(box, right, box.beta)
        for a in range(many):
            box.alpha[S[a]] = min(max(box.alpha[S[a]] + box.beta[a], 0.0), box.C[S[a]])


@bare
def violation(box, i):
    """By how much a slot is not where it belongs"""
    g, where = box.g[i], box.where[i]
    if where == MARGIN:
        return abs(g)
    if where == WAITING:
        return max(-g if box.alpha[i] < box.C[i] else 0.0, g if box.alpha[i] > 0.0 else 0.0)
    return max(0.0, -g if where == REST else g)


@bare
def stand(box, i):
    """One who waits and is at an end of its box, where it belongs, is at home"""
    box.where[i] = REST if box.alpha[i] == 0.0 else ERROR


@bare
def settle(box, log):
    """Everybody to where he belongs; what is left to do after a path is what rounding did"""
    for _ in range(ROUNDS):
        size = size_of(box)
        polish(box, DRIFT * size)
        quiet = True
        for p in range(box.count[N_MEMBERS]):
            i = box.member[p]
            ended = box.alpha[i] == 0.0 or box.alpha[i] == box.C[i]
            off = violation(box, i)
            if box.where[i] == WAITING and off <= CLOSE * size and ended:
                stand(box, i)
            elif off > CLOSE * size or box.where[i] == WAITING:
                quiet = False
                if box.where[i] == MARGIN:
                    leave(box, place_of(box, i), WAITING)
                box.where[i], box.g[i] = WAITING, respond(box, i)
                drive(box, i, False, log)
        if quiet:
            return
    refresh(box)  # rounding keeps them from the optimum: g says by how much


@bare
def unsettle(box, C):
    """Other boxes, and perhaps another Q: alphas are cut to them, and everybody waits for
    `settle`
    """
    for p in range(box.count[N_MEMBERS]):
        i = box.member[p]
        box.C[i], box.where[i] = C[i], WAITING
        box.alpha[i] = min(box.alpha[i], C[i])
    box.count[N_MARGIN] = 0


@bare
def come(box, c, log):
    """The example in slot c, whose row and column of Q and whose C are there, comes in; rounding is
    left to `settle`
    """
    box.alpha[c], box.where[c] = 0.0, WAITING
    box.member[box.count[N_MEMBERS]] = c
    box.count[N_MEMBERS] += 1
    box.g[c] = respond(box, c)
    begun(log, True)
    if box.g[c] >= -CLOSE:
        box.where[c] = REST
    else:
        drive(box, c, False, log)
    begun(log, False)


@bare
def learn(box, c, log):
    """The example in slot c comes in"""
    come(box, c, log)
    settle(box, log)


@bare
def go_away(box, c, log):
    """The example in slot c goes, and leaves the others as if it had never come; rounding is left
    to `settle`
    """
    if box.where[c] == MARGIN:
        leave(box, place_of(box, c), WAITING)
    box.where[c] = WAITING
    begun(log, True)
    if box.alpha[c] > 0.0:
        box.g[c] = respond(box, c)
        drive(box, c, True, log)
        box.alpha[c] = 0.0
    begun(log, False)
    forget(box, c)


@bare
def unlearn(box, c, log):
    """The example in slot c goes"""
    go_away(box, c, log)
    settle(box, log)
