"""Every number on the stage speaks of one segment of the run, around changes of parameters and of
points, for all solvers.

One visit shows all runs: they are handed to the mounted stage as the server would send them, and
read from it.
"""

import base64
import re

import pytest
from playwright.sync_api import expect

from svmviz.player.wire import run
from svmviz.run.recipe import from_query
from tests.browser.page import button, look, query, quiet, rests_at, until

MOONS = {"data": "moons", "n": "90", "noise": "0.25", "data_seed": "1", "seed": "3", "T": "90"}
EDIT = "60:" + ".".join(map(str, range(40))) + ":0.5,0.5,1!1.5,0.2,-1"
RUNS = {  # each with a change after step 30 and other points after step 60
    "pegasos": {"change": "30:lam=0.2", "lam": "0.01"},
    "pegasos, other kernel, projected": {
        "change": "30:kernel=rbf(gamma=3.0);30:project=1",
        "lam": "0.05",
    },
    "pegasos, average": {"change": "30:lam=0.002", "lam": "0.1", "iterate": "average"},
    "pegasos, random": {
        "change": "30:kernel=laplacian(gamma=1.0)",
        "iterate": "random",
        "kernel": "rbf(gamma=1.0)",
    },
    "sbp": {"change": "30:nu=0.4", "nu": "0.02"},
    "sbp, less water": {
        "change": "30:nu=0.01",
        "nu": "0.5",
        "kernel": "rbf(gamma=3.0)",
        "iterate": "average",
    },
    "sbp, bias": {"change": "30:bias=1", "nu": "0.1"},
    "sbp, no bias": {"change": "30:bias=0;30:nu=0.3", "nu": "0.1", "bias": "1"},
    "sdca": {"change": "30:lam=0.3", "lam": "0.01"},
    "smo": {"change": "30:lam=0.001", "lam": "0.1"},
    "smo, no bias": {"change": "30:bias=0", "lam": "0.01", "kernel": "rbf(gamma=2.0)"},
    "perceptron": {"change": "30:kernel=rbf(gamma=2.0)"},
    "fourier": {"change": "30:lam=0.2;30:features=20", "lam": "0.01"},
    "bsgd": {"change": "30:lam=0.2;30:B=4", "lam": "0.01", "B": "8"},
    "bsgd, removal": {
        "change": "30:maintenance=remove smallest;30:kernel=rbf(gamma=4.0)",
        "B": "6",
    },
    "incremental": {"change": "30:C=0.2;30:teacher=active"},
    "incremental, other kernel": {"change": "30:C=4.0;30:kernel=rbf(gamma=3.0)", "iterate": "last"},
    "simba": {"change": "30:nu=0.4", "nu": "0.02"},
    "simba, exact": {
        "change": "30:exact_p=1;30:nu=0.01",
        "nu": "0.3",
        "iterate": "last",
        "bias": "1",
    },
}

SHOW = """async ([text, id]) => {
  const data = Uint8Array.from(atob(text), c => c.charCodeAt(0)), ignore = () => {};
  await svmviz.update({ data, setStateValue: ignore, setTriggerValue: ignore }, false);
  return svmviz.run.id === id;
}"""

# What is shown at every beat of the steps around a change: the state, the title row, curves, code,
# sentence.
SEEN = """steps => {
  const out = [];
  for (const t of steps) for (const phase of [.02, .25, .5, .75, .98, 1]) {
    svmviz.seek(t);
    svmviz.phase = phase;
    svmviz.spokenAt = 0;
    svmviz.paint();
    const view = svmviz.view(), { now, last, segment } = view, { root, curves, mechanism } = svmviz;
    const text = name => root.querySelector(name).textContent, all = name => [...root.querySelectorAll(name)];
    const numbers = all(".numbers > div:not([hidden])").map(e => [e.firstChild.textContent, e.lastChild.textContent]);
    const { gamma, nu } = mechanism.basin?.water ?? {};
    out.push({
      t, phase, start: segment.start, optimum: segment.optimum?.value, primal: now.primal, level: last.now.gamma,
      shown: now.gamma, nu: segment.params.nu, count: now.count, alive: view.mask.reduce((a, b) => a + b),
      label: segment.label, drawn: view.drawn.every(i => view.mask[i]), numbers: Object.fromEntries(numbers),
      caption: text(".curves .caption"), why: text(".why"), told: text(".code .caption"),
      figure: text(".code .figure") === segment.figure, lines: all(".lines li").length === segment.lines.length,
      values: all(".lines output").map(e => e.textContent).join(" "), basin: mechanism.basin && { gamma, nu },
      dots: curves.axes.y === "suboptimality" ? curves.series().map(([, value]) => value(t, view.s)) : [],
    });
  }
  return out;
}"""

