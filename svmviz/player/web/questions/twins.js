// Questions about a rack of twin vectors: whether an example is taken, and what its α is then.

import { COMBINED, DROPPED, roomsOf } from "../engine/own/twins.js";
import { SURE, asked, drawnIn, labelOf, stepOf, worded } from "./making.js";

const CLEAR = 1e-3; // of a box: closer to its end, and not there, is not asked for

/** @param {Asker} at @param {boolean} full */
function next(at, full) {
  const { run } = at;
  const step = stepOf(at);
  if (!step || (at.t > 0 && step.segment.start === at.t)) return null;
  if (Boolean(run.array("full")?.[step.next]) !== full) return null;
  const [i] = drawnIn(at);
  const { params } = step.segment;
  const margin = run.margin[run.first[step.next]];
  return { t: step.next, i, params, margin, values: { i: i + 1, label: labelOf(run, i), margin } };
}

/** @type {Maker} */
export function entry(at) {
  const found = next(at, true);
  if (!found) return null;
  const { t, i, params, margin, values } = found;
  const { near = 1 } = /** @type {any} */ (params);
  if (Math.abs(margin - near) < SURE * 10) return null;
  const rooms = roomsOf(at.run, t);
  if (rooms.length > 1) return null;
  const words = ["it is not taken", "it comes in, two are combined", "it comes in, one is dropped"];
  const truth = [0, COMBINED, DROPPED].indexOf(rooms[0]?.kind ?? 0);
  const so = [
    "above, it is not taken",
    "it came in, and two were combined",
    "it came in, and one far off was dropped",
  ];
  return asked(at, "entry", {
    form: "choice",
    options: worded(words),
    truth: [truth],
    drawn: [i],
    covers: ["mechanism", "numbers"],
    values: { ...values, near, so: so[truth] },
  });
}

/** @type {Maker} */
export function share(at) {
  const found = next(at, false);
  if (!found) return null;
  const { t, i, params, values } = found;
  const { C } = params;
  const alpha = at.run.array("alpha")?.[t] ?? 0;
  const inside = alpha > 0 && alpha < C * (1 - 1e-6);
  if (inside && Math.min(alpha, C - alpha) < CLEAR * C) return null;
  return asked(at, "share", {
    form: "choice",
    options: worded(["at 0", "between 0 and C", "at C"]),
    truth: [inside ? 1 : alpha > 0 ? 2 : 0],
    drawn: [i],
    covers: ["mechanism", "numbers"],
    values: { ...values, alpha, C },
  });
}
