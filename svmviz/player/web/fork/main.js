// A fork on stage: two planes and their difference, one measure of both, what differs, what both
// did. The clock is that of the stage, whose own panels make room.

import { support } from "../engine/scores.js";
import { moment, settledOf } from "../engine/moment.js";
import { counted, decimals, plural, said, significant, unbroken } from "../engine/words.js";
import { Engine } from "../engine/replay.js";
import { settle } from "../engine/wire.js";
import { Segments } from "../canvas/segments.js";
import { button, clicked, find, make, say } from "../canvas/elements.js";
import { Caption } from "../canvas/labels.js";
import { ForkChart } from "./chart.js";
import { Planes } from "./planes.js";
import { rowsOf, Table } from "./table.js";

const LOOKS = { a: "A", b: "B", difference: "Difference" };
/** @type {Record<string, [title: string, caption: string, button: string]>} */
const MEASURES = {
  hinge: ["Mean loss", "over the training points", "loss"],
  objective: ["Objective", "what the solver works on", "objective"],
  error: ["Training error", "of the training points", "error"],
  test: ["Test error", "on points that no step sees", "test error"],
  norm: ["Norm ‖w‖", "its length", "‖w‖"],
};

export class Forking {
  /** @type {Fork | null} */ fork = null;
  /** @type {Engine | null} */ engine = null; // of B
  measure = "";
  look = "b"; // the tab on a phone
  alone = false; // the difference fills the place of all three
  told = ["", ""];
  /** @type {HTMLElement[]} */ tabs = [];

  /** @type {HTMLElement[]} */ openers = [];
  /** @type {HTMLElement} */ section;
  /** @type {{ name: HTMLElement, caption: Caption }[]} */ heads;
  /** @type {Planes} */ planes;
  /** @type {ForkChart} */ chart;
  /** @type {HTMLElement} */ title;
  /** @type {Caption} */ about;
  /** @type {Segments} */ offered;
  /** @type {Caption} */ when;
  /** @type {Table} */ table;
  /** @type {Record<"right" | "wrong", HTMLElement>} */ key;
  /** @type {Element[]} */ sentences;

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  // The ways to fork, where the run can be.
  offer() {
    const { transport, frame, run } = this.stage;
    if (!this.openers.length && run.forks) {
      const words = button("Fork here", () => this.split("fork"), {
        className: "forker",
        title: "Two runs from this step on (K)",
      });
      find(frame, ".actions").prepend(words);
      this.openers = [words, clicked(transport.forker, () => this.split("fork"))];
    }
    for (const opener of this.openers) opener.hidden = !run.forks;
  }

  // Its part of the page, once there is a fork.
  build() {
    const { stage } = this;
    const section = (this.section = make("section", { className: "fork" }));
    section.innerHTML = `<nav class="fork-tabs" role="tablist" aria-label="Plane"></nav>
      <div class="branches">${["a", "b", "difference"]
        .map(
          name =>
            `<div class="branch" data-branch="${name}"><h3><i class="badge" aria-hidden="true"></i><b></b><span class="caption"></span></h3><div class="view"></div></div>`,
        )
        .join("")}</div>
      <div class="fork-row"><p class="fork-key"><i class="ring"></i><span class="right"></span><i class="ring broken"></i><span class="wrong"></span><i class="stripes"></i><span>A and B disagree</span></p><div class="fork-tools"></div></div>
      <div class="both"><h3><b></b><span class="caption"></span></h3><div class="view"></div></div>
      <div class="fork-what"><h3><b>What differs</b> <span class="caption"></span></h3><table><thead><tr><td></td><th scope="col">A</th><th scope="col">B</th><th scope="col">B − A</th></tr></thead><tbody></tbody></table></div>
      <div class="fork-said"><p data-said="a"></p><p data-said="b"></p></div>`;
    find(stage.frame, ".code").after(section);
    /** @param {string} name */
    const $ = name => find(section, name);
    const branches = [...section.querySelectorAll(".branch")];
    this.heads = branches.map(box => ({
      name: find(box, "b"),
      caption: new Caption(find(box, ".caption")),
    }));
    branches.forEach((box, k) => say(find(box, ".badge"), ["A", "B", ""][k]));
    this.planes = new Planes(branches.map(box => find(box, ".view")));
    this.chart = new ForkChart($(".both .view"), stage);
    this.title = $(".both h3 b");
    this.about = new Caption($(".both .caption"));
    this.offered = new Segments($(".both h3"), "Measure", name => this.choose(name));
    this.when = new Caption($(".fork-what .caption"));
    this.table = new Table($(".fork-what tbody"));
    this.key = { right: $(".fork-key .right"), wrong: $(".fork-key .wrong") };
    this.sentences = [...section.querySelectorAll("[data-said]")];
    this.controls();
  }

