// The boundary of the exact optimum, and of that of a problem which is easily taken for it: two
// dashed lines on a plane of two features, drawn only where there are two.

import { line } from "../canvas/draw.js";
import { clamp } from "../canvas/scales.js";

// Where <w, x> + b = 0 crosses the frame: two points, or none.
/** @param {Plane} plane @param {number[]} w @param {number} b @returns {Point[]} */
function crossing(plane, w, b) {
  const { x, y } = plane;
  const ends = [];
  for (const at of [x.d0, x.d1]) ends.push([at, -(b + w[0] * at) / w[1]]);
  for (const at of [y.d0, y.d1]) ends.push([-(b + w[1] * at) / w[0], at]);
  const slack = 1e-9 * (x.d1 - x.d0);
  const inside = ends.filter(
    ([u, v]) => u >= x.d0 - slack && u <= x.d1 + slack && v >= y.d0 - slack && v <= y.d1 + slack,
  );
  if (inside.length < 2) return [];
  inside.sort((a, c) => a[1] - c[1] || a[0] - c[0]);
  return [inside[0], /** @type {number[]} */ (inside.at(-1))].map(([u, v]) => [x(u), y(v)]);
}

/** @param {Plane} plane @param {Pen} g @param {Theme} theme @param {Optimum} best */
export function paintOptima(plane, g, theme, best) {
  if (!best.beside) return;
  const { left, w: width, h } = plane.frame;
  /** @type {[string, number[] | null, number, number[]][]} */
  const both = [
    ["optimum", best.w, best.b, [6, 4]],
    [best.beside.name, best.beside.w, best.beside.b, [2, 4]],
  ];
  both.forEach(([words, w, b, dash], k) => {
    const ends = w ? crossing(plane, w, b) : [];
    if (!ends.length) return;
    line(g, ends, theme.optimum, 1.75, dash);
    const at = [0.08, 0.16, 0.84, 0.92].map(share => (k ? 1 - share : share));
    const look = { weight: 600, color: theme.optimum };
    plane.later.push(() =>
      plane.labels.put(
        words,
        look,
        ...at.map(share => {
          const [x, y] = [0, 1].map(c => ends[0][c] + share * (ends[1][c] - ends[0][c]));
          const right = x < left + width / 2;
          return /** @type {Place} */ ([
            x + (right ? 8 : -8),
            clamp(y, 16, h - 8),
            right ? "left" : "right",
          ]);
        }),
      ),
    );
  });
}
