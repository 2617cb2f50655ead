"""SIMBA in a real browser: the twin weights, the table that fills as it is read, slack beside SBP's
water, the switches.
"""

from urllib.parse import parse_qsl

import numpy as np
from playwright.sync_api import expect

from svmviz.papers.simba import rivals
from svmviz.run.recipe import Recipe, from_query
from tests.browser.page import look, quiet, rests_at, until
from tests.tools.saying import same_words

TABLE = "solver=simba&data=direction&n=60&d=40&margin=0.2&noise=0.05&nu=0.02&T=150"
KNOWN = "(({ cells }) => Array.from(cells.pixels, v => v !== cells.blank))(svmviz.mechanism)"


def recipe(more: str):
    found, messages = from_query(dict(parse_qsl(f"{TABLE}&{more}")))
    assert not messages
    return found


def test_two_features_and_drawn_points_are_replayed_too(show):
    link = "solver=simba&data=blobs&n=40&nu=0.05&T=80&edit=30:3.7:0.5,0.5,1!1,-0.5,-1"
    found, messages = from_query(dict(parse_qsl(link, separator="&")))
    assert not messages and found.edits
    trace, page = found.trace(), show(f"{link}&t=60")
    for t in (60, 5, 80):
        page.evaluate("t => svmviz.seek(t)", t)
        rests_at(page, t)
        same_words(page.locator(".why").inner_text(), trace.why(t))
        assert page.evaluate("t => svmviz.mechanism.duals.cells[t]", t) == trace.scalars["cells"][t]


def test_erased_points_leave_the_table(show):
    gone = ".".join(map(str, range(2, 60)))
    page = show(f"solver=simba&data=moons&n=60&T=20&edit=4:{gone}:&t=9")
    for t, there in ((9, 2), (4, 2), (3, 60), (20, 2)):
        page.evaluate("t => svmviz.seek(t)", t)
        rests_at(page, t)
        expect(page.locator(".mechanism .caption")).to_contain_text(f"{there} rows × 2 columns")
        assert len(look(page, "mechanism.cells.order")) == there
    expect(page.locator(".why")).to_contain_text(
        "100 % of the matrix is known; Pegasos would know 100 %"
    )


def test_a_cell_is_tinted_once_its_row_or_column_has_been_read(show):
    trace, page = recipe("").trace(), show(f"{TABLE}&t=12")
    rests_at(page, 12)
    touched = np.zeros((60, 40), bool)
    for t in range(1, 13):
        touched[trace.drawn[t]] = True
        touched[:, int(trace.scalars["column"][t]) - 1] = True
    shown = np.array(page.evaluate(KNOWN))
    order = np.array(look(page, "mechanism.cells.order"))
    assert np.array_equal(shown.reshape(60, 40), touched[order])
    page.evaluate("svmviz.seek(3)")  # going back, cells are forgotten again
    rests_at(page, 3)
    assert sum(page.evaluate(KNOWN)) == trace.scalars["cells"][3] < shown.sum()
    expect(page.locator(".mechanism h3 b")).to_have_text("Data matrix")


def test_a_bundle_is_the_fainter_the_less_of_it_is_known(show):
    page = show("solver=simba&data=rare&n=40&d=800&nu=0.001&T=30&t=9")
    rests_at(page, 9)
    assert look(page, "mechanism.cells.wide") == 3 and look(page, "mechanism.cells.tall") == 1
    full, thin = page.evaluate(
        """(({ cells, duals }) => {
        const far = p => [0, 8, 16].reduce((sum, k) => sum + Math.abs((p >>> k & 255) - (cells.blank >>> k & 255)), 0);
        const row = duals.rowFirst.findIndex(t => t <= 9), c = Math.floor(duals.columnFirst[0].findIndex(t => t <= 9) / 3);
        const mean = list => list.reduce((a, b) => a + b, 0) / list.length;
        const unread = [...cells.order.keys()].filter(k => duals.rowFirst[cells.order[k]] > 9);
        return [mean(Array.from({ length: cells.columns }, (_, j) => far(cells.pixels[cells.place[row] * cells.columns + j]))),
            mean(unread.map(k => far(cells.pixels[k * cells.columns + c])))]; })(svmviz.mechanism)"""
    )
    assert full > thin > 0


