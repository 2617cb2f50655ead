// Water on a floor of responses: level, bias and who is under water, by the order of the responses;
// and the search that finds the level without sorting, round by round, as water.py does it.

// Examples in rising order of c. The order of the last call is nearly right, and insertion sort
// makes little work of that.
/** @param {Indexed} c @param {ArrayLike<number>} members @param {Int32Array | null} [before] */
export function sorted(c, members, before) {
  if (before?.length !== members.length)
    return Int32Array.from(members).sort((i, j) => c[i] - c[j] || i - j);
  const order = before.slice();
  let moves = 0;
  for (let k = 1; k < order.length; k++) {
    const i = order[k];
    let j = k;
    while (j > 0 && c[order[j - 1]] > c[i]) {
      order[j] = order[j - 1];
      j--;
      moves++;
    }
    order[j] = i;
    if (moves > 40 * order.length)
      return Int32Array.from(members).sort((a, b) => c[a] - c[b] || a - b);
  }
  return order;
}

// The level of one basin: {gamma, k}, with k the number of responses that do not exceed it.
/** @param {Indexed} c @param {Int32Array} order @param {number} volume */
export function level(c, order, volume) {
  let sum = 0;
  let k = 0;
  while (k < order.length && (k === 0 || k * (c[order[k]] - c[order[0]]) - sum < volume))
    sum += c[order[k++]] - c[order[0]];
  const gamma = volume > 0 ? c[order[0]] + (volume + sum) / k : c[order[0]];
  k = 0;
  while (k < order.length && c[order[k]] <= gamma) k++;
  return { gamma, k, b: 0 };
}

// The level of two basins that share the volume: as many under water in each, and b in the middle
// of all that are best.
/** @param {Indexed} c @param {Int32Array} plus @param {Int32Array} minus @param {number} volume */
export function levelWithBias(c, plus, minus, volume) {
  const most = Math.min(plus.length, minus.length);
  /** @param {Int32Array} order @param {number} k */
  const at = (order, k) => (k < order.length ? c[order[k]] : Infinity);
  let sum = 0;
  let k = 0;
  while (k < most && (k === 0 || k * (at(plus, k) + at(minus, k)) - sum < volume)) {
    sum += at(plus, k) + at(minus, k);
    k++;
  }
  if (!(volume > 0))
    return { gamma: (at(plus, 0) + at(minus, 0)) / 2, b: (at(minus, 0) - at(plus, 0)) / 2, k: 1 };
  const gamma = (volume + sum) / (2 * k);
  const both = 2 * gamma;
  const low = Math.max(at(plus, k - 1), both - at(minus, k));
  const high = Math.min(at(plus, k), both - at(minus, k - 1));
  return { gamma, b: gamma - (low + high) / 2, k };
}

// The volume that lifts the level to gamma.
/** @param {number} gamma @param {(volume: number) => Level} pour */
export function volumeFor(gamma, pour) {
  let low = 0;
  let high = 1;
  while (pour(high).gamma < gamma && high < 1e9) high *= 2;
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (pour(middle).gamma < gamma) low = middle;
    else high = middle;
  }
  return high;
}

/** @param {number} a @param {number} b @param {number} c */
const middle = (a, b, c) => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
/** @param {number} i @param {number} m */
const spot = (i, m) => {
  const u = (i + 0.5) * 0.6180339887498949;
  return Math.trunc((u - Math.trunc(u)) * m);
};

/** @param {number[]} s @param {number} i */
function ninther(s, i) {
  /** @param {number} k */
  const three = k =>
    middle(s[spot(k, s.length)], s[spot(k + 1, s.length)], s[spot(k + 2, s.length)]);
  return middle(three(i), three(i + 3), three(i + 6));
}

// Rounds of the search: {pivot, open, below, equal, above, need, floods, kept, gamma}, lists of
// examples; gamma in the last.
/** @param {Indexed} c @param {number[]} members @param {number} volume */
export function rounds(c, members, volume) {
  let open = [...members];
  let floor = 0;
  let k = 0;
  let used = 0;
  let shore = Infinity;
  const out = [];
  while (open.length) {
    const s = open.map(i => c[i]);
    const pivot = middle(ninther(s, 0), ninther(s, 9), ninther(s, 18));
    const below = open.filter(i => c[i] < pivot);
    const equal = open.filter(i => c[i] === pivot);
    const above = open.filter(i => c[i] > pivot);
    const need =
      below.reduce((sum, i) => sum + pivot - c[i], 0) + (k ? used + k * (pivot - floor) : 0);
    const floods = need < volume;
    if (floods) {
      k += below.length + equal.length;
      floor = pivot;
      used = need;
    } else shore = pivot;
    const kept = floods ? above : below;
    const gamma = kept.length ? null : k ? floor + (volume - used) / k : shore;
    out.push({ pivot, open, below, equal, above, need, floods, kept, gamma });
    open = kept;
  }
  return out;
}
