// Questions about margins: who pulls, what a step does to w and to the line f = 0.

import { isFree } from "../engine/losses.js";
import { standing } from "../engine/scores.js";
import { repeated } from "../engine/words.js";
import {
  SURE,
  after,
  asked,
  before,
  chance,
  drawnIn,
  extentOf,
  labelOf,
  numbered,
  mistaken,
  named,
  six,
  stepOf,
  text,
  worded,
} from "./making.js";

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

/** @param {Uint8Array} mask */
export const members = mask => [...mask.keys()].filter(i => mask[i]);

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
const whoPulls = kind => at => {
  const { run, t } = at;
  const step = stepOf(at);
  const need = step && needed(run, step.segment.params);
  if (!step || !need || !open(run, t, step.segment.params)) return null;
  const margins = Float64Array.from({ length: run.n }, (_, i) => i).map(
    marginsIn(run, before(at, step.s)),
  );
  const { least, reached } = need;
  /** @param {number} i */
  const pulls = i => margins[i] < least;
  const random = chance(at, kind);
  const chosen = six(run, step.mask, i => margins[i] - least, pulls, random, true);
  if (!chosen.length) return null;
  const joins = Boolean(run.changes);
  const options = numbered(
    run,
    chosen,
    i => ({
      words:
        Math.abs(margins[i]) < NONE ? "on the line" : margins[i] > 0 ? "right side" : "wrong side",
      value: text(margins[i]),
      note: joins ? (pulls(i) ? "joins" : "stays out") : pulls(i) ? "pulls" : "is left alone",
    }),
    random,
  );
  const truth = options.flatMap(({ row }, k) => (pulls(row) ? [k] : []));
  const asks = reached ? `below ${least}` : `of at most ${least}`;
  return asked(at, kind, {
    form: "many",
    options,
    truth,
    covers: ["mechanism", "numbers"],
    values: { asked: asks, drew: drew(at, options) },
    clauses: mistaken(
      (option, missed) =>
        missed
          ? `${named(option)} has only ${option.value}`
          : `${named(option)} has ${option.value}, which is enough`,
      truth,
    ),
  });
};

export const pays = whoPulls("pays");
export const mistake = whoPulls("mistake");

// Whom the run drew, by its number if it has one.
/** @param {Asker} at @param {Option[]} options */
export function drew(at, options) {
  const { run, t } = at;
  const drawn = drawnIn(at);
  if (drawn.length > 1) return `The run drew ${several(drawn)}.`;
  const among = options.find(({ row }) => row === drawn[0]);
  return among
    ? `The run drew ${named(among)}.`
    : `The run drew point ${drawn[0] + 1}, margin ${text(run.margin[run.first[t + 1]])}.`;
}

// A mini-batch, in which a multi-set may have an example more than once.
/** @param {number[]} drawn */
function several(drawn) {
  const points = `${new Set(drawn).size} points`;
  return repeated(drawn).length ? `${points} in ${drawn.length} draws` : points;
}

/** @param {Asker} at @param {number[]} drawn */
const nextOnes = ({ run }, drawn) =>
  drawn.length > 1
    ? `The next step draws ${several(drawn)}.`
    : `Point ${drawn[0] + 1} (${labelOf(run, drawn[0])}) is next, and ringed.`;

// What the drawn did to w, in words, and whether any of them pulled.
/** @param {Asker} at @param {number[]} drawn @param {Params} params */
function pull({ run, t }, drawn, params) {
  const first = run.first[t + 1];
  const hits = drawn.filter((_, k) => run.delta[first + k] !== 0).length;
  const margin = text(run.margin[first]);
  const shrinks = run.shrink[t + 1] !== 0;
  const mistakes = run.solver.objective === "mistakes";
  const so =
    drawn.length > 1
      ? `${hits} of the ${drawn.length}${repeated(drawn).length ? " draws" : ""} pull.`
      : hits
        ? isFree(params.loss)
          ? `Its margin is ${margin}, ${mistakes ? "not above 0" : "below 1"}: it pulls.`
          : `Its margin is ${margin}, where the loss still falls: it pulls.`
        : `Its margin is ${margin}, ${mistakes ? "above 0" : "at least 1"}: ${shrinks ? "w only shrinks" : "w stays as it is"}.`;
  return { hits, shrinks, so };
}

