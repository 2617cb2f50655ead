"""The basins of SBP in a real browser: what the player makes of the water, and what a visitor can
do with it.
"""

import numpy as np
import pytest
from playwright.sync_api import expect

from svmviz.maths import kernels
from svmviz.run.recipe import from_query
from svmviz.theory import pareto
from tests.browser.page import button, look, query, quiet, scrubber, slider, until

SBP = "solver=sbp&data=moons&n=120&noise=0.22&data_seed=1&kernel=rbf(gamma=3.0)&nu=0.05&seed=2&T=300&t=80"


def box(page, selector: str) -> dict:
    return page.locator(selector).bounding_box()


def hold(page, selector: str) -> dict:
    """The box of a handle once it rests, and is not under way from somewhere else"""
    page.locator(selector).evaluate("""async handle => {
      const middle = () => { const r = handle.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
      for (let before = [], now = middle(); ; before = now, now = middle()) {
        if (`${before}` === `${now}`) return;
        await new Promise(requestAnimationFrame);
      }
    }""")
    return box(page, selector)


def test_pulling_the_surface_changes_nu_from_this_step_on(visit):
    page = visit(SBP)
    before = page.evaluate("Array.from(svmviz.run.objective.slice(0, 81))")
    surface = box(page, ".surface >> nth=0")
    x, y = surface["x"] + 20, surface["y"] + surface["height"] / 2
    page.mouse.move(x, y)
    under = "svmviz.root.getRootNode().elementFromPoint(...value)"
    assert page.evaluate(f"value => getComputedStyle({under}).cursor", [x, y]) == "ns-resize"
    header, level = page.locator(".numbers").inner_text(), look(page, "mechanism.basin.water.gamma")
    wet = sum(page.evaluate("Array.from(svmviz.plane.view.now.wet)"))
    page.mouse.down()
    page.mouse.move(x, y - 30, steps=3)
    until(
        page, "svmviz.mechanism.basin.water.gamma > value", level
    )  # all of it is seen before it is let go
    poured = look(page, "supposed.params.nu")
    level, k = page.evaluate("[svmviz.mechanism.basin.water.gamma, svmviz.mechanism.basin.water.k]")
    assert sum(page.evaluate("Array.from(svmviz.plane.view.now.wet)")) == k > wet
    numbers = page.locator(".numbers")
    expect(numbers).to_contain_text(f"{k} / 120")
    expect(numbers).to_contain_text(f"{level:.3f}")
    told = (
        f"With ν = {poured:g} there is νn = {120 * poured:.4g} of water: it stands at {level:.3f}"
    )
    expect(page.locator(".why")).to_contain_text(told)
    page.keyboard.press("Escape")  # takes it back
    expect(numbers).to_have_text(header, use_inner_text=True)
    page.mouse.move(x, y - 20)
    page.mouse.up()
    assert look(page, "supposed") is None
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 30, steps=3)
    until(page, "svmviz.supposed?.params.nu === value", poured)
    page.mouse.up()
    until(page, "svmviz.run.segments.length === 2")
    quiet(page)
    assert (
        look(page, "run.segments[1].params.nu") == poured
        and look(page, "t") == 80
        and look(page, "supposed") is None
    )
    assert (
        page.evaluate("Array.from(svmviz.run.objective.slice(0, 81))") == before
        and look(page, "mounts") == 1
    )
    expect(page.locator(".marks .change")).to_have_count(1)
    assert query(page)["change"].startswith("80:nu=")
    nu, gamma = look(page, "run.segments[1].params.nu"), look(page, "view().now.gamma")
    expect(page.locator(".numbers dd").nth(1)).to_have_text(f"{gamma:.3f}".replace("-", "−"))
    assert (
        look(page, "mechanism.basin.water.gamma") == gamma
        and look(page, "mechanism.basin.water.nu") == nu
    )
    button(page, "How γ is found").click()
    until(page, "svmviz.mechanism.search.open")
    assert look(page, "mechanism.search.volume") == pytest.approx(120 * nu)
    assert look(page, "mechanism.search.rounds.at(-1).gamma") == pytest.approx(gamma)
    page.keyboard.press(
        "ArrowRight"
    )  # the search follows to the next step, whose code starts from that level
    until(page, "svmviz.t === 81 && svmviz.phase === 1")
    expect(page.locator(".lines output").first).to_contain_text(
        f"γ = {gamma:.3f}".replace("-", "−")
    )
    until(
        page,
        "Math.abs(svmviz.mechanism.search.rounds.at(-1).gamma - svmviz.view().now.gamma) < 1e-9",
    )
    button(page, "How γ is found").click()
    page.keyboard.press("ArrowLeft")
    button(page, "Undo").click()
    until(page, "svmviz.run.segments.length === 1")


def test_the_surface_obeys_the_arrow_keys(visit):
    page = visit(SBP)
    water = page.get_by_role("slider", name="Water ν")
    water.focus()
    for nu in (0.06, 0.072):
        page.keyboard.down("ArrowUp")
        expect(water).to_have_attribute("aria-valuenow", f"{nu}")
        expect(page.locator(".why")).to_contain_text(f"With ν = {nu}")
    assert len(look(page, "run.segments")) == 1  # held, not yet let go
    page.keyboard.up("ArrowUp")
    until(page, "svmviz.run.segments.at(-1).params.nu === 0.072")
    quiet(page)
    assert look(page, "t") == 80 and look(page, "run.segments.length") == 2


