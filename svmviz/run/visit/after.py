"""A visit as one value: what the visitor looks at, what he asked for and has not got yet, where he
has been. `after` says what becomes of it when something happens (`events`); the page only keeps the
latest.

A knob of the sidebar changes the run from the step on where the player is, and that only the player
knows. So the change is made where it was last heard of. The player looks: if it is elsewhere,
because it plays, it leaves that run aside and names the step (`Change`). Where nothing was heard,
or a run takes so long that none should be for nothing, it is asked first.

>>> visit = after(Visit(), e.Link({"data": "moons", "T": "60", "t": "20"}))
>>> after(visit, e.Knob({"lam": 0.5})).recipe.changes
((20, {'lam': 0.5}),)
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from svmviz.run import fork
from svmviz.run.link import SEEN
from svmviz.run.recipe import LAST
from svmviz.run.storyboard import absent, meant
from svmviz.run.view import OPENING, arrive, prepared
from svmviz.run.visit import events as e
from svmviz.run.visit.address import Address
from svmviz.run.visit.state import (
    Turned,
    Visit,
    adopted,
    kept,
    restarted,
    sent,
    taken,
    telling,
    throughout,
)
from svmviz.run.visit.switching import Past, elsewhere, entered, switched
from svmviz.solvers import SOLVERS

GONE = (
    "There is one run again: with these settings there are no steps, or no two classes, in which B"
    " could differ from A."
)
ALONE = "There is one run again: A goes on with what you chose. Back leads to the two."
OPEN = 8  # knobs that the player has not been heard of since; more are never on their way


def after(visit: Visit, event) -> Visit:
    """What becomes of a visit."""
    handle = HANDLERS[type(event)]
    if visit.fork and isinstance(event, (e.Data, e.Solver, e.Open)):
        alone = handle(replace(visit, messages=()), event)
        return replace(alone, messages=(ALONE, *alone.messages))
    there = handle(visit, event)
    if visit.recipe and there.recipe and there.generation == visit.generation:
        there = kept(there, visit.held | event.new if isinstance(event, e.Knob) else visit.shown)
    spoke = isinstance(
        event, (e.View, e.More, e.Change, e.Restart, e.Tune, e.Hand, e.Edit, e.Want, e.Branch)
    )
    return replace(there, heard=True) if spoke else there


# The address --------------------------------------------------------------------------------------


def _link(visit: Visit, event: e.Link) -> Visit:
    recipe, view, messages = arrive(event.query, visit.own)
    told = replace(
        visit, past=Past(), redo=(), messages=(*event.said, *messages), first=not event.query
    )  # a link tells all
    recipe, beside, more = fork.read(event.query, recipe)
    return replace(sent(told, recipe, view), fork=beside, messages=(*told.messages, *more))


def _moment(visit: Visit, event: e.Moment) -> Visit:
    """What is wrong with its link is said on the stage. Where there would be another run than was
    meant, or none, nobody goes anywhere: the lecture goes on with the next moment.
    """
    there = _link(visit, e.Link(event.query))
    lost = "" if meant(event.query, there.recipe) else absent(event.query)
    why = lost or ("" if there.recipe.admitted() else "the run is refused")
    if why:
        return replace(
            visit,
            moment={
                "id": event.id,
                "said": (f"This moment cannot be shown: {why}.",),
                "refused": True,
            },
        )
    return replace(
        there, messages=(), moment={"id": event.id, "said": there.messages, "refused": False}
    )


def _arrived(visit: Visit, event: e.Arrived) -> Visit:
    address = visit.addresses.get(event.page, Address()).arrived(event.query)
    return replace(
        visit, addresses={**visit.addresses, event.page: address}, arrivals=visit.arrivals + 1
    )


# The sidebar --------------------------------------------------------------------------------------


def _data(visit: Visit, event: e.Data) -> Visit:
    recipe, past, said = elsewhere(visit.recipe, event.key, visit.own.get(event.key), visit.past)
    return restarted(replace(visit, past=past, redo=(), messages=said), recipe)


def _solver(visit: Visit, event: e.Solver | e.Open) -> Visit:
    """Who has changed nothing meets the next solver in its opening; who has, on what is his own."""
    if isinstance(event, e.Open) or prepared(visit.recipe):
        recipe, view, past = entered(visit.recipe, event.key, visit.past)
        return sent(replace(visit, past=past, redo=(), messages=()), recipe, view)
    recipe, past = switched(visit.recipe, event.key, visit.past)
    return restarted(replace(visit, past=past, messages=()), recipe)


def _settings(visit: Visit, event: e.Settings) -> Visit:
    given = event._asdict()
    if all(getattr(visit.recipe, name) == value for name, value in given.items()):
        return visit
    lengths, visit = visit.lengths, throughout(visit, lambda recipe: replace(recipe, **given))
    visit = replace(visit, lengths=lengths)  # the control itself says so
    fitted = visit.recipe.fitted()
    visit = (
        visit if fitted == visit.recipe else adopted(visit, fitted, visit.fork)
    )  # fewer points than in a mini-batch
    if not visit.fork or visit.fork.holds(visit.recipe):
        return visit
    return replace(adopted(visit, visit.recipe), messages=(GONE,))


def _knob(visit: Visit, event: e.Knob) -> Visit:
    if visit.fork:
        return _apart(visit, event.new)
    asked = visit.turned[-1:] if visit.turned and visit.turned[-1].t is None else ()
    if asked and asked[0].new == event.new:
        return visit
    if asked:
        visit = replace(visit, turned=visit.turned[:-1], knob=None)
    if not event.new:
        return visit
    before, id = visit.recipe, visit.knobs + 1
    try:
        t = visit.at if before.quick() else None
        recipe = before if t is None else before.changed(t, event.new)
    except ValueError as error:
        return _unchanged(visit, error)
    changed = visit
    if t is not None:
        changed = telling(taken(visit, recipe), before, t)
    return replace(
        changed,
        turned=(*visit.turned, Turned(id, t, before, event.new))[-OPEN:],
        knob=(id, t),
        knobs=id,
    )


def _apart(visit: Visit, new: Mapping[str, Any]) -> Visit:
    """The second of two runs goes another way from the fork on, wherever the player is."""
    try:
        return (
            replace(visit, fork=visit.fork.turned(visit.recipe, new), messages=()) if new else visit
        )
    except ValueError as error:
        return _unchanged(visit, error)


def _preset(visit: Visit, event: e.Preset) -> Visit:
    if visit.fork:
        apart = _apart(visit, event.new)
        return adopted(apart, apart.recipe, apart.fork)
    return adopted(visit, visit.recipe.restarted().with_params(**event.new))


def _branch(visit: Visit, event: e.Branch) -> Visit:
    if event.id != visit.recipe.key():
        return visit
    try:
        recipe, beside = fork.after(visit.recipe, visit.fork, event.what, event.t)
    except ValueError as error:
        return replace(visit, messages=(f"The run was not forked: {error}.",))
    return replace(adopted(visit, recipe, beside), messages=())


def _unchanged(visit: Visit, error: ValueError) -> Visit:
    """The controls go back to what holds."""
    return replace(
        adopted(visit, visit.recipe, visit.fork), messages=(f"Nothing was changed: {error}.",)
    )


def _restart(visit: Visit, event: e.Restart) -> Visit:
    recipe = visit.turnable.restarted()
    return restarted(
        replace(visit, restarting=False), recipe.with_params(**event.new) if event.new else recipe
    )


def _undo(visit: Visit, event: e.Undo) -> Visit:
    """The latest change goes, and what it had forgotten comes back."""
    recipe = visit.recipe if visit.fork else visit.brings_back or visit.recipe.undone()
    return replace(adopted(visit, recipe), messages=(), forgot=None)


def _take_back(visit: Visit, event: e.TakeBack) -> Visit:
    if visit.fork:
        return adopted(visit, visit.recipe)
    undone = visit.recipe.undone()
    if visit.recipe.changes and undone.admitted():
        return adopted(visit, undone)
    return restarted(visit, visit.good or OPENING)


# The player ---------------------------------------------------------------------------------------


def _view(visit: Visit, event: e.View) -> Visit:
    report = event.report
    visit = replace(
        visit,
        reported=report,
        turned=tuple(k for k in visit.turned if k.id > (report.get("knob") or 0)),
    )
    if report.get("serial") != visit.view.get("serial"):  # older than what was asked for
        return visit
    return replace(visit, seen={name: report.get(name, "") for name in SEEN}, at=int(report["t"]))


def _more(visit: Visit, event: e.More) -> Visit:
    """Twice as many steps, the first half the same, where there is a run."""
    if event.T != visit.recipe.steps or not visit.recipe.admitted():
        return visit
    steps = min(
        2 * event.T, visit.fork.steps(visit.recipe) if visit.fork else visit.recipe.most_steps()
    )
    return throughout(visit, lambda recipe: replace(recipe, steps=steps))


def _change(visit: Visit, event: e.Change) -> Visit:
    """All that the player has not shown falls where it is; so do, until it says more, knobs that
    were turned since.
    """
    open = [k for k in visit.turned if k.id > event.behind]
    if event.id not in [k.id for k in open]:
        return visit
    address = visit.addresses.get("stage", Address())
    try:
        recipe = open[0].before.changed(
            event.t, {name: v for k in open if k.id <= event.id for name, v in k.new.items()}
        )
        later = []
        for k in open:
            if k.id > event.id:
                later.append(k._replace(t=event.t, before=recipe))
                recipe = recipe.changed(event.t, k.new)
    except ValueError as error:
        return _unchanged(replace(visit, recipe=open[0].before), error)
    if any(k.t is not None for k in open) and address.known[:1] == (
        visit.link(),
    ):  # an entry for the wrong step
        visit = replace(
            visit, addresses={**visit.addresses, "stage": replace(address, spelling=True)}
        )
    visit = telling(taken(visit, recipe), open[0].before, event.t)
    return replace(
        visit,
        turned=tuple(later),
        knob=(visit.knobs, event.t),
        at=None if event.playing else event.t,
    )


def _tune(visit: Visit, event: e.Tune) -> Visit:
    if event.id != visit.recipe.key() or visit.fork:
        return visit
    params = {p.name: p for p in SOLVERS[visit.recipe.solver].params}
    try:
        new = {
            name: params[name].check(value) for name, value in event.new.items() if name in params
        }
        recipe = visit.recipe.changed(event.t, new) if new else visit.recipe
    except ValueError as error:
        return replace(visit, messages=(f"Nothing was changed: {error}.",))
    return telling(adopted(visit, recipe), visit.recipe, event.t) if new else visit


def _hand(visit: Visit, event: e.Hand) -> Visit:
    if event.id != visit.recipe.key() or visit.fork:
        return visit
    try:
        recipe = visit.recipe.handed(event.t, event.i).checked()
        recipe.allowed()
    except ValueError as error:
        return replace(visit, messages=(f"The stream goes on as it was: {error}.",))
    return replace(telling(taken(visit, recipe), visit.recipe, event.t), turned=())


def _edit(visit: Visit, event: e.Edit) -> Visit:
    visit, recipe, undone = (
        replace(visit, strokes=max(visit.strokes, event.serial)),
        visit.recipe,
        visit.redo,
    )
    nothing = event.what == "undo" and not recipe.edits or event.what == "redo" and not undone
    if event.id != recipe.key() or visit.fork or nothing:
        return visit
    try:
        if event.what == "undo":
            edited, undone = replace(recipe, edits=recipe.edits[:-1]), (*undone, recipe.edits[-1])
        elif event.what == "redo":
            edited, undone = replace(recipe, edits=(*recipe.edits, undone[-1])), undone[:-1]
        else:
            edited, undone = recipe.edited(event.t, event.drop, event.add), ()
        fitted = edited.fitted()
        fitted.allowed()
    except ValueError as error:
        return replace(visit, messages=(f"The points stay as they are: {error}.",))
    told = telling(
        replace(taken(visit, edited), turned=(), redo=undone),
        recipe,
        event.t if event.what == "draw" else LAST,
    )
    if fitted == edited:
        return told
    said = f"A mini-batch has k = {fitted.current['k']} now: there are no more points."
    return replace(adopted(told, fitted), messages=(said, *told.messages))


# The rest -----------------------------------------------------------------------------------------


def _files(visit: Visit, event: e.Files) -> Visit:
    visit = replace(visit, own=event.own, whole=event.whole)
    return replace(visit, recipe=None) if event.anew else visit


def _forget(visit: Visit, event: e.Forget) -> Visit:
    """Files go, and with them whatever was made of them."""
    recipe, good = (
        recipe and (None if recipe.own else recipe) for recipe in (visit.recipe, visit.good)
    )
    return replace(
        visit,
        recipe=recipe,
        fork=recipe and visit.fork,
        good=good,
        own={},
        whole={},
        turned=(),
        knob=None,
    )


HANDLERS: dict[type, Callable[[Visit, Any], Visit]] = {
    e.Link: _link,
    e.Moment: _moment,
    e.Arrived: _arrived,
    e.Files: _files,
    e.Forget: _forget,
    e.Returned: lambda visit, event: replace(
        visit, view={**visit.view, **visit.seen, "play": 0}, turned=(), knob=None
    ),
    e.Addressed: lambda visit, event: replace(
        visit, addresses={**visit.addresses, event.page: event.address}, heard=False
    ),
    e.Data: _data,
    e.Solver: _solver,
    e.Open: _solver,
    e.Settings: _settings,
    e.Knob: _knob,
    e.Restart: _restart,
    e.TakeBack: _take_back,
    e.Restarting: lambda visit, event: replace(visit, restarting=True),
    e.Undo: _undo,
    e.Preset: _preset,
    e.Branch: _branch,
    e.Take: lambda visit, event: restarted(replace(visit, redo=()), event.recipe, event.t),
    e.View: _view,
    e.More: _more,
    e.Change: _change,
    e.Tune: _tune,
    e.Hand: _hand,
    e.Edit: _edit,
    e.Want: lambda visit, event: replace(visit, wanted=event.wish),
    e.Shown: lambda visit, event: replace(visit, good=visit.recipe),
    e.Refused: lambda visit, event: replace(visit, heard=False),
    e.Afresh: lambda visit, event: replace(visit, generation=visit.generation + 1),
}
