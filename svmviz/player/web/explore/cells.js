// The cells of a sweep: where each lies on the grid, what it is drawn as, and how its numbers are
// written. No element of the page and no canvas is needed here.

import { significant } from "../engine/words.js";

export const [TO_COME, THERE, DIVERGED, REFUSED, UNTRIED, UNSETTLED] = [0, 1, 2, 3, 4, 5];

// What the cells that are worse than w = 0 are called together.
/** @param {number} diverged @param {number} unsettled */
export const aloft = (diverged, unsettled) =>
  !unsettled ? "diverged" : diverged ? "diverged or not settled" : "not settled";

// The place of a cell on every axis; the last axis is counted first.
/** @param {number} cell @param {number[]} shape */
export function placeOf(cell, shape) {
  const place = Array(shape.length).fill(0);
  for (let k = shape.length - 1; k >= 0; k--) {
    place[k] = cell % shape[k];
    cell = Math.floor(cell / shape[k]);
  }
  return place;
}

/** @param {number[]} place @param {number[]} shape */
export const cellAt = (place, shape) => place.reduce((cell, at, k) => cell * shape[k] + at, 0);

export class Cells {
  /** @param {SweepData} data */
  constructor(data) {
    this.data = data;
    this.shape = data.shape;
    this.size = data.state_of.length;
    this.flat = data.shape.length <= 2; // a grid that can be drawn
    /** @type {Map<number, number>} */
    this.rows = new Map();
    data.cells?.forEach((cell, k) => this.rows.set(cell, k));
    this.order = [...Array(this.size).keys()];
  }

  // Where the numbers of a cell stand, or -1.
  /** @param {number} cell */
  row(cell) {
    if (!this.data.cells) return cell >= 0 && cell < this.size ? cell : -1;
    return this.rows.get(cell) ?? -1;
  }

  /** @param {number} row */
  cell(row) {
    return this.data.cells ? this.data.cells[row] : row;
  }

  /** @param {number | null} cell */
  has(cell) {
    return cell !== null && this.row(cell) >= 0;
  }

  // What is known of it: a number, not one that diverged, has not settled or was refused.
  /** @param {number} row */
  fine(row) {
    return this.data.state_of[row] === THERE;
  }

  // The cell one step along an axis, or the same one at its end.
  /** @param {number} cell @param {number} axis @param {number} by */
  neighbour(cell, axis, by) {
    const place = placeOf(cell, this.shape);
    place[axis] = Math.max(0, Math.min(this.shape[axis] - 1, place[axis] + by));
    return cellAt(place, this.shape);
  }

  // The cells of a line through one of them along an axis, in the order of its values.
  /** @param {number} cell @param {number} axis */
  line(cell, axis) {
    const place = placeOf(cell, this.shape);
    return this.data.axes[axis].values.map((_, k) =>
      cellAt(
        place.map((at, j) => (j === axis ? k : at)),
        this.shape,
      ),
    );
  }

  // "λ = 0.01, γ = 25".
  /** @param {number} cell */
  setting(cell) {
    const place = placeOf(cell, this.shape);
    return this.data.axes
      .map(({ symbol, labels }, k) => `${symbol} = ${labels[place[k]]}`)
      .join(", ");
  }

  // A number of the measure that is shown, with its unit.
  /** @param {number} v */
  words(v) {
    return written(v, this.data.measure);
  }

  // What a cell is, for who cannot see it.
  /** @param {number} cell */
  told(cell) {
    const { data } = this;
    const row = this.row(cell);
    const state = row < 0 ? UNTRIED : data.state_of[row];
    const what = {
      [TO_COME]: "to come",
      [THERE]: `${data.measure.title} ${this.words(data.value[row])}`,
      [DIVERGED]: "diverged",
      [UNSETTLED]: "not settled",
      [REFUSED]: `refused: ${data.reasons[cell] ?? ""}`,
      [UNTRIED]: "not tried",
    }[state];
    const marks = [
      ...(cell === data.best ? ["lowest error"] : []),
      ...(row >= 0 && data.within[row] ? ["within 1 SE"] : []),
      ...(cell === data.sparsest ? ["sparsest within 1 SE"] : []),
    ];
    return [this.setting(cell), what, ...marks].join(", ");
  }

  // What there is to learn from a cell, in a sentence.
  /** @param {number} cell */
  sentence(cell) {
    const { data } = this;
    const row = this.row(cell);
    if (row < 0 || data.state_of[row] === UNTRIED) return "This cell was not tried.";
    if (data.state_of[row] === REFUSED)
      return data.reasons[cell] ?? "The fits of this cell were refused.";
    if (data.state_of[row] === TO_COME)
      return data.state === "running" ? "To come." : "Not computed yet.";
    if (data.state_of[row] === DIVERGED)
      return `P(w) is ${number(data.primal[row])}: it has diverged.`;
    if (data.state_of[row] === UNSETTLED)
      return `P(w) is ${number(data.primal[row])}, more than w = 0 has: it has not settled.`;
    if (data.best === null || data.limit === null) return "";
    const lowest = data.error[this.row(data.best)];
    const share = /** @param {number} v */ v =>
      written(v, { percent: data.measure.percent || isShare(data), whole: false });
    const [error, spread, train] = [data.error[row], data.error_spread[row], data.train_error[row]];
    if (cell === data.best && cell === data.sparsest)
      return "The lowest error, and of all cells within one standard error of it the one with the fewest vectors.";
    if (cell === data.best) return "The lowest error of all cells.";
    if (cell === data.sparsest)
      return "The fewest vectors of all cells within one standard error of the lowest.";
    if (data.within[row])
      return `Within one standard error of the lowest, ${share(lowest)}: the folds cannot tell them apart.`;
    if (error - train > 2 * spread && error - train > 0.02)
      return `Train ${share(train)}, test ${share(error)}: the margin is drawn around single points.`;
    if (train > data.limit)
      return `Train ${share(train)}, test ${share(error)}: wrong on what it learnt from as well, too stiff or too short a run.`;
    return `${share(error - lowest)} above the lowest.`;
  }
}

