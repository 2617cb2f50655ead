// Questions about margins: who pulls, what a step does to w and to the line f = 0.

import { isFree } from "../../engine/losses.js";
import { standing } from "../../engine/scores.js";
import { repeated } from "../../engine/words.js";
import {
  SURE,
  after,
  asked,
  before,
  chance,
  choice,
  extentOf,
  labelOf,
  maker,
  numbered,
  named,
  six,
  text,
} from "../making.js";

const CLOSE = { degrees: 6, share: 3 }; // of a line
const STILL = 0.2; // degrees: less is no turn
const TURNS = 10; // degrees: less is too little to be asked for
const NEAR = 0.35; // of the picture: the line must cross it
// a margin that only rounding may tell from 0: coefficients travel with seven digits
const NONE = 1e-5;

/** @param {Run} run @param {State} state */
export const marginsIn =
  (run, { f, b }) =>
  /** @param {number} i */
  i =>
    run.scores > 1 ? standing(f, run.rows, run.scores, i, run.y[i])[1] : run.y[i] * (f[i] - b);

/** @typedef {import("../making.js").Step} Step */

// The margin that an example needs to be left alone, or null where nobody is; `reached` is enough.
/** @param {Run} run @param {Params} params @returns {{ least: number, reached: boolean } | null} */
function needed(run, params) {
  if (run.solver.objective === "mistakes") return { least: 0, reached: false };
  if (params.rule === "implicit") return null; // what is enough depends on the step
  const least = params.rule === "margin Perceptron" ? params.beta : 1;
  return isFree(params.loss) ? { least, reached: least > 0 } : null;
}

// Whether whoever falls short of the margin is let in: not with a full rack that has stopped
// learning, or where a newcomer may be spread over the others.
/** @param {Run} run @param {number} t @param {Params} params */
const open = (run, t, { maintenance, B }) =>
  !run.changes ||
  !(maintenance.startsWith("project") || (maintenance === "stop" && run.n_sv[t] >= B));

/** @param {string} kind @returns {Maker} */
const whoPulls = kind =>
  maker(step => {
    const { run, t } = step;
    const need = needed(run, step.params);
    if (!need || !open(run, t, step.params)) return null;
    const margins = Float64Array.from({ length: run.n }, (_, i) => i).map(
      marginsIn(run, before(step)),
    );
    const { least, reached } = need;
    /** @param {number} i */
    const pulls = i => margins[i] < least;
    const random = chance(step, kind);
    const chosen = six(run, step.mask, i => margins[i] - least, pulls, random, true);
    if (!chosen.length) return null;
    const joins = Boolean(run.changes);
    const { options, truth } = numbered(run, chosen, random, pulls, i => ({
      words:
        Math.abs(margins[i]) < NONE ? "on the line" : margins[i] > 0 ? "right side" : "wrong side",
      value: text(margins[i]),
      note: joins ? (pulls(i) ? "joins" : "stays out") : pulls(i) ? "pulls" : "is left alone",
    }));
    const asks = reached ? `below ${least}` : `of at most ${least}`;
    return asked(step, kind, {
      form: "many",
      options,
      truth,
      values: { asked: asks, drew: drew(step, options) },
      mistake: (option, missed) =>
        missed
          ? `${named(option)} has only ${option.value}`
          : `${named(option)} has ${option.value}, which is enough`,
    });
  });

export const pays = whoPulls("pays");
export const mistake = whoPulls("mistake");

// Whom the run drew, by its number if it has one.
/** @param {Step} step @param {Option[]} options */
function drew({ drawn, margin }, options) {
  if (drawn.length > 1) return `The run drew ${several(drawn)}.`;
  const among = options.find(({ row }) => row === drawn[0]);
  return among
    ? `The run drew ${named(among)}.`
    : `The run drew point ${drawn[0] + 1}, margin ${text(margin)}.`;
}

// A mini-batch, in which a multi-set may have an example more than once.
/** @param {number[]} drawn */
function several(drawn) {
  const points = `${new Set(drawn).size} points`;
  return repeated(drawn).length ? `${points} in ${drawn.length} draws` : points;
}

/** @param {Step} step */
const nextOnes = ({ run, drawn }) =>
  drawn.length > 1
    ? `The next step draws ${several(drawn)}.`
    : `Point ${drawn[0] + 1} (${labelOf(run, drawn[0])}) is next, and ringed.`;

// What the drawn did to w, in words, and whether any of them pulled.
/** @param {Step} step */
function pull({ run, next, drawn, params, ...step }) {
  const hits = drawn.filter((_, k) => run.delta[run.first[next] + k] !== 0).length;
  const margin = text(step.margin);
  const shrinks = run.shrink[next] !== 0;
  const mistakes = run.solver.objective === "mistakes";
  const so =
    drawn.length > 1
      ? `${hits} of the ${drawn.length}${repeated(drawn).length ? " draws" : ""} pull.`
      : hits
        ? isFree(params.loss)
          ? `Its margin is ${margin}, ${mistakes ? "not above 0" : "below 1"}: it pulls.`
          : `Its margin is ${margin}, where the loss still falls: it pulls.`
        : `Its margin is ${margin}, ${mistakes ? "above 0" : "at least 1"}: ` +
          `${shrinks ? "w only shrinks" : "w stays as it is"}.`;
  return { hits, shrinks, so };
}

