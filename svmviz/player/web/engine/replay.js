// Replays a trace: coefficients, w, responses and field after any step.
//
// w = A Σ β_j φ(x_j): shrinking touches the scalar A only. Where the averaged iterate is shown, the
// sum of all iterates passed is kept beside it, term by term: closed forms for it cancel badly once
// projections have made A tiny.
//
// With a score per class (`run.scores` > 1) every array holds one stretch a class: that of class k
// begins at k times its length.
//
// Of the vectors made on the way only those in w have responses: all that a long run will ever make
// are many thousands, of which a budget holds a few.

import { between, column, gridColumn } from "./kernels.js";
import { Keyframes } from "./keyframes.js";
import { deduct, processed } from "./own/rounds.js";
import { judge } from "./scores.js";
import { sights } from "./own/waves.js";

/** @type {("beta" | "w" | "f" | "field")[]} */
// each a pair: the iterate over A, and the sum of all passed
const PARTS = ["beta", "w", "f", "field"];
/** @type {("coef" | "w" | "f" | "field")[]} */
const MIXED = ["coef", "w", "f", "field"];

const MANY = 64; // changes from which on it pays to look for a shorter way

/** @extends {Keyframes<Cursor>} */
export class Engine extends Keyframes {
  /** @type {Sight[]} */ sights = [];
  /** @type {Cursor | undefined} */ spare;
  /** @type {State | undefined} */ midway;
  /** @type {State | undefined} */ between;

  /** @param {Run} run @param {Grid} grid */
  constructor(run, grid) {
    super();
    this.run = run;
    this.grid = grid; // {xs, ys}: coordinates of the cells of the field
    this.vector = run.segments.map(s => s.params.kernel.kind === 0); // w is a vector of what `sights` say
    this.sights = sights(run, grid);
    this.average = !run.moves && run.segments.some(s => s.params.iterate === "average");
    // rows from here on have responses only while they are in w
    this.lasting = this.average ? run.rows : run.n;
    this.begin(run, this.blank());
    this.columns = new Map(); // kernel columns by segment and example, while there is room
    // before and after a step, of the shown iterate and of the last
    this.cursors = Array.from({ length: 4 }, () => this.blank());
    this.states = this.cursors.map(() => this.buffers());
  }

  /** @returns {Cursor} */
  blank() {
    const { rows: n } = this.run;
    const d = this.width;
    const cells = this.grid.xs.length * this.grid.ys.length;
    const kernel = this.vector.some(v => !v);
    /** @type {(size: number) => [Float64Array, Float64Array]} */
    const pair = size => [new Float64Array(size), new Float64Array(this.average ? size : 0)];
    const { scores: c } = this.run;
    return {
      t: 0,
      A: 1,
      segment: 0,
      made: [],
      beta: pair(c * n),
      w: pair(c * d),
      f: pair(kernel ? c * n : 0),
      field: pair(kernel ? c * cells : 0),
    };
  }

  get width() {
    return Math.max(...this.sights.map(s => s.d));
  }

  /** @returns {State} what `read` and `measure` fill */
  buffers() {
    const { rows: n, scores: c } = this.run;
    const d = this.width;
    const cells = this.grid.xs.length * this.grid.ys.length;
    const empty = {
      coef: new Float64Array(c * n),
      w: new Float64Array(c * d),
      f: new Float64Array(c * n),
      field: new Float64Array(c * cells),
      size: c > 1 ? new Float64Array(n) : null,
    };
    return /** @type {State} */ (empty);
  }

  /** @param {Cursor} from @param {Cursor} to */
  copy(from, to) {
    Object.assign(to, { t: from.t, A: from.A, segment: from.segment, made: [...from.made] });
    for (const name of PARTS) for (const p of [0, 1]) to[name][p].set(from[name][p]);
  }

  // Runs on the same examples share kernel values, unless one has another kernel in the same
  // segment, or vectors of its own.
  /** @param {Engine} other on the same cells */
  share(other) {
    const [mine, theirs] = [this.run, other.run];
    /** @param {Segment | undefined} segment */
    const kernel = segment => JSON.stringify(segment?.params.kernel);
    const same = mine.segments.every(
      (segment, k) => !theirs.segments[k] || kernel(segment) === kernel(theirs.segments[k]),
    );
    if (same && [mine, theirs].every(run => run.rows === run.n)) this.columns = other.columns;
  }

