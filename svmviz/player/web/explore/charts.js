// The charts below the map: the measure along each parameter through the cursor, and error against
// size.

import { dot, line, rule, stroke, text } from "../canvas/draw.js";
import { dragged } from "../canvas/elements.js";
import { axisNumbers, sides, widthOf } from "../canvas/labels.js";
import { clamp, logScale, percent, scale, ticks, tickText } from "../canvas/scales.js";
import { DIVERGED, isShare, number, placeOf, THERE, UNSETTLED, written } from "./cells.js";
import { CellChart } from "./section.js";
import { mark } from "./signs.js";

/** @typedef {{ cell: number, row: number, at: number, x: number }} Swept a cell of a line, the `at`-th */

// the share of all values that an axis must hold: a few that are far off may leave it
const SPIKE = 0.92;

// Limits of an axis of values that holds nearly all of them, and all that must be seen.
/** @param {number[]} values @param {number[]} must */
export function extentOf(values, must) {
  const known = values.filter(Number.isFinite).sort((a, b) => a - b);
  const sure = must.filter(Number.isFinite);
  if (!known.length && !sure.length) return [0, 1];
  const most = known[Math.floor((known.length - 1) * SPIKE)] ?? -Infinity;
  const low = Math.min(known[0] ?? Infinity, ...sure);
  const high = Math.max(most, ...sure);
  const room = (high - low || Math.abs(high) || 1) * 0.12;
  return [low >= 0 ? Math.max(0, low - room) : low - room, high + room];
}

export class Slice extends CellChart {
  /** @param {HTMLElement} section @param {Explore} stage @param {number} axis */
  constructor(section, stage, axis) {
    super(section, stage, ""); // the map says the same in words
    this.axis = axis;
    dragged(
      this.sheet.canvas,
      event => stage.pin(this.at(event.offsetX)),
      () => {},
    );
  }

  /** @param {Cells} cells */
  accept(cells) {
    super.accept(cells);
    const { axes, measure } = cells.data;
    this.title.textContent = this.alone
      ? `${measure.key === "error" ? `${cells.data.validated} error` : measure.title} over ${axes[0].symbol}`
      : `Over ${axes[this.axis].symbol}`;
  }

  get alone() {
    return this.cells.shape.length === 1;
  }

  // The cell of the line through the cursor that is nearest to a place of the canvas.
  /** @param {number} px */
  at(px) {
    const { cells, stage } = this;
    if (!cells || stage.cursor === null) return null;
    const line = cells.line(stage.cursor, this.axis);
    const places = line.map((_, k) => Math.abs(this.place(k) - px));
    return line[places.indexOf(Math.min(...places))];
  }

  /** @param {number} k */
  place(k) {
    const { values, number: real, log } = this.cells.data.axes[this.axis];
    return this.x ? this.x(real || log ? values[k] : k) : 0;
  }

  // The height of a value, which may leave the limits.
  /** @param {number} v */
  inside(v) {
    return clamp(this.y(v), this.top - 6, this.bottom);
  }

  /** @param {Theme} theme @param {number} cursor @param {[number, number]} extent */
  paint(theme, cursor, extent) {
    if (!this.shown) return;
    this.begin(theme);
    const { g, cells, sheet, data, u } = this;
    const axis = data.axes[this.axis];
    this.say(cursor);
    this.arrange(axis, extent);
    this.rows(ticks(extent[0], extent[1], sheet.h > 220 ? 6 : 3), this.words(data));
    this.numbers(axis, this.bottom + 18 * u);
    /** @type {Swept[]} */
    const points = cells
      .line(cursor, this.axis)
      .map((cell, at) => ({ cell, at, row: cells.row(cell), x: this.place(at) }));
    const there = points.filter(
      ({ row }) => row >= 0 && Number.isFinite(data.value[row]) && data.state_of[row] > 0,
    );
    if (data.seeds > 1) this.band(there);
    if (data.measure.key === "error" && data.limit !== null)
      this.level(this.inside(data.limit), theme.optimum, 1.5, [2, 3]);
    // across what is still to come the line is only a hint
    there.slice(1).forEach(({ x, row, at }, k) => {
      const { x: from, row: before, at: last } = there[k];
      const [color, width, dash] =
        at - last === 1 ? [theme.ink, 2, []] : [theme.ghost, 1.5, [3, 3]];
      const [start, end] = [before, row].map(one => this.inside(data.value[one]));
      rule(g, from, start, x, end, color, width, dash);
    });
    this.upright(this.place(placeOf(cursor, cells.shape)[this.axis]), this.top - 4, theme.ui, 1.25);
    for (const { x, row } of there) {
      const hollow = [DIVERGED, UNSETTLED].includes(data.state_of[row]);
      const r = (row === cells.row(cursor) ? 5 : 3.6) * Math.sqrt(u);
      dot(g, x, this.inside(data.value[row]), r, hollow ? theme.bg : theme.ink);
      if (hollow) stroke(g, theme.ink, 1.5);
    }
    if (this.alone) this.signs(there);
    this.label(points, there, cursor);
  }

