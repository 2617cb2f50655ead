// The table of the data with what it is read by: w(j)² above it, p(i) beside it, and how much of
// it has been read; in two dimensions w in its ball at the left.

import { arrow, circle, column, line, rule, stroke, text } from "../../canvas/draw.js";
import { clamp } from "../../canvas/scales.js";
import { counted } from "../../engine/words.js";
import { centred, flag, open } from "../parts/axis.js";
import { Cells } from "./cells.js";

const ROW = ["draw", "move"];
const COLUMN = ["column", "estimate", "reweigh"];
/** @param {number} share */
function percent(share) {
  if (share >= 0.0995) return `${Math.round(100 * share)} %`;
  const little = share > 0 && share < 0.001;
  return `${little ? +(100 * share).toPrecision(1) : (100 * share).toFixed(1)} %`;
}

/** @typedef {View & { resting: boolean }} TableView */

export class Table {
  cells = new Cells();
  /** @type {Duals} */ duals;
  /** @type {Pen} */ g;
  u = 1;
  left = 0;
  end = 0; // of the table, to the right
  top = 0;
  height = 0;
  there = false; // once it was painted

  /** @param {Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
  }

  get width() {
    return this.end - this.left;
  }

  // The row at a place, or -1.
  /** @param {number} x @param {number} y */
  at(x, y) {
    const { left, end, top, height, cells } = this;
    if (!this.there || x < left || x > end || y < top || y > top + height) return -1;
    return cells.order[Math.floor(((y - top) / height) * cells.order.length)] ?? -1;
  }

  // Whom and what the step has drawn, -1 for nothing.
  /** @param {View} view */
  drawn({ run, t, told }) {
    return [told ? run.drawn[run.first[t]] : -1, told && run.column ? run.column[t] - 1 : -1];
  }

  /** @param {string} name @returns {[Sheet, Spot][]} */
  where(name) {
    const { left, end, top, height, width, sheet, cells } = this;
    /** @type {Record<string, Spot>} */
    const spots = {
      table: g => g.fillRect(left - 2, top - 2, width + 4, height + 4),
      water: g => g.fillRect(end, 0, sheet.w - end, sheet.h),
      row: (g, view) => {
        const [i] = this.drawn(view);
        const high = height / cells.order.length;
        if (i >= 0) g.rect(left - 4, top + cells.place[i] * high - 5, width + 8, high + 10);
        g.rect(end + 4, top - 26, sheet.w - end, height + 30); // the chances of all
        g.fill();
      },
      column: (g, view) => {
        const j = this.drawn(view)[1];
        const wide = width / view.run.d;
        if (j >= 0) g.rect(left + j * wide - 5, top - 4, wide + 10, height + 8);
        g.rect(0, 0, end, top - 4);
        g.fill();
      },
    };
    return spots[name] ? [[sheet, spots[name]]] : [];
  }

  /** @param {TableView} view @param {Float64Array} p @param {Float64Array} xi */
  paint(view, p, xi) {
    const { run, theme, t, beat, resting } = view;
    const { g, w, h, u } = open(this.sheet, theme);
    const { cells } = this;
    const roomy = w > 520 * u;
    const low = !roomy && h < 240 * u; // the table has all of it
    const flat = run.d === 2;
    const side = roomy ? 132 * u : 0;
    const bars = (roomy ? 100 : 84) * u;
    const left = (flat ? Math.min(0.42 * w, h) : 44 * u) + (flat ? 52 * u : 0);
    const end = w - side - bars - (roomy ? 12 : 4) * u;
    const top = 66 * u;
    const bottom = h - (roomy ? 26 : low ? 6 : 92) * u;
    const height = bottom - top;
    const width = end - left;
    Object.assign(this, { g, u, left, end, top, height, there: true });
    g.imageSmoothingEnabled = cells.columns > width || cells.rows > height;
    const read = resting || COLUMN.includes(beat) || t === 0 ? t : Math.max(t - 1, 0);
    g.drawImage(cells.show(read, theme), left, top, width, height);
    g.strokeStyle = theme.hair;
    g.lineWidth = 1;
    g.strokeRect(left - 0.5, top - 0.5, width + 1, height + 1);
    this.classes(theme);
    if (flat) this.ball(view, Math.min(0.42 * w, h));
    const [i, j] = this.drawn(view);
    const column = resting || COLUMN.includes(beat);
    const row = resting || column || ROW.includes(beat) || beat === "pour";
    this.columns(view, column ? j : -1);
    this.rows(view, p, xi, bars, row ? i : -1);
    const [high, wide] = [height / cells.order.length, width / run.d];
    if (i >= 0 && row) this.frame(theme, left, top + cells.place[i] * high, width, high);
    if (j >= 0 && column) this.frame(theme, left + j * wide, top, wide, height);
    if (low) return;
    text(g, theme, "feature j", left, bottom + 18 * u, { color: theme.muted });
    const exact = view.segment.params.exact_p || view.segment.params.exact_margins;
    const words = exact
      ? `each step reads the whole table (${counted(view.segment.entries)})`
      : `each step reads one row and one column`;
    /** @type {Look} */
    const look = { align: "right", color: theme.muted };
    if (width > 330 * u) text(g, theme, words, end, bottom + 18 * u, look);
    if (roomy) this.counters(view, w - side, top + 12 * u, side, true);
    else this.counters(view, flat ? 0 : left, bottom + 34 * u, flat ? w : width, false);
  }

