"""The incremental SVM in a real browser: the stream, its teachers, PROCESS and REPROCESS as beats,
another K on the way.
"""

from urllib.parse import parse_qsl, urlencode

import numpy as np
import pytest
from playwright.sync_api import expect

from svmviz.run.recipe import from_query
from svmviz.theory import bounds, optima
from tests.browser.page import look, query, quiet, rests_at, slider, some_cells, state, until
from tests.tools.saying import same_words

RUN = "solver=incremental&data=gauss&n=150&data_seed=3&seed=7&T=120"
RUNS = {  # what is on screen; test_player.py has many more without one
    "Algorithm 2": "",
    "active, Algorithm 1": "teacher=active&algorithm=Algorithm 1&pool=20",
    "batch": "algorithm=batch",
    "changes": "change=40:K=20;80:C=0.2",
    "other K": "change=40:K=20;80:teacher=active",
    "my own": "teacher=you&chosen=3:17;4:0",
}


def link(more: str) -> str:
    return urlencode(dict(parse_qsl(f"{RUN}&{more}")))


def recipe(more: str):
    found, messages = from_query(dict(parse_qsl(link(more))))
    assert not messages
    return found


@pytest.mark.parametrize("more", RUNS.values(), ids=RUNS)
def test_player_and_python_agree_at_random_steps_after_random_seeks(show, more):
    trace, rng = recipe(more).trace(), np.random.default_rng(len(more))
    page = show(f"{link(more)}&t=60")
    moves = np.concatenate([s.record.delta[s.record.delta != 0.0] for s in trace.segments])
    assert look(page, "run.move_end !== undefined") == (more != RUNS["changes"])
    found = np.array(
        page.evaluate("[...svmviz.run.move_delta]")
    )  # digit for digit, up to where Python sums up anew
    assert (found == moves).all() if more != RUNS["other K"] else abs(found - moves).max() <= 1e-14
    for t in [60, *rng.integers(1, 121, 5).tolist(), 120, 0]:
        page.evaluate("t => svmviz.seek(t)", t)
        rests_at(page, t)
        shown, f = state(page), trace.f(t, trace.problem.X)
        cells, places = some_cells(shown, rng)
        for mine, theirs in (
            (shown["f"], f),
            (np.array(shown["field"])[cells], trace.f(t, places)),
        ):
            assert np.abs(np.array(mine) - theirs).max() <= 1e-6 * max(np.abs(f).max(), 1e-9)
        last = page.evaluate("[...svmviz.view().last.after.coef]")
        assert (
            np.abs(np.array(last) - trace.at(t).coef).max() <= 1e-12
        )  # the ends of the boxes are reached here too
        assert look(page, f"run.seen[{t}]") == trace.scalars["seen"][t]
        same_words(page.locator(".why").inner_text(), trace.why(t))


def test_the_boundary_runs_where_f_is_0_far_from_all_examples(show):
    """Where f falls by orders of magnitude from one cell to the next the line once was a
    staircase.
    """
    trace, page = (
        from_query(dict(parse_qsl("solver=incremental&T=300")))[0].trace(),
        show("solver=incremental&T=300&t=204"),
    )
    points, cell = page.evaluate("""() => {
        const { x, y, paths, frame } = svmviz.plane, line = paths.find(path => path.level === 0).lines.flat();
        return [line.map(([px, py]) => [x.back(px), y.back(py)]), (x.d1 - x.d0) / 59];
    }""")
    points = np.array(points)
    nearest = np.linalg.norm(points[:, None] - trace.problem.X[None], axis=2).min(axis=1)
    far = points[nearest > np.quantile(nearest, 0.7)]
    around = [[0, 0.03], [0, -0.03], [0.03, 0], [-0.03, 0]]  # of a cell
    signs = np.array([trace.f(204, far + cell * np.array(by)) > 0 for by in around])
    assert len(far) > 20 and (signs.any(axis=0) & ~signs.all(axis=0)).all()


def test_back_in_time_the_plane_is_what_it_was(show):
    page = show(f"{link('')}&t=60")
    early, late, again = page.evaluate("""[40, 110, 40].map(t => {
        svmviz.seek(t);
        svmviz.paint();
        return svmviz.plane.sheet.canvas.toDataURL();
    })""")
    assert early == again != late  # who is yet to come is faint again


