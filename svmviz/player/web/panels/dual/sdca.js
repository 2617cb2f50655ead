// The mechanism of dual coordinate ascent is that of all dual solvers; its live quantities are its
// own.

import { between } from "../../engine/kernels.js";
import { isFree, isSmoothed, value } from "../../engine/losses.js";
import { fill } from "../../engine/words.js";
import { drawnAt } from "../parts/live.js";

export { Mechanism, numbers } from "./boxes.js";

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  const segment = run.segment(t);
  if (t === 0) return { t: 0, first: value(segment.params.loss, 0) };
  const i = run.drawn[run.first[t]];
  const factor = 1 - run.shrink[t];
  return {
    ...drawnAt(run, t),
    hits: +(run.delta[run.first[t]] !== 0),
    old: factor * Math.abs(before.coef[i]),
    new: Math.abs(after.coef[i]),
    C: 1 / (segment.params.lam * run.count(t)),
    change: Math.abs(after.coef[i]) - factor * Math.abs(before.coef[i]),
    K_ii: between(segment.params.kernel, run.matrix, i, i),
    lifted: run.y[i] * after.f[i],
    gap: run.gap[t],
    factor,
    low: low(segment.params.loss),
  };
}

// Of a margin that leaves its α at C: where the slope of the loss is the steepest.
/** @param {Loss} loss */
const low = loss =>
  !isFree(loss)
    ? "far below 0"
    : isSmoothed(loss)
      ? fill("at most 1 − s = {bend:.3g}", { bend: 1 - loss.s })
      : "at most 1";
