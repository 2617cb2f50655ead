// Runs on a stream: who has arrived when, the average that a round puts out, and the state after
// PROCESS alone.

import { ascents } from "./ascent.js";

// The moves as changes of coefficients: whose, where the draws have travelled, and by how much,
// where only their ends have.
/** @param {Run} run */
export function moved(run) {
  const { T, moves: count, move_draw: draw, picks } = run;
  const index = (run.move_index ??= new Uint32Array(draw.length));
  run.pick_first = new Uint32Array(T + 2);
  for (let t = 1, e = 0; t <= T; t++) {
    const first = run.pick_first[t];
    run.pick_first[t + 1] = first + run.segment(t).params.K;
    for (const stop = e + count[t]; e < stop; e++)
      if (picks) index[e] = draw[e] ? picks[first + draw[e] - 1] : run.drawn[t - 1];
  }
  if (run.move_end) Object.assign(run, ascents(run));
  Object.assign(run, { change_index: index, change_delta: run.move_delta });
}

// Where the pool of each round begins, when each example arrived, and how many had by then.
/** @param {Run} run */
export function arrivals(run) {
  const { T, n } = run;
  /** @param {Segment} s */
  const batch = s => s.params.algorithm === "batch";
  /** @param {Segment} s */
  const looks = s => (["active", "adversary"].includes(s.params.teacher) ? s.params.pool : 0);
  run.streams = !batch(run.segments[0]);
  run.arrival = new Float64Array(n).fill(run.streams ? Infinity : 0);
  run.pool_first = new Uint32Array(T + 2);
  run.seen = new Uint32Array(T + 1);
  /** @param {number} t @param {Uint8Array} mask */
  const count = (t, mask) => run.arrival.reduce((sum, at, i) => sum + (at <= t ? mask[i] : 0), 0);
  /** @param {number} t @param {number} s */
  run.seenBy = (t, s) =>
    s === run.segment_of[t]
      ? run.seen[t]
      : batch(run.segments[s])
        ? run.counts[s]
        : count(t, run.masks[s]);
  run.seen[0] = run.streams ? 0 : run.counts[0];
  for (let t = 1; t <= T; t++) {
    const segment = run.segment(t);
    const came = !batch(segment) && run.arrived[t] > 0;
    const mask = run.masks[run.segment_of[t]];
    const first = t === segment.start + 1;
    run.pool_first[t + 1] = run.pool_first[t] + looks(segment);
    if (batch(segment) && first)
      mask.forEach((alive, i) => {
        if (alive) run.arrival[i] = Math.min(run.arrival[i], t);
      });
    if (came) run.arrival[run.drawn[t - 1]] = t;
    run.seen[t] = first ? count(t, mask) : run.seen[t - 1] + +came;
  }
}

// The moves of round t: whose, by how much, in which draw (0 is PROCESS).
/** @param {Run} run @param {number} t */
export function* moves(run, t) {
  for (let e = run.change_first[t]; e < run.change_first[t + 1]; e++)
    yield { i: run.move_index[e], delta: run.move_delta[e], draw: run.move_draw[e] };
}

/** @param {Run} run @param {number} t */
export const poolOf = (run, t) =>
  run.pool
    ? [...run.pool.subarray(run.pool_first[t], run.pool_first[t + 1])]
        .filter(i => i > 0)
        .map(i => i - 1)
    : [];

/**
 * @param {Engine} engine
 * @param {State} state
 * @param {number} s
 * @param {number} i
 * @param {number} amount
 */
function add(engine, state, s, i, amount) {
  state.coef[i] += amount;
  engine.sights[s].matrix.axpy(i, amount, state.w);
  if (engine.vector[s]) return;
  const { f, field } = engine.column(s, i);
  for (let j = 0; j < f.length; j++) state.f[j] += amount * f[j];
  for (let j = 0; j < field.length; j++) state.field[j] += amount * field[j];
}

/** @param {Engine} engine @param {State} state @param {number} t @param {number} s */
function done(engine, state, t, s) {
  if (engine.vector[s]) engine.respond(state, engine.sights[s]);
  return engine.measure(state, t, s);
}

// From the last iterate of round t to the average of its K: a move in draw k is missing from k - 1
// of them.
/** @param {Engine} engine @param {State} state @param {number} t @param {number} s */
export function deduct(engine, state, t, s) {
  const { run } = engine;
  const { params } = run.segment(t);
  if (t === 0 || params.algorithm === "batch") return state;
  for (const { i, delta, draw } of moves(run, t))
    if (draw > 1) add(engine, state, s, i, (-delta * (draw - 1)) / params.K);
  return done(engine, state, t, s);
}

// The state before round t with what PROCESS adds to it.
/** @param {Engine} engine @param {State} midway @param {number} t */
export function processed(engine, midway, t) {
  const { run } = engine;
  const before = engine.states[0];
  const factor = 1 - run.shrink[t];
  const s = run.segment_of[t];
  for (const name of /** @type {const} */ (["coef", "w", "f", "field"]))
    for (let j = 0; j < midway[name].length; j++) midway[name][j] = factor * before[name][j];
  midway.b = 0;
  for (const { i, delta, draw } of moves(run, t)) if (draw === 0) add(engine, midway, s, i, delta);
  return done(engine, midway, t, s);
}
