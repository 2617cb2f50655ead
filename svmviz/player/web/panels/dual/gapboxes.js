// Every α that has been seen as a bar in its box [0, C], sorted; directions that lead nowhere are
// pale. Below the line hangs each example's share of the gap, max((C − α) g, −α g): the shares of
// all add up to it. The longest fills the room below, and a row of its own says how much that is.

import { spacing, brackets, byRank, rankIn } from "./boxes.js";
import { ease } from "../../engine/beats.js";
import { rule, text, tip } from "../../canvas/draw.js";
import { widthOf } from "../../canvas/labels.js";
import { clamp, scale } from "../../canvas/scales.js";
import { moves } from "../../engine/own/rounds.js";
import { ceiling, open, side } from "../parts/axis.js";

const WORDS = 18; // px for the row of words about the gap

export class GapBoxes {
  /** @type {Float64Array} */ coef;
  /** @type {string | null} */ key = null;
  /** @type {(i: number) => number} */ rank;
  /** @type {Uint8Array} */ mask;
  /** @type {number[]} */ order = [];
  /** @type {Pen} */ g;
  /** @type {Scale} */ x;
  /** @type {Scale} */ y;
  wide = 0; // of a bar
  zero = 0; // the line on which bars stand
  floor = 0; // as far down as shares hang
  left = 0;
  step = 0;
  useless = 0;
  /** @type {number[]} */ shares = [];

  /** @param {Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
  }

  /** @param {Run} run */
  prepare(run) {
    this.coef = new Float64Array(run.n);
    this.key = null;
  }

  /** @param {number} px */
  at(px) {
    return this.order?.[Math.floor((px - this.left) / this.step)] ?? -1;
  }

  // α in the midst of the round: PROCESS first, then one move after the other.
  /** @param {View} view */
  present({ run, t, last, beat, progress }) {
    const { coef } = this;
    const { before, after } = last;
    const { K } = run.segment(t).params;
    const early = ["pool", "take"].includes(beat);
    if (t === 0 || ["average", "rest"].includes(beat)) {
      coef.set(after.coef.subarray(0, run.n));
      return;
    }
    coef.set(before.coef.subarray(0, run.n));
    if (run.shrink[t]) for (let i = 0; i < coef.length; i++) coef[i] *= 1 - run.shrink[t];
    for (const { i, delta, draw } of moves(run, t)) {
      const u = early
        ? 0
        : draw === 0
          ? beat === "process"
            ? ease(progress)
            : 1
          : beat === "step"
            ? ease(clamp(progress * K - draw + 1, 0, 1))
            : 0;
      coef[i] += u * delta;
    }
  }

  /** @param {View} view */
  sorted({ run, t, s, segment, last, beat, mask }) {
    const over = t === 0 || ["average", "rest"].includes(beat);
    const { coef } = over ? last.after : last.before;
    const { C } = segment.params;
    const key = [run.id, t, s, over].join();
    if (key === this.key && mask === this.mask) return this.order;
    Object.assign(this, { key, mask, rank: rankIn(this.coef, C) });
    const seen = [...mask.keys()].filter(i => mask[i] && run.arrival[i] <= t);
    seen.sort((i, j) => run.arrival[i] - run.arrival[j]);
    return (this.order = byRank(seen, i => Math.abs(coef[i]), rankIn(coef, C)));
  }

