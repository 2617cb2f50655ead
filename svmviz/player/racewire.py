"""A race as bytes for the player: the curves of all lanes over all cost axes, and of each lane the run of seed 0, packed as for
the Playground but without what only a single run shows."""

from dataclasses import replace
from typing import Any

import numpy as np

from svmviz import race
from svmviz.planes import Plane
from svmviz.player.wire import Packed, encode, pack, smallest
from svmviz.trace import Trace
from svmviz.views.looks import look

UNUSED = {"margin", "wrong", "lines", "spoken", "gap", "wet", "project", "project_at", "project_value"}
OBJECTIVE = {"objective", "objective_average"}  # the level, where a solver works on that: its predictor is scaled by it


def pack_lane(trace: Trace, plane: Plane) -> bytes:
    """What a small plane needs: what each step changed, and what it cost."""
    plain = replace(trace.solver, optimum=lambda *_: None, bound=lambda _: None)  # the race has its own optimum, and no theorem
    packed = pack(replace(trace, solver=plain), plane)
    unused = UNUSED if trace.solver.objective == "level" else UNUSED | OBJECTIVE
    arrays = {name: packed.body[at:at + size * np.dtype(kind).itemsize]
              for name, (kind, at, size) in packed.header["arrays"].items() if name not in unused}
    kinds = {name: packed.header["arrays"][name][::2] for name in arrays}
    inner = smallest(np.diff(race.all_costs(trace)["inner_products"], prepend=0))
    arrays["inner_products"], kinds["inner_products"] = inner.tobytes(), (inner.dtype.name, inner.size)
    layout, body = lay_out(arrays, kinds)
    kept = {name: packed.header[name] for name in ("solver", "n", "d", "T", "costs", "plane", "segments")}
    return encode(Packed(kept | {"arrays": layout}, body))


def lay_out(arrays: dict[str, bytes], kinds: dict[str, tuple[str, int]]) -> tuple[dict[str, list], bytes]:
    """Where each array begins, and all of them one behind the other, aligned to 8 bytes."""
    layout, chunks, offset = {}, [], 0
    for name, chunk in arrays.items():
        kind, size = kinds[name]
        layout[name] = [kind, offset, size]
        chunks.append(chunk + bytes(-len(chunk) % 8))
        offset += len(chunks[-1])
    return layout, b"".join(chunks)


def encode_race(lanes: list[race.Lane], runs: dict[str, bytes], tables: dict[str, race.table.Table], pace: dict[str, float],
                seeds: int, **extra: Any) -> bytes:
    """The whole message; `runs` holds what `pack_lane` made, `extra` joins the header."""
    arrays, kinds = {}, {}

    def add(name: str, values: np.ndarray) -> None:
        arrays[name], kinds[name] = values.tobytes(), (values.dtype.name, values.size)

    for axis, table in tables.items():
        add(f"x.{axis}", table.x)
        for key, found in table.values.items():
            for metric, values in found.items():
                if not np.isnan(values).all():
                    add(f"{axis}.{key}.{metric}", values.astype(np.float32))
    for lane in lanes:
        add(f"run.{lane.key}", np.frombuffer(runs[lane.key], np.uint8))
    layout, body = lay_out(arrays, kinds)
    described = [{"key": lane.key, "title": lane.title, "steps": lane.steps, "pace": pace[lane.key],
                  "iterate": lane.params.get("iterate", "last"), **look(lane.key)._asdict()} for lane in lanes]
    axes = {axis: race.table.AXES[axis] for axis in tables}
    return encode(Packed({"lanes": described, "axes": axes, "seeds": seeds, "arrays": layout}, body), **extra)
