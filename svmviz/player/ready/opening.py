"""Runs that are kept ready to travel, so that the first screen never waits for a compiler: the
example that a first visit opens on, and the first stage of each article.

`python -m svmviz.player.ready.openings` records them anew; a test compares them with fresh runs.
"""

import json
import struct
from functools import cache
from pathlib import Path

from svmviz.player.wire.run import Packed
from svmviz.run.recipe import Recipe
from svmviz.run.view import OPENING, VIEW

__all__ = ["OPENING", "VIEW", "load"]

FOLDER = Path(__file__).parents[1] / "recorded"


@cache
def kept() -> dict[str, Packed]:
    """Return the recorded runs by the keys of their recipes."""
    found = {}
    for file in sorted(FOLDER.glob("*.bin")):
        data = file.read_bytes()
        stop = 4 + struct.unpack("<I", data[:4])[0]
        header = json.loads(data[4:stop])
        found[header.pop("of")] = Packed(header, data[stop:])
    return found


def load(recipe: Recipe) -> Packed | None:
    """Return the run of a recipe, if it is one of these."""
    return kept().get(recipe.key())
