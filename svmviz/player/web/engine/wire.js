// A trace as it comes from wire.py: header and typed arrays, ready to index.

import { arrivals, moved } from "./own/rounds.js";
import { isResidual } from "./losses.js";
import { matrixOf } from "./matrix.js";
import { groundOf } from "./own/residuals.js";
import { lookOf } from "./scores.js";
import { SPREAD, complete } from "./own/table.js";

/** @type {Record<string, new (length: number) => Numbers & { BYTES_PER_ELEMENT: number }>} */
const TYPES = {
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
};

// Header and arrays of any message. Of an array come first bytes of all its numbers, then second
// ones, and so on.
/**
 * @param {Uint8Array} bytes
 * @returns {Promise<any>} what the server says of it: `Wire`, or `RaceData`
 */
export async function unpack(bytes) {
  const from = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const found = /** @type {any} */ (headerOf(bytes));
  const end = bytes.length - (found.fork ?? 0); // a second run may stand behind it
  const { readable, writable } = new DecompressionStream("deflate");
  const writer = writable.getWriter();
  const [buffer] = await Promise.all([
    new Response(readable).arrayBuffer(),
    writer.write(/** @type {Uint8Array<ArrayBuffer>} */ (bytes.subarray(from, end))),
    writer.close(),
  ]);
  const body = new Uint8Array(buffer);
  let at = 0;
  for (const [name, [type, size]] of Object.entries(/** @type {Layout} */ (found.arrays))) {
    if (!TYPES[type])
      throw new Error(`${name} is an array of ${type}, which the player does not know`);
    const array = (found[name] = new TYPES[type](size));
    const raw = new Uint8Array(array.buffer);
    const width = array.BYTES_PER_ELEMENT;
    for (let k = 0; k < width; k++) for (let j = k; j < raw.length; j += width) raw[j] = body[at++];
  }
  return found;
}

/** @param {Uint8Array} bytes of a message @returns {Record<string, any>} */
export function headerOf(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
}

// The same message with another header.
/**
 * @param {Uint8Array} bytes
 * @param {(header: Record<string, any>) => Record<string, any>} change
 */
export function rewritten(bytes, change) {
  const from = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const text = new TextEncoder().encode(JSON.stringify(change(headerOf(bytes))));
  const out = new Uint8Array(4 + text.length + bytes.length - from);
  new DataView(out.buffer).setUint32(0, text.length, true);
  out.set(text, 4);
  out.set(bytes.subarray(from), 4 + text.length);
  return out;
}

const PROVEN = 1e-6;
// of its value, and in all: what an optimum may be off and still be called exact
const LEAST = 1e-9;

// The optimum of every segment; one that is not proven is no ground for a curve, and only said with
// what it may be off (`near`).
/** @param {Run} run @param {(Optimum | null)[]} optima */
export function settle(run, optima) {
  run.segments.forEach((segment, k) => {
    const best = optima[k];
    const exact = best && best.gap <= Math.max(LEAST, PROVEN * Math.abs(best.value));
    Object.assign(segment, { optimum: exact ? best : null, near: exact ? null : best });
  });
}

