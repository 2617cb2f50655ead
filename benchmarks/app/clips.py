"""How long a clip takes: ten seconds of a run at 1280 x 720, 30 frames a second, in a browser
without a GPU.

    python -m benchmarks.app.clips

The time counts from the click to the file; the budget is that of two cores with nothing else to do.
"""

import time

from playwright.sync_api import sync_playwright

from benchmarks.harness import FLAGS, Report, chromium, serve

LINK = "data=moons&n=150&noise=0.15&solver=pegasos&T=300&t=40"
MOST = 20  # s
WISH = {"from": 1, "to": 300, "speed": 30, "fps": 30, "size": "1280 × 720"}
MAKE = (
    "wish => Object.assign(svmviz.dialogs.saving.clips.wish, wish) &&"
    " svmviz.dialogs.saving.clips.ask()"
)


def main() -> None:
    report = Report("Clips")
    report.section("300 frames, Pegasos, plane, mechanism and sentence")
    with serve() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
        page.goto(f"{server.address}/?{LINK}")
        page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=180_000)
        page.get_by_role("button", name="Save", exact=True).click()
        page.get_by_role("radio", name="Clip").click()
        for kind, most in (("mp4", MOST), ("webm", MOST), ("gif", None)):
            page.evaluate(MAKE, WISH | {"kind": kind})
            page.wait_for_function("svmviz.dialogs.saving.clips.possible")
            began = time.perf_counter()
            with page.expect_download(timeout=600_000) as found:
                page.locator("dialog .chief").click()
            took = time.perf_counter() - began
            report.add(f"{kind}, from the click to the file", took, "s", most=most)
            report.add(f"{kind}, its size", found.value.path().stat().st_size / 1e6, "MB")
            page.wait_for_function("!svmviz.dialogs.saving.clips.making")
        browser.close()
    report.close()


if __name__ == "__main__":
    main()
