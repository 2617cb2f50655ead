// Replays a trace: the state after any step, from the nearest keyframe forwards, so that it does not depend on the way there.
//
// w = A Σ β_j φ(x_j): shrinking touches the scalar A only. Where the averaged iterate is shown, the sum of all iterates passed
// is kept beside it, term by term: closed forms for it cancel badly once projections have made A tiny.

import { column, gridColumn } from "./kernels.js";
import { sights } from "./waves.js";

const FOLDED = 4, KEYFRAMES = 128, PARTS = ["beta", "w", "f", "field"];  // each a pair: the iterate over A, and the sum of all passed

export class Engine {
  constructor(run, grid) {
    this.run = run;
    this.grid = grid;                                        // {xs, ys}: coordinates of the cells of the field
    this.vector = run.segments.map(s => s.kernel.kind === 0);        // w is a vector of what `sights` say
    this.sights = sights(run, grid);
    this.average = run.segments.some(s => s.iterate === "average");
    this.every = Math.max(64, Math.ceil(run.T / KEYFRAMES));
    this.frames = [this.blank()];
    this.columns = new Map();                                // kernel columns by segment and example, while there is room
    this.cursors = Array.from({ length: 4 }, () => this.blank());     // before and after a step, of the shown iterate and of the last
    this.states = this.cursors.map(() => this.buffers());
  }

  blank() {
    const { rows: n } = this.run, d = this.width, cells = this.grid.xs.length * this.grid.ys.length, kernel = this.vector.some(v => !v);
    const pair = size => [new Float64Array(size), new Float64Array(this.average ? size : 0)];
    return { t: 0, A: 1, segment: 0, beta: pair(n), w: pair(d), f: pair(kernel ? n : 0), field: pair(kernel ? cells : 0) };
  }

  get width() { return Math.max(...this.sights.map(s => s.d)); }

  buffers() {
    const { rows: n } = this.run, d = this.width, cells = this.grid.xs.length * this.grid.ys.length;
    return { coef: new Float64Array(n), w: new Float64Array(d), f: new Float64Array(n), field: new Float64Array(cells) };
  }

  copy(from, to) {
    Object.assign(to, { t: from.t, A: from.A, segment: from.segment });
    for (const name of PARTS) for (const p of [0, 1]) to[name][p].set(from[name][p]);
  }

  // The kernel column of example i: its values at all examples and at all cells of the field.
  column(segment, i) {
    const key = segment * this.run.rows + i;
    let known = this.columns.get(key);
    if (!known) {
      const kernel = this.run.segments[segment].kernel;
      known = { f: column(kernel, this.run, i), field: gridColumn(kernel, this.run, i, this.grid) };
      if (this.columns.size < 4e6 / (this.run.rows + this.grid.xs.length * this.grid.ys.length)) this.columns.set(key, known);
    }
    return known;
  }

  add(c, i, amount) {                                        // w += A · amount · φ(x_i)
    const { X, d } = this.sights[c.segment];
    c.beta[0][i] += amount;
    for (let j = 0; j < d; j++) c.w[0][j] += amount * X[i * d + j];
    if (this.vector[c.segment]) return;
    const { f, field } = this.column(c.segment, i), F = c.f[0], G = c.field[0];
    for (let j = 0; j < F.length; j++) F[j] += amount * f[j];
    for (let j = 0; j < G.length; j++) G[j] += amount * field[j];
  }

  rescale(c, factor) {                                       // a factor of 0 (the first step) must not end up in A
    if (factor !== 0 && c.A * factor > 1e-100) { c.A *= factor; return; }
    const whole = c.A * factor;
    for (const name of PARTS) { const v = c[name][0]; for (let j = 0; j < v.length; j++) v[j] *= whole; }
    c.A = 1;
  }

  apply(c) {                                                 // one step forwards
    const { run } = this, t = ++c.t;
    if (run.segment_of[t] !== c.segment) this.enter(c, run.segment_of[t]);
    if (!run.solver.after) this.collect(c);
    this.rescale(c, 1 - run.shrink[t]);
    this.change(c, t);
    if (run.solver.after) this.collect(c);
  }

  change(c, t) {
    const { run } = this;
    for (let e = run.change_first[t]; e < run.change_first[t + 1]; e++) {
      const i = run.change_index[e], delta = run.change_delta[e];
      if (delta !== 0) this.add(c, i, Number.isNaN(delta) ? -c.beta[0][i] : delta / c.A);
    }
  }

  // In the midst of step t: w has shrunk and the example is in, but nobody has gone yet.
  midst(t, mask) {
    const { run } = this;
    this.spare ??= this.blank();
    this.midway ??= this.buffers();
    this.seek(this.cursors[0], t - 1);
    const c = this.spare;
    this.copy(this.cursors[0], c);
    if (run.segment_of[t] !== c.segment) this.enter(c, run.segment_of[t]);
    const pull = run.pull?.[t] ?? 1, first = run.change_first[t];
    this.rescale(c, (1 - run.shrink[t]) / pull);
    if (run.event[t] !== FOLDED && first < run.change_first[t + 1]) this.add(c, run.change_index[first], run.change_delta[first] / (pull * c.A));
    return this.read(this.midway, c, t, mask);
  }

  collect(c) {                                               // the iterate joins the sum of those that are averaged
    if (this.average) for (const name of PARTS) {
      const [value, sum] = c[name];
      for (let j = 0; j < sum.length; j++) sum[j] += c.A * value[j];
    }
  }

