// Questions about the three sets of an exact SVM: where a newcomer ends, and whether others change
// on its way.

import { ERROR, MARGIN, REST, bendsOf } from "../../engine/own/path.js";
import { SURE, after, asked, brief, choice, maker, text } from "../making.js";

/** @typedef {import("../making.js").Step} Step */

const CLEAR = 1e-3; // of a box: closer to its end, and not there, is not asked for

// The next newcomer; null where there is none, or where all α move before it comes.
/** @param {Step} step */
function newcomer({ run, t, next, segment, drawn: [i] }) {
  if (!(run.arrived[next] > 0) || (t > 0 && segment.start === t)) return null;
  return { i, bends: bendsOf(run, next) };
}

export const set = maker(step => {
  const found = newcomer(step);
  if (!found) return null;
  const { run, margin, params } = step;
  const { i, bends } = found;
  const { C } = params;
  const end = bends.findLast(({ row }) => row === i)?.to ?? REST;
  const { coef, f } = after(step);
  const alpha = Math.abs(coef[i]);
  const near =
    end === REST
      ? Math.abs(margin - 1) < SURE
      : end === MARGIN && Math.min(alpha, C - alpha) < CLEAR * C;
  if (near) return null;
  const words = ["margin set", "error set", "rest"];
  return asked(step, "set", {
    ...choice(words, [MARGIN, ERROR, REST].indexOf(end)),
    drawn: [i],
    values: {
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
});

export const movers = maker(step => {
  const found = newcomer(step);
  if (!found?.bends.length) return null;
  const { i, bends } = found;
  const others = bends.filter(({ row }) => row !== i);
  const [left, joined] = [others.some(b => b.to !== MARGIN), others.some(b => b.to === MARGIN)];
  const several = `there are ${others.length} other changes of`;
  const words = [
    "nobody",
    "one or more leave the margin set",
    "one or more join the margin set",
    "both",
  ];
  return asked(step, "movers", {
    ...choice(words, +left + 2 * +joined),
    drawn: [i],
    values: {
      so: others.length
        ? `On the way ${others.length === 1 ? "one other changes" : several} sets.`
        : "Its path is one straight line: nobody else changes sets.",
    },
  });
});