// Only shrinks, shrinks and swings, or nothing.
export const swing = maker(step => {
  const { hits, shrinks, so } = pull(step);
  if (!hits && !isFree(step.params.loss)) return null; // a pull too weak to have travelled
  const { norm: old } = before(step);
  const { norm } = after(step);
  return asked(step, "swing", {
    ...choice(
      ["it only shrinks", "it shrinks and swings", "it stays as it is"],
      hits ? 1 : shrinks && old > 0 ? 0 : 2,
    ),
    drawn: step.drawn,
    values: { who: nextOnes(step), so, before: old, after: norm },
  });
});

export const changes = maker(step => {
  const { run, t } = step;
  const [i] = step.drawn;
  const { norm: old } = before(step);
  const { norm } = after(step);
  let moved = run.shrink[t + 1] !== 0 && old > 0;
  for (let e = run.change_first[t + 1]; e < run.change_first[t + 2]; e++)
    moved ||= run.change_delta[e] !== 0; // not a number: gone
  return asked(step, "changes", {
    ...choice(["w changes", "w stays as it is"], moved ? 0 : 1),
    drawn: [i],
    values: {
      margin: step.margin,
      so: moved ? "w changes" : "w stays as it is",
      before: old,
      after: norm,
    },
  });
});

export const answer = maker(step => {
  const { run } = step;
  if (run.scores > 1 || step.params.bias) return null;
  const [i] = step.drawn;
  const state = before(step);
  const old = marginsIn(run, state)(i);
  const scale = state.f.reduce((most, v) => Math.max(most, Math.abs(v)), Math.abs(old));
  const now = marginsIn(run, after(step))(i);
  const by = now - old;
  const least = SURE * Math.max(scale, Math.abs(now));
  if (by !== 0 && Math.abs(by) <= least) return null;
  return asked(step, "answer", {
    ...choice(["it rises", "it falls", "it stays"], by > 0 ? 0 : by < 0 ? 1 : 2),
    drawn: [i],
    covers: ["mechanism", "numbers", "curves"],
    values: { old, new: now },
  });
});

// The line f = 0 of a state on the plane, where w is a vector of its two features.
/** @param {Run} run @param {State} state @returns {StraightLine | null} */
function lineOf({ d, origin, across, up }, { w, b }) {
  const along = [b, 0, 0];
  for (let j = 0; j < d; j++) {
    along[0] += w[j] * origin[j];
    along[1] += w[j] * across[j];
    along[2] += w[j] * up[j];
  }
  const length = Math.hypot(along[1], along[2]);
  return length > 0 ? { angle: Math.atan2(along[2], along[1]), offset: -along[0] / length } : null;
}

// By how many degrees two lines differ, and by how much the second misses the place of the first
// that lies nearest to `from`.
/** @param {StraightLine} a @param {StraightLine} b @param {Point} from */
export function between(a, b, [x, y]) {
  const [c, s] = [Math.cos(a.angle), Math.sin(a.angle)];
  const away = c * x + s * y - a.offset;
  const foot = [x - away * c, y - away * s];
  const [u, v] = [Math.cos(b.angle), Math.sin(b.angle)];
  return {
    degrees: (Math.acos(Math.min(1, Math.abs(c * u + s * v))) * 180) / Math.PI,
    off: Math.abs(u * foot[0] + v * foot[1] - b.offset),
    away: Math.abs(away),
  };
}

export const line = maker(step => {
  const { run, params, drawn } = step;
  if (run.d !== 2 || run.scores > 1 || !run.linear[step.s]) return null;
  if (params.iterate !== "last" || drawn.length > 1) return null;
  const start = lineOf(run, before(step));
  const end = lineOf(run, after(step));
  if (!start || !end) return null;
  const { centre, size } = extentOf(run, step.mask);
  const { degrees: turned, away } = between(end, start, centre);
  const { away: left } = between(start, end, centre);
  if ((turned > STILL && turned < TURNS) || Math.max(away, left) > NEAR * size) return null;
  return asked(step, "line", {
    form: "line",
    truth: end,
    line: { start, centre, reach: size / 2 },
    drawn,
    values: { who: nextOnes(step), so: pull(step).so, turned, ...CLOSE },
    judged: given => {
      const mine = given && typeof given === "object" && "angle" in given ? given : start;
      const { degrees, off } = between(end, mine, centre);
      const share = (100 * off) / size;
      const right = degrees <= CLOSE.degrees && share <= CLOSE.share;
      return {
        right,
        title: right ? "Close." : degrees > CLOSE.degrees ? "Another turn." : "Another place.",
        values: {
          told: `Yours is off by ${text(degrees, 1)}° and ${text(share, 1)} % of the picture.`,
        },
      };
    },
  });
});