/** @param {Uint8Array} bytes */
export async function decode(bytes) {
  /** @type {Run} */
  const run = Object.assign({ scores: 1, classes: [] }, await unpack(bytes));
  Object.assign(run, JSON.parse(new TextDecoder().decode(run.words)));
  settle(
    run,
    run.segments.map(segment => segment.optimum),
  );
  run.shrink ??= Float64Array.from({ length: run.T + 1 }, (_, t) => (t ? 1 / t : 0));
  const arrays = /** @type {Record<string, Numbers>} */ (/** @type {unknown} */ (run));
  run.array = name => arrays[name];
  if (run.bound) {
    const names = /** @type {string[]} */ (/** @type {unknown} */ (run.bound.parts));
    const parts = Object.fromEntries(names.map(name => [name, arrays[`bound_${name}`]]));
    Object.assign(run.bound, { t: [...arrays.bound_t], value: [...arrays.bound_value], parts });
  }
  for (const name of Object.keys(run.arrays))
    if (name.endsWith("_at")) {
      // what differs from 1 in a few steps only
      const key = name.slice(0, -3);
      const all = (arrays[key] = new Float64Array(run.T + 1).fill(1));
      arrays[name].forEach((t, k) => {
        all[t] = arrays[`${key}_value`][k];
      });
    }
  run.pulled = arrays.project_at ?? [];
  // examples of step t: drawn[first[t]] .. drawn[first[t+1] - 1]
  run.first = new Uint32Array(run.T + 2);
  run.segment_of = new Uint16Array(run.T + 1);
  run.segments.forEach((segment, s) => {
    const stop = s + 1 < run.segments.length ? run.segments[s + 1].start : run.T;
    for (let t = segment.start + 1; t <= stop; t++) {
      run.segment_of[t] = s;
      run.first[t + 1] = run.first[t] + segment.k;
    }
  });
  run.segment = t => run.segments[run.segment_of[t]];
  run.matrix = matrixOf(run);
  // A change falls between two steps: once step t is over, the stage stands in the segment that
  // begins there, if one does.
  run.behind = t => {
    const s = run.segment_of[t];
    const next = run.segments[s + 1];
    return t > 0 && next?.start === t && next.label ? s + 1 : s;
  };
  // A quantity after step t as segment s sees it: what was recorded, or what the same w is worth
  // where s begins.
  run.at = (name, t, s = run.segment_of[t]) =>
    s === run.segment_of[t]
      ? arrays[name]?.[t]
      : /** @type {number} */ (run.segments[s].entry[name] ?? undefined);
  run.before = (name, t) => run.at(name, t - 1, run.segment_of[t]); // what step t starts from
  if (run.event) complete(run);
  run.rows = run.matrix.rows; // examples, and vectors that were made on the way
  const counts = run.changes ?? run.moves ?? run.raised;
  if (counts) {
    // what step t changed: change_index[change_first[t]] ...
    run.change_first = new Uint32Array(run.T + 2);
    for (let t = 0; t <= run.T; t++) run.change_first[t + 1] = run.change_first[t] + counts[t];
    if (run.moves) moved(run);
    // with a score per class, that of its own and that of the rival
    const added = run.scores > 1 ? 2 : 1;
    // where the example is in, and maintenance begins
    run.entered = t =>
      run.change_first[t] + (run.changes[t] >= added && !SPREAD.includes(run.event[t]) ? added : 0);
  } else
    Object.assign(run, {
      change_first: run.first,
      change_index: run.drawn,
      change_delta: run.delta,
    });
  let alive = new Uint8Array(run.n).fill(1); // which examples take part in each segment
  run.masks = run.segments.map(({ came, went }) => {
    alive = alive.slice();
    came.forEach(i => {
      alive[i] = 1;
    });
    went.forEach(i => {
      alive[i] = 0;
    });
    return alive;
  });
  run.counts = run.masks.map(mask => mask.reduce((sum, v) => sum + v, 0));
  run.count = t => run.counts[run.segment_of[t]];
  run.residual = isResidual(run.segments[0].params.loss);
  run.graph = Boolean(run.real) && run.d === 1; // targets stand above their one feature
  run.ground = run.real ? groundOf(run.y) : 0;
  run.kind = i => (run.classes.length ? lookOf(run, run.y[i]) : run.graph || run.y[i] > run.ground);
  // where the examples lie on the plane ...
  run.points ??= /** @type {Dense} */ (run.matrix).values;
  run.basis ??= Float64Array.of(1, 0, 0, 1); // ... which is origin + basis, two rows of d numbers
  run.origin ??= new Float64Array(2);
  [run.across, run.up] = [0, run.d].map(from => run.basis.subarray(from, from + run.d));
  // Whether w lives in the space of the data.
  run.linear = run.segments.map(
    ({ params: { kernel }, waves }) => kernel.kind === 0 && !kernel.plus && !waves,
  );
  run.axes = {
    steps: t => t,
    epochs: t => run.first[t + 1] / run.counts[0],
    examples: t => run.first[t + 1],
    kernel_evals: cumulative(run, "kernel_evals"),
    features_read: cumulative(run, "features_read"),
  };
  if (run.new_pairs) run.pairs = cumulative(run, "new_pairs");
  run.tracked = run.tracked_t && { t: [...run.tracked_t], value: [...run.tracked_value] };
  if (run.moves) arrivals(run);
  return run;
}

/** @param {Run} run @param {string} name @returns {(t: number) => number} */
function cumulative(run, name) {
  if (Number.isFinite(run.costs[name])) return t => t * run.costs[name];
  const sums = new Float64Array(run.T + 1);
  // whole vectors were read
  for (let t = 1; t <= run.T; t++)
    sums[t] = sums[t - 1] + (run.array(name)?.[t] ?? run.d * run.kernel_evals[t]);
  return t => sums[t];
}
