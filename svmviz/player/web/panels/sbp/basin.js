// One basin, or one for each class: columns of responses, water of a given volume, its level, who
// is under it.

import { column, dot, rule, tip } from "../../canvas/draw.js";
import { clamp, scale, ticks, tickText } from "../../canvas/scales.js";
import { drawnNow, say } from "./words.js";
import { sorted, volumeFor } from "../../engine/own/water.js";
import { clasp, side } from "../parts/axis.js";

const GAP = 96; // between the two basins, where the beam turns

export class Basin {
  low = 0;
  high = 0;
  w = 0;
  h = 0;
  u = 0;
  left = 0;
  cw = 0;
  /** @type {Run} */ run;
  /** @type {State} */ now;
  /** @type {Segment} */ segment;
  bottom = 0;
  middle = 0;
  gap = 0;
  bare = false;
  /** @type {Scale} */ y;
  /** @type {(v: number) => number} */ height;
  /** @type {Float64Array} */ place;
  /** @type {Water} */ water;
  /** @type {(i: number) => boolean} */ wet;

  /** @param {Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
    this.spread = 0; // 0: columns by height, 1: as the data come
  }

  // Limits come from the whole run; the wild responses of its first steps are cut off at the edge.
  /** @param {Run} run */
  prepare(run) {
    const [low, high] = run.extent ?? [0, 1];
    const top = Math.max(
      high,
      ...[run.objective[run.T], run.objective_average[run.T]].map(Math.abs),
    );
    const room = (top - low) * 0.06 || 0.1;
    this.low = low - room;
    this.high = top + room;
  }

  /** @param {View} view */
  layout({ run, theme, now, segment, mask }) {
    const { w, h } = this.sheet;
    const u = theme.unit;
    const bare = w < 420 * u;
    const left = (bare ? 46 : 50) * u;
    const head = (bare ? 30 : 46) * u;
    const foot = 40 * u;
    const gap = segment.params.bias ? GAP * u : 0;
    const cw = (w - left - gap) / now.count;
    Object.assign(this, { w, h, u, left, cw, run, now, segment, gap, bare });
    this.bottom = h - foot;
    this.middle = left + cw * now.order[0].length;
    this.y = scale(this.low, this.high, this.bottom, head);
    /** @param {number} v */
    this.height = v => clamp(this.y(v), 0, this.bottom); // what lies off the scale ends at its edge
    this.place = new Float64Array(run.n).fill(-1);
    const ranks = this.ranks(now);
    for (let i = 0; i < run.n; i++) if (mask[i]) this.place[i] = ranks[i];
  }

  // The left edge of every column: its rank, its place in the data, or on the way from one to the
  // other.
  /** @param {{ order: Int32Array[] }} options */
  ranks({ order: [first, second] }) {
    const { run, cw, left, middle, gap, segment } = this;
    const x = new Float64Array(run.n);
    /** @param {number} s @param {number} k @param {number} size */
    const seat = (s, k, size) => {
      // with a bias the lowest of both classes meet in the middle
      if (!segment.params.bias) return left + k * cw;
      return s === 0 ? left + (size - 1 - k) * cw : middle + gap + k * cw;
    };
    [first, second].forEach((order, s) => {
      const home = this.spread ? Int32Array.from(order).sort((i, j) => i - j) : null;
      const places = new Map([...(home ?? [])].map((i, k) => [i, k]));
      /** @param {number} i */
      const at = i => places.get(i) ?? 0;
      order.forEach((i, k) => {
        const by = seat(s, k, order.length);
        const turned = segment.params.bias && s === 0 ? order.length - 1 - at(i) : at(i);
        x[i] = home ? by + this.spread * (seat(s, turned, order.length) - by) : by;
      });
    });
    return x;
  }

  // Columns that rise change places: in the moment of the change they walk from their old rank to
  // the new one.
  /** @param {View} view */
  walk({ before, after, shown, mask, run }) {
    if (shown <= 0 || shown >= 1 || !before || run.n > 600) return;
    /** @param {State} state */
    const responses = state => Float64Array.from(state.f, (f, i) => run.y[i] * f);
    /** @param {State} state */
    const order = state => {
      const c = responses(state);
      return { order: this.now.order.map(members => sorted(c, members, null)) };
    };
    const from = this.ranks(order(before));
    const to = this.ranks(order(after));
    for (let i = 0; i < run.n; i++)
      if (mask[i]) this.place[i] = from[i] + shown * (to[i] - from[i]);
  }