// Whether errors are shares of wrong labels.
/** @param {SweepData} data */
export const isShare = data => data.measure.title !== "unexplained variance";

/** @param {number} v */
export const number = v => (Number.isFinite(v) ? significant(v, 3) : "–");

/** @param {number} v @param {{ percent: boolean, whole: boolean }} measure */
export function written(v, measure) {
  if (!Number.isFinite(v)) return "–";
  if (measure.percent) return `${(100 * v).toFixed(1)} %`;
  return measure.whole ? short(v) : significant(v, 3);
}

// The same in a cell, where there is room for four or five characters.
/** @param {number} v @param {{ percent: boolean, whole: boolean }} measure */
export function brief(v, measure) {
  if (!Number.isFinite(v)) return "";
  if (measure.percent) return (100 * v).toFixed(1);
  if (Math.abs(v) >= 1000 || measure.whole) return short(v);
  const words = significant(v, 2);
  return words.length <= 6 ? words : v.toExponential(0).replace("e", "·10").replace("+", "");
}

/** @param {number} v */
function short(v) {
  for (const [least, unit] of /** @type {[number, string][]} */ ([
    [1e9, "G"],
    [1e6, "M"],
    [1e4, "k"],
  ]))
    if (Math.abs(v) >= least) return `${significant(v / (unit === "k" ? 1e3 : least), 3)}${unit}`;
  return String(Math.round(v));
}

// The edges between cells of a region and all others, as lines from corner to corner in units of
// cells; row 0 is at the bottom.
/**
 * @param {number} rows
 * @param {number} columns
 * @param {(row: number, column: number) => boolean} inside
 */
export function outline(rows, columns, inside) {
  /** @type {[number, number, number, number][]} */
  const edges = [];
  /** @param {number} r @param {number} c */
  const is = (r, c) => r >= 0 && c >= 0 && r < rows && c < columns && inside(r, c);
  for (let r = 0; r <= rows; r++)
    for (let c = 0; c <= columns; c++) {
      if (c < columns && is(r, c) !== is(r - 1, c)) edges.push([c, r, c + 1, r]);
      if (r < rows && is(r, c) !== is(r, c - 1)) edges.push([c, r, c, r + 1]);
    }
  return edges;
}

// A round error about a third of the way from the region of the best to the worst, for a second
// line.
/** @param {number[]} errors @param {number} limit */
export function level(errors, limit) {
  const beyond = errors.filter(v => v > limit).sort((a, b) => a - b);
  if (beyond.length < 4) return null;
  const v = beyond[Math.floor(beyond.length / 3)];
  const step = v > 0.1 ? 0.01 : v > 0.02 ? 0.005 : 0.001;
  const rounded = Math.round(v / step) * step;
  return rounded > limit ? rounded : null;
}

// How dark a cell is: 0 the darkest, 1 the lightest. Where errors are shown, those `within` one
// standard error of the lowest have the dark half for themselves; other measures, which have no
// limit, take all of it.
/**
 * @param {number} v
 * @param {number} low
 * @param {number} high
 * @param {number | null} limit
 * @param {boolean} within
 */
export function depth(v, low, high, limit, within) {
  /** @param {number} a @param {number} b */
  const share = (a, b) => (b > a ? Math.max(0, Math.min(1, (v - a) / (b - a))) : 0);
  if (limit === null) return share(low, high);
  return within ? 0.5 * share(low, limit) : 0.5 + 0.5 * Math.sqrt(share(limit, high)) + 1e-9;
}

const RAMPS = {
  light: { dark: ["#2a3a4d", "#5d7089"], pale: ["#b4c1cf", "#f0f2f5"], on: ["#ffffff", "#1b2430"] },
  dark: { dark: ["#e6edf6", "#a4b4c8"], pale: ["#44546a", "#1a212b"], on: ["#0e1218", "#f1f4f8"] },
};

// The colour of a cell of this depth, and that of the words on it.
/** @param {boolean} dark @param {number} u @returns {[string, string]} */
export function shade(dark, u) {
  const { dark: near, pale, on } = dark ? RAMPS.dark : RAMPS.light;
  const [from, to] = u <= 0.5 ? near : pale;
  const at = u <= 0.5 ? 2 * u : 2 * (u - 0.5);
  /** @param {string} hex */
  const rgb = hex => [1, 3, 5].map(k => parseInt(hex.slice(k, k + 2), 16));
  const b = rgb(to);
  const mixed = rgb(from).map((v, k) => Math.round(v + at * (b[k] - v)));
  return [`rgb(${mixed.join(" ")})`, u <= 0.5 ? on[0] : on[1]];
}
