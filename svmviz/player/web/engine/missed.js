// Who is missed least: what the Budget and the Tighter Perceptron choose by, as removal.py has it.

import { between } from "./kernels.js";

const CLOSE = 1e-6; // of a value: so little is rounding in float32

// f at the vector i without the vector j, in the midst of a step.
/** @param {Run} run @param {State} mid @param {Params} params @param {number[]} rows */
function withouts(run, mid, { kernel }, rows) {
  const gram = rows.map(i => rows.map(j => between(kernel, run.matrix, i, j)));
  const f = gram.map(row => row.reduce((sum, k, at) => sum + k * mid.coef[rows[at]], 0));
  return { f, part: (/** @type {number} */ i, /** @type {number} */ j) => mid.coef[rows[j]] * gram[i][j] };
}

// By row: the margin of each without itself, or how many vectors are wrong without it; null where the choice is
// made by something else.
/** @param {Run} run @param {State} mid @param {Params} params @param {number[]} rows @returns {Map<number, number> | null} */
export function missed(run, mid, params, rows) {
  if (!["remove easiest", "remove by errors"].includes(params.maintenance)) return null;
  const { f, part } = withouts(run, mid, params, rows);
  const label = rows.map(row => Math.sign(mid.coef[row]));
  /** @param {number} j */
  const wrong = j =>
    rows.filter((_, i) => label[i] * (f[i] - part(i, j)) <= CLOSE * (Math.abs(f[i]) + Math.abs(part(i, j))))
      .length;
  const easy = params.maintenance === "remove easiest";
  return new Map(rows.map((row, j) => [row, easy ? label[j] * (f[j] - part(j, j)) : wrong(j)]));
}
