// Questions about residuals: who pulls f, and where it goes.

import { isTube } from "../../engine/losses.js";
import { after, asked, before, chance, choice, maker, named } from "../making.js";
import { numbered, six, text } from "../making.js";

const STILL = 1e-9; // of what the targets span: less is no move ...
const SEEN = 0.004; // ... and less than this is too little to be asked for

export const pull = maker(step => {
  const { run, drawn } = step;
  if (drawn.length > 1) return null;
  const [i] = drawn;
  const { f: was } = before(step);
  const old = was[i];
  const now = after(step).f[i];
  const span = Math.max(...run.y) - Math.min(...run.y) || 1;
  const move = (now - old) / span;
  if (Math.abs(move) > STILL && Math.abs(move) < SEEN) return null;
  const { s } = step.params.loss;
  const r = step.margin;
  const because =
    Math.abs(r) > s
      ? `It was too ${r > 0 ? "high" : "low"} by ${text(Math.abs(r))}.`
      : `It was within ε of its target.`;
  return asked(step, "pull", {
    ...choice(
      ["it rises", "it falls", "it stays as it is"],
      Math.abs(move) <= STILL ? 2 : move > 0 ? 0 : 1,
    ),
    drawn,
    values: { target: run.y[i], old, new: now, because },
  });
});

export const tube = maker(step => {
  const { run, drawn } = step;
  if (!isTube(step.params.loss)) return null;
  const { s } = step.params.loss;
  const { f } = before(step);
  const residuals = Float64Array.from(run.y, (y, i) => f[i] - y);
  /** @param {number} i */
  const pulls = i => Math.abs(residuals[i]) > s;
  const random = chance(step, "tube");
  const chosen = six(run, step.mask, i => s - Math.abs(residuals[i]), pulls, random, true);
  if (!chosen.length) return null;
  const { options, truth } = numbered(run, chosen, random, pulls, i => ({
    words: residuals[i] > 0 ? "f is above" : "f is below",
    value: text(residuals[i]),
    note: pulls(i) ? "pulls" : "is left alone",
  }));
  const among = options.find(({ row }) => row === drawn[0]);
  const drew =
    drawn.length > 1
      ? `The run drew ${drawn.length} points.`
      : among
        ? `The run drew ${named(among)}.`
        : `The run drew point ${drawn[0] + 1}, residual ${text(step.margin)}.`;
  return asked(step, "tube", {
    form: "many",
    options,
    truth,
    values: { epsilon: s, drew },
    mistake: (option, missed) =>
      `${named(option)} is off by ${option.value}${missed ? "" : " only"}`,
  });
});
