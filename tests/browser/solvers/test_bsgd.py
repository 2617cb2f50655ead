"""Budgeted SGD in a real browser: vectors that are no examples, the theatre of an overflow, another
pair by hand.
"""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from svmviz.maths import kernels
from svmviz.run import rivals
from svmviz.run.recipe import from_query
from svmviz.solvers.bsgd import budget
from tests.browser.page import look, quiet, rests_at, some_cells, state, until
from tests.tools.saying import same_words

BSGD = "solver=bsgd&data=moons&n=150&noise=0.2&data_seed=3&seed=7&T=300&lam=0.01&B=12&kernel=rbf(gamma=3.0)"
RUNS = {  # what is on screen; test_player.py has many more without one
    "merge": "",
    "project": "maintenance=project smallest",
    "changes": "change=120:B=6;200:maintenance=remove smallest",
    "13 features": "data=wine&kernel=rbf(gamma=0.1)",
}


def link(more: str) -> str:
    return urlencode(
        {
            key: value
            for key, value in parse_qsl(f"{BSGD}&{more}")
            if more.find("wine") < 0 or key not in ("n", "noise", "data_seed")
        }
    )


def recipe(more: str):
    found, messages = from_query(dict(parse_qsl(link(more))))
    assert not messages
    return found


def overflows(trace) -> list[int]:
    return np.flatnonzero(trace.scalars["event"] == 3).tolist()


@pytest.mark.parametrize("more", RUNS.values(), ids=RUNS)
def test_player_and_python_agree_at_random_steps_after_random_seeks(show, more):
    trace, rng = recipe(more).trace(), np.random.default_rng(len(more))
    page = show(f"{link(more)}&t=100")
    plane = recipe(more).look(trace.problem)
    for t in [100, *rng.integers(1, 301, 5).tolist(), 0]:
        page.evaluate("t => svmviz.seek(t)", t)
        rests_at(page, t)
        shown = state(page)
        cells, places = some_cells(shown, rng)
        places = places @ plane.basis + plane.origin

        def binary(f):
            return f[:, 1] - f[:, 0] if f.ndim > 1 else f

        f = binary(trace.f(t, trace.problem.X))
        pairs = [
            (np.array(shown["f"])[: trace.problem.n], f),
            (np.array(shown["field"])[cells], binary(trace.f(t, places))),
        ]
        for mine, theirs in pairs:
            assert np.abs(mine - theirs).max() <= 1e-6 * max(np.abs(f).max(), 1e-9)
        used = np.flatnonzero(shown["coef"])
        assert sorted(used.tolist()) == sorted(
            trace.support(t).row.tolist()
        )  # nobody who is gone left a trace
        if not more.startswith("multiclass"):
            same_words(page.locator(".why").inner_text(), trace.why(t))


def test_the_plane_counts_the_vectors_of_the_field_that_it_shows(show):
    t = overflows(recipe("").trace())[3]
    page = show(f"{link('')}&t={t}")
    for field, count in (("", 12), ("before", 13), ("after", 12)):
        page.evaluate("field => { svmviz.field = field; svmviz.paint(); }", field)
        expect(page.locator(".plane .caption").first).to_contain_text(f"{count} vectors")