  // The kernel column of row i: its values at the examples and at all cells of the field.
  /** @param {number} segment @param {number} i */
  column(segment, i) {
    const key = segment * this.run.rows + i;
    let known = this.columns.get(key);
    if (!known) {
      const kernel = this.run.segments[segment].params.kernel;
      const f = column(kernel, this.run.matrix, i, new Float64Array(this.lasting));
      known = { f, field: gridColumn(kernel, this.run, i, this.grid) };
      if (this.columns.size < 4e6 / (this.lasting + this.grid.xs.length * this.grid.ys.length))
        this.columns.set(key, known);
    }
    return known;
  }

  /** @param {Cursor} c @param {number} i @param {number} amount @param {number} [k] */
  add(c, i, amount, k = 0) {
    // w_k += A · amount · φ(x_i)
    const made = i >= this.lasting;
    if (made && !c.made.includes(i)) this.welcome(c, i);
    c.beta[0][k * this.run.rows + i] += amount;
    this.absorb(c, 0, i, amount, k);
    if (made && !this.holds(c.beta[0], i)) this.dismiss(c, i);
  }

  // Whether a row is in w, of any class.
  /** @param {Float64Array} coefficients @param {number} i */
  holds(coefficients, i) {
    for (let at = i; at < coefficients.length; at += this.run.rows)
      if (coefficients[at] !== 0) return true;
    return false;
  }

  // A vector made on the way comes into w: its responses to what is there.
  /** @param {Cursor} c @param {number} i */
  welcome(c, i) {
    c.made.push(i);
    if (!this.vector[c.segment]) this.respondAt(i, c.beta[0], c.f[0], c.segment);
  }

  /** @param {Cursor} c @param {number} i */
  dismiss(c, i) {
    c.made.splice(c.made.indexOf(i), 1);
    for (let at = i; at < c.f[0].length; at += this.run.rows) c.f[0][at] = 0;
  }

  // Responses of row i, of all classes: Σ coefficient K.
  /**
   * @param {number} i
   * @param {Float64Array} coefficients
   * @param {Float64Array} f
   * @param {number} segment
   */
  respondAt(i, coefficients, f, segment) {
    const { rows, matrix, segments } = this.run;
    const { kernel } = segments[segment].params;
    for (let at = i; at < f.length; at += rows) f[at] = 0;
    for (let at = 0; at < coefficients.length; at++) {
      if (coefficients[at] === 0) continue;
      const j = at % rows;
      f[at - j + i] += coefficients[at] * between(kernel, matrix, i, j);
    }
  }

  /**
   * @param {Cursor} c
   * @param {number} part
   * @param {number} i
   * @param {number} amount
   * @param {number} k
   */
  absorb(c, part, i, amount, k) {
    // what a coefficient means for w, responses and field
    const { rows, matrix, segments } = this.run;
    this.sights[c.segment].matrix.axpy(i, amount, c.w[part], k * this.width);
    if (this.vector[c.segment]) return;
    const { f, field } = this.column(c.segment, i);
    const F = c.f[part];
    const G = c.field[part];
    const first = k * rows;
    const cell = k * field.length;
    for (let j = 0; j < f.length; j++) F[first + j] += amount * f[j];
    const { kernel } = segments[c.segment].params;
    for (const j of c.made) F[first + j] += amount * between(kernel, matrix, j, i);
    for (let j = 0; j < field.length; j++) G[cell + j] += amount * field[j];
  }

  /** @param {Cursor} c @param {number} factor @param {Float64Array[]} arrays over A */
  rescale(c, factor, arrays = PARTS.map(name => c[name][0])) {
    // a factor of 0 (the first step) must not end up in A
    if (factor !== 0 && c.A * factor > 1e-100) {
      c.A *= factor;
      return;
    }
    const whole = c.A * factor;
    for (const v of arrays) for (let j = 0; j < v.length; j++) v[j] *= whole;
    c.A = 1;
  }

  /** @param {Cursor} c */
  apply(c) {
    // one step forwards
    const { run } = this;
    const t = ++c.t;
    if (run.segment_of[t] !== c.segment) this.enter(c, run.segment_of[t]);
    if (!run.solver.after) this.collect(c);
    this.rescale(c, 1 - run.shrink[t]);
    this.change(c, t);
    if (run.solver.after) this.collect(c);
  }

