// Two runs that are one up to a step: the second as forkwire.py sends it behind the first, and how
// far they are apart.

import { decode, unpack } from "./wire.js";

/**
 * @param {Uint8Array} bytes
 * @param {Run} run the first one, which these bytes begin with
 * @returns {Promise<Fork | null>}
 */
export async function unfold(bytes, { fork }) {
  if (!fork) return null;
  const found = await unpack(bytes.subarray(bytes.length - fork));
  const { t, measures, differences } = found;
  const [a, b] = ["a", "b"].map(name => ({
    hinge: found[`${name}_hinge`],
    norm: found[`${name}_norm`],
  }));
  return { t, measures, differences, a, b, run: await decode(found.run) };
}

// f_B − f_A in every cell, its range, and the examples that are told otherwise by B: now right, now
// wrong.
/**
 * @param {State} a
 * @param {State} b
 * @param {Run} run
 * @param {Uint8Array} mask
 * @param {Float64Array} field
 */
export function apart(a, b, run, mask, field) {
  let [low, high] = [Infinity, -Infinity];
  for (let k = 0; k < field.length; k++) {
    field[k] = b.field[k] - a.field[k];
    if (field[k] < low) low = field[k];
    if (field[k] > high) high = field[k];
  }
  /** @type {number[]} */
  const right = [];
  /** @type {number[]} */
  const wrong = [];
  for (let i = 0; i < run.n; i++) {
    const positive = b.f[i] >= 0;
    if (mask[i] && positive !== a.f[i] >= 0) (positive === run.y[i] > 0 ? right : wrong).push(i);
  }
  return { low, high, right, wrong };
}
