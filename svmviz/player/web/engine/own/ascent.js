// The moves of a run on a stream, found again: each is the exact ascent along one α, α ← clip(α +
// (1 − y f(x))/K(x, x), 0, C).
//
// Responses are summed up in the order of incremental/rounds.py, so that every digit is the same as
// there. Only those are kept that will be asked for: places are given from the last use backwards,
// so that whoever is done with stands at the end.

import { column } from "../kernels.js";

const AT_0 = 1;
const AT_C = 2; // where a move ends; 0 is inside
const number = new Float64Array(1);
const bits = new BigInt64Array(number.buffer);

// What must be added to `from` to get `to`: the difference, or a neighbour of it where rounding
// would miss an end of the box.
/** @param {number} from @param {number} to */
function increment(from, to) {
  const difference = to - from;
  if (from + difference === to) return difference;
  for (const aside of [1n, -1n]) {
    number[0] = difference;
    bits[0] += aside;
    if (from + number[0] === to) return number[0];
  }
  return difference;
}

/** @param {Float64Array} f @param {number} change @param {Float64Array} K @param {number} many */
function add(f, change, K, many) {
  // on its own, because the browser then compiles it at once
  for (let q = 0; q < many; q++) f[q] += change * K[q];
}

// By how much each move changes its coefficient, and the margin of each newcomer before its round.
/** @param {Run} run */
export function ascents(run) {
  const { T, n, matrix, y, drawn, moves, move_index: index, move_end: end } = run;
  const { C, kernel } = run.segments[0].params;
  const place = new Uint32Array(n);
  const uses = new Uint32Array(n);
  const met = new Uint32Array(n);
  let live = 0;
  let taken = 0;
  /** @param {number} i */
  const ask = i => {
    if (!uses[i]++) {
      place[i] = live;
      met[live++] = i;
    }
  };
  for (let t = T, e = index.length; t > 0; t--) {
    for (let k = moves[t]; k > 0; k--) ask(index[--e]);
    ask(drawn[t - 1]);
  }
  const Z = matrix.picked(met.subarray(0, live));
  const columns = Array(live);
  const room = new Float64Array(live * new Set(index).size);
  const alpha = new Float64Array(live);
  const f = new Float64Array(live);
  /** @param {number} i */
  const answered = i => {
    if (!--uses[i]) live = place[i];
  };
  const delta = new Float64Array(index.length);
  const margin = new Float64Array(T);
  for (let t = 1, e = 0; t <= T; t++) {
    margin[t - 1] = y[drawn[t - 1]] * f[place[drawn[t - 1]]] + 0; // a zero has no sign
    answered(drawn[t - 1]);
    for (const stop = e + moves[t]; e < stop; e++) {
      const i = index[e];
      const p = place[i];
      const K = (columns[p] ??= column(kernel, Z, p, room.subarray(taken, (taken += live))));
      const top = K[p] <= 0 ? C : Math.min(Math.max(alpha[p] + (1 - y[i] * f[p]) / K[p], 0), C);
      const step = increment(alpha[p], end[e] === AT_0 ? 0 : end[e] === AT_C ? C : top);
      const change = (delta[e] = y[i] * step);
      alpha[p] += step;
      answered(i);
      add(f, change, K, live);
    }
  }
  return { move_delta: delta, margin };
}
