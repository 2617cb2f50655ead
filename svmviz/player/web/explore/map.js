// The heat map of two parameters: the first upwards, the second to the right. Lightness alone tells
// the numbers, shapes tell the rest.

import { clicked, find, make, touched } from "../canvas/elements.js";
import { line, stroke, text, tip } from "../canvas/draw.js";
import { widthOf } from "../canvas/labels.js";
import {
  brief,
  cellAt,
  depth,
  DIVERGED,
  aloft,
  level,
  outline,
  placeOf,
  REFUSED,
  shade,
} from "./cells.js";
import { THERE, UNSETTLED, UNTRIED } from "./cells.js";
import { CellChart } from "./section.js";
import { mark } from "./signs.js";

/** @type {[name: string, words: string][]} */
const LEGEND = [
  ["star", "lowest error"],
  ["region", "within 1 SE"],
  ["ring", "sparsest of these"],
  ["cut", ""],
  ["playground", "Playground"],
  ["fell", "diverged"],
  ["crossed", "refused"],
  ["dots", "to come"],
];
const KEY = LEGEND.map(
  ([name, words]) => `<span class="${name}"><i></i><b>${words}</b></span>`,
).join("");

export class HeatMap extends CellChart {
  wide = 0;
  tall = 0;

  /** @param {HTMLElement} section @param {Explore} stage */
  constructor(section, stage) {
    super(section, stage, "");
    const { canvas } = this.sheet;
    this.grid = make("div", { className: "grid", role: "grid", tabIndex: 0 });
    this.legend = make("div", { className: "mapkey", ariaHidden: "true", innerHTML: KEY });
    canvas.before(this.grid);
    section.append(this.legend);
    clicked(canvas, () => {});
    this.choose((x, y) => this.at(x, y));
    canvas.addEventListener("dblclick", () => stage.open());
    touched(canvas, () => stage.tapped());
  }

  /** @param {Cells} cells */
  accept(cells) {
    const { data } = cells;
    super.accept(cells);
    this.title.textContent =
      data.measure.key === "error"
        ? `${data.validated} ${data.measure.title.replace("test ", "")}`
        : data.measure.title.replace(/^./, c => c.toUpperCase());
    this.caption.say(data.how);
    this.fillGrid();
  }

  // The rows and cells of the map in words; what has not changed is not written again.
  fillGrid() {
    const { cells, grid } = this;
    const [rows, columns] = this.counts();
    const key = [cells.data.id, rows, columns].join();
    if (grid.dataset.key !== key) {
      grid.dataset.key = key;
      grid.setAttribute("aria-rowcount", String(rows));
      grid.setAttribute("aria-colcount", String(columns));
      grid.replaceChildren(
        ...Array.from({ length: rows }, (_, r) => {
          const row = make("div");
          row.setAttribute("role", "row");
          row.setAttribute("aria-rowindex", String(r + 1));
          row.append(
            ...Array.from({ length: columns }, (_, c) => {
              const cell = make("span", { id: `cell-${cellAt([r, c], [rows, columns])}` });
              cell.setAttribute("role", "gridcell");
              cell.setAttribute("aria-colindex", String(c + 1));
              return cell;
            }),
          );
          return row;
        }),
      );
    }
    grid.setAttribute(
      "aria-label",
      `${this.title.textContent} by ${cells.data.axes.map(a => a.title).join(" and ")}`,
    );
    [...grid.querySelectorAll("[role=gridcell]")].forEach((span, cell) => {
      const words = cells.told(cell);
      if (span.getAttribute("aria-label") !== words) span.setAttribute("aria-label", words);
    });
  }

  counts() {
    return /** @type {[number, number]} */ (this.cells?.shape ?? [1, 1]);
  }

  // The cell at a place of the canvas, or null.
  /** @param {number} x @param {number} y */
  at(x, y) {
    const [rows, columns] = this.counts();
    const c = Math.floor((x - this.left) / this.wide);
    const r = rows - 1 - Math.floor((y - this.top) / this.tall);
    return c >= 0 && r >= 0 && c < columns && r < rows ? cellAt([r, c], [rows, columns]) : null;
  }

  /** @param {number} cell @returns {[x: number, y: number]} */
  corner(cell) {
    const [rows] = this.counts();
    const [r, c] = placeOf(cell, this.cells.shape);
    return [this.left + c * this.wide, this.top + (rows - 1 - r) * this.tall];
  }

