// The kernels of parts.py on the examples and on the cells of the field (Gaussian and Laplacian
// factor over the axes).

import { ABSOLUTE, Dense, INNER, SQUARED } from "./matrix.js";

const LINEAR = 0;
export const RBF = 1;
const POLY = 2;
export const LAPLACIAN = 3;
export const IMQ = 4;

// exp(-y) for y >= 0, in the steps of exponentials.py: Math.exp may differ in the last digit, and
// from one browser to another.
const LOG2_E = 1.4426950408889634;
const LN2_HIGH = 6.9314718036912381649e-1;
const LN2_LOW = 1.90821492927058770002e-10;
const FAR = 708;
const POWERS = Float64Array.from({ length: 1023 }, (_, m) => 2 ** -m);

/** @param {number} y */
function exponential(y) {
  const x = y < FAR ? y : FAR;
  const m = (x * LOG2_E + 0.5) | 0;
  const r = m * LN2_HIGH - x + m * LN2_LOW;
  let p = 1 / 479001600 + r * (1 / 6227020800);
  p = 1 / 362880 + r * (1 / 3628800 + r * (1 / 39916800 + r * p));
  p = 1 / 720 + r * (1 / 5040 + r * (1 / 40320 + r * p));
  return (1 + r * (1 + r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * p)))))) * POWERS[m];
}

/** @param {number} base @param {number} degree */
function power(base, degree) {
  let value = 1;
  for (let k = 0; k < degree; k++) value *= base;
  return value;
}

// What a kernel asks of x_i and every x_j of dense rows. Two features, the usual case, need no
// loop.
/** @param {number} kind @param {Dense} rows @param {number} i @param {Float64Array} out */
function compared(kind, { values: X, d }, i, out) {
  const from = i * d;
  const to = from + d;
  const squares = kind === RBF || kind === IMQ;
  const plane = d === 2 && squares;
  const u = X[from];
  const v = X[from + 1];
  for (let j = 0, b = 0; j < out.length; j++) {
    let sum = 0;
    if (plane) {
      sum = (u - X[b]) * (u - X[b]) + (v - X[b + 1]) * (v - X[b + 1]);
      b += 2;
    } else if (squares) for (let a = from; a < to; a++, b++) sum += (X[a] - X[b]) * (X[a] - X[b]);
    else if (kind === LAPLACIAN) for (let a = from; a < to; a++, b++) sum += Math.abs(X[a] - X[b]);
    else for (let a = from; a < to; a++, b++) sum += X[a] * X[b];
    out[j] = sum;
  }
}

// What a kernel asks of two rows.
/** @param {number} kind */
const asks = kind =>
  kind === RBF || kind === IMQ ? SQUARED : kind === LAPLACIAN ? ABSOLUTE : INNER;

// K(x_i, x_j) for every j, or for as many as there is room for, with the digits of parts.py.
/** @param {Kernel} kernel @param {Matrix} matrix @param {number} i */
export function column(
  { kind, gamma, degree, coef0, plus },
  matrix,
  i,
  out = new Float64Array(matrix.rows),
) {
  const n = out.length;
  if (matrix instanceof Dense) compared(kind, matrix, i, out);
  else for (let j = 0; j < n; j++) out[j] = matrix.walk(i, j, asks(kind));
  if (kind === POLY) for (let j = 0; j < n; j++) out[j] = power(gamma * out[j] + coef0, degree);
  else if (kind === IMQ) for (let j = 0; j < n; j++) out[j] = 1 / Math.sqrt(1 + gamma * out[j]);
  else if (kind !== LINEAR) for (let j = 0; j < n; j++) out[j] = exponential(gamma * out[j]);
  if (plus) for (let j = 0; j < n; j++) out[j] += plus;
  return out;
}

// K(x_i, x_j) of two.
/** @param {Kernel} kernel @param {Matrix} matrix @param {number} i @param {number} j */
export function between({ kind, gamma, degree, coef0, plus }, matrix, i, j) {
  const found = matrix.walk(i, j, asks(kind));
  if (kind === LINEAR) return found + plus;
  if (kind === IMQ) return 1 / Math.sqrt(1 + gamma * found) + plus;
  return (kind === POLY ? power(gamma * found + coef0, degree) : exponential(gamma * found)) + plus;
}

// How far apart two are to a radial kernel.
/** @param {Kernel} kernel @param {Matrix} matrix @param {number} i @param {number} j */
export const reach = ({ kind, gamma }, matrix, i, j) => gamma * matrix.walk(i, j, asks(kind));

