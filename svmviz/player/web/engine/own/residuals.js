// Regression: what a state says of real targets.

import { value } from "../losses.js";
import { fill } from "../words.js";

const RIM = 1e-6; // of target and tube: whoever lies on the rim is within, see losses.py

// Mean loss, who is outside the tube, who pays, and how far f is off: the root of the mean square,
// and the mean.
/** @param {Run} run @param {State} state @param {Uint8Array} mask @param {Loss} loss */
export function fitted({ n, y }, { f }, mask, loss) {
  const sums = { hinge: 0, wrong: 0, paying: 0, count: 0, rmse: 0, mae: 0 };
  for (let i = 0; i < n; i++) {
    if (!mask[i]) continue;
    const r = f[i] - y[i];
    const cost = value(loss, r);
    sums.count++;
    sums.hinge += cost;
    sums.paying += +(cost > 0);
    sums.wrong += +(Math.abs(r) > loss.s + RIM * (loss.s + Math.abs(y[i])));
    sums.rmse += r * r;
    sums.mae += Math.abs(r);
  }
  const { count } = sums;
  return {
    ...sums,
    hinge: sums.hinge / count,
    rmse: Math.sqrt(sums.rmse / count),
    mae: sums.mae / count,
  };
}

// What targets, and f, are high or low against: 0 where some lie on either side of it, else the
// middle one of them.
/** @param {ArrayLike<number>} y */
export function groundOf(y) {
  const sorted = Float64Array.from(y).sort();
  return sorted[0] < 0 && sorted[sorted.length - 1] > 0 ? 0 : sorted[sorted.length >> 1];
}

// The radius of the ball that the best w lies in: that of this loss.
/** @param {Run} run @param {number} s */
export function reachOf({ n, y, masks, counts, segments }, s) {
  const { loss, lam } = segments[s].params;
  let sum = 0;
  for (let i = 0; i < n; i++) if (masks[s][i]) sum += value(loss, -y[i]);
  return Math.sqrt(sum / counts[s] / lam);
}

// What is to be said of example i.
/** @param {Run} run @param {State} now @param {number} i */
export function toldOf({ y, points, graph }, { f, coef }, i) {
  const [a, b] = [points[2 * i], points[2 * i + 1]];
  return fill(
    `point {i} at ${graph ? "{a:.2f}" : "({a:.2f}, {b:.2f})"}: target {y:.3g}, f = {f:.3g}, residual {r:.3g}, α = {alpha:.3g}`,
    { i: i + 1, a, b, y: y[i], f: f[i], r: f[i] - y[i], alpha: coef[i] },
  );
}
