// The mechanism of the Twin Vector Machine: the rack, in which each twin vector has a box for
// either label, as long as its count and filled as far as its α; and all of them by where f puts
// them.

import { support } from "../engine/scores.js";
import { markOf, nameOf } from "../engine/own/table.js";
import { COMBINED, DROPPED, rackAt, roomsOf, sharesOf } from "../engine/own/twins.js";
import { counted, plural } from "../engine/words.js";
import { error } from "../stage/code.js";
import { column, dot, mark, rule, stroke, text } from "../canvas/draw.js";
import { Labels, widthOf } from "../canvas/labels.js";
import { Board, linked as points } from "./parts/board.js";
import { drawnAt } from "./parts/live.js";
import { clamp, scale, short } from "../canvas/scales.js";
import { centred, open } from "./parts/axis.js";

export const CHANGE = ["add", "take"];
export const EVEN = true;
/** @type {Panel["usual"]} */
export const usual = run => (run.wrong_test ? "test" : "error");
/** @type {Panel["metrics"]} */
export const metrics = () => ({ n_sv: "Twin vectors" });
/** @type {Panel["series"]} */
export const series = {
  n_sv: { value: (run, t) => run.n_sv[t], words: () => "kept after each step" },
};
/** @type {Panel["formula"]} */
export const formula = ({ run, done }) => [`f(x) with ${run.n_sv[done]} twin vectors`, "f(x)"];

/** @implements {Machinery} */
export class Mechanism extends Board {
  most = 1; // examples that one stands for, in the whole run
  /** @type {number[]} */ rows = [];
  step = 1;

  /** @param {HTMLElement} section @param {Stage} stage */
  constructor(section, stage) {
    super(
      section,
      {
        title: "Twin vectors",
        view: "boxes",
        label: "Counts and coefficients of all twin vectors",
        words: [
          "box: examples it stands for, +1 up, −1 down; filled: its α",
          "box: its examples; filled: its α",
          "by label",
        ],
        lights: ["rack"],
      },
      {
        title: "By decision value",
        view: "beats",
        tab: "By f",
        label: "All twin vectors by their decision value",
      },
    );
    this.rack = this.sheets[0];
    this.line = this.sheets[1];
    points(stage, this.rack, ({ offsetX }) => this.rows[Math.floor(offsetX / this.step)] ?? -1);
  }

  /** @param {Run} run */
  prepare(run) {
    this.most = 1;
    for (let t = 1; t <= run.T; t++)
      if (run.rooms[t] || t === run.T)
        for (const { plus, minus } of rackAt(run, t)) this.most = Math.max(this.most, plus, minus);
  }

  // Who is there: before the change, and while it is on, those before with the newcomer.
  /** @param {View} view */
  standing({ run, t, told, shown }) {
    if (!told || shown >= 1) return rackAt(run, t);
    const before = rackAt(run, t - 1);
    if (!run.came[t] || shown === 0) return before;
    const up = run.y[run.drawn[run.first[t]]] > 0;
    return [...before, { row: run.came[t] - 1, plus: +up, minus: +!up, since: t }];
  }

  /** @param {View} view @param {boolean} loud */
  paint(view, loud) {
    const twins = this.standing(view);
    if (this.rack.visible) this.paintRack(view, twins);
    if (this.line.visible) this.paintLine(view, twins);
    if (!loud) return;
    const { near, far } = /** @type {any} */ (view.segment.params);
    this.captions[1].say(
      `above its +1, below its −1; may go, if all are beyond τ = ${short(far)} on their own side`,
      `one may go if all of it lies beyond τ = ${short(far)}`,
      `θ = ${short(near)}, τ = ${short(far)}`,
    );
  }

  /** @param {View} view */
  facts(view) {
    const twins = this.standing(view);
    const stands = twins.reduce((sum, { plus, minus }) => sum + plus + minus, 0);
    return [
      `${plural(twins.length, "twin vector")} for ${plural(stands, "example")}`,
      "each at its decision value",
    ];
  }

