// Words that fit: labels on a canvas that keep out of each other's way, and captions that are never
// cut.

import { penOf, text } from "./draw.js";
import { make } from "./elements.js";
import { clamp, tickText } from "./scales.js";
import { write } from "./symbols.js";

const LEADING = 16.5; // from one line of a label to the next
const DIGITS = 1.03; // a canvas measures digits narrower than those of a table

/** @param {Theme} theme @param {Look} look */
const lookOf = (theme, { size = 13, weight = 400 }) =>
  `${weight} ${size * theme.unit}px ${theme.font}`;

/** @param {Pen} g @param {Theme} theme @param {string} words @param {Look} [look] */
export function widthOf(g, theme, words, look = {}) {
  g.font = lookOf(theme, look);
  return g.measureText(words).width;
}

// The longest of some wordings, given in that order, that takes no more room; none if even the last
// is too long.
/**
 * @param {Pen} g
 * @param {Theme} theme
 * @param {number} room
 * @param {string[]} wordings
 * @param {Look} [look]
 */
export const fitting = (g, theme, room, wordings, look) =>
  wordings.find(words => widthOf(g, theme, words, look) <= room) ?? "";

// Labels of one picture. Each names its places in order of preference, [x, y, align], and takes,
// of those that are free and inside the frame, the first that hides least of the curves. One that
// finds none is left out, or takes the first place if it must be there. Lines are written one below
// the other, with a halo of the background where curves pass behind them.
export class Labels {
  /** @type {Box[]} */ boxes = [];
  /** @type {number[][][]} */ curves = []; // paths of points that words had better not hide

  /** @param {Pen} g @param {Theme} theme @param {Frame} frame */
  constructor(g, theme, frame) {
    this.g = g;
    this.theme = theme;
    this.frame = frame;
    this.boxes = [];
  }

  /** @param {string[]} lines @param {Place} place @param {Look} look */
  box(lines, [x, y, align = "left"], look) {
    const { size = 13, base } = look;
    const u = this.theme.unit;
    const tall = size * u;
    const wide = Math.max(...lines.map(words => widthOf(this.g, this.theme, words, look)));
    const left = align === "left" ? x : align === "right" ? x - wide : x - wide / 2;
    const top = base === "middle" ? y - tall / 2 : y - 0.76 * tall;
    return { left, right: left + wide, top, bottom: top + tall + (lines.length - 1) * LEADING * u };
  }

  /** @param {Box} box */
  block(box) {
    this.boxes.push(box);
  }

  /** @param {Box} box */
  free(box) {
    const { left = 0, top = 0, right, bottom } = this.frame;
    const inside =
      box.left >= left - 0.5 &&
      box.right <= right + 0.5 &&
      box.top >= top - 0.5 &&
      box.bottom <= bottom + 0.5;
    return inside && !this.boxes.some(other => apart(box, other) === false);
  }

  // Where the words were written: their box, or null.
  /** @param {string | string[]} words @param {Look} look @param {...Place} places */
  put(words, look, ...places) {
    const lines = [words].flat();
    const free = places.filter(p => this.free(this.box(lines, p, look)));
    const place = this.clearest(lines, look, free);
    return place ? this.write(lines, look, place) : null;
  }

  // The place where words hide least of the curves, the first of several.
  /** @param {string[]} lines @param {Look} look @param {Place[]} places @returns {Place | undefined} */
  clearest(lines, look, places) {
    if (!this.curves.length || places.length < 2) return places[0];
    const hidden = places.map(place => {
      const { left, right, top, bottom } = this.box(lines, place, look);
      let count = 0;
      for (const path of this.curves)
        for (const [x, y] of along(path))
          count += +(x > left && x < right && y > top && y < bottom);
      return count;
    });
    return places[hidden.indexOf(Math.min(...hidden))];
  }

  // The same for words that must be there.
  /** @param {string | string[]} words @param {Look} look @param {...Place} places */
  must(words, look, ...places) {
    const lines = [words].flat();
    return (
      this.put(lines, look, ...places) ??
      this.write(lines, look, this.within(lines, places[0], look))
    );
  }

  /** @param {string[]} lines @param {Look} look @param {Place} place */
  write(lines, look, place) {
    const { g, theme } = this;
    const [x, y, align = "left"] = place;
    lines.forEach((line, k) =>
      text(g, theme, line, x, y + k * LEADING * theme.unit, { halo: theme.bg, ...look, align }),
    );
    const box = this.box(lines, place, look);
    this.block(box);
    return box;
  }

