// The frames of a clip. Each step from the first to the last is on screen for 1 / speed seconds,
// and a frame shows what stands at its end: with as many steps a second as frames, frame k (from 0)
// shows step from + k. Below eight steps a second a step is seen with its beats, as on the stage.

import { SLOW } from "../stage/transport.js";

/** @typedef {{ from: number, to: number, speed: number, fps: number }} Range */

const ALMOST = 1e-9;

/** @param {Range} range */
export const framesIn = ({ from, to, speed, fps }) =>
  Math.max(1, Math.ceil(((to - from + 1) * fps) / speed - ALMOST));

// Where the stage stands in frame k.
/** @param {Range} range @param {number} k */
export function standing({ from, to, speed, fps }, k) {
  const over = Math.min(((k + 1) * speed) / fps, to - from + 1); // steps
  const taken = Math.ceil(over - ALMOST) - 1;
  return {
    t: from + taken,
    phase: speed < SLOW && from + taken > 0 ? Math.min(1, over - taken) : 1,
  };
}

// The order in which frames are shown: once, or there and back again, without showing either end
// twice.
/** @param {number} count @param {boolean} back */
export const order = (count, back) => [
  ...Array(count).keys(),
  ...(back ? Array.from({ length: Math.max(0, count - 2) }, (_, k) => count - 2 - k) : []),
];

// Until when each frame stands, in hundredths of a second, the unit of GIF: rounding does not add
// up.
/** @param {number} k @param {number} fps */
export const hundredths = (k, fps) =>
  Math.round(((k + 1) * 100) / fps) - Math.round((k * 100) / fps);
