// The mechanism of Pegasos for regression: the loss with every point on it, and below it the beats
// of the step.

import { decimals } from "../../engine/words.js";
import { inBall, isTube } from "../../engine/losses.js";
import { reachOf } from "../../engine/own/residuals.js";
import { circle, colorOf, line, mark, rule } from "../../canvas/draw.js";
import { spanOf } from "../../plane/graph.js";
import { scale, short } from "../../canvas/scales.js";
import { contours } from "../../plane/field.js";
import { HINGE } from "../pegasos/hinge.js";
import { Mechanism as Beats } from "../pegasos/panel.js";
import { batchOf } from "../parts/live.js";
import { inTube, Tube } from "./tube.js";

export { formula, metrics, numbers, series } from "./residual.js";

export class Mechanism extends Beats {
  /** @param {HTMLElement} section @param {Stage} stage */
  constructor(section, stage) {
    super(section, stage, { ...HINGE, label: "Loss of every example against its residual" });
  }

  losses() {
    return new Tube(this);
  }

  /** @param {Run} run @param {number} s */
  ballOf(run, s) {
    return reachOf(run, s);
  }

  /** @param {number} radius */
  ballWords(radius) {
    const r = short(radius);
    return [
      `ball of radius ρ = √(mean loss of f = 0, over λ) = ${r}`,
      `ball of radius ρ = ${r}`,
      `ρ = ${r}`,
    ];
  }

  /** @param {View} view */
  facts(view) {
    return [inTube(view), inBall(view.segment.params) ? "with projection" : "without projection"];
  }

  /** @param {string} name @param {LiveView} view @param {boolean} flat */
  formulas(name, view, flat) {
    if (name !== "add")
      return super.formulas(name, view, flat).map(words => words.replace("r/‖w‖", "ρ/‖w‖"));
    const { values: v, segment } = view;
    const tube = isTube(segment.params.loss);
    const of = flat ? "x" : "K(x, ·)";
    if (!v.hits) return ["within the tube: + 0", "+ 0"];
    const sum = `(${decimals(v.added[0], 2)}, ${decimals(v.added[1], 2)})`;
    const all = `− ${segment.k > 1 ? "η/k Σ " : "η "}${tube ? "sign(r)" : "r"} ${of}`;
    if (flat) return [`${all} = ${sum}`, `+ ${sum}`, sum];
    if (segment.k > 1)
      return [`${all}, ${v.hits} of ${v.k} pull`, `${v.hits} of ${v.k} pull`, `${v.hits} pull`];
    return [`${all}, η = ${short(v.eta)}`, `η = ${short(v.eta)}`];
  }

  // The same beat on f: a curve over the one feature, before in grey, or a field about the ground.
  /**
   * @param {Pen} g
   * @param {LiveView} view
   * @param {string} name
   * @param {number} left
   * @param {number} width
   * @param {number} height
   * @param {number} progress
   */
  dataBeat(g, view, name, left, width, height, progress) {
    const { theme, before, after, values: v, run, told, drawn, segment } = view;
    const { grid } = this.plane;
    const pull = v.pull || 1;
    const was = (told ? before : after).field;
    /** @type {(k: number) => number[]} */
    const ends = k => {
      const [f0, f1, f2] = [was[k], was[k] * (v.shrink ?? 1), after.field[k] / pull];
      return name === "shrink" ? [f0, f1] : name === "add" ? [f1, f2] : [f2, after.field[k]];
    };
    const { reach } = spanOf(run);
    for (let k = 0; k < this.scratch.length; k++) {
      const [from, to] = ends(k);
      this.scratch[k] = from + progress * (to - from);
    }
    const x = scale(this.plane.x.d0, this.plane.x.d1, left, left + width);
    const y = scale(this.plane.y.d0, this.plane.y.d1, height, 0);
    if (run.graph) {
      g.fillStyle = theme.side;
      g.fillRect(left, 0, width, height);
      rule(g, left, y(0), left + width, y(0), theme.grid);
      /** @param {(k: number) => number} f @returns {Point[]} */
      const curve = f =>
        Array.from(grid.xs, (at, k) => [x(at), Math.max(-height, Math.min(2 * height, y(f(k))))]);
      const old = curve(k => ends(k)[0]);
      const now = curve(k => this.scratch[k]);
      if (told) line(g, old, theme.ghost, 1.75, [3, 3]);
      line(g, now, theme.ink, 1.75);
    } else {
      for (let k = 0; k < this.scratch.length; k++) this.scratch[k] -= run.ground;
      this.image.paint(g, theme, this.scratch, left, 0, width, height, "high", 200 / reach);
      const [columns, rows] = [grid.xs.length, grid.ys.length];
      /** @param {number[]} point */
      const pixel = ([c, r]) => [left + (c / (columns - 1)) * width, (r / (rows - 1)) * height];
      for (const level of [-reach / 2, 0, reach / 2])
        for (const path of contours(this.scratch, columns, rows, level))
          line(g, path.map(pixel), theme.ink, 1, level ? [5, 4] : []);
    }
    if (name !== "add" || !told || segment.k > 50) return;
    for (const i of drawn) {
      const [px, py] = [x(run.points[2 * i]), y(run.points[2 * i + 1])];
      mark(g, run.kind(i), px, py, drawn.length > 8 ? 2 : 4, colorOf(theme, run.kind(i)));
      circle(g, px, py, drawn.length > 8 ? 4 : 8, theme.now, 2.25);
    }
  }
}

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  const segment = run.segment(t);
  if (t === 0) return { t: 0, first: after.hinge };
  const { k } = segment;
  const eta = 1 / (segment.params.lam * t);
  const batch = batchOf(run, t, (a, b) => Math.abs(a) > Math.abs(b));
  const { worst, hits, step, added, pull } = batch;
  const i = run.drawn[worst];
  const r = run.margin[worst];
  const shrink = 1 - 1 / t;
  return {
    t,
    i: i + 1,
    k,
    drawn: k === 1 ? `i = ${i + 1}` : `${k} points`,
    target: run.y[i],
    r,
    f: r + run.y[i],
    hits,
    eta,
    eta_k: eta / k,
    shrink,
    norm_shrunk: shrink * before.norm,
    norm_added: after.norm / pull,
    norm: after.norm,
    radius: reachOf(run, run.segment_of[t]),
    step,
    pull,
    added,
  };
}
