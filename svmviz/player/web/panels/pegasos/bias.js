// The mechanism of Pegasos with a bias: the loss with every point on it, and below it what every b
// would cost with w as it stands, where b is, and where the search still looks for it.

import { decimals } from "../../engine/words.js";
import { dot, gridlines, line, rule, text } from "../../canvas/draw.js";
import { clamp, scale, ticks } from "../../canvas/scales.js";
import { axisNumbers, Labels, sides } from "../../canvas/labels.js";
import { Board } from "../parts/board.js";
import { drawnAt } from "../parts/live.js";
import { HINGE, Hinge, paying } from "./hinge.js";
import { flag, open } from "../parts/axis.js";

const PIECES = 96; // of the curve
const ALIKE = 1e-5; // margins, of which the first is named, see bias/story.py

// The mean loss of those at work, were the bias b instead.
/** @param {View} view @param {number} b */
function costs({ run, now, mask, segment, drawn, told }, b) {
  const some = told && segment.params.method === "best for the batch" ? drawn : null;
  let total = 0;
  let count = 0;
  /** @param {number} i */
  const add = i => {
    total += Math.max(0, 1 - run.y[i] * (now.f[i] - now.b + b));
    count++;
  };
  if (some) some.forEach(add);
  else for (let i = 0; i < run.n; i++) if (mask[i]) add(i);
  return count ? total / count : 0;
}

/** @implements {Machinery} */
export class Mechanism extends Board {
  low = -1;
  high = 1;

  /** @param {HTMLElement} section */
  constructor(section) {
    super(section, HINGE, {
      title: "What b costs",
      view: "beats",
      tab: "Bias",
      label: "The mean loss for every bias, with w as it stands",
    });
    this.hinge = new Hinge(this);
    this.sheet = this.sheets[1];
  }

  // Limits come from the whole trace, never from the step.
  /** @param {Run} run */
  prepare(run) {
    this.hinge.prepare(run);
    let most = 0;
    for (const b of run.array("b") ?? []) most = Math.max(most, Math.abs(b));
    const reach = Math.ceil(2 * (most + 1)) / 2;
    [this.low, this.high] = [-reach, reach];
  }

  /** @param {View} view */
  facts(view) {
    return [paying(view), `b = ${decimals(view.now.b, 3)}`];
  }

  /** @param {View} shown @param {boolean} loud */
  paint(shown, loud) {
    const view = { ...shown, ...shown.last };
    if (this.hinge.sheet.visible) this.hinge.paint(view);
    if (this.sheet.visible) this.paintCosts(view);
    if (!loud) return;
    const batch = view.told && view.segment.params.method === "best for the batch";
    const whom = batch ? `the ${view.drawn.length} points drawn` : "all points";
    const words = `mean loss of ${whom}`;
    this.captions[1].say(`${words} for every b, with w as it stands`, words, whom);
  }

  /** @param {View} view */
  paintCosts(view) {
    const { theme, now, run, done, segment } = view;
    const { g, w, h, u } = open(this.sheet, theme);
    const left = 42 * u;
    const bottom = h - 28 * u;
    const x = scale(this.low, this.high, left, w - 12 * u);
    const at = Array.from(
      { length: PIECES + 1 },
      (_, k) => this.low + (k / PIECES) * (this.high - this.low),
    );
    const values = at.map(b => costs(view, b));
    const most = 1 + this.high;
    const y = scale(0, most, bottom, 8 * u);
    if (segment.params.method === "outer search" && done > 0) {
      const ends = [run.array("low")?.[done] ?? this.low, run.array("high")?.[done] ?? this.high];
      const [a, b] = ends.map(v => x(clamp(v, this.low, this.high)));
      g.fillStyle = theme.band;
      g.fillRect(a, 8 * u, Math.max(b - a, 2), bottom - 8 * u);
    }
    gridlines(g, theme, ticks(0, most, 3), y, left, w);
    axisNumbers(g, theme, ticks(this.low, this.high, 7), x, h - 10 * u, 0, w - 20 * u);
    text(g, theme, "b", w, h - 10 * u, { align: "right", weight: 650 });
    const curve = at.map((b, k) => [x(b), y(Math.min(values[k], most))]);
    line(g, curve, theme.ink, 2);
    const best = at[values.indexOf(Math.min(...values))];
    rule(g, x(best), y(Math.min(...values)), x(best), bottom, theme.ghost, 1.25, [3, 3]);
    const labels = new Labels(g, theme, { left, right: w, bottom });
    const { optimum } = segment;
    /** @type {[string, number, number[]][]} */
    const stars = optimum ? [["b*", optimum.b, [6, 4]]] : [];
    if (optimum?.beside) stars.push([optimum.beside.name, optimum.beside.b, [2, 4]]);
    for (const [words, b, dash] of stars) {
      if (b < this.low || b > this.high) continue;
      rule(g, x(b), 8 * u, x(b), bottom, theme.optimum, 1.5, dash);
      const look = { weight: 600, color: theme.optimum };
      labels.put(words, look, ...sides(x(b), 6, [bottom - 8 * u, 40 * u]));
    }
    const here = clamp(now.b, this.low, this.high);
    rule(g, x(here), 8 * u, x(here), bottom, theme.now, 1.5);
    dot(g, x(here), y(Math.min(costs(view, now.b), most)), 4.5 * u, theme.now);
    flag(g, theme, `b = ${decimals(now.b, 3)}`, x(here), 22 * u, x(here) < w - 120 * u);
  }
}

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  const segment = run.segment(t);
  const n = run.count(t);
  if (t === 0) return { t: 0, n };
  const first = run.first[t];
  const { k } = segment;
  /** @param {string} name */
  const own = name => run.array(name)?.[t] ?? 0;
  const local = own("local");
  const eta = 1 / (segment.params.lam * local);
  const margins = run.margin.slice(first, first + k);
  const lowest = margins.reduce((least, m) => Math.min(least, m), Infinity);
  const worst = first + margins.findIndex(m => m <= lowest + ALIKE);
  let hits = 0;
  for (let e = first; e < first + k; e++) hits += +(run.delta[e] !== 0);
  return {
    ...drawnAt(run, t, worst),
    n,
    k,
    hits,
    eta,
    eta_k: eta / k,
    shrink: 1 - 1 / local,
    norm: after.norm,
    b: own("b"),
    low: own("low"),
    high: own("high"),
  };
}