  // Returns where the water of each basin can be taken hold of, the second one first.
  /** @param {View} view */
  paint(view) {
    const g = this.sheet.begin();
    const { theme, now, mask, run, segment } = view;
    this.layout(view);
    if (view.slow) this.walk(view);
    const water = (this.water = { gamma: now.gamma, b: now.b, k: now.k, nu: segment.params.nu });
    /** @param {number} i */
    this.wet = i => now.wet[i] === 1;
    this.axis(g, theme, water);
    this.pool(g, theme, water);
    this.columns(g, theme, mask, run);
    this.surfaces(g, theme, water);
    if (drawnNow(view) && this.place[view.drawn[0]] >= 0) this.bar(g, view, view.drawn[0]);
    say(this, g, view, water);
    return (segment.params.bias ? [1, 0] : [0]).map(s => {
      const { left, width, level } = this.stretch(water, s);
      const wide = Math.max(width, this.bare ? 44 : 24);
      return {
        left: s === 0 && segment.params.bias ? left + width - wide : left,
        width: wide,
        top: this.height(level) - 11,
      };
    });
  }

  /** @param {number} i */
  level(i) {
    const { gamma, b } = this.water;
    return this.segment.params.bias ? gamma - this.run.y[i] * b : gamma;
  }

  // Where the water of a basin stands: its wet stretch if sorted, all of it else.
  /** @param {Water} water @param {number} s */
  stretch({ gamma, b, k }, s) {
    const { left, cw, now, middle, gap, segment, spread } = this;
    const size = now.order[s].length;
    const wet = (1 - spread) * Math.min(k, size) + spread * size;
    const level = segment.params.bias ? gamma - (s === 0 ? b : -b) : gamma;
    const from = !segment.params.bias ? left : s === 0 ? middle - wet * cw : middle + gap;
    return { left: from, width: wet * cw, level };
  }

  /** @param {Pen} g @param {Theme} theme @param {Water} water */
  axis(g, theme, { gamma }) {
    const { y, left, w, u } = this;
    for (const v of ticks(this.low, this.high, 5)) {
      if (v <= this.low + (this.high - this.low) * 0.02) continue;
      rule(g, left, y(v), w, y(v), theme.grid);
      if (
        this.segment.params.bias ||
        Math.abs(y(v) - clamp(y(gamma), 8 * u, this.bottom - 6 * u)) > 15 * u
      )
        side(g, theme, tickText(+v.toFixed(6)), left, y(v));
    }
  }

  /** @param {Pen} g @param {Theme} theme @param {Water} water */
  pool(g, theme, water) {
    const { height: at, place, cw, now } = this;
    /** @param {number} left @param {number} level @param {number} width */
    const fill = (left, level, width) => g.rect(left, at(level), width, this.bottom - at(level));
    g.fillStyle = theme.water;
    g.beginPath();
    if (this.spread === 0)
      now.order.forEach((order, s) => {
        if (order.length) {
          const { left, width, level } = this.stretch(water, s);
          fill(left, level, width);
        }
      });
    else
      for (const order of now.order)
        for (const i of order) if (this.wet(i)) fill(place[i], this.level(i), cw);
    g.fill();
  }

  /** @param {Pen} g @param {Theme} theme @param {Uint8Array} mask @param {Run} run */
  columns(g, theme, mask, run) {
    const { height: at, place, cw, now } = this;
    const fine = cw < 2;
    /** @param {number} x */
    const edge = x => (fine ? Math.round(x) : x);
    const gap = cw > 3.2 ? 0.6 : 0;
    /** @type {Record<"dry" | "plus" | "minus", number[]>} */
    const kinds = { dry: [], plus: [], minus: [] };
    for (let i = 0; i < run.n; i++)
      if (mask[i]) kinds[this.wet(i) ? (run.y[i] > 0 ? "plus" : "minus") : "dry"].push(i);
    for (const kind of /** @type {const} */ (["dry", "plus", "minus"])) {
      // rectangles one by one: a path of thousands takes the raster far longer
      g.globalAlpha = kind === "dry" ? 0.8 : 1;
      g.fillStyle = kind === "dry" ? theme.floor : theme[kind];
      for (const i of kinds[kind]) {
        const top = at(now.c[i]);
        const x = edge(place[i]);
        const width = edge(place[i] + cw) - x - gap;
        if (width > 0) g.fillRect(x, top, width, this.bottom - top);
      }
      g.globalAlpha = 1;
    }
    rule(g, this.left, this.bottom, this.w, this.bottom, theme.ghost);
  }

