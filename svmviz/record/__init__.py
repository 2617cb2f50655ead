"""What a run leaves behind and how it is replayed: `Solver`, `Trace`, their metrics and
sentences.
"""

from collections.abc import Callable

# A picture of a run, of which a run knows nothing: the package puts the player's functions here,
# "page" (trace, title) and "frame" (trace).
PLAYERS: dict[str, Callable[..., str]] = {}
