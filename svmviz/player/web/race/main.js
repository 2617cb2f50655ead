// The race: small planes side by side, one chart, one position for all of them: a cost that every
// lane has paid.
//
// Position t runs over the stops of the cost axis, costs evenly spaced on a log scale; between two
// stops while it plays. A lane stands at the last step that the cost pays for. Planes show seed 0,
// numbers and curves the median over the seeds.

import { counted } from "../engine/words.js";
import { RaceChart, METRICS, amount } from "./chart.js";
import { Dialogs } from "../taking/dialogs.js";
import { readTheme, Sheet } from "../canvas/draw.js";
import { find, make } from "../canvas/elements.js";
import { linkTo } from "../browser/home.js";
import { idly } from "../browser/idle.js";
import { FEW, Lane, keyOf } from "./lane.js";
import { Shell } from "../stage/shell.js";
import { settled } from "../taking/pagefile.js";
import { fit, rows } from "./rows.js";
import { pointsOf, worldOf } from "../plane/world.js";
import { standings } from "./standings.js";
import { Transport } from "../stage/transport.js";
import { decode, unpack } from "../engine/wire.js";

const PACES = [80, 40, 20, 10, 5]; // seconds a run
const KEYS = [
  ["Space", "play, pause"],
  ["← →", "one stop back, one stop on"],
  ["Shift ← →", "a tenth of the race back, on"],
  ["Home End", "start, end"],
  ["+ −", "faster, slower"],
  ["L", "loop"],
  ["F", "presenter mode"],
  ["S", "hold it: a light around the pointer"],
  ["V", "black screen, and back with any key; in presenter mode also ."],
  ["I", "the link to this moment as a code for phones"],
  ["M", "next metric"],
  ["X", "next cost axis"],
  ["?", "this list"],
];

const HTML = `<div class="lanes" role="group" aria-label="Lanes, all at the same cost"></div><section class="chart"></section>
  <footer class="transport"></footer>`;

class RaceDialogs extends Dialogs {
  /** @param {Stage} race */
  constructor(race) {
    super(race);
    this.race = race;
  }
  address(words = this.stage.hall.words()) {
    const { data, t, axes } = this.race;
    return linkTo({ ...data.query, t: String(t), ...axes, ...words });
  }
  about() {
    return `${this.race.data.about}; at ${this.race.costText()}`;
  }
  link() {
    return this.copy(this.address(), "Link copied: it opens this race at this cost");
  }
  help() {
    super.help(KEYS);
  }
}

export class Stage extends Shell {
  /** @type {Lane[]} */ lanes = [];
  /** @type {Lane | null} */ lit = null;
  /** @type {RaceData} */ data;
  /** @type {string | null} */ worldKey = null;
  /** @type {Numbers} */ x;
  /** @type {World} */ world;
  /** @type {{ canvas: HTMLCanvasElement, ratio: number, theme: Theme } | null} */ points = null;

  /** @param {HTMLElement} root @param {Modules} modules */
  constructor(root, modules) {
    super(root, modules, "race", "Race", HTML);
    /** @param {string} name */
    const $ = name => find(root, name);
    this.row = $(".lanes");
    this.speed = 20;
    this.axes = { x: "", y: "" };
    this.chart = new RaceChart($(".chart"), this);
    this.transport = new Transport($(".transport"), this);
    const { speed, scrub } = this.transport;
    speed.replaceChildren(
      ...PACES.map(s => make("option", { value: s, textContent: `${s} s/run` })),
    );
    speed.value = String(this.speed);
    scrub.setAttribute("aria-label", "Cost");
    for (const [name, words] of [
      ["first", "Start (Home)"],
      ["back", "One stop back (←)"],
      ["forward", "One stop on (→)"],
      ["last", "End (End)"],
    ]) {
      for (const attribute of ["aria-label", "title"])
        $(`.transport .${name}`).setAttribute(attribute, words);
    }
    this.dialogs = new RaceDialogs(this);
    this.furnish({ lanes: "Lanes", chart: "Chart" });
  }

  savePage() {
    const { bytes, data } = this;
    return this.dialogs.page("race", `Race: ${data.about}`, {
      [data.id]: settled(/** @type {Uint8Array} */ (bytes), this.whereabouts()),
    });
  }

  /** @param {Uint8Array} bytes */
  async read(bytes) {
    /** @type {RaceData} */
    const found = await unpack(bytes);
    const known = this.lanes.map(lane => lane.key);
    const fresh = found.rivals.filter(spec => !known.includes(keyOf(spec, found.id)));
    /** @type {Map<string, Run>} */
    const runs = new Map();
    await Promise.all(
      fresh.map(async ({ key }) => runs.set(key, await decode(found[`run.${key}`]))),
    );
    return () => {
      this.accept(found, runs);
      this.spell(found.address);
    };
  }

