// Questions about residuals: who pulls f, and where it goes.

import { isTube } from "../engine/losses.js";
import {
  after,
  asked,
  before,
  chance,
  drawnIn,
  mistaken,
  named,
  numbered,
  six,
  stepOf,
  text,
  worded,
} from "./making.js";

const STILL = 1e-9; // of what the targets span: less is no move ...
const SEEN = 0.004; // ... and less than this is too little to be asked for

/** @type {Maker} */
export function pull(at) {
  const { run, t } = at;
  const step = stepOf(at);
  if (!step) return null;
  const drawn = drawnIn(at);
  if (drawn.length > 1) return null;
  const [i] = drawn;
  const { f: was } = before(at, step.s);
  const old = was[i];
  const now = after(at, step.s).f[i];
  const span = Math.max(...run.y) - Math.min(...run.y) || 1;
  const move = (now - old) / span;
  if (Math.abs(move) > STILL && Math.abs(move) < SEEN) return null;
  const { s } = step.segment.params.loss;
  const r = run.margin[run.first[t + 1]];
  const because =
    Math.abs(r) > s
      ? `It was too ${r > 0 ? "high" : "low"} by ${text(Math.abs(r))}.`
      : `It was within ε of its target.`;
  return asked(at, "pull", {
    form: "choice",
    options: worded(["it rises", "it falls", "it stays as it is"]),
    truth: [Math.abs(move) <= STILL ? 2 : move > 0 ? 0 : 1],
    drawn,
    covers: ["mechanism", "numbers"],
    values: { i: i + 1, target: run.y[i], old, new: now, because },
  });
}

/** @type {Maker} */
export function tube(at) {
  const { run, t } = at;
  const step = stepOf(at);
  if (!step || !isTube(step.segment.params.loss)) return null;
  const { s } = step.segment.params.loss;
  const { f } = before(at, step.s);
  const residuals = Float64Array.from(run.y, (y, i) => f[i] - y);
  /** @param {number} i */
  const pulls = i => Math.abs(residuals[i]) > s;
  const random = chance(at, "tube");
  const chosen = six(run, step.mask, i => s - Math.abs(residuals[i]), pulls, random, true);
  if (!chosen.length) return null;
  const options = numbered(
    run,
    chosen,
    i => ({
      words: residuals[i] > 0 ? "f is above" : "f is below",
      value: text(residuals[i]),
      note: pulls(i) ? "pulls" : "is left alone",
    }),
    random,
  );
  const truth = options.flatMap(({ row }, k) => (pulls(row) ? [k] : []));
  const drawn = drawnIn(at);
  const among = options.find(({ row }) => row === drawn[0]);
  const drew =
    drawn.length > 1
      ? `The run drew ${drawn.length} points.`
      : among
        ? `The run drew ${named(among)}.`
        : `The run drew point ${drawn[0] + 1}, residual ${text(run.margin[run.first[t + 1]])}.`;
  return asked(at, "tube", {
    form: "many",
    options,
    truth,
    covers: ["mechanism", "numbers"],
    values: { epsilon: s, drew },
    clauses: mistaken(
      (option, missed) =>
        missed
          ? `${named(option)} is off by ${option.value}`
          : `${named(option)} is off by ${option.value} only`,
      truth,
    ),
  });
}
