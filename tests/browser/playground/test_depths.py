"""The sentence at three depths: the switch, its key, and that no step says more than two lines at a
desk.
"""

import pytest
from playwright.sync_api import expect

from svmviz.maths import kernels
from svmviz.record.sentences import DEPTHS
from svmviz.run.view import opened
from svmviz.solvers import SOLVERS
from tests.tools.variants import variants

# The lines that a sentence takes on the stage, and the sentence, of the one that takes most.
LONGEST = """texts => {
    const why = svmviz.frame.querySelector(".why"), range = document.createRange();
    const height = parseFloat(getComputedStyle(why).lineHeight);
    return texts.map(text => {
        svmviz.code.speak(text);
        range.selectNodeContents(why);
        const ends = [...range.getClientRects()].map(box => box.bottom);
        return [Math.round((Math.max(...ends) - Math.min(...ends)) / height) + 1, text];
    }).reduce((most, one) => one[0] > most[0] ? one : most);
}"""
TOGETHER = {
    "pegasos": (
        {"k": 10, "project": True, "lam": 0.5},
        {"k": 10, "project": True, "loss": "logistic"},
    ),
    "bsgd": (
        {"B": 5, "rule": "margin Perceptron", "maintenance": "remove oldest", "forget": True},
        {"B": 5, "rule": "margin Perceptron", "U": 2.0},
    ),
    "sbp": ({"bias": True, "kernel": kernels.rbf(4.0)},),
    "simba": ({"bias": True, "clip": False},),
    "incremental": (
        {"teacher": "active", "changes": [(40, {"C": 0.5})]},
        {"teacher": "adversary", "K": 1},
    ),
}


@pytest.mark.long
def test_the_switch_and_its_key_change_the_sentence_and_are_remembered(visit):
    page = visit("t=9")
    said = page.locator(".why").inner_text()
    page.get_by_role("button", name="maths", exact=True).click()
    expect(page.locator(".why")).to_contain_text("w ← (1 − 1/9) w")
    expect(page.get_by_role("button", name="maths", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    page.keyboard.press("w")
    expect(page.locator(".why")).not_to_contain_text("1 − 1/9")
    short = page.locator(".why").inner_text()
    assert len(short) < len(said) / 2
    page.reload()
    page.wait_for_function("globalThis.svmviz?.draws > 0 && svmviz.run")
    expect(page.locator(".why")).to_have_text(short)
    page.keyboard.press("w")
    expect(page.locator(".why")).to_have_text(said)


@pytest.mark.long
@pytest.mark.parametrize("key", SOLVERS)
def test_no_sentence_is_longer_than_two_lines_at_a_desk(show, key):
    solver, (recipe, view) = SOLVERS[key], opened(key)
    page = show(
        "&".join(
            f"{name}={value}" for name, value in (recipe.query() | {"t": str(view["t"])}).items()
        )
    )
    runs = [
        recipe.trace(),
        *(
            solver.trace(recipe.problem(), steps=80, **params)
            for params in (*variants(solver), *TOGETHER.get(key, ()))
        ),
    ]
    for depth in DEPTHS:
        said = {
            trace.why(t, depth)
            for trace in runs
            for t in range(0, trace.steps + 1, max(1, trace.steps // 80))
        }
        lines, longest = page.evaluate(LONGEST, sorted(said))
        assert 1 <= lines <= (1 if depth == "short" else 2), (depth, longest)
