// Primal above, dual below, the gap a band between them, all divided by C t; the exact optimum
// dashed. And the mean suboptimality so far, which the theorems bound.

import { significant } from "../../engine/words.js";
import { between, gridlines, line, rule } from "../../canvas/draw.js";
import { clamp, logScale, scale, ticks } from "../../canvas/scales.js";
import { axisNumbers, Labels, sides, spread } from "../../canvas/labels.js";
import { endLook, endsOf } from "../parts/ends.js";

const STEPS = [1, 2, 5];
const ROUNDED = 1e-12; // of a gap: what rounding may do

// The exact optimum at step t, between the steps where it was computed.
/** @param {Run} run @param {number} t */
export function optimumAt({ tracked }, t) {
  if (!tracked) return NaN;
  const k = tracked.t.findIndex(s => s >= t);
  if (k < 0) return tracked.value.at(-1);
  if (k === 0 || tracked.t[k] === t) return tracked.value[k];
  const [a, b] = [tracked.t[k - 1], tracked.t[k]];
  const u = (t - a) / (b - a);
  return tracked.value[k - 1] + u * (tracked.value[k] - tracked.value[k - 1]);
}

/** @param {Run} run */
function limits(run) {
  // from the whole run, never from the step
  if (run.bandLimits) return run.bandLimits;
  const low = [];
  let high = 0;
  for (let t = 1; t <= run.T; t++) {
    high = Math.max(high, run.objective[t]);
    const dual = run.objective[t] - run.gap[t];
    if (dual > 0) low.push(dual);
  }
  low.sort((a, b) => a - b);
  const least = low[Math.floor(low.length * 0.02)] ?? high / 10;
  return (run.bandLimits = [clamp(least, high / 200, high / 1.5) * 0.9, high * 1.1]);
}

/** @type {Series} */
export const band = {
  words: () => [
    "P and D of w̄ on the examples seen, per example, divided by C t; " +
      "dashed the optimum, within 0.0001",
    "P and D of w̄ on the examples seen, divided by C t; dashed: optimum",
    "P and D of w̄ divided by C t; dashed: optimum",
    "P and D of w̄ divided by C t",
    "P and D",
  ],
  /** @param {Run} run @param {number} t */
  value: (run, t) => run.objective[t],
  /** @param {Pen} g @param {Curves} curves @param {View} view */
  paint(g, curves, view) {
    const { run, theme, t, of } = view;
    const { sheet } = curves;
    const { w, h } = sheet;
    const u = theme.unit;
    const [low, high] = limits(run);
    const axis = run.axes[curves.axes.x];
    const left = 44 * u;
    const right = w - 76 * u;
    const bottom = h - 24 * u;
    const x = scale(0, Math.max(axis(run.T), 1e-9), left, right);
    Object.assign(curves, { left, right, bottom, x, key: null });
    const y = logScale(low, high, bottom, 8);
    /** @param {number} v */
    const at = v => clamp(y(Math.max(v, low)), 8, bottom);
    const cut = t > 0 ? x(axis(t)) : left;
    const round = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.log10(high); e++)
      round.push(...STEPS.map(m => m * 10 ** e).filter(v => v >= low && v <= high));
    gridlines(g, theme, round.length > 2 ? round : ticks(low, high, 4), y, left, right);
    axisNumbers(g, theme, ticks(0, x.d1, 5), x, bottom + 18 * u, 0, curves.ticksEnd);
    const every = Math.max(1, Math.ceil(run.T / 700));
    const times = [];
    for (let s = 1; s <= run.T; s += every) times.push(s);
    if (times.at(-1) !== run.T) times.push(run.T);
    const primal = times.map(s => [x(axis(s)), at(run.objective[s])]);
    const dual = times.map(s => [x(axis(s)), at(run.objective[s] - run.gap[s])]);
    between(g, theme, primal, dual, { left, cut, right, h }, 2.2);
    const { tracked } = run;
    const best = tracked?.t.map((s, k) => [x(axis(s)), at(tracked.value[k])]) ?? [];
    line(g, best, theme.optimum, 1.75, [6, 4]);
    for (const s of run.segments.slice(1))
      rule(g, x(axis(s.start)), 8, x(axis(s.start)), bottom, theme.ghost, 1, [2, 3]);
    const labels = new Labels(g, theme, { left, right: w, bottom });
    const end = optimumAt(run, run.T);
    const ends = endsOf(primal.at(-1)[1], dual.at(-1)[1], Number.isNaN(end) ? null : at(end));
    for (const e of spread(ends, 17 * u, 8 * u, bottom - 6 * u))
      labels.must(e.name, endLook(theme, e.name), [right + 6, e.y]);
    if (t > 0) {
      rule(g, cut, 4, cut, bottom, theme.ui, 1.25);
      const v = of("gap", t);
      const py = clamp(at(of("objective", t)) - 10, 16 * u, bottom - 20);
      const words = `gap ${Math.abs(v) > ROUNDED ? significant(v, 2) : "0"}`;
      labels.must(words, { size: 13.5, weight: 700, color: theme.ink }, ...sides(cut, 8, [py]));
    }
    for (const s of run.segments.slice(1)) {
      const heights = [bottom - 8, bottom - 26 * u, 16 * u];
      const places = sides(x(axis(s.start)), 6, heights);
      labels.put(s.label, { weight: 650, color: theme.ink }, ...places);
    }
  },
};

/** @type {Series} */
export const regret = {
  name: "mean so far",
  words: () => [
    "mean over the rounds so far of (P_t − P*_t)/(C t): what the theorem bounds, in expectation",
    "mean so far of (P_t − P*_t)/(C t): what the theorem bounds",
    "mean so far of (P_t − P*_t)/(C t)",
    "mean so far",
  ],
  /** @param {Run} run @param {number} t */
  value(run, t) {
    if (!run.regret) {
      run.regret = new Float64Array(run.T + 1);
      for (let s = 1, sum = 0; s <= run.T; s++)
        run.regret[s] = (sum += Math.max(0, run.objective[s] - optimumAt(run, s))) / s;
    }
    return run.regret[t] || 0;
  },
};