  /** @param {Cursor} c @param {number} t */
  change(c, t) {
    const { run } = this;
    for (let e = run.change_first[t]; e < run.change_first[t + 1]; e++) {
      const i = run.change_index[e];
      const delta = run.change_delta[e];
      if (Number.isNaN(delta)) this.clear(c, i);
      else if (delta !== 0) this.add(c, i, delta / c.A, run.change_class?.[e]);
    }
  }

  /** @param {Cursor} c @param {number} i */
  clear(c, i) {
    // a row is gone, in all classes
    const { rows, scores } = this.run;
    for (let k = 0; k < scores; k++) {
      const held = c.beta[0][k * rows + i];
      if (held !== 0) this.add(c, i, -held, k);
    }
  }

  // In the midst of step t: w has shrunk and the example is in, but nobody has gone yet.
  /** @param {number} t */
  midst(t) {
    const { run } = this;
    const c = (this.spare ??= this.blank());
    const midway = (this.midway ??= this.buffers());
    if (run.moves) return processed(this, midway, t);
    this.seek(this.cursors[0], t - 1);
    this.copy(this.cursors[0], c);
    if (run.segment_of[t] !== c.segment) this.enter(c, run.segment_of[t]);
    const pull = run.pull?.[t] ?? 1;
    this.rescale(c, (1 - run.shrink[t]) / pull);
    for (let e = run.change_first[t]; e < run.entered(t); e++)
      this.add(c, run.change_index[e], run.change_delta[e] / (pull * c.A), run.change_class?.[e]);
    return this.read(midway, c, t);
  }

  /** @param {Cursor} c */
  collect(c) {
    // the iterate joins the sum of those that are averaged
    if (this.average)
      for (const name of PARTS) {
        const [value, sum] = c[name];
        for (let j = 0; j < sum.length; j++) sum[j] += c.A * value[j];
      }
  }

  // Another kernel, or other waves, give the same coefficients another meaning: they are summed up
  // anew.
  /** @param {Cursor} c @param {number} segment */
  enter(c, segment) {
    const same =
      JSON.stringify(this.run.segments[c.segment].params.kernel) ===
      JSON.stringify(this.run.segments[segment].params.kernel);
    if (same && this.sights[segment] === this.sights[c.segment]) {
      c.segment = segment;
      return;
    }
    c.segment = segment;
    for (const part of this.average ? [0, 1] : [0]) this.rebuild(c, part);
  }

  /** @param {Cursor} c */
  snapshot(c) {
    const frame = this.blank();
    this.copy(c, frame);
    return frame;
  }

  /** @param {Cursor} c @param {number} t */
  seek(c, t) {
    const nearest = this.nearest(t);
    if (c.t > t || c.t < nearest.t) this.copy(nearest, c);
    this.reach(c, t);
  }

  // Coefficients alone are replayed quickly; w, responses and field are then those of the few that
  // are left. An average has no such end: it sums up the states on the way.
  /** @param {Cursor} c @param {number} t */
  leaps(c, t) {
    if (this.average || this.vector[this.run.segment_of[t]]) return false;
    const changes = this.run.change_first[t + 1] - this.run.change_first[c.t + 1];
    return (
      changes > MANY && changes > 2 * c.beta[0].reduce((sum, amount) => sum + +(amount !== 0), 0)
    );
  }

  /** @param {Cursor} c @param {number} t */
  leap(c, t) {
    const { run } = this;
    const [beta] = c.beta;
    while (c.t < t) {
      const now = ++c.t;
      this.rescale(c, 1 - run.shrink[now], [beta]);
      for (let e = run.change_first[now]; e < run.change_first[now + 1]; e++) {
        const i = run.change_index[e];
        const delta = run.change_delta[e];
        if (Number.isNaN(delta)) for (let at = i; at < beta.length; at += run.rows) beta[at] = 0;
        else beta[(run.change_class?.[e] ?? 0) * run.rows + i] += delta / c.A;
      }
    }
    c.segment = run.segment_of[t];
    c.made = [];
    for (let i = this.lasting; i < run.rows; i++) if (this.holds(beta, i)) c.made.push(i);
    this.rebuild(c, 0);
  }

  // w, responses and field from the coefficients.
  /** @param {Cursor} c @param {number} part */
  rebuild(c, part) {
    for (const name of PARTS) if (name !== "beta") c[name][part].fill(0);
    c.beta[part].forEach((amount, at) => {
      if (amount !== 0)
        this.absorb(c, part, at % this.run.rows, amount, Math.floor(at / this.run.rows));
    });
  }