  /** @param {Pen} g @param {Theme} theme @param {Water} water */
  surfaces(g, theme, water) {
    const { height: at, segment, u, w, middle, gap } = this;
    const ends = (segment.params.bias ? [0, 1] : [0]).map(s => this.stretch(water, s));
    for (const { left, width, level } of ends)
      rule(g, left, at(level), left + width, at(level), theme.surface, 2.75);
    if (!segment.params.bias) {
      const [{ left, width, level }] = ends;
      if (left + width < w - 4)
        rule(g, left + width, at(level), w, at(level), theme.surface, 1.25, [1.5, 4]);
      return;
    }
    const [a, b] = ends;
    const x = middle + gap / 2;
    const turn = at(water.gamma); // the beam turns on its pivot at γ
    rule(g, middle, at(a.level), middle + gap, at(b.level), theme.surface, 2.75);
    rule(g, middle - 24 * u, turn, middle + gap + 24 * u, turn, theme.ghost, 1, [3, 3]);
    dot(g, x, turn, 4 * u, theme.surface);
    tip(g, x, turn + 6 * u, 9 * u, 14 * u, theme.floor);
  }

  /** @param {Pen} g @param {Theme} theme @param {number} left @param {number} width */
  bracket(g, theme, left, width) {
    const y = this.bottom + 6 * this.u;
    clasp(g, left + 1, left + Math.max(width - 1, 2), y + 4, -9, theme.surface, 1.5);
  }

  // The drawn column: an accent bar, a dotted riser to the level.
  /** @param {Pen} g @param {View} view @param {number} i */
  bar(g, { theme, now }, i) {
    const { height: at, place, cw, u, bottom } = this;
    const width = Math.max(cw, 4);
    const x = place[i] + cw / 2;
    const top = at(now.c[i]);
    const level = at(this.level(i));
    column(g, x - width / 2, top, width, bottom - top, theme.now);
    if (top > level + 6) rule(g, x, top, x, level, theme.now, 2, [2, 3]);
    dot(g, x, top, 4.5 * Math.sqrt(u), theme.now, theme.bg);
  }

  // The water, its surface, or the columns under it.
  /** @param {Pen} g @param {string} name */
  shape(g, name) {
    const { height: at, bottom, cw, place, water, left, w } = this;
    for (const s of this.segment.params.bias ? [0, 1] : [0]) {
      const { left: from, width, level } = this.stretch(water, s);
      if (name === "level")
        g.rect(0, at(level) - 13, this.segment.params.bias ? w : Math.max(w, left), 26);
      else if (name === "water") g.rect(from, at(level) - 4, width, bottom - at(level) + 4);
    }
    if (name === "wet")
      for (const order of this.now.order)
        for (const i of order)
          if (this.wet(i)) g.rect(place[i], at(this.level(i)), Math.max(cw, 1), this.h);
    g.fill();
  }

  /** @param {number} px */
  at(px) {
    // the example whose column is there, or -1
    const { place, cw, run } = this;
    if (!place || px < this.left) return -1;
    for (let i = 0; i < run.n; i++)
      if (place[i] >= 0 && px >= place[i] && px < place[i] + Math.max(cw, 1)) return i;
    return -1;
  }

  /** @param {number} py @param {number} s */
  pulled(py, s) {
    // the ν that brings the level there; s is the part that was pulled
    const tilt = !this.segment.params.bias ? 0 : s ? this.now.b : -this.now.b;
    const gamma = this.y.back(clamp(py, 0, this.bottom)) + tilt;
    const lowest = this.now.pour(0).gamma;
    const volume = gamma <= lowest ? 0 : volumeFor(gamma, this.now.pour);
    return Math.min(10, volume / this.now.count);
  }
}
