// The mechanism of dual ascent for regression is that of all dual solvers; what it says is its own.

import { between } from "../../engine/kernels.js";
import { number, optimum } from "../../stage/code.js";
import { within } from "../regression/residual.js";

export { Mechanism } from "./boxes.js";
export { formula, metrics, series } from "../regression/residual.js";

/** @type {Panel["numbers"]} */
export const numbers = view => [
  ["primal P(w)", number(view.now.primal)],
  ["dual D(α)", number(view.of("objective", view.t) - view.of("gap", view.t))],
  ["optimum P*", optimum(view.run, view.segment)],
  within(view),
];

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  const segment = run.segment(t);
  if (t === 0) return { t: 0, first: after.hinge };
  const e = run.first[t];
  const i = run.drawn[e];
  const factor = 1 - run.shrink[t];
  const change = after.coef[i] - factor * before.coef[i];
  const K_ii = between(segment.params.kernel, run.matrix, i, i);
  return {
    t,
    i: i + 1,
    target: run.y[i],
    r: run.margin[e],
    hits: +(run.delta[e] !== 0),
    old: factor * before.coef[i],
    new: after.coef[i],
    K_ii,
    after: run.margin[e] + change * K_ii,
    factor,
    C: 1 / (segment.params.lam * run.count(t)),
    gap: run.gap[t],
  };
}
