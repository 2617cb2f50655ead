"""A visit without a browser: what must hold whatever happens, and knobs that are turned while the
player, who hears and is heard late, is somewhere else.
"""

from collections import deque
from dataclasses import replace

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from svmviz.run import fork
from svmviz.run.link import CHANGES, SEEN
from svmviz.run.recipe import SOURCES, Recipe, from_query
from svmviz.run.view import ANEW, OPENING, arrive
from svmviz.run.visit import events as e
from svmviz.run.visit.address import Address
from svmviz.run.visit.after import HANDLERS, OPEN, Visit, after
from svmviz.solvers import SOLVERS

MINE = {f"upload:{k}": replace(SOURCES["moons"], key=f"upload:{k}") for k in "ab"}
LAMS = st.sampled_from([0.01, 0.02, 0.05, 0.1, 0.3])
START = {"data": "moons", "n": "40", "lam": "0.01", "T": "60", "t": "20"}
LINKS = st.sampled_from(
    [
        {},
        START,
        {"data": "blobs", "n": "30", "solver": "sdca", "T": "50", "t": "70"},
        {"t": "5", "x": "epochs"},
        START | {"change": "10:lam=0.1;30:k=3", "beat": "add"},
        START | {"solver": "incremental", "T": "20", "t": "3"},
        {"data": "upload:a", "n": "40", "T": "30", "edit": "4:1:0.5,0.5,1"},
        {"data": "iris", "plane": "0,2", "y": "front"},
        START | {"change": "10:lam=0.1;30:k=3", "fork": "20", "other": "10:lam=0.1;20:lam=0.3"},
        {"data": "moons", "n": "lots", "solver": "magic", "t": "-1"},
        {"solver": "sbp"},
    ]
)


def begun(query=START, **known) -> Visit:
    return after(Visit(**known), e.Link(query))


def seen(visit: Visit, event) -> Visit:
    """What the Playground then shows."""
    visit = after(visit, event)
    return after(visit, e.Link({})) if visit.leads({}, False, False) else visit


@st.composite
def happening(draw, visit: Visit, links: list[dict]):
    """Something that may happen now, or that may have been meant for what was there before."""
    recipe, other = visit.recipe, draw(st.booleans()) and draw(st.booleans())
    key, t = "another run" if other else recipe.key(), draw(st.integers(0, recipe.steps))
    n = recipe.data_params.get("n", 40)
    knobs = st.integers(0, visit.knobs + 1)
    lam = (
        {"lam": draw(LAMS)}
        if "lam" in recipe.params
        else {"C": 2.0}
        if "C" in recipe.params
        else {}
    )
    point = (draw(st.sampled_from([-0.5, 0.25, 1.0])), 0.5, draw(st.sampled_from([-1, 1])))
    report = {
        "t": t,
        "beat": "",
        "x": "steps",
        "y": draw(st.sampled_from(["", "front"])),
        "field": "",
        "serial": visit.view["serial"] - other,
        "knob": draw(knobs),
    }
    values = dict(recipe.data_params) | (
        {"n": draw(st.sampled_from([30, n]))} if "n" in recipe.data_params else {}
    )
    return draw(
        st.sampled_from(
            [
                e.Link(draw(st.one_of(LINKS, st.sampled_from(links)))),
                e.Returned(),
                e.Moment(draw(st.integers(1, 9)), draw(LINKS)),
                e.Arrived("stage", visit.link()),
                e.Addressed(
                    "stage",
                    visit.addresses.get("stage", Address()).followed(visit.link(), {}, False)[0],
                ),
                e.Data(draw(st.sampled_from(["moons", "blobs", *visit.own]))),
                e.Solver(draw(st.sampled_from(["pegasos", "smo", "sbp", "incremental"]))),
                e.Open(draw(st.sampled_from(["smo", "bsgd"]))),
                e.Settings(
                    values,
                    draw(st.integers(0, 3)),
                    draw(st.sampled_from([recipe.steps, 10, 90])),
                    recipe.plane,
                ),
                e.Knob(lam),
                e.Knob({}),
                e.Restarting(),
                e.Restart(lam),
                e.Restart(),
                e.Undo(),
                e.Preset(lam),
                e.Take(Recipe("blobs", {"n": 30}, steps=20).checked(), 3),
                e.TakeBack(),
                e.View(report),
                e.More(recipe.steps + other),
                e.Change(draw(knobs), t, draw(knobs), draw(st.booleans())),
                e.Tune(key, t, lam),
                e.Hand(key, t, draw(st.integers(0, 50))),
                e.Edit(key, "draw", t, (draw(st.integers(0, 35)),), (point,)),
                e.Branch(key, draw(st.sampled_from(["fork", "swap", "keep", "drop"])), t),
                e.Edit(key, "undo"),
                e.Edit(key, "redo"),
                e.Want({"what": "rivals", "id": key}),
                e.Shown(),
                e.Refused(),
                e.Files(visit.own | MINE, visit.whole),
                e.Forget(),
                e.Afresh(),
            ]
        )
    )