def test_the_shares_below_the_boxes_are_those_of_identity_4(show):
    trace = recipe("").trace()
    page = show(f"{link('')}&t=90")
    rows = np.array(look(page, "mechanism.boxes.order"))
    assert sorted(rows.tolist()) == sorted(optima.seen(trace, optima.arrivals(trace), 90).tolist())
    coef = trace.coef(90)
    expected = bounds.gap_shares(
        trace.problem.y, trace.f(90, trace.problem.X), trace.problem.y * coef, 1.0
    )[rows]
    shares = np.array(look(page, "mechanism.boxes.shares"))
    assert shares == pytest.approx(expected, abs=1e-9)
    assert shares.sum() / 90 == pytest.approx(trace.scalars["gap"][90], abs=1e-9)


def test_process_and_reprocess_are_beats_of_their_own(show):
    trace = recipe("teacher=active").trace()
    t = next(
        t
        for t in range(20, 100)
        if trace.segments[0].record.delta[t - 1, 0] and trace.scalars["moved"][t]
    )
    page = show(f"{link('teacher=active')}&t={t - 1}")
    seen = []
    for _ in range(6):
        page.keyboard.press(".")
        page.evaluate("new Promise(requestAnimationFrame)")
        seen.append(
            page.evaluate("[svmviz.t, svmviz.view().beat, svmviz.mechanism.boxes.coef.join()]")
        )
    assert [beat for step, beat, _ in seen if step == t][:6] == [
        "pool",
        "take",
        "process",
        "draw",
        "step",
        "average",
    ]
    alpha = [np.array(coef.split(","), float) for _, _, coef in seen]
    new = int(trace.segments[0].record.drawn[t - 1, 0])
    before, after = trace.at(t - 1).coef, trace.at(t).coef
    assert np.array_equal(alpha[1], before) and set(np.flatnonzero(alpha[3] != before)) == {new}
    assert np.abs(alpha[5] - after).max() <= 1e-12


def test_another_teacher_goes_on_from_here(visit):
    page = visit(f"{link('')}&t=50")
    expect(page.locator(".chooser")).to_be_hidden()
    past = look(page, "run.drawn.slice(0, 50).join()")
    page.get_by_role("combobox", name="teacher").click()
    page.get_by_role("option", name="active", exact=True).click()
    until(page, "svmviz.run.segments.length === 2")
    assert query(page)["change"] == "50:teacher=active"
    assert look(page, "run.drawn.slice(0, 50).join()") == past
    page.get_by_role("button", name="One step (→)").click()
    rests_at(page, 51)
    expect(page.locator(".chooser")).to_be_visible()
    expect(page.locator(".why")).to_contain_text("lies closest to the boundary")


def test_a_click_makes_a_point_the_next_of_the_stream(visit):
    page = visit(f"{link('teacher=you')}&t=30")
    rests_at(page, 30)
    i = page.evaluate("""() => {                       // one that has not arrived and stands alone
      const { run, plane } = svmviz, at = i => [plane.x(run.points[2 * i]), plane.y(run.points[2 * i + 1])];
      const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
      const alone = i => at(i)[0] > 60 && [...Array(run.n).keys()].every(j => j === i || apart(at(i), at(j)) > 14);
      return [...Array(run.n).keys()].find(i => run.arrival[i] > 31 && alone(i));
    }""")
    place = page.evaluate(
        "i => [svmviz.plane.x(svmviz.run.points[2 * i]), svmviz.plane.y(svmviz.run.points[2 * i +"
        " 1])]",
        i,
    )
    page.locator("section.plane canvas").click(position={"x": place[0], "y": place[1]})
    rests_at(page, 31)
    assert look(page, "run.drawn[30]") == i
    expect(page.locator(".why")).to_contain_text(f"You chose point {i + 1}")
    quiet(page)
    assert query(page)["chosen"] == f"31:{i}"
    page.locator("section.plane canvas").click(
        position={"x": place[0], "y": place[1]}
    )  # it cannot come twice
    expect(page.locator(".toast")).to_contain_text("has arrived already")


def test_another_k_in_the_midst_of_a_run(visit):
    page = visit(f"{link('')}&t=60")
    gap = look(page, "run.gap.slice(0, 61).join()")
    slider(page, "draws").press("ArrowRight")
    until(page, "svmviz.run.segments.length === 2")
    assert look(page, "run.segments[1].start") == 60 and look(page, "run.segments[1].params.K") == 7
    assert look(page, "run.gap.slice(0, 61).join()") == gap
    assert look(page, "run.bound.t.at(-1)") <= 60  # the theorem needs a fixed K


@pytest.mark.parametrize(
    "curve, says",
    [("regret", "mean over the rounds so far"), ("band", "divided by C t"), ("gap", "P(w) − D(α)")],
)
def test_every_curve_of_a_stream_says_what_it_shows(show, curve, says):
    page = show(f"{link('')}&t=60&y={curve}")
    until(page, "svmviz.curves.caption.said?.some(words => words.includes(value))", says)
