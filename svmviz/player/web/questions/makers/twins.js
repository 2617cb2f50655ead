// Questions about a rack of twin vectors: whether an example is taken, and what its α is then.

import { COMBINED, DROPPED, roomsOf } from "../../engine/own/twins.js";
import { SURE, asked, choice, maker } from "../making.js";

const CLEAR = 1e-3; // of a box: closer to its end, and not there, is not asked for

// Whether the step can be asked about: its rack is full or not, as wanted, and nothing was changed
// before it.
/** @param {import("../making.js").Step} step @param {boolean} full */
const asks = ({ run, t, next, segment }, full) =>
  !(t > 0 && segment.start === t) && Boolean(run.array("full")?.[next]) === full;

export const entry = maker(step => {
  if (!asks(step, true)) return null;
  const { run, next, params, margin, drawn } = step;
  const { near = 1 } = /** @type {any} */ (params);
  if (Math.abs(margin - near) < SURE * 10) return null;
  const rooms = roomsOf(run, next);
  if (rooms.length > 1) return null;
  const words = ["it is not taken", "it comes in, two are combined", "it comes in, one is dropped"];
  const truth = [0, COMBINED, DROPPED].indexOf(rooms[0]?.kind ?? 0);
  const so = [
    "above, it is not taken",
    "it came in, and two were combined",
    "it came in, and one far off was dropped",
  ];
  return asked(step, "entry", {
    ...choice(words, truth),
    drawn,
    values: { margin, near, so: so[truth] },
  });
});

export const share = maker(step => {
  if (!asks(step, false)) return null;
  const { run, next, margin, drawn } = step;
  const { C } = step.params;
  const alpha = run.array("alpha")?.[next] ?? 0;
  const inside = alpha > 0 && alpha < C * (1 - 1e-6);
  if (inside && Math.min(alpha, C - alpha) < CLEAR * C) return null;
  return asked(step, "share", {
    ...choice(["at 0", "between 0 and C", "at C"], inside ? 1 : alpha > 0 ? 2 : 0),
    drawn,
    values: { margin, alpha, C },
  });
});
