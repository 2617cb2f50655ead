"""A race as bytes for the player: the curves of all rivals over all cost axes, and of each the run
of seed 0, packed as for the Playground but without what only a single run shows.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from svmviz import race
from svmviz.data.params import Param
from svmviz.data.projection import Plane
from svmviz.player.wire.packing import smallest
from svmviz.player.wire.run import encode, gather, seal
from svmviz.race.card import Card
from svmviz.record.trace import Trace
from svmviz.run.link import Reader, one_of
from svmviz.run.shown import Shown
from svmviz.solvers import SOLVERS
from svmviz.views import lanes as views

VIEW = ("t", "x", "y")  # of a link: where in the race it stands
UNUSED = {
    "margin",
    "wrong",
    "lines",
    "spoken",
    "gap",
    "wet",
    "project",
    "project_at",
    "project_value",
}
KEPT = ("solver", "n", "d", "T", "costs", "plane", "segments", "scores", "classes", "real")
OBJECTIVE = {
    "objective",
    "objective_average",
}  # the level, where a solver works on that: its predictor is scaled by it


def pack_rival(trace: Trace, plane: Plane) -> bytes:
    """What a small plane needs: what each step changed, and what it cost."""
    header, arrays = gather(Shown(trace, plane))
    unused = UNUSED if trace.solver.goal.objective == "level" else UNUSED | OBJECTIVE
    arrays["inner_products"] = smallest(np.diff(race.all_costs(trace)["inner_products"], prepend=0))
    kept = {name: header[name] for name in KEPT if name in header}
    return encode(
        seal(kept, {name: values for name, values in arrays.items() if name not in unused})
    )


def encode_race(
    rivals: list[race.Rival],
    runs: dict[str, bytes],
    tables: dict[str, race.table.Table],
    pace: dict[str, float],
    seeds: int,
    **extra: Any,
) -> bytes:
    """The whole message; `runs` holds what `pack_rival` made, `extra` joins the header."""
    arrays = {}
    for axis, table in tables.items():
        arrays[f"x.{axis}"] = table.x
        for key, found in table.values.items():
            arrays |= {
                f"{axis}.{key}.{metric}": values.astype(np.float32)
                for metric, values in found.items()
                if not np.isnan(values).all()
            }
    arrays |= {f"run.{rival.key}": np.frombuffer(runs[rival.key], np.uint8) for rival in rivals}
    look = views.in_race(rivals)
    described = [
        {
            "key": rival.key,
            "title": rival.title,
            "steps": rival.steps,
            "pace": pace[rival.key],
            "chance": SOLVERS[rival.solver].algorithm.chance,
            "iterate": rival.params.get("iterate", "last"),
            **look[rival.key]._asdict(),
        }
        for rival in rivals
    ]
    axes = {axis: race.table.AXES[axis] for axis in tables}
    ends = {axis: table.ends for axis, table in tables.items()}
    groups = [
        {"title": race.field.OVERFLOWS[name], "lanes": keys}
        for name, keys in race.field.grouped(rivals).items()
    ]
    return encode(
        seal(
            {"rivals": described, "groups": groups, "axes": axes, "ends": ends, "seeds": seeds},
            arrays,
        ),
        **extra,
    )


def described(card: Card) -> dict[str, Any]:
    """What the header says of a card."""
    best = card.optimum
    return {
        "id": card.key(),
        "query": card.query(),
        "python": card.python(),
        "about": f"{card.base.about()}; {card.told}; seeds 0 to {card.seeds - 1}",
        "tested": card.test is not None,
        "tested_on": card.tested_on,
        "yardstick": card.kind.yardstick._asdict(),
        "optimum": {
            "primal": best.primal,
            "unproven": best.unproven,
            card.kind.yardstick.key: card.optimum_error,
            "n_sv": card.kind.vectors(best),
            **({"level": 1 / best.norm} if card.kind.slack else {}),
        },
    }


def first_run(card: Card, rival: race.Rival) -> bytes:
    """Seed 0 of a lane."""
    return pack_rival(race.start(card.problem, rival, 0), card.base.look(card.problem))


def placed(query: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Where in a race a link stands, and a sentence for each part of it that could not be used."""
    place = Reader({name: query[name] for name in VIEW if name in query})
    known = {
        "t": Param("t", "", 0, 0, 9999).read,
        "x": one_of(race.table.AXES),
        "y": one_of(race.table.METRICS),
    }
    view = {name: place.take(name, read, None) for name, read in known.items()}
    return {name: value for name, value in view.items() if value is not None}, place.answer()


def whole(card: Card, view: Mapping[str, Any]) -> bytes:
    """A race with all its seeds, carried out one after the other."""
    rivals = card.line_up()
    tasks = [
        (rival, seed)
        for rival in rivals
        for seed in range(card.seeds if SOLVERS[rival.solver].algorithm.chance else 1)
    ]
    found: dict[str, list] = {rival.key: [] for rival in rivals}
    for rival, seed in tasks:
        found[rival.key].append(race.run(card.problem, rival, seed, card.lam, card.nu, card.test))
    runs = {
        key: results if len(results) == card.seeds else results * card.seeds
        for key, results in found.items()
    }
    tables = race.table.together(runs, card.optimum.primal)
    return encode_race(
        rivals,
        {rival.key: first_run(card, rival) for rival in rivals},
        tables,
        {rival.key: runs[rival.key][0].pace for rival in rivals},
        card.seeds,
        **described(card),
        view=dict(view),
        stale=None,
        address="",
    )
