"""A trace as bytes for the player: header length, JSON header, typed arrays aligned to 8 bytes.

What changed travels, not pictures: about 28 bytes per step. `1 - factor` is sent instead of the factor, because a float32
close to 0 keeps far more digits than one close to 1; the player multiplies thousands of them. Not-a-number may stand only
inside arrays: JSON has no word for it.
"""

import json
import struct
from typing import NamedTuple

import numpy as np

from svmviz import parts, planes, reference
from svmviz.core import Param
from svmviz.planes import Plane, dense
from svmviz.trace import Trace

OPTIMUM_UP_TO = 2000  # examples; beyond, the exact optimum takes longer than a page should wait


class Packed(NamedTuple):
    """A trace ready to travel: what the header says, and the arrays."""

    header: dict
    body: bytes


def pack(trace: Trace, plane: Plane | None = None, image: tuple[int, int] | None = None) -> Packed:
    """Everything of a run that the stage needs; `plane` says what to look at where there are more than two features, `image`
    that a row is a picture of that height and width."""
    plane = plane or planes.default(trace.problem)
    layout, chunks, offset = {}, [], 0
    for name, array in (columns(trace) | plane.arrays(trace.problem)).items():
        layout[name] = [array.dtype.name, offset, array.size]
        chunk = np.ascontiguousarray(array).tobytes()
        chunk += bytes(-len(chunk) % 8)
        chunks.append(chunk)
        offset += len(chunk)
    return Packed(describe(trace) | {"arrays": layout, "plane": plane.describe(), "image": image}, b"".join(chunks))


def pack_recipe(recipe) -> Packed:
    """Carry a recipe out and pack what it gives, on the plane that it looks at."""
    trace = recipe.trace()
    return pack(trace, recipe.look(trace.problem), recipe.source.image)


def encode(packed: Packed, **extra) -> bytes:
    """The bytes for the player; `extra` joins the header."""
    text = json.dumps(packed.header | extra, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    text += b" " * (-(4 + len(text)) % 8)
    return struct.pack("<I", len(text)) + text + packed.body


def describe(trace: Trace) -> dict:
    problem, solver = trace.problem, trace.solver
    named = {p.name: p for p in solver.params}
    segments = []
    everyone = np.arange(problem.n)
    for start, params, cols, active in trace.segments:
        before = segments[-1]["params"] if segments else {}
        came, went = (np.setdiff1d(a, b) for a, b in ((active, everyone), (everyone, active)))
        everyone = active
        shown = {name: named[name].write(value) for name, value in params.items()}
        segments.append({
            "start": start, "k": cols.drawn.shape[1], "params": shown, "lam": params["lam"], "project": params["project"],
            "iterate": params["iterate"], "kernel": (params["kernel"] or parts.linear())._asdict(),
            "figure": solver.figure(params), "lines": [line._asdict() for line in solver.lines(params)],
            "label": ", ".join([*(f"{_label(named[name])} {value}" for name, value in shown.items()
                                  if before and before[name] != value), *edited(before, came, went)]),
            "came": came.tolist(), "went": went.tolist(), "optimum": optimum(trace.problem, params, active),
        })
    bound = solver.bound(trace)
    thin = np.unique(np.geomspace(1, bound.t.size, 200).astype(int) - 1)
    return {
        "solver": {"key": solver.key, "title": solver.title, "paper": solver.paper}, "why": solver.why,
        "n": problem.n, "d": problem.d, "T": trace.steps, "seed": trace.seed, "segments": segments,
        "bound": {"name": bound.name, "statement": bound.statement, "broken": bound.broken, "t": bound.t[thin].tolist(),
                  "value": bound.value[thin].tolist()},
        "costs": {name: _constant(trace, name) for name in ("kernel_evals", "features_read")},
    }


def _label(param: Param) -> str:
    return param.symbol or param.title


def _constant(trace, name):
    """The cost of a step where it never changes, else None: then it travels as an array."""
    values = trace.column(name)[1:]
    return int(values[0]) if (values == values[0]).all() else None


def edited(before, came, went) -> list[str]:
    """How the data changed here, in a word or two for the timeline."""
    if not before or not (came.size or went.size):
        return []
    if came.size == went.size:
        return [f"{came.size} moved"]
    return [" ".join(f"{sign}{rows.size}" for sign, rows in (("+", came), ("−", went)) if rows.size) + " points"]


def optimum(problem, params, active) -> dict | None:
    if len(active) > OPTIMUM_UP_TO:
        return None
    if len(active) < problem.n:
        problem = problem._replace(X=problem.X[active], y=problem.y[active])
    exact = reference.optimum(problem, lam=params["lam"], kernel=params["kernel"])
    w = exact.w.tolist() if exact.w is not None and exact.w.size == 2 else None
    return {"primal": exact.primal, "norm": exact.norm, "gap": exact.gap, "w": w}


def columns(trace: Trace) -> dict[str, np.ndarray]:
    problem, metrics = trace.problem, trace.metrics
    flat = {name: np.concatenate([getattr(s.columns, name).ravel() for s in trace.segments])
            for name in ("drawn", "margin", "delta")}
    pull = trace.column("project", first=1.0)
    sizes = np.array([len(trace.segment(t).active) for t in range(trace.steps + 1)])
    out = {
        "X": exact(dense(problem.X)), "y": problem.y.astype(np.int8),
        "drawn": smallest(flat["drawn"]), "margin": flat["margin"].astype(np.float32),
        "delta": flat["delta"].astype(np.float32),
        "shrink": (1.0 - trace.column("factor", first=1.0)).astype(np.float32),
        "primal": metrics["primal"].astype(np.float32), "primal_average": metrics["primal_average"].astype(np.float32),
        "wrong": smallest(np.rint(metrics["error"] * sizes).astype(np.int64)),
        "lines": smallest(trace.column("lines")), "spoken": smallest(trace.column("why", first=1)),
        "pulled": smallest(np.flatnonzero(pull < 1.0)), "pull": pull[pull < 1.0],
    }
    for name in ("kernel_evals", "features_read"):
        if _constant(trace, name) is None:
            out[name] = smallest(trace.column(name))
    if any(s.params["iterate"] == "random" for s in trace.segments):
        out["random"] = smallest(np.array([trace.random_iterate(t) for t in range(trace.steps + 1)]))
    return out


def exact(X: np.ndarray) -> np.ndarray:
    """float32 where that loses nothing, else float64."""
    with np.errstate(over="ignore"):  # what is too large for float32 becomes infinite there, and so is not equal
        short = X.astype(np.float32)
    return short if (short == X).all() else X


def smallest(values: np.ndarray) -> np.ndarray:
    """The narrowest unsigned integers that hold the values."""
    high = int(values.max(initial=0))
    return values.astype(np.uint8 if high < 2**8 else np.uint16 if high < 2**16 else np.uint32)
