// A question on the plane: a badge with a number for each candidate, whose shape says what became
// of it, whom the question is about, and the line or the pair that was drawn.

import { circle, dot, line, ring, stroke, text } from "../canvas/draw.js";
import { widthOf } from "../canvas/labels.js";
import { clamp } from "../canvas/scales.js";

const R = 12; // px
const AWAY = 25; // px from the point to its badge
const WAYS = Array.from({ length: 12 }, (_, k) => [
  Math.cos((k * Math.PI) / 6),
  Math.sin((k * Math.PI) / 6),
]);

// A row of the run on the plane, and a path with a halo.
/** @param {Plane} plane @param {number} row @returns {Point} */
const pixel = ({ x, y, stage: { run } }, row) => [
  x(run.points[2 * row]),
  y(run.points[2 * row + 1]),
];
/** @param {Pen} g @param {Theme} theme @param {number[][]} path @param {number[]} [dash] */
function cord(g, theme, path, dash) {
  line(g, path, theme.bg, 6);
  line(g, path, theme.ink, 3, dash);
}

// A candidate: its point, and the middle of its badge, in px.
/** @typedef {{ at: Point, badge: Point }} Spot */

// Where the badges stand: beside their points, inside the frame, and away from each other.
/**
 * @param {{ left: number, w: number, h: number }} frame
 * @param {Theme} theme
 * @param {Point[]} points
 * @returns {Spot[]}
 */
function beside({ left, w, h }, theme, points) {
  const u = Math.sqrt(theme.unit);
  /** @type {Point[]} */
  const taken = [];
  return points.map((at, k) => {
    /** @param {Point} spot */
    const room = ([x, y]) => {
      const others = [...taken, ...points.filter((_, j) => j !== k)];
      const near = Math.min(60, ...others.map(([a, b]) => Math.hypot(a - x, b - y)));
      const inside = Math.min(x - left, left + w - x, y, h - y) - (R + 7) * u;
      return near + Math.min(0, inside) * 20;
    };
    const badge = WAYS.map(
      ([dx, dy]) => /** @type {Point} */ ([at[0] + AWAY * u * dx, at[1] + AWAY * u * dy]),
    ).reduce((best, spot) => (room(spot) > room(best) + 1e-9 ? spot : best));
    taken.push(badge);
    return { at, badge };
  });
}

/** @param {Plane} plane @param {Option[]} options */
export const spots = (plane, options) =>
  beside(
    plane.frame,
    plane.stage.theme,
    options.map(({ place }) => (place ? [plane.x(place[0]), plane.y(place[1])] : [-99, -99])),
  );

/** @param {Plane} plane @param {Option[]} options */
export function reserve(plane, options) {
  const r = R * Math.sqrt(plane.stage.theme.unit);
  for (const {
    badge: [x, y],
  } of spots(plane, options))
    plane.labels.block({ left: x - r, right: x + r, top: y - r, bottom: y + r });
}

/** @param {Pen} g @param {number} x @param {number} y @param {number} r @param {boolean} square */
function shape(g, x, y, r, square) {
  g.beginPath();
  if (square) g.roundRect(x - r, y - r, 2 * r, 2 * r, 4);
  else g.arc(x, y, r, 0, 7);
}

// The small sign at the corner of a badge: a tick, or a cross.
const TICK = [[-2.4, 0, -0.6, 2, 2.4, -2]];
const CROSS = [
  [-2.4, -2.4, 2.4, 2.4],
  [2.4, -2.4, -2.4, 2.4],
];
/** @param {Pen} g @param {Theme} theme @param {Point} at @param {number} u @param {boolean} tick */
function sign(g, theme, [x, y], u, tick) {
  const color = tick ? theme.surface : theme.ink;
  dot(g, x, y, 6 * u, theme.bg, color);
  for (const path of tick ? TICK : CROSS) {
    const places = path.flatMap((v, k) => (k % 2 ? [] : [[x + v * u, y + path[k + 1] * u]]));
    line(g, places, color, 1.6);
  }
}

/**
 * @param {Pen} g
 * @param {Theme} theme
 * @param {Spot} spot
 * @param {Option} option
 * @param {Placing | ""} state
 * @param {boolean} picked
 */
function badge(g, theme, { at, badge: [x, y] }, { number }, state, picked) {
  const u = Math.sqrt(theme.unit);
  const r = R * u;
  line(g, [at, [x, y]], theme.bg, 3.5);
  line(g, [at, [x, y]], theme.ink, 1.4);
  const dark = state === "found" || (!state && picked);
  const fill = state === "found" ? theme.surface : dark ? theme.ui : theme.bg;
  shape(g, x, y, r + 2, state === "extra");
  g.fillStyle = theme.bg;
  g.fill();
  shape(g, x, y, r, state === "extra");
  g.fillStyle = fill;
  g.fill();
  const rims = { found: theme.surface, missed: theme.surface, extra: theme.ink };
  const rim = state && state !== "left" ? rims[state] : picked ? theme.ui : theme.floor;
  const dash = state === "missed" ? [3.2, 2.8] : [];
  stroke(g, rim, state === "left" || !state ? 1.25 : 2, dash);
  text(g, { ...theme, unit: 1 }, String(number), x, y + 0.5, {
    size: 14 * u,
    weight: 700,
    color: dark ? theme.bg : theme.ink,
    align: "center",
    base: "middle",
  });
  if (state === "found" || state === "extra")
    sign(g, theme, [x + 0.82 * r, y - 0.82 * r], u, state === "found");
}

