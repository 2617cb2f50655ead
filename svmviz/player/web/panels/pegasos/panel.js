// The mechanism of Pegasos: the loss with every point on it, and below it the beats shrink, add and
// project, in weight space where w is a vector of two numbers, in data space otherwise.

import { decimals, times } from "../../engine/words.js";
import { ease } from "../../engine/beats.js";
import { inBall, isFree, isHinge, value } from "../../engine/losses.js";
import { arrow, circle, colorOf, dot, line, mark, rule, stroke, text } from "../../canvas/draw.js";
import { scale } from "../../canvas/scales.js";
import { fitting, Labels, sides } from "../../canvas/labels.js";
import { FieldImage, contours } from "../../plane/field.js";
import { HINGE, Hinge, paying } from "./hinge.js";
import { Board } from "../parts/board.js";
import { batchOf, drawnAt } from "../parts/live.js";
import { centred } from "../parts/axis.js";

const BEATS = ["shrink", "add", "project"];

/** @typedef {import("../parts/board.js").Part} Part */
/** @typedef {{ sheet: Sheet, prepare(run: Run): void, paint(view: View): void }} Losses */

/** @implements {Machinery} */
export class Mechanism extends Board {
  /** @type {Losses} */ hinge;
  /** @type {Plane} */ plane;
  /** @type {FieldImage} */ image;
  /** @type {Float64Array} */ scratch;
  radius = 0;
  reach = 0;

  /** @param {HTMLElement} section @param {unknown} [_stage] @param {Part} [loss] */
  constructor(section, _stage, loss = HINGE) {
    super(section, loss, {
      title: "",
      view: "beats",
      label: "The step in three beats: shrink, add, project",
    });
    this.space = /** @type {HTMLElement} */ (section.querySelectorAll("h3 b")[1]);
    this.hinge = this.losses();
    this.beats = this.sheets[1];
  }

  /** @returns {Losses} */
  losses() {
    return new Hinge(this);
  }

  // Limits come from the whole trace, never from the step.
  /** @param {Run} run @param {Plane} plane */
  prepare(run, plane) {
    this.hinge.prepare(run);
    this.plane = plane;
    this.image = new FieldImage(plane.grid.xs.length, plane.grid.ys.length);
    this.scratch = new Float64Array(plane.grid.xs.length * plane.grid.ys.length);
    this.radius = Math.max(...run.segments.map((_, s) => this.ballOf(run, s)));
    // stays when an optimum comes later
    run.reach ??= Math.max(
      ...run.segments.map(({ optimum }, s) => optimum?.norm ?? this.ballOf(run, s)),
    );
    this.reach = run.segments.some(s => inBall(s.params)) ? this.radius * 1.45 : run.reach * 2.2;
  }

  /** @param {View} shown @param {boolean} loud */
  paint(shown, loud) {
    // the algorithm works on the last iterate, whichever the plane shows
    const view = { ...shown, ...shown.last };
    const flat = view.run.d === 2 && view.linear;
    if (this.hinge.sheet.visible) this.hinge.paint(view);
    if (!loud || !this.beats.visible) return;
    this.space.textContent = flat ? "Weight space" : "Data space";
    this.captions[1].say(
      ...(inBall(view.segment.params)
        ? this.ballWords(this.ballOf(view.run, view.s))
        : flat
          ? ["w before and after, no projection", "w before and after"]
          : view.run.residual
            ? ["f before and after"]
            : ["f and its margins before and after", "f before and after"]),
    );
    this.paintBeats(/** @type {LiveView} */ (/** @type {unknown} */ (view)), flat);
  }

  // The radius of the ball that the best w lies in, and what is said of it.
  /** @param {Run} run @param {number} s */
  ballOf(run, s) {
    return 1 / Math.sqrt(run.segments[s].params.lam);
  }

