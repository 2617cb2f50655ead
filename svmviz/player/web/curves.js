// Curves over the whole trace: past solid, future faint, the exact optimum dashed, the theorem dotted. Click to jump.

import { beside, labels } from "./companions.js";
import { Front } from "./front.js";
import { Sheet, clamp, decades, group, line, logScale, scale, text, ticks, tickText } from "./draw.js";

const AXES = { steps: "steps", epochs: "epochs", examples: "examples", features_read: "features read", kernel_evals: "kernel evaluations" };
const METRICS = { suboptimality: "Suboptimality", objective: "Objective", gap: "Duality gap", front: "Pareto front", error: "Training error", test: "Test error" };
const PRIMAL = { value: "P(w)", star: "P*", gap: "P(w) − P*" };

export class Curves {
  constructor(section, stage) {
    this.stage = stage;
    section.innerHTML = `<h3><select class="metric" aria-label="Curve"></select> <span class="caption"></span></h3><div class="view"></div>
      <select class="axis" aria-label="Horizontal axis"></select>`;
    this.caption = section.querySelector(".caption");
    this.metricBox = section.querySelector(".metric");
    this.axisBox = section.querySelector(".axis");
    this.sheet = new Sheet(section.querySelector(".view"), "Progress of the run");
    this.front = new Front();
    this.past = document.createElement("canvas");
    this.future = document.createElement("canvas");
    for (const box of [this.metricBox, this.axisBox]) box.addEventListener("change", () => {
      stage.axes = this.axes = { x: this.axisBox.value, y: this.metricBox.value };
      this.key = this.postponed = null;
      stage.report();
      stage.repaint();
    });
    const jump = event => stage.seek(this.stepAt(event.offsetX));
    const canvas = this.sheet.canvas;
    canvas.addEventListener("pointerdown", event => { canvas.setPointerCapture(event.pointerId); this.dragging = true; jump(event); });
    canvas.addEventListener("pointermove", event => { if (this.dragging) jump(event); });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { if (this.dragging) { this.dragging = false; stage.report(); } });
  }

  prepare(run, axes, { SYMBOLS = PRIMAL, METRICS: own = {}, solid = () => run.T, series = {}, usual = () => "suboptimality", EVEN = false, PROVEN } = {}) {
    this.run = run;
    this.key = null;
    this.symbols = SYMBOLS;
    this.own = series;                                       // curves that only this solver has: a value for each step, and words
    this.even = EVEN;                                        // a stream: its linear curves run over linear time
    this.solid = solid(run);                                 // dashed beyond
    this.proven = PROVEN ?? (SYMBOLS.star ? "suboptimality" : "objective");      // what the theorem bounds
    const there = { suboptimality: run.segments.every(s => s.optimum), gap: run.gap, test: run.wrong_test, front: run.fronts, rivals: run.compared };
    const option = ([value, words]) => Object.assign(document.createElement("option"), { value, textContent: words });
    const metrics = Object.entries({ ...METRICS, ...own }).filter(([m]) => !(m in there) || there[m]);
    const usable = Object.entries(AXES).filter(([a]) => run.axes[a](run.T) > 0);
    this.metricBox.replaceChildren(...metrics.map(option));
    this.axisBox.replaceChildren(...usable.map(option));
    if (!usable.some(([a]) => a === axes.x)) axes.x = "steps";
    const known = wanted => metrics.some(([m]) => m === wanted), wish = axes.y || usual(run);
    this.usual = [usual(run), metrics[0][0]].find(known);
    if (this.postponed === run.id && known("suboptimality")) axes.y = "suboptimality";
    this.postponed = run.later && wish === "suboptimality" ? run.id : null;  // the objective stands in until the optimum is there
    if (!known(axes.y)) axes.y = this.usual;
    this.axisBox.value = axes.x;
    this.metricBox.value = axes.y;
    this.axes = axes;
  }

  // The series of the chosen metric: [name, value(t, s), weight], and the base line of exact values. Where a change follows step t,
  // a value is that of the step or, with s the segment that begins there, what the same w is worth from there on.
  series() {
    const { run, axes } = this, both = run.objective_average, sign = run.solver.maximises ? -1 : 1;
    const named = run.companions?.own, others = beside(run, axes.y);
    const of = (name, by = () => 1) => (t, s = run.segment_of[t]) => run.at(name, t, s) / by(s);
    if (axes.y === "error") return [[named ?? "last w", of("wrong", s => run.counts[s]), true], ...others];
    if (axes.y === "test") return [[named ?? "test error", of("wrong_test", () => run.n_test), true], ...others];
    if (axes.y in this.own) return [[named ?? this.own[axes.y].name, t => this.own[axes.y].value(run, t), true], ...others];
    if (axes.y === "gap") return [["gap P − D", of("gap"), true]];
    const above = name => (t, s = run.segment_of[t]) => sign * (run.at(name, t, s) - run.segments[s].optimum.value);
    const shown = axes.y === "objective" ? of : above;
    return [[this.symbols.curve ?? "last w", shown("objective"), !both],
      ...(both ? [["average w̄", shown("objective_average"), true]] : [])];
  }

  // The values of a series over steps: [t, value], two of them where a change follows t and makes another value of the same w.
  *points(value, from, to) {
    for (let t = from; t <= to; t++) {
      if (value.times && t > from && !value.times.has(t)) continue;
      const was = value(t), s = this.run.behind(t), is = s === this.run.segment_of[t] ? was : value(t, s);
      yield [t, was];
      if (is !== was && !Number.isNaN(is)) yield [t, is];
    }
  }

  layout(theme) {
    const { run, sheet } = this, u = theme.unit, { w, h } = sheet, axis = run.axes[this.axes.x], curves = this.series();
    const error = ["error", "test"].includes(this.axes.y), flat = error || this.axes.y in this.own, inside = flat && Boolean(run.companions);
    const right = inside ? w - 10 * u : w - 86 * u, left = 44 * u, bottom = h - 24 * u;
    let low = Infinity, high = 0;
    for (const [, value] of curves) for (const [, v] of this.points(value, 1, run.T)) {
      if (v > 0) low = Math.min(low, v);
      high = Math.max(high, v);
    }
    const { bound } = run, drawn = this.axes.y === this.proven && bound && !bound.broken && bound.t.length > 1;
    this.bound = drawn && bound.value[0] < high * 1000 ? bound : null;
    if (this.bound) high = Math.max(high, bound.value[0], bound.value.at(-1));
    if (!(high > 0)) [low, high] = [1e-6, 1];                // at the optimum from the first step on: any scale will do
    low = clamp(low, high * 1e-7, high / 3);
    Object.assign(this, { left, right, bottom, theme, error, flat, inside });
    this.x = flat && this.even ? scale(0, Math.max(axis(run.T), 1e-9), left, right) : logScale(axis(1), Math.max(axis(run.T), axis(1) * 1.01), left, right);
    this.y = flat ? scale(0, Math.max(high * 1.08, error ? .05 : 1e-9), bottom, 8) : logScale(low * .7, high * 1.4, bottom - (this.axes.y === "suboptimality" ? 8 : 0), 8);
    for (const [canvas, faint] of [[this.past, false], [this.future, true]]) this.layer(canvas, curves, axis, faint);
  }

  layer(canvas, curves, axis, faint) {
    const { run, sheet, theme, left, right, bottom } = this, g = canvas.getContext("2d");
    canvas.width = sheet.canvas.width;
    canvas.height = sheet.canvas.height;
    g.setTransform(sheet.ratio, 0, 0, sheet.ratio, 0, 0);
    const u = theme.unit;
    for (const v of this.flat ? ticks(0, this.y.d1, 4) : decades(this.y.d0, this.y.d1, 4)) {
      line(g, [[left, this.y(v)], [right, this.y(v)]], theme.grid);
      text(g, theme, this.error ? `${tickText(Math.round(v * 1000) / 10)} %` : tickText(v), left - 8, this.y(v), { color: theme.muted, align: "right", base: "middle" });
    }
    const room = this.inside ? sheet.w - 96 * u : right + 1;            // the menu of the axis stands there
    for (const v of this.x.d0 > 0 ? decades(this.x.d0, this.x.d1, 6) : ticks(0, this.x.d1, 5)) {
      line(g, [[this.x(v), bottom], [this.x(v), bottom + 4]], theme.ghost);
      if (this.x(v) < room) text(g, theme, tickText(v), this.x(v), bottom + 18 * u, { color: theme.muted, align: "center" });
    }
    if (this.axes.y === "suboptimality") {
      line(g, [[left, bottom], [right, bottom]], theme.optimum, 1.75, [6, 4]);
      text(g, theme, "↓ optimum", right + 6, bottom + 4, { weight: 600, color: theme.optimum });
    } else if (this.axes.y === "objective") run.segments.forEach((segment, s) => {
      if (!segment.optimum) return;
      const stop = run.segments[s + 1]?.start ?? run.T, y = this.y(segment.optimum.value);
      line(g, [[this.x(axis(Math.max(1, segment.start))), y], [this.x(axis(stop)), y]], theme.optimum, 1.75, [6, 4]);
      if (stop === run.T) text(g, theme, "optimum", right + 6, y + 4, { weight: 600, color: theme.optimum });
    });
    g.globalAlpha = faint ? .27 : 1;
    const ends = [];
    for (const [name, value, main] of curves) {
      for (const [from, to, dash] of [[1, Math.min(this.solid, run.T), []], [this.solid, run.T, [7, 4]]]) {
        g.beginPath();
        for (const [t, v] of this.points(value, from, to)) {
          g.lineTo(this.x(axis(t)), Math.min(this.y(v > 0 || this.flat ? v : this.y.d0), bottom));
        }
        g.lineWidth = main ? 2.5 : 1.6;
        g.strokeStyle = main ? theme.ink : theme.floor;
        g.lineJoin = "round";
        g.setLineDash(dash);
        g.stroke();
        g.setLineDash([]);
      }
      if (!this.inside) ends.push({ name, main, y: clamp(this.y(Math.max(value(run.T), this.y.d0)), 14, bottom - 16 * u) });
    }
    g.globalAlpha = 1;
    if (this.bound) {
      const points = this.bound.t.map((t, k) => [this.x(axis(Math.min(t, run.T))), this.y(this.bound.value[k])]);
      line(g, points, theme.bound, 2.2, [.1, 5]);
      const [x, y] = points.at(-1), cut = this.bound.t.at(-1) < run.T;
      ends.push({ name: cut ? `${run.bound.name} ends here` : run.bound.name, y: clamp(y, 10, bottom - 30), color: theme.bound, x: cut ? x : undefined, rising: this.bound.value.at(-1) > this.bound.value[0] });
    }
    ends.sort((a, b) => a.y - b.y);
    ends.forEach((e, k) => { if (k && e.x === undefined && ends[k - 1].x === undefined && e.y - ends[k - 1].y < 16 * u) e.y = ends[k - 1].y + 16 * u; });
    const over = Math.max(0, ...ends.filter(e => e.x === undefined).map(e => e.y - (bottom - 17 * u)));
    for (const e of ends) if (e.x === undefined && over) e.y -= over;
    for (const e of ends) text(g, theme, e.name, (e.x ?? right) + (e.x && e.rising ? -8 : 6), Math.max(e.y + (e.x ? -6 : 4), 14 * u), { align: e.x && e.rising ? "right" : "left", size: 13.5, weight: e.main || e.color ? 650 : 600, color: e.color ?? (e.main ? theme.ink : theme.ink2), halo: theme.bg });
    this.note(g);
    for (const segment of run.segments.slice(1)) line(g, [[this.x(axis(segment.start)), 8], [this.x(axis(segment.start)), bottom]], theme.ghost, 1, [2, 3]);
  }

  // A theorem that says nothing here is said to say nothing, on the chart that it would bound.
  note(g) {
    const { run: { bound }, theme, right, left } = this, u = theme.unit;
    if (!bound?.broken || this.axes.y !== this.proven) return;
    const words = bound.vacuous ? `${bound.name} is vacuous here: it allows ${group(readable(bound.vacuous))}, and the loss of w = 0 is only 1` : `${bound.name} not drawn: it asks that ${bound.broken}`, lines = [""];
    g.font = `600 ${13 * u}px ${theme.font}`;
    for (const word of words.split(" ")) g.measureText(`${lines.at(-1)} ${word}`).width > (right - left) * .62 ? lines.push(word) : lines.push(`${lines.pop()} ${word}`.trim());
    lines.forEach((part, k) => text(g, theme, part, right, (18 + 17 * k) * u, { weight: 600, color: theme.bound, align: "right", halo: theme.bg }));
  }

  paint(view) {
    const { run, theme, t, s, segment, now } = view, g = this.sheet.begin(), { sheet } = this, plain = this.axes.y !== "front";
    this.axisBox.hidden = !plain || Boolean(this.own[this.axes.y]?.axis);
    if (!plain) {                                            // a slack-constrained w counts once it is divided by its level
      this.caption.textContent = `norm against hinge loss: dashed the best there is, by λ or by ν${run.front?.cut ? ", as far as it was found in time" : ""}`;
      const unit = now.gamma === undefined ? 1 : now.gamma;
      return this.front.paint(g, sheet, view, t > 0 && unit > 0 ? [now.norm / unit, segment.nu === undefined ? now.hinge : segment.nu / unit] : null);
    }
    if (this.own[this.axes.y]?.paint) {                      // a picture that only this solver has
      this.own[this.axes.y].paint(g, this, view);
      this.caption.textContent = this.own[this.axes.y].words(run);
      return;
    }
    const key = [sheet.w, sheet.h, sheet.ratio, theme.dark, theme.unit, this.axes.x, this.axes.y].join();
    if (key !== this.key || theme !== this.theme) {
      this.key = key;
      this.layout(theme);
    }
    const axis = run.axes[this.axes.x], x = t > 0 ? this.x(axis(t)) : this.left, cut = Math.round(x * sheet.ratio), { canvas } = sheet;
    g.setTransform(1, 0, 0, 1, 0, 0);
    if (cut > 0) g.drawImage(this.past, 0, 0, cut, canvas.height, 0, 0, cut, canvas.height);
    if (cut < canvas.width) g.drawImage(this.future, cut, 0, canvas.width - cut, canvas.height, cut, 0, canvas.width - cut, canvas.height);
    g.setTransform(sheet.ratio, 0, 0, sheet.ratio, 0, 0);
    line(g, [[x, 6], [x, this.bottom]], theme.ui, 1.25);
    if (t > 0 && !segment.supposed) {                        // what is only supposed has no place on a curve
      const height = v => Math.min(this.y(v > 0 || this.flat ? v : this.y.d0), this.bottom);
      const shown = this.series().map(([, value, main]) => ({ main, v: value(t, s) })).filter(({ v }) => !Number.isNaN(v))
        .map(point => ({ ...point, y: height(point.v) })).sort((a, b) => a.y - b.y);
      shown.forEach(({ main, v, y }, k) => {
        g.beginPath();
        g.arc(x, y, main ? 4.5 : 3.2, 0, 7);
        g.fillStyle = main ? theme.ink : theme.floor;
        g.fill();
        g.lineWidth = 1.5;
        g.strokeStyle = theme.bg;
        g.stroke();
        if (this.inside && !main) return;
        const left = x > this.right - (this.inside ? 210 * theme.unit : 60), above = this.inside || k === 0, beside = left ? Math.min(x - 8, this.inside ? this.right - 96 * theme.unit : x) : x + 8;
        if (this.inside && this.error && x > this.right - 190 * theme.unit) return;  // there the names of the curves stand, and the title has the number
        text(g, theme, this.error ? `${(v * 100).toFixed(1)} %` : readable(v), beside, clamp(y + (above ? -9 : 18), 12, this.bottom - 4), { size: 13.5, weight: main ? 700 : 600, color: main ? theme.ink : theme.ink2, align: left ? "right" : "left", halo: theme.bg });
      });
    }
    if (this.inside) labels(g, this, view);
    const words = this.words(run, segment);
    if (this.caption.textContent !== words) this.caption.textContent = this.caption.title = words;
  }

  words(run, segment) {
    const alone = run.companions?.left_out ? `; ${run.companions.left_out}` : "";
    if (this.axes.y === "error") return (run.classes.length ? "share of points taken for another class" : "share of points on the wrong side") + alone;
    if (this.axes.y === "test") return (run.fresh ? `on ${group(String(run.n_test))} fresh examples` : `share of ${run.n_test} rows set apart`) + alone;
    if (this.axes.y in this.own) return this.own[this.axes.y].words(run) + alone;
    if (this.axes.y === "gap") return "P(w) − D(α): no less than the suboptimality";
    const { value, star, gap } = this.symbols, best = this.best(run, segment);
    const { bound } = run, dashed = this.solid < run.T ? "; dashed after the first pass: no guarantee" : "";
    if (this.axes.y === "objective") return star ? `${value}, ${best}` : value + dashed;
    if (bound?.broken) return `${gap}, ${best}`;
    if (bound && !this.bound && bound.t.length > 1) return `${gap}, ${best}; ${bound.name} is off the scale, ${readable(bound.value.at(-1))} at the end`;
    return `${gap}, ${best}`;
  }

  // What is known of the optimum.
  best(run, { optimum, near, supposed }) {
    const { star, none } = this.symbols;
    if (supposed) return `${star} is found once it is let go`;
    if (optimum) return `exact ${star} = ${optimum.value.toFixed(4)}`;
    if (run.later) return `the exact ${star} is being computed …`;
    if (near) return `${star} = ${near.value.toFixed(4)} within ${readable(near.gap)}${run.cut ? `, after ${run.cut} s of computing` : ""}`;
    if (run.cut) return `no exact ${star} found in ${run.cut} s of computing`;
    if (run.classes.length) return `${run.classes.length} classes: no exact optimum`;
    return none?.(run) || "no exact optimum at this size";
  }

  stepAt(px) {
    if (this.axes.y === "front" || !this.x) return this.stage.t;
    const axis = this.run.axes[this.own[this.axes.y]?.axis ?? this.axes.x], target = this.x.back(clamp(px, this.left, this.right));
    let low = 1, high = this.run.T;
    if (px < this.left - 6) return 0;
    while (low < high) {
      const middle = (low + high) >> 1;
      axis(middle) < target ? low = middle + 1 : high = middle;
    }
    return low > 1 && target - axis(low - 1) < axis(low) - target ? low - 1 : low;
  }
}

const readable = v => (v <= 0 ? "0" : Number.isInteger(v) ? String(v) : v >= 100 ? v.toFixed(0) : v >= 1 ? v.toFixed(2) : v >= .001 ? String(+v.toPrecision(2)) : v.toExponential(1).replace("-", "−"));