  /** @param {View} view @param {import("../engine/own/twins.js").Twin[]} twins */
  paintRack({ run, theme, t, told, shown, now, segment, linked }, twins) {
    const { g, w, h, u } = open(this.rack, theme);
    const { B, C } = segment.params;
    const [top, bottom] = [6 * u, h - 44 * u];
    const slots = Math.max(B + 1, twins.length);
    const step = Math.min(w / slots, 44 * u);
    const pad = step > 12 ? 2 : 0.5;
    const middle = (top + bottom) / 2;
    // a count is as long as its logarithm: one that stands for a thousand must not hide those that
    // stand for one
    const long = scale(0, Math.log1p(this.most), 0, middle - top - 4);
    /** @param {number} s */
    const size = s => long(Math.log1p(s));
    const acts = told && shown < 1 ? roomsOf(run, t) : [];
    const acting = new Set(acts.flatMap(({ m, n }) => [m, n]));
    const came = told ? run.came[t] - 1 : -1;
    Object.assign(this, { rows: twins.map(({ row }) => row), step });
    /** @param {number} k @param {string} color @param {number} width @param {number[]} [dash] */
    const slot = (k, color, width, dash) => {
      g.beginPath();
      g.roundRect(k * step + pad, top, step - 2 * pad, bottom - top, 4);
      stroke(g, color, width, dash);
    };
    if (step > 9) for (let k = 0; k < slots; k++) slot(k, theme.hair, 1, k < B ? [] : [4, 3]);
    const marks = twins.map(({ row }) => markOf(run, row));
    const named = marks.every(mark => widthOf(g, theme, mark, { weight: 700 }) < step - 2 * pad);
    twins.forEach((twin, k) => {
      const { row } = twin;
      const left = k * step + pad + (step > 12 ? 2 : 0);
      const wide = Math.max(step - 2 * pad - (step > 12 ? 4 : 0), 1);
      if (acting.has(row)) column(g, k * step + pad, top, step - 2 * pad, bottom - top, theme.band);
      const { up, down } = sharesOf(twin, now.f[row], now.coef[row], C);
      for (const { count, alpha, above, color } of [
        { count: twin.plus, alpha: up, above: true, color: theme.plus },
        { count: twin.minus, alpha: down, above: false, color: theme.minus },
      ]) {
        if (!count) continue;
        const tall = size(count);
        const full = tall * clamp(alpha / (C * count), 0, 1);
        column(g, left, above ? middle - full : middle, wide, full, color);
        g.beginPath();
        g.rect(left, above ? middle - tall : middle, wide, tall);
        stroke(g, color, 1.5);
      }
      const plays = row === came || acting.has(row);
      const color = row === came ? theme.now : theme.ink;
      if (row === linked || plays) slot(k, color, 2.25);
      const look = plays ? { color, weight: 700 } : {};
      if (named) centred(g, theme, marks[k], (k + 0.5) * step, bottom + 16 * u, look);
    });
    rule(g, 0, middle, slots * step, middle, theme.ink2);
    const stands = twins.reduce((sum, { plus, minus }) => sum + plus + minus, 0);
    const labels = new Labels(g, theme, { right: w, bottom: h });
    labels.must(
      t ? `${plural(twins.length, "vector")} for ${plural(stands, "example")}` : "empty",
      { color: theme.ink2 },
      [0, h - 6 * u],
    );
    const words = acts.map(({ kind, m, n }) =>
      kind === DROPPED
        ? `${nameOf(run, m)} is dropped`
        : `${nameOf(run, m)} and ${nameOf(run, n)} become one`,
    );
    const [said = "lengths are logarithms of counts"] = words;
    const look = words.length
      ? { size: 13.5, weight: 700, color: theme.ink }
      : { color: theme.muted };
    labels.put(said, look, [w, h - 6 * u, "right"]);
  }

  /** @param {View} view @param {import("../engine/own/twins.js").Twin[]} twins */
  paintLine({ run, theme, now, segment, told, t, linked }, twins) {
    const { g, w, h, u } = open(this.line, theme);
    const [left, right, bottom] = [14 * u, w - 14 * u, h - 24 * u];
    const { far } = /** @type {any} */ (segment.params);
    const widest = clamp(1.3 * far, 1.6, 4);
    const x = scale(-widest, widest, left, right);
    const middle = (4 * u + bottom) / 2;
    rule(g, left, middle, right, middle, theme.grid);
    for (const v of [-1, 0, 1]) {
      rule(g, x(v), 6 * u, x(v), bottom, theme.ink, v ? 1.25 : 2, v ? [6, 5] : []);
      centred(g, theme, v < 0 ? "−1" : String(v), x(v), bottom + 17 * u);
    }
    if (far < widest)
      for (const v of [-far, far]) rule(g, x(v), 6 * u, x(v), bottom, theme.optimum, 1.75, [6, 4]);
    text(g, theme, "f(x)", right, bottom + 17 * u, { align: "right" });
    const came = told ? run.came[t] - 1 : -1;
    for (const { row, plus, minus } of twins) {
      const px = x(clamp(now.f[row], -widest, widest));
      const r = (2.5 + 2.2 * Math.log1p(plus + minus)) * Math.sqrt(u);
      g.globalAlpha = 0.85;
      if (plus) mark(g, true, px, middle - r - 4, r * Math.sqrt(plus / (plus + minus)), theme.plus);
      if (minus)
        mark(g, false, px, middle + r + 4, r * Math.sqrt(minus / (plus + minus)), theme.minus);
      g.globalAlpha = 1;
      if (row === came || row === linked)
        dot(g, px, middle, 4 * u, row === came ? theme.now : theme.ui);
    }
  }
}

/** @type {Panel["numbers"]} */
export const numbers = view => {
  const { run, t, segment, last } = view;
  return [
    ["twin vectors", `${run.n_sv[t]} / ${segment.params.B}`],
    ["support vectors", String(support(last.now.coef))],
    ["kernel evaluations", counted(run.axes.kernel_evals(t))],
    error(view),
  ];
};

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  if (t === 0) return { t: 0, n: run.count(0) };
  /** @param {string} name */
  const own = name => run.array(name)?.[t] ?? 0;
  const room = roomsOf(run, t).at(-1) ?? { kind: 0, m: -1, n: -1, z: -1 };
  const rack = new Map(rackAt(run, t - 1).map(twin => [twin.row, twin.plus + twin.minus]));
  if (run.came[t]) rack.set(run.came[t] - 1, 1);
  for (const { kind, m, n, z } of roomsOf(run, t).slice(0, -1))
    if (kind === COMBINED) rack.set(z, (rack.get(m) ?? 0) + (rack.get(n) ?? 0));
  const [s_m, s_n] = [room.m, room.n].map(row => rack.get(row) ?? 0);
  const h = room.kind === COMBINED ? s_m / (s_m + s_n) : 0;
  return {
    ...drawnAt(run, t),
    n: run.count(t),
    g: 1 - h,
    s_z: s_m + s_n,
    n_sv: run.n_sv[t],
    gap: 0,
    hits: +(run.came[t] > 0),
    over: run.n_sv[t] + +(room.kind > 0),
    norm: after.norm,
    m_name: nameOf(run, room.m),
    n_name: nameOf(run, room.n),
    z_name: nameOf(run, room.z),
    h,
    alpha: own("alpha"),
    s_m,
    s_n,
    beyond: own("beyond"),
    stands: rackAt(run, t).reduce((sum, { plus, minus }) => sum + plus + minus, 0),
  };
}
