"""Theorems that can be touched: terms add up, runs lie below what is promised of them, everywhere one can drag to."""

import itertools

import numpy as np
import pytest

from svmviz.papers.promises import GHOSTS, THEOREMS

CORNERS = [(key, dict(zip([knob.name for knob in theorem.knobs], values, strict=True)))
           for key, theorem in THEOREMS.items()
           for values in itertools.product(*((knob.options[0], knob.options[-1]) if knob.name == "T" else
                                             (knob.options[0], knob.value) for knob in theorem.knobs))]


@pytest.mark.parametrize(("key", "values"), CORNERS, ids=[f"{key}-{'-'.join(map(str, v.values()))}" for key, v in CORNERS])
def test_terms_are_the_bound_and_runs_keep_it(key, values):
    theorem = THEOREMS[key]
    assert theorem.recipe(values).quick()
    promises = theorem.promised(theorem.runs(values), values)
    for promise in promises:
        assert promise.bound.t[-1] == values["T"] and promise.runs.shape == (GHOSTS, values["T"] + 1)
        assert sum(promise.terms.values()) == pytest.approx(promise.value, rel=1e-12)
        assert (promise.runs[:, 1:] >= -1e-9).all(), "no run is better than the optimum"
        kept = (promise.runs[:, -1] <= promise.value).mean()
        sure = {"Corollary 2": 1 - values.get("delta", 0), "Lemma 3.2, 1 − δ": 1 - values.get("delta", 0),
                "Lemma 3": (1 - values.get("delta", 0)) / 2, "Theorem 4.3": 0.5}.get(promise.bound.name)
        if sure is None:  # in expectation
            assert promise.runs[:, -1].mean() <= promise.value
        else:
            assert kept >= sure


def test_what_lies_above_is_told_in_times():
    theorem = THEOREMS["sbp"]
    values = {knob.name: knob.value for knob in theorem.knobs}
    first, sure = theorem.promised(theorem.runs(values), values)
    assert sure.value > first.value
    assert first.times() == pytest.approx(first.value / np.median(first.runs[:, -1]))
