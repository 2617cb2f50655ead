// The mechanism of Pegasos for several classes: the scores of the example drawn, with what each
// mistake costs on top of them, and below the rows of w, of which the true class comes and the
// winner goes.

import { ease } from "../engine/beats.js";
import { isFree } from "../engine/losses.js";
import { lookOf } from "../engine/scores.js";
import { decimals } from "../engine/words.js";
import {
  arrow,
  colorOf,
  column,
  dot,
  gridlines,
  line,
  mark,
  rule,
  stroke,
} from "../canvas/draw.js";
import { fitting, Labels } from "../canvas/labels.js";
import { Board } from "./parts/board.js";
import { clamp, scale, short, ticks } from "../canvas/scales.js";
import { paying } from "./pegasos/hinge.js";
import { centred, open, side } from "./parts/axis.js";

export const CHANGE = ["shrink", "add", "project"];
/** @type {Panel["formula"]} */
export const formula = () => ["the class with the highest score", "highest score"];

/** @param {Run} run @param {number} c */
const called = (run, c) => `class ${run.classes[c]}`;

// Whom the panel speaks of: the example of the step that pays most.
/** @param {Run} run @param {number} t */
const chosen = (run, t) => run.drawn[run.first[t] + (run.array("worst")?.[t] ?? 0)];

/** @param {Run} run @param {State} state @param {number} i */
const scoresOf = ({ scores, rows }, { f }, i) =>
  Array.from({ length: scores }, (_, c) => f[c * rows + i]);

/** @param {number[]} f */
function chances(f) {
  const most = Math.max(...f);
  const parts = f.map(v => Math.exp(v - most));
  const whole = parts.reduce((sum, v) => sum + v, 0);
  return parts.map(v => v / whole);
}

// By how much step t raised the coefficients of example i, by class.
/** @param {Run} run @param {number} t @param {number} i */
function raisedOf(run, t, i) {
  const found = new Array(run.scores).fill(0);
  for (let e = run.change_first[t]; e < run.change_first[t + 1]; e++)
    if (run.change_index[e] === i) found[run.change_class?.[e] ?? 0] += run.change_delta[e];
  return found;
}

/** @implements {Machinery} */
export class Mechanism extends Board {
  reach = 1; // of the scores
  far = 1; // of the rows of w

  /** @param {HTMLElement} section */
  constructor(section) {
    super(
      section,
      {
        title: "Scores",
        view: "hinge contest",
        label: "The score of each class, with the cost of that mistake",
        lights: ["hinge"],
      },
      {
        title: "Rows of w",
        view: "beats",
        tab: "Rows",
        label: "The rows of w before and after the step",
        lights: ["step"],
      },
    );
    this.bars = this.sheets[0];
    this.weights = this.sheets[1];
  }

  // Limits come from the whole trace, never from the step; what lies beyond is cut off.
  /** @param {Run} run */
  prepare(run) {
    const sorted = Float32Array.from(run.margin, Math.abs).sort();
    const asked = Math.max(...run.segments.flatMap(({ mistakes = [] }) => mistakes.flat()));
    this.reach = Math.ceil(
      clamp(sorted[Math.round(0.97 * (sorted.length - 1))] ?? 1, 1.5, 200) * 0.7 + asked / 2,
    );
    this.far = Math.max(...run.segments.map(({ optimum, ball = 1 }) => optimum?.norm ?? ball));
  }

  /** @param {View} view */
  facts(view) {
    const { run, t, told } = view;
    return [
      paying(view),
      told ? `point ${chosen(run, t) + 1} against ${called(run, run.rival[t])}` : "no step yet",
    ];
  }