def test_an_overflow_shows_all_candidates_and_what_each_would_cost(show):
    trace = recipe("").trace()
    t = overflows(trace)[3]
    page = show(f"{link('')}&t={t}&beat=look")
    until(page, "svmviz.mechanism.choice.list.length > 0")
    before = trace.overflow(t)
    found = budget.candidates(
        before.vectors,
        before.coef,
        3.0,
        int(np.flatnonzero(before.row == trace.scalars["m"][t])[0]),
    )
    partners = zip(found.n, found.degradation, found.same_side, strict=True)
    expected = {int(before.row[n]): lost for n, lost, same in partners if same}
    listed = page.evaluate("svmviz.mechanism.choice.list.map(c => [c.row, c.lost])")
    assert {row for row, _ in listed} == set(expected)
    assert all(lost == pytest.approx(expected[row], rel=1e-4, abs=1e-6) for row, lost in listed)
    assert [lost for _, lost in listed] == sorted(lost for _, lost in listed)
    assert listed[0][0] == trace.scalars["n"][t] and listed[0][1] == pytest.approx(
        trace.scalars["degradation"][t], rel=1e-4
    )
    expect(page.locator(".numbers")).to_contain_text("12 + 1")
    assert look(page, "mechanism.rack.rows.length") == 13
    page.keyboard.press("End")
    until(page, "svmviz.t === svmviz.run.T && svmviz.phase === 1")
    until(page, "svmviz.mechanism.rack.rows.length === svmviz.run.n_sv.at(-1)")


WHAT_IF = """() => {
    const { mechanism } = svmviz, { event } = mechanism.frame(svmviz.view());
    svmviz.paint();
    return { ...event, acting: [...mechanism.acting], slot: mechanism.rack.rows.indexOf(event.n) };
}"""


def test_another_partner_can_be_tried_by_hand_and_everything_tells_of_it(show):
    trace = recipe("").trace()
    t = overflows(trace)[3]
    page = show(f"{link('')}&t={t}")  # at rest: the question leads to where the choice is made
    until(page, "svmviz.mechanism.choice.list.length > 2")
    box, run, told = (
        page.locator(".ranked canvas").bounding_box(),
        look(page, "run.id"),
        page.locator(".why").inner_text(),
    )
    second = look(page, "mechanism.choice.list[1].row")
    step, top = look(page, "mechanism.choice.step"), look(page, "mechanism.choice.top")
    page.mouse.click(box["x"] + 30, box["y"] + top + 1.5 * step)
    until(page, "svmviz.mechanism.asked === value && svmviz.view().beat === 'look'", second)
    before, shown = trace.overflow(t), page.evaluate(WHAT_IF)
    m, n = (int(np.flatnonzero(before.row == row)[0]) for row in (shown["m"], second))
    found = budget.candidates(before.vectors, before.coef, 3.0, m)
    lost = found.degradation[list(found.n).index(n)]
    assert (
        shown["n"] == second and {shown["m"], second} <= set(shown["acting"]) and shown["slot"] >= 0
    )
    assert shown["lost"] == pytest.approx(lost, rel=1e-4)
    z = shown["h"] * before.vectors[m] + (1 - shown["h"]) * before.vectors[n]
    k = kernels.gram(kernels.rbf(3.0), before.vectors[[m, n]], z[None])[:, 0]
    assert shown["at"] == pytest.approx(z, abs=1e-6) and shown["becomes"] == pytest.approx(
        [before.coef[[m, n]] @ k], rel=1e-5
    )
    words, code = page.locator(".why"), page.locator(".lines li.active output")
    expect(words).to_contain_text("What if")
    expect(words).to_contain_text(f"‖Δ‖² = {lost:.3g} would be lost")
    expect(code).to_contain_text(f"h = {shown['h']:.3f}")
    expect(page.locator(".code .caption")).to_have_text(f"step {t}: what if")
    for mode, after in (("after", True), ("difference", False)):  # the field follows, too
        page.get_by_role("button", name=mode, exact=True).click()
        field, grid = page.evaluate(
            """() => { const { xs, ys } = svmviz.engine.grid;
            return [Array.from(svmviz.mechanism.looks(svmviz.view()).field), { xs: [...xs], ys: [...ys] }]; }"""
        )
        cells, places = some_cells(grid, np.random.default_rng(t), 30)
        f = kernels.gram(kernels.rbf(3.0), places, before.vectors) @ before.coef
        gone = kernels.gram(kernels.rbf(3.0), places, before.vectors[[m, n]]) @ before.coef[[m, n]]
        gone -= kernels.gram(kernels.rbf(3.0), places, z[None])[:, 0] * shown["becomes"][0]
        assert (
            np.abs(np.array(field)[cells] - (f - gone if after else gone)).max()
            <= 1e-5 * np.abs(f).max()
        ), mode
    quiet(page)
    assert (
        look(page, "run.id") == run and look(page, "mechanism.asked") == second
    )  # a question, not a change
    page.get_by_role("button", name="Back to what happened").click()
    expect(words).to_have_text(told)
    assert page.evaluate(WHAT_IF)["n"] == trace.scalars["n"][t] and look(page, "supposed") is None
    for leave in ("Escape", "ArrowRight"):
        page.mouse.click(box["x"] + 30, box["y"] + top + 1.5 * step)
        until(page, "svmviz.mechanism.asked === value", second)
        page.keyboard.press(leave)
        until(page, "svmviz.mechanism.asked === -1")


