"""IDSVM and the Twin Vector Machine in a real browser: what their panels show is what Python did,
on the way, too.
"""

from urllib.parse import parse_qsl

import numpy as np
import pytest
from playwright.sync_api import expect

from svmviz.maths import kernels
from svmviz.run.recipe import from_query
from tests.browser.page import look, rests_at
from tests.tools.variants import seldom

PATHS = {
    "moons": "data=moons&n=60&noise=0.25&solver=idsvm&C=2&kernel=rbf(gamma=2.0)&seed=0&T=60",
    "another C": (
        "data=moons&n=60&noise=0.25&solver=idsvm&C=2&kernel=rbf(gamma=2.0)&seed=0&T=60&change=30:C=0.5"
    ),
}
RACKS = {
    "checkerboard": (
        "data=checkerboard&n=200&solver=tvm&B=12&C=2&kernel=rbf(gamma=3.0)&seed=1&T=200"
    ),
    "a smaller budget": (
        "data=checkerboard&n=200&solver=tvm&B=20&C=2&kernel=rbf(gamma=3.0)&seed=1&T=120&change=60:B=8"
    ),
}
ON_THE_WAY = """([t, phases]) => phases.map(phase => {
    svmviz.seek(t);
    svmviz.phase = phase;
    const view = svmviz.view(), path = svmviz.mechanism.pathOf(view);
    const heights = [...path.tracks].map(([row, corners]) => {
        const k = Math.max(1, corners.findIndex(([x]) => x >= path.now)), [[x0, y0], [x1, y1]] = [corners[k - 1], corners[k]];
        return [row, x1 > x0 ? y0 + (path.now - x0) / (x1 - x0) * (y1 - y0) : y1];
    });
    return { coef: [...view.now.coef], f: [...view.now.f], shown: view.shown, heights,
             sets: [...svmviz.mechanism.counts(view, path)].map(([set, rows]) => [set, rows]) };
})"""


def run_of(link: str):
    recipe, messages = from_query(dict(parse_qsl(link)))
    assert not messages
    return recipe.trace()


@pytest.mark.parametrize("link", seldom(PATHS.values()), ids=PATHS)
def test_the_plane_stands_where_the_path_has_come_to(show, link):
    """In the midst of a step the alphas of the picture are those of the path, not a straight way
    past its bends.
    """
    trace, page, seen = run_of(link), show(link), 0
    X, y = trace.problem.X, trace.problem.y
    bent = np.flatnonzero(trace.scalars["events"] > 1)[2:20:3].tolist()
    for t in (*bent, 31):
        gram = kernels.gram(trace.kernel(t), X, X)
        phases = np.linspace(0.05, 0.95, 13).tolist()
        for phase, found in zip(phases, page.evaluate(ON_THE_WAY, [t, phases]), strict=True):
            coef = np.array(found["coef"])
            assert np.abs(gram @ coef - found["f"]).max() <= 1e-6 * np.abs(gram).sum(axis=1).max()
            if not 0.0 < found["shown"] < 1.0 or (t == 31 and len(trace.segments) > 1):
                continue  # whom another C moved is on no path of the newcomer
            seen += 1
            for row, height in found["heights"]:
                assert abs(y[row] * coef[row] - height) <= 1e-5 * trace.params(t)["C"], (
                    t,
                    phase,
                    row,
                )
    assert seen > 10


@pytest.mark.parametrize("link", PATHS.values(), ids=PATHS)
def test_shelves_hold_those_who_stand_on_them(show, link):
    trace, page = run_of(link), show(link)
    for t in (1, 17, 29, 31, 45, 60):
        page.evaluate("t => svmviz.seek(t)", t)
        rests_at(page, t)
        alpha, C = np.abs(trace.at(t).coef), trace.params(t)["C"]
        sets = dict(
            page.evaluate(
                "[...svmviz.mechanism.counts(svmviz.view(),"
                " svmviz.mechanism.pathOf(svmviz.view()))]"
            )
        )
        rest, margin, error = (set(sets[kind]) for kind in (2, 3, 4))
        assert error == set(np.flatnonzero(alpha >= C * (1 - 1e-9)))
        assert margin == set(np.flatnonzero((alpha > 0) & (alpha < C * (1 - 1e-9))))
        assert [len(margin), len(error), len(rest)] == [
            trace.scalars[name][t] for name in ("n_margin", "n_error", "n_rest")
        ]
        assert sum(map(len, (rest, margin, error))) == trace.scalars["seen"][t]


def test_where_a_run_was_changed_it_says_how_many_it_has_learnt(show):
    page = show(f"{PATHS['another C']}&t=30")
    rests_at(page, 30)
    assert look(page, "view().changed")
    expect(page.locator(".numbers dd").first).to_have_text("30 / 60")
    assert "undefined" not in page.locator(".stage").inner_text()


@pytest.mark.parametrize("link", seldom(RACKS.values()), ids=RACKS)
def test_the_rack_counts_all_that_its_twins_stand_for(show, link):
    trace, page = run_of(link), show(link)
    problem = trace.problem
    stand = {}  # replayed here: who came, who was dropped, who became one
    for t in range(1, trace.steps + 1):
        segment = trace.segment(t)
        s, own = t - segment.start - 1, segment.record.own
        if own["row"][s] >= 0:
            label = problem.y[segment.record.drawn[s, 0]]
            stand[int(own["row"][s])] = np.array([label > 0, label < 0], int)
        for kind, m, n, z in own["rooms"][own["room_first"][s] : own["room_first"][s + 1]].tolist():
            gone = stand.pop(m)
            if kind == 1:
                stand[z] = gone + stand.pop(n)
        if t not in (5, 60, 61, 90, 120, trace.steps):
            continue
        page.evaluate("t => svmviz.seek(t)", t)
        rests_at(page, t)
        shown = {
            twin["row"]: [twin["plus"], twin["minus"]]
            for twin in page.evaluate("svmviz.mechanism.standing(svmviz.view())")
        }
        assert shown == {row: counts.tolist() for row, counts in stand.items()}
        assert len(shown) == trace.scalars["n_sv"][t] <= trace.params(t)["B"] or t == 61
        assert sum(map(sum, shown.values())) == trace.scalars["stands"][t]
        held = np.array(look(page, "view().now.coef.filter(v => v !== 0)"))
        C = trace.params(t)["C"]
        assert np.abs(held).max() <= C * max(max(counts) for counts in shown.values()) * (1 + 1e-9)
