"""Whose turn it is: rounds over visitors, places, room and what is urgent, without threads and without a clock."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmviz.ui.turns import BEGUN, PASSED, Entry, Full, Turns


def enter(turns: Turns, visitor: str, count: int = 1, **kind) -> list[Entry]:
    entries = [Entry(visitor, **kind) for _ in range(count)]
    for entry in entries:
        turns.enter(entry)
    return entries


def started(turns: Turns) -> list[Entry]:
    return list(iter(turns.next, None))


def test_no_more_run_than_there_are_places():
    turns = Turns(2)
    enter(turns, "a", 5)
    assert len(started(turns)) == 2 and turns.next() is None and len(turns) == 5


def test_a_visitor_with_many_computations_does_not_starve_one_with_one():
    """One pool for all, first in, first out, had the second visitor wait for all that the first had asked for."""
    turns = Turns(2)
    figures, (stream,) = enter(turns, "a", 6), enter(turns, "b")
    running = started(turns)
    assert stream in running and running[0] in figures  # in the first round already
    turns.leave(running[0])
    assert turns.next() in figures


def test_in_slices_visitors_have_as_many_turns_each():
    turns, had = Turns(2), Counter()
    everybody = [*enter(turns, "a", 5), *enter(turns, "b", 1), *enter(turns, "c", 3)]
    running = started(turns)
    for _ in range(300):
        now = running.pop(0)
        had[now.visitor] += 1
        assert turns.crowded(now)
        turns.give_way(now)
        running += started(turns)
        assert len(running) == 2
    assert set(had.values()) == {100} and len(turns) == len(everybody)


def test_a_visitor_alone_keeps_all_places_and_need_not_give_way():
    turns = Turns(2)
    enter(turns, "a", 5)
    assert not any(turns.crowded(entry) for entry in started(turns))


def test_what_has_begun_goes_on_before_anything_new_of_the_same_visitor():
    turns = Turns(1)
    first, second = enter(turns, "a", 2)
    assert turns.next() is first
    (other,) = enter(turns, "b")
    turns.give_way(first)
    assert turns.next() is other
    turns.leave(other)
    assert turns.next() is first and second not in turns.running


def test_what_is_urgent_waits_for_nothing_but_its_kind():
    turns = Turns(2)
    figures = enter(turns, "a", 4)
    running = started(turns)
    first, second, third = (enter(turns, name, urgent=True)[0] for name in "bcd")
    assert started(turns) == [first, second]  # at once, although all places are taken
    assert all(turns.crowded(entry) for entry in running)
    for entry in running:  # at their next pause
        turns.give_way(entry)
    assert turns.running == {first, second} and turns.next() is None
    turns.leave(first)
    assert turns.next() is third
    turns.leave(second)
    turns.leave(third)
    assert len(started(turns)) == 2 and turns.running <= set(figures)


def test_urgent_ones_pass_the_others_but_not_for_ever():
    turns = Turns(1)
    (figure,) = enter(turns, "a")
    waited = 0
    for _ in range(3 * PASSED):
        enter(turns, "b", urgent=True)
        now = turns.next()
        if now is figure:
            break
        waited += 1
        turns.leave(now)
    assert now is figure and waited == PASSED


def test_a_visitor_has_a_bounded_number_of_computations():
    turns = Turns(2)
    enter(turns, "a", turns.most - 1)
    started(turns)
    enter(turns, "a", urgent=True)
    with pytest.raises(Full, match="at most"):
        turns.enter(Entry("a"))
    with pytest.raises(Full):
        turns.enter(Entry("a", urgent=True))
    enter(turns, "b")  # others are not concerned


def test_what_has_begun_fits_into_the_room_and_small_ones_pass_what_does_not_fit():
    turns = Turns(4, room=100)
    large, larger, too_large = (enter(turns, name, weight=weight)[0] for name, weight in (("a", 60), ("b", 50), ("c", 500)))
    (small,) = enter(turns, "d")
    assert started(turns) == [large, small]
    turns.leave(large)
    assert started(turns) == [larger]
    turns.leave(larger)
    assert started(turns) == [too_large]  # what never fits begins when nothing else is there


def test_threads_are_bounded_too():
    turns = Turns(1)
    for k in range(BEGUN + 5):
        enter(turns, str(k))
    for _ in range(BEGUN):
        now = turns.next()
        turns.give_way(now)
    assert len(turns.begun) == BEGUN
    for _ in range(50):
        turns.give_way(turns.next())
    assert len(turns.begun) == BEGUN


@given(st.lists(st.tuples(st.sampled_from(["enter", "urgent", "next", "give_way", "leave"]), st.integers(0, 5)), max_size=120))
def test_nobody_is_lost_or_counted_twice(moves):
    turns, waiting, running = Turns(2), [], []
    for move, k in moves:
        if move in ("enter", "urgent") and turns.asked(f"{k}") < turns.most:
            waiting += enter(turns, f"{k}", urgent=move == "urgent", weight=k * 90_000_000)
        elif move == "next" and (entry := turns.next()) is not None:
            waiting.remove(entry)
            running.append(entry)
        elif move == "give_way" and (rest := [entry for entry in running if not entry.urgent]):
            running.remove(rest[k % len(rest)])
            turns.give_way(rest[k % len(rest)])
            waiting.append(rest[k % len(rest)])
        elif move == "leave" and (all_of_them := waiting + running):
            entry = all_of_them[k % len(all_of_them)]
            turns.leave(entry)
            (waiting if entry in waiting else running).remove(entry)
        assert turns.running == set(running) and len(turns) == len(waiting) + len(running)
        assert sum(not entry.urgent for entry in running) <= 2 and sum(entry.urgent for entry in running) <= 2
    for entry in [*waiting, *running]:
        turns.leave(entry)
    assert not len(turns) and not turns.round and not turns.begun
