"""Runs with a table of vectors, for the player: the table, what each step changed in it, what the
maintenance did.

Changes travel one by one: a row, with more than two classes which of them, and by how much. The
example that a step adds comes first and on its own, so that the player can stop between it and the
maintenance. A row that a step brings to nothing travels as not-a-number: the player clears it,
whereas a difference of float32 would leave a trace of a vector that is gone.

Of a merging only m, n and h travel: where z lies, its coefficient and that m and n go follow
(engine/own/table.js). That needs one merging a step; where B was lowered on the way a step makes
several, and then all is told.
"""

import numpy as np
import scipy.sparse as sp

from svmviz.maths.machine.jit import bare
from svmviz.player.wire.packing import cells, signed, smallest
from svmviz.player.wire.part import Part, flat
from svmviz.record import support
from svmviz.record.trace import Trace
from svmviz.solvers.bsgd.maintenance.strategies import MERGED_TWO


def scores(trace: Trace) -> int:
    """How many the player keeps: one per class, but of two classes only their difference."""
    return trace.scores if trace.scores > 2 else 1


def follow(whole, n: int, m, other, h) -> bool:
    """Whether every row that was made is z = h x_m + (1 - h) x_n of its parents, to the last digit,
    as the player makes it.
    """
    if sp.issparse(whole):
        z = sp.diags_array(h) @ whole[m] + sp.diags_array(1.0 - h) @ whole[other]
        return (z != whole[n:]).nnz == 0
    return np.array_equal(h[:, None] * whole[m] + (1.0 - h)[:, None] * whole[other], whole[n:])


def made(trace: Trace) -> dict[str, np.ndarray]:
    """The examples; of what was made of them on the way only how, unless a step made several, whose
    h are not on record.
    """
    own, n, whole, parents = trace.scalars, trace.problem.n, trace.table, trace.made.parents
    h, at = np.ones(len(parents)), np.flatnonzero(own["z"] >= n)
    h[own["z"][at].astype(np.int64) - n] = own["h"][at]
    m, other = parents[:, 0], np.where(parents[:, 1] < 0, parents[:, 0], parents[:, 1])
    if at.size == (parents[:, 1] >= 0).sum() and follow(whole, n, m, other, h):
        return cells(trace.problem.X) | {
            "made_m": smallest(m),
            "made_n": smallest(other),
            "made_h": h,
        }
    return cells(whole) | {"merged": smallest(support.mergings(n, parents))}


@bare
def listed(changes, added, follows, sums, counts, rows, classes, values):
    """The changes of all steps of a segment, but not of a maintenance that `follows` from what else
    travels, each row once but for the example that a step adds. Returns how many these are
    """
    at, outputs = 0, changes.amount.shape[1]
    for s in range(changes.factor.size):
        begin, first, end = at, changes.first[s], changes.first[s + 1]
        for e in range(first, first + added[s] if follows[s] else end):
            r, alone, seen = changes.row[e], e < first + added[s], False
            for q in range(first + added[s], e):
                seen |= changes.row[q] == r
            if seen:
                continue
            for c in range(outputs):
                sums[c] = changes.amount[e, c]
            for q in range(e + 1, e + 1 if alone else end):
                if changes.row[q] == r:
                    for c in range(outputs):
                        sums[c] += changes.amount[q, c]
            if changes.gone[e] and not alone:
                rows[at], classes[at], values[at] = r, 0, np.nan
                at += 1
                continue
            for c in range(outputs):
                if sums[c] != 0.0:
                    rows[at], classes[at], values[at] = r, c, sums[c]
                    at += 1
        counts[s] = at - begin
    return at


def changes(trace: Trace, follows: np.ndarray) -> dict[str, np.ndarray]:
    """How many changes of each step travel (none at t = 0), and these: row, class and amount."""
    outputs = scores(trace)
    found = [
        (np.zeros(1, np.int64), *(np.empty(0, kind) for kind in (np.int64, np.int64, np.float64)))
    ]
    for segment in trace.segments:
        done, own = segment.record.changes, segment.record.own
        if done.amount.shape[1] > outputs:
            done = done._replace(amount=done.amount[:, 1:] - done.amount[:, :1])
        out = (
            np.empty(done.steps, np.int64),
            *(np.empty(done.amount.size, kind) for kind in (np.int64, np.int64, np.float64)),
        )
        part = follows[segment.start + 1 : segment.start + 1 + done.steps]
        used = listed(done, own["added"].astype(np.int64), part, np.empty(outputs), *out)
        found.append((out[0], *(part[:used] for part in out[1:])))
    counts, rows, classes, amounts = (np.concatenate(parts) for parts in zip(*found, strict=True))
    several = {"change_class": classes.astype(np.uint8)} if outputs > 1 else {}
    return {
        "changes": smallest(counts),
        "change_index": smallest(rows),
        "change_delta": amounts.astype(np.float32),
    } | several


def columns(trace: Trace, precise: type) -> dict[str, np.ndarray]:
    """What each step drew; the table; changes; what the maintenance did: its kind for every step,
    and where it did something how much that changed w. E is |Delta|/eta, unless a step did several
    things or solved for its length.
    """
    own, out = trace.scalars, made(trace)
    happened, b = np.flatnonzero(own["event"]), own["n_sv"]
    follows = (own["event"] == MERGED_TWO) & ("made_h" in out)
    told = np.flatnonzero((own["event"] > 0) & ~follows)
    crowded = (b[:-1] + own["added"][1:] - b[1:]).max() > 1 or own[
        "tau"
    ].any()  # then E does not follow from the rule
    several = {"event_E": own["E"][happened].astype(np.float32)} if crowded else {}
    rival = {"rival": np.maximum(own["rival"], 0).astype(np.uint8)} if scores(trace) > 1 else {}
    return (
        out
        | changes(trace, follows)
        | several
        | rival
        | {
            "drawn": smallest(flat(trace, "drawn")),
            "margin": flat(trace, "margin").astype(np.float32),
            "event": own["event"].astype(np.uint8),
            "event_degradation": own["degradation"][happened].astype(np.float32),
            "told_h": own["h"][told].astype(np.float32),
            **{f"told_{name}": signed(own[name][told]) for name in ("m", "n", "z")},
            "n_sv": smallest(b.astype(np.int64)),
        }
    )


PART = Part(changes=columns, own=lambda name: name in ("pull", "phi", "by", "tau"))