  /** @param {number} radius */
  ballWords(radius) {
    const r = radius.toFixed(2);
    return [`ball of radius r = 1/√λ = ${r}`, `ball, r = 1/√λ = ${r}`, `r = ${r}`];
  }

  /** @param {string} name @returns {[Sheet, Spot][]} */
  where(name) {
    if (name !== "step") return super.where(name);
    return [
      [
        this.beats,
        (g, { segment }) => {
          const { w, h } = this.beats;
          const count = inBall(segment.params) ? 3 : 2;
          const width = (w - 10 * (count - 1)) / count;
          g.fillRect(width + 10, 0, width, h); // the beat in which w is added to
        },
      ],
    ];
  }

  /** @param {View} view */
  facts(view) {
    return [paying(view), inBall(view.segment.params) ? "with projection" : "without projection"];
  }

  /** @param {LiveView} view @param {boolean} flat */
  paintBeats(view, flat) {
    const g = this.beats.begin();
    const { w, h } = this.beats;
    const { theme, segment, told, beat } = view;
    const u = theme.unit;
    const names = inBall(segment.params) ? BEATS : BEATS.slice(0, 2);
    const gap = 10;
    const width = (w - gap * (names.length - 1)) / names.length;
    const height = h - 26 * u;
    const order = ["draw", "measure", ...BEATS, "rest"];
    const reached = order.indexOf(beat);
    names.forEach((name, k) => {
      const left = k * (width + gap);
      const active = beat === name;
      const done = reached > order.indexOf(name);
      const box = () => {
        g.beginPath();
        g.roundRect(left + 0.5, 0.5, width - 1, height - 1, 5);
      };
      g.save();
      box();
      g.clip();
      const progress = active ? ease(view.progress) : 1;
      g.globalAlpha = !told || active || done ? 1 : 0.35; // what is still to come is faint
      const labels = new Labels(g, theme, {
        left: left + 3,
        top: 3,
        right: left + width - 3,
        bottom: height - 3,
      });
      const title = {
        size: 13.5,
        weight: 650,
        color: active ? theme.now : theme.ink,
        halo: theme.bg,
      };
      labels.block(labels.box([`${k + 1} ${name}`], [left + 9, 19 * u], title));
      if (flat) this.weightBeat(g, view, name, left, width, height, progress, labels);
      else this.dataBeat(g, view, name, left, width, height, progress);
      text(g, theme, `${k + 1} ${name}`, left + 9, 19 * u, title);
      g.restore();
      g.globalAlpha = 1;
      box();
      stroke(g, theme.hair, 1);
      const words = told ? fitting(g, theme, width, this.formulas(name, view, flat)) : "";
      if (told) centred(g, theme, words, left + width / 2, h - 7 * u, { color: theme.ink2 });
    });
  }

  /** @param {string} name @param {LiveView} view @param {boolean} flat */
  formulas(name, { values: v, segment }, flat) {
    // with its value, in ever fewer signs
    if (name === "shrink")
      return [`× (1 − 1/t) = × ${decimals(v.shrink, 3)}`, `× ${decimals(v.shrink, 3)}`];
    if (name === "project")
      return v.pull < 1
        ? [`× r/‖w‖ = × ${decimals(v.pull, 3)}`, `× ${decimals(v.pull, 3)}`]
        : ["inside the ball: × 1", "× 1"];
    /** @param {number} value */
    const short = value => +value.toPrecision(3);
    if (!v.hits && !isFree(segment.params.loss)) return ["next to no slope: + 0", "+ 0"];
    if (!v.hits)
      return [segment.k > 1 ? "no margin below 1: + 0" : "margin at least 1: + 0", "+ 0"];
    const sum = `(${decimals(v.added[0], 2)}, ${decimals(v.added[1], 2)})`;
    if (!isHinge(segment.params.loss)) {
      const of = flat ? "x" : "K(x, ·)";
      const all = segment.k > 1 ? `− η/k Σ ℓ′(m) y ${of}` : `− η ℓ′(m) y ${of}`;
      if (flat) return [`${all} = ${sum}`, `+ ${sum}`, sum];
      return segment.k > 1
        ? [all]
        : [`${all}, η ℓ′ = −${short(v.step)}`, `η ℓ′ = −${short(v.step)}`];
    }
    if (segment.k > 1)
      return [
        `+ η/k Σ y ${flat ? "x" : "K(x, ·)"}, ${v.hits} of ${v.k} paid before`,
        `${v.hits} of ${v.k} paid before`,
        `${v.hits} paid before`,
      ];
    if (!flat) return [`+ η y K(x[i], ·), η = ${short(v.eta)}`, `η = ${short(v.eta)}`];
    return [`+ y x/(λt) = ${sum}`, `+ ${sum}`, sum];
  }