# The title row at rest before and after a step and at the end of each of its beats, what the plane
# calls that moment, and the step whose value is marked on the curve.
MOMENTS = """steps => steps.map(t => {
  const { root, curves } = svmviz, mark = curves.values;
  let marked = 0;
  curves.values = (...given) => { marked = given[2]; mark.apply(curves, given); };
  const look = (step, phase) => {
    svmviz.seek(step);
    svmviz.phase = phase;
    svmviz.spokenAt = 0;
    svmviz.paint();
    const numbers = [...root.querySelectorAll(".numbers > div:not([hidden])")].map(e => e.textContent).join(", ");
    return { beat: svmviz.view().beat, numbers, plane: svmviz.plane.caption.said[0], marked };
  };
  const ends = [];
  for (let phase = .01; phase < 1; phase += .01) {
    svmviz.seek(t);
    svmviz.phase = phase;
    const { beat } = svmviz.view();
    if (ends.at(-1)?.beat !== beat) ends.push({ beat, phase });
  }
  const found = { before: look(t - 1, 1), beats: ends.slice(1).map(e => look(t, e.phase - .01)), after: look(t, 1) };
  delete curves.values;
  return found;
})"""


def shown(page, given: dict[str, str]):
    recipe, messages = from_query(given)
    assert not messages
    recipe = recipe.checked()
    view = {"t": 0, "beat": "", "x": "steps", "y": "suboptimality", "serial": recipe.key()}
    data = run.encode(
        run.pack_recipe(recipe),
        id=recipe.key(),
        query=recipe.query(),
        undo=0,
        redo=0,
        editable=True,
        python="",
        view=view,
        knob=None,
        final=True,
        invite=False,
        front=None,
        rivals=None,
    )
    assert page.evaluate(SHOW, [base64.b64encode(data).decode(), recipe.key()])
    return recipe.trace()


def number(text: str) -> float:
    return float(re.sub(r"[^\d.e-]", "", text.replace("−", "-")))


@pytest.fixture
def stage(visit):
    return visit("data=moons&n=60&T=40&t=20")


@pytest.mark.long
def test_around_every_change_the_stage_speaks_of_one_segment(stage):
    for title, given in RUNS.items():
        key = title.partition(",")[0]
        trace = shown(stage, MOONS | {"solver": key, "edit": EDIT} | given)
        assert [s.start for s in trace.segments] == [0, 30, 60]
        for seen in stage.evaluate(SEEN, [29, 30, 31, 32, 59, 60, 61]):
            check(title, trace, seen)


@pytest.mark.long
def test_within_a_step_all_panels_stand_at_the_end_of_one(stage):
    for title, given in RUNS.items():
        shown(stage, MOONS | {"solver": title.partition(",")[0], "edit": EDIT} | given)
        for t, moments in zip((5, 31, 47), stage.evaluate(MOMENTS, [5, 31, 47]), strict=True):
            before, after = moments["before"], moments["after"]
            assert len(moments["beats"]) > 1
            for seen in moments["beats"]:
                where = title, t, seen["beat"], seen["plane"]
                over = f"after step {t}" in seen["plane"]
                assert over or re.search(rf"(before|in) step {t}\b", seen["plane"]), where
                assert seen["marked"] in (0, t if over else t - 1), where
                if " + 1" not in seen["numbers"]:  # a budget that is exceeded for a moment
                    assert seen["numbers"] == (after if over else before)["numbers"], where