COUNTED = "generation", "lengths", "knobs", "arrivals"
ABOUT_A_RUN = e.Tune, e.Hand, e.Edit, e.Branch


def told(recipe: Recipe, t: int) -> dict:
    """Return the parameters after step t: those at the start, and one change after the other."""
    found = SOLVERS[recipe.solver].check(recipe.params)
    for s, new in recipe.changes:
        found |= new if s <= t else {}
    return found


def holds(before: Visit, event, visit: Visit) -> None:
    recipe = visit.recipe
    assert recipe == recipe.checked(), "every value is allowed"
    assert recipe.own is visit.own.get(recipe.data), "its data are there, and its own"
    again, said = from_query(recipe.query(), (), visit.own)
    assert (again, said) == (recipe, []), "its link reads back to itself"
    again, view, said = arrive(visit.link(), visit.own)
    _, beside, more = fork.read(visit.link(), recipe)
    assert bool(visit.fork) == bool(beside) and not more
    if visit.fork:
        other = visit.turnable
        assert (
            other == other.checked() == beside.branch(recipe)
            and beside.t == visit.fork.t < recipe.steps
        ), "as does both"
        assert [c for c in other.changes if c[0] < visit.fork.t] == [
            c for c in recipe.changes if c[0] < visit.fork.t
        ]
    assert not said and view["t"] == min(visit.seen["t"], recipe.steps) and {*visit.seen} == {*SEEN}
    steps = [t for t, _ in recipe.changes]
    assert again == replace(recipe, steps=max([recipe.steps, *(t + 1 for t in steps)]))
    assert steps == sorted(set(steps)) and len(steps) <= CHANGES and min(steps, default=1) > 0
    assert all(getattr(visit, name) >= getattr(before, name) for name in COUNTED), (
        "numbers only rise"
    )
    assert before.view["serial"] <= visit.view["serial"] <= visit.generation
    ids = [k.id for k in visit.turned]
    assert ids == sorted(set(ids)) and max(ids, default=0) <= visit.knobs
    if visit.turned:
        assert visit.knob == (ids[-1], visit.turned[-1].t), "the player looks at the latest"
        assert all(k.t is not None for k in visit.turned[:-1]), "only one question at a time"
    if (
        visit.recipe != before.recipe and visit.generation == before.generation
    ):  # controls that stay say what they said
        assert isinstance(event, (e.Settings, e.Knob, e.Change, e.More, e.Edit, e.Hand))
        if recipe.steps != before.recipe.steps and not isinstance(event, e.Settings):
            assert visit.lengths > before.lengths
    if visit.generation == before.generation:
        assert visit.shown == (
            before.held | dict(event.new) if isinstance(event, e.Knob) else before.shown
        )
    if not visit.fork and visit.at is not None:
        assert visit.held == told(recipe, visit.at), "of the step where the player rests"
    if not isinstance(event, (e.Files, e.Forget)):
        assert visit.own is before.own and visit.whole is before.whole, (
            "no file is lost, wherever one goes"
        )


