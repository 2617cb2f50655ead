// Another choice than the one that the maintenance made: who would have gone, what z would have
// become, and the field after it.
//
// An event says what happens to m and n: `at` is where z lies on the plane, `becomes` its
// coefficients, one per class.

import { gridColumn } from "../kernels.js";
import { shares } from "./merging.js";
import { removal } from "./prices.js";
import { vectorOf } from "../scores.js";
import { MERGED, REMOVED, nameOf } from "./table.js";
import { significant } from "../words.js";

// What became of the two, from the table that the run left.
/**
 * @param {Run} run
 * @param {number} k
 * @param {number} kind
 * @param {State} after
 * @returns {Happening}
 */
export function happened(run, k, kind, after) {
  const [m, n, z, h] = [run.event_m[k], run.event_n[k], run.event_z[k], run.event_h[k]];
  const event = { kind, m, n, z, h, lost: run.event_degradation[k] };
  if (kind !== MERGED) return { ...event, at: [NaN, NaN], becomes: [] };
  return {
    ...event,
    at: [run.points[2 * z], run.points[2 * z + 1]],
    becomes: vectorOf(run, after, z),
  };
}

// The event as it would have been with this candidate: a partner {row, h, lost, L}, or whoever goes
// {row, lost}.
/**
 * @param {Run} run
 * @param {Happening} event
 * @param {State} mid
 * @param {Candidate} candidate
 * @param {number} pull
 * @returns {Happening}
 */
export function instead(run, event, mid, candidate, pull) {
  const { row, h, lost, kind, L, plus } = candidate;
  const { m } = event;
  const p = run.points;
  if (event.kind !== MERGED) return { ...event, m: row, lost, supposed: true };
  const own = vectorOf(run, mid, m);
  const other = vectorOf(run, mid, row);
  const share = shares(kind, L, h, plus);
  return {
    ...event,
    n: row,
    z: -1,
    h,
    lost,
    supposed: true,
    at: [h * p[2 * m] + (1 - h) * p[2 * row], h * p[2 * m + 1] + (1 - h) * p[2 * row + 1]],
    becomes: own.map((a, k) => pull * (share[0] * a + share[1] * other[k])),
  };
}

// Whether another candidate could have been taken: a projection has nobody to choose but the least.
/** @param {Happening | null} [event] */
export const asks = event => event?.kind === MERGED || event?.kind === REMOVED;

// The field after that event: those who go are gone, and z is there.
/**
 * @param {Engine} engine
 * @param {number} t
 * @param {State} mid
 * @param {Happening} event
 * @param {number} pull
 */
export function fieldAfter(engine, t, mid, event, pull) {
  const { run, grid } = engine;
  const s = run.segment_of[t];
  const field = Float64Array.from(mid.field);
  const cells = field.length / run.scores;
  /** @param {Float64Array} column @param {number[]} amounts */
  const add = (column, amounts) =>
    amounts.forEach((amount, k) => {
      for (let j = 0; j < cells; j++) field[k * cells + j] += amount * column[j];
    });
  for (const row of event.kind === MERGED ? [event.m, event.n] : [event.m]) {
    add(
      engine.column(s, row).field,
      vectorOf(run, mid, row).map(a => -a),
    );
  }
  if (event.kind === MERGED)
    add(
      gridColumn(run.segments[s].params.kernel, { ...run, ...alone(run, event) }, 0, grid),
      event.becomes.map(a => a / pull),
    );
  for (let j = 0; j < field.length; j++) field[j] *= pull;
  return field;
}

/** @param {Run} run @param {Happening} event */
function alone({ matrix }, { m, n, h, at }) {
  // z as the only row of a table
  return {
    matrix: matrix.picked([m, n]).extended([0], [1], [h]).picked([2]),
    points: Float64Array.from(at),
  };
}

/** @param {number} v */
const number = v => significant(v, 3);

// What is said of it: the cost, beside that of the choice that was made, and of throwing m away.
/**
 * @param {Run} run
 * @param {Happening} event
 * @param {Happening} real
 * @param {State} mid
 */
export function words(run, event, real, mid) {
  /** @param {number} row */
  const name = row => nameOf(run, row);
  const times = event.lost / Math.max(real.lost, 1e-300);
  const more =
    times < 1.05
      ? "about as much as"
      : times < 1000
        ? `${number(times)} times what`
        : "far more than";
  if (event.kind !== MERGED) {
    return (
      `What if ${name(event.m)} had gone instead? ‖Δ‖² = *${number(event.lost)}* would have gone with it, ` +
      `${more} was lost with ${name(real.m)}.`
    );
  }
  const thrown = removal(run, mid, run.segment(mid.t).params, event.m);
  const dear =
    event.lost > thrown
      ? ` Throwing ${name(event.m)} away would have cost less: ${number(thrown)}.`
      : "";
  return (
    `What if ${name(event.m)} had merged with ${name(event.n)} instead? At h = ${event.h.toFixed(3)} ` +
    `‖Δ‖² = *${number(event.lost)}* would be lost, ${more} was lost with ${name(real.n)}.${dear}`
  );
}