  /** @param {RaceData} data @param {Map<string, Run>} runs */
  accept(data, runs) {
    const anew = data.view.serial !== this.serial && !(this.data && this.line.returned);
    const view = anew ? data.view : this.whereabouts();
    Object.assign(this, { data, serial: data.view.serial });
    const free = new Map(this.lanes.map(lane => [lane.spec.key, lane]));
    this.lanes = data.rivals.map(spec => {
      const lane = free.get(spec.key) ?? new Lane(this.row, this);
      free.delete(spec.key);
      lane.accept(spec, runs.get(spec.key), data.id);
      return lane;
    });
    for (const lane of free.values()) lane.box.remove();
    rows(this.row, this.lanes, data.groups);
    this.lit?.box.classList.remove("lit");
    this.lit = null;
    this.frame.classList.toggle("many", this.lanes.length > FEW);
    this.worldKey = null;
    const x = Object.hasOwn(data.axes, view.x) ? view.x : Object.keys(data.axes)[0];
    const y = Object.hasOwn(METRICS, view.y) ? view.y : "suboptimality";
    const known = data.rivals.some(({ key }) => data[`${x}.${key}.${y}`]);
    Object.assign(this, { axes: { x, y: known ? y : "suboptimality" } });
    this.enter();
    this.t = Math.min(view.t ?? Math.round(this.run.T * 0.7), this.run.T);
    this.paper.say(...this.origin());
    this.frame.classList.toggle("stale", Boolean(data.stale));
  }

  origin() {
    // what is shown, in ever fewer words
    const { stale, seeds } = this.data;
    if (stale)
      return [
        `Result of ${stale.was}; running ${stale.now} …`,
        `Result of ${stale.was}`,
        "Result of other settings",
      ];
    if (seeds === 1)
      return ["equal cost for all; planes and numbers show seed 0", "planes and numbers: seed 0"];
    return [
      `equal cost for all; planes show seed 0, numbers the median of ${seeds} seeds`,
      `planes: seed 0; numbers: median of ${seeds} seeds`,
      `median of ${seeds} seeds`,
    ];
  }

  // The same race on a stage of its own, which nobody sees: clips are made of it.
  /** @param {HTMLElement} root */
  twin(root) {
    const other = new Stage(root, this.modules);
    other.mimic(this.theme);
    other.accept(this.data, new Map(this.lanes.map(({ spec, run }) => [spec.key, run])));
    other.setAxes({ ...this.axes });
    return other;
  }

  /** @param {number} t @param {number} phase */
  put(t, phase) {
    Object.assign(this, { t: Math.max(0, t - 1 + phase), playing: true });
  }

  get clipping() {
    const speed = Math.max(1, Math.round(this.run.T / this.speed));
    return { unit: "Stops", speed, panels: false, place: this.costText() };
  }

  enter() {
    // another axis has other stops
    this.x = this.data[`x.${this.axes.x}`];
    const solver = { key: `race-${this.axes.x}` };
    const run = { T: this.x.length - 1, final: true, solver, python: this.data.python };
    this.run = /** @type {Run} */ (run);
    this.transport.scrub.setAttribute("aria-valuemax", String(this.run.T));
    this.transport.T.textContent = `/ ${amount(this.x[this.run.T])}`;
    this.transport.legend.say(...this.ending(), this.data.axes[this.axes.x]);
    this.chart.prepare(this);
  }

  // Why the axis ends where it does, in ever fewer words: all stop at the cost at which the first
  // of them is through.
  ending() {
    const { data, lanes, axes } = this;
    const paying = lanes.filter(lane => this.pays(lane));
    const count = paying.length;
    const all =
      ["", "", "both", "all three", "all four", "all five", "all six"][count] ?? `all ${count}`;
    const name = data.axes[axes.x];
    const first = lanes.find(lane => lane.spec.key === data.ends[axes.x]) ?? lanes[0];
    const { title, steps } = first.spec;
    if (!all) return [`in ${name}; ${title} takes ${counted(steps)} steps`];
    const last = this.x[this.x.length - 1];
    if (paying.every(lane => lane.spec.steps === steps && lane.stepAt(axes.x, last) === steps))
      return [
        `${all} end together, after ${counted(steps)} steps`,
        `all end after ${counted(steps)} steps`,
      ];
    const ends = `${title} ends first, after ${counted(steps)} steps`;
    return [`${all} stop at the same cost: ${ends}`, ends, `${title} ends first`];
  }

  /** @param {{ x?: string, y?: string }} change */
  setAxes(change) {
    const share = this.t / this.run.T;
    Object.assign(this.axes, change);
    this.enter();
    if (change.x) this.t = Math.round(share * this.run.T);
    this.layout();
    this.report();
  }

  /** @param {Lane} lane @param {string} metric */
  curve(lane, metric) {
    return this.data[`${this.axes.x}.${lane.spec.key}.${metric}`];
  }

