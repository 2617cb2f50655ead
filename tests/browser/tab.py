"""A loaded page that many tests use, one after the other: to load the app anew for each takes
longer than most tests.

Between two tests Streamlit's own page is emptied, so that the next stage is a new one, and its line
to the server is cut and made anew without the name of the session, so that the server takes it for
another visitor. What pages keep in the browser is cleared. A test that leaves something else behind
(a route, a listener, a permission) asks for a page of its own: `fresh=True`.
"""

from playwright.sync_api import TimeoutError

from tests.browser.page import PHONE
from tests.conftest import COLD, DESK, listen

USES = 25  # of one page: what they leave behind in a process is collected late, and then slowly
EMULATED = {"color_scheme": "light", "reduced_motion": "no-preference"}
ROOM = 768  # px of width, below which the sidebar is closed when a page is loaded

# The clock of a page goes `pace` times as fast, for frames and for timers.
HURRY = """pace => {
  const frame = requestAnimationFrame, later = setTimeout, now = performance.now.bind(performance), begun = now();
  const faster = time => begun + pace * (time - begun);
  performance.now = () => faster(now());
  globalThis.requestAnimationFrame = call => frame(time => call(faster(time)));
  globalThis.setTimeout = (call, wait, ...more) => later(call, wait / pace, ...more);
}"""

# `tab.leave()` leaves nothing of what was shown and begins a new session; `tab.left` says when it
# is done. `tab.go(link)` asks for a page as the first load does. Both speak to the component that
# is Streamlit's page: another version may have others.
TOOLS = """() => {
  const Socket = WebSocket, later = setTimeout, frame = requestAnimationFrame, pen = CanvasRenderingContext2D.prototype;
  const own = ["fillText", "arc"].map(name => [name, pen[name]]);
  const { send } = Socket.prototype;
  let socket = null, app = null, silent = false;
  Socket.prototype.send = function (...words) {              // what one visitor's page still had to say the next has not said
    if (!silent) send.apply(this, words);
  };
  globalThis.WebSocket = class WebSocket extends Socket {
    constructor(address, words) {
      super(address, Array.isArray(words) ? words.slice(0, 2) : words);       // the third would be the name of the session
      socket = this;
      this.addEventListener("close", () => {                                   // the next attempt is made at once
        globalThis.setTimeout = call => later(call, 0);
        later(() => { globalThis.setTimeout = later; }, 0);
      });
    }
  };
  const found = () => {
    const root = document.getElementById("root"), name = Object.keys(root).find(key => key.startsWith("__reactContainer$"));
    const within = fiber => {
      for (; fiber; fiber = fiber.sibling) {
        if (fiber.stateNode?.clearAppState && fiber.stateNode.onPageChange) return fiber.stateNode;
        const below = within(fiber.child);
        if (below) return below;
      }
      return null;
    };
    return within(root[name].stateNode.current);
  };
  const when = condition => new Promise(done => {
    const look = () => (condition() ? done() : later(look, 5));
    look();
  });
  const leave = async () => {
    app ??= found();
    let looks = 0;                                             // whatever still runs is cut off after a second
    await when(() => app.state.scriptRunState === "notRunning" || ++looks > 200);
    const old = socket;
    silent = true;
    old.close();
    app.cleanupAutoReruns();
    app.setState({ scriptRunState: "notRunning", fragmentIdsThisRun: [], dialog: null });
    app.clearAppState(app.state.appHash, "", app.state.scriptName, app.state.mainScriptHash);
    await when(() => socket !== old && app.state.connectionState === "CONNECTED");
    for (const name of Object.keys(globalThis)) {
      if (/^svmviz(?!Modules|Libraries|Figures|Departure)/.test(name)) delete globalThis[name];
    }
    for (const [name, method] of own) pen[name] = method;
    delete globalThis.WebSocket.prototype.send;
    delete performance.now;
    Object.assign(globalThis, { setTimeout: later, requestAnimationFrame: frame });
    document.documentElement.style.cssText = "";
    localStorage.clear();
    sessionStorage.clear();
    document.activeElement?.blur();
    getSelection()?.empty();
  };
  const go = address => {
    history.pushState({}, "", address);
    const query = location.search.slice(1);
    silent = false;
    app.syncQueryParams(query);
    app.onPageChange(app.appNavigation.findPageByUrlPath(location.pathname).pageScriptHash, query, true, false);
  };
  globalThis.tab = { go, left: false, socket: () => socket?.readyState, leave: () => {
    globalThis.tab.left = false;
    leave().then(() => { globalThis.tab.left = true; });
  } };
}"""


class Tab:
    """A page, how often it was used, where its errors go, and whether it is to be thrown away."""

    def __init__(self, context, address: str):
        self.uses, self.errors, self.broken = 0, [], False
        self.page = context.new_page()
        listen(self.page, lambda words: self.errors.append(words))
        self.page.add_init_script(f"({TOOLS})()")
        self.page.goto(f"{address}/stream")  # which has no stage
        self.page.get_by_role("heading", name="Stream", exact=True).wait_for(timeout=COLD)
        self.leave()

    def arrive(self, link: str, errors: list[str], pace: float = 1, viewport=DESK, **options):
        """Show what `link` leads to, a path with its query; add the page's errors to the list
        `errors`.
        """
        self.uses += 1
        self.page.set_viewport_size(viewport)
        self.page.emulate_media(
            **EMULATED | {name: options[name] for name in EMULATED if name in options}
        )
        self.page.mouse.move(0, 0)
        self.page.wait_for_function("tab.left")
        self.errors = errors
        if pace != 1:
            self.page.evaluate(HURRY, pace)
        self.page.evaluate("link => tab.go(link)", link)
        return self.page

    def leave(self) -> None:
        """Leave what is shown. The next arrival waits until that is done; what is reported
        meanwhile belongs to no test.
        """
        self.errors = []
        self.page.evaluate("tab.leave()")

    def left(self) -> bool:
        """Wait until what was shown last is left; return whether that is so within ten seconds."""
        try:
            self.page.wait_for_function("tab.left", timeout=10_000)
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        """Throw the page away."""
        self.page.close()


def kind(viewport=DESK, **options) -> dict | None:
    """Return the options that make another kind of tab, or None if they ask for a fresh page: a tab
    has a window with room for the sidebar, or is a phone that knows fingers; colours and motion can
    be had in any.
    """
    others = {name: value for name, value in options.items() if name not in EMULATED}
    if (
        others == {"user_agent": PHONE["user_agent"], "has_touch": True}
        and viewport == PHONE["viewport"]
    ):
        return others | {"viewport": viewport}
    return {} if not others and viewport["width"] > ROOM else None
