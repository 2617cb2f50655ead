"""Sections 5 and 6 of Pegasos in a real browser: every way to have a bias, and the losses of
several classes and of sentences, are shown as the trace has them.
"""

from urllib.parse import parse_qsl, urlencode

import numpy as np
import pytest

from svmviz.run.recipe import from_query
from tests.browser.page import look, rests_at, state
from tests.tools.saying import same_words

RARE = "data=imbalanced&n=60&share=0.1&lam=0.05&seed=3&T=60"
RUNS = {
    "constant feature": f"solver=pegasos&intercept=constant feature&{RARE}",
    "own step": f"solver=bias&{RARE}",
    "best for the batch": f"solver=bias&method=best for the batch&{RARE}",
    "outer search": f"solver=bias&method=outer search&round=20&{RARE}",
    "budgeted": f"solver=bsgd&intercept=constant feature&B=8&{RARE}",
    "several classes": "solver=classes&data=ring&n=60&seed=1&T=60&costs=0,2,1/1,0,1/1,1,0",
    "log-loss": "solver=classes&data=ring&n=60&seed=1&T=60&loss=logistic",
    "sentences": "solver=sequences&data=tagging&n=80&seed=1&T=60",
}
FOUR = [
    (
        name
        if name in ("own step", "budgeted", "several classes", "sentences")
        else pytest.param(name, marks=pytest.mark.long)
    )
    for name in RUNS
]


@pytest.mark.parametrize("name", FOUR)
def test_the_stage_shows_what_the_trace_has(show, name):
    given = dict(parse_qsl(RUNS[name]))
    recipe, wrong = from_query(given)
    assert not wrong
    trace, page = recipe.trace(), show(f"{urlencode(given)}&t=40")
    f = trace.f(40, trace.problem.X)
    assert np.array(state(page)["f"])[: f.size] == pytest.approx(
        f.ravel("F"), rel=1e-4, abs=1e-4 * np.abs(f).max()
    )
    same_words(page.locator("section.code .why").inner_text(), trace.why(40).replace("*", ""))
    if name in ("constant feature", "own step"):  # two problems, two optima
        beside = look(page, "run.segments[0].optimum.beside")
        assert beside["value"] != pytest.approx(
            look(page, "run.segments[0].optimum.value"), rel=1e-3
        )
    rests_at(page, 40)
