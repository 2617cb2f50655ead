// One measure of both runs over the steps: one line up to the fork, then A and B. Click to jump.

import { decimals, significant } from "../engine/words.js";
import { Chart } from "../canvas/chart.js";
import { dot, line, text } from "../canvas/draw.js";
import { dragged } from "../canvas/elements.js";
import { axisNumbers, sides, widthOf } from "../canvas/labels.js";
import { clamp, logScale, percent, scale, ticks, tickText } from "../canvas/scales.js";

/** @typedef {{ name: string, words: string, share: boolean, a: (t: number) => number, b: (t: number) => number }} Measure */

const WILD = 0.02; // of the steps

// 1, 2 and 5 times powers of ten.
/** @param {number} low @param {number} high */
function rounds(low, high) {
  const found = [];
  for (let e = Math.floor(Math.log10(low)); 10 ** e <= high; e++)
    for (const m of [1, 2, 5])
      if (m * 10 ** e >= low && m * 10 ** e <= high) found.push(m * 10 ** e);
  return found.length > 7 ? found.filter(v => Math.abs(Math.log10(v) % 1) < 1e-9) : found;
}

/** @param {number} v @param {boolean} share */
export const valued = (v, share) => (share ? `${decimals(100 * v, 1)} %` : significant(v, 3));

export class ForkChart extends Chart {
  /** @type {Measure} */ measure;
  /** @type {Fork} */ fork;
  logarithmic = false;
  T = 1;

  /** @param {HTMLElement} box @param {Stage} stage */
  constructor(box, stage) {
    super(box, "A measure of both runs over the steps");
    dragged(
      this.sheet.canvas,
      event => this.x && stage.seek(Math.round(clamp(this.x.back(event.offsetX), 0, this.T))),
      () => stage.report(),
    );
  }

  /** @param {Fork} fork @param {Measure} measure @param {number} T */
  prepare(fork, measure, T) {
    Object.assign(this, { fork, measure, T, key: null });
  }

  /** @param {Theme} theme @param {number} t */
  paint(theme, t) {
    const { sheet, measure, fork } = this;
    this.begin(theme);
    this.refresh();
    const { g } = this;
    const x = this.x(t);
    this.stand(x, 4);
    const labels = this.labels();
    /** @param {string} words @param {number} y @param {string} color */
    const say = (words, y, color) =>
      labels.must(words, { size: 13.5, weight: 700, color }, ...sides(x, 10, [y]));
    const [a, b] = [measure.a(t), measure.b(t)];
    const [saidA, saidB] = [a, b].map(v => valued(v, measure.share));
    const apart = t > fork.t;
    const heights = [a, b].map(v => clamp(this.y(v), this.y.r1, this.y.r0));
    const rise = heights[0] <= heights[1] ? -9 : 18;
    if (apart) {
      this.hollow(x, heights[0]);
      say(`A ${saidA}`, heights[0] + rise * theme.unit, theme.slate);
    }
    dot(g, x, heights[1], 5, theme.ink, theme.bg);
    const down = (rise < 0 ? 18 : -9) * theme.unit;
    say(`${apart ? "B " : ""}${saidB}`, heights[1] + down, theme.ink);
    sheet.call(
      `${measure.name} after step ${t}: A ${saidA}, B ${saidB}; they part after step ${fork.t}`,
    );
  }

  // The mark of A: a square that is not filled.
  /** @param {number} x @param {number} y */
  hollow(x, y) {
    const { g, theme } = this;
    const corners = [
      [-4.5, -4.5],
      [4.5, -4.5],
      [4.5, 4.5],
      [-4.5, 4.5],
      [-4.5, -4.5],
    ].map(([dx, dy]) => [x + dx, y + dy]);
    g.fillStyle = theme.bg;
    g.fillRect(x - 4.5, y - 4.5, 9, 9);
    line(g, corners, theme.slate, 2);
  }

  // Logarithmic where nothing is 0 and the largest is many times the least. The wild first steps
  // set no limits.
  layout() {
    const { sheet, measure, T, u } = this;
    let [low, high] = [Infinity, 0];
    for (const of of [measure.a, measure.b])
      for (let t = Math.max(1, Math.min(Math.ceil(T * WILD), this.fork.t)); t <= T; t++) {
        const v = of(t);
        if (!Number.isFinite(v)) continue;
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
    if (!(high > low)) [low, high] = [Math.min(low, 0), Math.max(high, 1)];
    const [left, right, bottom] = [46 * u, sheet.w - 22 * u, sheet.h - 22 * u];
    Object.assign(this, { left, right, bottom });
    this.x = scale(0, T, left, right);
    this.logarithmic = !measure.share && low > 0 && high / low > 4;
    this.y = this.logarithmic
      ? logScale(low * 0.85, high * 1.15, bottom, 24 * u)
      : scale(Math.min(0, low), high * 1.08, bottom, 24 * u);
  }

  /** @param {boolean} faint */
  layer(faint) {
    const { g, theme, measure, fork, x, y, T, sheet, right, u } = this;
    const heights = this.logarithmic ? rounds(y.d0, y.d1) : ticks(y.d0, y.d1, 4);
    this.rows(heights, measure.share ? percent : tickText);
    axisNumbers(g, theme, ticks(0, T, 6), x, sheet.h - 5 * u, 0, sheet.w - 40 * u);
    text(g, theme, "steps", sheet.w, sheet.h - 5 * u, { align: "right", color: theme.muted });
    g.globalAlpha = faint ? 0.3 : 1;
    /** @param {(t: number) => number} of @param {number} from @param {number} to */
    const path = (of, from, to) => {
      const points = [];
      for (let t = from; t <= to; t++)
        if (Number.isFinite(of(t))) points.push([x(t), clamp(y(of(t)), y.r1 - 4, y.r0)]);
      return points;
    };
    line(g, path(measure.a, Math.min(fork.t, T), T), theme.slate, 1.75);
    line(g, path(measure.b, 1, T), theme.ink, 2.25);
    g.globalAlpha = 1;
    this.flag();
    const ends = [measure.a(T), measure.b(T)].map(v => clamp(y(v), y.r1, y.r0));
    const gap = 15 * u;
    const lift = Math.abs(ends[0] - ends[1]) < gap ? (ends[0] < ends[1] ? -gap / 2 : gap / 2) : 0;
    const middle = (ends[0] + ends[1]) / 2;
    /** @type {Look} */
    const look = { weight: 700, base: "middle" };
    const places = lift ? [middle + lift, middle - lift] : ends;
    text(g, theme, "A", right + 7, places[0], { ...look, color: theme.slate });
    text(g, theme, "B", right + 7, places[1], { ...look, color: theme.ink });
  }

  // Where they part, and by what.
  flag() {
    const { g, theme, fork, u } = this;
    const at = this.x(fork.t);
    const words =
      fork.differences
        .map(({ name, speaks, a, b }) => `${speaks ? "" : `${name} `}${a} → ${b}`)
        .join(", ") || "the fork";
    const wide = widthOf(g, theme, words, { weight: 650 }) + 16 * u;
    const left = Math.max(this.left, Math.min(at, this.right - wide));
    this.upright(at, 2, theme.ui, 1.5);
    g.fillStyle = theme.ui;
    g.fillRect(left, 2, wide, 19 * u);
    text(g, theme, words, left + 8 * u, 12 * u, { weight: 650, color: theme.bg, base: "middle" });
  }
}
