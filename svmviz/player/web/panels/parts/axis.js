// What every picture of a panel begins with, and the words that stand about its axes.

import { line, rule, text } from "../../canvas/draw.js";

// A sheet ready to be painted: its pen, its size, and the unit of its type.
/** @param {Sheet} sheet @param {Theme} theme */
export const open = (sheet, theme) => ({
  g: sheet.begin(),
  w: sheet.w,
  h: sheet.h,
  u: theme.unit,
});

// Words to the left of a picture that begins at `left`, level with y.
/** @type {(g: Pen, theme: Theme, words: string, left: number, y: number, look?: Look) => void} */
export const side = (g, theme, words, left, y, look) =>
  text(g, theme, words, left - 8, y, {
    color: theme.muted,
    align: "right",
    base: "middle",
    ...look,
  });

// Words about the middle of x.
/** @type {(g: Pen, theme: Theme, words: string, x: number, y: number, look?: Look) => void} */
export const centred = (g, theme, words, x, y, look) =>
  text(g, theme, words, x, y, { color: theme.muted, align: "center", ...look });

// The value of what is drawn now, beside its mark: to the right of x, or to the left of it.
/**
 * @param {Pen} g
 * @param {Theme} theme
 * @param {string} words
 * @param {number} x
 * @param {number} y
 * @param {boolean} right
 */
export const flag = (g, theme, words, x, y, right, by = 8) =>
  text(g, theme, words, x + (right ? by : -by), y, {
    size: 13.5,
    weight: 700,
    color: theme.now,
    align: right ? "left" : "right",
    halo: theme.bg,
  });

// The top of a box [0, C], whose name stands a little lower where there is little room above.
/**
 * @param {Pen} g
 * @param {Theme} theme
 * @param {number} left
 * @param {number} y
 * @param {number} right
 */
export function ceiling(g, theme, left, y, right, lower = 0, words = "C") {
  rule(g, left, y, right, y, theme.optimum, 1.75, [6, 4]);
  side(g, theme, words, left, y + lower, { weight: 600, color: theme.ink });
}

// A bracket from a to b, whose ends reach `reach` px away from its line at y.
/**
 * @param {Pen} g
 * @param {number} a
 * @param {number} b
 * @param {number} y
 * @param {number} reach
 * @param {string} color
 * @param {number} [width]
 */
export function clasp(g, a, b, y, reach, color, width) {
  const ends = [
    [a, y + reach],
    [a, y],
    [b, y],
    [b, y + reach],
  ];
  line(g, ends, color, width);
}
