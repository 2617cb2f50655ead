// The mechanism of SIMBA, the twin: w above the table of the data and p beside it. A step reads one
// row and one column; cells stay tinted once they are known. Beside SBP: all slack on the largest
// p, and water on the lowest responses, are the same idea.

import { Cells } from "./cells.js";
import { error, optimum } from "../../stage/code.js";
import { arrow, circle, column, line, rule, Sheet, stroke, text } from "../../canvas/draw.js";
import { clicked, find } from "../../canvas/elements.js";
import { clamp, scale } from "../../canvas/scales.js";
import { Caption } from "../../canvas/labels.js";
import { all } from "../../stage/light.js";
import { CAP, dualsOf } from "../../engine/own/duals.js";
import { rivals } from "../rivals.js";
import { level, sorted } from "../../engine/own/water.js";
import { counted, decimals } from "../../engine/words.js";
import { centred, open } from "../parts/axis.js";

export const CHANGE = ["move"];
export const WIDE = 695 / 415;
/** @type {Panel["symbols"]} */
export const symbols = () => ({
  value: "γ(w)",
  star: "γ*",
  gap: "γ* − γ(w)",
  none: () => "slack or bias meets its bound: no exact optimum at this size",
});
/** @type {Panel["metrics"]} */
export const metrics = () => ({ rivals: "Error, beside Pegasos" });
/** @type {Panel["series"]} */
export const series = { rivals };
/** @type {Panel["usual"]} */
export const usual = run => (run.compared && run.d > MANY ? "rivals" : "suboptimality");
/** @type {Panel["formula"]} */
export const formula = ({ now }) =>
  now.gamma > 0 ? ["f = ⟨w, x⟩/γ"] : ["f = ⟨w, x⟩, as γ ≤ 0", "f = ⟨w, x⟩"];
const MANY = 20; // features: a table of fewer is soon read
const ROW = ["draw", "move"];
const COLUMN = ["column", "estimate", "reweigh"];
/** @param {number} share */
const percent = share =>
  `${share < 0.0995 ? (share > 0 && share < 0.001 ? +(100 * share).toPrecision(1) : (100 * share).toFixed(1)) : Math.round(100 * share)} %`;

/** @typedef {View & { resting: boolean }} TableView */

/** @implements {Machinery} */
export class Mechanism {
  /** @type {Duals} */ duals;
  /** @type {{ left: number, end: number, top: number, height: number } | null} */ box = null;

  /** @param {HTMLElement} section @param {Stage} stage */
  constructor(section, stage) {
    section.innerHTML = `<h3><b></b> <span class="caption"></span><button type="button" class="draw order" aria-pressed="false" title="All slack on the largest p, beside SBP's water on the lowest responses">Beside SBP</button></h3><div class="view table"></div>`;
    /** @param {string} name */
    const $ = name => find(section, name);
    this.stage = stage;
    this.title = $("b");
    this.caption = new Caption($(".caption"));
    this.button = $(".order");
    this.beside = false;
    this.cells = new Cells();
    this.sheet = new Sheet(
      $(".table"),
      "The table of the data: what has been read, the weights of columns and rows",
    );
    this.sheets = [this.sheet];
    clicked(this.button, () => {
      this.beside = !this.beside;
      this.button.setAttribute("aria-pressed", String(this.beside));
      stage.repaint();
    });
    this.sheet.canvas.addEventListener("pointermove", event =>
      stage.link(this.rowAt(event.offsetX, event.offsetY)),
    );
    this.sheet.canvas.addEventListener("pointerleave", () => stage.link(-1));
  }

  /** @param {Run} run */
  prepare(run) {
    this.duals = dualsOf(run);
    this.cells.mask = this.box = null;
  }

  /** @param {number} milliseconds */
  ahead(milliseconds) {
    return this.duals.prepare(milliseconds);
  }

  /** @param {number} x @param {number} y */
  rowAt(x, y) {
    const { box, cells } = this;
    if (
      !box ||
      this.beside ||
      x < box.left ||
      x > box.end ||
      y < box.top ||
      y > box.top + box.height
    )
      return -1;
    return cells.order[Math.floor(((y - box.top) / box.height) * cells.order.length)] ?? -1;
  }

