// The rack of twin vectors: who is there after a step, and how many examples of either label each
// stands for.

export const [COMBINED, DROPPED] = [1, 2];

/** @typedef {{ row: number, plus: number, minus: number, since: number }} Twin */
/** @typedef {{ kind: number, m: number, n: number, z: number }} Room */

/** @type {WeakMap<Run, Uint32Array>} */
const known = new WeakMap();

/** @param {Run} run @param {number} t @returns {Room[]} how room was made in step t */
export function roomsOf(run, t) {
  let first = known.get(run);
  if (!first) {
    first = new Uint32Array(run.T + 2);
    for (let s = 0; s <= run.T; s++) first[s + 1] = first[s] + run.rooms[s];
    known.set(run, first);
  }
  const out = [];
  for (let e = first[t]; e < first[t + 1]; e++)
    out.push({ kind: run.room_kind[e], m: run.room_m[e], n: run.room_n[e], z: run.room_z[e] });
  return out;
}

// One step forwards: the newcomer comes in, and room is made.
/** @param {Run} run @param {number} t @param {Map<number, Twin>} rack */
function advance(run, t, rack) {
  if (run.came[t]) {
    const row = run.came[t] - 1;
    const up = run.y[run.drawn[run.first[t]]] > 0;
    rack.set(row, { row, plus: +up, minus: +!up, since: t });
  }
  for (const { kind, m, n, z } of roomsOf(run, t)) {
    const [a, b] = [rack.get(m), rack.get(n)];
    rack.delete(m);
    if (kind !== COMBINED || !a || !b) continue;
    rack.delete(n);
    rack.set(z, {
      row: z,
      plus: a.plus + b.plus,
      minus: a.minus + b.minus,
      since: Math.min(a.since, b.since),
    });
  }
}

/** @type {WeakMap<Run, { t: number, rack: Map<number, Twin> }>} */
const last = new WeakMap();

/** @param {Run} run @param {number} t @returns {Twin[]} the oldest first */
export function rackAt(run, t) {
  let found = last.get(run);
  if (!found || found.t > t) last.set(run, (found = { t: 0, rack: new Map() }));
  while (found.t < t) advance(run, ++found.t, found.rack);
  return [...found.rack.values()];
}

// How much of their boxes both twins use at f: all within their margin, nothing beyond it; on it,
// the coefficient says.
/** @param {Twin} twin @param {number} f @param {number} coef @param {number} C */
export function sharesOf({ plus, minus }, f, coef, C) {
  const on = 1e-6;
  const up = f < 1 - on ? C * plus : f > 1 + on ? 0 : NaN;
  const down = f > -1 + on ? C * minus : f < -1 - on ? 0 : NaN;
  return {
    up: Number.isNaN(up) ? Math.max(0, coef + (down || 0)) : up,
    down: Number.isNaN(down) ? Math.max(0, (up || 0) - coef) : down,
  };
}
