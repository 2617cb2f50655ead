"""Runs that are kept ready to travel, so that the first screen never waits for a compiler: the example that a first visit
opens on, and the first stage of each article. `python -m svmviz.player.ready.opening` writes them anew; a test compares them with
fresh runs.
"""

import json
import struct
from functools import cache
from pathlib import Path

from svmviz.lessons.articles import PAPERS, article
from svmviz.player.wire.run import Packed, encode, pack_recipe
from svmviz.run.recipe import Recipe
from svmviz.run.view import OPENING, VIEW

__all__ = ["OPENING", "VIEW", "load", "recorded"]


@cache
def recorded() -> dict[Path, Recipe]:
    """By file."""
    first = {name: next(section.scene.recipe for section in article(name).sections if section.scene) for name in PAPERS}
    return {Path(__file__).parents[1] / "recorded" / f"opening{name}.bin": recipe
            for name, recipe in ({"": OPENING} | {f"-{name}": recipe for name, recipe in first.items()}).items()}


def load(recipe: Recipe) -> Packed | None:
    """The run of a recipe, if it is one of these."""
    file = next((file for file, one in recorded().items() if one == recipe), None)
    if file is None:
        return None
    data = file.read_bytes()
    stop = 4 + struct.unpack("<I", data[:4])[0]
    return Packed(json.loads(data[4:stop]), data[stop:])


if __name__ == "__main__":
    for file, recipe in recorded().items():
        file.write_bytes(encode(pack_recipe(recipe)))
