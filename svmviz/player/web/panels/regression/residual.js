// What the panels of all regressions share: numbers, names and curves that speak of residuals.

import { isTube } from "../../engine/losses.js";
import { number, optimum } from "../../stage/code.js";

/** @type {Panel["formula"]} */
export const formula = ({ linear }) => [
  linear ? "f(x) = ⟨w, x⟩" : "f(x) = Σ α[j] K(x[j], x)",
  "f(x)",
];

/** @type {Panel["metrics"]} */
export const metrics = () => ({
  rmse: "RMSE",
  mae: "Mean |residual|",
  error: "Outside the tube",
  test: "Outside, on test data",
});

/** @param {string} name @param {string} words @returns {Series} */
const curve = (name, words) => ({
  name: "last w",
  value: (run, t) => run.array(name)?.[t] ?? NaN,
  words: () => words,
  log: true,
});

/** @type {Panel["series"]} */
export const series = {
  rmse: curve("rmse", "root of the mean squared residual"),
  mae: curve("mae", "mean size of the residuals"),
};

// How many are within the tube, of the rows set apart where there are some; how far f is off where
// there is no tube.
/** @param {View} view */
export function within({ run, now, t, of, segment }) {
  if (!isTube(segment.params.loss)) return ["mean |residual|", number(now.mae)];
  const [off, all] = run.wrong_test ? [of("wrong_test", t), run.n_test] : [now.wrong, now.count];
  return [
    run.wrong_test ? "in the tube, test" : "in the tube",
    `${(100 - (100 * off) / all).toFixed(1)} %`,
  ];
}

/** @type {Panel["numbers"]} */
export const numbers = view => [
  ["objective P(w)", number(view.now.primal)],
  ["optimum P*", optimum(view.run, view.segment)],
  ["RMSE", number(view.now.rmse)],
  within(view),
];