def about(before: Visit, event, visit: Visit) -> None:
    """What each event is for."""
    was, recipe = before.recipe, visit.recipe
    if isinstance(event, (e.Link, e.Knob, e.Change, e.Tune)) and recipe != was:
        last = max((t for t, _ in recipe.changes), default=0)
        assert last < recipe.steps or recipe.steps >= recipe.most_steps(), "a change is seen"
    if (
        isinstance(event, ABOUT_A_RUN)
        and event.id != was.key()
        or isinstance(event, e.More)
        and event.T != was.steps
    ):
        assert visit == replace(before, heard=True), "what was asked of another run changes nothing"
    if isinstance(event, e.Change) and event.id not in [
        k.id for k in before.turned if k.id > event.behind
    ]:
        assert visit == replace(before, heard=True), "an answer to an old question changes nothing"
    if isinstance(event, (e.Knob, e.Preset, e.TakeBack, e.Undo)) and before.fork:
        assert recipe == was, "the first of two runs is left alone"
    if isinstance(event, e.Restart):
        assert not recipe.changes and recipe.params == before.turnable.current | dict(event.new)
        assert visit.at == 0 and not visit.restarting
    if isinstance(event, e.Undo) and not before.fork:
        assert recipe == (before.brings_back or was.undone()) and not visit.messages
    if isinstance(event, e.Link):
        assert visit.past == visit.past.__class__() and not visit.redo and not visit.turned
    if isinstance(event, e.Edit) and event.what == "undo" and recipe != was:
        assert after(visit, e.Edit(recipe.key(), "redo")).recipe == was, (
            "what was taken back is done again"
        )
    if isinstance(event, e.Settings):
        assert (recipe.seed, recipe.steps, recipe.data_params) == (
            event.seed,
            event.steps,
            event.data_params,
        )
    if isinstance(event, e.View):
        assert recipe == was and (
            visit.at == event.report["t"] or event.report["serial"] != before.view["serial"]
        )


@pytest.mark.parametrize("count", [80, pytest.param(400, marks=pytest.mark.long)])
def test_whatever_happens_the_visit_is_one_that_can_be(count):
    @settings(max_examples=count, deadline=None)
    @given(st.data(), LINKS)
    def it_is(data, link):
        visit, links = begun(link, own=dict(MINE)), [START]
        for _ in range(data.draw(st.integers(1, 14))):
            event = data.draw(happening(visit, links))
            note(repr(event))
            before, visit = visit, seen(visit, event)
            holds(before, event, visit)
            about(before, event, visit)
            links.append(visit.link())

    it_is()


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_back_leads_to_what_was_there_files_and_all(data):
    visit = begun(START, own=dict(MINE))
    for _ in range(data.draw(st.integers(1, 8))):
        visit = seen(visit, data.draw(happening(visit, [START])))
    there = data.draw(
        st.sampled_from([e.Link(START), e.Link({}), e.Data("blobs"), e.Solver("smo")])
    )
    back = after(after(visit, there), e.Link(visit.link()))
    last = max((t + 1 for t, _ in visit.recipe.changes), default=0)
    assert (
        back.recipe == replace(visit.recipe, steps=max(visit.recipe.steps, last))
        and back.recipe.own is visit.recipe.own
    )
    assert back.turnable == replace(visit.turnable, steps=back.recipe.steps) and bool(
        back.fork
    ) == bool(visit.fork)
    assert (
        back.seen == dict(visit.seen) | {"t": min(visit.seen["t"], visit.recipe.steps)}
        and back.own == visit.own
    )


def test_every_event_has_its_place():
    named = {
        thing for thing in vars(e).values() if isinstance(thing, type) and issubclass(thing, tuple)
    }
    assert set(HANDLERS) == named


def test_the_first_visit_opens_on_the_prepared_example_and_invites():
    visit = begun({})
    assert visit.recipe == OPENING and visit.first and visit.at == 9 and not begun(START).first


