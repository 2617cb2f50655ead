// Whose weight is handed over at the least loss: what projecting chooses by, as inverse.py and
// heirs.py have it.

import { between } from "../kernels.js";
import { removal } from "./prices.js";

const MOST = 200; // vectors whose kernel values are inverted for a picture
const SPANNED = 1e-12; // of K(x, x): neighbour and newcomer are the same to the kernel

// The diagonal of the inverse of K, by Cholesky's factor.
/** @param {number[][]} K */
function inverted(K) {
  /** @type {number[][]} */
  const L = [];
  /** @type {number[][]} */
  const R = []; // the inverse of L
  K.forEach((row, i) => {
    L.push([]);
    R.push([]);
    for (let j = 0; j < i; j++)
      L[i].push((row[j] - L[i].reduce((sum, v, k) => sum + v * L[j][k], 0)) / L[j][j]);
    L[i].push(
      Math.sqrt(Math.max(row[i] - L[i].reduce((sum, v) => sum + v * v, 0), SPANNED * row[i])),
    );
    for (let j = 0; j < i; j++) {
      let sum = 0;
      for (let k = j; k < i; k++) sum += L[i][k] * R[k][j];
      R[i].push(-sum / L[i][i]);
    }
    R[i].push(1 / L[i][i]);
  });
  return K.map((_, p) => R.reduce((sum, row) => sum + (row[p] ?? 0) ** 2, 0));
}

// By row: what is lost if it goes and the others take over what the maintenance lets them; null
// where the choice is made by something else. Newcomers may go where any vector may.
/**
 * @param {Run} run
 * @param {State} mid
 * @param {Params} params
 * @param {number[]} rows
 * @param {number} newcomer
 * @returns {Map<number, number> | null}
 */
export function handed(run, mid, params, rows, newcomer) {
  const { kernel, maintenance } = params;
  /** @param {number} i @param {number} j */
  const k = (i, j) => between(kernel, run.matrix, i, j);
  const old = rows.filter(row => row !== newcomer);
  /** @param {number} row @param {number} rest */
  const lost = (row, rest) => (removal(run, mid, params, row) / k(row, row)) * Math.max(0, rest);
  /** @param {number} row */
  const alone = row => k(row, row) - k(row, newcomer) ** 2 / k(newcomer, newcomer);
  /** @param {number} row */
  const withNeighbour = row => {
    const apart = old
      .filter(other => other !== row)
      .map(n => ({ n, gap: k(n, n) - 2 * k(row, n) }));
    if (!apart.length) return alone(row);
    const { n } = apart.reduce((least, one) => (one.gap < least.gap ? one : least));
    const [a, b, both] = [k(n, n), k(newcomer, newcomer), k(n, newcomer)];
    const det = a * b - both * both;
    if (det <= SPANNED * a * b) return alone(row);
    const [on_n, on_t] = [k(row, n), k(row, newcomer)];
    return k(row, row) - (on_n * on_n * b - 2 * on_n * on_t * both + on_t * on_t * a) / det;
  };
  if (maintenance === "project on newcomer" || maintenance === "project on neighbour") {
    const rest = maintenance === "project on newcomer" ? alone : withNeighbour;
    return new Map(old.map(row => [row, lost(row, rest(row))]));
  }
  if (!maintenance.startsWith("project best") || rows.length > MOST) return null;
  const diagonal = inverted(rows.map(i => rows.map(j => k(i, j))));
  const found = rows.map(
    (row, p) => /** @type {[number, number]} */ ([row, lost(row, 1 / diagonal[p])]),
  );
  return new Map(
    maintenance === "project best" ? found : found.filter(([row]) => row !== newcomer),
  );
}
