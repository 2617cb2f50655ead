"""The best tagging against all taggings."""

from itertools import product

import numpy as np
import pytest

from svmviz.maths import viterbi


def sentences():
    rng = np.random.default_rng(6)
    for places, tags in ((1, 3), (2, 2), (4, 3), (5, 2)):
        for _ in range(8):
            yield (
                rng.normal(size=(places, tags)),
                rng.normal(size=(tags, tags)),
                rng.integers(0, tags, places),
            )


def score(scores, pairs, path) -> float:
    return sum(scores[j, c] for j, c in enumerate(path)) + sum(
        pairs[b, c] for b, c in zip(path, path[1:], strict=False)
    )


def test_best_tagging_is_the_best_of_all_taggings():
    for scores, pairs, true in sentences():
        every = list(product(range(scores.shape[1]), repeat=len(scores)))
        path = np.zeros(len(scores), np.int64)
        found = viterbi.viterbi(scores, pairs, path)
        best = max(every, key=lambda tags: score(scores, pairs, tags))
        assert found == pytest.approx(score(scores, pairs, best), rel=1e-13) and tuple(path) == best
        assert viterbi.total(scores, pairs, true) == pytest.approx(
            score(scores, pairs, true), rel=1e-13
        )


def test_dearest_tagging_pays_one_for_each_wrong_tag_and_its_lead_is_the_loss():
    for scores, pairs, true in sentences():
        every = list(product(range(scores.shape[1]), repeat=len(scores)))
        costly = [
            score(scores, pairs, tags) + sum(map(int.__ne__, tags, map(int, true)))
            for tags in every
        ]
        path = np.zeros(len(scores), np.int64)
        loss = viterbi.dearest(scores, pairs, true, np.empty_like(scores), path)
        assert loss == pytest.approx(max(costly) - score(scores, pairs, true), rel=1e-12, abs=1e-12)
        assert tuple(path) == (every[int(np.argmax(costly))] if loss > 0.0 else tuple(true))


def test_of_taggings_that_tie_the_first_is_taken():
    path = np.ones(3, np.int64)
    assert viterbi.viterbi(np.zeros((3, 2)), np.zeros((2, 2)), path) == 0.0 and path.tolist() == [
        0,
        0,
        0,
    ]
    true = np.array([1, 0])
    assert (
        viterbi.dearest(
            np.array([[0.0, 5.0], [5.0, 0.0]]), np.zeros((2, 2)), true, np.empty((2, 2)), path[:2]
        )
        == 0.0
    )
    assert path[:2].tolist() == [1, 0]
