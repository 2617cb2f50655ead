// The rows of the data as matrix.py has them, dense or sparse (CSR), and what the stage asks of
// them, whichever they are. Sums run over features in ascending order, as there, so that their
// digits are the same.

export const INNER = 0;
export const SQUARED = 1;
export const ABSOLUTE = 2; // what two rows are asked for

/** @typedef {[columns: Numbers, values: Numbers]} Row */

export class Dense {
  /** @param {Numbers} values @param {number} d */
  constructor(values, d) {
    this.values = values;
    this.d = d;
    this.rows = values.length / d;
  }

  /** @param {number} i @param {number} j */
  at(i, j) {
    return this.values[i * this.d + j];
  }

  /** @param {number} i @param {(j: number, x: number) => void} visit */
  each(i, visit) {
    for (let j = 0; j < this.d; j++) visit(j, this.values[i * this.d + j]);
  }

  /** @param {number} i @param {Indexed} v */
  dot(i, v) {
    // <x_i, v>
    const { values, d } = this;
    let sum = 0;
    for (let j = 0, a = i * d; j < d; j++, a++) sum += v[j] * values[a];
    return sum;
  }

  /** @param {number} i @param {number} c @param {Float64Array} v @param {number} [from] */
  axpy(i, c, v, from = 0) {
    // v += c x_i, at a place within v
    const { values, d } = this;
    for (let j = 0, a = i * d; j < d; j++, a++) v[from + j] += c * values[a];
  }

  /** @param {number} i @param {number} k @param {number} what */
  walk(i, k, what) {
    // <x_i, x_k>, |x_i - x_k|² or |x_i - x_k|_1
    const { values, d } = this;
    let sum = 0;
    for (let j = 0, p = i * d, q = k * d; j < d; j++, p++, q++) {
      const [a, b] = [values[p], values[q]];
      sum += what === INNER ? a * b : what === SQUARED ? (a - b) * (a - b) : Math.abs(a - b);
    }
    return sum;
  }

  /** @param {number} j @param {Float64Array} out */
  column(j, out) {
    for (let i = 0; i < out.length; i++) out[i] = this.values[i * this.d + j];
  }

  /** @param {Numbers | number[]} rows */
  picked(rows) {
    // these rows, in this order
    const { values, d } = this;
    const out = new Float64Array(rows.length * d);
    rows.forEach((i, p) => out.set(values.subarray(i * d, (i + 1) * d), p * d));
    return new Dense(out, d);
  }

  // With one more feature, which is c.
  /** @param {number} c */
  widened(c) {
    const { values, d, rows } = this;
    const out = new Float64Array(rows * (d + 1)).fill(c);
    for (let i = 0; i < rows; i++) out.set(values.subarray(i * d, (i + 1) * d), i * (d + 1));
    return new Dense(out, d + 1);
  }

  // With rows h x_m + (1 - h) x_n below, each made of those above it.
  /** @param {Numbers | number[]} m @param {Numbers | number[]} n @param {Numbers | number[]} h */
  extended(m, n, h) {
    const { values, d } = this;
    const out = new Float64Array(values.length + h.length * d);
    out.set(values);
    for (let k = 0, z = values.length; k < h.length; k++) {
      for (let j = 0; j < d; j++, z++)
        out[z] = h[k] * out[m[k] * d + j] + (1 - h[k]) * out[n[k] * d + j];
    }
    return new Dense(out, d);
  }
}

export class Sparse {
  /** @type {{ first: Uint32Array, rows: Uint32Array, values: Float64Array } | undefined} */ turned;

  /** @param {Numbers} values @param {Numbers} columns @param {Numbers} first @param {number} d */
  constructor(values, columns, first, d) {
    this.stock = values;
    this.columns = columns;
    this.first = first;
    this.d = d;
    this.rows = first.length - 1;
  }

  /** @param {number} i @param {number} j */
  at(i, j) {
    for (let a = this.first[i]; a < this.first[i + 1]; a++)
      if (this.columns[a] === j) return this.stock[a];
    return 0;
  }

  /** @param {number} i @param {(j: number, x: number) => void} visit */
  each(i, visit) {
    for (let a = this.first[i]; a < this.first[i + 1]; a++) visit(this.columns[a], this.stock[a]);
  }

  /** @param {number} i @param {Indexed} v */
  dot(i, v) {
    const { stock, columns, first } = this;
    let sum = 0;
    for (let a = first[i]; a < first[i + 1]; a++) sum += v[columns[a]] * stock[a];
    return sum;
  }

