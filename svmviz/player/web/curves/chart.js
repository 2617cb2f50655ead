// Curves over the whole trace: past solid, future faint, or covered while a question is open, the
// exact optimum dashed, the theorem dotted. Click to jump.

import { names } from "./rivals.js";
import { Front } from "./pareto.js";
import { pointsOf, readable, seriesOf, wordsOf } from "./series.js";
import { cutOff, note, TheoremName } from "./theorem.js";
import { all } from "../stage/light.js";
import { hasErrors } from "../engine/losses.js";
import { Chart } from "../canvas/chart.js";
import { column, dot, line, text } from "../canvas/draw.js";
import { dragged, find, make } from "../canvas/elements.js";
import { clamp, decades, logScale, percent, scale, ticks, tickText } from "../canvas/scales.js";
import { Caption, fitting, sides, spread } from "../canvas/labels.js";

const AXES = {
  steps: "steps",
  epochs: "epochs",
  examples: "examples",
  features_read: "features read",
  kernel_evals: "kernel evaluations",
};
const METRICS = {
  suboptimality: "Suboptimality",
  objective: "Objective",
  gap: "Duality gap",
  front: "Pareto front",
  error: "Training error",
  test: "Test error",
};

export class Curves extends Chart {
  /** @type {{ x: string, y: string }} */ axes;
  postponed = false;
  /** @type {Run} */ run;
  /** @type {Segment} */ segment; // where the stage stands
  /** @type {Symbols} */ symbols;
  /** @type {Record<string, Series>} */ own;
  even = false;
  solid = 0;
  proven = "";
  usual = "";
  /** @type {Bound | null} */ bound = null;
  error = false;
  flat = false;
  inside = false;
  ticksEnd = 0;
  /** @type {Box[]} */ taken = [];
  /** @type {Box | null} */ named = null; // where the theorem's name stands
  /** @type {Former | null} */ former = null; // the curve of the run before

  /** @param {HTMLElement} section @param {Stage} stage */
  constructor(section, stage) {
    section.innerHTML = `<h3><select class="metric" aria-label="Curve"></select> <span class="caption"></span></h3><div class="view"></div>
      <select class="axis" aria-label="Horizontal axis"></select>`;
    super(find(section, ".view"), "Progress of the run");
    this.stage = stage;
    this.caption = new Caption(find(section, ".caption"));
    this.metricBox = /** @type {HTMLSelectElement} */ (find(section, ".metric"));
    this.axisBox = /** @type {HTMLSelectElement} */ (find(section, ".axis"));
    this.theorem = new TheoremName(find(section, ".view"));
    this.front = new Front();
    for (const box of [this.metricBox, this.axisBox])
      box.addEventListener("change", () => {
        stage.axes = this.axes = { x: this.axisBox.value, y: this.metricBox.value };
        Object.assign(this, { key: null, postponed: false });
        this.measure();
        stage.report();
        stage.repaint();
      });
    dragged(
      this.sheet.canvas,
      event => stage.seek(this.stepAt(event.offsetX)),
      () => stage.report(),
    );
  }

  /** @param {Run} run @param {{ x: string, y: string }} axes @param {Panel} panel */
  prepare(run, axes, panel) {
    this.run = run;
    this.segment = run.segments[0];
    this.key = null;
    this.symbols = panel.symbols(run);
    this.own = panel.series;
    this.even = panel.EVEN;
    this.solid = panel.solid(run);
    this.proven = panel.PROVEN || (this.symbols.star ? "suboptimality" : "objective");
    const usual = panel.usual(run);
    const erring = run.segments.some(({ params }) => hasErrors(params.loss));
    /** @type {Record<string, unknown>} */
    const there = {
      suboptimality: run.segments.every(s => s.optimum),
      gap: run.gap,
      error: erring,
      test: erring && run.wrong_test,
      front: run.fronts,
      rivals: run.compared,
    };
    /** @param {string[]} words */
    const option = ([value, textContent]) => make("option", { value, textContent });
    const metrics = Object.entries({ ...METRICS, ...panel.metrics(run) }).filter(
      ([m]) => !(m in there) || there[m],
    );
    const usable = Object.entries(AXES).filter(([a]) => run.axes[a](run.T) > 0);
    this.metricBox.replaceChildren(...metrics.map(option));
    this.axisBox.replaceChildren(...usable.map(option));
    if (!usable.some(([a]) => a === axes.x)) axes.x = "steps";
    /** @param {string} wanted */
    const known = wanted => metrics.some(([m]) => m === wanted);
    const wish = axes.y || usual;
    this.usual = known(usual) ? usual : metrics[0][0];
    if (this.postponed && known("suboptimality")) axes.y = "suboptimality";
    // till then another stands in
    this.postponed = !known("suboptimality") && (this.postponed || wish === "suboptimality");
    if (!known(axes.y)) axes.y = this.usual;
    this.axisBox.value = axes.x;
    this.metricBox.value = axes.y;
    this.axes = axes;
  }

