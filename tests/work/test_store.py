"""Stores: bounded by number and weight, and each result computed once for all who ask."""

import threading

import numpy as np
import pytest

from svmviz.work import limits
from svmviz.work.store import Store


def test_put_over_the_room_forgets_what_was_asked_for_longest_ago():
    store = Store(10, 100, np.size)
    for key, size in enumerate([40, 50, 30, 20]):
        store.put(key, np.zeros(size))
    assert list(store.results) == [1, 2, 3] and sum(store.weights.values()) == 100
    store.put(1, np.zeros(10))
    assert store.put(9, np.zeros(101)).size == 101 and store.get(9) is None, "too large alone"
    assert store.get(2).size == 30 and list(store.results) == [3, 1, 2]
    assert store.weights == {2: 30, 3: 20, 1: 10}


def test_put_over_the_number_forgets_what_was_asked_for_longest_ago():
    few = Store(2)
    for name in "abca":
        few.put(name, name.upper())
    assert few.get("b") is None and few.get("a") == "A" and list(few.results) == ["c", "a"]
    assert Store(0).put("a", 1) == 1


def test_find_by_several_threads_computes_once_without_the_lock():
    store, made, go, found = Store(), [], threading.Event(), []

    def make():
        made.append(store.get("other"))  # asks the store itself meanwhile
        go.wait(10)
        return "result"

    threads = [
        threading.Thread(target=lambda: found.append(store.find("key", make))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    store.put("other", 1)
    go.set()
    for thread in threads:
        thread.join(10)
    assert found == ["result"] * 4 and len(made) == 1 and not store.under_way


def test_find_whose_maker_raises_lets_the_next_one_try():
    store, begun, go, found = Store(), threading.Event(), threading.Event(), []

    def refuse():
        begun.set()
        go.wait(10)
        raise ValueError("no")

    def first():
        with pytest.raises(ValueError, match="no"):
            store.find("key", refuse)

    threads = [
        threading.Thread(target=first),
        threading.Thread(target=lambda: found.append(store.find("key", lambda: 2))),
    ]
    threads[0].start()
    assert begun.wait(10)
    threads[1].start()
    go.set()
    for thread in threads:
        thread.join(10)
    assert found == [2] and store.get("key") == 2


def test_find_under_a_time_limit_that_struck_keeps_nothing():
    store = Store()
    with limits.within(limits.Limit(0.0)):
        assert limits.over() and store.find("key", lambda: 1) == 1
    assert store.get("key") is None and store.find("key", lambda: 2) == 2
