"""Jobs of several visitors in processes: who is next, who has gone, who moved on, what hangs and
what is killed.
"""

import itertools
import os
import signal
import threading
import time
from contextlib import suppress

import pytest

from svmviz.ui.jobs import background
from svmviz.ui.jobs.turns import Full
from svmviz.ui.jobs.workers import Cancelled, Lost, Workers
from svmviz.work import hands as keeping
from svmviz.work import limits
from svmviz.work.hands import Died, Hand, Hands, tell

PATIENCE = 60  # seconds after which a test gives up


@pytest.fixture(scope="module")
def hands():
    """Processes for all tests of this file."""
    found = Hands(2, f"{__name__}:pid")
    yield found
    for hand in found.idle:
        hand.kill()
    if found.nursery.door:
        found.nursery.door.close()


@pytest.fixture
def workers(hands):
    return Workers(hands, 1)


def endless():
    while True:
        pass


def pid():
    return os.getpid()


def waiting(path):
    """A task that goes on until a file is there, and tells its process first."""

    def task():
        tell(os.getpid())
        while not path.exists():
            time.sleep(0.01)
        return path.read_text()

    return task


def ended(*jobs) -> bool:
    return all(job.ended.wait(PATIENCE) for job in jobs)


def until(condition) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def gone(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return False
    return True


def test_one_visitors_computations_do_not_starve_anothers(workers):
    """One processor, two visitors: the first has asked for computations without an end, the
    second's is done all the same.
    """
    figures = [workers.submit(k, "a", endless, long=True) for k in range(3)]
    stream = workers.submit("stream", "b", lambda: 7)
    assert ended(stream) and stream.result() == 7 and not any(job.ended.is_set() for job in figures)
    for job in figures:
        workers.drop(job, "a")
    assert ended(*figures) and not len(workers.turns) and not workers.jobs


def test_no_process_is_left_of_what_was_dropped(workers, tmp_path):
    told = []
    job = workers.submit("figure", "a", waiting(tmp_path / "never"), told=told.append)
    until(lambda: told)
    workers.drop(job, "a")
    assert ended(job)
    until(lambda: gone(told[0]))


def test_who_moves_on_while_somebody_looks_whether_he_is_there_has_moved_on(hands):
    jobs = []

    def present(visitor):
        for job in jobs:
            workers.drop(job, visitor)
        return True

    workers = Workers(hands, 1, present)
    jobs.append(workers.submit("figure", "a", endless))
    assert ended(*jobs)


def test_a_small_run_does_not_wait_for_figures(workers):
    job = workers.submit("figure", "a", endless)
    with background.place(lambda: pytest.fail("there should have been a place at once")):
        assert not job.ended.is_set()
    workers.drop(job, "a")
    assert ended(job)


def test_who_waits_for_a_place_may_leave(monkeypatch):
    monkeypatch.setattr(background, "PLACES", threading.BoundedSemaphore(1))

    def interrupted():
        raise Cancelled

    with background.place(), pytest.raises(Cancelled), background.place(interrupted):
        raise AssertionError("there was no place")
    with background.place(interrupted):
        pass


def test_a_visitor_who_has_gone_ends_his_computation(hands):
    clock, there = itertools.count().__next__, {"a": True}
    workers = Workers(hands, 1, there.get, clock)
    jobs = [workers.submit(name, "a", endless) for name in ("optimum", "front", "table")]
    there["a"] = False
    assert ended(*jobs) and not len(workers.turns) and not workers.jobs
    for cancelled in jobs:
        with pytest.raises(Cancelled):
            cancelled.result()


def test_a_connection_that_breaks_for_a_moment_ends_nothing(hands):
    looks = []

    def present(visitor):
        looks.append(visitor)
        return len(looks) != 2

    workers = Workers(hands, 1, present)
    job = workers.submit("stream", "a", endless)
    until(lambda: len(looks) > 4)
    assert not job.ended.is_set()
    workers.drop(job, "a")


def test_what_two_visitors_want_is_computed_once_and_goes_on_for_who_stays(workers, tmp_path):
    told = []
    one = workers.submit("optimum", "a", waiting(tmp_path / "found"), told=told.append)
    other = workers.submit("optimum", "b", endless)
    assert one is other
    workers.drop(one, "a")
    (tmp_path / "found").write_text("found")
    assert ended(other) and other.result() == "found" and len(told) == 1


def test_who_asks_again_for_what_nobody_wanted_gets_a_new_one(workers):
    old = workers.submit("optimum", "a", endless)
    workers.drop(old, "a")
    new = workers.submit("optimum", "a", lambda: "found")
    assert ended(old, new) and new is not old and new.result() == "found"


def test_what_has_not_begun_and_is_not_wanted_never_begins(workers, tmp_path):
    first = workers.submit(1, "a", waiting(tmp_path / "go"))
    second = workers.submit(2, "a", lambda: (tmp_path / "begun").touch())
    workers.drop(second, "a")
    assert ended(second)
    (tmp_path / "go").touch()
    assert ended(first) and not (tmp_path / "begun").exists()


def test_a_deadline_ends_it_with_what_it_has(workers):
    job = workers.submit("optimum", "a", lambda: "so far" if limits.over() else "all", seconds=0.0)
    assert ended(job) and job.result() == "so far" and job.struck


def test_what_went_wrong_is_told_to_who_asks(workers):
    job = workers.submit("figure", "a", lambda: int("x"))
    assert ended(job)
    with pytest.raises(ValueError, match="invalid literal"):
        job.result()
    assert not len(workers.turns)


def test_what_it_returned_may_be_kept_before_anybody_is_told(workers):
    kept = {}
    job = workers.submit(
        "figure", "a", lambda: 3, then=lambda value: kept.setdefault("figure", value + 1)
    )
    assert ended(job) and job.result() == kept["figure"] == 4


def test_a_visitor_cannot_ask_for_more_than_a_page_does(workers):
    jobs = [workers.submit(k, "a", endless) for k in range(workers.turns.most)]
    with pytest.raises(Full):
        workers.submit("more", "a", endless)
    assert "more" not in workers.jobs
    for job in jobs:
        workers.drop(job, "a")
    assert ended(*jobs)


def crash():
    import ctypes

    ctypes.string_at(0)


def killed():
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("fate", [crash, killed, lambda: os._exit(3)])
def test_a_process_that_dies_costs_its_visitor_a_sentence_and_others_nothing(hands, tmp_path, fate):
    workers = Workers(hands, 2)
    other = workers.submit("other", "b", waiting(tmp_path / "go"))
    job = workers.submit("figure", "a", fate)
    assert ended(job) and not other.ended.is_set()
    with pytest.raises(Lost, match="the process that it ran in has ended"):
        job.result()
    (tmp_path / "go").write_text("found")
    again = workers.submit("figure", "a", lambda: "again")
    assert ended(other, again) and (other.result(), again.result()) == ("found", "again")


@pytest.mark.parametrize(
    ("task", "why"), [(endless, "twice the 0.2 seconds"), (signal.pause, "did nothing for 1 s")]
)
def test_what_hangs_is_ended(workers, monkeypatch, task, why):
    """An endless loop after twice its time of the processor; what uses none after a while."""
    monkeypatch.setattr(keeping, "STILL", 1.0)
    job = workers.submit("figure", "a", task, seconds=0.2)
    assert ended(job)
    with pytest.raises(Lost, match=why):
        job.result()
    assert not workers.jobs


def test_a_call_that_belongs_to_no_job_does_not_hang_either(hands, monkeypatch):
    """A fit of a sweep, and the question how a server is: in a process that somebody has
    stopped.
    """
    monkeypatch.setattr(keeping, "STILL", 1.0)
    stopped = hands.call(pid)
    os.kill(stopped, signal.SIGSTOP)
    with pytest.raises(Died, match="did nothing for 1 s"):
        hands.call(pid)
    until(lambda: gone(stopped))
    assert hands.call(pid) != stopped


def test_where_the_system_does_not_say_what_a_process_uses_the_clock_must_do(hands, monkeypatch):
    monkeypatch.setattr(Hand, "used", lambda hand: float("nan"))
    with pytest.raises(Died, match="twice the 0.5 seconds"):
        hands.do(signal.pause, 0.5)


def test_more_visitors_than_processors_each_with_many_computations_are_all_answered(hands):
    workers = Workers(hands, 2)

    def work(k):
        return sum(range(200_000 + k))

    jobs = {
        (name, k): workers.submit((name, k), name, lambda k=k: work(k))
        for k in range(5)
        for name in "abcdef"
    }
    assert ended(*jobs.values()) and all(job.result() == work(k) for (_, k), job in jobs.items())
    until(lambda: len(hands.idle) == hands.keep)
    assert not workers.jobs and not len(workers.turns)


# --- the processes themselves ---------------------------------------------------------------------


def test_the_one_that_was_at_work_last_comes_first_and_what_died_is_not_kept(hands):
    first = hands.call(pid)
    assert first == hands.call(pid) != os.getpid()
    os.kill(first, signal.SIGKILL)  # it may not have ended when it is asked
    assert hands.call(pid) != first


def test_what_holds_much_memory_is_not_kept(hands, monkeypatch):
    monkeypatch.setattr("svmviz.work.hands.LARGE", 1)
    assert hands.call(pid) != hands.call(pid)


def test_another_is_born_where_all_come_from_has_ended(hands):
    hand = hands.take()
    # those that it made end with it, within seconds, and another one is there at once
    hands.nursery.process.kill()
    others = {hands.take().pid for _ in range(3)}
    assert len(others) == 3 and hand.pid not in others
    with pytest.raises(Died):
        hand.do(endless, 100.0, print)


def test_who_was_interrupted_in_its_task_is_not_given_to_anybody_else(hands):
    """What it still has to say is not for others."""

    def told(what):
        raise KeyError(what)

    def task():
        tell(os.getpid())
        return "mine"

    with pytest.raises(KeyError) as found:
        hands.do(task, told=told)
    until(lambda: gone(found.value.args[0]))
    assert hands.call(str, "yours") == "yours"


def test_where_processes_cannot_be_copied_each_is_one_by_itself(monkeypatch):
    monkeypatch.setattr("svmviz.work.hands.COPIES", False)
    hands = Hands(1)
    assert hands.call(pid) == hands.call(pid) != os.getpid()
    hands.idle[0].kill()


def test_they_are_less_urgent_than_who_waits_for_a_page(hands):
    assert hands.call(os.nice, 0) == os.nice(0) + 10
