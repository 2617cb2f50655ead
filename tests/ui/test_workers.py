"""Jobs of several visitors: turns in slices, what is urgent, who has gone, who moved on; with events and clocks of our own."""

import itertools
import threading
from functools import partial

import pytest

from svmviz.maths import limits
from svmviz.race import card, runs
from svmviz.ui import workers as module
from svmviz.ui.turns import Full
from svmviz.ui.workers import Cancelled, Workers

PATIENCE = 60  # seconds after which a test gives up


class Ticking:
    """A clock that goes on by one whenever somebody looks: every pause is the end of a slice."""

    def __init__(self):
        self.ticks = itertools.count()

    def __call__(self) -> float:
        return float(next(self.ticks))


def endless():
    while not limits.over():
        pass


def ended(*jobs) -> bool:
    return all(job.ended.wait(PATIENCE) for job in jobs)


def nobody_waits():
    raise AssertionError("there should have been a place at once")


def test_one_visitors_computations_do_not_starve_anothers():
    """One place and two visitors: the first has asked for computations without an end, the second's is done all the same."""
    workers = Workers(1, clock=Ticking())
    figures = [workers.submit(k, "a", endless) for k in range(3)]
    stream = workers.submit("stream", "b", lambda: [limits.over() for _ in range(50)])
    assert ended(stream) and not any(job.ended.is_set() for job in figures)
    for job in figures:
        workers.drop(job, "a")
    assert ended(*figures) and not len(workers.turns) and not workers.jobs


@pytest.mark.parametrize("visitors", [3, 6])
def test_races_that_find_their_optima_in_slices_do_not_wait_for_each_other(visitors, monkeypatch):
    """More visitors than places open races; who gives way in the midst of an optimum holds nothing that another needs."""
    def slow(problem, lam, kernel, **terms):
        for _ in range(50):
            limits.over()  # a pause
        return optimum(problem, lam, kernel, **terms)

    optimum = runs.optimum
    monkeypatch.setattr(runs, "optimum", slow)
    cards = [card.read({"data": "moons", "n": "40", "data_seed": str(seed), "lam": "0.1"})[0] for seed in range(visitors)]
    workers = Workers(2, clock=Ticking())
    jobs = [workers.submit(k, str(k), partial(getattr, one, "optimum")) for k, one in enumerate(cards)]
    assert ended(*jobs) and all(job.result().gap < 1e-6 for job in jobs)


def test_who_moves_on_while_somebody_looks_whether_he_is_there_has_moved_on():
    jobs = []

    def present(visitor):
        for job in jobs:
            workers.drop(job, visitor)
        return True

    workers = Workers(1, present, Ticking())
    jobs.append(workers.submit("figure", "a", endless))
    assert ended(*jobs)


def test_two_visitors_advance_by_turns():
    workers, steps, both = Workers(1, clock=Ticking()), [], threading.Event()

    def working(name):
        both.wait(PATIENCE)
        for _ in range(20):
            steps.append(name)
            limits.over()

    jobs = [workers.submit(name, name, lambda name=name: working(name)) for name in "ab"]
    both.set()
    assert ended(*jobs)
    changes = sum(one != other for one, other in itertools.pairwise(steps))
    assert sorted(steps) == ["a"] * 20 + ["b"] * 20 and changes >= 30  # not one after the other


def test_a_small_run_does_not_wait_for_figures():
    workers, inside, leave = Workers(1), threading.Event(), threading.Event()

    def compiled():  # cannot be interrupted
        inside.set()
        leave.wait(PATIENCE)

    job = workers.submit("figure", "a", compiled)
    assert inside.wait(PATIENCE)
    with workers.place("b", True, nobody_waits):
        assert not job.ended.is_set()
    leave.set()
    assert ended(job)


def test_a_large_run_has_its_turn_after_a_slice():
    workers = Workers(1, clock=Ticking())
    job = workers.submit("figure", "a", endless)
    with workers.place("b", False, lambda: None):
        assert len(workers.turns.running) == 1 and job not in workers.turns.running
    workers.drop(job, "a")
    assert ended(job)