  /** @param {View} view */
  paint(view) {
    const { run, theme, told, last, segment, linked } = view;
    const { g, w, h, u } = open(this.sheet, theme);
    this.present(view);
    const { coef } = this;
    const order = this.sorted(view);
    const C = segment.params.C;
    const left = 46 * u;
    const top = 10 * u;
    const floor = h - (40 + WORDS) * u;
    const zero = top + (floor - top) * 0.66;
    const x = scale(0, Math.max(order.length, 1), left, w);
    const y = scale(0, C, zero, top);
    const step = x(1) - x(0);
    const gap = spacing(step);
    const wide = step - gap;
    Object.assign(this, { g, left, step, x, y, wide, zero, floor });
    /** @param {number} i */
    const g_of = i => 1 - run.y[i] * last.now.f[i];
    /** @param {number} i */
    const idle = i => (coef[i] === 0 ? g_of(i) <= 0 : Math.abs(coef[i]) >= C && g_of(i) >= 0);
    ceiling(g, theme, left, y(C), w, 2, `C = ${+C.toPrecision(3)}`);
    let useless = 0;
    /** @type {Map<string, number[][]>} */
    const bars = new Map();
    order.forEach((i, k) => {
      const rests = idle(i);
      const a = Math.abs(coef[i]);
      const key = `${run.y[i] > 0}${rests}`;
      useless += +rests;
      if (!bars.has(key)) bars.set(key, []);
      if (a > 0 || !rests)
        bars.get(key)?.push([x(k), a > 0 ? y(a) : zero - 2, a > 0 ? zero - y(a) : 2]);
    });
    for (const [key, list] of bars) {
      g.globalAlpha = key.endsWith("true") ? 0.32 : 1;
      g.fillStyle = key.startsWith("true") ? theme.plus : theme.minus;
      g.beginPath();
      for (const [px, py, tall] of list) g.rect(px, py, Math.max(wide, 0.6), tall);
      g.fill();
    }
    g.globalAlpha = 1;
    const there = x(order.indexOf(linked)) + step / 2;
    if (linked >= 0 && order.includes(linked)) rule(g, there, top, there, floor, theme.ui, 1.5);
    this.hang(view);
    rule(g, left, zero, w, zero, theme.ink2);
    side(g, theme, "0", left, zero);
    side(g, theme, "gap", left, Math.max((zero + floor) / 2, zero + 16 * u));
    if (order.length) brackets(g, theme, order, this.rank, x, h - 34 * u);
    if (told) this.marks(view);
    this.useless = useless;
  }

  // Shares of the gap of what the round puts out, longest where most is to be won.
  /** @param {View} view */
  hang({ run, theme, now, segment, t }) {
    if (t === 0) return;
    const { g, order, x, wide, zero, floor } = this;
    const { C } = segment.params;
    /** @param {number} i */
    const share = i => {
      const f = 1 - run.y[i] * now.f[i];
      const a = Math.abs(now.coef[i]);
      return Math.max((C - a) * f, -a * f, 0);
    };
    const all = (this.shares = order.map(share));
    const total = all.reduce((sum, v) => sum + v, 0);
    const largest = Math.max(...all);
    if (!(total > 1e-12)) return;
    g.fillStyle = theme.bound;
    g.beginPath();
    all.forEach((v, k) => {
      if (v > 0) g.rect(x(k), zero + 1, Math.max(wide, 0.6), (floor - zero - 2) * (v / largest));
    });
    g.fill();
    if (order.length < 2) return;
    const most = all.indexOf(largest);
    const percent = Math.round((100 * largest) / total);
    const words = `point ${order[most] + 1} owns ${percent} % of the gap`;
    /** @type {Look} */
    const look = { color: theme.bound, weight: 600 };
    const room = x(order.length) - widthOf(g, theme, words, look);
    const at = clamp(x(most), x(0), Math.max(room, x(0)));
    text(g, theme, words, at, floor + (WORDS - 4) * theme.unit, look);
  }

  // What moves in this round: a mark below its bar, and where it stood.
  /** @param {View} view */
  marks({ run, theme, t, last, beat }) {
    const { g, order, x, y, wide, zero } = this;
    if (["pool", "take"].includes(beat)) return;
    for (const { i } of moves(run, t)) {
      const k = order.indexOf(i);
      const middle = x(k) + wide / 2;
      const half = Math.max(wide / 2, 2.5);
      const from = Math.abs(last.before.coef[i]);
      if (k < 0) continue;
      rule(g, middle - half - 2, y(from), middle + half + 2, y(from), theme.ink, 2);
      tip(g, middle, zero + 2, 5 * theme.unit, 10 * theme.unit - 2, theme.now);
    }
  }
}
