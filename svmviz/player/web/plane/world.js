// A small plane: where its cells are, and the points on it. Several of them side by side share
// both.

import { marks, penOf } from "../canvas/draw.js";
import { make } from "../canvas/elements.js";
import { scalesOf } from "./graph.js";
import { scale } from "../canvas/scales.js";

const CELLS = 40; // of a row; a slim plane has fewer
const CELL = 3.5; // pixels of one at least

// Where the world meets the canvas, with equal units on both axes unless targets stand over one
// feature; the same for all planes, as are the points on it.
/** @param {Run} run @param {number} w @param {number} h */
export function worldOf(run, w, h) {
  const { x, y, grid } = run.graph ? scalesOf(run, { left: 0, w, h }) : evenly(run, w, h);
  return {
    w,
    h,
    x,
    y,
    grid,
    /** @type {Map<string, Engine["columns"]>} */
    columns: new Map(),
    key: [w, h, x.d0, x.d1, y.d0, y.d1].join(),
  };
}

/** @param {Run} run @param {number} w @param {number} h */
function evenly(run, w, h) {
  const { x, y } = evenScales(run, { left: 0, w, h }, 1.16);
  const columns = Math.max(24, Math.min(CELLS, Math.round(w / CELL)));
  const rows = Math.max(12, Math.min(columns, Math.round((columns * h) / w)));
  return { x, y, grid: { xs: spread(x.d0, x.d1, columns), ys: spread(y.d1, y.d0, rows) } };
}

// Scales with equal units on both axes, about the points that take part, with some room around
// them.
/**
 * @param {Run} run
 * @param {{ left: number, w: number, h: number }} frame
 * @param {number} room
 * @param {Uint8Array} [mask]
 */
export function evenScales(run, { left, w, h }, room, mask) {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < run.n; i++) {
    if (mask && !mask[i]) continue;
    const x = run.points[2 * i];
    const y = run.points[2 * i + 1];
    [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
  }
  const unit = Math.max((x1 - x0) / w, (y1 - y0) / h, 1e-9) * room;
  const cx = (x0 + x1) / 2;
  const cy = (y0 + y1) / 2;
  return {
    x: scale(cx - (unit * w) / 2, cx + (unit * w) / 2, left, left + w),
    y: scale(cy - (unit * h) / 2, cy + (unit * h) / 2, h, 0),
  };
}

/** @param {number} from @param {number} to @param {number} count */
export const spread = (from, to, count) =>
  Float64Array.from({ length: count }, (_, c) => from + (c / (count - 1)) * (to - from));

// The points once, for all planes: they never move. Only those who take part, where a mask says who
// does.
/**
 * @param {Run} run
 * @param {World} world
 * @param {Theme} theme
 * @param {number} ratio
 * @param {Uint8Array} [mask]
 */
export function pointsOf(run, world, theme, ratio, mask) {
  const canvas = make("canvas", {
    width: Math.round(world.w * ratio),
    height: Math.round(world.h * ratio),
  });
  const g = penOf(canvas);
  const r = (run.n > 600 ? 1.3 : run.n > 150 ? 1.7 : 2.4) * Math.sqrt(theme.unit);
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  marks(
    g,
    theme,
    run.n,
    i =>
      mask && !mask[i]
        ? null
        : {
            x: world.x(run.points[2 * i]),
            y: world.y(run.points[2 * i + 1]),
            kind: run.kind(i),
            r,
          },
    false,
  );
  return canvas;
}