def test_a_file_that_is_forgotten_is_in_no_part_of_the_visit():
    visit = begun({"data": "upload:a", "n": "40", "T": "30", "t": "4"}, own=dict(MINE))
    for event in (e.Shown(), e.Knob({"lam": 0.3}), e.Forget()):
        visit = after(visit, event)
    assert visit.recipe is visit.good is None and not (visit.own or visit.turned)
    assert after(visit, e.Link({"data": "upload:a"})).recipe.own is None
    kept = after(begun(), e.Files(MINE, {}))
    assert (
        kept.recipe == begun().recipe and after(kept, e.Files(MINE, {}, anew=True)).recipe is None
    )


def test_too_many_changes_put_the_controls_back_and_say_so():
    visit = begun(
        START
        | {
            "change": ";".join(f"{t}:lam=0.{t:03}" for t in range(1, CHANGES + 1)),
            "T": "300",
            "t": "200",
        }
    )
    refused = after(visit, e.Knob({"lam": 0.5}))
    assert (
        refused.recipe == visit.recipe
        and refused.generation > visit.generation
        and "100 steps" in refused.messages[0]
    )


def test_a_run_that_takes_long_is_not_computed_for_nothing():
    slow = begun(START | {"n": "2000", "T": "500", "kernel": "rbf(gamma=2.0)", "k": "8"})
    asked = after(slow, e.Knob({"lam": 0.5}))
    assert asked.recipe == slow.recipe and asked.knob == (1, None)
    assert after(asked, e.Knob({"lam": 0.5})) == asked, "asked once"
    assert (
        after(asked, e.Knob({})).turned == ()
        and after(after(asked, e.Knob({})), e.Change(1, 7)).recipe == slow.recipe
    )
    assert after(asked, e.Change(1, 7)).recipe == slow.recipe.changed(7, {"lam": 0.5})


def all_of(visit: Visit, *events) -> Visit:
    for event in events:
        visit = after(visit, event)
    return visit


def test_mini_batches_have_no_more_points_than_an_edit_leaves():
    visit = begun(START | {"k": "5"})
    y = visit.recipe.problem().y
    kept = {int((y == label).argmax()) for label in (-1, 1)}
    cleared = after(
        visit, e.Edit(visit.recipe.key(), "draw", 20, tuple(i for i in range(40) if i not in kept))
    )
    assert (
        cleared.recipe.current["k"] == 2
        and cleared.recipe.params["k"] == 5
        and "k = 2" in cleared.messages[0]
    )
    assert cleared.generation > visit.generation and cleared.recipe.trace().drawn[21].size == 2


def test_the_solver_that_gave_way_to_targets_comes_back_with_classes():
    wave = all_of(begun({"solver": "simba"}), e.Data("sine"))
    assert (
        wave.recipe.solver == "regression"
        and "targets of these data are numbers" in wave.messages[0]
    )
    still, back = after(wave, e.Data("surface")), all_of(wave, e.Data("stairs"), e.Data("wine"))
    assert still.recipe.solver == "regression" and not still.messages
    assert (
        back.recipe.solver == "simba" and "is back" in back.messages[0] and back.recipe.admitted()
    )
    chosen = all_of(wave, e.Solver("svr"), e.Data("wine"))
    assert chosen.recipe.solver == "svr" and not chosen.messages
    several = all_of(begun({"solver": "classes", "data": "iris"}), e.Data("sine"), e.Data("ring"))
    assert several.recipe.solver == "classes" and several.recipe.admitted()


def test_strokes_that_were_taken_back_belong_to_the_data_on_screen():
    drawn = after(begun(), e.Edit(begun().recipe.key(), "draw", 5, (), ((0.5, 0.5, 1),), serial=7))
    undone = after(drawn, e.Edit(drawn.recipe.key(), "undo"))
    assert (
        len(undone.redo) == 1
        and after(undone, e.Edit(undone.recipe.key(), "redo")).recipe == drawn.recipe
    )
    assert (drawn.strokes, undone.strokes) == (7, 7), "the latest stroke that has arrived"
    assert not any(
        after(undone, event).redo
        for event in (e.Link(START), e.Data("blobs"), e.Take(undone.recipe))
    )


