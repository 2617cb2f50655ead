"""What a visitor can do. An action is found by chance among what the page offers, as a name and
plain values.

`OFFERS[name](walker, rng)` gives the values, or None where the page has nothing of the kind;
`DO[name](walker, *values)` does it.
"""

import contextlib
from random import Random

from playwright.sync_api import Error, TimeoutError

from svmviz.solvers import SOLVERS

from . import files, links

OFFERS, DO, WEIGHT = {}, {}, {}
KEYS = (
    "Space",
    "ArrowRight",
    "ArrowLeft",
    ".",
    ",",
    "Shift+ArrowRight",
    "Shift+ArrowLeft",
    "Home",
    "End",
    "+",
    "-",
    "l",
    "r",
    "w",
    "f",
    "c",
    "p",
    "o",
    "e",
    "d",
    "?",
    "Escape",
    "Tab",
    "Enter",
    "m",
    "x",
    "q",
    "g",
    "a",
    "1",
    "2",
    "3",
    "b",
    "Shift+B",
    "PageUp",
    "PageDown",
    "s",
    "v",
    "i",
    "n",
    "ArrowUp",
    "ArrowDown",
)
SIZES = (1440, 900), (1024, 768), (390, 844), (720, 450), (1920, 1080)
PAGES = (
    "Playground",
    "Lessons",
    "Explore",
    "Race",
    "Data",
    "Stream",
    "Pegasos",
    "Stochastic Batch Perceptron",
    "SIMBA",
    "Budgeted SGD",
    "Incremental SVMs",
)
PLACES = {
    "menu": "[data-testid=stSelectbox] input",
    "slider": "[data-testid=stSlider] input[type=range]",
    "number": "[data-testid=stNumberInput] input, [data-testid=stTextInput] input",
    "box": "[data-testid=stCheckbox] input",
    "group": "[data-testid=stButtonGroup] button",
    "button": (
        "[data-testid=stButton] button, .stage button, .stage [role=tab], .lesson button, .lessons"
        " a, .st-key-tree a"
    ),
    "select": ".stage select",
    "canvas": ".stage canvas",
    "download": "[data-testid=stDownloadButton] button",
}
TYPED = "0", "7", "-3", "1e9", "", "abc", "4294967295"
BRIEF = 4000  # ms for something that the page offered a moment ago


def action(name: str, weight: float = 1.0):
    """Declare an action: the offer comes first, then, by `.do`, what it does."""

    def declare(offer):
        OFFERS[name], WEIGHT[name] = offer, weight
        offer.do = lambda function: DO.__setitem__(name, function)
        return offer

    return declare


def some(walker, kind: str, rng: Random) -> int | None:
    """One of the visible, usable controls of a kind, by its place among all of them; none that lies
    under something else.
    """
    usable = walker.page.evaluate(
        """css => {
        const roots = [document];
        for (const root of roots) for (const e of root.querySelectorAll("*")) if (e.shadowRoot) roots.push(e.shadowRoot);
        const all = roots.flatMap(root => [...root.querySelectorAll(css)]);
        const family = (a, b) => a.contains(b) || b.contains(a) || a.closest("label")?.contains(b);
        const free = e => {  // what is not in the window is scrolled into it before it is touched
            const { left, top, width, height } = e.getBoundingClientRect(), x = left + width / 2, y = top + height / 2;
            const hit = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? e.getRootNode().elementFromPoint(x, y) : e;
            return Boolean(hit && family(e, hit)) || e.type === "range";
        };
        const usable = e => !e.disabled && e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && free(e);
        return [...all.keys()].filter(k => usable(all[k]));
    }""",
        PLACES[kind],
    )
    return rng.choice(usable) if usable else None


def place(walker, kind: str, number: int):
    return walker.page.locator(PLACES[kind]).nth(number)


@action("key", 6)
def key(walker, rng):
    return (rng.choice(KEYS),)


@key.do
def press(walker, name):
    walker.page.keyboard.press(name)


@action("choose", 4)
def choose(walker, rng):
    number = some(walker, "menu", rng)
    return None if number is None else (number, rng.random())


@choose.do
def pick(walker, number, share):
    """An option by its share of the list, as lists differ in length; the solver's own menu comes
    round often enough.
    """
    box = place(walker, "menu", number)
    box.click(timeout=BRIEF)
    options = walker.page.get_by_role("option")
    try:
        options.first.wait_for(timeout=BRIEF)
        options.nth(int(share * options.count())).click(timeout=BRIEF)
    except TimeoutError:
        walker.page.keyboard.press("Escape")