  /** @param {string} name @returns {[Sheet, Spot][]} */
  where(name) {
    const { box, cells, sheet } = this;
    if (!box || this.beside) return name === "water" ? [all(sheet)] : [];
    const { left, end, top, height } = box;
    if (name === "table")
      return [[sheet, g => g.fillRect(left - 2, top - 2, end - left + 4, height + 4)]];
    if (name === "water") return [[sheet, g => g.fillRect(end, 0, sheet.w - end, sheet.h)]];
    if (!["row", "column"].includes(name)) return [];
    return [
      [
        sheet,
        (g, { run, t, told }) => {
          const i = told ? run.drawn[run.first[t]] : -1;
          const j = told && run.column ? run.column[t] - 1 : -1;
          const high = height / cells.order.length;
          const wide = (end - left) / run.d;
          if (name === "row") {
            if (i >= 0)
              g.rect(left - 4, top + cells.place[i] * high - 5, end - left + 8, high + 10);
            g.rect(end + 4, top - 26, sheet.w - end, height + 30); // the chances of all
          } else {
            if (j >= 0) g.rect(left + j * wide - 5, top - 4, wide + 10, height + 8);
            g.rect(0, 0, end, top - 4);
          }
          g.fill();
        },
      ],
    ];
  }

  /** @param {View} shown @param {boolean} loud */
  paint(shown, loud) {
    const view = { ...shown, ...shown.last, resting: ["average", "rest"].includes(shown.beat) };
    if (!this.sheet.visible) return;
    const { run, mask } = view;
    const { cells } = this;
    if (!cells.mask || (cells.mask !== mask && cells.mask.some((there, i) => there !== mask[i])))
      cells.prepare(run, this.duals, mask);
    if (loud) {
      this.title.textContent = this.beside ? "Slack" : "Data matrix";
      const n = cells.order.length;
      const size = `${n} rows × ${run.d} columns`;
      const shown = "a cell shows its value once it has been read";
      this.caption.say(
        ...(this.beside
          ? [
              "SIMBA pours it on the largest p, SBP on the lowest responses",
              "on the largest p, on the lowest responses",
              "",
            ]
          : [
              `${size}; ${cells.bundled ? "in bundles, " : ""}${shown}`,
              `${size}; ${shown}`,
              size,
              `${n} × ${run.d}`,
            ]),
      );
    }
    const { p, xi } = this.shares(view);
    if (this.beside) this.paintSlack(view, p, xi);
    else this.paintTable(view, p, xi);
  }

  /** @param {View} view */
  facts({ run, t, mask }) {
    return [
      `${mask.reduce((sum, there) => sum + there, 0)} rows and ${run.d} columns, ${counted(run.axes.features_read(t))} values read`,
    ];
  }

  // p and ξ of the step that is being taken; at rest those of the next.
  /** @param {TableView} view */
  shares(view) {
    const { run, t, s, mask, segment, resting } = view;
    if (!segment.params.exact_p) return this.duals.shares(resting ? t : Math.max(t - 1, 0), s);
    const { c, order } = ground(run, resting ? view.after : view.before, mask);
    const { gamma, k } = level(c, order, segment.params.nu * order.length);
    const p = new Float64Array(run.n);
    const xi = new Float64Array(run.n);
    order.forEach((i, rank) => {
      p[i] = rank < k ? 1 / k : 0;
      xi[i] = Math.max(0, gamma - c[i]) / this.duals.R;
    });
    return { p, xi };
  }

