"""The walk itself: choose, do, wait until all is quiet, check; and keep what was done."""

import contextlib
import json
import re
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Error, Page, TimeoutError

from . import actions, holds

DESK = {"width": 1440, "height": 900}
PATIENCE = 45_000  # ms until the app must have come to rest
BRIEF = 4000  # ms in which a page answers that is not busy
# looks, 50 ms apart, that must find nothing going on: controls and player wait before they tell the
# server
FRAMES = 7
PLAYS = 2  # actions for which it may play on: a run that plays grows without end
OURS = re.compile(r"/\w+/_stcore/")  # Streamlit looks for itself below a page
STAGED = 40_000  # ms that a stage may take to appear after its page
QUIET = """([turn, frames, patience]) => {
  const app = document.querySelector("[data-testid=stApp]"), s = globalThis.svmviz;
  const mine = s && !s.gone && s.root?.isConnected;
  const goes = mine && (s.playing || s.data?.state === "running");   // a run that plays, a sweep that fills
  const now = `${location.href} ${mine ? `${s.t} ${s.phase} ${goes || s.draws}` : ""}`;
  if (globalThis.rest?.turn !== turn) globalThis.rest = { turn, still: 0, now, begun: performance.now() };
  const shown = mine && s.draws || document.querySelector("[data-testid=stAlert]")
    || !["/", "/playground", "/race", "/explore"].includes(location.pathname) || performance.now() > rest.begun + patience;
  const told = !mine || s.playing || location.pathname !== "/" || performance.now() > rest.begun + 10000
    || (new URL(location).searchParams.get("t") ?? "0") === String(s.t);   // on a busy machine it takes its time
  const ran = goes || app?.dataset.testScriptState === "notRunning";
  const idle = shown && told && ran && app?.dataset.testConnectionState === "CONNECTED"
    && !(mine && s.stepping) && !document.querySelector("[data-testid=stSpinner], [data-stale=true]");
  rest.still = idle && (now === rest.now || goes) ? rest.still + 1 : 0;
  rest.now = now;
  return rest.still > frames;
}"""

RESTLESS = """() => ({ ...document.querySelector("[data-testid=stApp]")?.dataset, ...globalThis.rest, path: location.href,
  stage: globalThis.svmviz && (({ playing, t, draws, gone, stepping, data, root }) => ({ playing, t, draws, gone, stepping,
    state: data?.state, root: root?.isConnected }))(svmviz),
  spinners: document.querySelectorAll("[data-testid=stSpinner]").length,
  stale: document.querySelectorAll("[data-stale=true]").length })"""


class Failure(AssertionError):
    """Something did not hold, with a script that repeats the way to it."""


