// Three parameters and more: each has an axis of its own, and a cell is a line across all of them
// that ends at its error. Drag along an axis to keep only the lines that pass there; the best is
// bold.

import { dot, line, stroke, text } from "../canvas/draw.js";
import { fitting, widthOf } from "../canvas/labels.js";
import { clamp, scale } from "../canvas/scales.js";
import { brief, placeOf, THERE, written } from "./cells.js";
import { CellChart } from "./section.js";
import { mark } from "./signs.js";

// The places on an axis that a brush leaves, both ends among them; null keeps all.
/** @typedef {[low: number, high: number] | null} Brush */

// Whether a cell passes all brushes; heights run from 0 to 1.
/** @param {number[]} heights @param {Brush[]} brushes */
export const passes = (heights, brushes) =>
  heights.every((v, k) => !brushes[k] || (v >= brushes[k][0] - 1e-9 && v <= brushes[k][1] + 1e-9));

export class Parallel extends CellChart {
  /** @type {Brush[]} */ brushes = [];
  /** @type {{ axis: number, from: number } | null} */ held = null;
  id = "";
  /** @type {number[]} */ xs = [];
  /** @type {{ cell: number, row: number, heights: number[] }[]} */ lines = [];

  /** @param {HTMLElement} section @param {Explore} stage */
  constructor(section, stage) {
    super(section, stage, "Every cell as a line across all parameters to its error");
    const { canvas } = this.sheet;
    canvas.addEventListener("pointerdown", event => this.press(event));
    canvas.addEventListener("pointermove", event => this.move(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
      canvas.addEventListener(end, event => this.release(event));
    canvas.addEventListener("pointerleave", () => stage.hover(null));
  }

  /** @param {Cells} cells */
  accept(cells) {
    const { data } = cells;
    super.accept(cells);
    this.title.textContent =
      data.measure.key === "error" ? `${data.validated} error` : data.measure.title;
    const many =
      data.counts.cells > cells.size
        ? `the ${cells.size} lowest of ${data.counts.cells} cells; `
        : "";
    this.caption.say(
      `${many}drag along an axis to keep what passes there, ${data.how}`,
      `drag along an axis, ${data.how}`,
      data.how,
    );
    if (this.id !== data.id) {
      this.id = data.id;
      this.brushes = [];
    }
    const known = cells.order.filter(
      k => data.state_of[k] === THERE && Number.isFinite(data.value[k]),
    );
    const values = known.map(k => data.value[k]);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    this.ends = [low, high];
    this.lines = known.map(row => {
      const place = placeOf(cells.cell(row), cells.shape);
      const heights = place.map((at, k) => (cells.shape[k] > 1 ? at / (cells.shape[k] - 1) : 0.5));
      return {
        cell: cells.cell(row),
        row,
        heights: [...heights, high > low ? (data.value[row] - low) / (high - low) : 0.5],
      };
    });
    this.lines.sort((a, b) => data.value[b.row] - data.value[a.row]); // the best lie on top
  }

  /** @param {number} v */
  height(v) {
    return this.bottom + v * (this.top - this.bottom);
  }

  /** @param {Theme} theme @param {number | null} cursor */
  paint(theme, cursor) {
    if (!this.shown) return;
    this.begin(theme);
    const { g, sheet, data, u } = this;
    const names = [...data.axes.map(axis => axis.symbol), data.measure.title];
    [this.top, this.bottom] = [30 * u, sheet.h - 14 * u];
    const x = scale(0, names.length - 1, 46 * u, sheet.w - 64 * u);
    this.xs = names.map((_, k) => x(k));
    const best = this.lines.at(-1);
    for (const item of this.lines) {
      const kept = passes(item.heights, this.brushes);
      const share = item.heights[names.length - 1];
      g.globalAlpha = kept ? 0.2 + 0.6 * (1 - share) ** 2 : 0.05;
      line(g, this.path(item), kept ? theme.ink2 : theme.ghost, kept ? 1.25 : 1);
    }
    g.globalAlpha = 1;
    const now = this.lines.find(({ cell }) => cell === cursor);
    for (const x of this.xs) this.upright(x, this.top, theme.ghost, 1.25);
    if (best) this.bold(best, theme.ink, 3.25);
    if (now && now !== best) this.bold(now, theme.ui, 2.25, [6, 3]);
    names.forEach((name, k) => this.axis(name, k, now));
    if (best)
      mark(g, "star", this.xs.at(-1), this.height(best.heights.at(-1)), 7 * u, theme.ink, theme.bg);
    if (now) {
      const words = written(data.value[now.row], data.measure);
      text(g, theme, words, this.xs.at(-1) + 12 * u, this.height(now.heights.at(-1)) + 4, {
        weight: 700,
        color: theme.ink,
        halo: theme.bg,
      });
    }
  }

  /** @param {{ heights: number[] }} item @returns {number[][]} */
  path({ heights }) {
    return heights.map((v, k) => [this.xs[k], this.height(v)]);
  }

  /** @param {{ heights: number[] }} item @param {string} color @param {number} width @param {number[]} [dash] */
  bold(item, color, width, dash) {
    const { g, theme } = this;
    const path = this.path(item);
    line(g, path, theme.bg, width + 3);
    line(g, path, color, width, dash);
    for (const [x, y] of path) dot(g, x, y, width + 0.75, color);
  }

  // Its name and values, beside it; at the last one those that the number of the cursor leaves room
  // for.
  /** @param {string} name @param {number} k @param {{ heights: number[] }} [now] */
  axis(name, k, now) {
    const { g, theme, data, u } = this;
    const x = this.xs[k];
    const last = k === data.axes.length;
    const room = this.xs.length > 1 ? this.xs[1] - this.xs[0] : this.sheet.w;
    const words = fitting(g, theme, room - 8 * u, [name, name.split(" ").at(-1)], { weight: 650 });
    const half = widthOf(g, theme, words, { weight: 650 }) / 2;
    text(g, theme, words, clamp(x, half, this.sheet.w - half), 14 * u, {
      weight: 650,
      color: theme.ink,
      align: "center",
    });
    const labels = last ? (this.ends?.map(v => brief(v, data.measure)) ?? []) : data.axes[k].labels;
    const every = Math.ceil(labels.length / Math.max(2, (this.bottom - this.top) / (20 * u)));
    labels.forEach((label, at) => {
      if (at % every && at !== labels.length - 1) return;
      const y = this.height(labels.length > 1 ? at / (labels.length - 1) : 0.5);
      if (last && now && Math.abs(this.height(now.heights[k]) - y) < 18 * u) return;
      text(g, theme, label, x + (last ? 12 : -7) * u, y + 4 * u, {
        size: 12.5,
        color: theme.muted,
        align: last ? "left" : "right",
        halo: theme.bg,
      });
    });
    const brush = this.brushes[k];
    if (!brush) return;
    g.beginPath();
    g.roundRect(
      x - 6,
      this.height(brush[1]) - 3,
      12,
      this.height(brush[0]) - this.height(brush[1]) + 6,
      4,
    );
    g.globalAlpha = 0.25;
    g.fillStyle = theme.ui;
    g.fill();
    g.globalAlpha = 1;
    stroke(g, theme.ui, 1.5);
  }

  /** @param {number} px */
  share(px) {
    return clamp((this.bottom - px) / (this.bottom - this.top), 0, 1);
  }

  /** @param {PointerEvent} event */
  press(event) {
    const axis = this.xs.findIndex(x => Math.abs(x - event.offsetX) < 14);
    if (axis < 0) return this.stage.pin(this.near(event.offsetX, event.offsetY));
    this.sheet.canvas.setPointerCapture(event.pointerId);
    this.held = { axis, from: this.share(event.offsetY) };
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.held) {
      if (event.pointerType !== "touch") this.stage.hover(this.near(event.offsetX, event.offsetY));
      return;
    }
    const to = this.share(event.offsetY);
    const { axis, from } = this.held;
    this.brushes[axis] =
      Math.abs(to - from) < 0.02 ? null : [Math.min(from, to), Math.max(from, to)];
    this.stage.repaint();
  }

  // A press without a way along the axis lets all lines pass again.
  /** @param {PointerEvent} event */
  release(event) {
    if (!this.held) return;
    if (Math.abs(this.share(event.offsetY) - this.held.from) < 0.02)
      this.brushes[this.held.axis] = null;
    this.held = null;
    this.stage.repaint();
  }

  // The line that passes closest, if one passes close by.
  /** @param {number} x @param {number} y */
  near(x, y) {
    const k = this.xs.findLastIndex(at => at <= x);
    if (k < 0 || k >= this.xs.length - 1) return null;
    const u = (x - this.xs[k]) / (this.xs[k + 1] - this.xs[k]);
    let [best, apart] = [/** @type {number | null} */ (null), 10];
    for (const { cell, heights } of this.lines) {
      if (!passes(heights, this.brushes)) continue;
      const d = Math.abs(this.height(heights[k] + u * (heights[k + 1] - heights[k])) - y);
      if (d <= apart) [best, apart] = [cell, d];
    }
    return best;
  }
}
