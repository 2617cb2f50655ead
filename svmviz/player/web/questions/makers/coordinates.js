// Questions about dual coefficients: which α moves, which way and where it stops, where the gap
// goes, and whom a teacher takes.

import { column } from "../../engine/kernels.js";
import { isBoxed, isHinge } from "../../engine/losses.js";
import { moves, poolOf } from "../../engine/own/rounds.js";
import {
  PLAIN,
  SURE,
  after,
  asked,
  before,
  brief,
  chance,
  choice,
  collector,
  extentOf,
  labelOf,
  maker,
  members,
  numbered,
  named,
  shuffled,
  text,
  upper,
} from "../making.js";
import { marginsIn } from "./margins.js";

const ENDS = 1e-6; // of a box: so close to its end is there, for what has travelled as float32 ...
const EXACT = 1e-12; // ... and for what is found again to the last digit
const CLEAR = 1e-3; // of a box: closer to its end, and not there, is not asked for
const FLAT = 1e-12; // see smo.py

/** @typedef {import("../making.js").Step} Step */

/** @param {Run} run @param {Segment} segment @param {number} t */
const boxOf = (run, { params }, t) =>
  !isBoxed(params.loss) ? Infinity : params.lam ? 1 / (params.lam * run.count(t)) : params.C;

// Whose α is next, from where it goes to where; null where nobody's is, or where all are scaled
// before.
/** @param {Step} step */
function next(step) {
  const { run, next: t, params } = step;
  if (run.shrink[t] !== 0) return null;
  if (run.moves) {
    if (!(run.arrived[t] > 0) || params.algorithm !== "Algorithm 2") return null;
    const i = run.drawn[t - 1];
    const move = [...moves(run, t)].find(({ draw }) => draw === 0);
    return {
      i,
      old: 0,
      now: Math.abs(move?.delta ?? 0),
      margin: run.margin[t - 1],
      moved: Boolean(move),
    };
  }
  const [i] = step.drawn;
  const old = Math.abs(before(step).coef[i]);
  const now = Math.abs(after(step).coef[i]);
  return { i, old, now, margin: step.margin, moved: now !== old };
}

export const alpha = maker(step => {
  const { run } = step;
  const found = next(step);
  if (!found) return null;
  const { i, old, now, margin, moved } = found;
  const pair = !run.moves && step.segment.k > 1;
  if (!moved && pair) return null; // optimal: nobody is next
  const C = boxOf(run, step.segment, step.next);
  const unit = C < Infinity ? C : Math.max(old, now, FLAT);
  const there = run.moves ? EXACT : ENDS;
  const [atZero, atTop] = [now <= there * unit, C < Infinity && now >= C * (1 - there)];
  const near = Math.min(now, C - now);
  if (moved && (Math.abs(now - old) < SURE * unit || (!atZero && !atTop && near < CLEAR * unit)))
    return null;
  const [low, high] = [old > ENDS * unit, !(old >= C * (1 - ENDS))];
  const words = [
    "it stays",
    ...(high ? ["it rises and stops inside", ...(C < Infinity ? ["it rises to C"] : [])] : []),
    ...(low ? ["it falls and stops inside", "it falls to 0"] : []),
  ];
  const way = now > old ? "rises" : "falls";
  const end = !moved
    ? "it stays"
    : atTop
      ? "it rises to C"
      : atZero
        ? "it falls to 0"
        : `it ${way} and stops inside`;
  const aim = pair
    ? `Point ${step.drawn[1] + 1} moves with it, until both agree on b or a box ends.`
    : isHinge(step.params.loss)
      ? "α goes to where its margin is 1, or to an end of its box."
      : "α goes to where the dual is highest.";
  const so = !moved
    ? low
      ? high
        ? "nothing is left to gain"
        : "it asks for more, but its box ends"
      : "at least 1, there is nothing to take back"
    : atTop
      ? "even at C it would ask for more"
      : atZero
        ? "even without its α it would be enough"
        : pair
          ? "it stops where the two agree"
          : isHinge(step.params.loss)
            ? "it stops where the margin is 1"
            : "it stops where the dual is highest";
  return asked(step, "alpha", {
    ...choice(words, words.indexOf(end)),
    drawn: pair ? step.drawn : [i],
    values: {
      old,
      new: now,
      margin,
      aim,
      so: pair && (atTop || atZero) ? "it stops where a box ends" : so,
      C,
      box: C < Infinity ? `, in a box up to ${brief(C)}` : "",
    },
  });
});