def test_what_was_set_while_a_knob_was_on_its_way_stays_when_it_turns_out_to_be_later():
    start = begun().recipe
    visit = all_of(
        begun(),
        e.Knob({"lam": 0.3}),
        e.Settings(start.data_params, 7, 60),
        e.More(60),
        e.Change(1, 33),
    )
    assert visit.recipe == replace(start, seed=7, steps=120).changed(33, {"lam": 0.3})


def test_knobs_that_were_turned_since_fall_where_the_player_is_until_it_says_more():
    start = begun().recipe
    visit = all_of(begun(), e.Knob({"lam": 0.3}), e.Knob({"k": 3}), e.Change(1, 33))
    assert visit.recipe == start.changed(33, {"lam": 0.3, "k": 3}) and visit.knob == (2, 33)
    assert after(visit, e.Change(2, 35, behind=1)).recipe == start.changed(
        33, {"lam": 0.3}
    ).changed(35, {"k": 3})


def test_knob_turned_before_a_later_change_forgets_it_says_so_and_undo_brings_it_back():
    start = begun(START | {"change": "30:k=3;40:project=1"})  # the player stands at step 20
    visit = after(start, e.Knob({"lam": 0.3}))
    assert visit.recipe.changes == ((20, {"lam": 0.3}),) and visit.recipe.current["k"] == 1
    assert start.held["k"] == visit.held["k"] == 1 and visit.generation == start.generation, (
        "they did not show k = 3"
    )
    assert visit.messages == (
        (
            "The run goes another way from step 20 on. Forgotten: mini-batch at step 30, "
            "project onto the ball at step 40."
        ),
    )
    assert after(visit, e.Undo()).recipe == start.recipe and not after(visit, e.Undo()).messages
    further = after(visit, e.Knob({"lam": 0.5}))
    assert further.messages == visit.messages and after(further, e.Undo()).recipe == start.recipe, (
        "another press of the key"
    )
    later = after(
        after(further, e.View(ANEW | {"t": 25, "serial": further.view["serial"]})),
        e.Knob({"lam": 0.7}),
    )
    assert not later.messages and after(later, e.Undo()).recipe == further.recipe, (
        "nothing more was forgotten"
    )
    known = all_of(begun(START | {"change": "10:k=3"}), e.Knob({"lam": 0.3}))
    assert (
        known.generation == begun().generation
        and not known.messages
        and known.recipe.current["k"] == 3
    )


def test_controls_show_what_is_in_force_where_the_player_rests():
    visit = begun(START | {"change": "30:k=3"})
    later = after(visit, e.View(ANEW | {"t": 30, "serial": visit.view["serial"]}))
    assert (visit.held["k"], later.held["k"]) == (1, 3) and later.generation == visit.generation + 1
    still = after(later, e.View(ANEW | {"t": 50, "serial": visit.view["serial"]}))
    assert still.generation == later.generation, "nothing changes between 30 and 50"
    back = after(
        after(still, e.Knob({"k": 4})), e.View(ANEW | {"t": 29, "serial": visit.view["serial"]})
    )
    assert back.held["k"] == 1 and back.recipe.changes == ((30, {"k": 3}), (50, {"k": 4}))


def test_knob_that_falls_before_a_later_change_renews_the_controls_when_the_player_says_so():
    start = begun(START | {"change": "30:k=3", "t": "40"})
    visit = after(start, e.Knob({"lam": 0.3}))
    assert visit.recipe.current["k"] == 3 and visit.generation == start.generation
    earlier = after(visit, e.Change(1, 12))
    assert (
        earlier.recipe.changes == ((12, {"lam": 0.3}),)
        and earlier.generation == visit.generation + 1
    )
    assert "step 12 on. Forgotten: mini-batch at step 30" in earlier.messages[0]


