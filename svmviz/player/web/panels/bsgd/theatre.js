// What the maintenance does, on the plane itself: two vectors slide into one (under a lens where
// they are close together), one fades with its bump, or the weight of one flows to its neighbours.

import { arrow, circle, colorOf, line, rule, stroke, trace } from "../../canvas/draw.js";
import { clamp } from "../../canvas/scales.js";
import { Labels } from "../../canvas/labels.js";
import { IMQ, RBF } from "../../engine/kernels.js";
import { kindOf, sizeOf, vectorOf } from "../../engine/scores.js";
import { magnified } from "../../plane/vectors.js";
import { MERGED, PROJECTED, SPREAD } from "../../engine/own/table.js";

const LENS = 70;
const REACH = 0.7;
const LEAST = 1.6;
const MOST = 12; // largest radius in px; share of it that the pair takes; magnification
const FLOWS = 8; // arrows of a projection: those that carry most
const BEATS = ["choose", "look", "take"];

/** @param {number[]} p @param {number[]} q @param {number} u @returns {Point} */
const toward = (p, q, u) => [p[0] + u * (q[0] - p[0]), p[1] + u * (q[1] - p[1])];

// What a row takes over, and in which class most: a number, with several classes the length of a
// vector.
/**
 * @param {Run} run
 * @param {State} mid
 * @param {State} after
 * @param {number} row
 * @param {number} pull
 */
function carried(run, mid, after, row, pull) {
  const before = vectorOf(run, mid, row);
  const change = vectorOf(run, after, row).map((v, k) => v / pull - before[k]);
  if (run.scores === 1) return { row, v: change[0], kind: change[0] > 0 };
  return { row, v: Math.hypot(...change), kind: change.indexOf(Math.max(...change)) };
}

/** @typedef {{ from: Point, at: Point, R: number, times?: number, around?: number }} Lens */
/** @typedef {{ fill?: boolean, dash?: number[], width?: number, alpha?: number }} Rim */
/** @typedef {Rim & { color?: string }} Stroke */

export class Theatre {
  /** @type {Pen} */ g;
  /** @type {Plane} */ plane;
  /** @type {Theme} */ theme;
  /** @type {Lens | null} */ lens = null;
  u = 0;
  /** @type {(row: number) => Point} */ place;
  key = "";
  /** @type {Lens | null} */ found = null;

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  // Rows of the table that act in this moment: the plane leaves them to us.
  /** @param {BudgetView} view */
  cast({ event, beat }) {
    if (!event || !BEATS.includes(beat)) return new Set();
    return new Set(
      event.kind === MERGED
        ? [event.m, event.n, event.z]
        : SPREAD.includes(event.kind)
          ? []
          : [event.m],
    );
  }

  /** @param {Pen} g @param {BudgetView} view @param {Plane} plane */
  paint(g, view, plane) {
    const { event, beat, theme } = view;
    Object.assign(this, { g, plane, theme, lens: null });
    if (!event || !view.mid || !BEATS.includes(beat)) return;
    this.u = beat === "take" ? Number(view.taken) : 0;
    /** @param {number} row */
    this.place = row => [plane.x(view.run.points[2 * row]), plane.y(view.run.points[2 * row + 1])];
    const acting = /** @type {ActingView} */ (view);
    if (event.kind === MERGED) this.merge(acting);
    else if ([PROJECTED, ...SPREAD].includes(event.kind)) this.flow(acting);
    else this.fade(acting);
  }

  /** @param {Kind} kind @param {number[]} point @param {number} r @param {Stroke} [stroke] */
  mark(kind, [x, y], r, { fill = true, dash = [], width = 1.5, alpha = 1, color } = {}) {
    const { g, theme } = this;
    g.beginPath();
    trace(g, kind, x, y, r);
    g.globalAlpha = alpha;
    if (fill) {
      g.fillStyle = colorOf(theme, kind);
      g.fill();
    }
    stroke(g, color ?? theme.ink, width, dash);
    g.globalAlpha = 1;
  }

