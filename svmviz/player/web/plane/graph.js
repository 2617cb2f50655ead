// A regression on the plane. With one feature f is a curve over it with its tube, and targets are
// points about it; with more it is a field with lines of equal height. Sticks are residuals: from
// the target to f, upwards where f is too high.

import { isTube, tubeOf } from "../engine/losses.js";
import { line, rule } from "../canvas/draw.js";
import { make } from "../canvas/elements.js";
import { scale, short, ticks } from "../canvas/scales.js";

const COLUMNS = 181;
const CROWD = 200; // points: more of them have shorter, thinner sticks
const STICK = 80; // px: a residual as large as half of what the targets span
const FULL = 200; // of the 240 shades on either side: for the highest target and the lowest

/** @typedef {{ left: number, w: number, h: number }} Frame */

// What the targets span, and how far they go from the ground.
/** @param {Run} run */
export function spanOf({ n, y, ground }) {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < n; i++) [low, high] = [Math.min(low, y[i]), Math.max(high, y[i])];
  const reach = Math.max(high - ground, ground - low) || 1;
  return { low, high, middle: (low + high) / 2, half: (high - low) / 2 || 1, reach };
}

// Where the curve is drawn: each axis in its own unit.
/** @param {Run} run @param {Frame} frame */
export function scalesOf(run, { left, w, h }) {
  const { middle, half } = spanOf(run);
  const widest = Math.max(...run.segments.map(({ params }) => tubeOf(params.loss)));
  let [x0, x1] = [Infinity, -Infinity];
  for (let i = 0; i < run.n; i++)
    [x0, x1] = [Math.min(x0, run.points[2 * i]), Math.max(x1, run.points[2 * i])];
  const room = 0.06 * (x1 - x0 || 1);
  const reach = half + Math.max(0.22 * half, Math.min(1.3 * widest, half));
  const x = scale(x0 - room, x1 + room, left, left + w);
  const y = scale(middle - reach, middle + reach, h, 0);
  const xs = Float64Array.from(
    { length: COLUMNS },
    (_, c) => x.d0 + (c / (COLUMNS - 1)) * (x.d1 - x.d0),
  );
  return { x, y, grid: { xs, ys: Float64Array.of(0) } };
}

// f as a curve, as far as it can be seen.
/** @param {Plane} plane @param {Indexed} field @param {number} [lifted] @returns {Point[]} */
export function curveOf({ x, y, grid }, field, lifted = 0) {
  const height = Math.abs(y.r0 - y.r1);
  return Array.from(grid.xs, (at, c) => [
    x(at),
    Math.max(-height, Math.min(2 * height, y(field[c] + lifted))),
  ]);
}

/** @param {Pen} g @param {Plane} plane @param {View} view */
export function paintGraph(g, plane, { theme, now, before, after, shown, slow, moving, segment }) {
  const { left, w, h } = plane.frame;
  const { loss } = segment.params;
  g.fillStyle = theme.side;
  g.fillRect(left, 0, w, h);
  const tube = tubeOf(loss);
  const [curve, high, low] = [0, tube, -tube].map(lifted => curveOf(plane, now.field, lifted));
  const rims = isTube(loss) ? [high, low] : [];
  g.beginPath();
  for (const [px, py] of rims.length ? [...high, ...low.toReversed()] : []) g.lineTo(px, py);
  g.fillStyle = theme.band;
  g.fill();
  rule(g, left, plane.y(0), left + w, plane.y(0), theme.grid);
  for (const rim of rims) line(g, rim, theme.ink, 1.25, [6, 5]);
  if (slow && moving)
    line(g, curveOf(plane, (shown < 1 ? after : before).field), theme.ghost, 2, [0.1, 5]);
  line(g, curve, theme.ink, 2);
  plane.paths = [
    { lines: [curve], level: 0, dash: [] },
    { lines: rims, level: 1, dash: [6, 5] },
  ];
  if (!slow) return;
  const look = { weight: 600, color: theme.ink, base: /** @type {const} */ ("middle") };
  const names = /** @type {[string, Point[]][]} */ ([
    ["f", curve],
    ...rims.map((rim, k) => [k ? "f − ε" : "f + ε", rim]),
  ]);
  for (const [words, path] of names)
    plane.later.push(() =>
      plane.labels.put(
        words,
        look,
        ...[0.96, 0.9, 0.82, 0.05, 0.5].map(share => {
          const [px, py] = path[Math.round(share * (path.length - 1))];
          return /** @type {Place} */ ([px, py, "center"]);
        }),
      ),
    );
}

// Residuals of all who take part; within the tube they are faint.
/** @param {Pen} g @param {Plane} plane @param {View} view */
export function paintSticks(g, plane, { run, theme, now, mask, segment }) {
  const { half } = spanOf(run);
  const s = tubeOf(segment.params.loss);
  const crowded = now.count > CROWD;
  const unit = (crowded ? STICK / 2 : STICK) / half;
  const kinds = /** @type {[string, number, (r: number) => boolean][]} */ ([
    [theme.ghost, 1, r => Math.abs(r) <= s],
    [theme.minus, 2, r => r > s],
    [theme.plus, 2, r => r < -s],
  ]);
  for (const [color, width, wanted] of kinds) {
    g.beginPath();
    for (let i = 0; i < run.n; i++) {
      const r = now.f[i] - run.y[i];
      if (!mask[i] || !wanted(r)) continue;
      const [px, py] = [plane.x(run.points[2 * i]), plane.y(run.points[2 * i + 1])];
      g.moveTo(px, py);
      g.lineTo(px, run.graph ? plane.y(now.f[i]) : py - unit * r);
    }
    Object.assign(g, { strokeStyle: color, lineWidth: crowded ? 1 : width });
    g.setLineDash([]);
    g.stroke();
  }
}

// What the sticks are, for the key.
export const stickKey = () =>
  ["high", "low"].map(way => {
    const item = make("span", { className: `stick ${way}`, title: "Residual f(x) − y of a point" });
    item.append(make("i", {}), make("span", { className: "wide", textContent: "f too " }), way);
    return item;
  });

let tint = new Float64Array(0);

// The field about the ground, as dark as the targets go, and where f takes round values.
/** @param {View} view @returns {Shown} */
export function heights({ run, now }) {
  const { low, high, reach } = spanOf(run);
  if (tint.length !== now.field.length) tint = new Float64Array(now.field.length);
  for (let k = 0; k < tint.length; k++) tint[k] = now.field[k] - run.ground;
  return { field: now.field, tint, gain: FULL / reach, levels: ticks(low, high, 8) };
}

/** @param {number} level */
export const heightText = level => short(level);