def test_a_step_without_an_overflow_has_no_theatre(show):
    trace = recipe("").trace()
    calm = next(t for t in range(1, 300) if trace.scalars["event"][t] == 0)
    page = show(f"{link('')}&t={calm - 1}")
    seen = []
    for _ in range(8):
        page.keyboard.press(".")
        page.evaluate("new Promise(requestAnimationFrame)")
        seen.append(page.evaluate("[svmviz.t, svmviz.view().beat]"))
    assert not {beat for t, beat in seen if t == calm} & {"choose", "look", "take"}


def at_beat(visit, more: str, kind: int, beat: str, which=lambda trace, t: True):
    """A page at a beat of the first suitable step after 100 whose maintenance was of this kind, and
    the trace.
    """
    trace = recipe(more).trace()
    t = next(t for t in range(100, 300) if trace.scalars["event"][t] == kind and which(trace, t))
    page = visit(f"{link(more)}&t={t}&beat={beat}")
    until(page, "svmviz.view().beat === value && svmviz.mechanism.choice.list.length > 0", beat)
    return page, trace, t


def newcomer_goes(trace, t) -> bool:
    return trace.scalars["m"][t] == trace.drawn[t]


def close(trace, t) -> bool:
    before = trace.overflow(t)
    m, n = (before.vectors[before.row == trace.scalars[which][t]][0] for which in "mn")
    return np.linalg.norm(m - n) < 0.15


MIDST = {
    "merge the newcomer": ("B=6", 3, newcomer_goes),
    "merge others": ("", 3, lambda trace, t: not newcomer_goes(trace, t)),
    "remove": ("maintenance=remove smallest", 1, lambda *_: True),
    "forget": (
        "rule=margin Perceptron&maintenance=remove oldest&beta=0.0&forget=1&B=5&eta=1.0",
        1,
        lambda *_: True,
    ),
    "project": ("maintenance=project smallest", 2, lambda *_: True),
    "in a ball": ("rule=margin Perceptron&U=2.0&eta=0.3&B=4", 3, newcomer_goes),
}


@pytest.mark.parametrize("more, kind, which", MIDST.values(), ids=MIDST)
def test_in_the_midst_of_a_step_the_player_has_one_too_many_as_python_does(show, more, kind, which):
    page, trace, t = at_beat(show, more, kind, "choose", which)
    before = trace.overflow(t)
    coef = np.array(page.evaluate("Array.from(svmviz.view().mid.coef)"))
    assert sorted(np.flatnonzero(coef).tolist()) == sorted(before.row.tolist())
    assert np.abs(coef[before.row] - before.coef).max() <= 1e-5 * np.abs(before.coef).max()
    assert look(page, "mechanism.rack.rows.length") == len(before.row) == trace.params(t)["B"] + 1