@action("solver", 2)
def solver(walker, rng):
    return (
        (rng.choice([solver.title for solver in SOLVERS.values()]),)
        if walker.at("playground") and walker.wide
        else None
    )


@solver.do
def change_solver(walker, title):
    """Typing into the menu narrows it down to one."""
    box = walker.page.get_by_role("combobox", name="solver")
    box.click(timeout=BRIEF)
    box.fill(title)
    walker.page.keyboard.press("Enter")


@action("slide", 4)
def slide(walker, rng):
    number = some(walker, "slider", rng)
    keys = [rng.choice(("ArrowRight", "ArrowLeft", "Home")) for _ in range(rng.randint(1, 3))]
    return None if number is None else (number, keys)


@slide.do
def move(walker, number, keys):
    for name in keys:
        place(walker, "slider", number).press(name, timeout=BRIEF)


@action("rail", 1)
def rail(walker, rng):
    number = some(walker, "slider", rng)
    return None if number is None else (number, rng.random())


@rail.do
def click_rail(walker, number, share):
    """By mouse, somewhere on the rail; then the keys should be the stage's again."""
    box = (
        place(walker, "slider", number)
        .locator("xpath=ancestor::*[@data-testid='stSlider']")
        .bounding_box()
    )
    if box:
        walker.page.mouse.click(box["x"] + share * box["width"], box["y"] + 0.7 * box["height"])


@action("type", 1)
def type_number(walker, rng):
    number = some(walker, "number", rng)
    return None if number is None else (number, rng.choice(TYPED))


@type_number.do
def type_in(walker, number, text):
    (
        place(walker, "number", number).fill(text, timeout=BRIEF)
        if text.lstrip("-").isdecimal() or not text
        else None
    )
    place(walker, "number", number).press("Enter", timeout=BRIEF)


@action("tick", 2)
def tick(walker, rng):
    kind = rng.choice(("box", "group"))
    number = some(walker, kind, rng)
    return None if number is None else (kind, number)


@tick.do
def click_box(walker, kind, number):
    target = place(walker, kind, number)
    target.evaluate("e => (e.closest('label') ?? e).click()", timeout=BRIEF)


@action("button", 4)
def click(walker, rng):
    number = some(walker, "button", rng)
    if number is None:
        return None
    return (
        number,
        place(walker, "button", number).evaluate(
            "e => e.getAttribute('aria-label') ?? e.innerText"
        ),
    )


@click.do
def click_button(walker, number, name):
    return place(walker, "button", number).click(timeout=BRIEF)


@action("download", 0.5)
def download(walker, rng):
    number = some(walker, "download", rng)
    return None if number is None else (number,)


@download.do
def download_file(walker, number):
    save(walker, place(walker, "download", number))


def save(walker, target) -> None:
    with walker.page.expect_download(timeout=30_000) as saved:
        target.click(timeout=BRIEF)
    assert saved.value.path().stat().st_size > 0


@action("axis", 2)
def axis(walker, rng):
    number = some(walker, "select", rng)
    return None if number is None else (number, rng.random())


@axis.do
def choose_axis(walker, number, share):
    menu = place(walker, "select", number)
    values = menu.evaluate("e => [...e.options].filter(o => !o.disabled).map(o => o.value)")
    if values:
        menu.select_option(values[int(share * len(values))], timeout=BRIEF)


@action("canvas", 4)
def canvas(walker, rng):
    number = some(walker, "canvas", rng)
    drag = [rng.random(), rng.random()] if rng.random() < 0.4 else None
    side = rng.choice(("left", "left", "left", "right"))
    return None if number is None else (number, [rng.random(), rng.random()], drag, side)


@canvas.do
def touch_canvas(walker, number, at, to, side):
    box = place(walker, "canvas", number).bounding_box()
    if not box:
        return

    def spot(share):
        return box["x"] + share[0] * box["width"], box["y"] + share[1] * box["height"]

    walker.page.mouse.move(*spot(at))
    walker.page.mouse.down(button=side)
    if to:
        walker.page.mouse.move(*spot(to), steps=4)
    walker.page.mouse.up(button=side)


@action("draw", 2)
def draw(walker, rng):
    tool = rng.choice(("plus", "minus", "brush", "flip", "erase", "clear", "undo", "redo"))
    return (
        (tool, [[rng.random(), rng.random()] for _ in range(rng.randint(1, 3))])
        if walker.at("playground")
        else None
    )