  // w before, its change in this beat, the ball and the optimum, in the coordinates of w.
  /**
   * @param {Pen} g
   * @param {LiveView} view
   * @param {string} name
   * @param {number} left
   * @param {number} width
   * @param {number} height
   * @param {number} progress
   * @param {Labels} labels
   */
  weightBeat(
    g,
    { theme, before, after, values: v, segment, told, run, s: part },
    name,
    left,
    width,
    height,
    progress,
    labels,
  ) {
    const s = Math.min(width, height) / 2 / this.reach;
    const cx = left + width / 2;
    const cy = height / 2;
    /** @param {Indexed} w @returns {Point} */
    const at = w => {
      // what is longer than the box ends at its edge
      const fit = Math.min(
        1,
        (width / 2 - 7) / Math.abs(w[0] * s || 1e-9),
        (height / 2 - 7) / Math.abs(w[1] * s || 1e-9),
      );
      return [cx + w[0] * s * fit, cy - w[1] * s * fit];
    };
    rule(g, left, cy, left + width, cy, theme.grid);
    rule(g, cx, 0, cx, height, theme.grid);
    if (inBall(segment.params)) {
      const radius = s * this.ballOf(run, part);
      dot(g, cx, cy, radius, theme.band);
      circle(g, cx, cy, radius, theme.ghost, 1.25);
    }
    if (segment.optimum?.w) {
      const [x, y] = at(segment.optimum.w);
      circle(g, x, y, 4, theme.optimum, 1.5, [2, 2]);
      const [wx, wy] = at(told ? before.w : after.w);
      if (name === "shrink" && Math.hypot(wx - x, wy - y) > 16)
        labels.put("w*", { weight: 600, color: theme.optimum }, ...sides(x, 7, [y + 15]));
    }
    if (!told) {
      // nothing is taken: w alone
      if (name === "shrink") {
        line(g, [at([0, 0]), at(after.w)], theme.ink, 2);
        dot(g, ...at(after.w), 2.8, theme.ink);
      }
      return;
    }
    /** @param {Indexed} a @param {Indexed} b */
    const mix = (a, b) => [a[0] + progress * (b[0] - a[0]), a[1] + progress * (b[1] - a[1])];
    const w0 = before.w;
    const w1 = [w0[0] * v.shrink, w0[1] * v.shrink];
    const w2 = [w1[0] + v.added[0], w1[1] + v.added[1]];
    const w3 = [w2[0] * v.pull, w2[1] * v.pull];
    const [from, to] = name === "shrink" ? [w0, w1] : name === "add" ? [w1, w2] : [w2, w3];
    const here = mix(from, to);
    line(g, [at([0, 0]), at(from)], theme.ghost, 2);
    dot(g, ...at(from), 2.8, theme.ghost);
    const moved = Math.hypot(to[0] - from[0], to[1] - from[1]) * s > 1;
    if (name === "add") {
      if (moved) arrow(g, ...at(from), ...at(here), theme.now, 2.5, 9);
    } else {
      line(g, [at([0, 0]), at(here)], theme.ink, 2);
      if (moved && name === "project") arrow(g, ...at(from), ...at(here), theme.ink, 2, 8);
      dot(g, ...at(here), 2.8, theme.ink);
      const [x, y] = at(here);
      const below = y + 17 * theme.unit;
      if (progress === 1 || name === "shrink")
        labels.put(
          name === "shrink" ? "w" : "new w",
          { size: 13.5, weight: 650, color: theme.ink },
          [x - 6, y - 7, "right"],
          [x + 8, y - 7],
          [x + 10, below],
          [x - 8, below, "right"],
        );
    }
  }