def test_the_lens_shows_a_close_pair_beside_it_and_inside_the_plane(show):
    trace = recipe("").trace()
    page = show(f"{link('')}&t=0")
    seen = {True: 0, False: 0}
    looked = page.evaluate(
        """steps => steps.map(step => {
        svmviz.seek(step);
        svmviz.beat(-1);
        svmviz.paint();
        const { mechanism: { theatre }, plane, run, t } = svmviz, k = run.event_of.get(t);
        const place = row => [plane.x(run.points[2 * row]), plane.y(run.points[2 * row + 1])];
        return structuredClone([theatre.lens, plane.frame, [run.event_m[k], run.event_n[k]].map(place)]);
    })""",
        overflows(trace)[::2],
    )
    for lens, frame, spots in looked:
        (ax, ay), (bx, by) = spots
        distance = np.hypot(ax - bx, ay - by)
        seen[lens is not None] += 1
        if lens is None:
            assert distance > 30  # far enough apart to be seen without one
            continue
        (x, y), (cx, cy), R, r = lens["at"], lens["from"], lens["R"], lens["around"]
        assert (
            frame["left"] <= x - R
            and x + R <= frame["left"] + frame["w"]
            and 0 <= y - R
            and y + R <= frame["h"]
        )
        assert np.hypot(x - cx, y - cy) >= R + r and lens["times"] >= 1.6
        for px, py in spots:  # both lie in the small circle, and magnified in the large one
            assert (
                np.hypot(px - cx, py - cy) <= r and lens["times"] * np.hypot(px - cx, py - cy) <= R
            )
    assert seen[True] > 5
    page.keyboard.press("End")
    until(page, "svmviz.mechanism.theatre.lens === null")


@pytest.mark.long
def test_the_lens_shuts_when_it_goes_too_fast_to_follow(show):
    page, *_ = at_beat(show, "", 3, "look", close)
    shown = (
        "(svmviz.playing = value > 0, svmviz.speed = value || 1, svmviz.mechanism.theatre.key ="
        " null, svmviz.paint(), svmviz.playing = false, Boolean(svmviz.mechanism.theatre.lens))"
    )
    slow, fast = (page.evaluate(f"value => {shown}", speed) for speed in (2, 4))
    assert slow and not fast


@pytest.mark.long
@pytest.mark.parametrize(
    "more, kind",
    [("", 3), ("maintenance=remove smallest", 1), ("maintenance=project smallest", 2)],
    ids=["merge", "remove", "project"],
)
def test_the_field_before_after_and_what_was_taken_away(visit, more, kind):
    page, trace, t = at_beat(visit, more, kind, "look" if kind > 1 else "choose")
    before, after = trace.overflow(t), trace.support(t)
    rng, signs = (
        np.random.default_rng(t),
        {
            "before": (1, 0),
            "after": (0, 1),
            "difference": (1, -1),
        },
    )
    for mode, (plus, minus) in signs.items():
        button = page.get_by_role("button", name=mode, exact=True)
        button.focus()
        page.keyboard.press("Enter")
        expect(button).to_have_attribute("aria-pressed", "true")
        shown = page.evaluate("""() => {
            const { xs, ys } = svmviz.engine.grid;
            return { field: Array.from(svmviz.mechanism.looks(svmviz.view()).field), xs: [...xs], ys: [...ys] };
        }""")
        cells, places = some_cells(shown, rng, 30)
        f = [
            kernels.gram(kernels.rbf(3.0), places, support.vectors) @ support.coef
            for support in (before, after)
        ]
        assert (
            np.abs(np.array(shown["field"])[cells] - plus * f[0] - minus * f[1]).max()
            <= 1e-5 * np.abs(f[0]).max()
        ), mode
    most = 240 / page.evaluate("svmviz.mechanism.looks(svmviz.view()).gain")
    expect(page.locator(".foot .caption")).to_have_text(
        re.compile(f"before − after, full colour ± {most:.2g}"[:30])
    )
    until(page, "new URL(location).searchParams.get('field') === 'difference'")
    page.reload()
    until(page, "globalThis.svmviz?.field === 'difference' && svmviz.draws > 0")
    page.keyboard.press("d")
    until(page, "svmviz.field === ''")
    until(page, "!new URL(location).searchParams.has('field')")