  /** @param {TableView} view @param {Float64Array} p @param {Float64Array} xi */
  paintTable(view, p, xi) {
    const { run, theme, t, told, now, beat, resting } = view;
    const { g, w, h, u } = open(this.sheet, theme);
    const { cells } = this;
    const roomy = w > 520 * u;
    const low = !roomy && h < 240 * u; // the table has all of it
    const flat = run.d === 2;
    const side = roomy ? 132 * u : 0;
    const bars = (roomy ? 100 : 84) * u;
    const left = (flat ? Math.min(0.42 * w, h) : 44 * u) + (flat ? 52 * u : 0);
    const end = w - side - bars - (roomy ? 12 : 4) * u;
    const top = 66 * u;
    const bottom = h - (roomy ? 26 : low ? 6 : 92) * u;
    const height = bottom - top;
    const width = end - left;
    this.box = { left, end, top, height };
    g.imageSmoothingEnabled = cells.columns > width || cells.rows > height;
    g.drawImage(
      cells.show(resting || COLUMN.includes(beat) || t === 0 ? t : Math.max(t - 1, 0), theme),
      left,
      top,
      width,
      height,
    );
    g.strokeStyle = theme.hair;
    g.lineWidth = 1;
    g.strokeRect(left - 0.5, top - 0.5, width + 1, height + 1);
    this.classes(g, theme, left, top, height);
    if (flat) this.ball(g, view, Math.min(0.42 * w, h), top);
    const i = told ? run.drawn[run.first[t]] : -1;
    const j = told && run.column ? run.column[t] - 1 : -1;
    const column = resting || COLUMN.includes(beat);
    const row = resting || column || ROW.includes(beat) || beat === "pour";
    this.columns(g, view, now.w, left, width, top, column ? j : -1);
    this.rows(g, view, p, xi, end + 8 * u, bars, top, height, row ? i : -1);
    if (i >= 0 && row)
      this.frame(
        g,
        theme,
        left,
        top + (cells.place[i] / cells.order.length) * height,
        width,
        height / cells.order.length,
        true,
      );
    if (j >= 0 && column)
      this.frame(g, theme, left + (j / run.d) * width, top, width / run.d, height, false);
    if (low) return;
    text(g, theme, "feature j", left, bottom + 18 * u, { color: theme.muted });
    const exact = view.segment.params.exact_p || view.segment.params.exact_margins;
    if (width > 330 * u)
      text(
        g,
        theme,
        exact
          ? `each step reads the whole table (${counted(view.segment.entries)})`
          : `each step reads one row and one column`,
        end,
        bottom + 18 * u,
        { align: "right", color: theme.muted },
      );
    this.counters(
      g,
      view,
      roomy ? w - side : flat ? 0 : left,
      roomy ? top + 12 * u : bottom + 34 * u,
      roomy ? side : flat ? w : width,
      roomy,
    );
  }

  /**
   * @param {Pen} g
   * @param {Theme} theme
   * @param {number} left
   * @param {number} top
   * @param {number} height
   */
  classes(g, theme, left, top, height) {
    const { positives, order } = this.cells;
    const u = theme.unit;
    const cut = top + (height * positives) / order.length;
    for (const { a, b, color, words } of [
      { a: top, b: cut, color: theme.plus, words: "+1" },
      { a: cut, b: top + height, color: theme.minus, words: "−1" },
    ]) {
      if (b - a < 4) continue;
      line(
        g,
        [
          [left - 5 * u, a + 1],
          [left - 10 * u, a + 1],
          [left - 10 * u, b - 2],
          [left - 5 * u, b - 2],
        ],
        color,
        1.6,
      );
      text(g, theme, words, left - 16 * u, (a + b) / 2, {
        weight: 650,
        color,
        align: "right",
        base: "middle",
      });
    }
  }

  /**
   * @param {Pen} g
   * @param {Theme} theme
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   * @param {boolean} flat
   */
  frame(g, theme, x, y, width, height, flat) {
    // never thinner than can be seen
    const more = Math.max(0, 4 - (flat ? height : width)) / 2 + 1.5;
    g.beginPath();
    g.roundRect(
      x - (flat ? 3 : more),
      y - (flat ? more : 3),
      width + (flat ? 6 : 2 * more),
      height + (flat ? 2 * more : 6),
      3,
    );
    stroke(g, theme.now, 2.2);
  }

