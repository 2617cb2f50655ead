// Up to ten classes, each with a colour and a shape of its own: hue is never alone.

import { lookOf } from "../engine/scores.js";
import { make } from "./elements.js";

/** @param {number} corners @param {number} from @param {number} [inner] */
const turn = (corners, from, inner = 0) =>
  Array.from({ length: corners * (inner ? 2 : 1) }, (_, k) => {
    const angle = from + (k * 2 * Math.PI) / (corners * (inner ? 2 : 1));
    const r = inner && k % 2 ? inner : 1;
    return [r * Math.cos(angle), r * Math.sin(angle)];
  });
/** @param {number[][]} points @param {number} by */
const grown = (points, by) => points.map(([x, y]) => [x * by, y * by]);
const up = -Math.PI / 2;
const PLUS = [
  [-1, -3],
  [1, -3],
  [1, -1],
  [3, -1],
  [3, 1],
  [1, 1],
  [1, 3],
  [-1, 3],
  [-1, 1],
  [-3, 1],
  [-3, -1],
  [-1, -1],
].map(([x, y]) => [x / 2.7, y / 2.7]);
const CROSS = PLUS.map(([x, y]) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2]);
const POLYGONS = [
  null,
  grown(turn(4, up), 1.22),
  [
    [-0.9, -0.9],
    [0.9, -0.9],
    [0.9, 0.9],
    [-0.9, 0.9],
  ],
  grown(turn(3, up), 1.28),
  grown(turn(3, -up), 1.28),
  PLUS,
  grown(turn(5, up, 0.45), 1.35),
  CROSS,
  grown(turn(5, up), 1.12),
  [
    [-1.3, -0.6],
    [1.3, -0.6],
    [1.3, 0.6],
    [-1.3, 0.6],
  ],
];
export const MOST = POLYGONS.length;

// The outline of a class as part of the present path. closePath would make the browser measure the
// whole path again.
/** @param {Pen} g @param {number} kind @param {number} x @param {number} y @param {number} r */
export function outline(g, kind, x, y, r) {
  const points = POLYGONS[kind % MOST];
  if (!points) {
    g.moveTo(x + r, y);
    g.arc(x, y, r, 0, 2 * Math.PI);
    return;
  }
  points.forEach(([a, b], k) =>
    k ? g.lineTo(x + a * r, y + b * r) : g.moveTo(x + a * r, y + b * r),
  );
  g.lineTo(x + points[0][0] * r, y + points[0][1] * r);
}

// The colours of a field in which class k leads: from the page's own colour, where two scores tie,
// up to a lead of 2.4.
/** @param {string} page @param {string[]} colors @param {boolean} dark */
export function tints(page, colors, dark) {
  /** @param {string} hex */
  const rgb = hex => [1, 3, 5].map(k => parseInt(hex.slice(k, k + 2), 16));
  const [r0, g0, b0] = rgb(page);
  return colors.map(color => {
    const [r, g, b] = rgb(color);
    const table = new Uint32Array(241);
    for (let v = 0; v <= 240; v++) {
      const u = (dark ? 0.62 : 0.56) * (1 - (1 - v / 240) ** 1.7);
      /** @param {number} from @param {number} to */
      const mix = (from, to) => Math.round(from + u * (to - from));
      table[v] = (255 << 24) | (mix(b0, b) << 16) | (mix(g0, g) << 8) | mix(r0, r);
    }
    return table;
  });
}

// The legend: a mark and a name for each class. Names are text of anybody's.
/** @param {string[]} names */
export function legend(names) {
  const svg = "http://www.w3.org/2000/svg";
  return names.map((name, c) => {
    const k = lookOf({ scores: names.length }, c);
    const item = make("span", { className: "class", title: name });
    const mark = document.createElementNS(svg, "svg");
    const path = document.createElementNS(svg, "path");
    mark.setAttribute("viewBox", "-7 -7 14 14");
    const points = POLYGONS[k % MOST]
      ?.map(([x, y]) => `${(5 * x).toFixed(2)} ${(5 * y).toFixed(2)}`)
      .join("L");
    path.setAttribute("d", points ? `M${points}Z` : "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z");
    mark.style.fill = `var(--class${k % MOST})`;
    mark.append(path);
    item.append(mark, make("span", { textContent: name }));
    return item;
  });
}