// Only shrinks, shrinks and swings, or nothing.
/** @type {Maker} */
export function swing(at) {
  const step = stepOf(at);
  if (!step) return null;
  const drawn = drawnIn(at);
  const { hits, shrinks, so } = pull(at, drawn, step.segment.params);
  if (!hits && !isFree(step.segment.params.loss)) return null; // a pull too weak to have travelled
  const { norm: old } = before(at, step.s);
  const { norm } = after(at, step.s);
  return asked(at, "swing", {
    form: "choice",
    options: worded(["it only shrinks", "it shrinks and swings", "it stays as it is"]),
    truth: [hits ? 1 : shrinks && old > 0 ? 0 : 2],
    drawn,
    covers: ["mechanism", "numbers"],
    values: { who: nextOnes(at, drawn), so, before: old, after: norm },
  });
}

/** @type {Maker} */
export function changes(at) {
  const { run, t } = at;
  const step = stepOf(at);
  if (!step) return null;
  const [i] = drawnIn(at);
  const { norm: old } = before(at, step.s);
  const { norm } = after(at, step.s);
  let moved = run.shrink[t + 1] !== 0 && old > 0;
  for (let e = run.change_first[t + 1]; e < run.change_first[t + 2]; e++)
    moved ||= run.change_delta[e] !== 0; // not a number: gone
  return asked(at, "changes", {
    form: "choice",
    options: worded(["w changes", "w stays as it is"]),
    truth: [moved ? 0 : 1],
    drawn: [i],
    covers: ["mechanism", "numbers"],
    values: {
      i: i + 1,
      label: labelOf(run, i),
      margin: run.margin[run.first[t + 1]],
      so: moved ? "w changes" : "w stays as it is",
      before: old,
      after: norm,
    },
  });
}

/** @type {Maker} */
export function answer(at) {
  const { run } = at;
  const step = stepOf(at);
  if (!step || run.scores > 1 || step.segment.params.bias) return null;
  const [i] = drawnIn(at);
  const state = before(at, step.s);
  const old = marginsIn(run, state)(i);
  const scale = state.f.reduce((most, v) => Math.max(most, Math.abs(v)), Math.abs(old));
  const now = marginsIn(run, after(at, step.s))(i);
  const by = now - old;
  const least = SURE * Math.max(scale, Math.abs(now));
  if (by !== 0 && Math.abs(by) <= least) return null;
  return asked(at, "answer", {
    form: "choice",
    options: worded(["it rises", "it falls", "it stays"]),
    truth: [by > 0 ? 0 : by < 0 ? 1 : 2],
    drawn: [i],
    covers: ["mechanism", "numbers", "curves"],
    values: { i: i + 1, label: labelOf(run, i), old, new: now },
  });
}

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

/** @type {Maker} */
export function line(at) {
  const { run } = at;
  const step = stepOf(at);
  if (!step || run.d !== 2 || run.scores > 1 || !run.linear[step.s]) return null;
  const { params } = step.segment;
  const drawn = drawnIn(at);
  if (params.iterate !== "last" || drawn.length > 1) return null;
  const start = lineOf(run, before(at, step.s));
  const end = lineOf(run, after(at, step.s));
  if (!start || !end) return null;
  const { centre, size } = extentOf(run, step.mask);
  const { degrees: turned, away } = between(end, start, centre);
  const { away: left } = between(start, end, centre);
  if ((turned > STILL && turned < TURNS) || Math.max(away, left) > NEAR * size) return null;
  return asked(at, "line", {
    form: "line",
    truth: end,
    line: { start, centre, reach: size / 2 },
    drawn,
    covers: ["mechanism", "numbers"],
    values: { who: nextOnes(at, drawn), so: pull(at, drawn, params).so, turned, ...CLOSE },
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
}