  // The state after step t in one of the buffers: coefficients, w, responses, field and what
  // follows from them, with the kernel, the points and the parameters of segment s, by default that
  // of the step.
  /** @param {number} t @param {number} [which] */
  state(t, which = 0, s = this.run.segment_of[t], iterate = this.run.segments[s].params.iterate) {
    const { run } = this;
    const state = this.states[which];
    const at = iterate === "random" && t > 0 ? run.random[t] : t;
    const averaged = iterate === "average";
    let c = this.cursors[which];
    this.seek(c, at);
    if (c.segment !== s) {
      // from the past, seen with the kernel of now
      const there = c;
      c = this.spare ??= this.blank();
      this.copy(there, c);
      this.enter(c, s);
    }
    if (run.moves)
      return averaged ? deduct(this, this.read(state, c, t), t, s) : this.read(state, c, t);
    const name = averaged ? "b_average" : "b";
    return this.read(
      state,
      c,
      t,
      averaged,
      (at === t ? run.at(name, t, s) : run.at(name, at)) ?? 0,
    );
  }

  /**
   * @param {State} state
   * @param {Cursor} c
   * @param {number} t
   * @param {boolean} [averaged]
   * @param {number} [b]
   */
  read(state, c, t, averaged = false, b = 0) {
    const part = averaged ? 1 : 0;
    const unit = averaged ? 1 / Math.max(t, 1) : c.A;
    /** @param {Float64Array} out @param {[Float64Array, Float64Array]} pair */
    const read = (out, pair) => {
      const v = pair[part];
      for (let j = 0; j < out.length; j++) out[j] = unit * v[j];
    };
    read(state.coef, c.beta);
    read(state.w, c.w);
    if (this.vector[c.segment]) this.respond(state, this.sights[c.segment]);
    else {
      read(state.f, c.f);
      read(state.field, c.field);
    }
    this.shift(state, b);
    return this.measure(state, t, c.segment);
  }

  /** @param {State} state @param {Sight} sight */
  respond(state, sight) {
    const { scores } = this.run;
    const n = state.f.length / scores;
    const cells = state.field.length / scores;
    for (let k = 0; k < scores; k++) {
      const w = state.w.subarray(k * this.width, (k + 1) * this.width);
      for (let i = 0; i < n; i++) state.f[k * n + i] = sight.matrix.dot(i, w);
      sight.field(w, state.field.subarray(k * cells, (k + 1) * cells));
    }
  }

  /** @param {State} state @param {number} b */
  shift(state, b) {
    // f and field are of <w, φ(x)> + b
    state.b = b;
    if (b) for (const v of [state.f, state.field]) for (let j = 0; j < v.length; j++) v[j] += b;
  }

  // Between two states, for the moment of the change.
  /** @param {State} a @param {State} b @param {number} u @param {number} s */
  mix(a, b, u, s) {
    if (u <= 0) return a;
    if (u >= 1) return b;
    const mixed = (this.between ??= this.buffers());
    for (const name of MIXED)
      for (let j = 0; j < a[name].length; j++)
        mixed[name][j] = a[name][j] + u * (b[name][j] - a[name][j]);
    mixed.b = a.b + u * (b.b - a.b);
    if (!this.vector[s])
      for (let i = this.lasting; i < this.run.rows; i++)
        if (this.holds(a.coef, i) !== this.holds(b.coef, i)) {
          this.respondAt(i, mixed.coef, mixed.f, s);
          for (let at = i; at < mixed.f.length; at += this.run.rows) mixed.f[at] += mixed.b;
        }
    return this.measure(mixed, b.t, s);
  }

  /** @param {State} state @param {number} t @param {number} s */
  measure(state, t, s) {
    const { coef, f, b } = state;
    const { params, mistakes } = this.run.segments[s];
    const { lam = 0, loss } = params;
    let norm2 = 0;
    for (let i = 0; i < coef.length; i++) norm2 += coef[i] * (f[i] - b);
    norm2 = Math.max(0, norm2);
    const found = judge(this.run, state, this.run.masks[s], loss, mistakes);
    return Object.assign(state, found, {
      t,
      norm: Math.sqrt(norm2),
      primal: (lam / 2) * norm2 + found.hinge,
    });
  }
}