  /** @param {number} i @param {number} c @param {Float64Array} v @param {number} [from] */
  axpy(i, c, v, from = 0) {
    const { stock, columns, first } = this;
    for (let a = first[i]; a < first[i + 1]; a++) v[from + columns[a]] += c * stock[a];
  }

  /** @param {number} i @param {number} k @param {number} what */
  walk(i, k, what) {
    // <x_i, x_k>, |x_i - x_k|² or |x_i - x_k|_1, along both rows at once
    const { stock, columns, first } = this;
    const p_end = first[i + 1];
    const q_end = first[k + 1];
    let p = first[i];
    let q = first[k];
    let sum = 0;
    while (p < p_end || q < q_end) {
      const f = p < p_end ? columns[p] : Infinity;
      const g = q < q_end ? columns[q] : Infinity;
      const a = f <= g ? stock[p++] : 0;
      const b = g <= f ? stock[q++] : 0;
      sum += what === INNER ? a * b : what === SQUARED ? (a - b) * (a - b) : Math.abs(a - b);
    }
    return sum;
  }

  // Column by column, once anybody asks for one: which rows have an entry there, and what it is.
  get upright() {
    if (this.turned) return this.turned;
    const { stock, columns, d } = this;
    const first = new Uint32Array(d + 1);
    const rows = new Uint32Array(stock.length);
    const values = new Float64Array(stock.length);
    for (const j of columns) first[j + 1]++;
    for (let j = 0; j < d; j++) first[j + 1] += first[j];
    const next = first.slice();
    for (let i = 0; i < this.rows; i++)
      this.each(i, (j, v) => {
        rows[next[j]] = i;
        values[next[j]++] = v;
      });
    return (this.turned = { first, rows, values });
  }

  /** @param {number} j @param {Float64Array} out */
  column(j, out) {
    const { first, rows, values } = this.upright;
    out.fill(0);
    for (let a = first[j]; a < first[j + 1] && rows[a] < out.length; a++) out[rows[a]] = values[a];
  }

  /** @param {Numbers | number[]} rows */
  picked(rows) {
    return assembled(
      Array.from(rows, i => this.row(i)),
      this.d,
    );
  }

  /** @param {number} i @returns {Row} */
  row(i) {
    const a = this.first[i];
    const b = this.first[i + 1];
    return [this.columns.subarray(a, b), this.stock.subarray(a, b)];
  }

  /** @param {number} c */
  widened(c) {
    /** @type {(i: number) => Row} */
    const wide = i => {
      const [columns, values] = this.row(i);
      return [Uint32Array.of(...columns, this.d), Float64Array.of(...values, c)];
    };
    return assembled(
      Array.from({ length: this.rows }, (_, i) => wide(i)),
      this.d + 1,
    );
  }

  /** @param {Numbers | number[]} m @param {Numbers | number[]} n @param {Numbers | number[]} h */
  extended(m, n, h) {
    const all = Array.from({ length: this.rows }, (_, i) => this.row(i));
    for (let k = 0; k < h.length; k++) all.push(blended(all[m[k]], all[n[k]], h[k]));
    return assembled(all, this.d);
  }
}

/** @param {Row[]} all @param {number} d */
function assembled(all, d) {
  const first = new Uint32Array(all.length + 1);
  all.forEach(([columns], i) => {
    first[i + 1] = first[i] + columns.length;
  });
  const columns = new Uint32Array(first[all.length]);
  const values = new Float64Array(first[all.length]);
  all.forEach(([c, v], i) => {
    columns.set(c, first[i]);
    values.set(v, first[i]);
  });
  return new Sparse(values, columns, first, d);
}

/** @param {Row} x @param {Row} z @param {number} h @returns {Row} */
function blended([f, a], [g, b], h) {
  // h x + (1 - h) z
  const columns = [];
  const values = [];
  for (let p = 0, q = 0; p < f.length || q < g.length;) {
    const j = Math.min(p < f.length ? f[p] : Infinity, q < g.length ? g[q] : Infinity);
    columns.push(j);
    values.push(h * (f[p] === j ? a[p++] : 0) + (1 - h) * (g[q] === j ? b[q++] : 0));
  }
  return [Uint32Array.from(columns), Float64Array.from(values)];
}

// The matrix that has travelled, see packing.py.
/** @param {Wire} run */
export function matrixOf({ X, X_value: values, X_column: columns, X_stored: stored, d }) {
  if (X) return new Dense(X, d);
  const first = new Uint32Array(stored.length + 1);
  for (let i = 0; i < stored.length; i++) first[i + 1] = first[i] + stored[i];
  return new Sparse(values, columns, first, d);
}
