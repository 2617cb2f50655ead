"""What may happen on a visit, see `visit.after`. Where an event names an `id`, it is about the run
of that key only: what the player asks for may come late.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from svmviz.data.plane import Dataset
from svmviz.run.recipe import Recipe
from svmviz.run.visit.address import Address

# The address --------------------------------------------------------------------------------------


class Link(NamedTuple):
    """A link was opened, or an entry of the history; `said` are sentences about it."""

    query: Mapping[str, str]
    said: tuple[str, ...] = ()


class Returned(NamedTuple):
    """The visitor was on another page; a new player is where he left the old one."""


class Moment(NamedTuple):
    """A moment of a storyboard was asked for, by the player: it is where the visitor goes, if there
    is such a run.
    """

    id: int
    query: Mapping[str, str]


class Arrived(NamedTuple):
    """What a page shows is what this query asks for."""

    page: str
    query: Mapping[str, str]


class Addressed(NamedTuple):
    """The address of a page has followed to what is shown."""

    page: str
    address: Address


# The sidebar --------------------------------------------------------------------------------------


class Data(NamedTuple):
    """Other data were chosen."""

    key: str


class Solver(NamedTuple):
    """Another solver was chosen."""

    key: str


class Open(NamedTuple):
    """The opening of a solver was asked for."""

    key: str


class Settings(NamedTuple):
    """Data, seed and length as the controls have them: they hold from the first step on."""

    data_params: Mapping[str, Any]
    seed: int
    steps: int
    plane: str = ""


class Knob(NamedTuple):
    """The controls have other parameters than the recipe, these; none if they agree. They hold from
    where the player is.
    """

    new: Mapping[str, Any]


class Restarting(NamedTuple):
    """A run from the first step on was asked for, with whatever the controls have: `Restart`
    follows.
    """


class Restart(NamedTuple):
    """From the first step on with the latest parameters, and these."""

    new: Mapping[str, Any] = {}


class Undo(NamedTuple):
    """The latest change is taken back."""


class Preset(NamedTuple):
    """A known algorithm was chosen: these parameters, from the first step on, seen where the player
    is.
    """

    new: Mapping[str, Any]


class Take(NamedTuple):
    """Another recipe altogether, seen at step t: a way out, a file."""

    recipe: Recipe
    t: int = 0


class TakeBack(NamedTuple):
    """Out of a run that was refused: without the latest change, or to the latest one that was
    shown.
    """


# The player ---------------------------------------------------------------------------------------


class View(NamedTuple):
    """The player rests and says where: what of the run is seen, `serial` of the order that led
    there, and `knob`, the latest one that it knows of.
    """

    report: Mapping[str, Any]


class More(NamedTuple):
    """The player is near the end of a run of T steps."""

    T: int


class Change(NamedTuple):
    """The change that a knob asked for falls after step t; `behind` is the knob that the player
    knew of before.
    """

    id: int
    t: int
    behind: int = 0
    playing: bool = False


class Tune(NamedTuple):
    """Parameters were turned on the stage itself, after step t."""

    id: str
    t: int
    new: Mapping[str, Any]


class Branch(NamedTuple):
    """Two runs from step t on ("fork"), the other one first ("swap"), only the second ("keep"),
    only the first ("drop").
    """

    id: str
    what: str
    t: int = 0


class Hand(NamedTuple):
    """The visitor is the teacher, and chose the example that comes after step t."""

    id: str
    t: int
    i: int


class Edit(NamedTuple):
    """Points were drawn and removed after step t; or that is to be taken back ("undo"), or done
    again ("redo").
    """

    id: str
    what: str
    t: int = 0
    drop: tuple = ()
    add: tuple = ()
    serial: int = 0  # of the strokes of one stage


class Want(NamedTuple):
    """The player shows something that is computed only for whoever looks at it."""

    wish: Mapping[str, Any]


# The rest -----------------------------------------------------------------------------------------


class Shown(NamedTuple):
    """The run could be carried out and is on stage."""


class Refused(NamedTuple):
    """It could not."""


class Files(NamedTuple):
    """Files that the visitor has now, for the Playground and for a stream; `anew` if a link was
    read without them.
    """

    own: Mapping[str, Dataset]
    whole: Mapping[str, Dataset]
    anew: bool = False


class Forget(NamedTuple):
    """The visitor's files are to be nowhere."""


class Afresh(NamedTuple):
    """Another page's controls start from new values."""