  /** @param {Theme} theme @param {number | null} cursor */
  paint(theme, cursor) {
    if (!this.shown) return;
    this.begin(theme);
    const { g, cells, sheet, u } = this;
    const [rows, columns] = this.counts();
    const [up, across] = cells.data.axes;
    const names = up.labels.map(words => widthOf(g, theme, words));
    this.left = Math.max(36 * u, ...names) + 14 * u;
    this.top = 2;
    this.wide = (sheet.w - this.left - 2) / columns;
    this.tall = (sheet.h - this.top - 46 * u) / rows;
    const numbers = this.wide > 27 * u && this.tall > 15 * u && !this.stage.narrow;
    const [low, high] = limits(cells);
    for (let row = 0; row < cells.size; row++) this.cell(row, low, high, numbers);
    this.regions();
    this.signs(numbers);
    this.axes(up, across, cursor);
    if (cursor !== null) {
      const [x, y] = this.corner(cursor);
      g.beginPath();
      g.roundRect(x - 1.5, y - 1.5, this.wide + 3, this.tall + 3, 4);
      stroke(g, theme.bg, 5);
      stroke(g, theme.ui, 2.5);
      this.grid.setAttribute("aria-activedescendant", `cell-${cursor}`);
    }
  }

  /** @param {number} row @param {number} low @param {number} high @param {boolean} numbers */
  cell(row, low, high, numbers) {
    const { g, theme, data } = this;
    const [x, y] = this.corner(row);
    const [w, h] = [this.wide, this.tall];
    const state = data.state_of[row];
    if (state === UNTRIED) return;
    if (state !== THERE) {
      g.fillStyle = theme.side;
      g.fillRect(x + 0.5, y + 0.5, w - 1, h - 1);
      return pattern(g, theme, state, x + 0.5, y + 0.5, w - 1, h - 1);
    }
    const v = data.value[row];
    const [fill, ink] = this.colours(row, low, high);
    g.fillStyle = fill;
    g.fillRect(x + 0.5, y + 0.5, w - 1, h - 1);
    const signed = row === data.best || row === data.sparsest;
    const at = signed ? this.spots(row).number : [x + w / 2, y + h / 2];
    if (numbers && at)
      text(g, theme, brief(v, data.measure), at[0], at[1] + 1, {
        size: this.size,
        weight: signed ? 700 : 400,
        color: ink,
        align: "center",
        base: "middle",
      });
  }

  // Of the numbers in cells.
  get size() {
    return this.wide < 36 * this.theme.unit ? 11.5 : 13;
  }

  // Where a cell that has a sign has it, and where its number: side by side, else one above the
  // other, else the sign alone.
  /** @param {number} cell @returns {{ sign: Point, number: Point | null }} */
  spots(cell) {
    const { g, theme, data, u } = this;
    const [x, y] = this.corner(cell).map((v, k) => v + (k ? this.tall : this.wide) / 2);
    const look = { weight: 700, size: this.size };
    const half = widthOf(g, theme, brief(data.value[cell], data.measure), look) / 2;
    if (2 * half + 20 * u <= this.wide)
      return { sign: [x - half - 2 * u, y], number: [x + 8 * u, y] };
    if (this.tall >= 31 * u) return { sign: [x, y - 8 * u], number: [x, y + 7 * u] };
    return { sign: [x, y], number: null };
  }

  regions() {
    const { g, theme, data } = this;
    const [rows, columns] = this.counts();
    const errors = [...data.error].filter(
      (v, k) => data.state_of[k] === THERE && Number.isFinite(v),
    );
    const shares = data.measure.key === "error" && data.measure.percent;
    const cut = shares && data.limit !== null ? level(errors, data.limit) : null;
    if (cut !== null) find(this.legend, ".cut b").textContent = `${+(100 * cut).toFixed(1)} %`;
    const { complete, cells, diverged, unsettled, refused } = data.counts;
    find(this.legend, ".fell b").textContent = aloft(diverged, unsettled);
    /** @type {[string, boolean][]} */
    const shown = [
      [".cut", cut !== null],
      [".playground", data.cross !== null],
      [".fell", diverged + unsettled > 0],
      [".crossed", refused > 0],
      [".dots", complete < cells],
    ];
    for (const [name, on] of shown) find(this.legend, name).hidden = !on;
    /**
     * @param {(row: number, column: number) => boolean} inside
     * @param {string} color
     * @param {number} width
     * @param {number[]} [dash]
     */
    const draw = (inside, color, width, dash) => {
      for (const [c0, r0, c1, r1] of outline(rows, columns, inside))
        line(
          g,
          [
            [this.left + c0 * this.wide, this.top + (rows - r0) * this.tall],
            [this.left + c1 * this.wide, this.top + (rows - r1) * this.tall],
          ],
          color,
          width,
          dash,
        );
    };
    /** @param {number} r @param {number} c */
    const at = (r, c) => r * columns + c;
    if (cut !== null)
      draw(
        (r, c) => data.state_of[at(r, c)] === THERE && data.error[at(r, c)] <= cut,
        theme.ink2,
        1,
        [4, 3],
      );
    g.lineCap = "square";
    draw((r, c) => data.within[at(r, c)] === 1, theme.bg, 5);
    draw((r, c) => data.within[at(r, c)] === 1, theme.ink, 2.25);
    g.lineCap = "butt";
  }

