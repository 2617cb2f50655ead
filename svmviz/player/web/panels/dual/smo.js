// The mechanism of SMO is that of all dual solvers; its live quantities are its own.

import { between } from "../../engine/kernels.js";
import { drawnAt } from "../parts/live.js";

export { Mechanism, numbers } from "./boxes.js";
export const CHANGE = ["add", "lift"];

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  if (t === 0) return { t: 0 };
  const segment = run.segment(t);
  const first = run.first[t];
  const i = run.drawn[first];
  const j = run.drawn[first + segment.k - 1];
  const factor = 1 - run.shrink[t];
  /** @param {State} state @param {number} scale @param {number} i */
  const asks = (state, scale, i) => run.y[i] - scale * (state.f[i] - state.b);
  /** @param {number} i @param {number} j */
  const near = (i, j) => between(segment.params.kernel, run.matrix, i, j);
  const g = asks(before, factor, i);
  const g_j = asks(before, factor, j);
  const move = Math.abs(run.delta[first]);
  return {
    ...drawnAt(run, t),
    j: j + 1,
    hits: move ? segment.k : 0,
    label_j: run.y[j] > 0 ? "+1" : "−1",
    old: factor * Math.abs(before.coef[i]),
    new: Math.abs(after.coef[i]),
    new_j: Math.abs(after.coef[j]),
    g,
    g_j,
    C: 1 / (segment.params.lam * run.count(t)),
    move,
    apart: g - g_j,
    left: Math.max(0, asks(after, 1, i) - asks(after, 1, j)),
    kappa: near(i, i) + near(j, j) - 2 * near(i, j),
    K_ii: near(i, i),
    b: after.b,
    lifted: run.y[i] * (after.f[i] - after.b),
    evals: run.kernel_evals ? run.kernel_evals[t] : run.costs.kernel_evals,
    factor,
  };
}