  /** @param {Theme} theme */
  classes(theme) {
    const { g, u, left, top, height } = this;
    const { positives, order } = this.cells;
    const cut = top + (height * positives) / order.length;
    for (const { a, b, color, words } of [
      { a: top, b: cut, color: theme.plus, words: "+1" },
      { a: cut, b: top + height, color: theme.minus, words: "−1" },
    ]) {
      if (b - a < 4) continue;
      const [near, far] = [left - 5 * u, left - 10 * u];
      const ends = [
        [near, a + 1],
        [far, a + 1],
        [far, b - 2],
        [near, b - 2],
      ];
      line(g, ends, color, 1.6);
      text(g, theme, words, left - 16 * u, (a + b) / 2, {
        weight: 650,
        color,
        align: "right",
        base: "middle",
      });
    }
  }

  // A row or a column, never thinner than can be seen.
  /**
   * @param {Theme} theme
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {number} h
   */
  frame(theme, x, y, w, h) {
    const flat = w === this.width;
    const more = Math.max(0, 4 - (flat ? h : w)) / 2 + 1.5;
    const [dx, dy] = flat ? [3, more] : [more, 3];
    this.g.beginPath();
    this.g.roundRect(x - dx, y - dy, w + 2 * dx, h + 2 * dy, 3);
    stroke(this.g, theme.now, 2.2);
  }

  // w(j)²: the chance of each column.
  /** @param {View} view @param {number} drawn */
  columns({ run, theme, now: { w } }, drawn) {
    const { g, u, left, width, top } = this;
    const total = w.reduce((sum, v) => sum + v * v, 0) || 1;
    /** @param {number} j */
    const chance = j => w[j] ** 2 / total;
    const step = width / run.d;
    let most = 0.05;
    for (let j = 0; j < run.d; j++) most = Math.max(most, chance(j));
    /** @param {number} v */
    const y = v => top - 6 * u - (v / most) * (top - 30 * u);
    const bars = Math.min(run.d, Math.ceil(width));
    const bar = width / bars; // one a pixel at most, as high as the highest there
    for (let k = 0, j = 0; k < bars; k++) {
      let high = 0;
      for (; j < ((k + 1) / bars) * run.d; j++) if (j !== drawn) high = Math.max(high, chance(j));
      const tall = Math.max(top - 6 * u - y(high), 0.8);
      const px = left + k * bar + Math.min(1, bar * 0.12);
      column(g, px, y(high), Math.max(bar * 0.76, 0.8), tall, theme.floor);
    }
    text(g, theme, "w(j)²", left - 8, top - 10 * u, { align: "right", weight: 600 });
    if (drawn < 0) return;
    const x = left + (drawn + 0.5) * step;
    const wide = Math.max(step * 0.76, 3);
    const high = y(chance(drawn));
    column(g, x - wide / 2, high, wide, Math.max(top - 6 * u - high, 2), theme.now);
    const words = `j = ${drawn + 1}: ${percent(chance(drawn))} chance`;
    flag(g, theme, words, x, 16 * u, x <= left + width * 0.6);
  }

