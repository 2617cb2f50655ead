"""How soon a sweep fills on the page Explore, and whether another visitor notices.

    python -m benchmarks.solvers.explore

A browser opens the page as a newcomer does (11 x 11 cells, 5 folds, 3 seeds: 1815 fits of Pegasos
with a Gaussian kernel, 200 points, 1000 steps) and presses Start, with processes that have fitted
before. Meanwhile another visitor turns λ in the Playground again and again
(`benchmarks.app.sessions`), runs that nobody has asked for before; beforehand he does so alone.
"""

import asyncio
import threading
import time

from playwright.sync_api import Page, sync_playwright

from benchmarks.app.sessions import SCENES, arrive, variations
from benchmarks.harness import FLAGS, Report, Server, chromium, p95, serve
from svmviz.ui.explore.drafts import OPENING

PAUSE, ALONE = 0.4, 30  # seconds of thought, and requests of the visitor alone
WARM = OPENING.replace("seeds=0-2", "seeds=7").replace(
    ":11:", ":3:"
)  # a few fits, so that the processes have all they need


def opened(page: Page, server: Server, link: str) -> None:
    page.goto(f"{server.address}/explore?{link}")
    page.wait_for_function("globalThis.svmviz?.cells && svmviz.draws > 0", timeout=120_000)
    page.wait_for_function(
        "document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"
    )


def filled(page: Page) -> tuple[float, float]:
    """Seconds from the click to the first cells that are drawn, and to all of them."""
    page.evaluate("""() => new Promise(done => {
        globalThis.times = [performance.now()];
        svmviz.bar.go.click();
        const look = () => {
            const { complete, cells } = svmviz.data.counts;
            if (times.length === 1 && complete) times.push(performance.now());
            complete === cells ? done(times.push(performance.now())) : requestAnimationFrame(look);
        };
        look();
    })""")
    start, first, last = page.evaluate("times")
    return (first - start) / 1000, (last - start) / 1000


async def turning(server: Server, ended: threading.Event, most: float, into: list[float]) -> None:
    """Ask for one run after the other until that is enough."""
    visitor, links = await arrive(server), variations(SCENES["gaussian"])
    await visitor.ask(next(links))
    while not ended.is_set() and len(into) < most:
        await asyncio.sleep(PAUSE)
        answer = await visitor.ask(next(links))
        into.append(1000 * answer.picture if not answer.fault else float("inf"))
    await visitor.socket.close()


def begun(
    server: Server, ended: threading.Event, most: float, into: list[float]
) -> threading.Thread:
    """The other visitor, in a thread: Playwright has the event loop of this one."""
    thread = threading.Thread(target=lambda: asyncio.run(turning(server, ended, most, into)))
    thread.start()
    return thread


def main() -> None:
    report = Report("svmviz Explore")
    with serve() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
        opened(page, server, WARM)
        filled(page)
        alone, beside, ended = [], [], threading.Event()
        begun(server, ended, ALONE, alone).join()
        opened(page, server, OPENING)
        other = begun(server, ended, float("inf"), beside)
        time.sleep(2)
        first, last = filled(page)
        ended.set()
        other.join()
        report.section("1815 fits, another visitor at work")
        report.add("click to the first cells", first, "s", most=1)
        report.add("click to all cells", last, "s", most=25)
        report.add("another visitor's change to the run on stage, alone, p95", p95(alone), "ms")
        report.add(
            "another visitor's change to the run on stage, beside it, p95",
            p95(beside),
            "ms",
            most=300,
        )
        report.add("his changes", len(beside))
        browser.close()
    report.close()


if __name__ == "__main__":
    main()