  // w(j)²: the chance of each column.
  /**
   * @param {Pen} g
   * @param {View} view
   * @param {Float64Array} w
   * @param {number} left
   * @param {number} width
   * @param {number} top
   * @param {number} drawn
   */
  columns(g, { run, theme }, w, left, width, top, drawn) {
    const u = theme.unit;
    const total = w.reduce((sum, v) => sum + v * v, 0) || 1;
    /** @param {number} j */
    const chance = j => w[j] ** 2 / total;
    const step = width / run.d;
    let most = 0.05;
    for (let j = 0; j < run.d; j++) most = Math.max(most, chance(j));
    /** @param {number} v */
    const y = v => top - 6 * u - (v / most) * (top - 30 * u);
    g.fillStyle = theme.floor;
    const bars = Math.min(run.d, Math.ceil(width));
    const bar = width / bars; // one a pixel at most, as high as the highest there
    for (let k = 0, j = 0; k < bars; k++) {
      let high = 0;
      for (; j < ((k + 1) / bars) * run.d; j++) if (j !== drawn) high = Math.max(high, chance(j));
      g.fillRect(
        left + k * bar + Math.min(1, bar * 0.12),
        y(high),
        Math.max(bar * 0.76, 0.8),
        Math.max(top - 6 * u - y(high), 0.8),
      );
    }
    text(g, theme, "w(j)²", left - 8, top - 10 * u, { align: "right", weight: 600 });
    if (drawn < 0) return;
    const x = left + (drawn + 0.5) * step;
    const wide = Math.max(step * 0.76, 3);
    const high = y(chance(drawn));
    column(g, x - wide / 2, high, wide, Math.max(top - 6 * u - high, 2), theme.now);
    const right = x > left + width * 0.6;
    text(
      g,
      theme,
      `j = ${drawn + 1}: ${percent(chance(drawn))} chance`,
      x + (right ? -8 : 8),
      16 * u,
      {
        size: 13.5,
        weight: 700,
        color: theme.now,
        align: right ? "right" : "left",
        halo: theme.bg,
      },
    );
  }

  // p(i): the chance of each row, and in the colour of water who is full of slack.
  /**
   * @param {Pen} g
   * @param {View} view
   * @param {Float64Array} p
   * @param {Float64Array} xi
   * @param {number} left
   * @param {number} width
   * @param {number} top
   * @param {number} height
   * @param {number} drawn
   */
  rows(g, { run, theme, mask, linked }, p, xi, left, width, top, height, drawn) {
    const u = theme.unit;
    const { order } = this.cells;
    const step = height / order.length;
    const room = width - 46 * u;
    let most = 0;
    for (let i = 0; i < run.n; i++) most = Math.max(most, p[i]);
    text(g, theme, "p(i)", left, top - 10 * u, { weight: 600 });
    order.forEach((i, k) => {
      if (!mask[i]) return;
      g.fillStyle =
        i === drawn ? theme.now : i === linked ? theme.ui : xi[i] > 0 ? theme.surface : theme.floor;
      const tall =
        i === drawn || i === linked ? Math.max(step * 0.8, 3) : Math.max(step * 0.8, 0.8);
      g.fillRect(left, top + (k + 0.5) * step - tall / 2, Math.max((p[i] / most) * room, 1), tall);
    });
    text(g, theme, "with ξ", left + 34 * u, top - 10 * u, { color: theme.surface, weight: 600 });
    if (drawn < 0) return;
    const y = clamp(top + (this.cells.place[drawn] + 0.5) * step, top + 8, top + height - 8);
    text(g, theme, `i = ${drawn + 1}`, left + Math.max((p[drawn] / most) * room, 1) + 5, y, {
      size: 13.5,
      weight: 700,
      color: theme.now,
      base: "middle",
      halo: theme.bg,
    });
  }

  /**
   * @param {Pen} g
   * @param {View} view
   * @param {number} left
   * @param {number} top
   * @param {number} width
   * @param {boolean} tall
   */
  counters(g, { run, theme, t, s, segment, of }, left, top, width, tall) {
    const u = theme.unit;
    const at = t;
    const reads = run.axes.features_read(at);
    const known =
      (s === run.segment_of[t] ? this.duals.cells[t] : (segment.entry.cells ?? 0)) /
      segment.entries;
    const rival = (of("known_pegasos", t) ?? 0) / 1e4;
    /**
     * @param {number} x
     * @param {number} y
     * @param {number} share
     * @param {string} name
     * @param {string[]} more
     * @param {string} color
     * @param {number} wide
     */
    const block = (x, y, share, name, more, color, wide) => {
      text(g, theme, percent(share), x, y + 26 * u, { size: tall ? 32 : 24, weight: 700, color });
      if (!tall) return text(g, theme, name, x, y + 46 * u, { weight: 650, color: theme.ink });
      text(g, theme, name, x, y + 48 * u, { weight: 650, color: theme.ink });
      more.forEach((words, k) =>
        text(g, theme, words, x, y + (67 + 18 * k) * u, { color: theme.ink2 }),
      );
      column(g, x, y + 98 * u, wide, 6 * u, theme.hair);
      column(g, x, y + 98 * u, wide * Math.min(1, share), 6 * u, color);
    };
    block(
      left,
      top,
      known,
      tall ? "of the matrix read" : "matrix read",
      [`after ${counted(at)} step${at === 1 ? "" : "s"}`, `${counted(reads)} reads`],
      theme.ink,
      width,
    );
    block(
      tall ? left : left + width / 2,
      tall ? top + 138 * u : top,
      rival,
      tall ? "Pegasos" : "Pegasos, by rows",
      ["whole rows,", "as many reads"],
      theme.ghost,
      width,
    );
  }