def test_rivals_come_after_the_first_picture_and_a_click_on_them_jumps(visit):
    link = f"{TABLE.replace('noise=0.05', 'noise=0')}&t=12"
    page, found = visit(link), rivals.compared(from_query(dict(parse_qsl(link)), ("t",))[0])
    expect(page.locator(".curves .metric")).to_have_value("rivals")
    until(page, "svmviz.run.rivals && svmviz.curves.x")
    assert page.evaluate("svmviz.run.rivals") == found
    assert page.evaluate("svmviz.mounts") == 1 and page.evaluate("svmviz.t") == 12
    expect(page.locator(".curves .axis")).to_be_hidden()
    x = page.evaluate("svmviz.curves.x(svmviz.run.axes.features_read(70))")
    page.locator(".curves canvas").click(position={"x": x, "y": 40})
    rests_at(page, 70)
    page.locator(".curves .metric").select_option("suboptimality")
    expect(page.locator(".curves .axis")).to_be_visible()
    quiet(page)


def test_the_stage_stays_bright_while_its_rivals_run(visitor, server):
    page = visitor()
    page.add_init_script("""globalThis.brightness = [];
        const look = () => {
            const stage = document.querySelector('.st-key-stage');
            if (stage) brightness.push(+getComputedStyle(stage).opacity);
            requestAnimationFrame(look);
        };
        look();""")
    page.goto(f"{server}/?data=rare&solver=simba&nu=0.001&T=400&seed=41")
    until(page, "globalThis.svmviz?.run?.rivals")
    assert page.evaluate("brightness.length > 0 && Math.min(...brightness)") == 1


def test_too_many_steps_are_refused_with_as_many_as_go_a_click_away(arrive):
    page = arrive("/?data=rare&solver=simba&nu=0.001&T=2000")
    most = Recipe("rare", solver="simba", params={"nu": 0.001}).checked().most_steps()
    page.get_by_role("button", name=f"Run {most} steps", exact=True).click()
    until(page, "globalThis.svmviz?.run?.T === value", most)


def test_one_click_shows_the_slack_beside_the_water_of_sbp(show):
    page = show(f"{TABLE}&t=12")
    button = page.get_by_role("button", name="Beside SBP")
    before = page.evaluate("svmviz.mechanism.sheet.canvas.toDataURL()")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".mechanism h3 b")).to_have_text("Slack")
    assert page.evaluate("svmviz.mechanism.sheet.canvas.toDataURL()") != before
    button.click()
    expect(page.locator(".mechanism h3 b")).to_have_text("Data matrix")


def test_a_switch_changes_the_run_from_here_on(visit):
    page = visit(f"{TABLE}&t=40")
    rests_at(page, 40)
    page.get_by_text("exact X w", exact=True).first.click()
    until(page, "svmviz.run.segments.length === 2 && svmviz.run.segments[1].params.exact_margins")
    quiet(page)
    assert page.evaluate("svmviz.run.segments[1].start") == 40
    assert page.evaluate("svmviz.mechanism.duals.cells[41] === svmviz.run.entries")


def test_a_row_under_the_pointer_is_marked_on_the_plane(show):
    page = show(f"{TABLE}&t=12")
    box = look(page, "mechanism.box")
    canvas = page.locator(".mechanism canvas").bounding_box()
    page.mouse.move(canvas["x"] + box["left"] + 20, canvas["y"] + box["top"] + box["height"] * 0.5)
    until(page, "svmviz.linked === svmviz.mechanism.cells.order[30]")
