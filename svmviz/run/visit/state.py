"""What a visitor of the Playground looks at, asked for and has not got yet, as one value; and the
ways to another one that several events (`visit`) have in common.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from svmviz.data import edits
from svmviz.data.plane import Dataset
from svmviz.run.fork import Fork
from svmviz.run.link import SEEN
from svmviz.run.recipe import Recipe
from svmviz.run.view import ANEW
from svmviz.run.visit.address import Address
from svmviz.run.visit.switching import Past
from svmviz.solvers import SOLVERS
from svmviz.work.words import brief, count

GLIMPSE = 0.5  # of what is quick: 50 ms at most


class Turned(NamedTuple):
    """A knob that the player may not know of yet."""

    id: int
    t: int | None  # the step after which the change was put; None: the player is asked
    before: Recipe
    new: Mapping[str, Any]


@dataclass(frozen=True)
class Visit:
    recipe: Recipe | None = None  # None until a link, be it an empty one, was read
    fork: Fork | None = None  # another run beside it
    own: Mapping[str, Dataset] = field(
        default_factory=dict
    )  # files for the Playground, the latest last
    whole: Mapping[str, Dataset] = field(default_factory=dict)  # a file for a stream
    past: Past = field(default_factory=Past)  # of other solvers
    redo: tuple[edits.Edit, ...] = ()  # strokes that were taken back
    strokes: int = (
        0  # the last that was heard of, whatever came of it: the stage then sends the next
    )
    good: Recipe | None = None  # the latest that could be shown
    messages: tuple[str, ...] = ()  # what there is to say about a link or a change
    forgot: tuple[Recipe, Recipe] | None = (
        None  # the run before a change that forgot later ones, and the one after it
    )
    first: bool = False  # nothing was asked for: the stage invites to play

    view: Mapping[str, Any] = field(
        default_factory=dict
    )  # where the player was sent, with the number of the order
    seen: Mapping[str, Any] = field(default_factory=dict)  # what it shows, as far as is known
    at: int | None = None  # the step where it rests, as far as is known
    reported: Mapping[str, Any] | None = None  # what it said last
    wanted: Mapping[str, Any] | None = None  # what it shows and has not got yet
    moment: Mapping[str, Any] | None = (
        None  # of a storyboard, the latest that it asked for: what is wrong with it
    )

    turned: tuple[Turned, ...] = ()  # knobs that the player may not know of
    knob: tuple[int, int | None] | None = (
        None  # the latest of them, and its step, for the player to look at
    )
    knobs: int = 0  # how often one was turned
    generation: int = 0  # of the controls: those of another are other controls
    lengths: int = 0  # the same for the length alone, which the player may change
    restarting: bool = False

    addresses: Mapping[str, Address] = field(default_factory=dict)  # of each page
    arrivals: int = 0  # at any page
    heard: bool = False  # the player has spoken since the address followed

    @property
    def turnable(self) -> Recipe:
        """The run that the controls turn: of two the second."""
        return self.fork.branch(self.recipe) if self.fork else self.recipe

    @property
    def held(self) -> dict[str, Any]:
        """The parameters in force where the player rests; of two runs those that the second has
        from the fork on.
        """
        run = self.turnable
        return run.current if self.fork or self.at is None else run.in_force(self.at)

    @property
    def shown(self) -> dict[str, Any]:
        """What the controls show: that, and what was asked for and waits to hear where the player
        is.
        """
        return self.held | {
            name: value
            for knob in self.turned
            if knob.t is None
            for name, value in knob.new.items()
        }

    @property
    def final(self) -> bool:
        """Whether nothing on stage can go on."""
        return self.recipe.steps >= (
            self.fork.steps(self.recipe) if self.fork else self.recipe.most_steps()
        )

    @property
    def glimpses(self) -> bool:
        """Whether a run costs so little that a slider may ask for one while it is dragged."""
        return self.fork is None and self.recipe.quick(GLIMPSE)

    def link(self) -> dict[str, str]:
        """The link to the recipe as it is seen now, or at its end where it has become shorter."""
        seen = dict(self.seen) | {"t": min(self.seen["t"], self.recipe.steps)}
        beside = self.fork.query(self.recipe) if self.fork else {}
        return (
            self.recipe.query()
            | beside
            | {name: str(value) for name, value in seen.items() if value != ""}
        )

    @property
    def brings_back(self) -> Recipe | None:
        """The run before the latest change, where that forgot others and nothing else was changed
        since.
        """
        before, after = self.forgot or (None, None)
        return before if self.fork is None and after == self.recipe else None

    def leads(self, query: Mapping[str, str], returned: bool, back: bool) -> bool:
        """Whether the address asks for another run. When the player has spoken, the one that comes
        along may be older than the one that was written last: a browser that is busy stepping has
        not followed yet, and nobody went anywhere.
        """
        elsewhere = self.addresses.get("stage", Address()).elsewhere(query, returned, back)
        return self.recipe is None or elsewhere and (returned or back or not self.heard)


def adopted(visit: Visit, recipe: Recipe, fork: Fork | None = None) -> Visit:
    """With this recipe, alone unless there is a fork, from which all controls start afresh."""
    return replace(
        visit, recipe=recipe, fork=fork, turned=(), knob=None, generation=visit.generation + 1
    )


def sent(visit: Visit, recipe: Recipe, view: Mapping[str, Any]) -> Visit:
    """With this recipe, and the player is told to go there."""
    visit = adopted(visit, recipe)
    order = dict(view) | {"serial": visit.generation}
    return replace(visit, view=order, seen={name: view[name] for name in SEEN}, at=view["t"])


def restarted(visit: Visit, recipe: Recipe, t: int = 0) -> Visit:
    """With this recipe, seen from its first step or from another; the curve stays the one that is
    shown.
    """
    return sent(
        visit,
        recipe,
        ANEW | {"t": t} | {name: visit.seen.get(name, ANEW[name]) for name in SEEN[2:]},
    )


def taken(visit: Visit, recipe: Recipe) -> Visit:
    """Return the visit with a recipe of the same controls. One that has become longer has a new
    control for its length, as the browser would go on to say what the old one says.
    """
    return replace(
        visit, recipe=recipe, lengths=visit.lengths + (recipe.steps != visit.recipe.steps)
    )


def kept(visit: Visit, shown: Mapping[str, Any]) -> Visit:
    """Return the visit with other controls where those on screen, which have `shown`, should show
    something else: the old ones would ask for it with the next key.
    """
    return visit if visit.shown == shown else replace(visit, generation=visit.generation + 1)


def forgotten(before: Recipe, t: int, recipe: Recipe) -> tuple[str, ...]:
    """Return a sentence about what was planned in `before` for later than step t and is not in
    `recipe`, changed at t; or none.

    >>> run = Recipe(changes=((60, {"project": True}),), steps=90).checked()
    >>> forgotten(run, 59, run.changed(59, {"lam": 0.5}))
    ('The run goes another way from step 59 on. Forgotten: project onto the ball at step 60.',)
    """
    titles = {p.name: p.title or p.name for p in SOLVERS[before.solver].params}
    gone = [
        f"{titles[name]} at step {count(s)}" for s, new in before.changes if s > t for name in new
    ]
    gone += [
        f"points at step {count(e.t)}" for e in before.edits if e.t > t and e not in recipe.edits
    ]
    gone += [f"your choice in step {count(s)}" for s, _ in before.chosen if s > t + 1]
    return (
        (
            (
                f"The run goes another way from step {count(t)} on. Forgotten:"
                f" {brief(', '.join(gone), 200)}."
            ),
        )
        if gone
        else ()
    )


def telling(visit: Visit, before: Recipe, t: int) -> Visit:
    """Return the visit with a sentence about what its recipe, changed at step t, has forgotten of
    `before`, and a way back. Who turns on the same knob there has forgotten what its first turn
    forgot.
    """
    first, last = visit.forgot or (None, None)
    if last == before and [(s, *new) for s, new in before.changes] == [
        (s, *new) for s, new in visit.recipe.changes
    ]:
        before = first
    words = forgotten(before, t, visit.recipe)
    return replace(visit, messages=words, forgot=(before, visit.recipe) if words else None)


def throughout(visit: Visit, change: Callable[[Recipe], Recipe]) -> Visit:
    """With a change that does not depend on the step, and so holds wherever knobs will turn out to
    have been turned.
    """
    return replace(
        taken(visit, change(visit.recipe)),
        turned=tuple(k._replace(before=change(k.before)) for k in visit.turned),
    )