  /** @param {boolean} numbers */
  signs(numbers) {
    const { g, theme, data, u } = this;
    const [rows] = this.counts();
    const [low, high] = limits(this.cells);
    for (const [name, cell] of /** @type {["star" | "ring", number | null][]} */ ([
      ["ring", data.sparsest === data.best ? null : data.sparsest],
      ["star", data.best],
    ])) {
      if (cell === null) continue;
      const [x, y] = this.corner(cell).map((v, k) => v + (k ? this.tall : this.wide) / 2);
      const at = numbers ? this.spots(cell).sign : [x, y];
      mark(g, name, at[0], at[1], 6 * u, this.colours(cell, low, high)[1]);
    }
    if (data.cross) {
      const [r, c] = data.cross;
      const x = this.left + (c + 0.5) * this.wide;
      const y = this.top + (rows - r - 0.5) * this.tall;
      mark(g, "cross", x, y, 8 * u, theme.ink, theme.bg);
    }
  }

  // Of a cell and of the words on it.
  /** @param {number} row @param {number} low @param {number} high */
  colours(row, low, high) {
    const { data } = this.cells;
    const limit = data.measure.key === "error" ? data.limit : null;
    return shade(this.theme.dark, depth(data.value[row], low, high, limit, data.within[row] === 1));
  }

  /** @param {SweptAxis} up @param {SweptAxis} across @param {number | null} cursor */
  axes(up, across, cursor) {
    const { g, theme, sheet, u } = this;
    const [rows, columns] = this.counts();
    const [r0, c0] = cursor === null ? [-1, -1] : placeOf(cursor, this.cells.shape);
    const bottom = this.top + rows * this.tall;
    const every = Math.ceil((16 * u) / this.tall);
    for (let r = 0; r < rows; r++) {
      if (r !== r0 && (r % every || Math.abs(r - r0) < every)) continue;
      const y = this.top + (rows - r - 0.5) * this.tall;
      const look = { color: r === r0 ? theme.ink : theme.muted, weight: r === r0 ? 700 : 400 };
      text(g, theme, up.labels[r], this.left - 11 * u, y + 1, {
        ...look,
        align: "right",
        base: "middle",
      });
      if (r === r0) side(g, this.left - 3, y, 5, theme.ui);
    }
    const wanted = [...(c0 >= 0 ? [c0] : []), ...Array(columns).keys()];
    /** @type {[number, number][]} */
    const taken = [];
    for (const c of wanted) {
      const look = { weight: c === c0 ? 700 : 400 };
      const half = widthOf(g, theme, across.labels[c], look) / 2 + 5 * u;
      const x = this.left + (c + 0.5) * this.wide;
      if (taken.some(([a, b]) => x + half > a && x - half < b) || x + half > sheet.w + 8 * u)
        continue;
      taken.push([x - half, x + half]);
      text(g, theme, across.labels[c], x, bottom + 21 * u, {
        ...look,
        color: c === c0 ? theme.ink : theme.muted,
        align: "center",
      });
      if (c === c0) tip(g, x, bottom + 3, 5, 6, theme.ui);
    }
    const scale = /** @param {SweptAxis} axis */ ({ title, symbol, log }) =>
      `${title.includes(symbol) ? title : `${title} ${symbol}`}${log ? " (log)" : ""}`;
    text(g, theme, `${scale(up)} upwards`, 0, sheet.h - 5 * u, { color: theme.muted });
    text(g, theme, scale(across), sheet.w - 2, sheet.h - 5 * u, {
      color: theme.muted,
      align: "right",
    });
  }
}

// A small triangle that points to the right.
/** @param {Pen} g @param {number} x @param {number} y @param {number} half @param {string} color */
function side(g, x, y, half, color) {
  g.beginPath();
  g.moveTo(x, y);
  g.lineTo(x - 6, y - half);
  g.lineTo(x - 6, y + half);
  g.fillStyle = color;
  g.fill();
}

/** @param {Cells} cells */
function limits({ data }) {
  const there = [...data.value].filter((v, k) => data.state_of[k] === THERE && Number.isFinite(v));
  return [Math.min(...there), Math.max(...there)];
}

// Hatched: diverged, or not settled. Crossed: refused. Dotted: to come.
/**
 * @param {Pen} g
 * @param {Theme} theme
 * @param {number} state
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 */
export function pattern(g, theme, state, x, y, w, h) {
  g.save();
  g.beginPath();
  g.rect(x, y, w, h);
  g.clip();
  g.beginPath();
  if (state === DIVERGED || state === UNSETTLED) {
    for (let d = -h; d < w; d += 7) {
      g.moveTo(x + d, y + h);
      g.lineTo(x + d + h, y);
    }
    stroke(g, theme.ghost, 1.25);
  } else if (state === REFUSED) {
    g.moveTo(x, y);
    g.lineTo(x + w, y + h);
    g.moveTo(x + w, y);
    g.lineTo(x, y + h);
    stroke(g, theme.ghost, 1.25);
  } else {
    g.fillStyle = theme.hair;
    for (let a = 4; a < w; a += 7)
      for (let b = 4; b < h; b += 7) g.fillRect(x + a, y + b, 1.5, 1.5);
  }
  g.restore();
}
