"""The prepared example that a first visit opens on, kept ready to travel, so that the first screen never waits for a
compiler. `python -m svmviz.player.opening` writes it anew; a test compares it with a fresh run.
"""

import json
import struct
from pathlib import Path

from svmviz.player.wire import Packed, encode, pack_recipe
from svmviz.run.view import OPENING, VIEW

__all__ = ["OPENING", "VIEW", "load"]
FILE = Path(__file__).parent / "opening.bin"


def load() -> Packed:
    data = FILE.read_bytes()
    stop = 4 + struct.unpack("<I", data[:4])[0]
    return Packed(json.loads(data[4:stop]), data[stop:])


if __name__ == "__main__":
    FILE.write_bytes(encode(pack_recipe(OPENING)))