def test_a_slot_tells_all_of_itself_and_shows_its_vector(show):
    trace = recipe("").trace()
    page = show(f"{link('')}&t=250")
    until(page, "svmviz.mechanism.rack.rows?.length === 12")
    support, rows = trace.support(250), look(page, "mechanism.rack.rows")
    born = page.evaluate(
        "svmviz.mechanism.rack.rows.map(row => svmviz.mechanism.span(row, svmviz.t).slot)"
    )
    assert born == sorted(born) and set(rows) == set(support.row.tolist())  # oldest first
    k = int(np.argmax(support.merged))
    slot, n = rows.index(int(support.row[k])), trace.problem.n
    written = page.evaluate("svmviz.mechanism.slots.g.written.map(({ words }) => words)")
    marks = {f"v{row - n + 1}" if row >= n else str(row + 1) for row in rows}
    assert marks | {"+1"} <= set(written)  # as the sentence names them, and a place for one more
    assert any(re.match(r"⊕\d", words) for words in written) == any(
        "⊕ mergings" in words for words in written
    )
    box, step = page.locator(".rack canvas").bounding_box(), look(page, "mechanism.rack.step")
    page.mouse.move(box["x"] + (slot + 0.5) * step, box["y"] + 30)
    until(page, "svmviz.linked === value", int(support.row[k]))
    words = page.locator(".mechanism .tip")
    sign = "+1" if support.coef[k] > 0 else "−1"
    expect(words).to_contain_text(f"vector {support.row[k] - n + 1}, class {sign}")
    expect(words).to_contain_text(f"made in step {support.since[k]} by {support.merged[k]} merging")
    expect(words).to_contain_text(f"the slot is {250 - born[slot]} steps old")
    x, y = page.evaluate(
        "row => [svmviz.plane.x(svmviz.run.points[2 * row]), svmviz.plane.y(svmviz.run.points[2 *"
        " row + 1])]",
        int(support.row[k]),
    )
    plane = page.locator(".plane .view canvas").bounding_box()
    page.mouse.move(plane["x"] + x, plane["y"] + y)
    expect(page.locator(".plane .tip")).to_contain_text(
        f"vector {support.row[k] - n + 1}, class"
    )  # and back again


def test_rivals_stand_beside_the_curve_with_their_labels(show):
    trace = recipe("").trace()
    page = show(f"{link('')}&t=200")
    expect(page.locator("select.metric")).to_have_value("test")
    expect(page.locator(".curves .caption")).to_have_text("on 1000 fresh examples")
    for metric in ("test", "n_sv", "kernel_step", "E_bar"):
        page.locator("select.metric").select_option(metric)
        until(page, "svmviz.axes.y === value", metric)
        names = page.evaluate("svmviz.curves.series().map(([name]) => name)")
        assert names == ["merge, B = 12", "no budget", "remove smallest, B = 12"]
    others = rivals.runs(trace)
    shown = page.evaluate("svmviz.curves.series().map(([, value]) => value(svmviz.run.T))")
    expected = [
        trace.scalars["E_bar"][-1],
        *(other.scalars["E_bar"][-1] for other in others.values()),
    ]
    assert shown == pytest.approx(expected, rel=1e-5)
    page.locator("select.metric").select_option("n_sv")
    until(page, "svmviz.axes.y === 'n_sv'")
    counts = page.evaluate("svmviz.curves.series().map(([, value]) => value(svmviz.run.T))")
    assert counts == [12, others["no budget"].scalars["n_sv"][-1], 12] and counts[1] > 30
    before = look(page, "run.id")
    page.keyboard.press("End")
    rests_at(page, 300)
    assert look(page, "run.id") == before  # nothing was computed for it


