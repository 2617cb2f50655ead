// What replays a run: the state after any step is found from the nearest keyframe forwards, so that
// it does not depend on the way there. Heirs say what a step does (`apply`) and how a state is kept
// (`snapshot`).

const MOST = 128;
const FEWEST = 8;
const LEAST = 16;
const ROOM = 8e6; // keyframes of a run, steps between two, numbers that all may hold

/** @template {{ t: number }} C */
export class Keyframes {
  /** @type {Run} */ run;
  /** @type {C[]} */ frames = [];
  every = 0;
  /** @type {C | undefined} */ ahead;

  /** @param {Run} run @param {C} first */
  begin(run, first) {
    const parts = /** @type {unknown[]} */ (Object.values(first).flat());
    const arrays = /** @type {Float64Array[]} */ (parts.filter(part => ArrayBuffer.isView(part)));
    const size = arrays.reduce((sum, part) => sum + part.length, 0);
    const most = Math.max(FEWEST, Math.min(MOST, Math.floor(ROOM / Math.max(size, 1))));
    Object.assign(this, { run, frames: [first], every: Math.max(LEAST, Math.ceil(run.T / most)) });
  }

  // What heirs say: one step forwards, and a copy; and whether there is a shorter way to step t
  // than all steps on the way, which `leap` then takes.
  /** @param {C} _c */
  apply(_c) {}

  /** @param {C} _c @param {number} _t */
  leaps(_c, _t) {
    return false;
  }

  /** @param {C} _c @param {number} _t */
  leap(_c, _t) {}

  /** @param {C} c @returns {C} */
  snapshot(c) {
    return c;
  }

  /** @param {number} t */
  nearest(t) {
    return this.frames[Math.min(Math.floor(t / this.every), this.frames.length - 1)];
  }

  /** @param {C} c */
  advance(c) {
    // one step forwards
    this.apply(c);
    this.keep(c);
  }

  /** @param {C} c */
  keep(c) {
    if (c.t % this.every === 0 && this.frames.length === c.t / this.every)
      this.frames.push(this.snapshot(c));
  }

  /** @param {C} c @param {number} t */
  reach(c, t) {
    if (this.leaps(c, t)) this.leap(c, t);
    while (c.t < t) this.advance(c);
  }

  // Fill keyframes ahead of time; returns false when all are there. Called in idle time.
  /** @param {number} milliseconds */
  prepare(milliseconds) {
    const until = performance.now() + milliseconds;
    const c = (this.ahead ??= this.snapshot(this.frames[0]));
    while (c.t < this.run.T && performance.now() < until) {
      const next = Math.min(c.t + this.every, this.run.T);
      if (c.t % this.every === 0 && this.leaps(c, next)) {
        this.leap(c, next);
        this.keep(c);
      } else this.advance(c);
    }
    return c.t < this.run.T;
  }
}
