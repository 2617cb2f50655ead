// One score, or one per class: what a state says of the examples, and how large a coefficient is.
//
// Arrays hold one stretch a class: score k of row i is f[k * rows + i].

import { isFree, value } from "./losses.js";
import { fitted, toldOf } from "./own/residuals.js";
import { decimals } from "./words.js";

/**
 * @param {Run} run
 * @param {State} state
 * @param {Uint8Array} mask
 * @param {Loss} loss
 * @param {number[][]} [mistakes]
 */
export function judge(run, state, mask, loss, mistakes) {
  if (run.residual) return fitted(run, state, mask, loss);
  return run.scores > 1
    ? several(run, state, mask, loss, mistakes)
    : signed(run, state, mask, loss);
}

// f = 0 counts as +1; where f is the difference of two scores it is a tie, and those go to the
// first class.
/** @param {Run} run @param {State} state @param {Uint8Array} mask @param {Loss} loss */
function signed({ n, y, segments }, { f }, mask, loss) {
  const tied = segments[0].params.multiclass;
  let hinge = 0;
  let wrong = 0;
  let paying = 0;
  let count = 0;
  for (let i = 0; i < n; i++) {
    const margin = y[i] * f[i];
    if (!mask[i]) continue;
    const cost = value(loss, margin);
    count++;
    hinge += cost;
    paying += +(cost > 0);
    wrong += +((tied ? f[i] > 0 : f[i] >= 0) !== y[i] > 0);
  }
  return { hinge: hinge / count, wrong, paying, count };
}

// What example i pays, see contest.py: the log-loss, or what its class lacks of the lead that it
// must have over each of the others, which is 1 where nobody says what mistakes cost.
/**
 * @param {Indexed} f
 * @param {number} rows
 * @param {number} scores
 * @param {number} i
 * @param {number} own
 * @param {Loss} loss
 * @param {number[][]} [mistakes]
 */
export function paid(f, rows, scores, i, own, loss, mistakes) {
  const base = f[own * rows + i];
  let most = 0;
  for (let k = 0; k < scores; k++)
    most = Math.max(
      most,
      f[k * rows + i] - base + (k === own || !isFree(loss) ? 0 : (mistakes?.[own][k] ?? 1)),
    );
  if (isFree(loss)) return most;
  let sum = 0;
  for (let k = 0; k < scores; k++) sum += Math.exp(f[k * rows + i] - base - most);
  return Math.log(sum) + most;
}

// Ties go to the first class.
/**
 * @param {Run} run
 * @param {State} state
 * @param {Uint8Array} mask
 * @param {Loss} loss
 * @param {number[][]} [mistakes]
 */
function several(run, state, mask, loss, mistakes) {
  const { n, y, rows, scores } = run;
  const { f, coef, size } = state;
  let hinge = 0;
  let wrong = 0;
  let paying = 0;
  let count = 0;
  for (let i = 0; i < n; i++) {
    if (!mask[i]) continue;
    const [best] = standing(f, rows, scores, i, y[i]);
    const cost = paid(f, rows, scores, i, y[i], loss, mistakes);
    count++;
    hinge += cost;
    paying += +(cost > 0);
    wrong += +(best !== y[i]);
  }
  for (let i = 0; size && i < rows; i++) {
    let sum = 0;
    for (let at = i; at < coef.length; at += rows) sum += coef[at] * coef[at];
    size[i] = Math.sqrt(sum);
  }
  return { hinge: hinge / count, wrong, paying, count };
}

// The class with the highest score in row i, and by how much class `own` leads the best of the
// others.
/**
 * @param {Indexed} f
 * @param {number} rows
 * @param {number} scores
 * @param {number} i
 * @param {number} own
 */
export function standing(f, rows, scores, i, own) {
  let best = 0;
  let rival = -Infinity;
  for (let k = 0; k < scores; k++) {
    const v = f[k * rows + i];
    if (v > f[best * rows + i]) best = k;
    if (k !== own && v > rival) rival = v;
  }
  return [best, f[own * rows + i] - rival];
}