  series() {
    return seriesOf(this);
  }

  // A place on the chart: at the horizontal axis what a logarithmic scale has no place for.
  /** @param {number} v */
  height(v) {
    return Math.min(this.y(v > 0 || this.flat ? v : this.y.d0), this.bottom);
  }

  layout() {
    const { run, sheet } = this;
    const u = this.theme.unit;
    const { w, h } = sheet;
    const axis = run.axes[this.axes.x];
    const error = ["error", "test"].includes(this.axes.y);
    const flat = error || (this.axes.y in this.own && !this.own[this.axes.y].log);
    const inside = flat && Boolean(run.beside);
    const right = inside ? w - 10 * u : w - 86 * u;
    const left = 44 * u;
    const bottom = h - 24 * u;
    let low = Infinity;
    let high = 0;
    for (const [, value] of this.series())
      for (const [, v] of pointsOf(run, value, 1, run.T)) {
        if (v > 0) low = Math.min(low, v);
        high = Math.max(high, v);
      }
    this.former = this.stage.ghost?.curve(this) ?? null;
    for (const [, v] of this.former?.at ?? []) {
      if (v > 0) low = Math.min(low, v);
      if (v > 0) high = Math.max(high, v);
    }
    const { bound } = run;
    const drawn = bound && this.axes.y === this.proven && !bound.broken && bound.t.length > 1;
    this.bound = drawn && bound.value[0] < high * 1000 ? bound : null;
    if (this.bound) high = Math.max(high, this.bound.value[0], this.bound.value.at(-1));
    // at the optimum from the first step on: any scale will do
    if (!(high > 0)) [low, high] = [1e-6, 1];
    low = clamp(low, high * 1e-7, high / 3);
    Object.assign(this, { left, right, bottom, error, flat, inside });
    this.x =
      flat && this.even
        ? scale(0, Math.max(axis(run.T), 1e-9), left, right)
        : logScale(axis(1), Math.max(axis(run.T), axis(1) * 1.01), left, right);
    this.y = flat
      ? scale(0, Math.max(high * 1.08, error ? 0.05 : 1e-9), bottom, 8)
      : logScale(low * 0.7, high * 1.4, bottom - (this.axes.y === "suboptimality" ? 8 : 0), 8);
  }

  // Which axis menu there is, and how far numbers may stand on its line. Asked for when the layout
  // changes, not for every frame.
  measure() {
    this.axisBox.hidden = this.axes.y === "front" || Boolean(this.own[this.axes.y]?.axis);
    this.ticksEnd = this.sheet.w - (this.axisBox.hidden ? 0 : this.axisBox.offsetWidth + 4);
  }

