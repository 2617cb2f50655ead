// Runs with a table of vectors: of a merging only m, n and h travel, and here is what follows from
// them.

import { reach } from "../kernels.js";
import { shares } from "./merging.js";

export const REMOVED = 1;
export const PROJECTED = 2;
export const MERGED = 3;
export const FOLDED = 4;
export const FROZEN = 5;
export const LEANT = 7; // kinds of event
export const SPREAD = [FOLDED, LEANT]; // what the example adds goes to the others
const TOLD = /** @type {const} */ (["m", "n", "z", "h"]); // of an event

/** @param {Run} run @param {number} t */
export function rate(run, t) {
  // η_t
  const { params } = run.segment(t);
  if (params.rule === "Pegasos") return 1 / (params.lam * t);
  return params.rule === "margin Perceptron" ? params.eta : params.eta / Math.sqrt(t);
}

// What a row of the table is called in words, and in short under its slot, as in bsgd/values.py.
/** @param {Run} run @param {number | undefined} row */
export const nameOf = ({ n }, row) =>
  row === undefined || row < 0 ? "nothing" : row < n ? `point ${row + 1}` : `vector ${row - n + 1}`;
/** @param {Run} run @param {number} row */
export const markOf = ({ n }, row) => (row < n ? String(row + 1) : `v${row - n + 1}`);

// Where z lies, if that is in the place of one of the two.
/** @param {Run} run @param {number} m @param {number} n @param {number} h */
export const spotOf = (run, m, n, h) =>
  h === 0 || h === 1 ? ` where ${nameOf(run, h ? m : n)} is` : "";

// The whole table, all events and all changes.
/** @param {Run} run */
export function complete(run) {
  if (run.made_h) remake(run);
  run.event_step = [...run.event.keys()].filter(t => run.event[t]);
  if (run.made_h && run.event.includes(MERGED)) merge(run);
  else for (const name of TOLD) run[`event_${name}`] = run[`told_${name}`];
  run.event_E ??= Float64Array.from(
    run.event_step,
    (t, k) => Math.sqrt(run.event_degradation[k]) / rate(run, t),
  );
  run.event_of = new Map(run.event_step.map((t, k) => [t, k])); // which of them a step had
  run.events_to = new Uint32Array(run.T + 1);
  run.E_bar = new Float64Array(run.T + 1);
  for (let t = 1; t <= run.T; t++) {
    run.E_bar[t] = (run.E_bar[t - 1] * (t - 1) + (run.event_E[run.event_of.get(t) ?? -1] ?? 0)) / t;
    run.events_to[t] = run.events_to[t - 1] + (run.event[t] && run.event[t] !== FROZEN ? 1 : 0);
  }
}

// Examples, then what was made of them on the way, z = h x_m + (1 − h) x_n, and how many mergings
// made each. An example that was drawn again is made of itself alone.
/** @param {Run} run */
function remake(run) {
  const { n, made_m, made_n, made_h } = run;
  const merged = new Uint16Array(n + made_h.length);
  made_m.forEach((m, k) => {
    if (m !== made_n[k]) merged[n + k] = merged[m] + merged[made_n[k]] + 1;
  });
  Object.assign(run, { matrix: run.matrix.extended(made_m, made_n, made_h), merged });
}

// m and n go, z takes over α_m k(x_m, z) + α_n k(x_n, z), for every class.
/** @param {Run} run */
function merge(run) {
  const { T, matrix, n, scores, event, made_m, made_n, made_h } = run;
  const { rows } = matrix;
  const held = new Float64Array(scores * rows);
  /** @type {number[]} */
  const index = [];
  /** @type {number[]} */
  const delta = [];
  /** @type {number[]} */
  const classes = [];
  /** @type {Record<"m" | "n" | "z" | "h", number[]>} */
  const events = { m: [], n: [], z: [], h: [] };
  const counts = new Uint32Array(T + 1);
  let unit = 1;
  let at = 0;
  let made = 0;
  let told = 0; // coefficients are unit times what is held
  /** @param {number} row @param {number} c @param {number} amount */
  const put = (row, c, amount) => {
    index.push(row);
    delta.push(amount);
    classes.push(c);
    if (Number.isNaN(amount)) for (let k = row; k < held.length; k += rows) held[k] = 0;
    else held[c * rows + row] += amount / unit;
  };
  for (let t = 1; t <= T; t++) {
    const before = index.length;
    unit *= 1 - run.shrink[t];
    if (unit < 1e-100) {
      for (let k = 0; k < held.length; k++) held[k] *= unit;
      unit = 1;
    }
    for (const stop = at + run.changes[t]; at < stop; at++)
      put(run.change_index[at], run.change_class?.[at] ?? 0, run.change_delta[at]);
    if (event[t] === MERGED) {
      while (made_m[made] === made_n[made]) made++;
      const m = made_m[made];
      const o = made_n[made];
      const h = made_h[made];
      const z = n + made++;
      const { kernel } = run.segment(t).params;
      const [p, q] = shares(kernel.kind, reach(kernel, matrix, m, o), h, kernel.plus);
      const heir = Array.from(
        { length: scores },
        (_, c) => unit * (p * held[c * rows + m] + q * held[c * rows + o]),
      );
      put(m, 0, NaN);
      put(o, 0, NaN);
      heir.forEach((a, c) => {
        if (a !== 0) put(z, c, a);
      });
      const made_now = { m, n: o, z, h };
      for (const name of TOLD) events[name].push(made_now[name]);
    } else if (event[t]) {
      for (const name of TOLD) events[name].push(run[`told_${name}`][told]);
      told++;
    }
    counts[t] = index.length - before;
  }
  Object.assign(run, {
    changes: counts,
    change_index: Uint32Array.from(index),
    change_delta: Float64Array.from(delta),
    change_class: scores > 1 ? Uint8Array.from(classes) : undefined,
  });
  for (const name of TOLD) run[`event_${name}`] = events[name];
}