  // In two dimensions: w in its ball, and the way it came.
  /** @param {Pen} g @param {TableView} view @param {number} size @param {number} top */
  ball(g, view, size, top) {
    const { theme, t, now } = view;
    const u = theme.unit;
    const r = Math.min(size / 2 - 22 * u, (this.sheet.h - top - 24 * u) / 2);
    const cx = size / 2 - 8 * u;
    const cy = top + r;
    /** @param {number} a @param {number} b @returns {Point} */
    const at = (a, b) => [cx + a * r, cy - b * r];
    const trail = [];
    circle(g, cx, cy, r, theme.ghost, 1.4);
    this.duals.at(t); // the way there is known from here on
    for (let s = Math.max(0, t - 120); s <= t; s++)
      trail.push(at(this.duals.path[2 * s], this.duals.path[2 * s + 1]));
    if (trail.length > 1) line(g, trail, theme.floor, 1.2);
    const best = view.segment.optimum?.w;
    if (best) {
      const [x, y] = at(best[0], best[1]);
      rule(g, x - 5, y - 5, x + 5, y + 5, theme.optimum, 2);
      rule(g, x - 5, y + 5, x + 5, y - 5, theme.optimum, 2);
    }
    arrow(g, cx, cy, ...at(now.w[0], now.w[1]), theme.ink, 2.4, 10);
    centred(g, theme, "w in its ball", cx, cy + r + 18 * u);
  }

  // Left SIMBA's slack on the largest p, right SBP's water on the lowest responses of the same w.
  /** @param {TableView} view @param {Float64Array} p @param {Float64Array} xi */
  paintSlack(view, p, xi) {
    const { run, theme, now, mask, segment } = view;
    const { g, w, h, u } = open(this.sheet, theme);
    const R = this.duals.R;
    const { c, order } = ground(run, now, mask);
    const { gamma } = level(c, order, segment.params.nu * order.length);
    const ranked = Array.from(order).sort((a, b) => p[b] - p[a] || a - b);
    const half = w / 2 - 18 * u;
    const top = 34 * u;
    const bottom = h - 30 * u;
    const mid = top + (bottom - top) * 0.46;
    const most = p[ranked[0]] || 1;
    const step = half / order.length;
    text(g, theme, "SIMBA: ξ up to 2R on the largest p", 0, 16 * u, {
      weight: 650,
      color: theme.ink,
    });
    const wide = Math.max(step * 0.84, 0.8);
    ranked.forEach((i, k) => {
      const up = (xi[i] / 2) * (mid - top);
      column(g, k * step, mid + 4, wide, (p[i] / most) * (bottom - mid - 6), theme.floor);
      if (up > 0) column(g, k * step, mid - up, wide, up, theme.surface);
    });
    text(g, theme, "ξ(i)", half, top + 12 * u, {
      align: "right",
      color: theme.surface,
      weight: 650,
    });
    text(g, theme, "p(i), largest first", half, bottom - 6 * u, {
      align: "right",
      color: theme.muted,
    });
    const from = w / 2 + 18 * u;
    const low = Math.min(c[order[0]], 0);
    const high = Math.max(c[order[order.length - 1]], gamma);
    const y = scale(low - 0.05 * (high - low), high, bottom, top);
    text(g, theme, `SBP: water on the lowest responses, γ = ${decimals(gamma, 3)}`, from, 16 * u, {
      weight: 650,
      color: theme.ink,
    });
    order.forEach((i, k) => {
      column(g, from + k * step, y(c[i]), wide, bottom - y(c[i]), theme.floor);
      if (c[i] < gamma)
        column(g, from + k * step, y(gamma), wide, y(c[i]) - y(gamma), theme.surface);
    });
    rule(g, from, y(gamma), w, y(gamma), theme.surface, 2);
    text(g, theme, "responses c(i), lowest first", w, bottom + 18 * u, {
      align: "right",
      color: theme.muted,
    });
    text(
      g,
      theme,
      `both hold νn = ${(segment.params.nu * order.length).toPrecision(3)}; R = ${R.toPrecision(3)} is the longest row`,
      0,
      bottom + 18 * u,
      { color: theme.muted },
    );
  }
}

