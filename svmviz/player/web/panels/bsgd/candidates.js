// Who could go, or be a partner, in the order of what the maintenance chooses by.

import { handed } from "../../engine/own/handed.js";
import { IMQ, LAPLACIAN, RBF } from "../../engine/kernels.js";
import { MISSED, missed } from "../../engine/own/missed.js";
import { partners, removal } from "../../engine/own/prices.js";
import { SPREAD } from "../../engine/own/table.js";

// who goes has no partner
const ALONE = { mm: 0, nn: 0, mn: 0, kind: RBF, L: 0, plus: 0, h: 0, brackets: [] };

/** @param {Segment} segment */
export const merges = ({ params }) =>
  params.maintenance === "merge" && [RBF, LAPLACIAN, IMQ].includes(params.kernel.kind);

/** @param {BudgetView} view @param {boolean} merging @returns {Candidate[]} */
export function ranking({ run, t, happened: event, mid, segment, crowd: rows }, merging) {
  if (!event || !mid || SPREAD.includes(event.kind)) return []; // nobody has to go
  const come = run.entered(t) > run.change_first[t] ? run.change_index[run.change_first[t]] : -1;
  const shares = handed(run, mid, segment.params, rows, come);
  if (shares)
    return [...shares]
      .map(([row, lost]) => ({ ...ALONE, row, lost }))
      .sort((p, q) => p.lost - q.lost);
  const by = missed(run, t, mid, segment.params, rows);
  /** @param {number} row */
  const removed = row => ({ ...ALONE, row, lost: removal(run, mid, segment.params, row) });
  if (by) {
    const sign = segment.params.maintenance === MISSED[0] ? -1 : 1;
    return rows
      .map(row => ({ ...removed(row), by: by.get(row) }))
      .sort((p, q) => sign * (Number(p.by) - Number(q.by)));
  }
  if (!merging || event.n < 0)
    return rows
      .map(removed)
      .sort((p, q) => (Math.abs(p.lost - q.lost) < 1e-5 * q.lost ? 0 : p.lost - q.lost));
  const all = partners(run, t, mid);
  return rows
    .flatMap(row => {
      const merger = all.get(row);
      return merger ? [{ row, ...merger }] : [];
    })
    .sort((p, q) => p.lost - q.lost);
}
