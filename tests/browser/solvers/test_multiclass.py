"""Budgeted SGD with more than two classes in a real browser: regions, coefficient vectors, pictures
of digits.
"""

from urllib.parse import parse_qsl, urlencode

import numpy as np
import pytest
from playwright.sync_api import expect

from svmviz.run.recipe import from_query
from svmviz.solvers.bsgd import budget
from tests.browser.page import look, quiet, rests_at, some_cells, state, until
from tests.conftest import COLD
from tests.tools.saying import same_words

pytestmark = pytest.mark.long
RING = "solver=bsgd&data=ring&n=150&noise=0.5&classes=4&data_seed=3&seed=7&T=300&lam=0.01&B=12&kernel=rbf(gamma=3.0)"
DIGITS = (
    "solver=bsgd&data=digits&n=200&positive=all classes&T=200&lam=0.003&B=10&kernel=rbf(gamma=4.0)"
)
RUNS = {
    "merge": RING,
    "project": f"{RING}&maintenance=project smallest",
    "remove, ten classes": f"{RING}&maintenance=remove smallest&data=pinwheel&noise=0.1&classes=10",
    "linear": f"{RING}&maintenance=remove oldest&kernel=linear()",
    "Perceptron in a ball": f"{RING}&rule=margin Perceptron&U=2.0",
    "changes": f"{RING}&change=120:B=6;200:kernel=rbf(gamma=1.0)",
    "iris": "solver=bsgd&data=iris&positive=all classes&T=300&B=8&kernel=rbf(gamma=0.3)",
    "digits": DIGITS,
}


def link(query: str) -> str:
    return urlencode(dict(parse_qsl(query)))


def trace_of(query: str):
    found, messages = from_query(dict(parse_qsl(query)))
    assert not messages
    return found, found.trace()


@pytest.mark.parametrize("query", RUNS.values(), ids=RUNS)
def test_scores_and_coefficients_agree_with_python_after_random_seeks(show, query):
    recipe, trace = trace_of(query)
    rng, classes, n = np.random.default_rng(len(query)), trace.problem.classes, trace.problem.n
    page = show(f"{link(query)}&t=100")
    plane, rows = recipe.look(trace.problem), look(page, "run.rows")
    for t in [100, *rng.integers(1, trace.steps + 1, 4).tolist(), 0]:
        page.evaluate("t => svmviz.seek(t)", t)
        rests_at(page, t)
        shown = state(page)
        cells, places = some_cells(shown, rng)
        places = places @ plane.basis + plane.origin
        f, coef = trace.f(t, trace.problem.X), np.zeros((rows, classes))
        coef[trace.support(t).row] = trace.support(t).coef
        mine = np.reshape(shown["f"], (classes, rows)).T[:n]
        field = np.reshape(shown["field"], (classes, -1)).T[cells]
        scale = max(np.abs(f).max(), 1e-9)
        assert np.abs(mine - f).max() <= 1e-6 * scale
        assert np.abs(field - trace.f(t, places)).max() <= 1e-6 * scale
        theirs = np.reshape(shown["coef"], (classes, rows)).T
        assert np.abs(theirs - coef).max() <= 1e-6 * max(np.abs(coef).max(), 1e-9)
        assert np.array_equal(
            theirs.any(axis=1), coef.any(axis=1)
        )  # nobody who is gone left a trace
        assert look(page, "view().now.wrong") == round(trace.metrics["error"][t] * n)
        entered = t in [
            segment.start for segment in trace.segments[1:]
        ]  # there the stage speaks of what comes next
        if "iris" not in query and not entered:  # the player knows the names of the classes
            same_words(page.locator(".why").inner_text(), trace.why(t))
    expect(page.locator(".paper")).to_contain_text("Crammer–Singer")