def test_a_vacuous_theorem_is_said_to_be_vacuous(show):
    page = show(f"{link('')}&t=200&y=suboptimality")
    bound = page.evaluate("svmviz.run.bound")
    assert bound["vacuous"] > 1
    words = page.evaluate("""() => {
        const said = [], { fillText } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.fillText = words => said.push(words);
        svmviz.curves.key = null; // what is kept is painted anew
        svmviz.paint();
        CanvasRenderingContext2D.prototype.fillText = fillText;
        return said.join(" ");
    }""")
    assert "Theorem 1 is vacuous here" in words and "the loss of w = 0 is only 1" in words


@pytest.mark.long
def test_presets_set_what_makes_them_and_hide_what_does_nothing(visit):
    page = visit(f"{link('')}&t=50")
    side = page.get_by_test_id("stSidebar")

    def choose(name, menu="preset"):
        side.get_by_role("combobox", name=menu).click()
        page.get_by_role("option", name=name, exact=True).click()

    expect(side.get_by_text("step η")).to_have_count(0)
    expect(side.get_by_text("search for the partner")).to_be_visible()
    choose("Forgetron")
    until(
        page,
        "svmviz.run.segments[0].params.rule === 'margin Perceptron' &&"
        " svmviz.run.segments[0].params.forget",
    )
    made = page.evaluate("svmviz.run.segments.map(s => [s.params.maintenance, s.params.beta])")
    assert made == [["remove oldest", 0]]
    assert look(page, "t") == 50
    for words, count in (
        ("step.*η", 1),
        ("radius", 1),
        ("regularisation", 0),
        ("search for the partner", 0),
    ):
        expect(side.get_by_text(re.compile(f"^{words}"))).to_have_count(count)
    link_of = dict(parse_qsl(urlsplit(page.evaluate("svmviz.dialogs.address()")).query))
    assert link_of["lam"] == "0.01" and link_of["search"] == "table"  # what is hidden stays
    choose("Pegasos")
    until(
        page,
        "svmviz.run.segments[0].params.maintenance === 'none' &&"
        " !svmviz.run.segments[0].params.forget",
    )
    expect(side.get_by_text("budget B")).to_have_count(0)
    choose("merge", "when the budget overflows")
    until(page, "svmviz.run.segments.at(-1).params.maintenance === 'merge'")
    expect(side.get_by_role("combobox", name="preset")).to_have_value("BPegasos + merge")


RANKED = """t => {
    svmviz.seek(t);
    const { mechanism } = svmviz;
    mechanism.frame(svmviz.view());
    return mechanism.choice.list.map(({ row, lost }) => [row, lost]);
}"""


@pytest.mark.parametrize(
    "keep",
    [
        "project best",
        "project best old",
        "project on newcomer",
        "project on neighbour",
        "project smallest",
        "project newcomer",
    ],
)
def test_who_is_projected_is_ranked_first_by_what_that_costs(show, keep):
    more = f"maintenance={keep}&eps=0.5" + (
        "&rule=passive-aggressive" if keep == "project on neighbour" else ""
    )
    trace, page = recipe(more).trace(), show(link(more))
    own, happened = trace.scalars, trace.scalars["event"].astype(int)
    projected = np.flatnonzero(happened == budget.EVENTS.index("projected")).tolist()
    for t in projected[3 :: max(1, len(projected) // 8)]:
        ranked = page.evaluate(RANKED, t)
        assert ranked[0][0] == own["m"][t] and len(ranked) == 13 - (
            keep.endswith("old") or " on " in keep
        )
        if keep != "project smallest":  # there the list is that of the sizes
            assert ranked[0][1] == pytest.approx(own["degradation"][t], rel=1e-3, abs=1e-6)
    for t in np.flatnonzero(happened == budget.EVENTS.index("folded"))[:4].tolist():
        assert page.evaluate(RANKED, t) == []
    assert (
        projected
        if keep != "project newcomer"
        else (happened == budget.EVENTS.index("folded")).any()
    )