// Σ size(x_ij - z_j) over all features, for the point z of the plane at (a, b). A sparse row only
// says by how much its entries change Σ size(z_j), which is the same for all rows.
/**
 * @param {Run} run
 * @param {number} i
 * @param {number} a
 * @param {number} b
 * @param {(z: number) => number} size
 * @param {number | null} [whole]
 */
function off({ matrix, origin, across, up }, i, a, b, size, whole) {
  /** @param {number} j */
  const place = j => origin[j] + a * across[j] + b * up[j];
  let sum = 0;
  if (matrix instanceof Dense) {
    matrix.each(i, (j, x) => {
      sum += size(x - place(j));
    });
    return sum;
  }
  matrix.each(i, (j, x) => {
    const z = place(j);
    sum += size(x - z) - size(z);
  });
  return sum + (whole ?? total(matrix.d, place, size));
}

/** @param {number} d @param {(j: number) => number} place @param {(z: number) => number} size */
function total(d, place, size) {
  let sum = 0;
  for (let j = 0; j < d; j++) sum += size(place(j));
  return sum;
}

const totals = new WeakMap(); // by the grid: Σ |z_j| at each of its cells, once for all rows

/** @param {Grid} grid @param {Run} run */
function totalsOn(grid, { matrix, origin, across, up }) {
  if (!totals.has(grid)) {
    totals.set(
      grid,
      Float64Array.from({ length: grid.xs.length * grid.ys.length }, (_, cell) => {
        const a = grid.xs[cell % grid.xs.length];
        const b = grid.ys[Math.floor(cell / grid.xs.length)];
        return total(matrix.d, j => origin[j] + a * across[j] + b * up[j], Math.abs);
      }),
    );
  }
  return totals.get(grid);
}

// At the cells of the plane origin + basis: an orthonormal plane leaves one residual per example,
// and the kernel still factors.
/** @param {Kernel} kernel @param {Run} run @param {number} i @param {Grid} grid */
export function gridColumn(kernel, run, i, grid) {
  const out = plainColumn(kernel, run, i, grid);
  if (kernel.plus) for (let cell = 0; cell < out.length; cell++) out[cell] += kernel.plus;
  return out;
}

/** @param {Kernel} kernel @param {Run} run @param {number} i @param {Grid} grid */
function plainColumn({ kind, gamma, degree, coef0 }, run, i, grid) {
  const { matrix, points, plane } = run;
  const { xs, ys } = grid;
  const out = new Float64Array(xs.length * ys.length);
  const u = points[2 * i];
  const v = points[2 * i + 1];
  /** @param {(a: number, b: number, cell: number) => number} value */
  const each = value => {
    for (let r = 0, cell = 0; r < ys.length; r++)
      for (let c = 0; c < xs.length; c++, cell++) out[cell] = value(xs[c], ys[r], cell);
  };
  if (kind === LINEAR || kind === POLY) {
    const [constant, across, up] = [run.origin, run.across, run.up].map(v => matrix.dot(i, v));
    each((a, b) => {
      const inner = constant + across * a + up * b;
      return kind === LINEAR ? inner : power(gamma * inner + coef0, degree);
    });
    return out;
  }
  if (kind === LAPLACIAN && plane.rotated) {
    // the 1-norm does not survive a rotation: cell by cell
    const whole = matrix instanceof Dense ? [] : totalsOn(grid, run);
    each((a, b, cell) => Math.exp(-gamma * off(run, i, a, b, Math.abs, whole[cell])));
    return out;
  }
  const rest = off(run, i, u, v, kind === LAPLACIAN ? Math.abs : z => z * z);
  if (kind === IMQ) {
    each(
      (a, b) => 1 / Math.sqrt(1 + gamma * (rest + (a - u) ** 2 + (run.d > 1 ? (b - v) ** 2 : 0))),
    );
    return out;
  }
  /** @type {(z: number) => number} */
  const decay = kind === RBF ? z => Math.exp(-gamma * z * z) : z => Math.exp(-gamma * Math.abs(z));
  const height = Math.exp(-gamma * rest);
  const across = Float64Array.from(xs, c => decay(c - u));
  const up = Float64Array.from(ys, r => height * (run.d > 1 ? decay(r - v) : 1));
  for (let r = 0, cell = 0; r < ys.length; r++)
    for (let c = 0; c < xs.length; c++) out[cell++] = up[r] * across[c];
  return out;
}
