// What a segment's w is a vector of: the features themselves, or waves cos⟨v, x⟩, sin⟨v, x⟩ of them
// (SBP paper, Appendix A). Waves are computed once, at the examples and at the cells of the field;
// after that everything is linear. A constant feature (constant.py) is the last of either.

import { Dense } from "../matrix.js";

/** @param {Run} run @param {Grid} grid */
export function sights(run, grid) {
  /** @type {Sight["field"]} */
  const along = (w, out) => slope(run, grid, w, out);
  /** @type {Sight} */
  const plain = { matrix: run.matrix, d: run.d, length: [], waves: 0, plane: [], field: along };
  /** @type {Map<string, Sight>} */
  const wide = new Map();
  /** @param {Sight} sight @param {string} key @param {number} c */
  const widened = (sight, key, c) => {
    if (!c) return sight;
    if (!wide.has(key)) wide.set(key, beside(sight, c));
    return /** @type {Sight} */ (wide.get(key));
  };
  /** @type {Map<string, Sight>} */
  const known = new Map();
  let from = 0;
  return run.segments.map(({ waves, params }) => {
    const c = params.kernel.kind === 0 ? Math.sqrt(params.kernel.plus) : 0;
    if (!waves) return widened(plain, `${c}`, c);
    const drawn = run.waves ? followed(run, from, waves) : told(run, from, waves);
    const key = drawn.key.join();
    from += waves;
    if (!known.has(key)) known.set(key, mapped(run, grid, drawn, waves));
    return widened(/** @type {Sight} */ (known.get(key)), `${c} ${key}`, c);
  });
}

// The same with one more feature, which is c everywhere.
/** @param {Sight} sight @param {number} c @returns {Sight} */
function beside(sight, c) {
  const { matrix, d } = sight;
  /** @type {Sight["field"]} */
  const field = (w, out) => {
    sight.field(w, out);
    for (let cell = 0; cell < out.length; cell++) out[cell] += w[d] * c;
  };
  return { ...sight, matrix: matrix.widened(c), d: d + 1, field };
}

// Phases <v, x> at the examples, <v, origin> and <v, basis> on the plane, and |v|: told, or found
// from the directions v.
/** @param {Run} run @param {number} from @param {number} waves */
function told({ n, wave_phase: phase, wave_plane: plane, wave_length: length }, from, waves) {
  /** @param {number} k */
  const triple = k => [...plane.subarray(3 * (from + k), 3 * (from + k + 1))];
  return {
    key: length.subarray(from, from + waves),
    /** @param {number} i @param {number} k */
    phase: (i, k) => phase[from * n + i * waves + k],
    plane: Array.from({ length: waves }, (_, k) => triple(k)),
    length: length.subarray(from, from + waves),
  };
}

/** @param {Run} run @param {number} from @param {number} waves */
function followed({ d, matrix, waves: all, origin, across, up }, from, waves) {
  const V = all.subarray(from * d, (from + waves) * d);
  const rows = new Dense(V, d);
  const directions = Array.from({ length: waves }, (_, k) => V.subarray(k * d, (k + 1) * d));
  return {
    key: V,
    /** @param {number} i @param {number} k */
    phase: (i, k) => matrix.dot(i, directions[k]),
    plane: directions.map((_, k) => [origin, across, up].map(v => rows.dot(k, v))),
    length: Float64Array.from(directions, (v, k) => Math.sqrt(rows.dot(k, v))),
  };
}

// ⟨w, x⟩ at the cells of the plane origin + basis.
/** @param {Run} run @param {Grid} grid @param {Indexed} w @param {Float64Array} out */
function slope({ d, origin, across, up }, { xs, ys }, w, out) {
  const along = [0, 0, 0]; // <w, origin> and <w, basis>
  for (let j = 0; j < d; j++) {
    along[0] += w[j] * origin[j];
    along[1] += w[j] * across[j];
    along[2] += w[j] * up[j];
  }
  for (let r = 0, cell = 0; r < ys.length; r++)
    for (let c = 0; c < xs.length; c++)
      out[cell++] = along[0] + along[1] * xs[c] + along[2] * ys[r];
}

/**
 * @param {Run} run
 * @param {Grid} grid
 * @param {ReturnType<typeof told>} drawn
 * @param {number} waves
 */
function mapped({ n }, { xs, ys }, { phase, plane, length }, waves) {
  const unit = 1 / Math.sqrt(waves);
  const rows = new Float64Array(2 * n * waves);
  const cells = new Float64Array(2 * waves * xs.length * ys.length);
  /** @param {Float64Array} out @param {number} at @param {number} angle */
  const put = (out, at, angle) => {
    out[at] = unit * Math.cos(angle);
    out[at + 1] = unit * Math.sin(angle);
  };
  for (let k = 0; k < waves; k++) {
    const along = plane[k];
    for (let i = 0; i < n; i++) put(rows, 2 * (i * waves + k), phase(i, k));
    for (let r = 0, cell = 0; r < ys.length; r++)
      for (let c = 0; c < xs.length; c++, cell++)
        put(cells, 2 * (cell * waves + k), along[0] + along[1] * xs[c] + along[2] * ys[r]);
  }
  const width = 2 * waves;
  /** @param {Indexed} w @param {Float64Array} out */
  const field = (w, out) => {
    for (let cell = 0, at = 0; cell < out.length; cell++) {
      let sum = 0;
      for (let j = 0; j < width; j++) sum += w[j] * cells[at++];
      out[cell] = sum;
    }
  };
  return { matrix: new Dense(rows, width), d: width, field, length, waves, plane };
}
