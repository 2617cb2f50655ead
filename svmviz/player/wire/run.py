"""A trace as bytes for the player: header length, JSON header, typed arrays (`packing.body`).

What changed travels, not pictures: about 13 bytes per step of Pegasos. `1 - factor` is sent instead
of the factor, because a float32 close to 0 keeps far more digits than one close to 1; the player
multiplies thousands of them. Not-a-number may stand only inside arrays: JSON has no word for it.
"""

import json
import math
import struct
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from svmviz.data.params import Param
from svmviz.maths.matrix import entries
from svmviz.player.wire import front, rivals
from svmviz.player.wire.packing import body, exact, smallest, thinned
from svmviz.player.wire.part import Part, fine
from svmviz.player.wire.parts import PARTS, table
from svmviz.record.measure import OF_RESIDUALS
from svmviz.record.sentences import DEPTHS
from svmviz.record.trace import Trace
from svmviz.run import shown
from svmviz.run.fork import kernel_in_words
from svmviz.run.recipe import Recipe
from svmviz.run.rivals import possible
from svmviz.run.shown import Shown
from svmviz.work.limits import ONE_THREAD

TOO_LARGE = (
    "some numbers of this run are larger than a computer can tell; take other parameters, or scale"
    " the data"
)
COSTS = "kernel_evals", "features_read"
# Of a run's responses: their bulk sets the limits of an axis, one pair for the whole run.
EXTENT = "lowest", "highest"


class Packed(NamedTuple):
    """A trace ready to travel: what the header says, and the arrays."""

    header: dict
    body: bytes


def pack(trace: Trace, *look, **more) -> Packed:
    """Everything of a run that the stage needs; `look` and `more` as in `shown.of_trace`."""
    return packed(shown.of_trace(trace, *look, **more))


def pack_recipe(recipe: Recipe, seconds: float = math.inf) -> Packed:
    """Carry a recipe out and pack what it gives, on the plane that it looks at; `seconds` as in
    `shown.of_trace`.
    """
    return packed(shown.of_recipe(recipe, seconds))


@ONE_THREAD
def packed(found: Shown) -> Packed:
    """What was computed of a run, ready to travel."""
    out = seal(*gather(found))
    written(out.header)  # refused here, where a page can still say so
    return out


def seal(header: dict, arrays: dict[str, np.ndarray]) -> Packed:
    layout, packed = body(arrays)
    return Packed(header | {"arrays": layout}, packed)


def gather(found: Shown) -> tuple[dict, dict]:
    """Header and arrays of `packed`, before they are sealed."""
    trace, plane, test = found.trace, found.plane, found.test
    seen, part = trace.problem._replace(X=trace.table), PARTS[trace.solver.algorithm.record]
    bound, drawn = bounded(found.bound)
    try:
        with np.errstate(over="raise"):
            arrays = columns(trace, part)
    except FloatingPointError:
        raise ValueError(TOO_LARGE) from None
    arrays |= (
        drawn
        | plane.arrays(seen)
        | part.look(trace, plane)
        | tracked(found.tracked)
        | {"words": told(trace)}
    )
    if test is not None:
        arrays["wrong_test"] = smallest(np.rint(found.test_error * test.n).astype(np.int64))
    if found.pixels is not None:
        arrays |= {
            name: exact(part)
            for name, part in zip(("pixel_shift", "pixel_divisor"), found.pixels, strict=True)
        }
    scores = trace.scores if trace.solver.space.every_class else table.scores(trace)
    beside, more = rivals.beside(found.rivals, trace.steps)
    extra = {
        "plane": plane.describe(),
        "image": found.image,
        "n_test": test.n if test else 0,
        "fresh": found.fresh,
        "bound": bound,
        "beside": beside,
        "scores": scores,
        "classes": named(trace.problem, found.classes) if scores > 1 else [],
        **({"real": True} if trace.problem.real else {}),
    }
    header = describe(trace, part, found.optima) | extra | ({} if found.optima else {"later": True})
    for k, worth in enumerate(found.entries, start=1):
        header["segments"][k]["entry"] = entry(trace, k, worth, test)
    return header, arrays | more


def told(trace: Trace) -> np.ndarray:
    """All that a solver has to say in this run, as the bytes of a text: among the arrays it is
    deflated with them.
    """
    solver, spoken = trace.solver, int(np.bitwise_or.reduce(trace.column("why", first=1)))
    words = {
        "said": {
            depth: [
                text if spoken >> bit & 1 else ""
                for bit, text in enumerate(solver.story.sentences(depth))
            ]
            for depth in DEPTHS
        },
        "questions": [question._asdict() for question in solver.story.questions],
        "symbols": [symbol._asdict() for symbol in solver.story.symbols],
    }
    return np.frombuffer(
        json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode(), np.uint8
    )