  /** @param {boolean} faint */
  layer(faint) {
    const { g, run, theme, right, bottom, u } = this;
    const axis = run.axes[this.axes.x];
    const heights = this.flat ? ticks(0, this.y.d1, 4) : decades(this.y.d0, this.y.d1, 4);
    this.rows(heights, this.error ? percent : tickText);
    const steps = this.x.d0 > 0 ? decades(this.x.d0, this.x.d1, 6) : ticks(0, this.x.d1, 5);
    /** @type {{ name: string, y: number, main?: boolean, color?: string }[]} */
    const ends = [];
    this.columns(steps, 0, this.ticksEnd);
    if (this.axes.y === "suboptimality") {
      this.level(bottom, theme.optimum, 1.75, [6, 4]);
      ends.push({ name: "↓ optimum", y: bottom, color: theme.optimum });
    } else if (this.axes.y === "objective")
      run.segments.forEach((segment, s) => {
        if (!segment.optimum) return;
        const stop = run.segments[s + 1]?.start ?? run.T;
        const y = this.y(segment.optimum.value);
        /** @type {[number, number]} */
        const span = [this.x(axis(Math.max(1, segment.start))), this.x(axis(stop))];
        this.level(y, theme.optimum, 1.75, [6, 4], ...span);
        if (stop === run.T) ends.push({ name: "optimum", y, color: theme.optimum });
        const { beside } = segment.optimum;
        if (beside && beside.value > this.y.d0)
          this.level(this.y(beside.value), theme.optimum, 1.25, [2, 4], ...span);
      });
    this.before(ends);
    Object.assign(g, { globalAlpha: faint ? 0.27 : 1, lineJoin: "round" });
    /** @type {number[][][]} */
    const paths = [];
    for (const [name, value, main] of this.series()) {
      for (const { from, to, dash } of [
        { from: 1, to: Math.min(this.solid, run.T), dash: [] },
        { from: this.solid, to: run.T, dash: [7, 4] },
      ]) {
        const path = this.path(value, from, to);
        line(g, path, main ? theme.ink : theme.floor, main ? 2.5 : 1.6, dash);
        paths.push(path);
      }
      if (!this.inside) ends.push({ name, main, y: this.y(Math.max(value(run.T), this.y.d0)) });
    }
    g.globalAlpha = 1;
    for (const segment of run.segments.slice(1))
      this.upright(this.x(axis(segment.start)), 8, theme.ghost, 1, [2, 3]);
    const labels = this.labels(bottom + 4);
    const { bound } = this;
    const points = this.promised();
    labels.curves = [...paths, points];
    this.named = note(this, labels);
    const over = bound && bound.t.at(-1) < run.T;
    if (bound) line(g, points, theme.bound, 2.2, [0.1, 5]);
    if (bound && !over) ends.push({ name: bound.name, y: points.at(-1)[1], color: theme.bound });
    for (const { name, y, main, color } of spread(ends, 16 * u, 8 * u, bottom - 4 * u)) {
      /** @type {Look} */
      const look = { size: 13.5, weight: main || color ? 650 : 600, base: "middle" };
      look.color = color ?? (main ? theme.ink : theme.ink2);
      const box = labels.must(name, look, [right + 6, y]);
      if (color === theme.bound) this.named = box;
    }
    if (over) this.named = cutOff(this, labels, points.at(-1));
    this.taken = labels.boxes;
  }

  /** @param {Valued} value @param {number} from @param {number} to */
  path(value, from, to) {
    const axis = this.run.axes[this.axes.x];
    const points = [...pointsOf(this.run, value, from, to)];
    return points.map(([t, v]) => [this.x(axis(t)), this.height(v)]);
  }

  // Where the bound is drawn.
  promised() {
    const { bound, run, x, y } = this;
    const axis = run.axes[this.axes.x];
    return bound?.t.map((t, k) => [x(axis(Math.min(t, run.T))), y(bound.value[k])]) ?? [];
  }

  // The curve of the run before, thin, as far as the axis goes.
  /** @param {{ name: string, y: number, color?: string }[]} ends */
  before(ends) {
    const { g, former, theme, x } = this;
    if (!former) return;
    const path = former.at
      .filter(([at, v]) => at <= x.d1 && Number.isFinite(v))
      .map(([at, v]) => [x(at), this.height(v)]);
    line(g, path, theme.slate, 1.25);
    if (path.length && !this.inside)
      ends.push({ name: "before", y: path.at(-1)[1], color: theme.slate });
  }

  /** @param {View} view */
  paint(view) {
    this.picture(view);
    const { asking } = this.stage;
    if (asking?.open && asking.asked) this.cover(view, asking.asked.t);
  }

  // What comes after step t is nobody's to see: it would give the answer away.
  /** @param {View} view @param {number} t */
  cover({ run, theme }, t) {
    const { sheet, x, axes } = this;
    const { g, w } = sheet;
    const axis = run.axes[this.own[axes.y]?.axis ?? axes.x];
    const left = axes.y === "front" || !x ? 0 : t > 0 ? x(axis(t)) + 1 : this.left;
    const bottom = left ? this.bottom + 1 : sheet.h;
    this.theorem.hide();
    column(g, left, 0, w - left, bottom, theme.side);
    const words = fitting(g, theme, w - left - 16, ["covered until you have checked", "covered"]);
    const look = { color: theme.muted, align: "center", base: "middle" };
    text(g, theme, words, (left + w) / 2, bottom / 2, /** @type {Look} */ (look));
  }

