// The mechanism of SIMBA, the twin: w above the table of the data and p beside it. A step reads one
// row and one column; cells stay tinted once they are known. Beside SBP: all slack on the largest
// p, and water on the lowest responses, are the same idea.

import { error, optimum } from "../../stage/code.js";
import { column, rule, Sheet, text } from "../../canvas/draw.js";
import { clicked, find } from "../../canvas/elements.js";
import { scale } from "../../canvas/scales.js";
import { Caption } from "../../canvas/labels.js";
import { all } from "../../stage/light.js";
import { CAP, dualsOf } from "../../engine/own/duals.js";
import { rivals } from "../rivals.js";
import { level, sorted } from "../../engine/own/water.js";
import { counted, decimals } from "../../engine/words.js";
import { open } from "../parts/axis.js";
import { linked } from "../parts/board.js";
import { Table } from "./table.js";

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
/** @typedef {import("./table.js").TableView} TableView */

/** @implements {Machinery} */
export class Mechanism {
  /** @type {Duals} */ duals;

  /** @param {HTMLElement} section @param {Stage} stage */
  constructor(section, stage) {
    section.innerHTML = `<h3><b></b> <span class="caption"></span><button type="button"
      class="draw order" aria-pressed="false"
      title="All slack on the largest p, beside SBP's water on the lowest responses"
      >Beside SBP</button></h3><div class="view table"></div>`;
    /** @param {string} name */
    const $ = name => find(section, name);
    this.stage = stage;
    this.title = $("b");
    this.caption = new Caption($(".caption"));
    this.button = $(".order");
    this.beside = false;
    this.sheet = new Sheet(
      $(".table"),
      "The table of the data: what has been read, the weights of columns and rows",
    );
    this.sheets = [this.sheet];
    this.table = new Table(this.sheet);
    clicked(this.button, () => {
      this.beside = !this.beside;
      this.button.setAttribute("aria-pressed", String(this.beside));
      stage.repaint();
    });
    linked(stage, this.sheet, ({ offsetX, offsetY }) =>
      this.beside ? -1 : this.table.at(offsetX, offsetY),
    );
  }

  /** @param {Run} run */
  prepare(run) {
    this.duals = this.table.duals = dualsOf(run);
    this.table.cells.mask = null;
    this.table.there = false;
  }

  /** @param {number} milliseconds */
  ahead(milliseconds) {
    return this.duals.prepare(milliseconds);
  }

  /** @param {string} name @returns {[Sheet, Spot][]} */
  where(name) {
    if (!this.beside && this.table.there) return this.table.where(name);
    return name === "water" ? [all(this.sheet)] : [];
  }

  /** @param {View} shown @param {boolean} loud */
  paint(shown, loud) {
    const view = { ...shown, ...shown.last, resting: ["average", "rest"].includes(shown.beat) };
    if (!this.sheet.visible) return;
    const { run, mask } = view;
    const { cells } = this.table;
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
    else this.table.paint(view, p, xi);
  }

  /** @param {View} view */
  facts({ run, t, mask }) {
    const rows = mask.reduce((sum, there) => sum + there, 0);
    const read = counted(run.axes.features_read(t));
    return [`${rows} rows and ${run.d} columns, ${read} values read`];
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
    const title = { weight: 650, color: theme.ink };
    /** @type {Look} */
    const right = { align: "right", color: theme.muted };
    text(g, theme, "SIMBA: ξ up to 2R on the largest p", 0, 16 * u, title);
    const wide = Math.max(step * 0.84, 0.8);
    ranked.forEach((i, k) => {
      const up = (xi[i] / 2) * (mid - top);
      column(g, k * step, mid + 4, wide, (p[i] / most) * (bottom - mid - 6), theme.floor);
      if (up > 0) column(g, k * step, mid - up, wide, up, theme.surface);
    });
    const teal = { ...right, color: theme.surface, weight: 650 };
    text(g, theme, "ξ(i)", half, top + 12 * u, teal);
    text(g, theme, "p(i), largest first", half, bottom - 6 * u, right);
    const from = w / 2 + 18 * u;
    const low = Math.min(c[order[0]], 0);
    const high = Math.max(c[order[order.length - 1]], gamma);
    const y = scale(low - 0.05 * (high - low), high, bottom, top);
    const beside = `SBP: water on the lowest responses, γ = ${decimals(gamma, 3)}`;
    text(g, theme, beside, from, 16 * u, title);
    order.forEach((i, k) => {
      column(g, from + k * step, y(c[i]), wide, bottom - y(c[i]), theme.floor);
      if (c[i] < gamma)
        column(g, from + k * step, y(gamma), wide, y(c[i]) - y(gamma), theme.surface);
    });
    rule(g, from, y(gamma), w, y(gamma), theme.surface, 2);
    text(g, theme, "responses c(i), lowest first", w, bottom + 18 * u, right);
    const volume = (segment.params.nu * order.length).toPrecision(3);
    const words = `both hold νn = ${volume}; R = ${R.toPrecision(3)} is the longest row`;
    text(g, theme, words, 0, bottom + 18 * u, { color: theme.muted });
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
  const i = run.drawn[run.first[t]];
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