  // The same beat on f: the field after it, the contours 0 and ±1 before it in grey; the add beat
  // rings what was added.
  /**
   * @param {Pen} g
   * @param {LiveView} view
   * @param {string} name
   * @param {number} left
   * @param {number} width
   * @param {number} height
   * @param {number} progress
   */
  dataBeat(
    g,
    { theme, before, after, values: v, run, told, drawn },
    name,
    left,
    width,
    height,
    progress,
  ) {
    const { grid } = this.plane;
    const columns = grid.xs.length;
    const rows = grid.ys.length;
    const field = this.scratch;
    const pull = v.pull || 1;
    for (let k = 0; k < field.length; k++) {
      const f0 = (told ? before : after).field[k];
      const f1 = f0 * (v.shrink ?? 1);
      const f2 = after.field[k] / pull;
      const f3 = after.field[k];
      const [from, to] = name === "shrink" ? [f0, f1] : name === "add" ? [f1, f2] : [f2, f3];
      field[k] = from + progress * (to - from);
    }
    this.image.paint(g, theme, field, left, 0, width, height);
    /** @param {number[]} point */
    const pixel = ([c, r]) => [left + (c / (columns - 1)) * width, (r / (rows - 1)) * height];
    for (const level of told ? [1, -1] : [])
      for (const path of contours(before.field, columns, rows, level))
        line(g, path.map(pixel), theme.ghost, 1, [3, 3]);
    for (const level of [0, 1, -1])
      for (const path of contours(field, columns, rows, level))
        line(g, path.map(pixel), theme.ink, level ? 1 : 1.75, level ? [5, 4] : []);
    if (name !== "add" || !told) return;
    const x = scale(this.plane.x.d0, this.plane.x.d1, left, left + width);
    const y = scale(this.plane.y.d0, this.plane.y.d1, height, 0);
    for (const i of drawn) {
      const [px, py] = [x(run.points[2 * i]), y(run.points[2 * i + 1])];
      const positive = run.y[i] > 0;
      mark(g, positive, px, py, drawn.length > 8 ? 2 : 4, colorOf(theme, positive));
      circle(g, px, py, drawn.length > 8 ? 4 : 8, theme.now, 2.25);
    }
  }
}

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  const segment = run.segment(t);
  if (t === 0) return { t: 0, first: value(segment.params.loss, 0) };
  const k = segment.k;
  const eta = 1 / (segment.params.lam * t);
  const { worst, hits, step, added, pull } = batchOf(run, t, (a, b) => a < b);
  const drawn = new Set(run.drawn.subarray(run.first[t], run.first[t] + k));
  const shrink = 1 - 1 / t;
  const one = drawnAt(run, t, worst);
  return {
    ...one,
    k,
    drawn:
      k === 1
        ? `i = ${one.i}`
        : drawn.size === k
          ? `${k} points`
          : `${k} draws, ${drawn.size} points`,
    batch: drawn.size === k ? "points" : "draws",
    hits,
    eta,
    eta_k: eta / k,
    shrink,
    enough: isFree(segment.params.loss)
      ? "at least 1: it costs nothing"
      : "so large that it costs next to nothing",
    norm_shrunk: shrink * before.norm,
    norm_added: after.norm / pull,
    norm: after.norm,
    radius: 1 / Math.sqrt(segment.params.lam),
    pull,
    added,
    step,
    fall: step / eta,
    times: times(step / eta),
  };
}