def named(problem, names=()) -> list[str]:
    """What the classes are called where each has a score; where nobody named them, they are
    counted.
    """
    if problem.classes == 2:
        return ["−1", "+1"]
    return (
        list(names) if len(names) == problem.classes else [str(c) for c in range(problem.classes)]
    )


def completed(packed: Packed, best: list[dict | None], cut: float) -> Packed:
    """The same run with optima that came later; `cut` is the time that was not enough for them, if
    so.
    """
    segments = [
        segment | {"optimum": found}
        for segment, found in zip(packed.header["segments"], best, strict=True)
    ]
    return packed._replace(
        header=packed.header | {"segments": segments, "later": False, "cut": cut}
    )


def encode(packed: Packed, **extra) -> bytes:
    """The bytes for the player; `extra` joins the header."""
    text = written(packed.header | extra)
    return struct.pack("<I", len(text)) + text + packed.body


def written(header: dict) -> bytes:
    """The header as JSON; refused where it holds what is no number."""
    try:
        return json.dumps(
            header, ensure_ascii=False, allow_nan=False, separators=(",", ":")
        ).encode()
    except ValueError:
        raise ValueError(TOO_LARGE) from None


def describe(trace: Trace, part: Part, best: list[dict | None] | None) -> dict:
    problem, solver = trace.problem, trace.solver
    named = {p.name: p for p in solver.params}
    segments = []
    everyone = np.arange(problem.n)
    for k, (start, params, record, active, _) in enumerate(trace.segments):
        before = trace.segments[k - 1].params if k else {}
        same = np.array_equal(active, everyone)
        came, went = (
            ((), ())
            if same
            else (np.setdiff1d(a, b).tolist() for a, b in ((active, everyone), (everyone, active)))
        )
        everyone = active
        segments.append(
            {
                "start": start,
                "k": record.drawn.shape[1],
                "params": (
                    {"iterate": "last"}
                    | params
                    | {
                        "kernel": trace.kernel(start + 1)._asdict(),
                        "loss": solver.loss(params)._asdict(),
                    }
                ),
                "waves": 0,
                **part.segment(trace, params),
                "figure": solver.story.figure(params),
                "lines": [line._asdict() for line in solver.story.lines(params)],
                "label": ", ".join(
                    [
                        *(
                            turned(named[name], value)
                            for name, value in params.items()
                            if before and before[name] != value and named[name].matters(params)
                        ),
                        *edited(before, came, went),
                    ]
                ),
                "came": came,
                "went": went,
                "optimum": best[k] if best else None,
                "entries": entries(problem.X if len(active) == problem.n else problem.X[active]),
            }
        )
    return {
        "solver": {
            "key": solver.key,
            "title": solver.title,
            "paper": solver.paper,
            "maximises": solver.goal.maximises,
            "objective": solver.goal.objective,
            "after": solver.goal.averages(trace.params()).after,
        },
        "n": problem.n,
        "d": problem.d,
        "entries": entries(problem.X),
        "own": [name for name in trace.scalars if name not in (solver.goal.objective, *EXTENT)],
        "T": trace.steps,
        "seed": trace.seed,
        "segments": segments,
        "fronts": front.has_front(trace),
        "extent": extent(trace),
        "compared": possible(trace),
        "costs": {name: _constant(trace, name) for name in COSTS},
    }


def entry(trace: Trace, k: int, worth: dict[str, float], test=None) -> dict:
    """Of what the state where segment k begins is worth under that segment all that the stage
    shows; None if not finite.
    """
    solver, own = trace.solver, trace.segments[k]
    sent = {
        "objective": solver.goal.objective,
        "objective_average": f"{solver.goal.objective}_average",
        "gap": "gap",
        "b": "b",
        "b_average": "b_average",
        "cells": "cells",
        "seen": "seen",
        "known_pegasos": "known_pegasos",
    }
    out = {name: float(worth[key]) for name, key in sent.items() if key in worth}
    out["wrong"] = round(worth[solver.goal.error] * len(own.active))
    if test is not None:
        out["wrong_test"] = round(worth["error_test"] * test.n)
    return {name: value if math.isfinite(value) else None for name, value in out.items()}


def extent(trace) -> list[float] | None:
    """What nearly all steps stay within, the wild first ones apart."""
    if EXTENT[0] not in trace.scalars:
        return None
    return [
        float(np.percentile(trace.scalars[name][1:], share))
        for name, share in zip(EXTENT, (5, 95), strict=True)
    ]


