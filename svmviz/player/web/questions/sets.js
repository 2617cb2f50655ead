// Questions about the three sets of an exact SVM: where a newcomer ends, and whether others change
// on its way.

import { ERROR, MARGIN, REST, bendsOf } from "../engine/own/path.js";
import { SURE, after, asked, brief, drawnIn, labelOf, stepOf, text, worded } from "./making.js";

const CLEAR = 1e-3; // of a box: closer to its end, and not there, is not asked for

// The next newcomer; null where there is none, or where all α move before it comes.
/** @param {Asker} at */
function newcomer(at) {
  const step = stepOf(at);
  const { run } = at;
  if (!step || !(run.arrived[step.next] > 0) || (at.t > 0 && step.segment.start === at.t))
    return null;
  const [i] = drawnIn(at);
  const bends = bendsOf(run, step.next);
  return { ...step, i, bends, margin: run.margin[run.first[step.next]], C: step.segment.params.C };
}

/** @type {Maker} */
export function set(at) {
  const found = newcomer(at);
  if (!found) return null;
  const { run } = at;
  const { i, bends, margin, C, s } = found;
  const end = bends.findLast(({ row }) => row === i)?.to ?? REST;
  const { coef, f } = after(at, s);
  const alpha = Math.abs(coef[i]);
  const near =
    end === REST
      ? Math.abs(margin - 1) < SURE
      : end === MARGIN && Math.min(alpha, C - alpha) < CLEAR * C;
  if (near) return null;
  const words = ["margin set", "error set", "rest"];
  return asked(at, "set", {
    form: "choice",
    options: worded(words),
    truth: [[MARGIN, ERROR, REST].indexOf(end)],
    drawn: [i],
    covers: ["mechanism", "numbers"],
    values: {
      i: i + 1,
      label: labelOf(run, i),
      margin,
      C,
      so:
        end === REST
          ? "at least 1, so that its α stays 0"
          : end === MARGIN
            ? `its α rises to ${brief(alpha)}, where the margin is 1`
            : `even with α = C it is only ${text(run.y[i] * f[i])}`,
    },
  });
}

/** @type {Maker} */
export function movers(at) {
  const found = newcomer(at);
  if (!found?.bends.length) return null;
  const { i, bends } = found;
  const others = bends.filter(({ row }) => row !== i);
  const [left, joined] = [others.some(b => b.to !== MARGIN), others.some(b => b.to === MARGIN)];
  const words = [
    "nobody",
    "one or more leave the margin set",
    "one or more join the margin set",
    "both",
  ];
  return asked(at, "movers", {
    form: "choice",
    options: worded(words),
    truth: [+left + 2 * +joined],
    drawn: [i],
    covers: ["mechanism", "numbers"],
    values: {
      i: i + 1,
      so: others.length
        ? `On the way ${others.length === 1 ? "one other changes" : `there are ${others.length} other changes of`} sets.`
        : "Its path is one straight line: nobody else changes sets.",
    },
  });
}
