"""Runs with twin vectors, for the player: the table of examples and of what was made of them, the
coefficients that a step raised (not-a-number: the row is gone), who came in, and how room was made.
Counts follow from that.
"""

import numpy as np

from svmviz.player.wire.packing import cells, signed, smallest
from svmviz.player.wire.part import Part, flat
from svmviz.record import support
from svmviz.record.trace import Trace

SENT = ("taken", "room", "alpha", "beyond", "full")


def columns(trace: Trace, precise: type) -> dict[str, np.ndarray]:
    found = [segment.record.changes for segment in trace.segments]
    amounts = [np.where(part.gone, np.nan, part.amount[:, 0]) for part in found]
    rooms = np.concatenate([s.record.own["rooms"] for s in trace.segments])
    return cells(trace.table) | {
        "drawn": smallest(flat(trace, "drawn")),
        "margin": flat(trace, "margin").astype(np.float32),
        "changes": smallest(np.concatenate([[0], *(np.diff(part.first) for part in found)])),
        "change_index": smallest(np.concatenate([part.row for part in found])),
        "change_delta": np.concatenate(amounts),
        "merged": smallest(support.mergings(trace.problem.n, trace.made.parents)),
        "n_sv": smallest(trace.scalars["n_sv"].astype(np.int64)),
        "came": smallest(trace.scalars["row"].astype(np.int64) + 1),
        "rooms": smallest(
            np.concatenate([[0], *(np.diff(s.record.own["room_first"]) for s in trace.segments)])
        ),
        "room_kind": rooms[:, 0].astype(np.uint8),
        **{f"room_{name}": signed(rooms[:, k]) for k, name in enumerate("mnz", start=1)},
    }


PART = Part(changes=columns, own=lambda name: name in SENT, averages=False)
