// The weights of SIMBA's rows, replayed: log q after any step, the slack on the largest, and u, the
// sum of the rows drawn.
//
// As in weights.py logarithms are whole multiples of 2^-40, so that sums of them are exact and ties
// are ties.

import { Keyframes } from "../keyframes.js";

const GRID = 2 ** 40;
const RECENT = 6;
export const CAP = 2; // slack of a point at most, in units of R

/** @extends {Keyframes<Weights>} */
export class Duals extends Keyframes {
  /** @type {Weights[]} */ recent = [];
  /** @type {Float64Array} */ cells;
  /** @type {Uint16Array} */ joined;
  /** @type {Float64Array} */ rowFirst;
  /** @type {Float64Array[]} */ columnFirst = [];
  next = 0;

  /** @param {Run} run */
  constructor(run) {
    super();
    const { n, d } = run;
    this.n = n;
    this.d = d;
    this.R = 0;
    this.keys = new Float64Array(n);
    this.column = new Float64Array(n);
    for (let i = 0; i < run.rows; i++) this.R = Math.max(this.R, norm(run.matrix, i));
    this.R ||= 1;
    this.begin(run, {
      t: 0,
      log: new Float64Array(n),
      u: new Float64Array(d),
      known: run.masks[0].slice(),
      segment: 0,
      unit: 1,
      clipped: 0,
    });
    this.recent = []; // states asked for lately, the last one first
    // w after each step, where it can be drawn
    this.path = new Float64Array(d === 2 ? 2 * (run.T + 1) : 0);
    this.xi = new Float64Array(n);
    this.firsts();
  }

  /** @param {Weights} state */
  snapshot({ t, log, u, known, segment, unit, clipped }) {
    return { t, log: log.slice(), u: u.slice(), known: known.slice(), segment, unit, clipped };
  }

  // When each row was first read, and each column: one for those who were there, another for those
  // who joined since. And how much of the table of those who take part is known after each step.
  firsts() {
    const { run, n, d } = this;
    const { masks } = run;
    const cells = (this.cells = new Float64Array(run.T + 1));
    const column = new Float64Array(n);
    const whole = run.entries === n * d;
    // of a sparse table only entries count
    const joined = (this.joined = new Uint16Array(n).fill(masks.length));
    masks.forEach((mask, s) =>
      mask.forEach((there, i) => {
        if (there) joined[i] = Math.min(joined[i], s);
      }),
    );
    const rows = (this.rowFirst = new Float64Array(n).fill(Infinity));
    const since = new Int32Array(d).fill(-1);
    // for those who joined in a segment
    this.columnFirst = masks.map(() => new Float64Array(d).fill(Infinity));
    /** @param {number} i @param {number} j */
    const newcomer = (i, j) => rows[i] === Infinity && since[j] < joined[i];
    /** @param {Uint8Array} mask */
    const recount = mask => {
      let sum = 0;
      for (let i = 0; i < n; i++)
        if (mask[i])
          run.matrix.each(i, (j, x) => {
            sum += +(!newcomer(i, j) && (whole || x !== 0));
          });
      return sum;
    };
    /** @param {number} j @param {number} s @param {number} t */
    const read = (j, s, t) => {
      since[j] = s;
      for (let k = 0; k <= s; k++) this.columnFirst[k][j] = Math.min(this.columnFirst[k][j], t);
    };
    let count = 0;
    for (let t = 1, old = 0; t <= run.T; t++) {
      const i = run.drawn[run.first[t]];
      const j = run.column ? run.column[t] - 1 : -1;
      const s = run.segment_of[t];
      const { params, entries } = run.segments[s];
      const mask = masks[s];
      if (s !== old) count = recount(mask);
      old = s;
      if (rows[i] === Infinity) {
        run.matrix.each(i, (k, x) => {
          count += +(newcomer(i, k) && (whole || x !== 0));
        });
        rows[i] = t;
      }
      if (params.exact_p || params.exact_margins) {
        count = entries;
        for (let k = 0; k < d; k++) if (since[k] < s) read(k, s, t);
      } else if (j >= 0 && since[j] < s) {
        run.matrix.column(j, column);
        for (let k = 0; k < n; k++)
          count += +(mask[k] > 0 && newcomer(k, j) && (whole || column[k] !== 0));
        read(j, s, t);
      }
      cells[t] = count;
    }
  }

  /** @param {number} i @param {number} j */
  known(i, j) {
    return Math.min(this.rowFirst[i], this.columnFirst[this.joined[i]][j]);
  } // the step in which a cell is read

  // The state after step t.
  /** @param {number} t */
  at(t) {
    const known = this.recent.find(c => c.t === t);
    if (known) return known;
    const c = this.snapshot(
      this.recent.reduce(
        (best, old) => (old.t <= t && old.t > best.t ? old : best),
        this.nearest(t),
      ),
    );
    while (c.t < t) this.advance(c);
    this.recent = [c, ...this.recent.slice(0, RECENT - 1)];
    return c;
  }