  /** @param {View} view @param {boolean} loud */
  paint(view, loud) {
    const { run, t, told, segment, done } = view;
    const soft = !isFree(segment.params.loss);
    const flat = run.d === 2 && view.linear;
    const i = told ? chosen(run, t) : -1;
    if (this.bars.visible) (soft ? this.paintChances : this.paintScores).call(this, view, i);
    if (this.weights.visible) (flat ? this.paintArrows : this.paintAmounts).call(this, view, i);
    if (!loud) return;
    // once the step is taken these are no longer the scores that the sentence speaks of
    const who = told ? `point ${i + 1}${done === t ? " after this step" : ""}` : "an example";
    const most = told && segment.k > 1 ? ", which pays most" : "";
    const [whose, moved] = this.captions;
    const chance = `probabilities for ${who}`;
    if (soft) whose.say(`probability of each class for ${who}${most}`, chance, "probabilities");
    else
      whose.say(
        `of ${who}${most}, with the cost δ on top`,
        `of ${who}, with δ on top`,
        `of ${who}`,
      );
    moved.say(
      ...(flat
        ? ["an arrow for each class, dotted: before the step", "dotted: before the step"]
        : ["by how much this step moves each along x", "moved along x"]),
    );
  }

  // A column for each class: where it stands, how wide it is, what stands under it.
  /** @param {Pen} g @param {View} view @param {Sheet} sheet @param {number} left */
  columns(g, { run, theme }, { w, h }, left) {
    const u = theme.unit;
    const wide = (w - left) / run.scores;
    const bar = Math.min(wide * 0.56, 44 * u);
    for (let c = 0; c < run.scores; c++) {
      const x = left + (c + 0.5) * wide;
      const names = [run.classes[c], run.classes[c].slice(0, 4)];
      const name = fitting(g, theme, wide - 20 * u, names);
      const look = lookOf(run, c);
      const px = x - (name ? 4 * u + name.length * 3.2 * u : 0);
      mark(g, look, px, h - 10 * u, 4.2 * u, colorOf(theme, look));
      if (name) centred(g, theme, name, x + 5 * u, h - 5.5 * u, { color: theme.ink2 });
    }
    return { at: (/** @type {number} */ c) => left + (c + 0.5) * wide, bar };
  }

  // While the example is measured its scores are those before the step, then they move to those
  // after it.
  /** @param {View} view @param {number} i */
  paintScores(view, i) {
    const { run, theme, segment, t, beat, done } = view;
    const { g, w, h, u } = open(this.bars, theme);
    const left = 42 * u;
    const bottom = h - 24 * u;
    const { at, bar } = this.columns(g, view, this.bars, left);
    const y = scale(-this.reach, this.reach, bottom, 8 * u);
    /** @param {number} v */
    const cut = v => y(clamp(v, -this.reach, this.reach));
    /** @param {number} v */
    const said = v => decimals(v, Number.isInteger(v) ? 0 : 1);
    gridlines(g, theme, ticks(-this.reach, this.reach, 5), y, left, w, said);
    rule(g, left, y(0), w, y(0), theme.ink, 1.25);
    if (i < 0) return;
    const own = run.y[i];
    const f = scoresOf(run, view.last.now, i);
    const asked = f.map((_, c) => (c === own ? 0 : (segment.mistakes?.[own][c] ?? 1)));
    const tops = f.map((v, c) => v + asked[c]);
    const winner = tops[own] >= Math.max(...tops) ? own : tops.indexOf(Math.max(...tops));
    f.forEach((v, c) => {
      const color = colorOf(theme, lookOf(run, c));
      const x = at(c) - bar / 2;
      column(g, x, Math.min(cut(v), y(0)), bar, Math.max(Math.abs(cut(v) - y(0)), 1), color);
      if (!asked[c]) return;
      g.beginPath();
      g.rect(x, cut(tops[c]), bar, Math.max(cut(v) - cut(tops[c]), 1));
      g.fillStyle = theme.band;
      g.fill();
      stroke(g, color, 1.5, [3, 2]);
    });
    rule(g, left, cut(f[own]), w, cut(f[own]), colorOf(theme, lookOf(run, own)), 2, [6, 4]);
    const labels = new Labels(g, theme, { left, top: 2, right: w, bottom });
    labels.block({
      left: at(winner) - bar / 2,
      right: at(winner) + bar / 2,
      top: cut(Math.max(tops[winner], 0)),
      bottom,
    });
    const pays = tops[winner] - f[own];
    const now = done === t ? "now " : "";
    const look = { size: 13.5, weight: 700, color: theme.now };
    if (winner !== own) {
      const x = at(winner) + bar / 2 + 6 * u;
      rule(g, x, cut(f[own]), x, cut(tops[winner]), theme.now, 2.5);
      const right = x < w - 90 * u;
      labels.must(
        `ℓ ${now}= ${short(pays)}`,
        look,
        [
          right ? x + 6 * u : at(winner) - bar / 2 - 6 * u,
          (cut(f[own]) + cut(tops[winner])) / 2,
          right ? "left" : "right",
        ],
        [at(winner), cut(tops[winner]) - 8 * u, "center"],
      );
    } else
      labels.must(
        `ℓ ${now}= 0`,
        look,
        [at(own) + bar / 2 + 6 * u, cut(f[own]) + 18 * u, "left"],
        [w - 4, 30 * u, "right"],
      );
    labels.put(
      `f[y]`,
      { weight: 650, color: theme.ink2 },
      [left + 4, cut(f[own]) - 6 * u, "left"],
      [w - 4, cut(f[own]) - 6 * u, "right"],
    );
    if (beat === "measure" && t)
      labels.put(`r = ${run.classes[winner]}`, { weight: 650, color: theme.ink2 }, [
        w - 4,
        16 * u,
        "right",
      ]);
  }

