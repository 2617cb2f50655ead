// What a lesson may speak of at a moment, by name, as svmviz/lessons/facts.py finds it in the
// trace.

import { moment } from "../engine/moment.js";

/** @param {View} view @param {Panel} panel @returns {Record<string, number | string | boolean>} */
export function facts(view, panel) {
  const { run, segment, now, s, t } = view;
  const params = Object.fromEntries(
    Object.entries(segment.params).filter(([, value]) => typeof value !== "object"),
  );
  const { wrong, paying, hinge, norm, primal, count } = now;
  /** @type {Record<string, any>} */
  const own = {};
  for (const name of run.own) own[name] = run.at(name, t, s);
  const { objective } = run.solver;
  if (objective !== "primal" || run.moves || run.bends)
    for (const end of ["", "_average"]) own[objective + end] = run.at(`objective${end}`, t, s);
  if (run.moves) own.dual = own.primal - run.at("gap", t, s);
  const best = segment.optimum?.value;
  let support = 0;
  const { rows, scores } = run;
  for (let i = 0; i < rows; i++)
    for (let at = i; at < rows * scores; at += rows)
      if (now.coef[at] !== 0) {
        support++;
        break;
      }
  return {
    T: run.T,
    d: run.d,
    n: count,
    points: count,
    ...params,
    width: segment.params.kernel.gamma,
    ...{ wrong, error: wrong / count, paying, hinge, norm, primal, support },
    ...(best === undefined ? {} : { optimum: best, gap: primal - best }),
    ...own,
    ...panel.facts(view),
    ...view.values,
    t,
  };
}

// The facts at rest after step t, or within it, and those of the last step as end.NAME where they
// are asked for.
/** @param {Moment} stage @param {number} t @param {boolean} [end] @param {number} [phase] */
export function factsAt(stage, t, end = false, phase = 1) {
  /** @param {number} step @param {number} [within] */
  const at = (step, within = 1) =>
    facts(moment({ ...stage, t: step, phase: within, supposed: null }), stage.panel);
  const found = at(t, phase);
  if (end)
    for (const [name, value] of Object.entries(at(stage.run.T))) found[`end.${name}`] = value;
  return found;
}
