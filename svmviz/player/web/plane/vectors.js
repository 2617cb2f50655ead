// Support vectors that need not be examples, on the plane: painted, found under the pointer, seen
// through a lens.

import { circle, colorOf, line, mark, marks, penOf, stamps, stroke } from "../canvas/draw.js";
import { kindOf, sizeOf } from "../engine/scores.js";

const CROWD = 100; // more vectors than these are stamped
const CORNERS = 6; // px: how far a mark may reach beyond its radius

/** @typedef {ReturnType<typeof making>} Stamped */

/** @param {Theme} theme @param {number} ratio @param {boolean} many */
function making(theme, ratio, many) {
  const rim = many ? 1.3 : 1.9;
  return {
    theme,
    ratio,
    many,
    ring: stamps(rim, ratio, (h, r) => circle(h, 0, 0, r, theme.surface, rim)),
    vector: stamps(CORNERS, ratio, (h, r, kind) => outlined(h, theme, kind, 0, 0, r)),
  };
}

// Rings and vectors to be stamped, made anew for another theme or screen.
/** @param {Plane} plane @param {Theme} theme @param {boolean} many */
export function stamped(plane, theme, many) {
  const { ratio } = plane.sheet;
  const { stamped: old } = plane;
  if (old?.theme === theme && old.ratio === ratio && old.many === many) return old;
  return (plane.stamped = making(theme, ratio, many));
}

/**
 * @param {Pen} g
 * @param {Theme} theme
 * @param {Kind} kind
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
function outlined(g, theme, kind, x, y, r) {
  mark(g, kind, x, y, r, colorOf(theme, kind));
  stroke(g, theme.ink, 1.5);
}

// Outlined in ink, by the sign of their coefficient or the class they speak for; those that act in
// this moment are left to the mechanism.
/** @param {Plane} plane @param {Pen} g @param {View} view @param {boolean} many */
export function paintVectors(plane, g, { run, theme, now }, many) {
  const { acting } = plane.stage.mechanism;
  const { vector } = stamped(plane, theme, many);
  const crowd = plane.most > CROWD;
  for (let row = 0; row < run.rows; row++) {
    const a = sizeOf(now, row);
    if (!a || acting?.has(row)) continue;
    const kind = kindOf(run, now, row);
    const [x, y] = [plane.x(run.points[2 * row]), plane.y(run.points[2 * row + 1])];
    const r = plane.radius(a, theme);
    if (crowd) vector(g, x, y, r, kind);
    else outlined(g, theme, kind, x, y, r);
  }
}

// Of a stream, the examples that were drawn up to now, more distinct than those to come; only the
// new ones are painted.
/** @param {Layer} layer @param {View} view @param {(i: number) => Mark | null} place */
export function paintSeen(layer, { run, theme, t }, place) {
  if (t === layer.upto) return;
  const g = penOf(layer.canvas);
  const fresh = new Set(run.drawn.subarray(run.first[layer.upto + 1], run.first[t + 1]));
  for (const i of run.drawn.subarray(0, run.first[layer.upto + 1])) fresh.delete(i);
  const list = [...fresh];
  g.globalAlpha = 0.6;
  marks(g, theme, list.length, k => place(list[k]), false);
  layer.upto = t;
}

/** @param {Plane} plane @param {number} x @param {number} y */
export function vectorAt(plane, x, y) {
  // its row, or -1
  const { run, now, theme } = plane.view;
  let best = -1;
  let near = Infinity;
  for (let row = 0; row < run.rows; row++)
    if (sizeOf(now, row)) {
      const d = Math.hypot(plane.x(run.points[2 * row]) - x, plane.y(run.points[2 * row + 1]) - y);
      if (d < Math.min(near, plane.radius(sizeOf(now, row), theme) + 2)) [best, near] = [row, d];
    }
  return best;
}

// What lies about `from`, so many times larger about `at`: field, lines and examples.
/**
 * @param {Plane} plane
 * @param {Pen} g
 * @param {View} view
 * @param {number[]} from
 * @param {number[]} at
 * @param {number} times
 * @param {number} reach
 */
export function magnified(plane, g, { run, theme, mask }, from, at, times, reach) {
  const { left, w, h } = plane.frame;
  const { width, height } = plane.image.canvas;
  const cw = w / (width - 1);
  const ch = h / (height - 1);
  /** @param {number[]} place @returns {Point} */
  const into = ([x, y]) => [at[0] + times * (x - from[0]), at[1] + times * (y - from[1])];
  const near = reach / times;
  g.drawImage(
    plane.image.canvas,
    ...into([left - cw / 2, -ch / 2]),
    times * (w + cw),
    times * (h + ch),
  );
  for (const { lines, level, dash } of plane.paths)
    for (const path of lines) line(g, path.map(into), theme.ink, level ? 1.25 : 2, dash);
  g.globalAlpha = 0.6;
  marks(
    g,
    theme,
    run.n,
    i => {
      const p = [plane.x(run.points[2 * i]), plane.y(run.points[2 * i + 1])];
      if (!mask[i] || Math.abs(p[0] - from[0]) > near || Math.abs(p[1] - from[1]) > near)
        return null;
      const [x, y] = into(p);
      return { x, y, kind: run.kind(i), r: 2.6 };
    },
    false,
  );
  g.globalAlpha = 1;
}