def test_knob_turned_beyond_the_end_of_a_run_made_much_shorter_is_still_seen():
    start = begun().recipe  # the player stands at step 20
    visit = all_of(begun(), e.Settings(start.data_params, start.seed, 7), e.Knob({"lam": 0.3}))
    assert visit.recipe.changes == ((20, {"lam": 0.3}),) and visit.recipe.steps > 20


def test_a_knob_that_the_player_knows_of_is_settled():
    visit = all_of(begun(), e.Knob({"lam": 0.3}), e.View(ANEW | {"t": 50, "serial": 1, "knob": 1}))
    assert (
        not visit.turned and after(visit, e.Change(1, 50)).recipe == visit.recipe and visit.at == 50
    )


# Addresses ----------------------------------------------------------------------------------------


def test_an_address_that_lags_behind_does_not_undo_what_the_player_asked_for():
    visit = after(begun(START), e.Arrived("stage", START))
    lagging = visit.recipe.query() | {"t": "33"}
    assert visit.leads(lagging, False, False) and not visit.leads(START, False, False)
    grown = after(visit, e.More(60))
    assert grown.recipe.steps == 120 and not grown.leads(lagging, False, False)
    assert grown.leads(lagging, False, True) and grown.leads(lagging, True, False), (
        "unless the visitor went there"
    )
    address, _ = grown.addresses["stage"].followed(grown.link(), START, False)
    assert after(grown, e.Addressed("stage", address)).leads(lagging, False, False), (
        "or the address has followed since"
    )


def test_an_address_that_was_left_asks_for_nothing_unless_the_visitor_goes_back_to_it():
    short, first, second = (
        {"data": "moons"},
        {"data": "moons", "t": "0"},
        {"data": "moons", "t": "5"},
    )
    address, write = Address().arrived(short).followed(first, short, False)
    assert address.spelt == "data=moons&t=0" and not write, "the player spells it out"
    assert not address.elsewhere(short, False, False) and address.followed(first, short, False) == (
        address,
        False,
    )
    address, write = address.followed(second, short, False)
    assert write and not address.spelt, "moved on: an entry of its own"
    assert not address.elsewhere(short, False, False), "the browser has not followed"
    assert address.followed(second, short, False) == (
        address,
        True,
    ), "what was written may have been dropped"
    assert address.elsewhere(short, True, False) and address.elsewhere(short, False, True)
    address, write = address.followed(first, first, False)
    assert write, "the browser has not heard of the second yet"
    assert address.followed(first, first, False) == (address, False), "now it has"
    assert address.elsewhere({"data": "moons", "t": "7"}, False, False), (
        "one that was never written"
    )
    passed = address.passing({"data": "xor"})
    assert not passed.elsewhere({"data": "xor"}, True, False)
    assert not passed.arrived(second).elsewhere({"data": "xor"}, False, True), (
        "it lies behind this page for ever"
    )


# Knobs --------------------------------------------------------------------------------------------


class Player:
    """What web/stage.js does with a knob, and no more."""

    def __init__(self, visit: Visit):
        self.recipe, self.t, self.playing, self.answered, self.reported = (
            visit.recipe,
            visit.view["t"],
            False,
            0,
            None,
        )

    def receive(self, recipe: Recipe, knob) -> e.Change | None:
        behind, self.answered = self.answered, knob[0] if knob else 0
        if knob and knob[0] != behind and knob[1] != self.t:
            if knob[1] is None:
                self.recipe = recipe
            return e.Change(knob[0], self.t, behind, self.playing)
        self.recipe = recipe
        return None

    def report(self, serial: int) -> e.View | None:
        if self.playing or self.t == self.reported:
            return None
        self.reported = self.t
        return e.View(ANEW | {"t": self.t, "serial": serial, "knob": self.answered})


