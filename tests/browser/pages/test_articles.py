"""Articles in a real browser: small stages that play where they are seen, answer for themselves and
lead to the Playground.
"""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from svmviz.ui.papers.articles import PAPERS, article
from tests.browser.page import PHONE, is_no_wider, quiet
from tests.conftest import COLD

FIGURES = """globalThis.figures = () => [...svmvizFigures].sort(
    (a, b) => a.frame.getBoundingClientRect().top - b.frame.getBoundingClientRect().top)"""


def scenes(name: str) -> list:
    return [section.scene for section in article(name).sections if section.scene]


def read(page, server, name: str):
    """Open an article and wait until all its stages have their runs."""
    page.goto(f"{server}/{name}")
    mounted(page, name)
    return page


def mounted(page, name: str) -> None:
    page.wait_for_function(
        "n => globalThis.svmvizFigures?.size === n && [...svmvizFigures].every(f => f.run)",
        arg=len(scenes(name)),
        timeout=COLD,
    )
    quiet(page)
    page.evaluate(FIGURES)


FIRST_SCREEN = """([stage, text]) => {
  const share = ({ top, bottom }) => (Math.min(bottom, innerHeight) - Math.max(top, 0)) / innerHeight;
  const prose = document.querySelector("[class*=st-key-prose-] [data-testid=stMarkdown]");
  return share(figures()[0].frame.getBoundingClientRect()) > stage && share(prose.getBoundingClientRect()) > text;
}"""


@pytest.mark.long
@pytest.mark.parametrize("name", PAPERS)
def test_an_article_has_its_stages_and_its_opening_plays(page, server, name):
    read(page, server, name)
    told = scenes(name)
    page.wait_for_function(FIRST_SCREEN, arg=[0.3, 0.05])  # of its height
    assert page.evaluate("figures().map(f => f.frame.dataset.show)") == [
        " ".join(scene.show) for scene in told
    ]
    assert page.evaluate(
        "figures().every(({ run, axes }) => !run.view.y || axes.y === run.view.y)"
    )  # curves that there are
    assert page.evaluate(
        "figures().every(({ run }) => !run.later)"
    )  # the exact optimum is there at once
    page.wait_for_function(
        "t => figures()[0].t === t && !figures()[0].playing", arg=told[0].t, timeout=COLD
    )
    asleep = page.evaluate("figures().filter(f => !f.awake).map(f => f.draws)")
    assert asleep and max(asleep) <= 2  # what is read aloud of them
    is_no_wider(page)


@pytest.mark.long
def test_stages_out_of_sight_draw_nothing_while_others_play(page, server):
    read(page, server, "bsgd")
    page.evaluate(
        "figures().forEach(f => { f.leave(); f.toggle(true); })"
    )  # an opening ends by itself
    for where in (0, 1200):
        page.get_by_test_id("stMain").evaluate("(main, top) => main.scrollTo(0, top)", where)
        page.wait_for_function("top => figures()[0].awake === (top === 0)", arg=where)
        before = page.evaluate("figures().map(f => [f.awake, f.draws])")
        seen = [k for k, (awake, _) in enumerate(before) if awake]
        assert seen and len(seen) < len(before)
        drawn = "([seen, before]) => seen.every(k => figures()[k].draws > before[k][1] + 10)"
        page.wait_for_function(drawn, arg=[seen, before])
        after = page.evaluate("figures().map(f => f.draws)")
        assert all(after[k] == draws for k, (_, draws) in enumerate(before) if k not in seen)


@pytest.mark.long
def test_a_link_that_was_opened_in_a_new_tab_leads_to_the_playground(page, server):
    """Links to the first page are written without its path, so that a new tab takes them for links
    to this one.
    """
    page.goto(f"{server}/bsgd?data=checkerboard&n=100&solver=tvm&B=12&T=40")
    page.wait_for_function(
        "globalThis.svmviz?.run?.solver.key === 'tvm' && svmviz.draws > 0", timeout=COLD
    )
    assert urlsplit(page.url).path == "/"
    page.go_back()
    mounted(page, "bsgd")
    quiet(page)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert urlsplit(page.url).path == "/bsgd"


@pytest.mark.long
def test_a_stage_answers_for_itself_and_leads_to_the_playground(page, server):
    read(page, server, "sbp")
    before = page.evaluate("figures().map(f => f.run.id)")
    water = page.get_by_role("slider", name="Water ν").first
    water.focus()
    water.press("ArrowUp")
    page.wait_for_function("id => figures()[0].run.id !== id", arg=before[0])
    quiet(page)
    assert page.evaluate("figures().map(f => f.run.id)")[1:] == before[1:]
    ts = page.evaluate("figures().map(f => f.t)")
    page.get_by_role("button", name="One step back (←)").nth(
        1
    ).focus()  # the keys are those of the stage that has the focus
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("t => figures()[1].t === t", arg=ts[1] - 1)
    assert page.evaluate("figures().map(f => f.t)")[2:] == ts[2:]
    page.get_by_role("button", name="Open in the Playground").nth(1).click()
    page.wait_for_url(f"**/*t={ts[1] - 1}*")
    page.wait_for_function(
        "globalThis.svmviz?.run?.solver.key === 'sbp' && svmviz.draws > 0", timeout=COLD
    )
    assert page.evaluate("svmviz.t") == ts[1] - 1 and page.evaluate("svmviz.run.id") == before[1]
    page.go_back()
    mounted(page, "sbp")
    quiet(page)
    expect(page.get_by_role("alert")).to_have_count(
        0
    )  # what the Playground was told means nothing here
    page.wait_for_function(
        "t => figures()[0].t === t && !figures()[0].playing", arg=scenes("sbp")[0].t, timeout=COLD
    )
    page.get_by_role(
        "button", name="Play (Space)"
    ).first.click()  # a stage that was clicked has the keys
    page.wait_for_function("figures()[0].playing")
    page.keyboard.press("Space")
    page.wait_for_function("figures().every(f => !f.playing)")


@pytest.mark.long
def test_an_opening_stands_still_for_whoever_wants_no_motion(visitor, server):
    page = read(visitor(**PHONE, reduced_motion="reduce"), server, "pegasos")
    page.wait_for_function("figures()[0].draws > 0")
    assert page.evaluate("figures()[0].showing === null && !figures()[0].playing")
    assert page.evaluate("figures()[0].t") == scenes("pegasos")[0].t


@pytest.mark.long
def test_an_article_ends_with_questions_and_the_next_paper(page, server):
    read(page, server, "incremental")
    expect(page.get_by_role("link", name="Next:")).to_have_count(0)  # the last of them
    read(page, server, "sbp")
    page.get_by_role("link", name="Who can be drawn?").click()
    page.wait_for_url("**/lessons?lesson=sbp&card=3")
    page.go_back()
    mounted(page, "sbp")
    page.get_by_role("link", name="Next: SIMBA").click()
    mounted(page, "simba")
