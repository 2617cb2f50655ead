// Questions about a table that is read bit by bit: which row is likely, how much must be read.

import { counted } from "../../engine/words.js";
import { dualsOf } from "../../engine/own/duals.js";
import {
  SURE,
  asked,
  brief,
  chance,
  collector,
  extentOf,
  maker,
  members,
  numbered,
  named,
  shuffled,
  text,
} from "../making.js";
import { marginsIn } from "./margins.js";

const FACTOR = 1.5; // what counts as close
const BELOW = [5, 10, 20]; // percent: the first that the run comes to
/** @type {Record<string, string>} */
const OTHERS = { average: "the average w̄", random: "a random iterate" };
const LESS = 0.97; // of the best chance: what has more of it is no candidate

export const row = maker(step => {
  const { run, t } = step;
  if (step.params.exact_p) return null;
  const { p } = dualsOf(run).shares(t, step.s);
  const order = members(step.mask).toSorted((i, j) => p[j] - p[i] || i - j);
  const [best] = order;
  if (order.length < 4 || p[order[1]] > p[best] * (1 - SURE)) return null;
  // which side a row is on is told as the plane shows it
  const margin = marginsIn(run, step.engine.state(t, 0, step.s, step.params.iterate));
  const { size } = extentOf(run, step.mask);
  const random = chance(step, "row");
  const { taken, take } = collector(run, size, order);
  const others = order.filter(i => p[i] < LESS * p[best]);
  take([best]);
  take(others.slice(0, 6), 2);
  take(shuffled(others, random).filter(i => margin(i) < 0));
  take(shuffled(others.slice(others.length >> 1), random));
  take(others.toReversed());
  take(shuffled(others, random), 6 - taken.length);
  if (taken.length < 3) return null;
  const { options, truth } = numbered(
    run,
    taken,
    random,
    i => i === best,
    i => ({
      words: margin(i) < 0 ? "wrong side" : "right side",
      value: `${brief(100 * p[i])} %`,
      note: i === best ? "likeliest" : "",
    }),
  );
  const [i] = step.drawn;
  const among = options.find(o => o.row === i);
  return asked(step, "row", {
    shown: true,
    form: "one",
    options,
    truth,
    values: {
      number: options[truth[0]].number,
      top: 100 * p[best],
      n: order.length,
      even: 100 / order.length,
      drew: `The run drew ${among ? named(among) : `row ${i + 1}`}, with ${brief(100 * p[i])} %.`,
    },
    mistake: (option, missed) => (missed ? "" : `${named(option)} has only ${option.value}`),
  });
});

export const cells = maker(step => {
  const { run, t } = step;
  /** @param {number} k */
  const error = k => (100 * run.wrong[k]) / run.count(k);
  const { cells: read } = dualsOf(run);
  const { entries } = step.segment;
  for (const below of BELOW) {
    let reached = t + 1;
    while (reached <= run.T && run.segment_of[reached] === step.s && !(error(reached) < below))
      reached++;
    if (error(t) < below) return null;
    if (reached > run.T || run.segment_of[reached] !== step.s) continue;
    const truth = read[reached];
    if (read[t] > entries / FACTOR) return null; // whatever one says is close
    return asked(step, "cells", {
      shown: true,
      form: "number",
      truth,
      until: reached,
      covers: ["curves", "mechanism"],
      range: {
        low: Math.max(1, read[t]),
        high: entries,
        start: Math.sqrt(Math.max(1, read[t]) * entries),
        words: value =>
          `${counted(Math.round(value))} cells, ${text((100 * value) / entries, 1)} %`,
      },
      values: {
        which: step.params.iterate === "last" ? "w" : "the last w",
        besides:
          step.params.iterate === "last"
            ? ""
            : ` (the plane and its numbers show ${OTHERS[step.params.iterate]})`,
        below,
        entries: counted(entries),
        known: counted(read[t]),
        error: error(t),
        factor: FACTOR,
        reached,
        read: counted(truth),
        percent: (100 * truth) / entries,
      },
      judged: answer => {
        const mine = typeof answer === "number" ? Math.max(answer, 1) : 1;
        const factor = Math.max(mine / truth, truth / mine);
        const right = factor <= FACTOR;
        const off = `a factor of ${text(factor, 1)}`;
        return {
          right,
          title: right ? `Close, ${off}.` : `${mine < truth ? "Too few" : "Too many"}, by ${off}.`,
          values: { told: `You said ${counted(Math.round(mine))}.` },
        };
      },
    });
  }
  return null;
});