  // What the other parameters are on this line.
  /** @param {number} cursor */
  say(cursor) {
    const { data } = this.cells;
    const at = placeOf(cursor, data.shape);
    const others = data.axes.flatMap(({ symbol, labels }, k) =>
      k === this.axis ? [] : [`${symbol} = ${labels[at[k]]}`],
    );
    const band = data.seeds > 1 ? `band: ${data.seeds} seeds` : "";
    const where = others.length ? `at ${others.join(", ")}` : "";
    this.caption.say([where, band].filter(Boolean).join(", "), where || band);
  }

  /** @param {SweptAxis} axis @param {[number, number]} extent */
  arrange(axis, extent) {
    const { sheet } = this;
    const u = this.theme.unit;
    const [left, right, top, bottom] = [50 * u, sheet.w - 14 * u, 8 * u, sheet.h - 24 * u];
    Object.assign(this, { left, right, top, bottom });
    this.y = scale(extent[0], extent[1], bottom, top);
    const [first, last] = [axis.values[0], axis.values[axis.values.length - 1]];
    this.x = (axis.log ? logScale : scale)(first, last, left + 10 * u, right - 10 * u);
  }

  /** @param {Swept[]} there */
  band(there) {
    const { g, theme, cells } = this;
    const { high, low } = cells.data;
    g.beginPath();
    for (const { x, row } of there) g.lineTo(x, this.inside(high[row]));
    for (const { x, row } of there.toReversed()) g.lineTo(x, this.inside(low[row]));
    g.fillStyle = theme.hair;
    g.globalAlpha = 0.75;
    g.fill();
    g.globalAlpha = 1;
  }

  // Where there is no map they stand here.
  /** @param {Swept[]} there */
  signs(there) {
    const { g, theme, data, u } = this;
    for (const { cell, row, x } of there) {
      const y = this.inside(data.value[row]);
      if (cell === data.best) mark(g, "star", x, y, 8 * u, theme.ink, theme.bg);
      else if (cell === data.sparsest) mark(g, "ring", x, y, 11 * u, theme.ink, theme.bg);
    }
    if (data.cross) {
      const { values } = data.axes[0];
      const k = Math.min(Math.floor(data.cross[0]), values.length - 2);
      const x = this.place(k) + (data.cross[0] - k) * (this.place(k + 1) - this.place(k));
      mark(g, "cross", x, this.sheet.h - 34 * u, 8 * u, theme.ink, theme.bg);
    }
  }

  /** @param {Swept[]} points @param {Swept[]} there @param {number} cursor */
  label(points, there, cursor) {
    const { cells, theme, left, right, bottom, u } = this;
    const { limit, measure, value, state_of } = cells.data;
    const labels = this.labels();
    const now = there.find(({ cell }) => cell === cursor);
    if (now) {
      const v = value[now.row];
      const h = this.inside(v);
      const places = sides(now.x, 9 * u, [h - 10 * u, h + 18 * u]);
      labels.must(cells.words(v), { weight: 700, color: theme.ink }, ...places);
    }
    if (limit !== null && measure.key === "error") {
      const y = this.inside(limit);
      labels.put(
        "lowest + 1 SE",
        { color: theme.ink2 },
        [right, y - 5 * u, "right"],
        [left + 4, y - 5 * u],
        [right, y + 15 * u, "right"],
      );
    }
    const gap = points.find(({ row }) => row < 0 || !(state_of[row] > 0));
    if (gap && there.length < points.length - 2)
      labels.put("to come", { color: theme.muted }, [gap.x, bottom / 2, "center"]);
  }

  /** @param {SweepData} data */
  words(data) {
    return data.measure.percent
      ? percent
      : data.measure.whole
        ? (/** @type {number} */ v) => written(v, data.measure)
        : tickText;
  }

  /** @param {SweptAxis} axis @param {number} y */
  numbers(axis, y) {
    const { g, theme } = this;
    if (axis.number && axis.log) {
      const [low, high] = [axis.values[0], axis.values[axis.values.length - 1]];
      const powers = [];
      for (let e = Math.ceil(Math.log10(low) - 1e-9); 10 ** e <= high * 1.001; e++)
        powers.push(10 ** e);
      const said = powers.length > 1 ? powers : axis.values;
      return axisNumbers(g, theme, said, this.x, y, 0, this.sheet.w + 6);
    }
    let free = 0;
    axis.labels.forEach((words, k) => {
      const half = widthOf(g, theme, words) / 2;
      const x = this.place(k);
      if (x - half < free) return;
      text(g, theme, words, x, y, { color: theme.muted, align: "center" });
      free = x + half + 8 * theme.unit;
    });
  }
}

// Every cell by its vectors and its error, its area by the seconds of a fit; the cells that no
// other beats in both are joined.
export class SizeChart extends CellChart {
  /** @type {{ cell: number, x: number, y: number }[]} */ spots = [];

  /** @param {HTMLElement} section @param {Explore} stage */
  constructor(section, stage) {
    super(section, stage, "Error of each cell against its number of support vectors");
    this.title.textContent = "Error and size";
    this.choose((x, y) => this.near(x, y));
  }