  // One of many is looked at: its curve stands out.
  /** @param {Lane | null} lane */
  light(lane) {
    if (this.lanes.length <= FEW || this.lit === lane) return;
    this.lit?.box.classList.remove("lit");
    lane?.box.classList.add("lit");
    this.lit = lane;
    this.chart.key = null;
    this.repaint();
  }

  // Whether it has anything to pay on this axis.
  /** @param {Lane} lane */
  pays(lane) {
    return Boolean(this.curve(lane, this.data.yardstick.key));
  }

  /** @param {Lane} lane @param {string} metric */
  value(lane, metric) {
    return this.curve(lane, metric)?.[this.x.length + Math.floor(this.t + 1e-9)];
  }

  get cost() {
    const k = Math.floor(this.t);
    const u = this.t - k;
    return u > 0 ? this.x[k] ** (1 - u) * this.x[k + 1] ** u : this.x[k];
  }

  costText() {
    return `${amount(this.cost)} ${this.data.axes[this.axes.x].replace("kernel ", "")}`;
  }

  layout() {
    if (!this.data || !this.frame.clientWidth) return;
    const narrow = this.measure();
    const few = this.lanes.length <= FEW;
    const each = this.frame.clientWidth / this.lanes.length;
    this.frame.classList.toggle("cramped", few && !narrow && each < (this.presenting ? 240 : 175));
    const lines = fit(this.row, this.lanes.length, this.row.clientWidth, this.presenting ? 1.4 : 1);
    this.frame.classList.toggle("dense", !narrow && lines > 2);
    this.theme = readTheme(this.frame, this.frame.classList.contains("dark"));
    this.chart.sheet.fit();
    for (const lane of this.lanes) lane.sheet.fit();
    if (!this.lanes.length) return;
    const { w, h } = this.lanes[0].sheet;
    const { run } = this.lanes[0];
    const world = worldOf(run, Math.max(w, 40), Math.max(h, 40));
    if (world.key !== this.worldKey) {
      this.world = world;
      this.worldKey = world.key;
    }
    for (const lane of this.lanes) lane.layout(this.world);
    this.points = null;
    this.idle();
    this.repaint();
  }

  idle() {
    // keyframes ahead of the first scrub, lane by lane
    const engines = this.lanes.map(lane => lane.engine);
    const there = () =>
      !this.gone && engines.every((engine, k) => engine === this.lanes[k]?.engine);
    idly(() => there() && (this.playing || engines.some(engine => engine.prepare(8))));
  }

  /** @param {number} elapsed */
  advance(elapsed) {
    this.carry += (elapsed * this.run.T) / this.speed;
    // reduced motion: from stop to stop
    const by = this.still.matches ? Math.floor(this.carry) : this.carry;
    this.carry -= by;
    this.t += by;
    if (this.t < this.run.T) return;
    this.t = this.loop ? 0 : this.run.T;
    if (!this.loop) this.toggle(false);
  }

  /** @param {boolean} [on] */
  toggle(on = !this.playing) {
    if (!on) this.t = Math.round(this.t); // rest at a stop: there the curves have their values
    super.toggle(on);
  }

  /** @param {number} by */
  step(by) {
    if (this.playing) this.toggle(false);
    this.seek(this.t + by, true);
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.transport.speed.value = String(speed);
  }

  /** @param {number} by */
  faster(by) {
    const next = PACES[PACES.indexOf(this.speed) + by];
    if (next) this.setSpeed(next);
  }

  /** @param {Lane} lane */
  open(lane) {
    // says where it stands as well: a report would come too late
    if (this.data.stale)
      return this.dialogs.say("These are results of other settings: the new race is being run");
    if (this.playing) this.toggle(false);
    clearTimeout(this.reporting);
    this.setTriggerValue("open", {
      rival: lane.spec.key,
      t: lane.t,
      view: { t: this.t, ...this.axes },
    });
  }

  // A tenth of the race.
  get stride() {
    return Math.max(1, Math.round(this.run.T / 10));
  }

  /** @param {KeyboardEvent} event */
  actions(event) {
    const { metrics, axes } = this.chart;
    return {
      ...super.actions(event),
      m: () => this.setAxes({ y: metrics.after(this.axes.y) }),
      x: () => this.setAxes({ x: axes.after(this.axes.x) }),
    };
  }

  paint(time = performance.now()) {
    if (!this.data || this.gone || !this.lanes.length) return;
    const { theme } = this;
    const loud = this.speaks(time, !this.playing);
    const ratio = Math.max(Sheet.sharper, Math.min(devicePixelRatio || 1, 2));
    if (this.points?.ratio !== ratio || this.points.theme !== theme)
      this.points = { canvas: pointsOf(this.lanes[0].run, this.world, theme, ratio), ratio, theme };
    for (const lane of this.lanes)
      lane.paint(
        theme,
        this.pays(lane) ? lane.stepAt(this.axes.x, this.cost) : 0,
        this.points.canvas,
      );
    this.chart.paint(theme);
    this.transport.paint(this.t, this.run.T, false);
    if (loud) standings(this);
    this.draws++;
  }
}
