// The stage: plane, mechanism, curves, pseudo-code and transport around one position (t, phase) in
// one trace.
//
// Position: phase 1 is the rest after step t; below 1 the step is being taken and its beats are
// shown one after the other.

import { counted, said } from "../engine/words.js";
import { Code } from "./code.js";
import { Curves } from "../curves/chart.js";
import { Depths, remembered } from "./depth.js";
import { Dialogs } from "../taking/dialogs.js";
import { readTheme } from "../canvas/draw.js";
import { find, make, say } from "../canvas/elements.js";
import { Engine } from "../engine/replay.js";
import { idly } from "../browser/idle.js";
import { moment, settledOf } from "../engine/moment.js";
import { Ghost } from "../beside/ghost.js";
import { PANELS } from "../hall/presenting.js";
import { Preview } from "../beside/preview.js";
import { Hint } from "./hint.js";
import { Light } from "./light.js";
import { Names } from "./names.js";
import { settled } from "../taking/pagefile.js";
import { panelOf } from "../panels/index.js";
import { Plane } from "../plane/map.js";
import { Symbols } from "../canvas/symbols.js";
import { Shell } from "./shell.js";
import { Transport, actionsOf, onKey } from "./transport.js";
import { decode, settle } from "../engine/wire.js";
import { unfold } from "../engine/fork.js";

const HTML = `<section class="plane"></section><section class="mechanism"></section>
      <nav class="tabs" role="tablist" aria-label="Lower panel"><button type="button" role="tab" data-tab="curves">Curve</button><button type="button" role="tab" data-tab="code">Code</button><button type="button" role="tab" data-tab="beats">Beats</button></nav>
      <section class="curves"></section><section class="code"></section><footer class="transport"></footer>`;
const LOW = 560; // px of a window in which not all panels can stand one above the other

export class Stage extends Shell {
  solver = "";
  /** @type {Panel} */ panel;
  /** @type {Machinery} */ mechanism;
  /** @type {Engine | null} */ engine = null;
  /** @type {Asking | null} */ asking = null; // a question that is open, or was just answered
  /** @type {Ghost | null} */ ghost = null; // of the run before
  // of the run that the slider in the visitor's hand would make
  /** @type {Preview | null} */ preview = null;
  /** @type {Storyboard | null} */ board = null;
  /** @type {object | null} */ gliding = null; // to another moment of the run
  gridKey = "";
  depth = remembered(); // of the sentence
  wanted = "";

  /** @param {HTMLElement} root @param {Modules} modules */
  constructor(root, modules) {
    super(root, modules, "", "", HTML);
    /** @param {string} name */
    const $ = name => find(root, name);
    this.plane = new Plane($(".plane"), this);
    this.curves = new Curves($(".curves"), this);
    this.code = new Code($(".code"), () => this.suppose(null));
    this.depths = new Depths(find($(".code"), "h3"), this);
    this.transport = new Transport($(".transport"), this);
    this.hint = new Hint(this);
    this.dialogs = this.talk();
    this.forking = new modules["fork/main.js"].Forking(this);
    this.quiz = new modules["questions/quiz.js"].Quiz(this);
    this.names = new Names(this);
    this.lighting = new Light(this);
    this.symbols = new Symbols(this);
    this.costs = make("div", { className: "costs", hidden: true });
    $(".transport").append(this.costs);
    this.linked = -1;
    this.field = "";
    this.axes = { x: "steps", y: "suboptimality" };
    // a longer sentence may take room from the panels
    this.observer.observe($("section.plane"));
    for (const tab of root.querySelectorAll(".tabs button"))
      tab.addEventListener("click", () => this.tab(tab.getAttribute("data-tab") ?? ""));
    this.tab("curves");
    this.furnish(PANELS);
  }

  /** @returns {Dialogs} */
  talk() {
    return new Dialogs(this);
  }

