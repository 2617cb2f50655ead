// Curves over the whole trace: past solid, future faint, or covered while a question is open, the
// exact optimum dashed, the theorem dotted. Click to jump.

import { counted, significant } from "../engine/words.js";
import { beside, names } from "./rivals.js";
import { Front } from "./pareto.js";
import { all } from "../stage/light.js";
import { hasErrors, value as lossAt } from "../engine/losses.js";
import { column, dot, gridlines, line, rule, Sheet, text } from "../canvas/draw.js";
import { dragged, find, make } from "../canvas/elements.js";
import { Layers } from "../canvas/layers.js";
import { clamp, decades, logScale, percent, scale, ticks, tickText } from "../canvas/scales.js";
import { axisNumbers, Caption, fitting, Labels, spread, widthOf } from "../canvas/labels.js";

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

const SOLVED = 2000; // examples: for more nobody waits for an exact optimum, see shown.py

export class Curves {
  /** @type {{ x: string, y: string }} */ axes;
  /** @type {string | null} */ key = null;
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
  left = 0;
  right = 0;
  bottom = 0;
  /** @type {Theme} */ theme;
  error = false;
  flat = false;
  inside = false;
  /** @type {Scale} */ x;
  /** @type {Scale} */ y;
  ticksEnd = 0;
  /** @type {Box[]} */ taken = [];
  /** @type {Box | null} */ named = null; // where the theorem's name stands
  /** @type {Former | null} */ former = null; // the curve of the run before

