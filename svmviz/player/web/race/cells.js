// Replays a run for a small plane: only what its cells show. Responses at the examples, and all
// that is measured from them, nobody sees there, and with many lanes they are most of the work.

import { Engine } from "../engine/replay.js";
import { gridColumn } from "../engine/kernels.js";

const ROOM = 4e6; // numbers of kernel columns that one run keeps for vectors of its own
const NONE = new Float64Array(0);

export class Cells extends Engine {
  made = new Map(); // columns of vectors that were made on the way: no other run has them

  /** @param {Run} run whether a plane of it shows cells only */
  static suit(run) {
    return !run.graph && !run.residual && !run.moves;
  }

  blank() {
    return { ...super.blank(), f: /** @type {[Float64Array, Float64Array]} */ ([NONE, NONE]) };
  }

  buffers() {
    return { ...super.buffers(), f: NONE };
  }

  /** @param {number} segment @param {number} i */
  column(segment, i) {
    const { run, grid } = this;
    const kept = i < run.n ? this.columns : this.made;
    let known = kept.get(i);
    if (!known) {
      const { kernel } = run.segments[segment].params;
      known = { f: NONE, field: gridColumn(kernel, run, i, grid) };
      if (kept.size * known.field.length < ROOM) kept.set(i, known);
    }
    return known;
  }

  /** @param {State} state @param {number} t */
  measure(state, t) {
    return Object.assign(state, { t });
  }
}