def test_back_and_forwards_gives_the_same_numbers(show):
    page = show(f"{link(RING)}&t=250")
    rests_at(page, 250)
    apart = page.evaluate("""() => {
        const read = () => { const { f, field, coef } = svmviz.engine.state(svmviz.t, 0); return [...coef, ...f, ...field]; };
        const here = read();
        for (const by of [-1, 1]) for (let k = 0; k < 120; k++) { svmviz.seek(svmviz.t + by); svmviz.paint(); }
        return Math.max(...read().map((v, k) => Math.abs(v - here[k])));
    }""")
    assert apart <= 1e-9


def test_every_class_has_its_region_mark_and_name(show):
    _, trace = trace_of(RING)
    page = show(f"{link(RING)}&t=300")
    rests_at(page, 300)
    assert page.locator(".key .class").all_inner_texts() == ["0", "1", "2", "3"]
    shapes = page.locator(".key .class path").evaluate_all(
        "paths => paths.map(p => [p.getAttribute('d'), getComputedStyle(p).fill])"
    )
    assert len({shape for shape, _ in shapes}) == len({colour for _, colour in shapes}) == 4
    xs, ys, winner, lead = map(
        np.array,
        page.evaluate("""() => {
        svmviz.paint();
        const { xs, ys } = svmviz.engine.grid, { winner, lead } = svmviz.plane.regions;
        return [xs, ys, winner, lead].map(values => Array.from(values));
    }"""),
    )
    f = trace.f(300, np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2))
    best = np.sort(f, axis=1)
    clear = best[:, -1] - best[:, -2] > 1e-5
    assert set(winner) == {0, 1, 2, 3} and np.array_equal(winner[clear], f.argmax(axis=1)[clear])
    assert np.abs(lead - (best[:, -1] - best[:, -2])).max() <= 1e-5
    # Each centre of a class is painted in its own tint.
    for k, (x, y) in enumerate(1.5 * np.array([[0, 1], [-1, 0], [0, -1], [1, 0]])):
        cell = int(abs(ys - y).argmin() * xs.size + abs(xs - x).argmin())
        assert winner[cell] == k
        assert page.evaluate(
            "([c, k]) => svmviz.theme.tints[k].includes(svmviz.plane.image.pixels[c])", [cell, k]
        )


def test_names_of_classes_are_text(show):
    page = show(f"{link(RUNS['iris'])}&t=40")
    assert page.locator(".key .class").all_inner_texts() == ["setosa", "versicolor", "virginica"]
    expect(page.locator(".why")).to_contain_text("class ")
    page.evaluate("svmviz.plane.classes(['<img src=x>', 'b', 'c'])")
    assert (
        page.locator(".key .class").first.inner_text() == "<img src=x>"
        and page.locator(".key img").count() == 0
    )


def overflow(trace, least=40) -> int:
    return next(int(t) for t in np.flatnonzero(trace.scalars["event"] == 3) if t >= least)


