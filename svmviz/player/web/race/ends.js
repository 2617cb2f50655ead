// The names at the ends of curves, none on another: in one column or, where there are many, in two,
// so that the line to a name of the second passes between two names of the first.

import { rule, text } from "../canvas/draw.js";
import { spread, widthOf } from "../canvas/labels.js";
import { clamp } from "../canvas/scales.js";
import { FEW, stamp } from "./lane.js";

/** @typedef {{ words: string, color: string, from: number, y: number, column: number, lane?: Lane }} End from: where its curve ends; y: where its name is */

const LEGIBLE = 11; // pixels from one name to the next
const SHARE = 0.42; // of the picture, that names may take

export class Ends {
  /** @type {End[]} */ placed = [];
  /** @type {Omit<End, "y" | "column">[]} */ unnamed = [];
  columns = 1; // 0 where there is no room for names: then only the one that is looked at has one
  slot = 18; // from name to name, in whichever column
  wide = 86; // of a column
  size = 13.5;
  /** @type {Theme} */ theme;
  right = 0;
  many = false;

  // What room names take beside a picture of this width, if curves end between these heights.
  /**
   * @param {Theme} theme
   * @param {string[]} names
   * @param {number} width
   * @param {number} top
   * @param {number} bottom
   */
  arrange(theme, names, width, top, bottom) {
    const u = theme.unit;
    const many = names.length > FEW;
    // the optimum has a name, too
    const slot = Math.min(18 * u, (bottom - top) / (names.length + 1));
    let columns = [1, 2].find(count => count * slot >= LEGIBLE * u) ?? 0;
    const size = clamp(((columns * slot) / u) * 0.9, 10, 13.5);
    const longest = Math.max(0, ...names.map(name => name.length));
    let wide = Math.max(longest * size * 0.55 + 30, 86) * u;
    if (columns === 1) wide = Math.min(wide, SHARE * width);
    else if (!columns || columns * wide > SHARE * width) [columns, wide] = [0, 86 * u];
    Object.assign(this, {
      theme,
      many,
      slot,
      columns,
      size,
      wide,
      right: width - Math.max(1, columns) * wide,
    });
    return this.right;
  }

  /** @param {Omit<End, "y" | "column">[]} ends @param {number} top @param {number} bottom */
  place(ends, top, bottom) {
    const named = ends.filter(end => this.columns || !end.lane);
    this.placed = named
      .map(end => ({ ...end, y: end.from, column: 0 }))
      .sort((a, b) => a.from - b.from);
    spread(this.placed, this.slot, top, bottom);
    this.placed.forEach((end, k) => (end.column = k % Math.max(1, this.columns)));
    this.unnamed = ends.filter(end => !named.includes(end));
  }

  /** @param {Pen} g @param {Lane | null} lit */
  draw(g, lit) {
    const { theme, right, wide, many, size } = this;
    const u = theme.unit;
    for (const { words, color, from, y, column, lane } of this.placed) {
      const x = right + column * wide;
      const pale = lit && lane && lane !== lit ? 0.35 : 1;
      g.globalAlpha = pale;
      if (many) {
        rule(g, right + 1, from, right + 12 * u, y, color, 1);
        g.globalAlpha = pale * 0.5;
        if (column) rule(g, right + 12 * u, y, x + 12 * u, y, color, 1);
        g.globalAlpha = pale;
      }
      if (lane) stamp(g, lane.path, x + (many ? 19 : 13) * u, y, size * 0.8 * u, color);
      const weight = lane ? (lit === lane ? 800 : 650) : 600;
      const at = x + (lane ? (many ? 29 : 24) : many ? 14 : 7) * u;
      text(g, theme, words, at, y, { size, weight, color, base: "middle" });
    }
    g.globalAlpha = 1;
  }

  // The name of the one that is looked at, above the picture, where its curve has none: on the side
  // that is free.
  /**
   * @param {Pen} g
   * @param {Lane | null} lit
   * @param {number} left
   * @param {number} now
   * @param {number} y
   */
  title(g, lit, left, now, y) {
    const { theme, right, unnamed } = this;
    const shown = unnamed.find(({ lane }) => lane === lit);
    if (!shown?.lane) return;
    const u = theme.unit;
    const look = { size: 13.5, weight: 700, color: shown.color };
    const room = widthOf(g, theme, shown.words, look);
    const x = now > (left + right) / 2 ? left + 16 * u : right - room;
    text(g, theme, shown.words, x, y, look);
    stamp(g, shown.lane.path, x - 10 * u, y - 5 * u, 11 * u, shown.color);
  }

  // Whose name is there.
  /** @param {number} x @param {number} y @returns {Lane | undefined} */
  at(x, y) {
    const { right, wide, columns, slot } = this;
    if (x <= right || !columns) return undefined;
    const column = Math.min(columns - 1, Math.floor((x - right) / wide));
    const near = this.placed.filter(
      end => end.column === column && Math.abs(end.y - y) <= (columns * slot) / 2,
    );
    return near.sort((a, b) => Math.abs(a.y - y) - Math.abs(b.y - y))[0]?.lane;
  }
}
