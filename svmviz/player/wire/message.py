"""What the player is told along with a run: what it is called, where to stand in it, what may be
asked of it.
"""

from collections.abc import Mapping

from svmviz.player.wire import run
from svmviz.run.recipe import Recipe


def told(
    recipe: Recipe,
    packed: run.Packed,
    view: Mapping | None,
    knob: tuple[int, int | None] | None = None,
    redo: int = 0,
    invite: bool = False,
    address: str = "",
    strokes: int = 0,
    **more,
) -> bytes:
    """All that the player is told of a run, and of where to be in it; `more` counts before what is
    said here.
    """
    return run.encode(
        packed,
        **{
            "id": recipe.key(),
            "query": recipe.query(),
            "undo": len(recipe.edits),
            "redo": redo,
            "view": view and dict(view),
            "editable": (
                len(recipe.source.names) == 2
                and not (packed.header["classes"] or packed.header.get("real"))
            ),
            "python": recipe.python("{step}"),
            "knob": knob and {"id": knob[0], "t": knob[1]},
            "final": recipe.steps >= recipe.most_steps(),
            "invite": invite,
            "about": f"{recipe.about()}; run seed {recipe.seed}",
            "address": address,
            "strokes": strokes,
        }
        | more,
    )
