"""The prepared example that a first visit opens on, kept ready to travel, so that the first screen never waits for a
compiler. `python -m svmviz.player.opening` writes it anew; a test compares it with a fresh run.
"""

import json
import struct
from pathlib import Path

from svmviz.player.wire import Packed, encode, pack_recipe
from svmviz.run.recipe import Recipe

FILE = Path(__file__).parent / "opening.bin"

# A step that shows all three beats: a point on the wrong side, a long step, and the pull back onto the ball.
OPENING = Recipe(data="blobs", data_params={"n": 120, "noise": 1.1, "seed": 0}, params={"lam": 0.05, "project": True},
                 seed=3, steps=120).checked()
VIEW = {"t": 9, "beat": "add", "x": "steps", "y": "", "field": ""}


def load() -> Packed:
    data = FILE.read_bytes()
    stop = 4 + struct.unpack("<I", data[:4])[0]
    return Packed(json.loads(data[4:stop]), data[stop:])


if __name__ == "__main__":
    FILE.write_bytes(encode(pack_recipe(OPENING)))