def test_who_waits_for_a_place_may_leave():
    workers, leave = Workers(1), threading.Event()
    job = workers.submit("figure", "a", lambda: leave.wait(PATIENCE))

    def interrupted():
        raise Cancelled

    with pytest.raises(Cancelled), workers.place("b", False, interrupted):
        raise AssertionError("there was no place")
    assert len(workers.turns) == 1
    leave.set()
    assert ended(job)


def test_no_more_jobs_run_than_there_are_places():
    workers, inside, leave, lock, at_once = Workers(2), threading.Semaphore(0), threading.Event(), threading.Lock(), []

    def task():
        with lock:
            at_once.append(len(workers.turns.running))
        inside.release()
        leave.wait(PATIENCE)

    jobs = [workers.submit(k, str(k), task) for k in range(6)]
    assert all(inside.acquire(timeout=PATIENCE) for _ in range(2))
    assert sum(job.thread is not None for job in jobs) == 2
    leave.set()
    assert ended(*jobs) and max(at_once) <= 2


def test_a_visitor_who_has_gone_ends_his_computation():
    there, clock = {"a": True}, Ticking()
    workers = Workers(1, there.get, clock)
    job, queued = workers.submit("optimum", "a", endless), workers.submit("front", "a", nobody_waits)
    there["a"] = False
    assert ended(job, queued) and not len(workers.turns) and not workers.jobs
    for cancelled in (job, queued):
        with pytest.raises(Cancelled):
            cancelled.result()


def test_a_connection_that_breaks_for_a_moment_ends_nothing():
    away = iter([True, False, True, *[False] * 1000])
    workers, now, looks = Workers(1, lambda visitor: next(away)), itertools.count(), []
    workers.clock = lambda: next(now) * module.SLICE * 2
    job = workers.submit("stream", "a", lambda: [looks.append(limits.over()) for _ in range(10**6)])
    assert ended(job) and len(looks) * module.SLICE * 2 > module.GRACE / 2  # only when it stayed away


def test_what_two_visitors_want_is_computed_once_and_goes_on_for_who_stays():
    workers, leave, calls = Workers(1, clock=Ticking()), threading.Event(), []

    def task():
        calls.append(1)
        while not leave.is_set():
            limits.over()
        return "found"

    one, other = workers.submit("optimum", "a", task), workers.submit("optimum", "b", task)
    assert one is other
    workers.drop(one, "a")
    leave.set()
    assert ended(other) and other.result() == "found" and calls == [1]


def test_who_asks_again_for_what_nobody_wanted_gets_a_new_one():
    workers = Workers(1, clock=Ticking())
    old = workers.submit("optimum", "a", endless)
    workers.drop(old, "a")
    new = workers.submit("optimum", "a", lambda: "found")
    assert ended(old, new) and new is not old and new.result() == "found"


def test_what_has_not_begun_and_is_not_wanted_never_begins():
    workers, leave = Workers(1), threading.Event()
    first, second = workers.submit(1, "a", lambda: leave.wait(PATIENCE)), workers.submit(2, "a", nobody_waits)
    workers.drop(second, "a")
    assert ended(second)
    leave.set()
    assert ended(first) and second.thread is None


def test_a_deadline_ends_it_with_what_it_has():
    workers = Workers(1)
    job = workers.submit("optimum", "a", lambda: "so far" if limits.over() else "all", seconds=0.0)
    assert ended(job) and job.result() == "so far" and job.struck


def test_what_went_wrong_is_told_to_who_asks():
    workers = Workers(1)
    job = workers.submit("figure", "a", lambda: int("x"))
    assert ended(job)
    with pytest.raises(ValueError, match="invalid literal"):
        job.result()
    assert not len(workers.turns)


def test_a_visitor_cannot_ask_for_more_than_a_page_does():
    workers, leave = Workers(1), threading.Event()
    jobs = [workers.submit(k, "a", lambda: leave.wait(PATIENCE)) for k in range(workers.turns.most)]
    with pytest.raises(Full):
        workers.submit("more", "a", nobody_waits)
    assert "more" not in workers.jobs
    leave.set()
    assert ended(*jobs)