  /** @param {string[]} lines @param {Place} place @param {Look} look @returns {Place} */
  within(lines, [x, y, align], look) {
    // the place, moved into the frame
    const { left = 0, top = 0, right, bottom } = this.frame;
    const box = this.box(lines, [x, y, align], look);
    const aside = clamp(box.left, left, Math.max(left, right - (box.right - box.left))) - box.left;
    return [
      x + aside,
      y + clamp(box.top, top, Math.max(top, bottom - (box.bottom - box.top))) - box.top,
      align,
    ];
  }
}

// Places along a line, every few pixels.
/** @param {number[][]} path */
function* along(path) {
  for (let k = 1; k < path.length; k++) {
    const [[x, y], [right, end]] = [path[k - 1], path[k]];
    const pieces = Math.ceil(Math.hypot(right - x, end - y) / 6) || 1;
    for (let j = 0; j < pieces; j++)
      yield [x + (j / pieces) * (right - x), y + (j / pieces) * (end - y)];
  }
}

// Places to both sides of x, at some heights.
/** @param {number} x @param {number} by @param {number[]} heights @returns {Place[]} */
export const sides = (x, by, heights) =>
  heights.flatMap(
    y =>
      /** @type {Place[]} */ ([
        [x + by, y],
        [x - by, y, "right"],
      ]),
  );

const APART = 5; // px between labels side by side: else they read as one
/** @param {Box} a @param {Box} b */
const apart = (a, b) =>
  a.left >= b.right + APART || b.left >= a.right + APART || a.top >= b.bottom || b.top >= a.bottom;

// Heights of labels beside the ends of their curves: as close to their wishes (`y`) as they can be
// without touching. Neighbours that would are pooled about the mean of their wishes.
/**
 * @template {{ y: number }} T
 * @param {T[]} items
 * @param {number} gap
 * @param {number} low
 * @param {number} high
 */
export function spread(items, gap, low, high) {
  /** @param {T[]} pool */
  const settle = pool => {
    const half = ((pool.length - 1) / 2) * gap;
    const mean = pool.reduce((sum, item) => sum + item.y, 0) / pool.length;
    const first = clamp(mean - half, low, Math.max(low, high - 2 * half));
    return { items: pool, first, last: first + 2 * half };
  };
  /** @type {ReturnType<typeof settle>[]} */
  const pools = [];
  for (const item of [...items].sort((a, b) => a.y - b.y)) {
    pools.push(settle([item]));
    while (pools.length > 1 && pools.at(-2).last + gap > pools.at(-1).first + 1e-9)
      pools.push(settle(pools.splice(-2).flatMap(pool => pool.items)));
  }
  for (const { items: pool, first } of pools)
    pool.forEach((item, k) => {
      item.y = first + k * gap;
    });
  return items;
}

// Numbers under an axis, each below its tick: none beyond the ends, none touching the one before
// it.
/**
 * @param {Pen} g
 * @param {Theme} theme
 * @param {number[]} values
 * @param {Scale} x
 * @param {number} y
 * @param {number} from
 * @param {number} to
 * @param {(v: number) => string} [words]
 */
export function axisNumbers(g, theme, values, x, y, from, to, words = tickText) {
  let free = from;
  for (const v of values) {
    const said = words(v);
    const half = widthOf(g, theme, said) / 2;
    if (x(v) - half < free - 0.5 || x(v) + half > to + 0.5) continue;
    text(g, theme, said, x(v), y, { color: theme.muted, align: "center" });
    free = x(v) + half + 6 * theme.unit;
  }
}

// Words beside a title: the longest of some wordings that fits in one line. All of it is told to
// the pointer.
export class Caption {
  /** @type {number | null} */ room = null;
  /** @type {string[]} */ said = [];
  font = "";

  /** @type {Pen | undefined} */ static pen;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    new ResizeObserver(() => {
      this.room = null;
      this.said?.length && this.write();
    }).observe(element);
  }

  /** @param {...string} wordings */
  say(...wordings) {
    if (
      wordings.length === this.said?.length &&
      wordings.every((words, k) => words === this.said[k])
    )
      return;
    this.said = wordings;
    this.write();
  }

  write() {
    if (this.room == null) {
      // measured when the layout has changed, not for every word
      const { fontWeight, fontSize, fontFamily } = getComputedStyle(this.element);
      Object.assign(this, {
        room: this.element.clientWidth,
        font: `${fontWeight} ${fontSize} ${fontFamily}`,
      });
    }
    const pen = (Caption.pen ??= penOf(make("canvas")));
    pen.font = this.font;
    // what is not on screen is whole
    /** @param {string} words */
    const fits = words => !this.room || DIGITS * pen.measureText(words).width <= this.room;
    const words = this.said.find(fits) ?? "";
    write(this.element, words);
    if (this.element.title !== this.said[0]) this.element.title = this.said[0];
  }
}