// What SMO looks at: how far each example is off, and what its coefficient may do.
/** @param {Step} step */
function asking(step) {
  const { run, params, mask, next: t } = step;
  const { coef, f, b } = before(step);
  const C = 1 / (params.lam * run.count(t));
  const rows = members(mask);
  const g = Float64Array.from(run.y, (y, i) => y - (f[i] - b));
  const up = rows.filter(i => coef[i] < Math.max(0, run.y[i] * C) - ENDS * C);
  const down = rows.filter(i => coef[i] > Math.min(0, run.y[i] * C) + ENDS * C);
  const alphas = Float64Array.from(coef, Math.abs);
  return { C, rows, g, up, down, alphas };
}

// What everybody would gain: alone within its box, or with i as the partner that falls.
/**
 * @param {Run} run
 * @param {Segment} segment
 * @param {ReturnType<typeof asking>} found
 * @param {number} i
 * @param {boolean} pair
 */
function gains(run, { params: { kernel } }, { g, down, rows, alphas, C }, i, pair) {
  const out = new Float64Array(run.n).fill(-Infinity);
  const own = Float64Array.from({ length: run.n }, (_, k) =>
    rows.includes(k) ? column(kernel, run.matrix.picked([k]), 0)[0] : 0,
  );
  if (!pair) {
    for (const k of rows) {
      const [low, high] = run.y[k] > 0 ? [-alphas[k], C - alphas[k]] : [alphas[k] - C, alphas[k]];
      const move = Math.min(Math.max(g[k] / Math.max(own[k], FLAT), low), high);
      out[k] = move * (g[k] - 0.5 * move * own[k]);
    }
    return out;
  }
  const K = column(kernel, run.matrix, i);
  for (const k of down)
    if (g[k] < g[i]) out[k] = (g[i] - g[k]) ** 2 / Math.max(own[i] + own[k] - 2 * K[k], FLAT);
  return out;
}

// Whether nobody else comes as high as the first of them, all but for rounding.
/** @param {number[]} rows @param {Indexed} value @param {number} first */
const leads = (rows, value, first) =>
  rows.every(k => k === first || value[k] < value[first] - SURE * Math.abs(value[first]));

export const mover = maker(step => {
  const { run, next, segment, drawn: movers } = step;
  if (run.shrink[next] !== 0 || run.delta[run.first[next]] === 0) return null;
  const pair = movers.length > 1;
  const found = asking(step);
  const { g, up, rows, alphas, C } = found;
  const [i, j = i] = movers;
  if (pair && !leads(up, g, i)) return null;
  const worth = gains(run, segment, found, i, pair);
  if (!leads(rows, worth, pair ? j : i)) return null;
  const { size } = extentOf(run, step.mask);
  const random = chance(step, "mover");
  const { taken, take } = collector(run, size, rows);
  taken.push(...movers);
  const plainly = (1 - PLAIN) * worth[j]; // nobody can see who of two gains a little more
  const others = rows.filter(k => !movers.includes(k) && worth[k] < plainly);
  const rising = up
    .filter(k => others.includes(k) && g[k] < g[i] - PLAIN * Math.abs(g[i]))
    .toSorted((a, b) => g[b] - g[a]);
  const likely = others.toSorted((a, b) => worth[b] - worth[a]);
  const stuck = others
    .filter(k => alphas[k] >= C * (1 - ENDS))
    .toSorted((a, b) => run.y[b] * g[b] - run.y[a] * g[a]);
  take(likely.slice(0, 8));
  if (pair) take(rising.slice(0, 8));
  take(stuck.slice(0, 8));
  take(shuffled(others, random), 6 - taken.length);
  if (taken.length < movers.length + 2) return null;
  const margin = marginsIn(run, before(step));
  const told = new Map(taken.map(k => [k, margin(k)]));
  const { options, truth } = numbered(
    run,
    taken,
    random,
    k => movers.includes(k),
    k => ({
      words: alphas[k] <= ENDS * C ? "α at 0" : alphas[k] >= C * (1 - ENDS) ? "α at C" : "α inside",
      value: text(/** @type {number} */ (told.get(k)), 3),
      note: movers.includes(k) ? "moves" : "rests",
    }),
  );
  /** @param {number} row */
  const option = row => /** @type {Option} */ (options.find(o => o.row === row));
  const [first, second] = [named(option(i)), named(option(j))];
  return asked(step, "mover", {
    form: pair ? "many" : "one",
    options,
    truth,
    values: {
      which: pair ? "Which two" : "Which",
      moves: pair ? "move" : "moves",
      picks: pair ? "Choose two" : "Choose one",
      reason: pair
        ? `${upper(first)} asks for b ≥ ${text(g[i], 3)}, ${second} for b ≤ ${text(g[j], 3)}: ` +
          `no pair with ${first} gains more.`
        : `No α gains more than that of ${first}, margin ${text(Number(told.get(i)))}.`,
    },
    mistake: (option, missed) =>
      `${named(option)} has margin ${option.value}, ${option.words}` +
      (missed ? "" : ", and gains less"),
  });
});

