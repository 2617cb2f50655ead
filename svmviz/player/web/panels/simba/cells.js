// The table of the data as a picture: rows by class, a cell is tinted once it has been read. A
// large table is shown in bundles of rows and columns; a bundle has the colour of the strongest
// entry read in it, the fainter the less of it has been read.

import { penOf } from "../../canvas/draw.js";
import { make } from "../../canvas/elements.js";

const MOST = 360; // rows or columns of the picture

export class Cells {
  /** @type {number[]} */ order = [];
  /** @type {Int32Array} */ place;
  positives = 0;
  /** @type {Run} */ run;
  /** @type {Duals} */ duals;
  /** @type {Uint8Array | null} */ mask = null;
  tall = 0;
  wide = 0;
  drawn = 0;
  /** @type {Theme | undefined} */ theme;
  rows = 0;
  columns = 0;
  /** @type {HTMLCanvasElement} */ canvas;
  /** @type {ImageData} */ image;
  /** @type {Uint32Array} */ pixels;
  unit = 0;
  /** @type {Uint32Array} */ first;
  /** @type {Uint32Array} */ row;
  /** @type {Uint32Array} */ column;
  /** @type {Float64Array} */ value;
  blank = 0;
  empty = 0;

  /** @param {Run} run @param {Duals} duals @param {Uint8Array} mask */
  prepare(run, duals, mask) {
    const { d } = run;
    const there = [...mask.keys()].filter(i => mask[i]);
    const n = there.length;
    this.order = [...there.filter(i => run.y[i] > 0), ...there.filter(i => run.y[i] < 0)];
    this.place = new Int32Array(run.n);
    this.order.forEach((i, k) => {
      this.place[i] = k;
    });
    this.positives = this.order.filter(i => run.y[i] > 0).length;
    Object.assign(this, {
      run,
      duals,
      mask,
      tall: Math.ceil(n / MOST),
      wide: Math.ceil(d / MOST),
      drawn: -1,
      theme: undefined,
    });
    this.rows = Math.ceil(n / this.tall);
    this.columns = Math.ceil(d / this.wide);
    this.canvas = make("canvas", { width: this.columns, height: this.rows });
    this.image = new ImageData(this.columns, this.rows);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.sort(run);
    const sizes = this.value.map(Math.abs).sort();
    this.unit = 1.5 / (sizes[Math.floor(0.9 * (sizes.length - 1))] || 1);
  }

  // Entries other than 0, bundle by bundle: those of bundle c of row r begin at first[r * columns +
  // c].
  /** @param {Run} run */
  sort({ matrix }) {
    const first = (this.first = new Uint32Array(this.rows * this.columns + 1));
    const { tall, wide, place, columns } = this;
    /** @param {number} i @param {number} j */
    const bundle = (i, j) => Math.floor(place[i] / tall) * columns + Math.floor(j / wide);
    /** @param {(i: number, j: number, x: number) => void} visit */
    const entries = visit => {
      for (const i of this.order)
        matrix.each(i, (j, x) => {
          if (x !== 0) visit(i, j, x);
        });
    };
    entries((i, j) => {
      first[bundle(i, j) + 1]++;
    });
    for (let k = 1; k < first.length; k++) first[k] += first[k - 1];
    const next = first.slice();
    const many = first[first.length - 1];
    Object.assign(this, {
      row: new Uint32Array(many),
      column: new Uint32Array(many),
      value: new Float64Array(many),
    });
    entries((i, j, x) => {
      const k = next[bundle(i, j)]++;
      [this.row[k], this.column[k], this.value[k]] = [i, j, x];
    });
  }

  get bundled() {
    return this.tall > 1 || this.wide > 1;
  }

  // Bring the picture to step t: what was read since is added; going back it is painted anew.
  /** @param {number} t @param {Theme} theme */
  show(t, theme) {
    const { duals, run } = this;
    const again = theme !== this.theme || t < this.drawn;
    if (!again && t === this.drawn) return this.canvas;
    if (again) {
      Object.assign(this, { theme, drawn: 0 });
      this.blank = ink(theme.side);
      this.empty = ink(theme.hair); // read, and 0
      this.pixels.fill(this.blank);
    }
    const rows = new Set();
    const columns = new Set();
    /** @param {number} first */
    const news = first => first > this.drawn && first <= t;
    for (const i of this.order)
      if (news(duals.rowFirst[i])) rows.add(Math.floor(this.place[i] / this.tall));
    for (const firsts of duals.columnFirst)
      for (let j = 0; j < run.d; j++) if (news(firsts[j])) columns.add(Math.floor(j / this.wide));
    for (const r of rows) for (let c = 0; c < this.columns; c++) this.cell(r, c, t);
    for (const c of columns)
      for (let r = 0; r < this.rows; r++) if (!rows.has(r)) this.cell(r, c, t);
    this.drawn = t;
    penOf(this.canvas).putImageData(this.image, 0, 0);
    return this.canvas;
  }

  /** @param {number} r @param {number} c @param {number} t */
  cell(r, c, t) {
    const {
      run: { d },
      duals,
      theme,
      order,
      row,
      column,
      value,
    } = this;
    const at = r * this.columns + c;
    const tall = [r * this.tall, Math.min(order.length, (r + 1) * this.tall)];
    const wide = [c * this.wide, Math.min(d, (c + 1) * this.wide)];
    const all = (tall[1] - tall[0]) * (wide[1] - wide[0]);
    let best = 0;
    let read = 0; // of the bundle
    for (let k = tall[0]; k < tall[1]; k++)
      for (let j = wide[0]; j < wide[1]; j++) read += +(duals.known(order[k], j) <= t);
    if (!read) return; // what is known is never as pale as what is not
    for (let k = this.first[at]; k < this.first[at + 1]; k++) {
      if (Math.abs(value[k]) > Math.abs(best) && duals.known(row[k], column[k]) <= t)
        best = value[k];
    }
    const tint = Math.sign(best) * Math.min(2.4, 0.8 + Math.abs(best) * this.unit);
    this.pixels[r * this.columns + c] = mixed(
      this.blank,
      best === 0 || !theme ? this.empty : theme.palette[Math.round(240 + 100 * tint)],
      Math.sqrt(read / all),
    );
  }
}

/** @param {string} hex */
function ink(hex) {
  const [r, g, b] = [1, 3, 5].map(k => parseInt(hex.slice(k, k + 2), 16));
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** @param {number} a @param {number} b @param {number} share */
function mixed(a, b, share) {
  // of two colours, channel by channel
  if (share === 1) return b;
  let out = 0;
  for (let k = 0; k < 32; k += 8)
    out |= Math.round(((a >>> k) & 255) * (1 - share) + ((b >>> k) & 255) * share) << k;
  return out >>> 0;
}