class Conversation(RuleBasedStateMachine):
    """Server and player, each of whom hears late what the other said, in order. Each knob counts
    from the step where the player stood when it first heard of it, unless it was turned on before
    it was asked about.
    """

    @initialize(quick=st.booleans(), planned=st.booleans())
    def begin(self, quick, planned):
        later = (
            {"change": "60:project=1;200:loss=logistic"} if planned else {}
        )  # knobs turned before forget it
        slow = {} if quick else {"n": "2000", "kernel": "rbf(gamma=2.0)", "k": "8"}
        self.visit = begun(START | {"T": "400"} | later | slow)
        self.player, self.start = Player(self.visit), self.visit.recipe
        self.to_player, self.to_server, self.wishes, self.stands = deque(), deque(), {}, []
        self.rounds, self.controls, self.generation = (
            0,
            dict(self.visit.held),
            self.visit.generation,
        )

    def renewed(self) -> None:
        """Controls of another generation show what is in force where the player rests."""
        if self.visit.generation != self.generation:
            self.controls, self.generation = dict(self.visit.held), self.visit.generation

    def runs(self, *events) -> None:
        """The script runs: what was said is answered, the controls are read, and what is shown is
        sent.
        """
        for event in events:
            self.visit = after(self.visit, event)
        self.renewed()
        count, held = self.visit.knobs, self.visit.held
        new = {name: value for name, value in self.controls.items() if value != held[name]}
        asked = {k.id for k in self.visit.turned if k.t is None}
        self.visit = after(self.visit, e.Knob(new))
        for id in asked - {k.id for k in self.visit.turned}:
            del self.wishes[id]
        if self.visit.knobs > count:
            self.wishes[self.visit.knobs] = new
        self.renewed()
        self.rounds += 1
        self.to_player.append((self.visit.recipe, self.visit.knob))

    @rule(lam=LAMS)
    @precondition(lambda self: len(self.visit.turned) < OPEN)  # more are never on their way
    def turn(self, lam):
        self.controls["lam"] = lam
        self.runs()

    @rule()
    @precondition(lambda self: self.to_player)
    def hears(self):
        recipe, knob = self.to_player.popleft()
        behind = self.player.answered
        if knob and knob[0] > behind:
            self.stands.append((self.player.t, range(behind + 1, knob[0] + 1)))
        answer = self.player.receive(recipe, knob)
        if answer:
            self.to_server.append(answer)

    @rule()
    @precondition(lambda self: self.to_server)
    def is_heard(self):
        self.runs(self.to_server.popleft())

    @rule(by=st.integers(1, 30), playing=st.booleans())
    def moves(self, by, playing):
        self.player.playing = playing
        self.player.t = min(self.player.recipe.steps - 1, self.player.t + by)
        report = self.player.report(self.visit.view["serial"])
        if report:
            self.to_server.append(report)

    def meant(self) -> Recipe:
        recipe = self.start
        for t, ids in self.stands:
            for wish in (self.wishes[id] for id in ids if id in self.wishes):
                recipe = recipe.changed(t, wish)
        return recipe

    def settle(self):
        while self.to_player or self.to_server:
            if self.to_player:
                self.hears()
            if self.to_server:
                self.is_heard()

    @rule()
    def silence(self):
        self.settle()
        assert self.visit.recipe == self.player.recipe == self.meant()
        at = self.visit.at if self.visit.at is not None else self.visit.recipe.steps
        assert self.controls == told(self.visit.recipe, at), "what they show is in force"

    @rule(lam=LAMS)
    def one_round_at_rest(self, lam):
        """Whoever rests, and was heard, has his run after one run of the script; whoever plays,
        after two.
        """
        self.settle()
        if lam == self.visit.held["lam"]:
            return
        known, quick, self.rounds = self.visit.at == self.player.t, self.visit.recipe.quick(), 0
        self.turn(lam)
        self.settle()
        assert self.rounds == (1 if known and quick else 2)
        assert self.visit.recipe == self.player.recipe == self.meant()

    @invariant()
    def never_more_than_one_step_ahead(self):
        assert len(self.visit.turned) <= OPEN


Conversation.TestCase.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestKnobs = Conversation.TestCase