  // A run that grew or forked keeps its step, and goes on playing.
  /** @param {Component} component @param {boolean} dark */
  async receive({ data, setStateValue, setTriggerValue }, dark) {
    Object.assign(this, { setStateValue, setTriggerValue });
    this.frame.classList.toggle("dark", dark);
    this.theme = readTheme(this.frame, dark);
    let fresh = false;
    if (data && data !== this.bytes) {
      this.bytes = data;
      const run = await decode(data);
      const fork = await unfold(data, run);
      if (this.gone || this.bytes !== data) return; // something newer has come meanwhile
      const longer = this.asked && run.T > this.run.T;
      if (!this.agrees(run.knob)) return this.layout(); // the run that it asks for comes
      fresh = run.id !== this.run?.id;
      if (fresh && run.forks !== undefined) (this.ghost ??= new Ghost(this)).follow(this.run, run);
      if (run.previews) this.preview ??= new Preview(this);
      this.preview?.replaced();
      if (fresh) this.accept(run);
      else
        Object.assign(this.run, {
          query: run.query,
          python: run.python,
          view: run.view,
          invite: run.invite,
          undo: run.undo,
          redo: run.redo,
          strokes: run.strokes,
          final: run.final,
          races: run.races,
          previews: run.previews,
        });
      this.forking.accept(fork, fresh);
      if (longer && !this.playing) this.dialogs.say(`The run goes on: ${counted(run.T)} steps now`);
      this.mechanism.answered?.();
      this.heed(run);
      this.obey(run);
      this.spell(run.address);
      if (run.forks !== undefined) this.collect(run);
      this.fault.clear();
    }
    if (!this.run) return; // the first is still being read
    this.plane.editor.offer(this.run);
    this.forking.offer();
    this.layout();
    if (fresh) this.quiz.renew();
  }

  /** @param {Run} run */
  accept(run) {
    const section = find(this.root, ".mechanism");
    if (this.solver !== run.solver.key) {
      this.solver = run.solver.key;
      this.panel = panelOf(this.modules, this.solver);
      section.replaceChildren();
      this.plane.foot.hidden = true;
      this.mechanism = new this.panel.Mechanism(section, this);
      this.frame.classList.toggle("wide", this.panel.WIDE > 1);
      this.frame.style.setProperty("--wide", `${this.panel.WIDE}fr`);
      const [beats] = section.querySelectorAll(".beats");
      const textContent = beats?.getAttribute("data-title") ?? "Beats";
      Object.assign(find(this.root, "[data-tab=beats]"), { hidden: !beats, textContent });
      if (this.frame.dataset.tab === "beats") this.tab("curves");
      this.plane.keys(this.panel.KEY);
    }
    this.plane.classes(run.classes);
    this.plane.targets(run);
    this.run = run;
    for (const news of globalThis.svmvizNews?.values() ?? []) this.learn(news);
    this.engine = null;
    this.asked = false;
    this.supposed = null;
    this.linked = -1;
    this.stay(run.T);
    find(this.frame, "h2").textContent = run.solver.title;
    this.symbols.prepare(run);
    this.curves.prepare(run, this.axes, this.panel);
    this.transport.prepare(run);
  }

  // The other runs on its plane.
  get companions() {
    return [this.ghost, this.preview].filter(other => other !== null);
  }

  // What was found after the run was sent: optima, a front, rivals. Says whether it is about this
  // run.
  /** @param {News} news */
  learn({ id, optima, front, rivals, cut }) {
    const second = this.forking.learn({ id, optima, cut });
    if (id !== this.run?.id) return second;
    if (optima) {
      settle(this.run, optima);
      Object.assign(this.run, { later: false, cut });
    }
    Object.assign(this.run, front && { front }, rivals && { rivals });
    return true;
  }

  /** @param {News} news */
  hear(news) {
    if (!this.learn(news)) return;
    this.curves.prepare(this.run, this.axes, this.panel);
    this.layout();
  }

  // A knob of the sidebar changes the run from where the stage stands. Says whether a run does,
  // once for each knob; if not, or where the server does not know, that is told.
  /** @param {Run["knob"]} knob */
  agrees(knob) {
    const behind = this.newest(knob);
    if (!this.run || !knob || knob.id === behind) return true;
    // what is changed in mid-step falls after it
    if (!this.playing && (this.stepping || this.phase < 1)) this.rest();
    if (knob.t === this.t) return true;
    this.setTriggerValue("change", { id: knob.id, t: this.t, behind, playing: this.playing });
    if (knob.t === null) return true;
    // of a run that is not shown: the next one is written in its place
    this.arrival = location.href;
    return false;
  }

  // What the server asks of the player: to go to a step, as a link was opened.
  /** @param {Pick<Run, "id" | "T" | "view">} run */
  obey(run) {
    if (run.view && run.view.serial !== this.serial) {
      const { t, beat, x, y, field = "", serial, play = 0 } = run.view;
      const kept = this.line.kept(run.id);
      if (kept) return this.remain(serial, kept);
      if (play && this.playing) this.toggle(false);
      Object.assign(this, { field, serial, axes: { x, y }, t: Math.min(t, run.T) });
      this.curves.postponed = false;
      this.curves.prepare(this.run, this.axes, this.panel);
      this.phase = this.t > 0 ? this.endOf(beat) : 1;
      this.stepping = false; // a beat that was being ended is not the one that is asked for
      if (run.view.present && !this.presenting) this.present();
      this.show(play);
    }
  }

