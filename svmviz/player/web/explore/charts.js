// The charts below the map: the measure along each parameter through the cursor, and error against
// size.

import { dot, gridlines, line, rule, Sheet, stroke, text } from "../canvas/draw.js";
import { dragged, find } from "../canvas/elements.js";
import { axisNumbers, Caption, Labels, sides, widthOf } from "../canvas/labels.js";
import { clamp, logScale, percent, scale, ticks, tickText } from "../canvas/scales.js";
import { DIVERGED, isShare, number, placeOf, THERE, UNSETTLED, written } from "./cells.js";
import { mark } from "./signs.js";

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

export class Slice {
  /** @type {Cells | undefined} */ cells;
  /** @type {Scale | undefined} */ x;
  left = 0;
  right = 0;

  /** @param {HTMLElement} section @param {Explore} stage @param {number} axis */
  constructor(section, stage, axis) {
    Object.assign(this, { stage, axis });
    this.stage = stage;
    this.axis = axis;
    section.innerHTML = `<h3><b></b> <span class="caption"></span></h3><div class="view"></div>`;
    this.section = section;
    this.title = find(section, "h3 b");
    this.caption = new Caption(find(section, ".caption"));
    this.sheet = new Sheet(find(section, ".view"), "");
    this.sheet.canvas.setAttribute("aria-hidden", "true"); // the map says the same in words
    dragged(
      this.sheet.canvas,
      event => stage.pin(this.at(event.offsetX)),
      () => {},
    );
  }

  /** @param {Cells} cells */
  accept(cells) {
    this.cells = cells;
    const { axes, measure } = cells.data;
    this.title.textContent = this.alone
      ? `${measure.key === "error" ? `${cells.data.validated} error` : measure.title} over ${axes[0].symbol}`
      : `Over ${axes[this.axis].symbol}`;
  }

  get alone() {
    return this.cells?.shape.length === 1;
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
    const { values, number: real, log } = /** @type {Cells} */ (this.cells).data.axes[this.axis];
    return this.x ? this.x(real || log ? values[k] : k) : 0;
  }

  /** @param {Theme} theme @param {number} cursor @param {[number, number]} extent */
  paint(theme, cursor, extent) {
    const { cells, sheet } = this;
    if (!cells || !sheet.visible) return;
    const { data } = cells;
    const g = sheet.begin();
    const u = theme.unit;
    const axis = data.axes[this.axis];
    const at = placeOf(cursor, data.shape);
    const others = data.axes.flatMap(({ symbol, labels }, k) =>
      k === this.axis ? [] : [`${symbol} = ${labels[at[k]]}`],
    );
    const band = data.seeds > 1 ? `band: ${data.seeds} seeds` : "";
    const where = others.length ? `at ${others.join(", ")}` : "";
    this.caption.say([where, band].filter(Boolean).join(", "), where || band);
    this.left = 50 * u;
    this.right = sheet.w - 14 * u;
    const bottom = sheet.h - 24 * u;
    const top = 8 * u;
    const y = scale(extent[0], extent[1], bottom, top);
    const last = axis.values.length - 1;
    this.x = (axis.log ? logScale : scale)(
      axis.values[0],
      axis.values[last],
      this.left + 10 * u,
      this.right - 10 * u,
    );
    gridlines(
      g,
      theme,
      ticks(extent[0], extent[1], sheet.h > 220 ? 6 : 3),
      y,
      this.left,
      this.right,
      this.words(data),
    );
    this.numbers(g, theme, axis, bottom + 18 * u);
    const points = cells
      .line(cursor, this.axis)
      .map((cell, at) => ({ cell, at, row: cells.row(cell), x: this.place(at) }));
    const there = points.filter(
      ({ row }) => row >= 0 && Number.isFinite(data.value[row]) && data.state_of[row] > 0,
    );
    const inside = /** @param {number} v */ v => clamp(y(v), top - 6, bottom);
    if (data.seeds > 1) {
      g.beginPath();
      for (const { x, row } of there) g.lineTo(x, inside(data.high[row]));
      for (const { x, row } of there.toReversed()) g.lineTo(x, inside(data.low[row]));
      g.fillStyle = theme.hair;
      g.globalAlpha = 0.75;
      g.fill();
      g.globalAlpha = 1;
    }
    if (data.measure.key === "error" && data.limit !== null) {
      rule(
        g,
        this.left,
        inside(data.limit),
        this.right,
        inside(data.limit),
        theme.optimum,
        1.5,
        [2, 3],
      );
    }
    // across what is still to come the line is only a hint
    there.slice(1).forEach(({ x, row, at: here }, k) => {
      const { x: from, row: before, at: last } = there[k];
      const known = here - last === 1;
      rule(
        g,
        from,
        inside(data.value[before]),
        x,
        inside(data.value[row]),
        known ? theme.ink : theme.ghost,
        known ? 2 : 1.5,
        known ? [] : [3, 3],
      );
    });
    this.rule(g, theme, cursor, top, bottom);
    for (const { x, row } of there) {
      const hollow = [DIVERGED, UNSETTLED].includes(data.state_of[row]);
      dot(
        g,
        x,
        inside(data.value[row]),
        (row === cells.row(cursor) ? 5 : 3.6) * Math.sqrt(u),
        hollow ? theme.bg : theme.ink,
      );
      if (hollow) stroke(g, theme.ink, 1.5);
    }
    this.signs(g, theme, there, inside);
    this.labels(g, theme, points, there, cursor, inside, {
      left: this.left,
      top: 0,
      right: sheet.w,
      bottom,
    });
  }

