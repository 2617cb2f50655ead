// Marks in words, what they stand for, and what each is worth now.

import { support } from "./scores.js";
import { fill } from "./words.js";

const LATIN = /[A-Za-z]/;
/** @param {string} words */
const escaped = words => words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// A mark of Latin letters stands alone: not within a word or a number, and not with a bar that it
// has not. Greek ones may touch each other, as in νn, but not a subscript that is not theirs.
/** @param {string} mark */
const pattern = mark =>
  (LATIN.test(mark[0]) ? "(?<![A-Za-z0-9'’])" : "") +
  escaped(mark) +
  (/[A-Za-z0-9]$/.test(mark) ? "(?![A-Za-z0-9'’\u0304])" : "(?![₀-₉\u0304])");

/** @param {string[]} marks @returns {RegExp | null} what finds them, the longer first */
export function finder(marks) {
  const known = [...marks].sort((a, b) => b.length - a.length);
  return known.length ? new RegExp(`(${known.map(pattern).join("|")})`) : null;
}

// Words cut at their marks: every second piece is one.
/** @param {string} words @param {RegExp | null} marks */
export const pieces = (words, marks) => (marks ? words.split(marks) : [words]);

// All that a symbol's value may name: parameters, what follows from the state that is shown, and
// what the step's own sentences speak of.
/** @param {View} view @param {View} settled @returns {Values} */
export function quantities({ run, values, segment }, { now, last, of, t }) {
  const { params, optimum } = segment;
  const primal = now.primal;
  /** @type {Record<string, unknown>} */
  const found = {
    ...params,
    n: now.count,
    d: run.d,
    norm: last.now.norm,
    primal,
    optimum: optimum?.value,
    dual: run.gap && of("objective", t) - of("gap", t),
    radius: 1 / Math.sqrt(params.lam),
    level: last.now.gamma,
    b: last.now.b,
    eta_0: params.eta,
    k: last.now.k,
    support: support(last.now.coef),
    vectors: run.n_sv?.[t],
    waves: segment.waves,
    ...values,
  };
  return /** @type {Values} */ (found);
}

const NAMED = /\{(\w+)/g;

// What a symbol is worth now; nothing where that is not known.
/** @param {{ value: string }} symbol @param {Values} values */
export function worth({ value }, values) {
  const known = [...value.matchAll(NAMED)].every(([, name]) => {
    const v = values[name];
    return typeof v === "string" ? v !== "" : Number.isFinite(v);
  });
  return known ? fill(value, values) : "";
}

// A theorem after t steps: its formula, the same with the run's numbers, and what stands in it. It
// is known at a few hundred steps: those of the last one that is not later.
/** @param {Bound} bound @param {number} t */
export function theorem(bound, t) {
  const k = Math.max(
    0,
    bound.t.findLastIndex(s => s <= t),
  );
  const parts = Object.fromEntries(
    Object.entries(bound.parts).map(([name, all]) => [name, all[k]]),
  );
  /** @type {Values} */
  const values = { ...bound.constants, ...parts, t: bound.t[k], value: bound.value[k] };
  return {
    numbers: worth({ value: bound.numbers }, values),
    where: worth({ value: bound.where }, values),
  };
}