  // p(i): the chance of each row, and in the colour of water who is full of slack.
  /**
   * @param {View} view
   * @param {Float64Array} p
   * @param {Float64Array} xi
   * @param {number} wide
   * @param {number} drawn
   */
  rows({ run, theme, mask, linked }, p, xi, wide, drawn) {
    const { g, u, top, height, cells } = this;
    const left = this.end + 8 * u;
    const step = height / cells.order.length;
    let most = 0;
    for (let i = 0; i < run.n; i++) most = Math.max(most, p[i]);
    /** @param {number} i */
    const long = i => Math.max((p[i] / most) * (wide - 46 * u), 1);
    text(g, theme, "p(i)", left, top - 10 * u, { weight: 600 });
    cells.order.forEach((i, k) => {
      if (!mask[i]) return;
      const rest = xi[i] > 0 ? theme.surface : theme.floor;
      const color = i === drawn ? theme.now : i === linked ? theme.ui : rest;
      const tall = Math.max(step * 0.8, i === drawn || i === linked ? 3 : 0.8);
      column(g, left, top + (k + 0.5) * step - tall / 2, long(i), tall, color);
    });
    text(g, theme, "with ξ", left + 34 * u, top - 10 * u, { color: theme.surface, weight: 600 });
    if (drawn < 0) return;
    const y = clamp(top + (cells.place[drawn] + 0.5) * step, top + 8, top + height - 8);
    text(g, theme, `i = ${drawn + 1}`, left + long(drawn) + 5, y, {
      size: 13.5,
      weight: 700,
      color: theme.now,
      base: "middle",
      halo: theme.bg,
    });
  }

  /**
   * @param {View} view
   * @param {number} left
   * @param {number} top
   * @param {number} width
   * @param {boolean} tall
   */
  counters({ run, theme, t, s, segment, of }, left, top, width, tall) {
    const { g, u } = this;
    const reads = run.axes.features_read(t);
    const read = s === run.segment_of[t] ? this.duals.cells[t] : (segment.entry.cells ?? 0);
    const steps = `after ${counted(t)} step${t === 1 ? "" : "s"}`;
    const ours = tall ? "of the matrix read" : "matrix read";
    const theirs = tall ? "Pegasos" : "Pegasos, by rows";
    const rival = (of("known_pegasos", t) ?? 0) / 1e4;
    [
      { share: read / segment.entries, name: ours, more: [steps, `${counted(reads)} reads`] },
      { share: rival, name: theirs, more: ["whole rows,", "as many reads"] },
    ].forEach(({ share, name, more }, k) => {
      const x = tall ? left : left + (k * width) / 2;
      const y = tall ? top + k * 138 * u : top;
      const color = k ? theme.ghost : theme.ink;
      text(g, theme, percent(share), x, y + 26 * u, { size: tall ? 32 : 24, weight: 700, color });
      text(g, theme, name, x, y + (tall ? 48 : 46) * u, { weight: 650, color: theme.ink });
      if (!tall) return;
      more.forEach((words, row) => text(g, theme, words, x, y + (67 + 18 * row) * u));
      column(g, x, y + 98 * u, width, 6 * u, theme.hair);
      column(g, x, y + 98 * u, width * Math.min(1, share), 6 * u, color);
    });
  }

  // In two dimensions: w in its ball, and the way it came.
  /** @param {TableView} view @param {number} size */
  ball({ theme, t, now, segment }, size) {
    const { g, u, top, duals } = this;
    const r = Math.min(size / 2 - 22 * u, (this.sheet.h - top - 24 * u) / 2);
    const cx = size / 2 - 8 * u;
    const cy = top + r;
    /** @param {number} a @param {number} b @returns {Point} */
    const at = (a, b) => [cx + a * r, cy - b * r];
    const trail = [];
    circle(g, cx, cy, r, theme.ghost, 1.4);
    duals.at(t); // the way there is known from here on
    for (let s = Math.max(0, t - 120); s <= t; s++)
      trail.push(at(duals.path[2 * s], duals.path[2 * s + 1]));
    if (trail.length > 1) line(g, trail, theme.floor, 1.2);
    const best = segment.optimum?.w;
    if (best) {
      const [x, y] = at(best[0], best[1]);
      for (const d of [5, -5]) rule(g, x - 5, y - d, x + 5, y + d, theme.optimum, 2);
    }
    arrow(g, cx, cy, ...at(now.w[0], now.w[1]), theme.ink, 2.4, 10);
    centred(g, theme, "w in its ball", cx, cy + r + 18 * u);
  }
}