def test_the_bias_gives_each_class_its_basin(visit):
    page = visit(SBP)
    expect(page.locator(".mechanism h3 b")).to_have_text("Basin")
    expect(page.locator(".twin")).to_be_hidden()
    page.locator("label").filter(has_text="unregularised bias").click()
    until(page, "svmviz.run.segments.at(-1).params.bias === true")
    quiet(page)
    expect(page.locator(".mechanism h3 b")).to_have_text("Two basins")
    assert look(page, "t") == 80 and len(look(page, "view().last.now.order[1]")) > 0
    for s, handle in enumerate(
        [".surface >> nth=0", ".twin"]
    ):  # either surface follows the pointer
        place = hold(page, handle)
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y - 12)
        until(page, "svmviz.supposed")
        page.evaluate("new Promise(requestAnimationFrame)")
        assert box(page, handle)["y"] + place["height"] / 2 == pytest.approx(y - 12, abs=1.5), s
        page.keyboard.press("Escape")
        page.mouse.up()
    page.keyboard.press("ArrowRight")
    until(page, "svmviz.t === 81 && svmviz.phase === 1")
    expect(page.locator(".code .figure")).to_have_text("Algorithm 1, with bias")
    expect(page.locator(".why")).to_contain_text("A coin chose class")


def test_a_column_and_its_point_are_linked(show):
    page = show(SBP)
    view = box(page, ".basin canvas")
    wanted = look(page, "view().last.now.order[0][60]")
    x = page.evaluate(
        "i => svmviz.mechanism.basin.place[i] + svmviz.mechanism.basin.cw / 2", wanted
    )
    page.mouse.move(view["x"] + x, view["y"] + view["height"] * 0.7)
    until(page, "svmviz.linked === value", wanted)
    plane = box(page, ".plane canvas")
    x, y = page.evaluate(
        "i => [svmviz.plane.x(svmviz.run.points[2 * i]), svmviz.plane.y(svmviz.run.points[2 * i +"
        " 1])]",
        7,
    )
    page.mouse.move(plane["x"] + x, plane["y"] + y)
    until(page, "svmviz.linked >= 0 && svmviz.linked === svmviz.plane.nearest(...value)", [x, y])
    page.mouse.move(5, 5)
    until(page, "svmviz.linked === -1")


def test_the_search_goes_round_by_round(show):
    page = show(SBP)
    button(page, "How γ is found").click()
    until(page, "svmviz.mechanism.search.open")
    rounds = look(page, "mechanism.search.rounds")
    for k in range(1, len(rounds) + 1):
        button(page, "Next round").click()
        until(page, "svmviz.mechanism.search.at >= value", k)
    button(page, "How γ is found").click()
    until(page, "!svmviz.mechanism.search.open")


def test_columns_walk_into_the_order_of_the_data_and_back(show):
    page = show(SBP)
    places = "Array.from(svmviz.mechanism.basin.place)"
    sorted_places = page.evaluate(places)
    button(page, "Sorted").click()
    until(page, "svmviz.mechanism.basin.spread === 1")
    page.evaluate("new Promise(requestAnimationFrame)")
    assert np.all(np.diff(page.evaluate(places)) > 0)
    button(page, "Sorted").click()
    until(page, "svmviz.mechanism.basin.spread === 0")
    page.evaluate("new Promise(requestAnimationFrame)")
    assert np.allclose(page.evaluate(places), sorted_places)


def test_the_pareto_front_arrives_when_it_is_asked_for(visit):
    page = visit(SBP)
    assert look(page, "run.front") is None
    page.locator("select.metric").select_option("front")
    until(page, "svmviz.run.front")
    quiet(page)
    front = look(page, "run.front")
    assert (np.diff(front["norm"]) >= -1e-9).all() and (np.diff(front["hinge"]) <= 1e-9).all()
    recipe = from_query(
        dict(pair.split("=", 1) for pair in SBP.split("&") if not pair.startswith("t="))
    )[0]
    best = pareto.slack_optimum(recipe.problem(), 0.05, kernels.rbf(3.0))
    assert front["own"] == pytest.approx([1 / best.level, 0.05 / best.level], rel=1e-6)
    assert query(page)["y"] == "front"


def test_another_solver_keeps_kernel_data_and_seed(visit):
    page = visit(SBP)
    page.get_by_role("combobox", name="solver").click()
    page.get_by_role("option", name="Pegasos", exact=True).click()
    until(page, "svmviz.run.solver.key === 'pegasos'")
    quiet(page)
    link = query(page)
    assert (
        link["kernel"] == "rbf(gamma=3.0)"
        and link["seed"] == "2"
        and link["n"] == "120"
        and look(page, "mounts") == 1
    )
    expect(page.locator(".mechanism h3 b").first).to_have_text("Loss")
    slider(page, "regularisation").press("ArrowRight")
    until(page, "svmviz.run.segments.at(-1).params.lam > 0.05")
    expect(scrubber(page)).to_be_visible()