  /** @param {ActingView} view */
  merge(view) {
    const { g, plane, theme } = this;
    const { event, mid } = view;
    const { m, n } = event;
    const [a, b] = [this.place(m), this.place(n)];
    const distance = Math.hypot(a[0] - b[0], a[1] - b[1]);
    const z = [plane.x(event.at[0]), plane.y(event.at[1])];
    const sizes = [sizeOf(mid, m), sizeOf(mid, n), Math.hypot(...event.becomes)].map(v =>
      plane.radius(v, theme),
    );
    const large = Math.min(
      LENS * Math.sqrt(theme.unit),
      0.19 * Math.min(plane.frame.w, plane.frame.h),
    );
    const around = Math.max(distance / 2 / REACH, large / MOST);
    const times = large / around;
    const calm = !this.stage.playing || this.stage.speed <= 2;
    const shown =
      calm &&
      times >= LEAST &&
      !view.run.image &&
      this.spot(view, toward(a, b, 0.5), around, around * times);
    this.actors(view, [a, b, z], sizes, !shown && plane.labels);
    if (!shown) return;
    const { from, at, R } = shown;
    this.lens = { ...shown, times, around };
    /** @param {number[]} point */
    const into = ([x, y]) => [at[0] + times * (x - from[0]), at[1] + times * (y - from[1])];
    this.cone(from, around, at, R);
    g.save();
    g.beginPath();
    g.arc(...at, R, 0, 7);
    g.clip();
    g.fillStyle = theme.bg;
    g.fill();
    magnified(plane, g, view, from, at, times, R);
    for (const row of view.rows) {
      const p = into(this.place(row));
      if (row === m || row === n || Math.hypot(p[0] - at[0], p[1] - at[1]) >= R + 12) continue;
      const r = plane.radius(sizeOf(view.state, row), theme);
      this.mark(kindOf(view.run, view.state, row), p, r);
    }
    const box = { left: at[0] - R, right: at[0] + R, top: at[1] - R, bottom: at[1] + R };
    this.actors(view, [a, b, z].map(into), sizes, new Labels(g, theme, box));
    g.restore();
    circle(g, ...at, R, theme.ink, 2);
    plane.labels.block(box);
    plane.labels.put(
      `lens × ${times < 10 ? times.toFixed(1) : times.toFixed(0)}`,
      { weight: 600, color: theme.ink },
      [at[0], at[1] + R + 15 * theme.unit, "center"],
      [at[0], at[1] - R - 6, "center"],
    );
  }

  // The two and where they go: shadows stay behind, z is dashed until it is there.
  /**
   * @param {ActingView} view
   * @param {number[][]} places
   * @param {number[]} sizes
   * @param {Labels | false} named
   */
  actors({ run, mid, event, beat }, [a, b, z], [ra, rb, rz], named) {
    const { u, g, theme } = this;
    const positive = kindOf(run, mid, event.n);
    line(g, [a, b], theme.bg, 4);
    line(g, [a, b], theme.ink, 1.75);
    const two = [
      { p: a, r: ra },
      { p: b, r: rb },
    ];
    const shadow = { fill: false, dash: [2, 2], width: 1.25, alpha: 0.7 };
    if (u > 0) for (const { p, r } of two) this.mark(positive, p, r, shadow);
    if (u < 1)
      for (const { p, r } of two.toReversed())
        this.mark(positive, toward(p, z, u), r + u * (rz - r));
    if (beat !== "choose") {
      if (u < 1) this.mark(positive, z, rz, { fill: false, width: 4.5, color: theme.bg });
      this.mark(positive, z, rz, { fill: u >= 1, dash: u < 1 ? [3, 2] : [], width: 2 });
    }
    if (!named) return;
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const [ux, uy] = [(b[0] - a[0]) / long, (b[1] - a[1]) / long];
    const side = ux > 0 || (ux === 0 && uy > 0) ? 1 : -1;
    /** @param {string} name @param {number[]} point @param {number} r @param {number} side */
    const say = (name, [x, y], r, side) => {
      // beside the line that joins them, or beyond its end
      const far = r + 9;
      const end = name === "m" ? -1 : 1;
      named.must(
        name,
        { size: 15, weight: 700, color: theme.ink, base: "middle", halo: theme.bg },
        [x - far * uy * side, y + far * ux * side, "center"],
        [x + far * uy * side, y - far * ux * side, "center"],
        [x + far * ux * end, y + far * uy * end, "center"],
      );
    };
    say("m", a, ra, side);
    say("n", b, rb, side);
    if (beat !== "choose") say("z", z, rz, -side);
  }

  // Where the lens hides least: few support vectors, not the point drawn now, near the pair, all of
  // it inside the plane.
  /** @param {ActingView} view @param {Point} from @param {number} around @param {number} R */
  spot(view, from, around, R) {
    const { left, w, h } = this.plane.frame;
    const key = [view.t, left, w, h, view.event.m, view.event.n, view.run.id].join();
    if (this.key === key) return this.found;
    this.key = key;
    const edge = R + 4;
    const crowd = view.crowd.map(this.place);
    const drawn = view.drawn.map(this.place);
    /** @type {Lens | null} */
    let best = null;
    let least = Infinity;
    for (let x = left + edge; x <= left + w - edge; x += 12)
      for (let y = edge; y <= h - edge; y += 12) {
        const away = Math.hypot(x - from[0], y - from[1]);
        if (away < R + around + 20) continue;
        let cost = away / 60;
        for (const [px, py] of crowd)
          cost += clamp((R + 10 - Math.hypot(px - x, py - y)) / 10, 0, 1) * 3;
        for (const [px, py] of drawn) cost += Math.hypot(px - x, py - y) < R + 22 ? 50 : 0;
        if (cost < least) [least, best] = [cost, { from, at: [x, y], R }];
      }
    return (this.found = best);
  }