export const gap = maker(step => {
  const { run } = step;
  if (!run.gap) return null;
  const t = step.next;
  const [old, now] = [run.before("gap", t), run.gap[t]];
  if (!(Math.abs(now - old) > PLAIN * Math.max(old, now))) return null;
  const [was, is] = [run.before("objective", t), run.objective[t]];
  const came = run.moves ? run.arrived[t] > 0 : true;
  const drawn = came ? step.drawn : [];
  return asked(step, "gap", {
    shown: true,
    ...choice(["it rises", "it falls"], now > old ? 0 : 1),
    drawn,
    covers: ["mechanism", "numbers", "curves"],
    values: {
      old,
      new: now,
      arrives: !came
        ? "Nobody arrives."
        : drawn.length > 1
          ? "The two that move are ringed."
          : `Point ${drawn[0] + 1} ${run.moves ? "arrives" : "is drawn"}, and is ringed.`,
      because:
        `The primal went from ${brief(was)} to ${brief(is)}, ` +
        `the dual from ${brief(was - old)} to ${brief(is - now)}.`,
    },
  });
});

// What can be told of a point whose label nobody knows yet.
/** @param {number} f */
const sided = f => (f > 0 ? "machine says +1" : "machine says −1");

export const pick = maker(step => {
  const { run, t } = step;
  if (!run.pool || !(run.arrived[t + 1] > 0)) return null;
  const active = step.params.teacher === "active";
  const pool = poolOf(run, t + 1);
  const { f } = step.engine.state(t, 0, step.s, "average");
  /** @param {number} i */
  const wish = i => (active ? Math.abs(f[i]) : run.y[i] * f[i]);
  const values = Float64Array.from({ length: run.n }, (_, i) => wish(i));
  const order = pool.toSorted((i, j) => values[i] - values[j]);
  const best = run.drawn[t];
  const scale = pool.reduce((most, i) => Math.max(most, Math.abs(values[i])), 1e-12);
  if (order[0] !== best || order.length < 3 || values[order[1]] - values[best] <= SURE * scale)
    return null;
  const { size } = extentOf(run, step.mask);
  const random = chance(step, "pick");
  const { taken, take } = collector(run, size, members(step.mask));
  take([best]);
  // that one can tell from it
  const others = order.filter(i => values[i] - values[best] > PLAIN * scale);
  take(others.slice(0, 5), 2);
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
      words: active ? sided(f[i]) : labelOf(run, i),
      value: text(values[i], 3),
      note: i === best ? "taken" : "stays",
    }),
  );
  const measure = active ? "|f̄|" : "y f̄";
  return asked(step, "pick", {
    form: "one",
    options,
    truth,
    values: {
      number: options[truth[0]].number,
      wish: active
        ? "that lies closest to the boundary"
        : "that hurts most, with the smallest y f̄(x)",
      measure,
      least: values[best],
      second: values[order[1]],
      pooled: pool.length,
    },
    mistake: (option, missed) =>
      missed ? "" : `${named(option)} has ${measure} = ${option.value}`,
  });
});