  get on() {
    return this.fork !== null;
  }

  controls() {
    const { section } = this;
    const tools = find(section, ".fork-tools");
    for (const [words, key, what, help] of [
      ["Swap", "X", "swap", "B becomes A, and the controls turn what was A"],
      ["Keep B", "", "keep", "Go on with B alone"],
      ["Drop B", "", "drop", "Go on with A alone"],
      [
        "Race both",
        "",
        "race",
        "Both as lanes of a race, with their parameters from the first step on",
      ],
    ]) {
      const one = button(words, () => this.split(what), { title: help, className: `fork-${what}` });
      if (key) one.append(make("kbd", { textContent: key }));
      tools.append(one);
    }
    const tabs = find(section, ".fork-tabs");
    for (const [name, words] of Object.entries(LOOKS)) {
      const tab = button(words, () => this.show(name));
      tab.setAttribute("role", "tab");
      tab.dataset.look = name;
      tabs.append(tab);
    }
    this.tabs = /** @type {HTMLElement[]} */ ([...tabs.children]);
    this.show(this.look);
  }

  /** @param {string} name */
  show(name) {
    this.look = this.section.dataset.look = name;
    for (const tab of this.tabs)
      tab.setAttribute("aria-selected", String(tab.dataset.look === name));
    if (this.on) this.stage.layout();
  }

  // The difference alone, or on a phone its tab; and back.
  zoom() {
    if (this.stage.frame.classList.contains("narrow"))
      return this.show(this.look === "difference" ? "b" : "difference");
    this.alone = !this.alone;
    this.section.classList.toggle("alone", this.alone);
    this.stage.layout();
  }

  // Ask for two runs from here on, for the other one to be first, or for one of them alone.
  /** @param {string} what */
  split(what) {
    const { stage } = this;
    const { run, playing, stepping, phase } = stage;
    if (run.forks === undefined) return; // only the Playground has two
    if (!run.forks)
      return stage.dialogs.say(
        "Only runs that tell two classes apart by the sign of f can be forked",
      );
    if (!playing && (stepping || phase < 1)) stage.rest(); // what begins in mid-step falls after it
    if (what === "race") return stage.setTriggerValue("race", { id: run.id });
    stage.setTriggerValue("branch", { id: run.id, what, t: stage.t });
  }

  // Another run beside that of the stage, or none any more.
  /**
   * @param {Fork | null} fork
   * @param {boolean} fresh whether that of the stage is another one, too
   */
  accept(fork, fresh) {
    const known = fork?.run.id === this.fork?.run.id && fork?.t === this.fork?.t;
    if (known && !(fresh && fork)) return;
    const { stage } = this;
    const began = !this.on && fork;
    if (!this.section) this.build();
    if (stage.quiz.on) stage.quiz.toggle();
    if (began) stage.ghost?.dismiss();
    Object.assign(this, { fork, engine: null });
    stage.gridKey = "";
    this.section.hidden = !fork;
    stage.frame.classList.toggle("forked", Boolean(fork));
    stage.transport.fork(fork && fork.t / stage.run.T);
    if (!fork) return;
    find(this.section, ".fork-race").hidden = !stage.run.races;
    for (const news of globalThis.svmvizNews?.values() ?? []) this.learn(news);
    if (began && !fork.differences.length)
      stage.dialogs.say(
        `Forked after step ${counted(fork.t)}: turn a knob, and B goes its own way`,
      );
    const there = this.measures();
    const options = Object.fromEntries(there.map(name => [name, MEASURES[name][2]]));
    if (!there.includes(this.measure)) this.measure = there[0];
    this.offered.offer(options, this.measure);
    this.choose(this.measure);
    this.head(fork);
  }

  /** @param {Fork} fork */
  head({ differences }) {
    /** @param {"a" | "b"} which */
    const named = which =>
      differences
        .map(({ name, speaks, [which]: value }) => (speaks ? value : `${name} = ${value}`))
        .join(", ");
    const [a, b] = [named("a"), named("b")];
    say(this.heads[0].name, a || "the run");
    say(this.heads[1].name, b || "the same so far");
    say(this.heads[2].name, "Difference");
  }

  // What both may be measured by, as far as it was recorded.
  measures() {
    const { fork, stage } = this;
    const { run } = stage;
    const there = { test: Boolean(run.wrong_test), objective: Boolean(run.objective) };
    return (fork?.measures ?? []).filter(
      name => there[/** @type {keyof typeof there} */ (name)] ?? true,
    );
  }