  /** @param {Cells} cells */
  accept(cells) {
    super.accept(cells);
    const area = "area: seconds of a fit";
    this.caption.say(`support vectors to the right, ${area}`, area, "");
  }

  /** @param {number} x @param {number} y */
  near(x, y) {
    let [best, apart] = [/** @type {number | null} */ (null), 14];
    for (const spot of this.spots) {
      const d = Math.hypot(spot.x - x, spot.y - y);
      if (d < apart) [best, apart] = [spot.cell, d];
    }
    return best;
  }

  /** @param {Theme} theme @param {number | null} cursor @param {[number, number]} extent */
  paint(theme, cursor, extent) {
    if (!this.shown) return;
    this.begin(theme);
    const { g, cells, sheet, data, u } = this;
    const [left, right, bottom, top] = [50 * u, sheet.w - 14 * u, sheet.h - 24 * u, 8 * u];
    Object.assign(this, { left, right, bottom, top });
    const rows = cells.order.filter(
      k =>
        data.state_of[k] > 0 && Number.isFinite(data.error[k]) && Number.isFinite(data.vectors[k]),
    );
    const sizes = rows.map(k => data.vectors[k]);
    const [low, high] = [Math.min(...sizes, Infinity), Math.max(...sizes, -Infinity)];
    const room = Math.max(1, (high - low) * 0.06);
    const [from, to] = rows.length ? [Math.max(0, low - room), high + room] : [0, 1];
    const x = (this.x = scale(from, to, left, right));
    this.y = scale(extent[0], extent[1], bottom, top);
    this.rows(ticks(extent[0], extent[1], 3), isShare(data) ? percent : tickText);
    if (rows.length)
      axisNumbers(g, theme, ticks(from, to, 4), x, bottom + 18 * u, left - 20, sheet.w + 6);
    const slowest = Math.max(...rows.map(k => data.seconds[k]), 1e-9);
    this.spots = rows.map(k => ({
      cell: cells.cell(k),
      x: x(data.vectors[k]),
      y: this.inside(data.error[k]),
    }));
    rows.forEach((k, at) => {
      const spot = this.spots[at];
      const r = (1.8 + 4.2 * Math.sqrt(Math.max(0, data.seconds[k]) / slowest)) * Math.sqrt(u);
      g.globalAlpha = 0.55;
      if (data.state_of[k] === THERE) dot(g, spot.x, spot.y, r, theme.floor);
      else {
        g.beginPath();
        g.arc(spot.x, spot.y, r, 0, 7);
        stroke(g, theme.floor, 1.25);
      }
      g.globalAlpha = 1;
    });
    this.front();
    this.named(cursor);
  }

  /** @param {number} v */
  inside(v) {
    return clamp(this.y(v), this.top - 4, this.bottom);
  }

  front() {
    const { g, theme, cells, x, data } = this;
    const rows = data.front.map(cell => cells.row(cell)).filter(row => row >= 0);
    /** @param {number} row */
    const y = row => this.inside(data.error[row]);
    /** @type {number[][]} */
    const steps = [];
    rows.forEach((row, k) => {
      if (k) steps.push([x(data.vectors[row]), y(rows[k - 1])]);
      steps.push([x(data.vectors[row]), y(row)]);
    });
    line(g, steps, theme.ink, 2);
    for (const row of rows)
      dot(g, x(data.vectors[row]), y(row), 2.8 * Math.sqrt(theme.unit), theme.ink);
  }

  /** @param {number | null} cursor */
  named(cursor) {
    const { g, theme, cells, data, u } = this;
    const labels = this.labels();
    /** @param {number | null} cell */
    const spot = cell => this.spots.find(other => other.cell === cell);
    const [best, sparsest, now] = [spot(data.best), spot(data.sparsest), spot(cursor)];
    if (now) {
      g.beginPath();
      g.roundRect(now.x - 7 * u, now.y - 7 * u, 14 * u, 14 * u, 3);
      stroke(g, theme.bg, 4.5);
      stroke(g, theme.ui, 2.25);
    }
    if (sparsest && sparsest !== best)
      mark(g, "ring", sparsest.x, sparsest.y, 9 * u, theme.ink, theme.bg);
    if (best) mark(g, "star", best.x, best.y, 8 * u, theme.ink, theme.bg);
    for (const [at, words] of /** @type {[typeof best, (row: number) => string][]} */ ([
      [best, row => `${number(data.vectors[row])}, ${share(data, row)}`],
      [
        sparsest === best ? undefined : sparsest,
        row => `${number(data.vectors[row])} vectors, ${share(data, row)}`,
      ],
    ]))
      if (at) {
        const row = cells.row(at.cell);
        const places = sides(at.x, 13 * u, [at.y + 19 * u, at.y - 24 * u, at.y - 11 * u]);
        labels.must(words(row), { weight: 700, color: theme.ink }, ...places, [
          at.x,
          at.y + 21 * u,
          "center",
        ]);
      }
  }
}

/** @param {SweepData} data @param {number} row */
const share = (data, row) => written(data.error[row], { percent: isShare(data), whole: false });