  // A server that was away may have forgotten where the stage is: it is told.
  /** @param {number | null} serial @param {{ t: number, phase: number }} where */
  remain(serial, { t, phase }) {
    Object.assign(this, { serial, t: Math.min(t, this.run.T), phase });
    this.reported = "";
    this.report();
  }

  // In the Playground moments can be collected.
  /** @param {Run} run */
  collect(run) {
    const { Storyboard } = this.modules["storyboard/main.js"];
    this.board ??= new Storyboard(this);
    this.board.came(run);
  }

  // What else has come along, for an heir that knows of it.
  /** @param {Run} _run */
  heed(_run) {}

  layout() {
    if (!this.run || !this.frame.clientWidth) return;
    const narrow = this.measure();
    const squat = !narrow && !this.presenting && !this.hall.embedded && innerHeight < LOW;
    this.frame.classList.toggle("squat", squat);
    this.frame.classList.toggle(
      "short",
      !narrow && !this.presenting && !squat && this.frame.clientHeight < 760,
    );
    this.theme = readTheme(this.frame, this.frame.classList.contains("dark"));
    for (const sheet of [this.curves.sheet, ...this.mechanism.sheets]) sheet.fit();
    this.curves.measure();
    const { forking } = this;
    const alone = this.plane.layout(this.run, this.theme);
    const grid = forking.on ? forking.layout() : alone;
    const key = [this.run.id, grid.xs[0], grid.xs.at(-1), grid.ys[0], grid.ys.at(-1)].join();
    if (!this.engine || key !== this.gridKey) {
      this.gridKey = key;
      this.engine = new Engine(this.run, grid);
      forking.prepare(grid);
      this.mechanism.prepare(this.run, this.plane);
      this.idle();
    }
    this.repaint();
  }

  idle() {
    // keyframes ahead of the first scrub
    const { engine, forking } = this;
    const there = () => engine === this.engine && !this.gone;
    idly(
      time =>
        there() &&
        Boolean(
          engine?.prepare(time) || forking.engine?.prepare(time) || this.mechanism.ahead?.(time),
        ),
    );
  }

  /** @returns {View} */
  view() {
    return this.supposing(moment(/** @type {Moment} */ (this)));
  }

  // The same run on a stage of its own, which nobody sees: clips are made of it.
  /** @param {HTMLElement} root */
  twin(root) {
    const other = new Stage(root, this.modules);
    const { axes, field, depth } = this;
    Object.assign(other, { axes: { ...axes }, field, depth });
    other.mimic(this.theme);
    other.accept(this.run);
    other.forking.accept(this.forking.fork, true);
    return other;
  }

  // Where it stands while it plays, without a clock.
  /** @param {number} t @param {number} phase @param {number} speed */
  put(t, phase, speed) {
    Object.assign(this, { t, phase, speed, playing: true });
  }

  // What a clip is counted in, how many a second, whether it may have some of the panels only, and
  // where it is.
  get clipping() {
    const place = `step ${counted(this.t)} of ${counted(this.run.T)}`;
    return { unit: "Steps", speed: this.speed, panels: !this.forking.on, place };
  }

  whereabouts() {
    const { t, field, serial, axes } = this;
    const { beat } = this.view();
    const y = axes.y === this.curves.usual ? "" : axes.y;
    return { t, beat: beat === "rest" ? "" : beat, x: axes.x, y, field, serial };
  }

  // With what was found since it came.
  savePage() {
    const { bytes, run, forking } = this;
    const about = [run.id, forking.fork?.run.id];
    const news = [...(globalThis.svmvizNews?.values() ?? [])].filter(({ id }) =>
      about.includes(id),
    );
    const held = settled(/** @type {Uint8Array} */ (bytes), this.whereabouts(), {
      fronts: Boolean(run.front),
      compared: Boolean(run.rivals),
    });
    return this.dialogs.page(
      "stage",
      `${run.solver.title} on ${run.about}`,
      { [run.id]: held },
      { news },
    );
  }

