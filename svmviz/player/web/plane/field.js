// A field of decision values on a grid: as a picture, and as the lines where it takes a value.

import { penOf } from "../canvas/draw.js";
import { make } from "../canvas/elements.js";

// Where a value of 0 lies between v0 and v1 of opposite signs, one cell apart, as a share of the
// way; `before` and `behind` are the values one cell further out. Far from all examples f falls by
// orders of magnitude from cell to cell, and a straight line between two values would meet 0 at
// either cell: a staircase. The curve taken, (a + b k) r^k through three values, is straight where
// f is, and follows it where it falls.
/** @param {number} before @param {number} v0 @param {number} v1 @param {number} behind */
export function crossing(before, v0, v1, behind) {
  /** @param {number} far @param {number} near @param {number} over */
  const from = (far, near, over) => {
    // without r^k
    const s = near / ((near / far + Math.sqrt((near / far) ** 2 - over / far)) * far);
    return s / (1 - s);
  };
  const known = [];
  if (before * v0 > 0) known.push(from(before, v0, v1));
  if (behind * v1 > 0) known.push(1 - from(behind, v1, v0));
  if (!known.length || !known.every(Number.isFinite)) return v0 / (v0 - v1);
  return Math.min(1, Math.max(0, known.reduce((sum, at) => sum + at, 0) / known.length));
}

// Polylines of the level set field = level, in units of cells (marching squares, chained so that
// dashes run on). Every edge of the grid is crossed at most once and has at most two neighbours on
// the line: two slots an edge hold the whole graph.
let slots = new Int32Array(0);

/** @param {Indexed} field @param {number} columns @param {number} rows @param {number} level */
export function contours(field, columns, rows, level) {
  /** @type {Point[][]} */
  const lines = [];
  /** @type {number[]} */
  const crossed = [];
  if (slots.length < 4 * columns * rows) slots = new Int32Array(4 * columns * rows).fill(-1);
  /** @param {number} p @param {number} q */
  const join = (p, q) => {
    if (slots[2 * p] < 0) {
      slots[2 * p] = q;
      crossed.push(p);
    } else slots[2 * p + 1] = q;
    if (slots[2 * q] < 0) {
      slots[2 * q] = p;
      crossed.push(q);
    } else slots[2 * q + 1] = p;
  };
  for (let r = 0; r + 1 < rows; r++)
    for (let c = 0; c + 1 < columns; c++) {
      const k = r * columns + c;
      const top = 2 * k;
      const left = top + 1;
      const right = left + 2;
      const bottom = top + 2 * columns;
      const a = field[k] > level;
      const b = field[k + 1] > level;
      const e = field[k + columns + 1] > level;
      const d = field[k + columns] > level;
      if (a === b && b === e && e === d) continue;
      if (a === e && b === d) {
        // a saddle: the middle decides
        const same =
          (field[k] + field[k + 1] + field[k + columns] + field[k + columns + 1]) / 4 > level === a;
        join(top, same ? right : left);
        join(bottom, same ? left : right);
        continue;
      }
      const first = a !== b ? top : b !== e ? right : bottom;
      const last = a !== d ? left : d !== e ? bottom : right;
      join(first, last);
    }
  /** @param {number} k @param {number} step @param {number} at @param {number} count */
  const meets = (k, step, at, count) =>
    crossing(
      at > 0 ? field[k - step] - level : 0,
      field[k] - level,
      field[k + step] - level,
      at + 2 < count ? field[k + 2 * step] - level : 0,
    );
  /** @param {number} edge @returns {Point} */
  const point = edge => {
    const k = edge >> 1;
    const c = k % columns;
    const r = (k - c) / columns;
    if (edge & 1) return [c, r + meets(k, columns, r, rows)];
    return [c + meets(k, 1, c, columns), r];
  };
  /** @param {number} from @param {number} to */
  const leave = (from, to) => {
    // cut the link on both sides and move on
    for (const [p, q] of [
      [from, to],
      [to, from],
    ]) {
      if (slots[2 * p] === q) {
        slots[2 * p] = slots[2 * p + 1];
        slots[2 * p + 1] = -1;
      } else if (slots[2 * p + 1] === q) slots[2 * p + 1] = -1;
    }
    return to;
  };
  /** @param {number} start */
  const walk = start => {
    const path = [point(start)];
    for (let at = start; slots[2 * at] >= 0;) {
      at = leave(at, slots[2 * at]);
      path.push(point(at));
    }
    lines.push(path);
  };
  // open lines, from their ends
  for (const edge of crossed) if (slots[2 * edge] >= 0 && slots[2 * edge + 1] < 0) walk(edge);
  for (const edge of crossed) if (slots[2 * edge] >= 0) walk(edge); // then rings
  return lines;
}

// The field as a picture: one pixel a cell, smoothed when it is scaled up.
export class FieldImage {
  /** @param {number} columns @param {number} rows */
  constructor(columns, rows) {
    this.canvas = make("canvas", { width: columns, height: rows });
    this.g = penOf(this.canvas);
    this.image = this.g.createImageData(columns, rows);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }
  /**
   * @param {Pen} g
   * @param {Theme} theme
   * @param {Float64Array} field
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {number} h
   * @param {ImageSmoothingQuality} [quality]
   * @param {number} [gain]
   */
  paint(g, theme, field, x, y, w, h, quality = "high", gain = 100) {
    const { pixels } = this;
    const { palette } = theme;
    for (let k = 0; k < pixels.length; k++) {
      const v = Math.round(field[k] * gain) + 240;
      pixels[k] = palette[v < 0 ? 0 : v > 480 ? 480 : v];
    }
    this.draw(g, x, y, w, h, quality);
  }
  /**
   * @param {Pen} g
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {number} h
   * @param {ImageSmoothingQuality} quality
   */
  draw(g, x, y, w, h, quality) {
    // the pixels as they are
    this.g.putImageData(this.image, 0, 0);
    g.imageSmoothingEnabled = true;
    g.imageSmoothingQuality = quality;
    g.drawImage(this.canvas, x, y, w, h);
  }
}