def test_an_overflow_weighs_coefficient_vectors(show):
    _, trace = trace_of(RING)
    t = overflow(trace)
    page = show(f"{link(RING)}&t={t}&beat=look")
    until(page, "svmviz.mechanism.choice.list.length > 0")
    before = trace.overflow(t)
    m = int(np.flatnonzero(before.row == trace.scalars["m"][t])[0])
    found = budget.candidates(before.vectors, before.coef, 3.0, m)
    partners = zip(found.n, found.degradation, found.same_side, strict=True)
    expected = {int(before.row[n]): lost for n, lost, same in partners if same}
    listed = page.evaluate("svmviz.mechanism.choice.list.map(c => [c.row, c.lost, c.h])")
    assert {row for row, *_ in listed} == set(expected)
    assert all(lost == pytest.approx(expected[row], rel=1e-4, abs=1e-6) for row, lost, _ in listed)
    assert listed[0][0] == trace.scalars["n"][t] and listed[0][2] == pytest.approx(
        trace.scalars["h"][t], abs=1e-3
    )
    # The rack holds one bar for each coefficient that is not zero.
    assert look(page, "mechanism.rack.rows.length") == 13
    bars = page.evaluate("""() => {
        const { rack } = svmviz.mechanism, { rows, scores } = svmviz.run, { coef } = svmviz.view().mid;
        const held = row => Array.from({ length: scores }, (_, k) => coef[k * rows + row]);
        return rack.rows.map(row => rack.bars(held(row), 0, 0).map(b => [b.kind, -Math.sign(b.y + b.long / 2)]));
    }""")
    coef = {int(r): c for r, c in zip(before.row, before.coef, strict=True)}
    for row, drawn in zip(look(page, "mechanism.rack.rows"), bars, strict=True):
        held = coef[row]
        assert drawn == [[k, np.sign(held[k])] for k in np.flatnonzero(abs(held) > 1e-9)]
    box, second = (
        page.locator(".ranked canvas").bounding_box(),
        look(page, "mechanism.choice.list[1].row"),
    )
    page.mouse.click(
        box["x"] + 30,
        box["y"] + look(page, "mechanism.choice.top") + 1.5 * look(page, "mechanism.choice.step"),
    )
    until(page, "svmviz.mechanism.asked === value", second)


def test_digits_stand_in_their_slots_as_pictures(show):
    _, trace = trace_of(DIGITS)
    t, digits = overflow(trace, 100), from_query(dict(parse_qsl(DIGITS)))[0]
    page = show(f"{link(DIGITS)}&t={t}&beat=look")
    until(page, "svmviz.mechanism.choice.list.length > 0")
    z, n = int(trace.scalars["z"][t]), trace.problem.n
    seen = page.evaluate("z => [...svmviz.modules['canvas/pixels.js'].pixelsOf(svmviz.run, z)]", z)
    shift, divisor = digits.source.pixels(**digits.data_params)
    assert np.allclose(
        seen, trace.created[z - n] * divisor + shift, atol=1e-4
    )  # the prototype, in the units of the scanner
    raw = trace.created[z - n] * divisor
    parents = [
        trace.support(t - 1).vectors[trace.support(t - 1).row == int(trace.scalars[p][t])]
        for p in "mn"
    ]
    if all(len(p) for p in parents):
        low, high = np.minimum(*parents)[0] * divisor, np.maximum(*parents)[0] * divisor
        assert (raw >= low - 1e-6).all() and (
            raw <= high + 1e-6
        ).all()  # between the two that it was made of
    ink = page.evaluate("""() => {
        const { rack, slots: { g, ratio } } = svmviz.mechanism, side = (Math.floor(rack.step) - 6) * ratio;
        return rack.rows.map((_, k) => {
            const { data } = g.getImageData((k * rack.step + 3) * ratio, 6 * ratio, side, side);
            return new Set(data.filter((_, j) => j % 4 === 3).map((alpha, j) => (alpha < 255 ? alpha : data[4 * j]))).size;
        });
    }""")
    assert len(ink) == 11 and min(ink) > 8  # many shades in every slot: a picture
    box = page.locator(".rack canvas").bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 20)
    expect(page.locator(".mechanism .tip canvas")).to_be_visible()


def test_a_solver_of_two_classes_offers_a_way_out(visitor, server):
    page = visitor()
    page.goto(f"{server}/?data=iris&positive=all+classes&solver=pegasos&T=60")
    expect(
        page.get_by_text("Pegasos separates two classes, and this problem has 3").first
    ).to_be_visible(timeout=COLD)
    expect(page.get_by_role("button", name="Set class versicolor against the rest")).to_be_visible()
    page.get_by_role("button", name="Use Budgeted SGD").click()
    page.wait_for_function("globalThis.svmviz?.draws > 0")
    quiet(page)
    until(page, "svmviz.run.solver.key === 'bsgd' && svmviz.run.scores === 3")
    assert page.get_by_text("separates two classes").count() == 0