  // Another kernel, or other waves, give the same coefficients another meaning: they are summed up anew.
  enter(c, segment) {
    const same = JSON.stringify(this.run.segments[c.segment].kernel) === JSON.stringify(this.run.segments[segment].kernel);
    const { X, d } = this.sights[segment], parts = this.average ? [0, 1] : [0];
    if (this.sights[segment] !== this.sights[c.segment]) for (const part of parts) {
      const w = c.w[part].fill(0);
      c.beta[part].forEach((amount, i) => { for (let j = 0; amount !== 0 && j < d; j++) w[j] += amount * X[i * d + j]; });
    }
    c.segment = segment;
    if (same || this.vector[segment]) return;
    for (const part of parts) {
      const F = c.f[part].fill(0), G = c.field[part].fill(0);
      c.beta[part].forEach((amount, i) => {
        if (amount === 0) return;
        const { f, field } = this.column(segment, i);
        for (let j = 0; j < F.length; j++) F[j] += amount * f[j];
        for (let j = 0; j < G.length; j++) G[j] += amount * field[j];
      });
    }
  }

  keep(c) {
    if (c.t % this.every === 0 && this.frames.length === c.t / this.every) {
      const frame = this.blank();
      this.copy(c, frame);
      this.frames.push(frame);
    }
  }

  seek(c, t) {
    const nearest = this.frames[Math.min(Math.floor(t / this.every), this.frames.length - 1)];
    if (c.t > t || c.t < nearest.t) this.copy(nearest, c);
    while (c.t < t) {
      this.apply(c);
      this.keep(c);
    }
  }

  // Fill keyframes ahead of time; returns false when all are there. Called in idle time.
  prepare(milliseconds) {
    const until = performance.now() + milliseconds;
    this.ahead ??= this.blank();
    while (this.ahead.t < this.run.T && performance.now() < until) {
      this.apply(this.ahead);
      this.keep(this.ahead);
    }
    return this.ahead.t < this.run.T;
  }

  // The state after step t in one of the buffers: coefficients, w, responses, field and what follows from them.
  state(t, which = 0, iterate = this.run.segment(t).iterate, mask = this.run.masks[this.run.segment_of[t]]) {
    const { run } = this, state = this.states[which];
    const at = iterate === "random" && t > 0 ? run.random[t] : t;
    const averaged = iterate === "average";
    let c = this.cursors[which];
    this.seek(c, at);
    if (c.segment !== run.segment_of[t]) {                   // a random iterate of the past, seen with the kernel of now
      this.spare ??= this.blank();
      this.copy(c, this.spare);
      c = this.spare;
      this.enter(c, run.segment_of[t]);
    }
    return this.read(state, c, t, mask, averaged, (averaged ? run.b_average : run.b)?.[at] ?? 0);
  }

  read(state, c, t, mask, averaged = false, b = 0) {
    const part = averaged ? 1 : 0, unit = averaged ? 1 / Math.max(t, 1) : c.A;
    const read = (out, pair) => { const v = pair[part]; for (let j = 0; j < out.length; j++) out[j] = unit * v[j]; };
    read(state.coef, c.beta);
    read(state.w, c.w);
    if (this.vector[c.segment]) this.respond(state, this.sights[c.segment]);
    else { read(state.f, c.f); read(state.field, c.field); }
    this.shift(state, b);
    return this.measure(state, t, this.run.segment(t), mask);
  }

  respond(state, sight) {
    const { X, d } = sight, { w, f, field } = state;
    for (let i = 0; i < f.length; i++) {
      let sum = 0;
      for (let j = 0; j < d; j++) sum += w[j] * X[i * d + j];
      f[i] = sum;
    }
    sight.field(w, field);
  }

  shift(state, b) {                                          // f and field are of <w, φ(x)> + b
    state.b = b;
    if (b) for (const v of [state.f, state.field]) for (let j = 0; j < v.length; j++) v[j] += b;
  }

  // Between two states, for the moment of the change.
  mix(a, b, u, mask) {
    if (u <= 0) return a;
    if (u >= 1) return b;
    this.between ??= this.buffers();
    for (const name of ["coef", "w", "f", "field"]) for (let j = 0; j < a[name].length; j++) this.between[name][j] = a[name][j] + u * (b[name][j] - a[name][j]);
    this.between.b = a.b + u * (b.b - a.b);
    return this.measure(this.between, b.t, this.run.segment(b.t), mask);
  }

  measure(state, t, segment, mask) {
    const { n, y } = this.run, { coef, f, b } = state;
    let norm2 = 0, hinge = 0, wrong = 0, paying = 0, count = 0;
    for (let i = 0; i < coef.length; i++) norm2 += coef[i] * (f[i] - b);
    for (let i = 0; i < n; i++) {
      const margin = y[i] * f[i];
      if (!mask[i]) continue;
      count++;
      hinge += Math.max(0, 1 - margin);
      paying += margin < 1;
      wrong += (f[i] >= 0) !== (y[i] > 0);
    }
    norm2 = Math.max(0, norm2);
    hinge /= count;
    return Object.assign(state, { t, norm: Math.sqrt(norm2), hinge, paying, wrong, count, primal: (segment.lam ?? 0) / 2 * norm2 + hinge });
  }
}
