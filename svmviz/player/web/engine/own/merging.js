// Two support vectors with a radial kernel that become one, as merge.py has it for the Gaussian and
// radial.py for the others.

import { IMQ, LAPLACIAN } from "../kernels.js";

const EQUAL = 1e-5; // relative: what float32 leaves of equal weights
const RATIO = (Math.sqrt(5) - 1) / 2;

// ‖Δ‖² of putting two vectors at distance L, for the Gaussian γ|x_m − x_n|², into one at h x_m + (1
// − h) x_n, with the best coefficients: a pair holds |α_m|², |α_n|² and their product, whether
// these are numbers or vectors with an entry per class. The terms are such that little cancels
// where L is small.
/** @param {Pair} pair @param {number} h */
const lost = ({ mm, nn, mn, L, kind }, h) => {
  const g = 1 - h;
  if (kind === LAPLACIAN)
    return Math.max(0, -mm * Math.expm1(-2 * L * g) - nn * Math.expm1(-2 * L * h));
  if (kind === IMQ) {
    const [a, u, v, c] = [1 + L, L * g * g, L * h * h, L * g * h];
    const b = (1 + u) * (1 + v);
    const cross = (c * (c - 2)) / (Math.sqrt(a * b) * (Math.sqrt(a) + Math.sqrt(b)));
    return Math.max(0, (mm * u) / (1 + u) + (nn * v) / (1 + v) + 2 * mn * cross);
  }
  const cross =
    L > 1
      ? Math.exp(-L) - Math.exp(-L * (g * g + h * h))
      : -Math.exp(-L) * Math.expm1(2 * L * g * h);
  return Math.max(
    0,
    -mm * Math.expm1(-2 * L * g * g) - nn * Math.expm1(-2 * L * h * h) + 2 * mn * cross,
  );
};

// 1 − K at this share of L's way.
/** @param {number} kind @param {number} L @param {number} share */
function missing(kind, L, share) {
  if (kind !== IMQ) return -Math.expm1(-L * (kind === LAPLACIAN ? share : share * share));
  const root = Math.sqrt(1 + L * share * share);
  return (L * share * share) / (root * (1 + root));
}

// What is lost of a constant feature besides.
/** @param {Pair} pair @param {number} h */
const lacked = ({ mm, nn, mn, L, kind, plus }, h) => {
  if (!plus) return 0;
  const [p, q] = [1 - h, h].map(share => missing(kind, L, share));
  return (plus / (1 + plus)) * (mm * p * p + 2 * mn * p * q + nn * q * q);
};

// All of that.
/** @param {Pair} pair @param {number} h */
export const costs = (pair, h) => lost(pair, h) + lacked(pair, h);

// K(x_m, z) and K(x_n, z) by K(z, z): what z takes over of either coefficient.
/** @param {number} kind @param {number} L @param {number} h @param {number} plus */
export const shares = (kind, L, h, plus) =>
  [1 - h, h].map(share => (value(kind, L, share) + plus) / (1 + plus));

/** @param {number} kind @param {number} L @param {number} share */
const value = (kind, L, share) =>
  kind === IMQ
    ? 1 / Math.sqrt(1 + L * share * share)
    : Math.exp(-L * (kind === LAPLACIAN ? share : share ** 2));

// Of the sign in which ‖Δ‖² falls with h.
/** @param {Pair} pair @param {number} h */
const falls = ({ mm, nn, mn, L, kind }, h) => {
  if (kind === IMQ) {
    const s = Math.sqrt((1 + L * h * h) / (1 + L * (1 - h) ** 2));
    return mm * (1 - h) * s ** 4 + mn * ((1 - h) * s ** 3 - h * s) - nn * h;
  }
  const s = Math.exp(-L * (1 - 2 * h));
  return mm * (1 - h) * s * s + mn * (1 - 2 * h) * s - nn * h;
};

// The best h of a narrow bracket, for a partner that is heavier by far: z is next to it then,
// nearer than values that are all but equal can tell.
/** @param {Pair} pair @param {number} a @param {number} b */
function closer(pair, a, b) {
  for (let k = 0; k < 50; k++) {
    const h = (a + b) / 2;
    if (falls(pair, h) > 0) a = h;
    else b = h;
  }
  return (a + b) / 2;
}

// Golden section on the half beside the heavier vector, or beside m, the older one, of two equally
// heavy; every bracket on the way.
/** @param {Pair} pair @returns {Merging} */
export function golden(pair) {
  let [a, b] = pair.mm < pair.nn * (1 - EQUAL) ? [0, 0.5] : [0.5, 1];
  const brackets = [[a, b]];
  // an end is best
  if (pair.kind === LAPLACIAN) return { ...pair, h: 2 * a, lost: costs(pair, 2 * a), brackets };
  for (let k = 0; k < 40; k++) {
    const c = b - RATIO * (b - a);
    const d = a + RATIO * (b - a);
    if (lost(pair, c) <= lost(pair, d)) b = d;
    else a = c;
    brackets.push([a, b]);
  }
  const h = [closer(pair, a, b), ...brackets[0]].reduce((best, v) =>
    lost(pair, v) < lost(pair, best) ? v : best,
  );
  return { ...pair, h, lost: costs(pair, h), brackets };
}
