// Rows that are pictures, in the units in which they were measured: scaling is undone before they
// are drawn.

import { penOf, text } from "./draw.js";
import { make } from "./elements.js";

const KEPT = 600; // pictures kept at a time
const known = new WeakMap(); // by run

// The picture of a row of the table, an example or a vector that was made of several; ink on
// nothing.
/** @param {Run} run @param {number} row @param {string} [ink] */
export function pictureOf(run, row, ink = "#FFFFFF") {
  if (!known.has(run)) known.set(run, new Map());
  const kept = known.get(run);
  const key = `${ink}${row}`;
  if (!kept.has(key)) {
    if (kept.size >= KEPT) kept.clear();
    kept.set(key, drawn(run, row, ink));
  }
  return kept.get(key);
}

/** @param {Run} run @param {number} row */
export function pixelsOf({ matrix, d, pixel_shift: shift, pixel_divisor: divisor }, row) {
  const { values } = /** @type {Dense} */ (matrix);
  return Float64Array.from(
    values.subarray(row * d, (row + 1) * d),
    (v, j) => v * (divisor?.[j] ?? 1) + (shift?.[j] ?? 0),
  );
}

// What two become: a row of the table, or what would have been one.
/** @param {Run} run @param {Happening} event @param {string} ink */
export function portraitOf(run, { m, n, z, h }, ink) {
  if (z >= 0) return pictureOf(run, z, ink);
  const [a, b] = [m, n].map(row => pixelsOf(run, row));
  return inked(
    run,
    a.map((v, j) => h * v + (1 - h) * b[j]),
    ink,
  );
}

/** @param {Run} run @param {number} row @param {string} ink */
const drawn = (run, row, ink) => inked(run, pixelsOf(run, row), ink);

/** @param {Run} run @param {Float64Array} values @param {string} ink */
function inked(run, values, ink) {
  const [height, width] = run.image ?? [0, 0];
  const canvas = make("canvas", { width, height });
  const g = penOf(canvas);
  const image = g.createImageData(width, height);
  const color = [1, 3, 5].map(k => parseInt(ink.slice(k, k + 2), 16));
  const low = Math.min(0, ...values);
  const high = Math.max(1e-9, ...values);
  values.forEach((v, k) => image.data.set([...color, (255 * (v - low)) / (high - low)], 4 * k));
  g.putImageData(image, 0, 0);
  return canvas;
}

// The two that merge and what they become, in a corner of the plane.
/**
 * @param {Pen} g
 * @param {Theme} theme
 * @param {Run} run
 * @param {Plane} plane
 * @param {Happening} event
 * @param {boolean} early
 */
export function portraits(g, theme, run, { frame }, event, early) {
  const u = theme.unit;
  const side = Math.min(52 * u, frame.w * 0.14);
  const gap = 10 * u;
  const { m, n, h } = event;
  const pictures = [m, n].map(row => pictureOf(run, row, theme.ink));
  const shown = [
    [pictures[0], "m"],
    [pictures[1], "n"],
    ...(early ? [] : [[portraitOf(run, event, theme.ink), `z, h = ${h.toFixed(2)}`]]),
  ];
  const width = shown.length * (side + gap) + gap;
  const left = frame.left + 6 * u;
  const top = frame.h - side - 30 * u;
  g.fillStyle = theme.bg;
  g.strokeStyle = theme.hair;
  g.lineWidth = 1;
  g.beginPath();
  g.roundRect(left, top, width + (early ? 0 : 14 * u), side + 26 * u, 6);
  g.fill();
  g.stroke();
  g.imageSmoothingEnabled = false;
  shown.forEach(([picture, name], k) => {
    const x = left + gap + k * (side + gap);
    g.drawImage(picture, x, top + 4 * u, side, side);
    text(g, theme, name, x + side / 2, top + side + 19 * u, {
      size: 13.5,
      weight: 700,
      color: theme.ink,
      align: "center",
    });
  });
  g.imageSmoothingEnabled = true;
}