def check(title, trace, seen):
    where, t, best = (title, seen["t"], seen["phase"]), seen["t"], seen["optimum"]
    behind = seen["phase"] == 1 and t in (30, 60)
    assert seen["start"] == (t if behind else trace.segment(t).start), where
    assert (
        seen["count"] == seen["alive"] == len(trace.segment(t + behind).active)
        and seen["figure"]
        and seen["lines"]
    ), where
    assert seen["drawn"], where  # nobody is ringed who is not there
    for name, value in seen["numbers"].items():
        assert "NaN" not in value and "undefined" not in value, (*where, name)
    assert (
        "NaN" not in seen["values"] + seen["why"]
        and "undefined" not in seen["values"] + seen["why"]
    ), where
    if behind:
        assert seen["told"] == f"from step {t + 1} on" and not seen["values"].strip(), where
        assert seen["label"] in seen["why"].replace("\xa0", " "), where
        if best is not None and seen["dots"]:
            shown = (
                "_average" if trace.params(t + 1).get("iterate") == "average" else ""
            )  # the bold curve comes last
            gap = trace.entries[t][trace.solver.goal.objective + shown] - best
            assert seen["dots"][-1] == pytest.approx(
                -gap if trace.solver.goal.maximises else gap, abs=2e-6
            ), where
    else:
        assert seen["told"] == f"step {t}", where
    if best is None:
        return
    for dot in seen["dots"]:
        assert dot >= -1e-6, where  # recorded as float32
    if trace.solver.goal.maximises:
        assert seen["level"] <= best + 1e-9 and seen["shown"] <= best + 1e-9, where
        header = seen["numbers"].get("water level γ", seen["numbers"].get("level γ(w)"))
        assert number(header) <= best + 5.1e-4, where
    else:
        assert seen["primal"] >= best - 1e-9, where
    if "optimum P*" in seen["numbers"]:
        assert number(seen["numbers"]["optimum P*"]) == pytest.approx(best, abs=5.1e-4), where
        assert (
            number(seen["numbers"].get("objective P(w)", seen["numbers"].get("primal P(w)")))
            >= best - 5.1e-4
        ), where
        assert number(seen["numbers"].get("dual D(α)", "-9")) <= best + 5.1e-4, where
    if "exact" in seen["caption"]:
        assert number(seen["caption"].partition("= ")[2].partition(";")[0]) == pytest.approx(
            best, abs=5.1e-5
        ), where
    if seen["basin"]:
        assert seen["basin"]["gamma"] == seen["level"] and seen["basin"]["nu"] == seen["nu"], where
        gamma = re.search(r"γ = (−?[\d.]+)", seen["values"])
        if gamma and t in (31, 61):  # the level that the first step behind the change was drawn by
            assert number(gamma[1]) == pytest.approx(trace.entries[t - 1]["level"], abs=5.1e-4), (
                where
            )


def test_after_an_edit_the_objective_is_not_below_its_optimum(visit):
    page = visit("data=moons&n=120&noise=0.2&lam=0.05&T=120&t=60&beat=add")
    page.keyboard.press("e")
    button(page, "Clear").click()
    until(page, "svmviz.run.segments.length === 2")
    quiet(page)
    until(page, "svmviz.phase === 1")  # the edit falls after the step that was being shown
    expect(page.locator(".why")).to_contain_text("−118 points")
    value, best = (
        number(page.locator(f".numbers div:nth-child({k}) dd").inner_text()) for k in (1, 2)
    )
    assert value >= best - 1e-3 and look(page, "view().now.count") == 2
    expect(page.locator(".curves .caption")).to_contain_text(
        f"exact P* = {look(page, 'run.segments[1].optimum.value'):.4f}"
    )
    page.keyboard.press("ArrowRight")
    rests_at(page, 61)
    page.keyboard.press("ArrowLeft")
    until(page, "svmviz.t === 60 && svmviz.phase === 1")
    page.keyboard.press(",")
    expect(page.locator(".code .caption")).to_have_text("step 60")
    assert look(page, "view().now.count") == 120


def test_a_wish_is_answered_though_the_next_report_comes_right_behind(visit):
    page = visit("data=moons&n=60&T=40&t=20")
    for wait in range(
        0, 16, 2
    ):  # ms: the report reaches the server before, while and after the wish is answered
        before = look(page, "run.id")
        page.evaluate(
            """wait => {
            const { run, t } = svmviz, add = [[0.02 * wait, 0.2, 1]];
            svmviz.setTriggerValue("edit", { what: "draw", drop: [], add, t, id: run.id });
            setTimeout(() => svmviz.setStateValue("view", { t, beat: "", x: "steps", y: "", field: "", report: wait }), wait);
        }""",
            wait,
        )
        until(page, "svmviz.run.id !== value", before)
        quiet(page)
    assert look(page, "run.undo") == 8


@pytest.mark.long
def test_who_is_sent_back_and_goes_to_the_same_step_again_has_it_in_the_address(visit):
    page = visit("data=moons&n=60&T=40&t=20")
    for solver in ("Dual coordinate ascent", "Perceptron"):
        page.keyboard.press("End")
        assert query(page)["t"] == "40"
        page.get_by_role("combobox", name="solver").click()
        page.get_by_role("option", name=solver, exact=True).click()
        until(page, "svmviz.run.solver.title === value && svmviz.t === 0", solver)
        quiet(page)
        page.locator(".plane canvas").first.click(
            position={"x": 60, "y": 300}
        )  # the stage has the keys
    page.keyboard.press("End")
    assert query(page)["t"] == "40"
