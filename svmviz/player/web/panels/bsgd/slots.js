// Which support vectors stand on the rack after a step, and since when their slots are taken.

// When a row was a support vector.
/** @typedef {{ row: number, from: number, to: number, slot: number }} Span */

export class Slots {
  /** @type {Run} */ run;
  /** @type {Span[]} */ spans = [];

  // When each row of the table was a support vector, and since when its slot is taken: what two
  // became takes the slot of n, not that of m.
  /** @param {Run} run */
  prepare(run) {
    this.run = run;
    /** @type {Span[]} */
    const spans = [];
    /** @type {Map<number, Span>} */
    const open = new Map();
    const event = run.event_of;
    /** @param {number} row @param {number} t */
    const close = (row, t) => {
      const span = open.get(row);
      if (span) span.to = t;
      open.delete(row);
    };
    for (let t = 1; t <= run.T; t++) {
      if (run.shrink[t] === 1) for (const row of [...open.keys()]) close(row, t);
      for (let e = run.change_first[t]; e < run.change_first[t + 1]; e++) {
        const row = run.change_index[e];
        if (!open.has(row)) {
          const k = event.get(t);
          const heir =
            k !== undefined && row === run.event_z[k]
              ? spans.findLast(s => s.row === run.event_n[k])
              : null;
          const span = { row, from: t, to: Infinity, slot: heir?.slot ?? t };
          open.set(row, span);
          spans.push(span);
        }
        if (Number.isNaN(run.change_delta[e])) close(row, t);
      }
    }
    this.spans = spans.sort((a, b) => a.slot - b.slot); // of equal ones the first stays first
  }

  // The support vectors that the rack shows, oldest first: while one is too many, all of them.
  /** @param {number} t @param {Happening | null} event @param {boolean} midst */
  rows(t, event, midst) {
    const z = event?.z ?? -1;
    const { run } = this;
    const come = run.entered(t) > run.change_first[t] ? run.change_index[run.change_first[t]] : -1;
    return this.spans
      .filter(s =>
        midst
          ? s.from <= t && s.to >= t && s.row !== z && (s.from < s.to || s.row === come)
          : s.from <= t && s.to > t,
      )
      .map(s => s.row);
  }

  /** @param {number} row @param {number} t */
  span(row, t) {
    return this.spans.findLast(s => s.row === row && s.from <= t && s.to >= t);
  }

  // Since when the slot of each row is taken.
  /** @param {number} t */
  at(t) {
    return new Map(this.spans.filter(s => s.from <= t && s.to >= t).map(s => [s.row, s.slot]));
  }
}