  // What is said of a moment: of what happened, or of what the visitor supposes.
  /** @param {View} view @returns {View} */
  supposing(view) {
    const supposed = this.supposed && this.mechanism.suppose?.(view, this.supposed);
    if (!supposed) return view;
    return {
      ...view,
      values: /** @type {Values} */ ({ ...view.values, ...supposed.values }),
      supposed,
    };
  }

  // Show all panels what would be: the next step with other parameters, or another choice in this
  // one, at one of its beats.
  /** @param {Supposing | null} what @param {string} [beat] */
  suppose(what, beat = "rest") {
    if (this.playing) this.toggle(false);
    this.stepping = false;
    this.phase = this.endOf(beat);
    this.supposed = what;
    this.repaint();
  }

  paint(time = performance.now()) {
    if (!this.engine || this.gone) return;
    const view = this.view();
    const loud = this.speaks(time, this.slow);
    const resting = !this.playing && !this.stepping;
    if (this.forking.on) this.forking.paint(view, loud);
    else this.panels(view, loud, time, resting);
    this.transport.paint(this.t, this.run.T, loud);
    if (resting) this.announce(view);
    this.invite();
    if (!this.costs.hidden) this.dialogs.costs(view);
    this.draws++;
  }

  /** @param {View} view @param {boolean} loud @param {number} time @param {boolean} resting */
  panels(view, loud, time, resting) {
    if (this.plane.sheet.visible) this.plane.paint(view, loud);
    this.mechanism.paint(view, loud);
    const settled = settledOf(view);
    if (this.curves.sheet.visible && (loud || !this.panel.series[this.axes.y]?.paint))
      this.curves.paint(settled);
    if (loud) {
      // text, and what nobody can follow at speed, ten times a second
      this.paper.say(
        `${this.run.solver.paper}, ${view.segment.figure}`,
        this.run.solver.paper,
        view.segment.figure,
      );
      this.numbers.paint(this.panel.numbers(settled));
      this.code.paint(view);
    }
    this.lighting.paint(view);
    if (loud) this.symbols.paint(view, settled);
    if (loud) for (const other of this.companions) other.tell(settled);
    this.names.tell(view, time, resting);
  }

  /** @param {View} view */
  announce(view) {
    const words = this.forking.on ? this.forking.words : said(view).replaceAll("*", "");
    say(this.spoken, words);
    this.transport.scrub.setAttribute("aria-valuenow", String(view.t));
    this.transport.scrub.setAttribute(
      "aria-valuetext",
      `step ${counted(view.t)} of ${counted(this.run.T)}`,
    );
  }

  invite() {
    this.hint.paint();
  }

  destroy() {
    this.preview?.end();
    this.board?.destroy();
    super.destroy();
  }

  /** @param {string} name */
  tab(name) {
    this.frame.dataset.tab = name;
    for (const tab of this.root.querySelectorAll(".tabs button"))
      tab.setAttribute("aria-selected", String(tab.getAttribute("data-tab") === name));
    this.run && this.layout();
  }

  /** @param {string} name */
  presenterPanel(name) {
    if (!this.presenting) return;
    const shown = new Set(this.frame.dataset.extra?.split(" "));
    if (!shown.delete(name)) shown.add(name);
    this.frame.dataset.extra = [...shown].filter(Boolean).join(" ");
    this.hall.write();
    this.layout();
  }

  /** @param {number} i */
  link(i) {
    // the example that the pointer is on, in any panel
    if (i === this.linked) return;
    this.linked = i;
    this.repaint();
  }

  // Light some things, by the names of light.js, and dim the rest; none ends it.
  /** @param {string[]} names */
  light(names) {
    this.lighting.ask(names);
  }

  get lit() {
    return this.lighting.names;
  }

  /** @param {string} what */
  want(what) {
    // something that is computed only for whoever looks at it, asked for once
    if (this.playing || this.wanted === `${what} ${this.run.id}`) return;
    this.wanted = `${what} ${this.run.id}`;
    this.setTriggerValue("want", { what, id: this.run.id });
  }

  toggleCosts() {
    this.costs.hidden = !this.costs.hidden;
    this.repaint();
  }

  // An epoch.
  get stride() {
    return Math.max(1, Math.round(this.run.count(this.t) / this.run.segment(this.t).k));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    onKey(this, event);
  }

  /** @param {KeyboardEvent} event */
  actions(event) {
    return { ...super.actions(event), ...actionsOf(this) };
  }

  help() {
    this.dialogs.help(undefined, ["Symbols (G)", () => this.symbols.list()]);
  }
}