  // The small circle about the pair, and the two lines that touch both circles.
  /** @param {Point} from @param {number} r @param {Point} at @param {number} R */
  cone(from, r, at, R) {
    const { g, theme } = this;
    circle(g, ...from, r, theme.ink, 2);
    const way = Math.atan2(at[1] - from[1], at[0] - from[0]);
    const distance = Math.hypot(at[0] - from[0], at[1] - from[1]);
    const turn = Math.acos(clamp((r - R) / distance, -1, 1));
    for (const side of [way + turn, way - turn]) {
      const [dx, dy] = [Math.cos(side), Math.sin(side)];
      rule(g, from[0] + r * dx, from[1] + r * dy, at[0] + R * dx, at[1] + R * dy, theme.ink);
    }
  }

  // Removal: the vector goes, and the bump that it made of the field goes with it.
  /** @param {ActingView} view */
  fade({ event, mid, run, t }) {
    const { u, g, plane, theme } = this;
    const p = this.place(event.m);
    const { kernel } = run.segment(t).params;
    const r = plane.radius(sizeOf(mid, event.m), theme);
    const positive = kindOf(run, mid, event.m);
    if (kernel.kind === RBF || kernel.kind === IMQ) {
      // where the bump is half as high
      const half =
        Math.sqrt((kernel.kind === RBF ? Math.log(2) : 3) / kernel.gamma) *
        Math.abs(plane.x(1) - plane.x(0));
      g.globalAlpha = 1 - 0.85 * u;
      circle(g, ...p, half, theme.ink, 2, [4, 4]);
      g.globalAlpha = 1;
    }
    this.leave(positive, p, r, "p goes");
  }

  // Projection: arrows as wide as what they carry, and a bar at each vector that takes over.
  /** @param {ActingView} view */
  flow({ event, mid, last, run, t, crowd }) {
    const { u, g, plane, theme } = this;
    const p = this.place(event.m);
    const own = sizeOf(mid, event.m);
    const folded = SPREAD.includes(event.kind);
    const pull = run.pull?.[t] ?? 1;
    const flows = crowd
      .filter(row => row !== event.m)
      .map(row => carried(run, mid, last.after, row, pull))
      .sort((a, b) => Math.abs(b.v) - Math.abs(a.v))
      .slice(0, FLOWS);
    const most = Math.max(Math.abs(flows[0]?.v ?? 0), 1e-12);
    for (const { row, v, kind } of flows) {
      const share = Math.abs(v) / most;
      const q = this.place(row);
      const far = Math.hypot(q[0] - p[0], q[1] - p[1]);
      const rim = plane.radius(sizeOf(mid, row), theme) + 3;
      if (share < 0.02 || far < 8) continue;
      const end = toward(p, q, 1 - rim / far);
      line(g, [p, end], theme.bg, 3 + 4 * share);
      arrow(g, ...p, ...end, theme.ink, 1 + 3 * share, 6 + 5 * share);
      if (u > 0 && u < 1) this.mark(kind, toward(p, end, u), 3 + 3 * share);
      const tall = 26 * share * (u > 0 ? u : 1);
      const { left, w } = plane.frame;
      const x = clamp(q[0] + rim, left, left + w - 7);
      g.fillStyle = colorOf(theme, kind);
      g.strokeStyle = theme.bg;
      g.lineWidth = 2;
      g.strokeRect(x, q[1] - Math.max(Math.sign(v) * tall, 0), 5, tall);
      g.globalAlpha = u > 0 ? 1 : 0.45;
      g.fillRect(x, q[1] - Math.max(Math.sign(v) * tall, 0), 5, tall);
      g.globalAlpha = 1;
    }
    const r = plane.radius(folded ? most : own, theme);
    const positive = folded ? run.kind(event.m) : kindOf(run, mid, event.m);
    this.leave(positive, p, r, folded ? "spanned" : "p goes");
  }

  // The vector that goes: its shadow stays behind.
  /** @param {Kind} kind @param {number[]} p @param {number} r @param {string} words */
  leave(kind, p, r, words) {
    const { u, plane, theme } = this;
    this.mark(kind, p, r, { alpha: 1 - u });
    if (u > 0) this.mark(kind, p, r, { fill: false, dash: [2, 2] });
    /** @type {Place[]} */
    const places = [-r - 3, r + 14 * theme.unit].flatMap(down => [
      [p[0] + r + 7, p[1] + down],
      [p[0] - r - 7, p[1] + down, "right"],
    ]);
    plane.labels.must(words, { size: 14, weight: 700, color: theme.ink }, ...places);
  }
}
