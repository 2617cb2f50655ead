// Who is missed least: what the Budget, the Tighter and the Tightest Perceptron choose by, as
// removal.py has it.

import { between } from "../kernels.js";

const CLOSE = 1e-6; // of a value: so little is rounding in float32
const LEAST = 1e-12; // so little is nothing to Python as well
export const MISSED = ["remove easiest", "remove by errors", "remove by counts"];

/** @typedef {Map<number, [number, number]>} Counts examples of -1 and of +1 that a row stands for */

/** @param {Run} run @param {Params} params @param {number} x @param {Iterable<number>} rows */
function nearest(run, { kernel }, x, rows) {
  let found = -1;
  let gap = Infinity;
  for (const row of rows) {
    const apart = between(kernel, run.matrix, row, row) - 2 * between(kernel, run.matrix, x, row);
    if (row !== x && apart < gap) [found, gap] = [row, apart];
  }
  return found;
}

// What the vectors stand for in the midst of step t, the newcomer in and nobody gone: each example
// is counted at the vector nearest to it, a vector for itself, and who goes hands its counts to the
// nearest of the others.
/** @param {Run} run @param {number} t @returns {Counts} */
function counts(run, t) {
  /** @type {Counts} */
  const held = new Map();
  for (let s = 1; s <= t; s++) {
    const { params } = run.segment(s);
    const i = run.drawn[run.first[s]];
    const side = +(run.y[i] > 0);
    if (run.shrink[s] >= 1) held.clear();
    if (run.entered(s) > run.change_first[s])
      held.set(run.change_index[run.change_first[s]], side ? [0, 1] : [1, 0]);
    else {
      const heir = held.get(nearest(run, params, i, held.keys()));
      if (heir) heir[side]++;
    }
    for (let e = run.change_first[s]; s < t && e < run.change_first[s + 1]; e++) {
      if (!Number.isNaN(run.change_delta[e])) continue;
      const gone = run.change_index[e];
      const left = held.get(gone) ?? [0, 0];
      held.delete(gone);
      const heir = held.get(nearest(run, params, gone, held.keys()));
      if (heir) left.forEach((many, c) => (heir[c] += many));
    }
  }
  return held;
}

// By row: the margin of each without itself, or how many vectors or examples are wrong without it;
// null where the choice is made by something else, or was before.
/**
 * @param {Run} run
 * @param {number} t
 * @param {State} mid
 * @param {Params} params
 * @param {number[]} rows
 * @returns {Map<number, number> | null}
 */
export function missed(run, t, mid, params, rows) {
  const { kernel, maintenance } = params;
  if (!MISSED.includes(maintenance)) return null;
  const counted = maintenance === "remove by counts";
  if (counted && run.segments.some(segment => segment.params.maintenance !== maintenance))
    return null;
  const gram = rows.map(i => rows.map(j => between(kernel, run.matrix, i, j)));
  const coef = rows.map(row => mid.coef[row]);
  const f = gram.map(row => row.reduce((sum, k, j) => sum + k * coef[j], 0));
  // f at a vector without itself is summed over the others: a difference would leave little of it
  const others = gram.map((row, j) =>
    row.reduce((sum, k, l) => sum + (l === j ? 0 : k * coef[l]), 0),
  );
  const sizes = gram.map((row, j) =>
    row.reduce((sum, k, l) => sum + (l === j ? 0 : Math.abs(k * coef[l])), 0),
  );
  const held = counted ? counts(run, t) : null;
  /** @param {number} j */
  const wrong = j =>
    rows.reduce((sum, row, i) => {
      const part = coef[j] * gram[i][j];
      const left = i === j ? others[j] : f[i] - part;
      const nothing =
        i === j
          ? Math.max(CLOSE * sizes[j], LEAST * (Math.abs(f[j]) + Math.abs(part)))
          : CLOSE * (Math.abs(f[i]) + Math.abs(part));
      const [minus, plus] = held?.get(row) ?? (coef[i] > 0 ? [0, 1] : [1, 0]);
      return sum + (left <= nothing ? plus : 0) + (left >= -nothing ? minus : 0);
    }, 0);
  /** @param {number} j */
  const easy = j => Math.sign(coef[j]) * others[j];
  return new Map(
    rows.map((row, j) => [row, maintenance === "remove easiest" ? easy(j) : wrong(j)]),
  );
}
