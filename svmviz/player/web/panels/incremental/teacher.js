// What a teacher looks at, and what came of it: the pool on a line, the pool on the plane, the
// stream of arrivals.

import { colorOf, column, mark, marks, ring, rule, stroke, text, tip } from "../../canvas/draw.js";
import { fitting } from "../../canvas/labels.js";
import { clamp, scale, ticks, tickText } from "../../canvas/scales.js";
import { poolOf } from "../../engine/own/rounds.js";
import { decimals } from "../../engine/words.js";
import { centred, flag, open } from "../parts/axis.js";

const FAR = 2.5; // |f̄| beyond is piled up at the end of the line

// The pool by |f̄|, or by y f̄ for an adversary: dots in a swarm, the one that is taken ringed.
/** @param {Sheet} sheet @param {View} view */
export function paintPool(sheet, { run, theme, told: t, before, segment, beat }) {
  const { g, w, h, u } = open(sheet, theme);
  const hurts = segment.params.teacher === "adversary";
  const axis = h - 24 * u;
  const x = scale(hurts ? -FAR : 0, FAR, 16 * u, w - 10 * u);
  const middle = (14 * u + axis) / 2 + 4 * u;
  rule(g, x(x.d0), middle, x(FAR), middle, theme.ghost);
  for (const v of ticks(x.d0, FAR, 5)) centred(g, theme, tickText(v), x(v), h - 5 * u);
  if (t === 0) return;
  const taken = run.drawn[t - 1];
  const r = 3.4 * Math.sqrt(u);
  const rows = new Map();
  const chosen = beat !== "pool";
  /** @param {number} i */
  const wish = i => (hurts ? run.y[i] : Math.sign(before.f[i]) || 1) * before.f[i];
  const spots = poolOf(run, t)
    .map(i => ({ i, v: wish(i), x: 0, y: 0, r, positive: run.y[i] > 0 }))
    .sort((a, b) => a.v - b.v);
  for (const spot of spots) {
    // as close to the line as there is room
    const column = Math.round(x(clamp(spot.v, x.d0, FAR)) / (2 * r));
    const level = rows.get(column) ?? 0;
    rows.set(column, level + 1);
    spot.x = x(clamp(spot.v, x.d0, FAR));
    spot.y = clamp(middle + (level % 2 ? 1 : -1) * Math.ceil(level / 2) * 2.1 * r, 8, axis - 4);
  }
  marks(g, theme, spots.length, k => spots[k], false);
  const one = spots.find(s => s.i === taken);
  if (!one || !chosen) return;
  ring(g, theme, one.x, one.y, 8);
  marks(g, theme, 1, () => ({ ...one, r: 4 }));
  const said = `${hurts ? "y f̄" : "|f̄|"} = ${decimals(one.v, 3)}`;
  flag(g, theme, said, one.x, 15 * u, one.x < w - 150 * u, 16);
}

// On the plane those in the pool are outlined: they could have come.
/** @param {Pen} g @param {View} view @param {Plane} plane */
export function poolOnPlane(g, { run, theme, told: t, mask }, plane) {
  const taken = t > 0 && run.arrived[t] > 0 ? run.drawn[t - 1] : -1;
  for (const i of t > 0 ? poolOf(run, t) : []) {
    if (!mask[i] || i === taken) continue;
    const [x, y] = [plane.x(run.points[2 * i]), plane.y(run.points[2 * i + 1])];
    const positive = run.y[i] > 0;
    const unit = Math.sqrt(theme.unit);
    mark(g, positive, x, y, 5 * unit, theme.bg);
    stroke(g, theme.ink, 1.75);
    mark(g, positive, x, y, 2 * unit, colorOf(theme, positive));
  }
}

// A tick for every arrival, up for +1 and down for -1; the newcomer ringed. Returns where a step
// lies.
/** @param {Sheet} sheet @param {View} view */
export function paintArrivals(sheet, { run, theme, t, told, beat, slow }) {
  const { g, w, h, u } = open(sheet, theme);
  const x = scale(1, Math.max(run.T, 2), 10, w - 12);
  const middle = h / 2;
  const tall = Math.min(12 * u, middle - 6);
  const wide = clamp((x(2) - x(1)) * 0.6, 1, 3);
  column(g, 0, middle - tall - 3, w, 2 * tall + 6, theme.side);
  for (const [alpha, from, to] of [
    [1, 1, t],
    [0.22, t + 1, run.T],
  ])
    for (const positive of [true, false]) {
      g.globalAlpha = alpha;
      g.fillStyle = colorOf(theme, positive);
      for (let s = from; s <= to; s++)
        if (run.arrived[s] > 0 && run.y[run.drawn[s - 1]] > 0 === positive)
          g.fillRect(x(s) - wide / 2, positive ? middle - tall : middle + 1, wide, tall - 1);
    }
  g.globalAlpha = 1;
  for (const s of run.segments.slice(1)) tip(g, x(s.start), 7 * u, 4 * u, 1 - 7 * u, theme.ink);
  if (t === 0) return x.back;
  const came = told && run.arrived[t] > 0;
  if (came && beat !== "pool") ring(g, theme, x(t), middle, 6);
  else rule(g, x(t), 2, x(t), h - 2, theme.ui, 1.25);
  const name = `point ${told && run.drawn[t - 1] + 1}`;
  const wordings = came
    ? [`${name} enters, number ${run.seen[t]}`, `${name} enters`, name]
    : run.streams && told
      ? [`all ${run.seen[t]} have arrived`, `all ${run.seen[t]} are here`]
      : [];
  /** @type {Look} */
  const look = { size: 13.5, weight: 700, color: theme.now, base: "middle", halo: theme.side };
  const [before, after] = [x(t) - 18, w - x(t) - 18]; // px to its sides
  const flip = after < before && !fitting(g, theme, after, wordings.slice(0, 1), look);
  const words = slow ? fitting(g, theme, flip ? before : after, wordings, look) : "";
  if (words)
    text(g, theme, words, x(t) + (flip ? -16 : 16), middle, {
      ...look,
      align: flip ? "right" : "left",
    });
  return x.back;
}
