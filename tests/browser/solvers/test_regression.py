"""Regression in a real browser: f over one feature with its tube, f over two as heights, and what
is said of residuals.
"""

from urllib.parse import parse_qsl, urlencode

import numpy as np
import pytest
from playwright.sync_api import expect

from svmviz.run.recipe import from_query
from tests.browser.page import look, rests_at, state
from tests.tools.saying import same_words

RUNS = {
    "wave": (
        "data=sine&n=60&solver=regression&kernel=rbf(gamma=4.0)&lam=0.02&epsilon=0.2&seed=4&T=150"
    ),
    "squared": (
        "data=sine&n=60&solver=regression&loss=squared&kernel=rbf(gamma=4.0)&lam=0.5&epsilon=0.2&seed=4&T=150"
    ),
    "surface": (
        "data=surface&n=60&solver=svr&kernel=rbf(gamma=1.0)&lam=0.02&epsilon=0.2&seed=4&T=150"
    ),
}


@pytest.mark.parametrize("query", RUNS.values(), ids=RUNS)
def test_the_stage_shows_f_its_tube_and_residuals(show, query):
    given = dict(parse_qsl(query))
    trace = from_query(given)[0].trace()
    page, graph, tube = (
        show(f"{urlencode(given)}&t=100"),
        given["data"] == "sine",
        "loss" not in given,
    )
    shown, f = state(page), trace.f(100, trace.problem.X)
    assert (
        np.array(shown["f"]) == pytest.approx(f, rel=1e-6, abs=1e-6)
        and look(page, "run.graph") == graph
    )
    if graph:  # the curve that is drawn is f, and its rims are ε away
        curve = trace.f(100, np.array(shown["xs"])[:, None])
        drawn = (
            "plane.paths.map(({ lines }) => lines.map(path => path.map(([, y]) =>"
            " svmviz.plane.y.back(y))))"
        )
        middle, rims = look(page, drawn)
        assert np.array(middle[0]) == pytest.approx(curve, abs=1e-3)
        assert np.array(rims) == pytest.approx(
            np.array([curve + 0.2, curve - 0.2] if tube else []), abs=1e-3
        )
    else:
        assert len(look(page, "plane.paths.map(({ level }) => level)")) >= 3
    expect(page.locator(".numbers")).to_contain_text(
        f"{100 - 100 * trace.metrics['error'][100]:.1f} %" if tube else "mean |residual|"
    )
    offered = page.locator("section.curves select option").all_text_contents()
    assert ("Outside the tube" in offered) == tube
    expect(page.locator("section.plane .key")).to_contain_text("target" if graph else "target > 0")
    same_words(page.locator("section.code .why").inner_text(), trace.why(100).replace("*", ""))
    rests_at(page, 100)