  /**
   * @param {Pen} g
   * @param {Theme} theme
   * @param {number} cursor
   * @param {number} top
   * @param {number} bottom
   */
  rule(g, theme, cursor, top, bottom) {
    const x = this.place(placeOf(cursor, /** @type {Cells} */ (this.cells).shape)[this.axis]);
    rule(g, x, top - 4, x, bottom, theme.ui, 1.25);
  }

  // Where there is no map they stand here.
  /**
   * @param {Pen} g
   * @param {Theme} theme
   * @param {{ cell: number, row: number, x: number }[]} there
   * @param {(v: number) => number} y
   */
  signs(g, theme, there, y) {
    const { data } = /** @type {Cells} */ (this.cells);
    if (!this.alone) return;
    for (const { cell, row, x } of there) {
      if (cell === data.best)
        mark(g, "star", x, y(data.value[row]), 8 * theme.unit, theme.ink, theme.bg);
      else if (cell === data.sparsest)
        mark(g, "ring", x, y(data.value[row]), 11 * theme.unit, theme.ink, theme.bg);
    }
    if (data.cross && this.x) {
      const { values } = data.axes[0];
      const k = Math.min(Math.floor(data.cross[0]), values.length - 2);
      const x = this.place(k) + (data.cross[0] - k) * (this.place(k + 1) - this.place(k));
      mark(g, "cross", x, this.sheet.h - 34 * theme.unit, 8 * theme.unit, theme.ink, theme.bg);
    }
  }

  /**
   * @param {Pen} g
   * @param {Theme} theme
   * @param {{ cell: number, row: number, x: number }[]} points
   * @param {{ cell: number, row: number, x: number }[]} there
   * @param {number} cursor
   * @param {(v: number) => number} y
   * @param {Frame} frame
   */
  labels(g, theme, points, there, cursor, y, frame) {
    const cells = /** @type {Cells} */ (this.cells);
    const labels = new Labels(g, theme, frame);
    const now = there.find(({ cell }) => cell === cursor);
    if (now) {
      const v = cells.data.value[now.row];
      const h = y(v);
      const places = sides(now.x, 9 * theme.unit, [h - 10 * theme.unit, h + 18 * theme.unit]);
      labels.must(cells.words(v), { weight: 700, color: theme.ink }, ...places);
    }
    const { limit, measure } = cells.data;
    if (limit !== null && measure.key === "error")
      labels.put(
        "lowest + 1 SE",
        { color: theme.ink2 },
        [this.right, y(limit) - 5 * theme.unit, "right"],
        [this.left + 4, y(limit) - 5 * theme.unit],
        [this.right, y(limit) + 15 * theme.unit, "right"],
      );
    const gap = points.find(({ row }) => row < 0 || !(cells.data.state_of[row] > 0));
    if (gap && there.length < points.length - 2)
      labels.put("to come", { color: theme.muted }, [
        gap.x,
        (frame.bottom + (frame.top ?? 0)) / 2,
        "center",
      ]);
  }

  /** @param {SweepData} data */
  words(data) {
    return data.measure.percent
      ? percent
      : data.measure.whole
        ? (/** @type {number} */ v) => written(v, data.measure)
        : tickText;
  }

