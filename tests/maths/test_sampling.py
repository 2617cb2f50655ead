"""Draws: what is left to chance, and what is not."""

import numpy as np
import pytest

from svmviz.maths import sampling


@pytest.mark.parametrize("k", [1, 3, 10])
@pytest.mark.parametrize("scheme", sampling.OF_BATCHES)
def test_more_steps_never_change_the_first_ones(scheme, k):
    long = sampling.draw(10, 500, k, scheme, seed=7)
    assert np.array_equal(long[:123], sampling.draw(10, 123, k, scheme, seed=7))
    assert long.shape == (500, k) and long.min() == 0 and long.max() == 9
    assert not np.array_equal(long, sampling.draw(10, 500, k, scheme, seed=8))


def test_mini_batches_are_distinct_and_every_subset_is_equally_likely():
    drawn = np.sort(sampling.draw(5, 20_000, 2, seed=1), axis=1)
    pairs, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(pairs) == 10 and (pairs[:, 0] < pairs[:, 1]).all()
    assert abs(counts - 2000).max() < 5 * np.sqrt(2000 * 0.9)


def test_single_draws_are_uniform_and_independent():
    drawn = sampling.draw(4, 40_000, seed=2)[:, 0]
    table = np.histogram2d(drawn[:-1], drawn[1:], bins=4)[0]
    assert abs(table - 2500).max() < 5 * np.sqrt(2500)


def test_a_multi_set_is_k_draws_that_know_nothing_of_each_other():
    drawn = sampling.draw(5, 20_000, 2, sampling.MULTI_SET, seed=1)
    table = np.histogram2d(*drawn.T, bins=5)[0]
    assert abs(table - 800).max() < 5 * np.sqrt(800)
    assert np.array_equal(
        sampling.draw(5, 90, 1, sampling.MULTI_SET, 3), sampling.draw(5, 90, 1, seed=3)
    )


def test_permutations_pass_over_the_data_once_each():
    new, fixed = (
        sampling.draw(10, 40, 1, scheme, seed=3)[:, 0].reshape(4, 10)
        for scheme in sampling.SCHEMES[1:]
    )
    assert (np.sort(new, axis=1) == np.arange(10)).all() and (
        np.sort(fixed, axis=1) == np.arange(10)
    ).all()
    assert (fixed == fixed[0]).all() and not (new == new[0]).all()


def test_more_examples_per_step_than_there_are_is_refused():
    with pytest.raises(ValueError, match=r"k must lie in \[1, 10\]"):
        sampling.draw(10, 5, k=11)
