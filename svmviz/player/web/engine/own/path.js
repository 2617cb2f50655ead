// Steps along an exact path: who changes sets, and how each α moves with the newcomer's.

export const [REST, MARGIN, ERROR] = [2, 3, 4];
const ROUNDED = 1e-9; // of a box

/** @typedef {{ row: number, to: number, at: number, knots: Map<number, number> }} Bend */

/** @type {WeakMap<Run, { bend: Uint32Array, knot: Uint32Array }>} */
const known = new WeakMap();

// Where the bends of each step begin, and the α of each bend.
/** @param {Run} run */
function firsts(run) {
  let found = known.get(run);
  if (!found) {
    const bend = new Uint32Array(run.T + 2);
    for (let t = 0; t <= run.T; t++) bend[t + 1] = bend[t] + run.bends[t];
    const knot = new Uint32Array(run.bend_alpha.length + 1);
    for (let e = 0; e < run.bend_alpha.length; e++) knot[e + 1] = knot[e] + (run.knots?.[e] ?? 0);
    known.set(run, (found = { bend, knot }));
  }
  return found;
}

/** @param {Run} run @param {number} t @returns {Bend[]} in the order in which they happen */
export function bendsOf(run, t) {
  const { bend, knot } = firsts(run);
  const out = [];
  for (let e = bend[t]; e < bend[t + 1]; e++) {
    const knots = new Map();
    for (let k = knot[e]; k < knot[e + 1]; k++) knots.set(run.knot_index[k], run.knot_value[k]);
    out.push({ row: run.bend_index[e], to: run.bend_to[e], at: run.bend_alpha[e], knots });
  }
  return out;
}

// Every α that moves in a step, by its example: its corners (α of the newcomer, own α), the
// newcomer's first.
/**
 * @param {Run} run
 * @param {number} t
 * @param {Indexed} before coefficients
 * @param {Bend[]} [bends]
 */
export function tracksOf(run, t, before, bends = bendsOf(run, t)) {
  const c = run.drawn[run.first[t]];
  /** @type {Map<number, Point[]>} */
  const out = new Map([[c, [[0, 0]]]]);
  for (const { knots } of bends)
    for (const row of knots.keys()) if (!out.has(row)) out.set(row, [[0, Math.abs(before[row])]]);
  for (const { at, knots } of bends)
    for (const [row, corners] of out)
      corners.push([at, row === c ? at : (knots.get(row) ?? corners.at(-1)[1])]);
  return out;
}

// The height of a line with these corners.
/** @param {Point[]} corners @param {number} x */
export function heightAt(corners, x) {
  let k = 1;
  while (k < corners.length - 1 && corners[k][0] < x) k++;
  if (corners.length < 2) return corners[0][1];
  const [[x0, y0], [x1, y1]] = [corners[k - 1], corners[k]];
  return x1 > x0 ? y0 + Math.min(1, Math.max(0, (x - x0) / (x1 - x0))) * (y1 - y0) : y1;
}

/** @typedef {{ t: number, k: number, state: State }} Corner */

/** @type {WeakMap<Engine, Corner[]>} the two that were asked for last */
const corners = new WeakMap();

// What the machine is at bend k of step t.
/** @param {Engine} engine @param {number} t @param {number} k @param {Indexed} before */
function corner(engine, t, k, before) {
  const { run } = engine;
  const known =
    corners.get(engine) ?? [0, 1].map(() => ({ t: -1, k: -1, state: engine.buffers() }));
  corners.set(engine, known);
  const found = known.findIndex(one => one.t === t && one.k === k);
  const [one] = known.splice(Math.max(found, 0), 1);
  known.push(one);
  if (found >= 0) return one.state;
  const c = (engine.spare ??= engine.blank());
  engine.seek(engine.cursors[0], t - 1);
  engine.copy(engine.cursors[0], c);
  if (run.segment_of[t] !== c.segment) engine.enter(c, run.segment_of[t]);
  for (const [row, points] of tracksOf(run, t, before)) {
    const move = run.y[row] * points[k + 1][1] - c.A * c.beta[0][row];
    if (move !== 0) engine.add(c, row, move / c.A);
  }
  Object.assign(one, { t, k });
  return engine.read(one.state, c, t);
}

// Between the states before and after a step: from bend to bend everything is linear.
/**
 * @param {Engine} engine
 * @param {State} a
 * @param {State} b
 * @param {number} share
 * @param {number} s
 */
export function along(engine, a, b, share, s) {
  const bends = engine.run.knots ? bendsOf(engine.run, b.t) : [];
  const now = share * (bends.at(-1)?.at ?? 0);
  const k = bends.findIndex(({ at }) => at > now);
  if (share <= 0 || share >= 1 || k < 0) return engine.mix(a, b, share, s);
  const from = k ? bends[k - 1].at : 0;
  const [left, right] = [
    k ? corner(engine, b.t, k - 1, a.coef) : a,
    k < bends.length - 1 ? corner(engine, b.t, k, a.coef) : b,
  ];
  return engine.mix(left, right, (now - from) / (bends[k].at - from), s);
}

/** @param {number} alpha @param {number} C */
export const setOf = (alpha, C) =>
  alpha === 0 ? REST : alpha >= C * (1 - ROUNDED) ? ERROR : MARGIN;

// Who has been learnt by step t, in the order in which they came; who was taken away must come
// again.
/** @param {Run} run @param {number} t @param {number} s the segment that they are seen in */
export function learntBy(run, t, s) {
  /** @type {Set<number>} */
  const out = new Set();
  let here = 0;
  const enter = (/** @type {number} */ next) => {
    for (; here < next; here++) for (const i of out) if (!run.masks[here + 1][i]) out.delete(i);
  };
  for (let step = 1; step <= t; step++) {
    enter(run.segment_of[step]);
    if (run.arrived[step] > 0) out.add(run.drawn[run.first[step]]);
  }
  enter(s);
  return [...out];
}