  /** @param {Weights} c */
  apply(c) {
    const { run, n, d, R } = this;
    const t = ++c.t;
    const s = run.segment_of[t];
    const segment = run.segments[s];
    const mask = run.masks[s];
    const { params } = segment;
    if (s !== c.segment) this.enter(c, s);
    const i = run.drawn[run.first[t]];
    const T = params.schedule === "constant" ? params.horizon : t;
    const count = run.count(t);
    const eta = Math.sqrt(Math.log(count) / T);
    const b = Math.sign(run.b_step?.[t] ?? 0);
    const j = (run.column?.[t] ?? 0) - 1;
    const clip = params.clip;
    this.pour(c, mask, (segment.params.nu * count) / R);
    let norm2 = 0;
    run.matrix.axpy(i, run.y[i] / R, c.u);
    for (let k = 0; k < d; k++) norm2 += c.u[k] ** 2;
    c.unit = 1 / Math.max(Math.sqrt(2 * T), Math.sqrt(norm2));
    c.clipped = 0;
    if (d === 2) this.path.set([c.u[0] * c.unit, c.u[1] * c.unit], 2 * t);
    if (params.exact_p) return;
    const all = params.exact_margins;
    const gain = !all && j >= 0 && c.u[j] !== 0 ? (c.unit * norm2) / c.u[j] : 0;
    if (gain) run.matrix.column(j, this.column);
    for (let k = 0; k < n; k++)
      if (mask[k]) {
        const x = gain ? this.column[k] : 0;
        const v = (run.y[k] * (all ? run.matrix.dot(k, c.u) * c.unit : x * gain)) / R;
        let z = eta * (v + this.xi[k] + run.y[k] * b);
        if (Math.abs(z) > 1 && (all || x !== 0 || k === this.next)) c.clipped++;
        if (clip) z = Math.min(1, Math.max(-1, z));
        const log = Math.abs(z) < 1e8 ? Math.log(1 + z * (z - 1)) : 2 * Math.log(Math.abs(z));
        c.log[k] += Math.round(GRID * log) / GRID;
      }
  }

  /** @param {Weights} c @param {number} s */
  enter(c, s) {
    // who joins late begins with the mean weight of those who were there
    const there = [...c.log].filter((_, i) => c.known[i]);
    const top = Math.max(...there);
    const mean =
      Math.round(
        GRID *
          (top + Math.log(there.reduce((sum, v) => sum + Math.exp(v - top), 0) / there.length)),
      ) / GRID;
    this.run.masks[s].forEach((alive, i) => {
      if (alive && !c.known[i]) {
        c.known[i] = 1;
        c.log[i] = mean;
      }
    });
    c.segment = s;
  }

  // ξ in units of R: 2 on the largest weights, of equal ones on the lower index first, and what is
  // left over on the next.
  /** @param {Weights} c @param {Uint8Array} mask @param {number} volume */
  pour(c, mask, volume) {
    const { n, keys, xi } = this;
    let m = 0;
    for (let i = 0; i < n; i++) {
      xi[i] = 0;
      if (mask[i]) keys[m++] = c.log[i];
    }
    const order = keys.subarray(0, m).sort();
    const full = Math.min(m, Math.floor(Math.min(volume, CAP * m) / CAP));
    const rest = full < m ? Math.min(CAP, volume - full * CAP) : 0;
    const edge = full > 0 ? order[m - full] : Infinity;
    let ties = full;
    for (let i = 0; i < n; i++)
      if (mask[i] && c.log[i] > edge) {
        xi[i] = CAP;
        ties--;
      }
    for (let i = 0; i < n && ties > 0; i++)
      if (mask[i] && c.log[i] === edge) {
        xi[i] = CAP;
        ties--;
      }
    this.next = -1;
    if (full < m && rest > 0)
      for (let i = 0; i < n; i++)
        if (mask[i] && xi[i] === 0 && (this.next < 0 || c.log[i] > c.log[this.next])) this.next = i;
    if (this.next >= 0) xi[this.next] = rest;
    return xi;
  }

  // p and ξ with which a step after t is taken in segment s.
  /** @param {number} t @param {number} s */
  shares(t, s) {
    const { masks, segments, counts } = this.run;
    const mask = masks[s];
    const p = new Float64Array(this.n);
    let c = this.at(t);
    if (c.segment !== s) this.enter((c = this.snapshot(c)), s);
    let top = -Infinity;
    let total = 0;
    for (let i = 0; i < this.n; i++) if (mask[i]) top = Math.max(top, c.log[i]);
    for (let i = 0; i < this.n; i++) if (mask[i]) total += p[i] = Math.exp(c.log[i] - top);
    for (let i = 0; i < this.n; i++) p[i] /= total;
    return { p, xi: this.pour(c, mask, (segments[s].params.nu * counts[s]) / this.R).slice() };
  }
}

/** @param {Matrix} matrix @param {number} i */
function norm(matrix, i) {
  let sum = 0;
  matrix.each(i, (_, x) => {
    sum += x * x;
  });
  return Math.sqrt(sum);
}

/** @type {WeakMap<Run, Duals>} */
const KNOWN = new WeakMap();

// Those of a run, made once.
/** @param {Run} run */
export function dualsOf(run) {
  const known = KNOWN.get(run) ?? new Duals(run);
  KNOWN.set(run, known);
  return known;
}