// The two ends of a line, where it leaves the plane.
/** @param {Plane} plane @param {StraightLine} straight @param {Point} through @returns {Point[]} */
function ends(plane, { angle }, [x, y]) {
  const far = 4 * (Math.abs(plane.x.d1 - plane.x.d0) + Math.abs(plane.y.d1 - plane.y.d0));
  const [dx, dy] = [-Math.sin(angle) * far, Math.cos(angle) * far];
  return [
    [plane.x(x - dx), plane.y(y - dy)],
    [plane.x(x + dx), plane.y(y + dy)],
  ];
}

// The line with its handles: the middle moves it, the others turn it about the middle.
/**
 * @param {Plane} plane
 * @param {StraightLine} straight
 * @param {Point} anchor
 * @param {number} reach
 * @returns {Point[]}
 */
export function handles(plane, { angle }, [x, y], reach) {
  const [dx, dy] = [-Math.sin(angle) * reach * 0.55, Math.cos(angle) * reach * 0.55];
  return [0, 1, -1].map(side => [plane.x(x + side * dx), plane.y(y + side * dy)]);
}

// Words in a box about a place, moved inside the plane.
/**
 * @param {Pen} g
 * @param {Plane} plane
 * @param {string} words
 * @param {Point} at
 * @param {boolean} full
 */
function tag(g, { stage: { theme }, frame }, words, at, full) {
  const half = widthOf(g, theme, words, { weight: 700 }) / 2 + 9 * theme.unit;
  const h = 11 * theme.unit;
  const x = clamp(at[0], frame.left + half + 2, frame.left + frame.w - half - 2);
  const y = clamp(at[1], h + 2, frame.h - h - 2);
  g.beginPath();
  g.roundRect(x - half, y - h, 2 * half, 2 * h, h);
  g.fillStyle = full ? theme.ui : theme.bg;
  g.fill();
  stroke(g, theme.ui, 1.5, full ? [] : [3, 3]);
  text(g, theme, words, x, y + 0.5, {
    weight: 700,
    color: full ? theme.bg : theme.ink,
    align: "center",
    base: "middle",
  });
}

/** @param {Pen} g @param {Plane} plane @param {number[]} rows @param {boolean} dashed */
function bond(g, plane, rows, dashed) {
  const { theme } = plane.stage;
  const path = rows.map(row => pixel(plane, row));
  cord(g, theme, path, dashed ? [0.1, 6] : []);
  for (const at of path) circle(g, ...at, 12, theme.ink, 2.5, dashed ? [3, 3] : []);
}

// All of it, as long as the stage stands where the question was asked, or is answered.
/** @param {Pen} g @param {Asking} asking @param {Plane} plane */
export function paint(g, asking, plane) {
  const { asked, verdict, stage } = asking;
  const { theme } = stage;
  if (!asked || !asking.here) return;
  g.lineCap = "round";
  if (!verdict)
    for (const row of asked.drawn)
      ring(g, theme, ...pixel(plane, row), asked.drawn.length > 8 ? 5 : 13);
  if (asked.form === "pair") paintPair(g, asking, plane);
  else if (asked.line) {
    const mine = asking.straight ?? asked.line.start;
    cord(g, theme, ends(plane, mine, asking.anchor), [0.1, 7]);
    if (!verdict)
      for (const at of handles(plane, mine, asking.anchor, asked.line.reach)) {
        dot(g, ...at, 8, theme.bg);
        stroke(g, theme.ui, 2.5);
      }
  } else if (asked.options[0]?.number) numbers(g, asking, spots(plane, asked.options));
}

/** @param {Pen} g @param {Asking} asking @param {Spot[]} places */
function numbers(g, { asked, verdict, picks, stage: { theme } }, places) {
  places.forEach((spot, k) => {
    const option = asked?.options[k];
    if (option) badge(g, theme, spot, option, verdict?.options[k]?.state ?? "", picks.includes(k));
  });
}

// The numbers once more where a mechanism shows the candidates, as long as it shows what was asked.
/**
 * @param {Pen} g
 * @param {Asking} asking
 * @param {{ left: number, w: number, h: number }} frame
 * @param {(row: number) => Point} at
 */
export function paintBeside(g, asking, frame, at) {
  const { asked, verdict, stage } = asking;
  if (!asked?.options[0]?.number || !verdict || !asking.here) return;
  g.lineCap = "round";
  numbers(
    g,
    asking,
    beside(
      frame,
      stage.theme,
      asked.options.map(({ row }) => at(row)),
    ),
  );
}

/** @param {Pen} g @param {Asking} asking @param {Plane} plane */
function paintPair(g, { asked, verdict, stage: { theme }, picks, cursor, pointer }, plane) {
  if (!asked) return;
  if (verdict) {
    const pairs = verdict.pairs ?? [];
    for (const { rows, yours } of pairs) bond(g, plane, rows, yours);
    for (const { rows, words, yours } of pairs) {
      const [[a, b], [c, d]] = rows.map(row => pixel(plane, row));
      tag(g, plane, words, [(a + c) / 2, Math.min(b, d) - 22], !yours);
    }
    return;
  }
  const mates = picks.length === 1 ? (asked.mates?.(picks[0]) ?? []) : [];
  asked.options.forEach(({ row }, k) => {
    const at = pixel(plane, row);
    if (mates.length && !mates[k] && row !== picks[0]) {
      g.globalAlpha = 0.72;
      dot(g, ...at, 12, theme.bg);
      g.globalAlpha = 1;
    }
    if (row === cursor) circle(g, ...at, 16, theme.ui, 2);
  });
  if (picks.length === 1 && pointer) cord(g, theme, [pixel(plane, picks[0]), pointer], [0.1, 6]);
  if (picks.length) bond(g, plane, picks, true);
}