// Responses y f of those that take part, and their order.
/** @param {Run} run @param {State} state @param {Uint8Array} mask */
function ground(run, state, mask) {
  const c = new Float64Array(run.n);
  const members = [];
  for (let i = 0; i < run.n; i++) {
    c[i] = run.y[i] * state.f[i];
    if (mask[i]) members.push(i);
  }
  return { c, order: sorted(c, members) };
}

// The level of a state, with its b and no more slack than 2 R on a point; the field becomes f / γ,
// so that its lines +1 and -1 are the margin after slack.
/** @type {Panel["finish"]} */
export function finish(state, run, segment, mask) {
  const { c, order } = ground(run, state, mask);
  state.gamma = Math.min(
    level(c, order, segment.params.nu * order.length).gamma,
    c[order[0]] + CAP * dualsOf(run).R,
  );
  const unit = state.gamma > 0 ? 1 / state.gamma : 1;
  for (let j = 0; j < state.field.length; j++) state.field[j] *= unit;
}

/** @type {Panel["numbers"]} */
export const numbers = view => {
  const { run, t, segment, of } = view;
  const best = optimum(run, segment);
  const level = of(segment.params.iterate === "average" ? "objective_average" : "objective", t);
  return [
    ["level γ(w)", decimals(level, 3)],
    ...(best === "–" ? [] : [["optimum γ*", best]]),
    error(view),
    ["features read", counted(run.axes.features_read(t))],
  ];
};

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  const n = run.count(t);
  if (t === 0) return { t, n };
  const duals = dualsOf(run);
  const e = run.first[t];
  const i = run.drawn[e];
  const j = run.column?.[t] ?? 0;
  const { params, entries } = run.segment(t);
  const exact = params.exact_p;
  const T = params.schedule === "constant" ? params.horizon : t;
  const eta = Math.sqrt(Math.log(n) / T);
  const wet = run.wet?.[t] ?? 0;
  const p = exact ? (params.bias ? 0.5 : 1) / wet : duals.shares(t - 1, run.segment_of[t]).p[i];
  let row = run.d;
  if (run.entries < run.n * run.d) {
    row = 0;
    run.matrix.each(i, (_, x) => {
      row += +(x !== 0);
    });
  }
  const { u, unit, clipped } = duals.at(t);
  const norm2 = u.reduce((sum, v) => sum + v * v, 0);
  const share = j ? u[j - 1] ** 2 / norm2 : 0;
  const b = run.b_step?.[t] ?? 0;
  const reads = run.axes.features_read(t);
  return {
    t,
    n,
    i: i + 1,
    label: run.y[i] > 0 ? "+1" : "−1",
    p,
    even: n * p,
    j,
    share,
    column_drawn: j ? `j = ${j}, ${+share.toPrecision(2)}` : "none, as w = 0",
    judge: j ? `Column ${j}` : "No column",
    planned: T,
    root: Math.sqrt(2 * T),
    length: Math.sqrt(norm2),
    gain: j ? (unit * norm2) / u[j - 1] : 0,
    row,
    column: reads - run.axes.features_read(t - 1) - row,
    eta,
    limit: eta ? 1 / eta : 0,
    volume: n * params.nu,
    b,
    heavier: b > 0 ? "+1" : "−1",
    wet,
    under: params.bias ? 2 * wet : wet,
    clipped,
    reads,
    seen: (100 * duals.cells[t]) / entries,
    seen_pegasos: (run.known_pegasos?.[t] ?? 0) / 100,
    gamma: run.objective[t],
    gamma_average: run.objective_average[t],
  };
}
