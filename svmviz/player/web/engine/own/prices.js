// What keeping the budget costs, ‖Δ‖²: removing a vector, merging two; and what it would have cost
// otherwise, as prices.py has it.

import { between, reach } from "../kernels.js";
import { golden, shares } from "./merging.js";
import { product, sizeOf } from "../scores.js";
import { MERGED, REMOVED } from "./table.js";

const ASKEW = 1e-6; // cosine of coefficients up to which they are on no common side, to rounding

// Of two classes with a score each the player keeps the difference of their coefficients, which are
// opposite: its square is twice the sum of theirs.
/** @param {Run} run @param {Params} params */
const part = ({ scores }, { multiclass }) => (multiclass && scores === 1 ? 0.5 : 1);

// |α|² K(x, x)
/** @param {Run} run @param {State} mid @param {Params} params @param {number} row */
export const removal = (run, mid, params, row) =>
  part(run, params) * product(run, mid, row, row) * between(params.kernel, run.matrix, row, row);

/**
 * @param {Run} run
 * @param {State} mid
 * @param {Params} params
 * @param {number} m
 * @param {number} n
 * @returns {Pair}
 */
function paired(run, mid, params, m, n) {
  /** @param {number} a @param {number} b */
  const of = (a, b) => part(run, params) * product(run, mid, a, b);
  const { kind, plus } = params.kernel;
  return {
    mm: of(m, m),
    nn: of(n, n),
    mn: of(m, n),
    kind,
    L: reach(params.kernel, run.matrix, m, n),
    plus,
  };
}

// Two vectors merged where that costs least; null where they are not on one side.
/**
 * @param {Run} run
 * @param {State} mid
 * @param {Params} params
 * @param {number} m
 * @param {number} n
 */
export function merger(run, mid, params, m, n) {
  const pair = paired(run, mid, params, m, n);
  return pair.mn > ASKEW * Math.sqrt(pair.mm * pair.nn) ? golden(pair) : null;
}

// The rows that are support vectors.
/** @param {Run} run @param {State} state */
export const present = (run, state) =>
  [...Array(run.rows).keys()].filter(row => sizeOf(state, row) > 0);

/**
 * What is asked for in every frame, found once for each step of a run.
 * @template T
 * @param {(run: Run, t: number, mid: State) => T} find
 * @returns {(run: Run, t: number, mid: State) => T}
 */
function once(find) {
  /** @type {WeakMap<Run, { t: number, found: T }>} */
  const last = new WeakMap();
  return (run, t, mid) => {
    let known = last.get(run);
    if (known?.t !== t) last.set(run, (known = { t, found: find(run, t, mid) }));
    return known.found;
  };
}

// The one that must be merged in step t with each of its partners, by row.
export const partners = once((run, t, mid) => {
  const { params } = run.segment(t);
  const m = run.event_m[/** @type {number} */ (run.event_of.get(t))];
  /** @type {Map<number, Merging>} */
  const found = new Map();
  for (const row of present(run, mid)) {
    const merging = row === m ? null : merger(run, mid, params, m, row);
    if (merging) found.set(row, merging);
  }
  return found;
});

// What was weighed in step t; null unless one vector went: of several only the last is told.
export const prices = once((run, t, mid) => {
  const k = run.event_of.get(t);
  const came = +(run.entered(t) > run.change_first[t]);
  if (k === undefined || run.n_sv[t - 1] + came - run.n_sv[t] !== 1) return null;
  const { params } = run.segment(t);
  const m = run.event_m[k];
  const weighed = {
    removal: removal(run, mid, params, m),
    // of the next best partner, or of the lightest of the others where one was removed
    second: Infinity,
    own: between(params.kernel, run.matrix, m, m),
    a_m: Math.sqrt(part(run, params) * product(run, mid, m, m)),
    ...{ a_n: 0, a_z: 0, p: 0, q: 0 },
  };
  if (run.event[t] === REMOVED) {
    for (const row of present(run, mid))
      if (row !== m) weighed.second = Math.min(weighed.second, removal(run, mid, params, row));
  }
  if (run.event[t] !== MERGED) return weighed;
  const n = run.event_n[k];
  for (const [row, { lost }] of partners(run, t, mid))
    if (row !== n) weighed.second = Math.min(weighed.second, lost);
  const { mm, nn, mn, kind, L, plus } = paired(run, mid, params, m, n);
  const [p, q] = shares(kind, L, run.event_h[k], plus);
  return {
    ...weighed,
    ...{ p, q, a_n: Math.sqrt(nn), a_z: Math.sqrt(p * p * mm + 2 * p * q * mn + q * q * nn) },
  };
});
