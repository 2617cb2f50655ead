// The shapes of Explore: a star for the lowest error, a ring for the sparsest cell within one
// standard error of it, a cross for the Playground's setting.

import { stroke } from "../canvas/draw.js";

/** @param {Pen} g @param {number} x @param {number} y @param {number} r */
function star(g, x, y, r) {
  for (let k = 0; k < 10; k++) {
    const angle = -Math.PI / 2 + (k * Math.PI) / 5;
    const far = k % 2 ? 0.45 * r : 1.2 * r;
    g.lineTo(x + far * Math.cos(angle), y + far * Math.sin(angle));
  }
  g.closePath();
}

/**
 * @param {Pen} g
 * @param {"star" | "ring" | "cross"} name
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {string} color
 * @param {string} [halo]
 */
export function mark(g, name, x, y, r, color, halo) {
  g.beginPath();
  if (name === "star") star(g, x, y, r);
  else if (name === "ring") g.arc(x, y, 0.75 * r, 0, 7);
  else
    for (const [a, b] of [
      [-1, -1],
      [-1, 1],
    ]) {
      g.moveTo(x + a * r * 0.8, y + b * r * 0.8);
      g.lineTo(x - a * r * 0.8, y - b * r * 0.8);
    }
  if (halo) stroke(g, halo, name === "star" ? 4 : 6);
  if (name === "star") {
    g.fillStyle = color;
    g.fill();
  } else stroke(g, color, name === "ring" ? 2.25 : 2.25);
}