  /** @param {Pen} g @param {Theme} theme @param {SweptAxis} axis @param {number} y */
  numbers(g, theme, axis, y) {
    if (axis.number && axis.log) {
      const [low, high] = [axis.values[0], axis.values[axis.values.length - 1]];
      const powers = [];
      for (let e = Math.ceil(Math.log10(low) - 1e-9); 10 ** e <= high * 1.001; e++)
        powers.push(10 ** e);
      const said = powers.length > 1 ? powers : axis.values;
      return axisNumbers(
        g,
        theme,
        said,
        /** @type {Scale} */ (this.x),
        y,
        0,
        this.sheet.w + 6,
        tickText,
      );
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
export class SizeChart {
  /** @type {Cells | undefined} */ cells;
  /** @type {{ cell: number, x: number, y: number }[]} */ spots = [];

  /** @param {HTMLElement} section @param {Explore} stage */
  constructor(section, stage) {
    this.stage = stage;
    section.innerHTML = `<h3><b>Error and size</b> <span class="caption"></span></h3><div class="view"></div>`;
    this.caption = new Caption(find(section, ".caption"));
    this.sheet = new Sheet(
      find(section, ".view"),
      "Error of each cell against its number of support vectors",
    );
    const { canvas } = this.sheet;
    /** @param {MouseEvent} event */
    const near = event => this.near(event.offsetX, event.offsetY);
    canvas.addEventListener("pointermove", event => {
      if (event.pointerType !== "touch") stage.hover(near(event));
    });
    canvas.addEventListener("pointerleave", () => stage.hover(null));
    canvas.addEventListener("click", event => stage.pin(near(event)));
  }

  /** @param {Cells} cells */
  accept(cells) {
    this.cells = cells;
    this.caption.say(
      "support vectors to the right, area: seconds of a fit",
      "area: seconds of a fit",
      "",
    );
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
    const { cells, sheet } = this;
    if (!cells || !sheet.visible) return;
    const { data } = cells;
    const g = sheet.begin();
    const u = theme.unit;
    const [left, right, bottom, top] = [50 * u, sheet.w - 14 * u, sheet.h - 24 * u, 8 * u];
    const rows = cells.order.filter(
      k =>
        data.state_of[k] > 0 && Number.isFinite(data.error[k]) && Number.isFinite(data.vectors[k]),
    );
    const sizes = rows.map(k => data.vectors[k]);
    const [low, high] = [Math.min(...sizes, Infinity), Math.max(...sizes, -Infinity)];
    const room = Math.max(1, (high - low) * 0.06);
    const x = rows.length
      ? scale(Math.max(0, low - room), high + room, left, right)
      : scale(0, 1, left, right);
    const y = scale(extent[0], extent[1], bottom, top);
    gridlines(
      g,
      theme,
      ticks(extent[0], extent[1], 3),
      y,
      left,
      right,
      isShare(data) ? percent : tickText,
    );
    if (rows.length)
      axisNumbers(g, theme, ticks(x.d0, x.d1, 4), x, bottom + 18 * u, left - 20, sheet.w + 6);
    const slowest = Math.max(...rows.map(k => data.seconds[k]), 1e-9);
    const inside = /** @param {number} v */ v => clamp(y(v), top - 4, bottom);
    this.spots = rows.map(k => ({
      cell: cells.cell(k),
      x: x(data.vectors[k]),
      y: inside(data.error[k]),
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
    this.front(g, theme, x, inside);
    this.named(g, theme, cursor, { left, top: 0, right: sheet.w, bottom });
  }

  /** @param {Pen} g @param {Theme} theme @param {Scale} x @param {(v: number) => number} y */
  front(g, theme, x, y) {
    const { data } = /** @type {Cells} */ (this.cells);
    const rows = data.front.map(cell => this.cells?.row(cell) ?? -1).filter(row => row >= 0);
    /** @type {number[][]} */
    const steps = [];
    rows.forEach((row, k) => {
      if (k) steps.push([x(data.vectors[row]), y(data.error[rows[k - 1]])]);
      steps.push([x(data.vectors[row]), y(data.error[row])]);
    });
    line(g, steps, theme.ink, 2);
    for (const row of rows)
      dot(g, x(data.vectors[row]), y(data.error[row]), 2.8 * Math.sqrt(theme.unit), theme.ink);
  }

  /** @param {Pen} g @param {Theme} theme @param {number | null} cursor @param {Frame} frame */
  named(g, theme, cursor, frame) {
    const { data } = /** @type {Cells} */ (this.cells);
    const labels = new Labels(g, theme, frame);
    const u = theme.unit;
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
        const row = this.cells?.row(at.cell) ?? 0;
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