  /** @param {View} view @param {number} i */
  paintChances(view, i) {
    const { run, theme } = view;
    const { g, w, h, u } = open(this.bars, theme);
    const left = 42 * u;
    const bottom = h - 24 * u;
    const { at, bar } = this.columns(g, view, this.bars, left);
    const y = scale(0, 1, bottom, 20 * u);
    for (const v of [0, 0.5, 1]) {
      rule(g, left, y(v), w, y(v), v ? theme.grid : theme.ink, v ? 1 : 1.25);
      side(g, theme, decimals(v, v === 0.5 ? 1 : 0), left, y(v));
    }
    if (i < 0) return;
    const own = run.y[i];
    const p = chances(scoresOf(run, view.last.now, i));
    const labels = new Labels(g, theme, { left, top: 2, right: w, bottom });
    p.forEach((v, c) => {
      const x = at(c) - bar / 2;
      column(g, x, y(v), bar, Math.max(y(0) - y(v), 1), colorOf(theme, lookOf(run, c)));
      if (c === own) {
        g.beginPath();
        g.rect(x, y(1), bar, y(v) - y(1));
        stroke(g, theme.now, 2, [3, 2]);
      }
      labels.must(
        decimals(v, 2),
        { weight: c === own ? 700 : 500, color: c === own ? theme.now : theme.ink2 },
        [at(c), Math.min(y(v) - 6 * u, y(0) - 6 * u), "center"],
      );
    });
  }

  // The rows of w as arrows, where they have two numbers: before the step, and as they go.
  /** @param {View} view @param {number} i */
  paintArrows(view, i) {
    const { run, theme, told, last } = view;
    const { g, w, h, u } = open(this.weights, theme);
    const unit = Math.min(w, h) / (2.6 * this.far);
    const [x0, y0] = [w / 2, h / 2];
    const width = last.now.w.length / run.scores;
    /** @param {State} state @param {number} c @returns {Point} */
    const tip = ({ w: rows }, c) => [x0 + unit * rows[c * width], y0 - unit * rows[c * width + 1]];
    rule(g, 0, y0, w, y0, theme.grid);
    rule(g, x0, 0, x0, h, theme.grid);
    if (i >= 0) {
      // the direction of x: rows move along it, or against it
      const [a, b] = [run.points[2 * i], run.points[2 * i + 1]];
      const length = Math.hypot(a, b) || 1;
      const long = Math.hypot(w, h);
      line(
        g,
        [
          [x0 - (long * a) / length, y0 + (long * b) / length],
          [x0 + (long * a) / length, y0 - (long * b) / length],
        ],
        theme.now,
        1,
        [2, 4],
      );
    }
    const labels = new Labels(g, theme, { left: 0, top: 2, right: w, bottom: h });
    for (let c = 0; c < run.scores; c++) {
      const color = colorOf(theme, lookOf(run, c));
      const [x, y] = tip(last.now, c);
      if (told) line(g, [[x0, y0], tip(last.before, c)], color, 1.5, [0.1, 4]);
      if (Math.hypot(x - x0, y - y0) > 3) arrow(g, x0, y0, x, y, color, 2.25, 9);
      const length = Math.hypot(x - x0, y - y0) || 1;
      const [ux, uy] = [(x - x0) / length, (y - y0) / length];
      labels.put(
        run.classes[c],
        { weight: 700, color: theme.ink2, base: "middle" },
        [clamp(x + 14 * u * ux, 8, w - 8), clamp(y + 14 * u * uy, 10, h - 8), "center"],
        [clamp(x - 14 * u * uy, 8, w - 8), clamp(y + 14 * u * ux, 10, h - 8), "center"],
      );
    }
    dot(g, x0, y0, 3, theme.ink);
    if (i >= 0)
      labels.put(
        "along x",
        { color: theme.now, weight: 600 },
        [w - 6, h - 8, "right"],
        [6, 16, "left"],
      );
  }

