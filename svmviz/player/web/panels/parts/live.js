// What nearly every solver says of a step.

// Step t by one of its draws, the first unless said: the example, its label and its margin.
/** @param {Run} run @param {number} t @param {number} [e] */
export const drawnAt = (run, t, e = run.first[t]) => ({
  t,
  i: run.drawn[e] + 1,
  label: run.y[run.drawn[e]] > 0 ? "+1" : "−1",
  margin: run.margin[e],
});