class Walker:
    """A visitor who does what chance says; `log` is where the server writes."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        log: Path | None = None,
        seed: int = 0,
        loud: bool = False,
    ):
        self.browser, self.address, self.log, self.seed, self.loud = (
            browser,
            address,
            log,
            seed,
            loud,
        )
        self.done: list[tuple] = []
        self.errors: list[str] = []
        self.plays, self.turns, self.read_up_to = 0, 0, log.stat().st_size if log else 0
        self.oracle = holds.Oracle()
        self.page = self.arrive()
        self.session = self.page.context.new_cdp_session(self.page)
        self.session.send("Debugger.enable")  # a page that hangs would not hear it

    def arrive(self, viewport=DESK) -> Page:
        """A page in a browser that was never here."""
        page = self.browser.new_context(
            viewport=viewport, accept_downloads=True, bypass_csp=True
        ).new_page()
        page.on(
            "console",
            lambda m: (
                self.errors.append(f"console: {m.text} ({m.location['url']})")
                if m.type == "error"
                and not OURS.search(m.location["url"])
                and "ERR_INTERNET_DISCONNECTED" not in m.text
                else None
            ),
        )
        page.on("pageerror", lambda error: self.errors.append(f"thrown: {error}"))
        page.on("dialog", lambda dialog: dialog.dismiss())
        return page

    def at(self, name: str) -> bool:
        path = self.page.url.removeprefix(self.address).split("?")[0].strip("/")
        return (path or "playground") == name

    @property
    def wide(self) -> bool:
        """Whether the sidebar is open from the start."""
        return self.page.viewport_size["width"] > 800

    def staged(self) -> bool:
        return self.page.evaluate(
            "Boolean(globalThis.svmviz && !svmviz.gone && svmviz.root?.isConnected && svmviz.run)"
        )

    def settle(self) -> None:
        """Wait until nothing moves any more, on the page or at the server."""
        self.turns += 1
        try:
            self.page.wait_for_function(
                QUIET, arg=[self.turns, FRAMES, STAGED], polling=50, timeout=PATIENCE
            )
        except TimeoutError:
            raise holds.Broken(
                f"the app did not come to rest within {PATIENCE // 1000} s{self.stuck()}"
            ) from None

    def stuck(self) -> str:
        """What keeps the page from coming to rest, and where its script is, if it runs."""
        try:  # unlike `evaluate`, this comes back from a page that does not
            state = self.page.wait_for_function(RESTLESS, timeout=BRIEF).json_value()
        except Error as error:
            state = f"it does not answer ({error})"
        found = []
        self.session.on("Debugger.paused", lambda event: found.extend(event["callFrames"]))
        for method in (
            "Debugger.pause",
            "Runtime.getIsolateId",
            "Debugger.resume",
        ):  # the second waits for the first
            with contextlib.suppress(Error):  # nothing to resume: no script runs
                self.session.send(method)
        calls = " < ".join(
            f"{f['functionName'] or '?'}:{f['location']['lineNumber'] + 1}" for f in found[:8]
        )
        return f": {state}{f', in {calls}' if calls else ''}"

    def walk(self, count: int | None = None, first: str = "/") -> None:
        """So many actions, or for ever."""
        self.take("link", first)
        rng = Random(self.seed)
        while count is None or len(self.done) < count:
            names = list(actions.OFFERS)
            name = rng.choices(names, [actions.WEIGHT[n] for n in names])[0]
            try:
                values = actions.OFFERS[name](self, rng)
            except Error:  # the page changed under the question
                continue
            if values is not None:
                self.take(name, *values)

    def take(self, name: str, *values) -> None:
        """Do one thing and check all that must hold."""
        self.done.append((name, *values))
        if self.loud:
            print(f"{len(self.done)} {json.dumps([name, *values])}", flush=True)
        try:
            try:
                actions.DO[name](self, *values)
            except (
                Error
            ) as error:  # Playwright: what was offered has gone meanwhile, or lies under a dialog
                if "Timeout" not in str(error) and "detached" not in str(error):
                    raise
                self.page.keyboard.press("Escape")
            self.settle()
            self.check()
        except (AssertionError, Error) as error:
            raise Failure(
                f"after {len(self.done)} actions, seed {self.seed}: {error}\n\n{self.script()}"
            ) from error

    def check(self) -> None:
        holds.hold(not self.errors, "; ".join(self.errors))
        holds.hold(not (words := self.printed()), f"the server printed: {words}")
        page = self.page.evaluate(holds.READ)
        holds.everywhere(page)
        stage = page["stage"]
        if self.at("playground") and not stage:
            holds.hold(page["alerts"], "there is neither a stage nor a sentence that says why")
        if not stage:
            return
        holds.in_itself(stage)
        self.plays = self.plays + 1 if stage["playing"] else 0
        if self.plays > PLAYS:
            self.page.evaluate("svmviz.toggle(false)")
            self.settle()
        elif (
            not stage["race"]
            and not stage["playing"]
            and not page["alerts"]
            and self.at("playground")
        ):
            self.oracle.agrees(page)

    def printed(self) -> str:
        """What the server has to say that it should not: tracebacks."""
        if not self.log:
            return ""
        with self.log.open(errors="replace") as file:
            file.seek(self.read_up_to)
            words, self.read_up_to = file.read(), file.tell()
        at = words.find("Traceback (most recent call last)")
        return words[at : at + 3000] if at >= 0 else ""

    def reopened(self) -> None:
        """Another visitor opens the link of this one: the same step, title, numbers and
        sentence.
        """
        self.page.evaluate("svmviz.toggle(false)")
        self.settle()
        mine = self.page.evaluate(holds.READ)
        if mine["query"].get("data", "").startswith("upload:"):
            return
        here, self.page = self.page, self.arrive(self.page.viewport_size)
        try:
            self.page.goto(here.url)
            self.page.wait_for_function("globalThis.svmviz?.draws > 0")
            self.settle()
            theirs = self.page.evaluate(holds.READ)
        finally:
            self.page.context.close()
            self.page = here
        told = (
            ("why",) if mine["stage"]["depth"] == theirs["stage"]["depth"] else ()
        )  # how deep it goes is each visitor's own
        for what in ("t", "title", "numbers", "caption", *told):
            a, b = mine["stage"][what], theirs["stage"][what]
            holds.hold(a == b, f"reopened, the link shows another {what}: {b!r} instead of {a!r}")

    def script(self) -> str:
        """Python that repeats what was done."""
        steps = "\n".join(f"    {json.dumps(list(step), ensure_ascii=True)}," for step in self.done)
        return (
            "from tests.walk import repeat\n\nnull, true, false = None, True,"
            f" False\nrepeat([\n{steps}\n])\n"
        )

    def close(self) -> None:
        self.page.context.close()


def repeat(steps: list[list]) -> None:
    """Do what was done, on a server and in a browser of its own."""
    from .__main__ import started

    with started() as (browser, address, log):
        walker = Walker(browser, address, log, loud=True)
        for name, *values in steps:
            walker.take(name, *values)
        walker.close()
