"""How the lanes of a race look beside each other."""

from collections.abc import Sequence
from itertools import cycle

from svmviz.race import field
from svmviz.race.lanes import Rival
from svmviz.views.looks import LINES, OVERFLOWS, SHAPES, Look, together


def in_race(rivals: Sequence[Rival]) -> dict[str, Look]:
    """The looks of the lanes of a race. Where they are grouped the colour is that of the group; the
    line is a lane's own in it, and the shape in the race.

    >>> found = list(in_race(field.card().line_up()).values())
    >>> (
    ...     found[1].light == found[2].light,
    ...     found[1].dash == found[2].dash,
    ...     found[1].shape == found[2].shape,
    ... )
    (True, False, False)
    """
    groups, shapes = field.grouped(rivals), cycle(SHAPES)
    return {
        key: OVERFLOWS[name]._replace(shape=next(shapes), dash=LINES[k % len(LINES)])
        for name, keys in groups.items()
        for k, key in enumerate(keys)
    } or together(rival.key for rival in rivals)