// |α| of a row, the product of two rows, and the class that it speaks for: that of its largest
// coefficient, -1 or 1 with one score.
/** @param {State} state @param {number} row */
export const sizeOf = (state, row) => (state.size ? state.size[row] : Math.abs(state.coef[row]));

/** @param {Run} run @param {State} state @param {number} a @param {number} b */
export function product({ rows, scores }, { coef }, a, b) {
  let sum = 0;
  for (let k = 0; k < scores; k++) sum += coef[k * rows + a] * coef[k * rows + b];
  return sum;
}

/** @param {Run} run @param {State} state @param {number} row */
export function classOf({ rows, scores }, { coef }, row) {
  if (scores === 1) return coef[row] > 0 ? 1 : -1;
  let best = 0;
  for (let k = 1; k < scores; k++) if (coef[k * rows + row] > coef[best * rows + row]) best = k;
  return best;
}

// Which look a class has, of all that there are: of two, +1 has the first and −1 the second, as
// with one score.
/** @param {{ scores: number }} run @param {number} c */
export const lookOf = ({ scores }, c) => (scores === 2 ? 1 - c : c);

// The same as what marks are drawn by: true or false with one score.
/** @param {Run} run @param {State} state @param {number} row */
export const kindOf = (run, state, row) => {
  const own = classOf(run, state, row);
  return run.scores > 1 ? lookOf(run, own) : own > 0;
};

// The coefficients of a row, one per class.
/** @param {Run} run @param {State} state @param {number} row */
export const vectorOf = ({ rows, scores }, { coef }, row) =>
  Array.from({ length: scores }, (_, k) => coef[k * rows + row]);

// At every cell of a field who wins, and by how much over the runner-up, or over nothing.
/**
 * @param {Float64Array} field
 * @param {number} cells
 * @param {number} scores
 * @param {Uint8Array} winner
 * @param {Float64Array} lead
 */
export function contest(field, cells, scores, winner, lead, alone = false) {
  for (let j = 0; j < cells; j++) {
    let best = 0;
    let first = field[j];
    let second = -Infinity;
    for (let k = 1; k < scores; k++) {
      const v = field[k * cells + j];
      if (v > first) [second, first, best] = [first, v, k];
      else if (v > second) second = v;
    }
    winner[j] = best;
    lead[j] = alone ? first : first - second;
  }
}

// How many coefficients are not 0.
/** @param {Float64Array} coef */
export const support = coef => coef.reduce((count, a) => count + +(a !== 0), 0);

// What is to be said of example i: where it is, its scores, its margin or how it stands to the
// water, its coefficient.
/** @param {Run} run @param {State} now @param {number} i */
export function told(run, now, i) {
  /** @param {number} v @param {number} [p] */
  const number = (v, p = 2) => decimals(v, p);
  if (run.residual) return toldOf(run, now, i);
  const at = `at (${number(run.points[2 * i])}, ${number(run.points[2 * i + 1])})`;
  const a = `|α| = ${number(sizeOf(now, i), 3)}`;
  // the plane shows answers over the level
  const levelled = now.gamma === undefined ? "margin" : "answer";
  const stands = now.wet
    ? `c = ${number(now.c[i], 3)}, ${now.wet[i] ? "under water" : "dry"}`
    : `${levelled} ${number(run.y[i] * now.f[i], levelled === "margin" ? 2 : 3)}`;
  const unit = now.gamma !== undefined && now.gamma > 0 ? now.gamma : 1;
  if (run.scores === 1)
    return `point ${i + 1}, class ${run.y[i] > 0 ? "+1" : "−1"} ${at}: f = ${number(now.f[i] / unit)}, ${stands}, ${a.replaceAll("|", "")}`;
  const [best, margin] = standing(now.f, run.rows, run.scores, i, run.y[i]);
  return `point ${i + 1}, class ${run.classes[run.y[i]]} ${at}: taken for ${run.classes[best]}, margin ${number(margin)}, ${a}`;
}
