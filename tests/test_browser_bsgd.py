"""Budgeted SGD in a real browser: vectors that are no examples, the theatre of an overflow, another pair by hand."""

from urllib.parse import parse_qsl, urlencode

import numpy as np
import pytest
from playwright.sync_api import expect
from test_browser import assert_alike, look, quiet, rests_at, state, until, visit  # noqa: F401  visit is a fixture

from svmviz import budget
from svmviz.recipe import from_query

BSGD = "solver=bsgd&data=moons&n=150&noise=0.2&data_seed=3&seed=7&T=300&lam=0.01&B=12&kernel=rbf(gamma=3.0)"
RUNS = {
    "merge": "", "remove": "maintenance=remove smallest", "oldest": "maintenance=remove oldest&rule=Norma",
    "project": "maintenance=project smallest", "no budget": "maintenance=none", "stop": "maintenance=stop",
    "Perceptron in a ball": "rule=margin Perceptron&U=2.0", "a score per class": "multiclass=1",
    "changes": "change=120:B=6;200:maintenance=remove smallest", "13 features": "data=wine&kernel=rbf(gamma=0.1)",
}


def link(more: str) -> str:
    return urlencode({key: value for key, value in parse_qsl(f"{BSGD}&{more}") if more.find("wine") < 0 or key not in (
        "n", "noise", "data_seed")})


def recipe(more: str):
    found, messages = from_query(dict(parse_qsl(link(more))))
    assert not messages
    return found


def overflows(trace) -> list[int]:
    return np.flatnonzero(trace.scalars["event"] == 3).tolist()


@pytest.mark.parametrize("more", RUNS.values(), ids=RUNS)
def test_player_and_python_agree_at_random_steps_after_random_seeks(visit, more):  # noqa: F811
    trace, rng = recipe(more).trace(), np.random.default_rng(len(more))
    page = visit(f"{link(more)}&t=100")
    xs, ys = (np.array(look(page, f"engine.grid.{name}.join()").split(","), float) for name in ("xs", "ys"))
    plane = recipe(more).look(trace.problem)
    for t in [100, *rng.integers(1, 301, 5).tolist(), 0]:
        page.evaluate("t => svmviz.seek(t)", t)
        rests_at(page, t)
        shown, cells = state(page), rng.integers(0, xs.size * ys.size, 20)
        places = np.column_stack([xs[cells % xs.size], ys[cells // xs.size]]) @ plane.basis + plane.origin

        def binary(f):
            return f[:, 1] - f[:, 0] if f.ndim > 1 else f

        f = binary(trace.f(t, trace.problem.X))
        pairs = [(np.array(shown["f"])[: trace.problem.n], f), (np.array(shown["field"])[cells], binary(trace.f(t, places)))]
        for mine, theirs in pairs:
            assert np.abs(mine - theirs).max() <= 1e-6 * max(np.abs(f).max(), 1e-9)
        used = np.flatnonzero(shown["coef"])
        assert sorted(used.tolist()) == sorted(trace.support(t).row.tolist())  # nobody who is gone left a trace
        if not more.startswith("multiclass"):
            assert_alike(page.locator(".why").inner_text(), trace.why(t))


def test_an_overflow_shows_all_candidates_and_what_each_would_cost(visit):  # noqa: F811
    trace = recipe("").trace()
    t = overflows(trace)[3]
    page = visit(f"{link('')}&t={t}&beat=look")
    until(page, "svmviz.mechanism.choice.list.length > 0")
    before = trace.overflow(t)
    found = budget.candidates(before.vectors, before.coef, 3.0, int(np.flatnonzero(before.row == trace.scalars["m"][t])[0]))
    partners = zip(found.n, found.degradation, found.same_side, strict=True)
    expected = {int(before.row[n]): lost for n, lost, same in partners if same}
    listed = page.evaluate("svmviz.mechanism.choice.list.map(c => [c.row, c.lost])")
    assert {row for row, _ in listed} == set(expected)
    assert all(lost == pytest.approx(expected[row], rel=1e-4, abs=1e-6) for row, lost in listed)
    assert [lost for _, lost in listed] == sorted(lost for _, lost in listed)
    assert listed[0][0] == trace.scalars["n"][t] and listed[0][1] == pytest.approx(trace.scalars["degradation"][t], rel=1e-4)
    expect(page.locator(".numbers")).to_contain_text("12 + 1")
    assert look(page, "mechanism.rack.rows.length") == 13
    page.keyboard.press("End")
    until(page, "svmviz.t === svmviz.run.T && svmviz.phase === 1")
    until(page, "svmviz.mechanism.rack.rows.length === svmviz.run.n_sv.at(-1)")


def test_another_partner_can_be_tried_by_hand(visit):  # noqa: F811
    t = overflows(recipe("").trace())[3]
    page = visit(f"{link('')}&t={t}&beat=look")
    until(page, "svmviz.mechanism.choice.list.length > 2")
    box, run = page.locator(".ranked canvas").bounding_box(), look(page, "run.id")
    second = look(page, "mechanism.choice.list[1].row")
    step, top = look(page, "mechanism.choice.step"), look(page, "mechanism.choice.top")
    page.mouse.click(box["x"] + 30, box["y"] + top + 1.5 * step)
    until(page, "svmviz.mechanism.asked === value", second)
    quiet(page)
    assert look(page, "run.id") == run  # a question, not a change
    page.keyboard.press("ArrowRight")
    until(page, "svmviz.mechanism.asked === -1")


def test_a_step_without_an_overflow_has_no_theatre(visit):  # noqa: F811
    trace = recipe("").trace()
    calm = next(t for t in range(1, 300) if trace.scalars["event"][t] == 0)
    page = visit(f"{link('')}&t={calm - 1}")
    seen = []
    for _ in range(8):
        page.keyboard.press(".")
        page.evaluate("new Promise(requestAnimationFrame)")
        seen.append(page.evaluate("[svmviz.t, svmviz.view().beat]"))
    assert not {beat for t, beat in seen if t == calm} & {"choose", "look", "take"}