  /** @param {View} view @param {number} i */
  paintAmounts(view, i) {
    const { run, theme, t, beat, progress, done } = view;
    const { g, w, h, u } = open(this.weights, theme);
    const left = 58 * u;
    const bottom = h - 24 * u;
    const { at, bar } = this.columns(g, view, this.weights, left);
    const middle = (6 * u + bottom) / 2;
    rule(g, left, middle, w, middle, theme.ink, 1.25);
    if (i < 0) return;
    const amounts = raisedOf(run, t, i);
    const eta = 1 / (view.segment.params.lam * t);
    const y = scale(-eta, eta, bottom - 18 * u, 24 * u);
    for (const [v, words] of /** @type {[number, string][]} */ ([
      [eta, "η"],
      [0, "0"],
      [-eta, "−η"],
    ]))
      side(g, theme, words, left, y(v));
    const reached = done === t ? 1 : beat === "add" ? ease(progress) : 0;
    amounts.forEach((v, c) => {
      const end = y(v * reached);
      const [top, tall] = [Math.min(end, middle), Math.abs(end - middle)];
      if (v) column(g, at(c) - bar / 2, top, bar, tall, colorOf(theme, lookOf(run, c)));
      const look = { weight: 650, color: theme.ink2 };
      if (v && reached)
        centred(g, theme, short(v), at(c), v > 0 ? end - 5 * u : end + 14 * u, look);
    });
    if (!amounts.some(v => v))
      centred(g, theme, "no row moves: all only shrink", (left + w) / 2, middle - 10 * u, {
        color: theme.ink2,
        weight: 600,
      });
  }
}

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  const segment = run.segment(t);
  const n = run.count(t);
  if (t === 0) return { t: 0, n, first: segment.rest ?? 1 };
  const { k, mistakes, ball = 1 } = segment;
  const i = chosen(run, t);
  const own = run.y[i];
  const r = run.rival[t];
  const cost = run.array("cost")?.[t] ?? 0;
  const pull = run.project?.[t] ?? 1;
  const eta = 1 / (segment.params.lam * t);
  const hit = new Set();
  for (let e = run.change_first[t]; e < run.change_first[t + 1]; e++) hit.add(run.change_index[e]);
  let hits = 0;
  for (let e = run.first[t]; e < run.first[t + 1]; e++) hits += +hit.has(run.drawn[e]);
  return {
    t,
    n,
    i: i + 1,
    k,
    label: called(run, own),
    rival: called(run, r),
    winner: called(run, cost > 0 ? r : own),
    margin: run.margin[run.first[t] + (run.array("worst")?.[t] ?? 0)],
    asked: mistakes?.[own][r] ?? 1,
    cost,
    chance: Math.exp(-cost),
    hits,
    eta,
    eta_k: eta / k,
    step: eta * (1 - Math.exp(-cost)),
    shrink: 1 - 1 / t,
    norm_added: after.norm / pull,
    norm: after.norm,
    radius: ball,
    drawn: k === 1 ? `i = ${i + 1}` : `${k} points`,
  };
}