@draw.do
def draw_points(walker, tool, spots):
    page = walker.page
    if not page.evaluate(
        "Boolean(globalThis.svmviz?.plane?.editor && !svmviz.gone && svmviz.run?.editable)"
    ):
        return
    if not page.evaluate("svmviz.plane.editor.on"):
        page.locator(".stage button.draw:visible").first.click(timeout=BRIEF)
    button = page.locator(f".stage .tools button.{tool}")
    if button.is_disabled():
        return
    button.click(timeout=BRIEF)
    box = page.locator(".stage .plane canvas").last.bounding_box()
    for x, y in spots if tool not in ("clear", "undo", "redo") else ():
        page.mouse.click(
            box["x"] + (0.1 + 0.8 * x) * box["width"], box["y"] + (0.1 + 0.8 * y) * box["height"]
        )
        walker.settle()


@action("scrub", 2)
def scrub(walker, rng):
    return (rng.random(), rng.random()) if walker.staged() and not walker.at("explore") else None


@scrub.do
def drag_scrubber(walker, begin, end):
    box = walker.page.locator(".stage .scrub").bounding_box()
    if box:
        y = box["y"] + box["height"] / 2
        walker.page.mouse.move(box["x"] + begin * box["width"], y)
        walker.page.mouse.down()
        walker.page.mouse.move(box["x"] + end * box["width"], y, steps=3)
        walker.page.mouse.up()


@action("link", 1)
def open_link(walker, rng):
    return (rng.choices((links.link, links.race, links.sweep), (12, 4, 3))[0](rng),)


@open_link.do
def follow(walker, link):
    walker.page.goto(walker.address + link)


@action("page", 2)
def other_page(walker, rng):
    return (rng.choice(PAGES),)


@other_page.do
def navigate(walker, title):
    """By the menu, where its width shows it, else by the address."""
    target = walker.page.get_by_role("link", name=title, exact=True)
    if not (target.count() and target.first.is_visible()):
        papers = walker.page.get_by_role("button", name="Papers")
        if papers.count() and papers.first.is_visible():
            papers.first.click(timeout=BRIEF)
    if target.count() and target.first.is_visible():
        target.first.click(timeout=BRIEF)


@action("upload", 1)
def upload(walker, rng):
    return (rng.choice(list(files.FILES)), rng.random() < 0.8) if walker.at("data") else None


@upload.do
def bring_file(walker, name, play):
    data = files.FILES[name]()
    place = walker.page.get_by_test_id("stFileUploader").locator("input[type=file]")
    place.set_input_files({"name": name, "mimeType": "text/csv", "buffer": data})
    walker.settle()
    opener = walker.page.get_by_role("button", name="Open in the Playground")
    if play and opener.count() and opener.is_enabled():
        opener.click(timeout=BRIEF)


@action("resize", 1)
def resize(walker, rng):
    return rng.choice(SIZES)


@resize.do
def set_size(walker, width, height):
    walker.page.set_viewport_size({"width": width, "height": height})


@action("theme", 0.5)
def theme(walker, rng):
    return (rng.choice(("light", "dark")),)


@theme.do
def set_theme(walker, name):
    walker.page.emulate_media(color_scheme=name)


@action("reload", 0.4)
def reload(walker, rng):
    return ()


@reload.do
def press_f5(walker):
    walker.page.reload()


@action("back", 1.5)
def back(walker, rng):
    return (rng.choice(("back", "back", "forward")),)


@back.do
def go_back(walker, way):
    """A page that was left is there again. The walk does not go back beyond its beginning."""
    if way == "forward" or walker.page.evaluate("history.state !== null || history.length > 2"):
        (walker.page.go_back if way == "back" else walker.page.go_forward)(wait_until="commit")
    if not walker.page.url.startswith(walker.address):
        walker.page.goto(walker.address)


@action("offline", 0.5)
def offline(walker, rng):
    return ([rng.choice(KEYS[:12]) for _ in range(3)],)


@offline.do
def lose_connection(walker, keys):
    walker.page.context.set_offline(True)
    try:
        for name in keys:
            with contextlib.suppress(Error):
                walker.page.keyboard.press(name)
    finally:
        walker.page.context.set_offline(False)


@action("reopen", 1)
def reopen(walker, rng):
    return () if walker.at("playground") and walker.staged() else None


@reopen.do
def another_visitor(walker):
    walker.reopened()
