// Questions about several classes: which row of w the next example pushes away, how many tags of a
// sentence are wrong.

import { isFree } from "../../engine/losses.js";
import { SURE, asked, before, choice, maker, text } from "../making.js";

const SOME = ["none: w only shrinks", "one or two", "three or more"];
const MOST = 6; // classes that can be chosen from

export const rival = maker(step => {
  const { run, t, drawn } = step;
  if (drawn.length > 1 || run.scores > MOST || !isFree(step.params.loss)) return null;
  const [i] = drawn;
  const own = run.y[i];
  const { f } = before(step);
  const mistakes = step.segment.mistakes?.[own] ?? [];
  const tops = Array.from(
    { length: run.scores },
    (_, c) => f[c * run.rows + i] + (mistakes[c] ?? 0),
  );
  const others = tops.map((_, c) => c).filter(c => c !== own);
  const [first, second = -Infinity] = others.map(c => tops[c]).sort((a, b) => b - a);
  const scale = Math.max(1, ...tops.map(Math.abs));
  // where two nearly tie, who is first cannot be seen
  const close = SURE * scale;
  if (Math.abs(first - tops[own]) <= close || (first > tops[own] && first - second <= close))
    return null;
  const r = run.rival[t + 1];
  const pushes = first > tops[own];
  /** @param {number} c */
  const name = c => `that of class ${run.classes[c]}`;
  const told =
    `class ${run.classes[r]}, which has ${text(f[r * run.rows + i])} and a cost of ` +
    `${text(mistakes[r] ?? 1, 1)}, its own class ${text(tops[own])}`;
  return asked(step, "rival", {
    ...choice(["no row: all only shrink", ...others.map(name)], pushes ? 1 + others.indexOf(r) : 0),
    drawn,
    values: {
      so: pushes
        ? `Highest is ${told}: the row of class ${run.classes[r]} goes, its own comes.`
        : `Nearest is ${told}: nothing is lacking.`,
    },
  });
});

export const tags = maker(step => {
  const { run, t, drawn } = step;
  const hits = run.array("hits")?.[t + 1] ?? 0;
  const cost = run.array("cost")?.[t + 1] ?? 0;
  return asked(step, "tags", {
    ...choice(SOME, hits > 2 ? 2 : +(hits > 0)),
    drawn,
    values: {
      last: drawn[drawn.length - 1] + 1,
      so: hits
        ? `ŷ has ${hits} of ${drawn.length} tags wrong and leads by ${text(cost)}.`
        : `Nothing leads the true tags: ŷ is these, and the sentence pays nothing.`,
    },
  });
});