  /** @param {HTMLElement} section @param {Stage} stage */
  constructor(section, stage) {
    this.stage = stage;
    section.innerHTML = `<h3><select class="metric" aria-label="Curve"></select> <span class="caption"></span></h3><div class="view"></div>
      <select class="axis" aria-label="Horizontal axis"></select>`;
    this.caption = new Caption(find(section, ".caption"));
    this.metricBox = /** @type {HTMLSelectElement} */ (find(section, ".metric"));
    this.axisBox = /** @type {HTMLSelectElement} */ (find(section, ".axis"));
    this.sheet = new Sheet(find(section, ".view"), "Progress of the run");
    this.theorem = Object.assign(document.createElement("button"), {
      type: "button",
      className: "sym theorem",
    });
    this.theorem.tabIndex = -1; // the keyboard comes to it as to all symbols
    this.theorem.hidden = true;
    find(section, ".view").append(this.theorem);
    this.front = new Front();
    this.layers = new Layers(this.sheet);
    for (const box of [this.metricBox, this.axisBox])
      box.addEventListener("change", () => {
        stage.axes = this.axes = { x: this.axisBox.value, y: this.metricBox.value };
        Object.assign(this, { key: null, postponed: false });
        this.measure();
        stage.report();
        stage.repaint();
      });
    const { canvas } = this.sheet;
    dragged(
      canvas,
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

  // The series of the chosen metric: [name, value(t, s), main], last the main one, of the w that is
  // shown. Where a change follows step t, a value is that of the step or, with s the segment that
  // begins there, what the same w is worth from there on.
  /** @returns {Curve[]} */
  series() {
    const { run, axes } = this;
    const own = this.own[axes.y];
    const both = run.objective_average;
    const sign = run.solver.maximises ? -1 : 1;
    const named = run.beside?.own;
    const others = beside(run, axes.y);
    /** @type {(name: string, by?: (s: number) => number) => Valued} */
    const of =
      (name, by = () => 1) =>
      (t, s = run.segment_of[t]) =>
        run.at(name, t, s) / by(s);
    if (axes.y === "error")
      return [[named ?? "last w", of("wrong", s => run.counts[s]), true], ...others];
    if (axes.y === "test")
      return [[named ?? "test error", of("wrong_test", () => run.n_test), true], ...others];
    if (own) return [[named ?? own.name ?? "", t => own.value?.(run, t) ?? NaN, true], ...others];
    if (axes.y === "gap") return [["gap P − D", of("gap"), true]];
    /** @type {(name: string) => Valued} */
    const above =
      name =>
      (t, s = run.segment_of[t]) =>
        sign * (run.at(name, t, s) - (run.segments[s].optimum?.value ?? NaN));
    const shown = axes.y === "objective" ? of : above;
    const averaged = Boolean(both) && this.segment.params.iterate === "average";
    /** @type {Curve} */
    const last = [this.symbols.curve ?? "last w", shown("objective"), !averaged];
    /** @type {Curve} */
    const average = ["average w̄", shown("objective_average"), averaged];
    return !both ? [last] : averaged ? [last, average] : [average, last];
  }

  // The values of a series over steps: [t, value], two of them where a change follows t and makes
  // another value of the same w.
  /** @param {Valued} value @param {number} from @param {number} to */
  *points(value, from, to) {
    for (let t = from; t <= to; t++) {
      if (value.times && t > from && !value.times.has(t)) continue;
      const was = value(t);
      const s = this.run.behind(t);
      const is = s === this.run.segment_of[t] ? was : value(t, s);
      yield [t, was];
      if (is !== was && !Number.isNaN(is)) yield [t, is];
    }
  }

  /** @param {Theme} theme */
  layout(theme) {
    const { run, sheet } = this;
    const u = theme.unit;
    const { w, h } = sheet;
    const axis = run.axes[this.axes.x];
    const curves = this.series();
    const error = ["error", "test"].includes(this.axes.y);
    const flat = error || (this.axes.y in this.own && !this.own[this.axes.y].log);
    const inside = flat && Boolean(run.beside);
    const right = inside ? w - 10 * u : w - 86 * u;
    const left = 44 * u;
    const bottom = h - 24 * u;
    let low = Infinity;
    let high = 0;
    for (const [, value] of curves)
      for (const [, v] of this.points(value, 1, run.T)) {
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
    Object.assign(this, { left, right, bottom, theme, error, flat, inside });
    this.x =
      flat && this.even
        ? scale(0, Math.max(axis(run.T), 1e-9), left, right)
        : logScale(axis(1), Math.max(axis(run.T), axis(1) * 1.01), left, right);
    this.y = flat
      ? scale(0, Math.max(high * 1.08, error ? 0.05 : 1e-9), bottom, 8)
      : logScale(low * 0.7, high * 1.4, bottom - (this.axes.y === "suboptimality" ? 8 : 0), 8);
    this.layers.paint((g, faint) => this.layer(g, curves, axis, faint));
  }

  // Which axis menu there is, and how far numbers may stand on its line. Asked for when the layout
  // changes, not for every frame.
  measure() {
    this.axisBox.hidden = this.axes.y === "front" || Boolean(this.own[this.axes.y]?.axis);
    this.ticksEnd = this.sheet.w - (this.axisBox.hidden ? 0 : this.axisBox.offsetWidth + 4);
  }

  /**
   * @param {Pen} g
   * @param {Curve[]} curves
   * @param {(t: number) => number} axis
   * @param {boolean} faint
   */
  layer(g, curves, axis, faint) {
    const { run, sheet, theme, left, right, bottom } = this;
    const u = theme.unit;
    const heights = this.flat ? ticks(0, this.y.d1, 4) : decades(this.y.d0, this.y.d1, 4);
    gridlines(g, theme, heights, this.y, left, right, this.error ? percent : tickText);
    const steps = this.x.d0 > 0 ? decades(this.x.d0, this.x.d1, 6) : ticks(0, this.x.d1, 5);
    /** @type {{ name: string, y: number, main?: boolean, color?: string }[]} */
    const ends = [];
    for (const v of steps) rule(g, this.x(v), bottom, this.x(v), bottom + 4, theme.ghost);
    axisNumbers(g, theme, steps, this.x, bottom + 18 * u, 0, this.ticksEnd);
    if (this.axes.y === "suboptimality") {
      rule(g, left, bottom, right, bottom, theme.optimum, 1.75, [6, 4]);
      ends.push({ name: "↓ optimum", y: bottom, color: theme.optimum });
    } else if (this.axes.y === "objective")
      run.segments.forEach((segment, s) => {
        if (!segment.optimum) return;
        const stop = run.segments[s + 1]?.start ?? run.T;
        const y = this.y(segment.optimum.value);
        const from = this.x(axis(Math.max(1, segment.start)));
        rule(g, from, y, this.x(axis(stop)), y, theme.optimum, 1.75, [6, 4]);
        if (stop === run.T) ends.push({ name: "optimum", y, color: theme.optimum });
        const { beside } = segment.optimum;
        if (beside && beside.value > this.y.d0)
          rule(
            g,
            from,
            this.y(beside.value),
            this.x(axis(stop)),
            this.y(beside.value),
            theme.optimum,
            1.25,
            [2, 4],
          );
      });
    this.before(g, ends);
    g.globalAlpha = faint ? 0.27 : 1;
    /** @type {number[][][]} */
    const paths = [];
    for (const [name, value, main] of curves) {
      for (const { from, to, dash } of [
        { from: 1, to: Math.min(this.solid, run.T), dash: [] },
        { from: this.solid, to: run.T, dash: [7, 4] },
      ]) {
        /** @type {number[][]} */
        const path = [];
        g.beginPath();
        for (const [t, v] of this.points(value, from, to)) {
          const height = Math.min(this.y(v > 0 || this.flat ? v : this.y.d0), bottom);
          g.lineTo(this.x(axis(t)), height);
          if (run.bound) path.push([this.x(axis(t)), height]);
        }
        paths.push(path);
        g.lineWidth = main ? 2.5 : 1.6;
        g.strokeStyle = main ? theme.ink : theme.floor;
        g.lineJoin = "round";
        g.setLineDash(dash);
        g.stroke();
        g.setLineDash([]);
      }
      if (!this.inside) ends.push({ name, main, y: this.y(Math.max(value(run.T), this.y.d0)) });
    }
    g.globalAlpha = 1;
    for (const segment of run.segments.slice(1))
      rule(
        g,
        this.x(axis(segment.start)),
        8,
        this.x(axis(segment.start)),
        bottom,
        theme.ghost,
        1,
        [2, 3],
      );
    const labels = new Labels(g, theme, { left, right: sheet.w, bottom: bottom + 4 });
    const bold = { size: 13.5, weight: 650 };
    const { bound } = this;
    const points =
      bound?.t.map((t, k) => [this.x(axis(Math.min(t, run.T))), this.y(bound.value[k])]) ?? [];
    labels.curves = [...paths, points];
    this.named = this.note(g, labels) ?? null;
    const [x, y] = points.at(-1) ?? [];
    const over = bound && bound.t.at(-1) < run.T;
    if (bound) line(g, points, theme.bound, 2.2, [0.1, 5]);
    if (bound && !over) ends.push({ name: bound.name, y, color: theme.bound });
    for (const { name: words, y: height, main, color } of spread(
      ends,
      16 * u,
      8 * u,
      bottom - 4 * u,
    )) {
      const box = labels.must(
        words,
        {
          ...bold,
          weight: main || color ? 650 : 600,
          color: color ?? (main ? theme.ink : theme.ink2),
          base: "middle",
        },
        [right + 6, height],
      );
      if (color === theme.bound) this.named = box;
    }
    if (over) {
      /** @type {Place[]} */
      const places = [-6, 18 * u].flatMap(down => [
        [x + 6, y + down],
        [x - 8, y + down, "right"],
      ]);
      const rising = bound.value.at(-1) > bound.value[0];
      /** @type {Place[]} */
      const lower = [36 * u, 54 * u].map(down => [x - 8, y + down, "right"]);
      const around = [...(rising ? places.reverse() : places), ...lower];
      const look = { ...bold, color: theme.bound };
      [`${bound.name} ends here`, "bound ends here", "ends here"].find(
        words => (this.named = labels.put(words, look, ...around)),
      );
    }
    this.taken = labels.boxes;
  }

  // The curve of the run before, thin, as far as the axis goes.
  /** @param {Pen} g @param {{ name: string, y: number, color?: string }[]} ends */
  before(g, ends) {
    const { former, theme, bottom, x, y } = this;
    if (!former) return;
    const path = former.at
      .filter(([at, v]) => at <= x.d1 && Number.isFinite(v))
      .map(([at, v]) => [x(at), Math.min(y(v > 0 || this.flat ? v : y.d0), bottom)]);
    line(g, path, theme.slate, 1.25);
    if (path.length && !this.inside)
      ends.push({ name: "before", y: path.at(-1)[1], color: theme.slate });
  }

  // A theorem that says nothing here is said to say nothing, on the chart that it would bound:
  // where it hides least of the curves.
  /** @param {Pen} g @param {Labels} labels */
  note(g, labels) {
    const { run, theme, right, left, bottom } = this;
    const { bound, segments } = run;
    const u = theme.unit;
    const look = { weight: 600, color: theme.bound };
    if (!bound?.broken || this.axes.y !== this.proven) return null;
    const words = bound.vacuous
      ? `${bound.name} is vacuous here: it allows ${readable(bound.vacuous)}, and the loss of w = 0 is only ${+lossAt(segments[0].params.loss, 0).toPrecision(3)}`
      : `${bound.name} not drawn: it asks that ${bound.broken}`;
    const lines = [""];
    for (const word of words.split(" "))
      widthOf(g, theme, `${lines.at(-1)} ${word}`, look) > (right - left) * 0.62
        ? lines.push(word)
        : lines.push(`${lines.pop()} ${word}`.trim());
    /** @type {Place[]} */
    const places = [18 * u, bottom - (16.5 * (lines.length - 1) + 12) * u].flatMap(y => [
      [right, y, "right"],
      [left + 8, y],
    ]);
    return labels.must(lines, look, ...places);
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
    this.theorem.hidden = true;
    column(g, left, 0, w - left, bottom, theme.side);
    const words = fitting(g, theme, w - left - 16, ["covered until you have checked", "covered"]);
    text(g, theme, words, (left + w) / 2, bottom / 2, {
      color: theme.muted,
      align: "center",
      base: "middle",
    });
  }

  /** @param {View} view */
  picture(view) {
    const { run, theme, t, s, segment, now } = view;
    const g = this.sheet.begin();
    const { sheet } = this;
    this.segment = segment;
    const plain = this.axes.y !== "front";
    this.theorem.hidden = true;
    if (!plain) {
      // a slack-constrained w counts once it is divided by its level
      const cut = run.front?.cut ? ", as far as it was found in time" : "";
      const dashed = "norm against hinge loss: dashed the best there is, by λ or by ν";
      this.caption.say(
        `${dashed}${cut}`,
        dashed,
        "norm against hinge loss; dashed: the best",
        "norm against loss",
      );
      const unit = now.gamma === undefined ? 1 : now.gamma;
      return this.front.paint(
        g,
        sheet,
        view,
        t > 0 && unit > 0
          ? [
              now.norm / unit,
              segment.params.nu === undefined ? now.hinge : segment.params.nu / unit,
            ]
          : null,
      );
    }
    const own = this.own[this.axes.y];
    if (own?.paint) {
      // a picture that only this solver has
      own.paint(g, this, view);
      this.caption.say(...[own.words(run)].flat());
      return;
    }
    const { iterate } = segment.params;
    const { x: across, y: up } = this.axes;
    const key = [
      sheet.w,
      sheet.h,
      sheet.ratio,
      theme.dark,
      theme.unit,
      across,
      up,
      iterate,
      this.stage.ghost?.run?.id,
    ].join();
    if (key !== this.key || theme !== this.theme) {
      this.key = key;
      this.layout(theme);
    }
    this.offer();
    const axis = run.axes[this.axes.x];
    const x = t > 0 ? this.x(axis(t)) : this.left;
    this.layers.show(g, x);
    rule(g, x, 6, x, this.bottom, theme.ui, 1.25);
    const labels = new Labels(g, theme, { left: this.left, right: sheet.w, bottom: this.bottom });
    labels.boxes = [...this.taken];
    if (this.inside) names(labels, this, view);
    // what is only supposed has no place on a curve
    if (t > 0 && !segment.supposed) this.values(g, labels, x, t, s);
    this.caption.say(...this.words(run, segment));
  }

  // The theorem's name answers like a symbol.
  offer() {
    const { theorem, named, run } = this;
    theorem.hidden = !named || !run.bound?.formula;
    if (theorem.hidden || !named || !run.bound) return;
    const { name } = run.bound;
    const words = `${name}: its formula, its numbers, and what it assumes`;
    if (theorem.dataset.mark !== name) theorem.setAttribute("aria-label", words);
    theorem.dataset.mark = name;
    Object.assign(theorem.style, {
      left: `${named.left}px`,
      top: `${named.top - 2}px`,
      width: `${named.right - named.left}px`,
      height: `${named.bottom - named.top + 4}px`,
    });
  }

  // Where its things are, for the light.
  /** @param {string} name @returns {[Sheet, Spot][]} */
  where(name) {
    const { sheet, run } = this;
    if (!this.x || this.key === null) return [];
    const curves = this.series();
    const axis = run.axes[this.axes.x];
    /** @param {number[][]} points @returns {Spot} */
    const band = points => g => line(g, points, "#000", 16);
    if (name === "gap" && this.axes.y === "gap") return [all(sheet)];
    if (name === "bound" && this.named) {
      const { left, top, right, bottom } = this.named;
      const points =
        this.bound?.t.map((t, k) => [
          this.x(axis(Math.min(t, run.T))),
          this.y(this.bound?.value[k] ?? 0),
        ]) ?? [];
      return [
        [sheet, band(points)],
        [sheet, g => g.fillRect(left - 4, top - 3, right - left + 8, bottom - top + 6)],
      ];
    }
    if (name === "average" && curves.length > 1 && run.objective_average) {
      const points = [...this.points(curves[1][1], 1, run.T)].map(([t, v]) => [
        this.x(axis(t)),
        this.y(v),
      ]);
      return [[sheet, band(points)]];
    }
    if (name !== "optimum" || !["suboptimality", "objective"].includes(this.axes.y)) return [];
    const best = run.segments[run.behind(this.stage.t)].optimum?.value ?? NaN;
    const y = this.axes.y === "suboptimality" ? this.bottom : this.y(best);
    return Number.isFinite(y)
      ? [[sheet, g => g.fillRect(this.left, y - 12, sheet.w - this.left, 20)]]
      : [];
  }

  // A dot on every curve, and its value beside it where there is room.
  /** @param {Pen} g @param {Labels} labels @param {number} x @param {number} t @param {number} s */
  values(g, labels, x, t, s) {
    const { theme } = this;
    const u = theme.unit;
    /** @param {number} v */
    const height = v => Math.min(this.y(v > 0 || this.flat ? v : this.y.d0), this.bottom);
    const shown = this.series()
      .map(([, value, main]) => ({ main, v: value(t, s) }))
      .filter(({ v }) => !Number.isNaN(v))
      .map(point => ({ ...point, y: height(point.v) }))
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
      /** @type {Place[]} */
      const places = own.flatMap(down => [
        [x + 8, y + down],
        [x - 8, y + down, "right"],
      ]);
      labels.put(
        this.error ? `${(v * 100).toFixed(1)} %` : readable(v),
        { size: 13.5, weight: main ? 700 : 600, color: main ? theme.ink : theme.ink2 },
        ...places,
      );
    }
  }

  // What the curve is, in ever fewer words.
  /** @param {Run} run @param {Segment} segment */
  words(run, segment) {
    /** @param {string} words */
    const alone = words =>
      run.beside?.left_out ? [`${words}; ${run.beside.left_out}`, words] : [words];
    if (this.axes.y === "error")
      return [
        ...alone(
          run.classes.length
            ? "share of points taken for another class"
            : "share of points on the wrong side",
        ),
        "share of points",
      ];
    if (this.axes.y === "test")
      return alone(
        run.fresh
          ? `on ${counted(run.n_test)} fresh examples`
          : `share of ${counted(run.n_test)} rows set apart`,
      );
    if (this.axes.y in this.own) return [this.own[this.axes.y].words(run)].flat().flatMap(alone);
    if (this.axes.y === "gap")
      return ["P(w) − D(α): no less than the suboptimality", "P(w) − D(α)"];
    const { value, star, gap = "" } = this.symbols;
    const best = this.best(run, segment);
    const { bound } = run;
    const dashed = this.solid < run.T ? "; dashed after the first pass: no guarantee" : "";
    if (this.axes.y === "objective")
      return star ? [`${value}, ${best}`, value] : [value + dashed, value];
    const off = !bound?.broken && bound && !this.bound && bound.t.length > 1;
    return [
      ...(off
        ? [
            `${gap}, ${best}; ${bound.name} is off the scale, ${readable(bound.value.at(-1))} at the end`,
          ]
        : []),
      `${gap}, ${best}`,
      gap,
    ];
  }

  // What is known of the optimum.
  /** @param {Run} run @param {Segment} segment */
  best(run, segment) {
    const { optimum, near, supposed } = segment;
    const { star = "", none } = this.symbols;
    if (supposed) return `${star} is found once it is let go`;
    const other = optimum?.beside
      ? `; ${optimum.beside.name}: ${optimum.beside.value.toFixed(4)}`
      : "";
    if (optimum) return `exact ${star} = ${optimum.value.toFixed(4)}${other}`;
    if (run.later) return `the exact ${star} is being computed …`;
    if (near)
      return `${star} = ${near.value.toFixed(4)} within ${readable(near.gap)}${run.cut ? `, after ${run.cut} s of computing` : ""}`;
    if (run.cut) return `no exact ${star} found in ${run.cut} s of computing`;
    if (run.classes.length) return `${run.classes.length} classes: no exact optimum`;
    const many = run.counts[run.segments.findIndex(one => one.start === segment.start)] > SOLVED;
    return many
      ? "no exact optimum at this size"
      : none?.(run) || "no exact optimum to compare with";
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

/** @param {number} v */
const readable = v =>
  v <= 0
    ? "0"
    : Number.isInteger(v)
      ? counted(v)
      : v >= 100
        ? counted(Math.round(v))
        : v >= 1
          ? v.toFixed(2)
          : significant(v, 2);