  /** @param {View} view */
  picture(view) {
    const { run, theme, t, s, segment } = view;
    this.begin(theme);
    const { g, sheet } = this;
    this.segment = segment;
    this.theorem.hide();
    if (this.axes.y === "front") {
      this.caption.say(...this.front.words(run));
      return this.front.paint(g, sheet, view);
    }
    const own = this.own[this.axes.y];
    if (own?.paint) {
      own.paint(g, this, view); // a picture that only this solver has
      return this.caption.say(...[own.words(run)].flat());
    }
    const { iterate } = segment.params;
    this.refresh(this.axes.x, this.axes.y, iterate, this.stage.ghost?.run?.id);
    this.theorem.place(run.bound, this.named);
    const axis = run.axes[this.axes.x];
    const x = t > 0 ? this.x(axis(t)) : this.left;
    this.stand(x, 6);
    const labels = this.labels();
    labels.boxes = [...this.taken];
    if (this.inside) names(labels, this, view);
    // what is only supposed has no place on a curve
    if (t > 0 && !segment.supposed) this.values(labels, x, t, s);
    const { bound } = run;
    const off = !bound?.broken && bound && !this.bound && bound.t.length > 1;
    this.caption.say(...wordsOf(this, Boolean(off)));
  }

  // Where its things are, for the light.
  /** @param {string} name @returns {[Sheet, Spot][]} */
  where(name) {
    const { sheet, run } = this;
    if (!this.x || this.key === null) return [];
    const curves = this.series();
    /** @param {number[][]} points @returns {Spot} */
    const band = points => g => line(g, points, "#000", 16);
    if (name === "gap" && this.axes.y === "gap") return [all(sheet)];
    if (name === "bound" && this.named) {
      const { left, top, right, bottom } = this.named;
      return [
        [sheet, band(this.promised())],
        [sheet, g => g.fillRect(left - 4, top - 3, right - left + 8, bottom - top + 6)],
      ];
    }
    if (name === "average" && curves.length > 1 && run.objective_average)
      return [[sheet, band(this.path(curves[1][1], 1, run.T))]];
    if (name !== "optimum" || !["suboptimality", "objective"].includes(this.axes.y)) return [];
    const best = run.segments[run.behind(this.stage.t)].optimum?.value ?? NaN;
    const y = this.axes.y === "suboptimality" ? this.bottom : this.y(best);
    return Number.isFinite(y)
      ? [[sheet, g => g.fillRect(this.left, y - 12, sheet.w - this.left, 20)]]
      : [];
  }

  // A dot on every curve, and its value beside it where there is room.
  /** @param {Labels} labels @param {number} x @param {number} t @param {number} s */
  values(labels, x, t, s) {
    const { g, theme, u } = this;
    const shown = this.series()
      .map(([, value, main]) => ({ main, v: value(t, s) }))
      .filter(({ v }) => !Number.isNaN(v))
      .map(point => ({ ...point, y: this.height(point.v) }))
      .sort((a, b) => +a.main - +b.main || a.y - b.y);
    for (const { main, y } of shown) {
      dot(g, x, y, main ? 4.5 : 3.2, main ? theme.ink : theme.floor, theme.bg);
    }
    const said = this.inside ? shown.filter(({ main }) => main) : shown;
    for (const { main, v, y } of said.toReversed()) {
      const others = said.filter(other => other.y !== y).map(other => other.y);
      const middle = 5 * u;
      const up = others.length ? y < others[0] : main;
      const rows = up ? [-9, -27 * u, 18 * u, 36 * u] : [18 * u, 36 * u, -9, -27 * u];
      const own = rows.filter(down =>
        others.every(other => Math.abs(down - middle) < Math.abs(y + down - middle - other)),
      ); // never beside the other's dot
      const places = sides(
        x,
        8,
        own.map(down => y + down),
      );
      labels.put(
        this.error ? `${(v * 100).toFixed(1)} %` : readable(v),
        { size: 13.5, weight: main ? 700 : 600, color: main ? theme.ink : theme.ink2 },
        ...places,
      );
    }
  }

  /** @param {number} px */
  stepAt(px) {
    if (this.axes.y === "front" || !this.x) return this.stage.t;
    const axis = this.run.axes[this.own[this.axes.y]?.axis ?? this.axes.x];
    const target = this.x.back(clamp(px, this.left, this.right));
    let low = 1;
    let high = this.run.T;
    if (px < this.left - 6) return 0;
    while (low < high) {
      const middle = (low + high) >> 1;
      axis(middle) < target ? (low = middle + 1) : (high = middle);
    }
    return low > 1 && target - axis(low - 1) < axis(low) - target ? low - 1 : low;
  }
}