  /** @param {string} name */
  choose(name) {
    const { fork, stage } = this;
    if (!fork) return;
    this.measure = name;
    const [title, caption] = MEASURES[name];
    const pair = [
      { run: stage.run, own: fork.a },
      { run: fork.run, own: fork.b },
    ].map(
      ({ run, own }) =>
        /** @param {number} t */ t =>
          valueOf(run, own, name, t),
    );
    this.chart.prepare(
      fork,
      {
        name: title,
        words: caption,
        share: ["error", "test"].includes(name),
        a: pair[0],
        b: pair[1],
      },
      stage.run.T,
    );
    say(this.title, title);
    const changed = fork.differences.map(row => row.name).join(", ");
    this.about.say(
      changed ? `${caption}; the same yardstick for any ${changed}` : caption,
      caption,
    );
    this.offered.offer(Object.fromEntries(this.measures().map(n => [n, MEASURES[n][2]])), name);
    stage.repaint();
  }

  /** @param {News} news */
  learn({ id, optima, cut }) {
    const run = this.fork?.run;
    if (!run || !optima || id !== run.id) return false;
    settle(run, optima);
    Object.assign(run, { later: false, cut });
    return true;
  }

  // The cells of the planes, which the engines of both runs are made for.
  layout() {
    const { stage } = this;
    this.chart.sheet.fit();
    return this.planes.layout(stage.run);
  }

  /** @param {Grid} grid */
  prepare(grid) {
    const { fork, stage } = this;
    if (!fork) return;
    this.engine = new Engine(fork.run, grid);
    if (stage.engine) this.engine.share(stage.engine);
  }

  // B at the moment where the stage stands.
  view() {
    const { stage, fork, engine } = this;
    const { t, phase, panel, theme, slow, linked, field, depth } = stage;
    return moment(
      /** @type {Moment} */ ({
        run: fork?.run,
        engine,
        t,
        phase,
        panel,
        theme,
        slow,
        linked,
        field,
        depth,
        supposed: null,
      }),
    );
  }

  /** @param {View} a @param {boolean} loud */
  paint(a, loud) {
    const { fork, stage } = this;
    if (!fork || !this.engine) return;
    const b = this.view();
    this.planes.paint(a, b);
    const [first, second] = [settledOf(a), settledOf(b)];
    if (this.chart.sheet.visible) this.chart.paint(stage.theme, first.t);
    if (!loud) return;
    const { low, high, right, wrong } = this.planes.found;
    this.heads[0].caption.say(plural(support(first.now.coef), "vector"));
    this.heads[1].caption.say(plural(support(second.now.coef), "vector"));
    this.heads[2].caption.say(
      `f(B) − f(A), ${significant(low, 2)} to ${significant(high, 2)}`,
      "f(B) − f(A)",
    );
    say(this.key.right, `${right.length} now right`);
    say(this.key.wrong, `${wrong.length} now wrong`);
    this.when.say(`after step ${counted(first.t)}`);
    this.table.paint(rowsOf(fork, first, second, stage.panel));
    this.speak(a, b);
    stage.paper.say(
      `forked after step ${counted(fork.t)}, same points and draws`,
      `forked after step ${counted(fork.t)}`,
    );
    const errors = [first, second].map(({ now }) => decimals((100 * now.wrong) / now.count, 1));
    const losses = [first, second].map(({ now }) => decimals(now.hinge, 3));
    stage.numbers.paint([
      ["labels that flipped", `${right.length + wrong.length} / ${counted(second.now.count)}`],
      ["training error", `A ${errors[0]} → B ${errors[1]} %`],
      ...(fork.measures.includes("hinge")
        ? [["mean loss", `A ${losses[0]} → B ${losses[1]}`]]
        : []),
    ]);
  }

  // What both did; up to the fork that is the same.
  /** @param {View} a @param {View} b */
  speak(a, b) {
    const together = a.t < (this.fork?.t ?? 0) || said(a) === said(b);
    const words = together ? [`Both: ${said(a)}`, ""] : [`In A: ${said(a)}`, `In B: ${said(b)}`];
    words.forEach((text, k) => {
      if (text === this.told[k]) return;
      this.told[k] = text;
      this.sentences[k].replaceChildren(
        ...unbroken(text)
          .split("*")
          .map((part, n) => (n % 2 ? make("b", { textContent: part }) : part)),
      );
    });
  }

  // What is said aloud.
  get words() {
    return this.told.join(" ").replaceAll("*", "");
  }
}

/** @param {Run} run @param {Fork["a"]} own @param {string} name @param {number} t */
function valueOf(run, own, name, t) {
  if (name === "hinge" || name === "norm") return own[name][t];
  if (name === "error") return run.wrong[t] / run.count(t);
  if (name === "test") return run.wrong_test[t] / run.n_test;
  const averaged = run.segment(t).params.iterate === "average" && run.objective_average;
  return (averaged || run.objective)[t];
}
