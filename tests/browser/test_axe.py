"""Every page as axe-core sees it, light and dark, at the desk and on a phone."""

import json

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from tests.browser.page import MOONS, PHONE, quiet, uploader
from tests.browser.pages.test_data import file, table
from tests.conftest import COLD

PAGES = {
    "Pegasos": f"?{MOONS}&t=60",
    "SBP": (
        "?solver=sbp&data=moons&n=200&noise=0.22&data_seed=1&kernel=rbf(gamma=3.0)&nu=0.05&seed=2&T=600&t=152"
    ),
    "BSGD": (
        "?solver=bsgd&data=checkerboard&seed=7&T=2000&lam=0.001&B=20&kernel=rbf(gamma=3.0)&t=562"
    ),
    "a card that tells": "lessons?lesson=pegasos&card=1",
    "a card that asks": "lessons?lesson=sbp&card=3",
    "a task": "lessons?lesson=sbp&card=8",
    "Explore": (
        "explore?data=moons&n=40&T=20&kernel=rbf(gamma=2.0)&sweep=lam:0.001:1:3:log;gamma:0.1:10:3:log&seeds=0&folds=2"
    ),
    "Race": (
        "race?data=moons&n=80&noise=0.2&lam=0.01&kernel=rbf(gamma=2.0)&length=400&seeds=1&lanes=pegasos,sbp,fourier"
    ),
    **{name: name for name in ("data", "stream", "pegasos", "sbp", "simba", "bsgd", "incremental")},
}
ALL = {
    "rules": {"label-content-name-mismatch": {"enabled": True}}
}  # whoever speaks to the page says what is to be read there
COLOURS = {"runOnly": ["color-contrast"]}  # all that another theme can change

# Markup of Streamlit's that nothing of ours can reach.
NOT_OURS = [
    (
        "presentation-role-conflict",
        "[data-testid=stFileUploaderDropzone]",
    ),  # a drop zone without a role, but with a name
    (
        "list",
        "[data-testid=stSidebarNavItems]",
    ),  # sections of the navigation on a phone: a div between the list ...
    ("listitem", "[data-testid=stSidebarNavItems] li"),  # ... and its items
]

FOUND = """async ([options, notOurs]) => {
    const { violations } = await axe.run({ resultTypes: ["violations"], elementRef: true, ...options });
    const theirs = (rule, element) => notOurs.some(([name, where]) => name === rule && element.matches(where));
    return violations.flatMap(({ id, nodes }) => nodes.filter(({ element }) => !theirs(id, element))
        .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary}`));
}"""


HOP = """address => {
    globalThis.left = document.querySelector("h1")?.innerText;
    svmviz.draws = 0;
    history.pushState({}, "", address);
    dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}"""


def arrive(page, link: str, name: str) -> None:
    """Go to a page as Back does, without loading the whole app again, and wait until all of it is
    there.
    """
    page.evaluate(HOP, f"/{link}")
    if "?" in link:
        page.wait_for_function("!svmviz.gone && svmviz.draws > 0", timeout=COLD)
    else:
        page.wait_for_function(
            "left !== (document.querySelector('h1')?.innerText ?? left)", timeout=COLD
        )
    if name == "data":
        uploader(page).set_input_files(file(table()))
        page.get_by_test_id("stDataFrame").first.wait_for()
    quiet(page)
    page.wait_for_function("!document.querySelector('[data-stale=true]')")
    page.wait_for_function(
        """() => document.querySelectorAll("[class*=st-key-figure-]").length
        === [...(globalThis.svmvizFigures ?? [])].filter(stage => stage.draws).length"""
    )  # small stages come one by one


STILL = """() => [document, svmviz.root?.getRootNode()].every(root => !root?.getAnimations?.().some(
    ({ playState, effect }) => playState === "running" && effect.getComputedTiming().iterations !== Infinity))"""


def turn(page, scheme: str) -> None:
    """Let the reader's system be light or dark, and wait until the page is."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(
        "scheme => getComputedStyle(document.querySelector('.stApp')).colorScheme === scheme",
        arg=scheme,
    )
    quiet(page)


@pytest.mark.long
@pytest.mark.parametrize(
    ("options", "passes", "alike"),
    [
        pytest.param({}, {"light": ALL, "dark": COLOURS}, (), id="desk"),
        pytest.param(PHONE, {"light": ALL}, ("SBP", "BSGD", "a task", "simba", "bsgd"), id="phone"),
    ],
)  # which others are like there
def test_axe_finds_nothing_of_ours_on_any_page(visitor, server, options, passes, alike):
    page, found = visitor(**options), {}
    page.goto(server)
    page.wait_for_function("globalThis.svmviz?.draws > 0", timeout=COLD)
    quiet(page)
    page.evaluate(AXE_SCRIPT)
    for name, link in PAGES.items():
        if name in alike:
            continue
        page.emulate_media(color_scheme="light")
        arrive(page, link, name)
        for scheme, asked in passes.items():
            turn(page, scheme)
            page.wait_for_function(STILL)  # what fades in is not judged on its way
            found[f"{name}, {scheme}"] = page.evaluate(FOUND, [asked, NOT_OURS])
    assert not any(found.values()), json.dumps(
        {where: what for where, what in found.items() if what}, indent=1
    )
