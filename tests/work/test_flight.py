"""Calls go out and come back: in their order, each once, and nothing stays under way."""

import threading

import pytest

from svmviz.work.flight import TRIES, Flight, in_turn
from svmviz.work.threads import Threads


class Losing(Threads):
    """A place whose workers go away over the first so many calls, and take the data with them."""

    def __init__(self, losses: int):
        super().__init__(1)
        self.losses, self.there, self.removed = losses, 0, []

    def place(self, arrays):
        self.there += 1
        return {**arrays, "copy": self.there}

    def placed(self, data, arrays):
        return self.place(arrays)

    def submit(self, done, act, *args):
        self.losses -= 1
        return super().submit(done, *((gone,) if self.losses >= 0 else (act, *args)))

    def lost(self, error):
        return isinstance(error, ConnectionResetError)

    def remove(self, data):
        self.removed.append(data["copy"])


def gone():
    raise ConnectionResetError


def test_results_come_in_the_order_of_their_calls_whichever_is_done_first():
    second = threading.Event()
    calls = [
        (lambda: second.wait(10) and "first",),
        (lambda: second.set() or "second",),
        *((str, k) for k in range(9)),
    ]
    assert list(in_turn(Threads(2), calls)) == ["first", "second", *"012345678"]


def test_who_closes_early_waits_for_what_is_under_way_and_no_others_begin():
    """As a race is stopped: two of four calls are in the hands of two threads, and the last never
    begins.
    """
    ended, released, both = [], threading.Event(), threading.Barrier(3)

    class Watched(Threads):
        def cancel(self, calls):
            threading.Timer(0.01, released.set).start()
            super().cancel(calls)

    def run(seed):
        if seed:
            both.wait(10)
            released.wait(10)
        ended.append(seed)
        return seed

    found = in_turn(Watched(2), [(run, seed) for seed in range(20)])
    assert next(found) == 0
    both.wait(10)
    found.close()
    assert sorted(ended) == [0, 1, 2]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_what_goes_wrong_is_told_and_ends_the_rest(error):
    def fail():
        raise error

    many = []
    with pytest.raises(error):
        list(in_turn(Threads(1), [(fail,), *((many.append, k) for k in range(50))]))
    assert len(many) < 50


def test_the_work_of_a_lost_worker_is_done_again_with_data_that_are_there():
    backend = Losing(TRIES - 1)
    with Flight(backend, lambda: {"x": 3}) as flight:
        flight.send("call", lambda data, more: (data["x"] + more, data["copy"]), 4)
        news = []
        while flight.busy:
            news += flight.landed()
    assert news == [("call", (7, TRIES))] and backend.removed == [TRIES]
    with pytest.raises(RuntimeError, match=f"{TRIES} workers in turn went away over the same work"):
        list(in_turn(Losing(TRIES), [(str, 1)]))


def test_a_cancelled_flight_has_no_room_and_nothing_to_wait_for():
    backend = Losing(0)
    with Flight(backend, lambda: {}) as flight:
        flight.cancel()
        assert not flight.room and not flight.busy and flight.landed() == []
    assert not backend.there and not backend.removed  # nothing was sent anywhere
