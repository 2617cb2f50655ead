"""The tab that tests share: each arrival is a new visitor's, and shows what a fresh page shows."""

import pytest

from tests.browser.page import MOONS, button, look, until

LINKS = {
    "a run": f"/?{MOONS}&t=40",
    "a beat": "/?solver=sbp&data=moons&n=60&T=40&t=9&beat=add",
    "a lesson": "/lessons?lesson=sbp&card=3",
    "a race": "/race?data=moons&n=40&length=100&seeds=1&lanes=pegasos,sbp",
    "a changed run": "/?data=blobs&n=60&T=40&change=9:lam=0.1&t=20",
    "two runs": "/?solver=pegasos&T=80&t=30&fork=20&other=20:lam=0.5",
}
SHOWN = """() => {
  svmviz.paint();
  const { t, phase, speed, loop, playing, presenting, stepping, mounts, depth, server, axes, field } = svmviz;
  const all = (name, from = document) => [...from.querySelectorAll(name)];
  return {
    at: { t, phase, speed, loop, playing, presenting, stepping, mounts, depth, server, axes, field },
    id: svmviz.run.id, view: svmviz.view ? JSON.stringify(svmviz.view().now) : "", words: svmviz.root.innerText,
    pictures: all("canvas", svmviz.root).map(canvas => canvas.width && canvas.toDataURL()),
    controls: all("[data-testid=stSidebar] input").map(e => [e.getAttribute("aria-label"), e.value, e.checked, e.disabled]),
    said: all("[data-testid=stAlert], [data-testid=stHeader]").map(e => e.innerText),
    address: location.href, dark: getComputedStyle(document.querySelector(".stApp")).colorScheme,
    kept: Object.entries(localStorage).filter(([name]) => !name.startsWith("stActiveTheme")),  // Streamlit's, after a load
    style: document.documentElement.style.cssText, width: svmviz.frame.getBoundingClientRect().toJSON(),
    held: document.activeElement.tagName,
  };
}"""
READY = """() => globalThis.svmviz?.draws > 0 && svmviz.run && !svmviz.run.later && !svmviz.playing && !svmviz.stepping
  && new URLSearchParams(location.search).size > 1
  && document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning" """


def shown(page) -> dict:
    """What a page shows, once it rests."""
    page.wait_for_function(READY, timeout=60_000)
    page.evaluate("""document.fonts.ready.then(() => new Promise(
        done => requestAnimationFrame(() => requestAnimationFrame(done))))""")
    return page.evaluate(SHOWN)


def disturb(page) -> None:
    """Leave as much behind as a visitor can."""
    page.get_by_label("Speed").select_option("60")
    page.keyboard.press("w")
    page.keyboard.press("l")
    page.keyboard.press("f")
    until(page, "svmviz.presenting")
    page.keyboard.press("Space")
    until(page, "svmviz.t > 105")
    page.keyboard.press("?")
    page.evaluate("""() => {
        localStorage.left = sessionStorage.left = "behind";
        CanvasRenderingContext2D.prototype.fillText = WebSocket.prototype.send = () => {};
    }""")
    assert button(page, "Close").is_visible() and look(page, "playing")


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_tab_used_before_shows_what_a_fresh_page_does(visit, arrive, link):
    other = {"color_scheme": "dark", "viewport": {"width": 1280, "height": 720}, "pace": 2}
    page = visit("solver=bsgd&data=moons&n=60&T=300&t=100", **other)
    disturb(page)
    used = shown(arrive(link, instead=True))
    fresh = shown(arrive(link, fresh=True))
    assert used == fresh
