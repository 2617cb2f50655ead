"""Whose turn it is: rounds over visitors, places, room and what takes long, without threads and
without a clock.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmviz.ui.jobs.turns import Entry, Full, Turns


def enter(turns: Turns, visitor: str, count: int = 1, **kind) -> list[Entry]:
    entries = [Entry(visitor, **kind) for _ in range(count)]
    for entry in entries:
        turns.enter(entry)
    return entries


def started(turns: Turns) -> list[Entry]:
    return list(iter(turns.next, None))


def test_no_more_run_than_there_are_places():
    turns = Turns(2)
    for name in "abcd":
        enter(turns, name, 5)
    assert len(started(turns)) == turns.places == 6 and turns.next() is None and len(turns) == 20


def test_a_visitor_with_many_computations_does_not_starve_one_with_one():
    """One pool for all, first in, first out, had the second visitor wait for all that the first had
    asked for.
    """
    turns = Turns(2)
    figures, (stream,) = enter(turns, "a", 6), enter(turns, "b")
    running = started(turns)
    assert running[1] is stream and running[0] in figures  # in the first round already
    turns.leave(running[0])
    assert turns.next() in figures


def test_whoever_comes_next_in_the_round_is_next():
    turns = Turns(2)
    everybody = {name: enter(turns, name, 2) for name in "abcd"}
    first = started(turns)
    assert [entry.visitor for entry in first] == [*"abcdab"] and len(turns) == 8
    turns.leave(first[0])
    assert turns.next() is everybody["c"][1] and turns.next() is None


def test_a_visitor_alone_has_as_many_as_there_are_processors():
    turns = Turns(2)
    first, second, third = enter(turns, "a", 3)
    assert started(turns) == [first, second]
    turns.leave(first)
    assert started(turns) == [third]


def test_long_ones_leave_half_of_the_places_to_others():
    turns = Turns(2)
    for name in "abcdef":
        enter(turns, name, long=True)
    running = started(turns)
    assert len(running) == turns.places / 2
    (short,) = enter(turns, "f")
    assert started(turns) == [short], "what waits behind a long one of the same visitor"
    turns.leave(running[0])
    assert [entry.visitor for entry in started(turns)] == ["d"]


def test_a_visitor_has_a_bounded_number_of_computations():
    turns = Turns(2)
    enter(turns, "a", turns.most - 1)
    started(turns)
    enter(turns, "a", long=True)
    with pytest.raises(Full, match="at most"):
        turns.enter(Entry("a"))
    enter(turns, "b")  # others are not concerned


def test_what_has_begun_fits_into_the_room_and_small_ones_pass_what_does_not_fit():
    turns = Turns(4, room=100)
    large, larger, too_large = (
        enter(turns, name, weight=weight)[0] for name, weight in (("a", 60), ("b", 50), ("c", 500))
    )
    (small,) = enter(turns, "d")
    assert started(turns) == [large, small]
    turns.leave(large)
    assert started(turns) == [larger]
    turns.leave(larger)
    assert started(turns) == [too_large]  # what never fits begins when nothing else is there


@given(
    st.lists(
        st.tuples(st.sampled_from(["enter", "long", "next", "leave"]), st.integers(0, 5)),
        max_size=120,
    )
)
def test_nobody_is_lost_or_counted_twice(moves):
    turns, waiting, running = Turns(2), [], []
    for move, k in moves:
        mine = sum(entry.visitor == f"{k}" for entry in waiting + running)
        if move in ("enter", "long") and mine < turns.most:
            waiting += enter(turns, f"{k}", long=move == "long", weight=k * 90_000_000)
        elif move == "next" and (entry := turns.next()) is not None:
            waiting.remove(entry)
            running.append(entry)
        elif move == "leave" and (all_of_them := waiting + running):
            entry = all_of_them[k % len(all_of_them)]
            turns.leave(entry)
            (waiting if entry in waiting else running).remove(entry)
        assert turns.running == set(running) and len(turns) == len(waiting) + len(running)
        assert (
            len(running) <= turns.places
            and 2 * sum(entry.long for entry in running) <= turns.places
        )
        assert max(turns.begun(f"{name}") for name in range(6)) <= turns.processors
    for entry in [*waiting, *running]:
        turns.leave(entry)
    assert not len(turns) and not turns.round
