"""A race as bytes for the player: the curves of all rivals over all cost axes, and of each the run of seed 0, packed as for the
Playground but without what only a single run shows."""

from typing import Any

import numpy as np

from svmviz import race
from svmviz.data.projection import Plane
from svmviz.player.packing import smallest
from svmviz.player.wire import encode, gather, seal
from svmviz.record.trace import Trace
from svmviz.run.shown import Shown
from svmviz.solvers import SOLVERS
from svmviz.views import looks

UNUSED = {"margin", "wrong", "lines", "spoken", "gap", "wet", "project", "project_at", "project_value"}
KEPT = ("solver", "n", "d", "T", "costs", "plane", "segments", "scores", "classes", "real")
OBJECTIVE = {"objective", "objective_average"}  # the level, where a solver works on that: its predictor is scaled by it


def pack_rival(trace: Trace, plane: Plane) -> bytes:
    """What a small plane needs: what each step changed, and what it cost."""
    header, arrays = gather(Shown(trace, plane))
    unused = UNUSED if trace.solver.objective == "level" else UNUSED | OBJECTIVE
    arrays["inner_products"] = smallest(np.diff(race.all_costs(trace)["inner_products"], prepend=0))
    kept = {name: header[name] for name in KEPT if name in header}
    return encode(seal(kept, {name: values for name, values in arrays.items() if name not in unused}))


def encode_race(rivals: list[race.Rival], runs: dict[str, bytes], tables: dict[str, race.table.Table], pace: dict[str, float],
                seeds: int, **extra: Any) -> bytes:
    """The whole message; `runs` holds what `pack_rival` made, `extra` joins the header."""
    arrays = {}
    for axis, table in tables.items():
        arrays[f"x.{axis}"] = table.x
        for key, found in table.values.items():
            arrays |= {f"{axis}.{key}.{metric}": values.astype(np.float32) for metric, values in found.items()
                       if not np.isnan(values).all()}
    arrays |= {f"run.{rival.key}": np.frombuffer(runs[rival.key], np.uint8) for rival in rivals}
    look = looks.together(rival.key for rival in rivals)
    described = [{"key": rival.key, "title": rival.title, "steps": rival.steps, "pace": pace[rival.key],
                  "chance": SOLVERS[rival.solver].chance,
                  "iterate": rival.params.get("iterate", "last"), **look[rival.key]._asdict()} for rival in rivals]
    axes = {axis: race.table.AXES[axis] for axis in tables}
    ends = {axis: table.ends for axis, table in tables.items()}
    return encode(seal({"rivals": described, "axes": axes, "ends": ends, "seeds": seeds}, arrays), **extra)
