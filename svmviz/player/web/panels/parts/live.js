// What nearly every solver says of a step.

// The draws of step t together: how many pulled, and by how much in all, what they add to a w of
// two numbers; and which of them is worst by its margin.
/** @param {Run} run @param {number} t @param {(a: number, b: number) => boolean} worse */
export function batchOf(run, t, worse) {
  const first = run.first[t];
  const added = [0, 0];
  const pull = run.project[t];
  let [worst, hits, step] = [first, 0, 0];
  for (let e = first; e < first + run.segment(t).k; e++) {
    const delta = run.delta[e] / pull;
    if (worse(run.margin[e], run.margin[worst])) worst = e;
    hits += +(delta !== 0);
    step += Math.abs(delta);
    if (run.d === 2) for (const j of [0, 1]) added[j] += delta * run.matrix.at(run.drawn[e], j);
  }
  return { worst, hits, step, added, pull };
}

// Step t by one of its draws, the first unless said: the example, its label and its margin.
/** @param {Run} run @param {number} t @param {number} [e] */
export const drawnAt = (run, t, e = run.first[t]) => ({
  t,
  i: run.drawn[e] + 1,
  label: run.y[run.drawn[e]] > 0 ? "+1" : "−1",
  margin: run.margin[e],
});