@lru_cache(maxsize=64)
def thinly(count: int) -> np.ndarray:
    """A few hundred of so many places, closest at the beginning."""
    return np.unique(np.geomspace(1, count, 200).astype(int) - 1)


def bounded(bound) -> tuple[dict | None, dict[str, np.ndarray]]:
    """What a theorem says, and its curve at a few hundred steps."""
    if bound is None:
        return None, {}
    thin = thinly(bound.t.size)
    words = {
        "name": bound.name,
        "statement": bound.statement,
        "broken": bound.broken,
        "vacuous": float(bound.value[-1]) if bound.vacuous else 0,
        "formula": bound.formula,
        "numbers": bound.numbers,
        "where": bound.where,
        "parts": list(bound.parts),
        "constants": {name: float(v) for name, v in bound.constants.items() if math.isfinite(v)},
        "assumptions": [{"text": a.text, "holds": a.holds} for a in bound.assumptions],
    }
    return words, {
        "bound_t": smallest(bound.t[thin]),
        "bound_value": bound.value[thin],
        **{
            f"bound_{name}": np.asarray(part, np.float64)[thin]
            for name, part in bound.parts.items()
        },
    }


def turned(param: Param, value) -> str:
    """What a flag says of a parameter: its new value, unless that is a text of many."""
    if param.is_kernel:
        return kernel_in_words(value)
    return (
        f"{param.title} changed"
        if param.text
        else f"{param.symbol or param.title} {param.write(value)}"
    )


def _constant(trace, name):
    """The cost of a step where it never changes, else None: then it travels as an array."""
    values = trace.column(name)[1:]
    return int(values[0]) if (values == values[0]).all() else None


def edited(before, came, went) -> list[str]:
    """How the data changed here, in a word or two for the timeline."""
    if not before or not (len(came) or len(went)):
        return []
    if len(came) == len(went):
        return [f"{len(came)} moved"]
    return [
        " ".join(f"{sign}{len(rows)}" for sign, rows in (("+", came), ("−", went)) if len(rows))
        + " points"
    ]


def tracked(found: tuple[np.ndarray, np.ndarray] | None) -> dict[str, np.ndarray]:
    """The exact optima along the run, at the few steps where they were computed."""
    return (
        {"tracked_t": smallest(found[0]), "tracked_value": found[1]}
        if found is not None and found[0].size
        else {}
    )


def columns(trace: Trace, part: Part) -> dict[str, np.ndarray]:
    problem, found = trace.problem, trace.metrics
    objective = [trace.solver.goal.objective, f"{trace.solver.goal.objective}_average"]
    precise = np.float64 if part.fine(trace) else np.float32
    parts = [trace.segments[0], *trace.segments]  # t = 0 counts with the first
    sizes = np.repeat(
        [len(s.active) for s in parts], [1, *(s.record.changes.steps for s in trace.segments)]
    )
    shrink, t = 1.0 - trace.column("factor", first=1.0), np.arange(trace.steps + 1)
    out = {
        "y": exact(problem.y) if problem.real else problem.y.astype(np.int8),
        **part.changes(trace, precise),
        **(
            {}
            if np.allclose(shrink[1:] * t[1:], 1.0, rtol=1e-12)
            else {"shrink": exact(shrink) if fine(trace) else shrink.astype(np.float32)}
        ),
        "objective": found[objective[0]].astype(precise),
        "wrong": smallest(np.rint(found[trace.solver.goal.error] * sizes).astype(np.int64)),
        "lines": smallest(trace.column("lines")),
        "spoken": smallest(trace.column("why", first=1)),
    }
    averaged = any(p.name == "iterate" for p in trace.solver.params) and part.averages
    if averaged and objective[1] in found:  # what a solver counts itself need not have one
        out["objective_average"] = found[objective[1]].astype(np.float32)
    if trace.solver.goal.dual:
        out["gap"] = found["gap"].astype(np.float32)
    if trace.solver.space.real:
        out |= {name: found[name].astype(np.float32) for name in OF_RESIDUALS}
    for name, values in trace.scalars.items():
        if name not in {*objective, *EXTENT} and part.own(name) and values.any():
            out |= thinned(name, values)
    for name in COSTS:
        if _constant(trace, name) is None:
            out[name] = smallest(trace.column(name))
    if {*COSTS} <= {*out} and np.array_equal(
        trace.column(COSTS[1]), problem.d * trace.column(COSTS[0])
    ):
        del out[COSTS[1]]  # whole vectors were read
    if any(s.params.get("iterate") == "random" for s in trace.segments):
        out["random"] = smallest(trace.random_iterates)
    return out
