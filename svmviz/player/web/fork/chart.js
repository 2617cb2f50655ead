// One measure of both runs over the steps: one line up to the fork, then A and B. Click to jump.

import { decimals, significant } from "../engine/words.js";
import { dot, gridlines, line, rule, Sheet, text } from "../canvas/draw.js";
import { dragged } from "../canvas/elements.js";
import { axisNumbers, Labels } from "../canvas/labels.js";
import { Layers } from "../canvas/layers.js";
import { clamp, logScale, scale, ticks, tickText } from "../canvas/scales.js";

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

export class ForkChart {
  /** @type {Measure} */ measure;
  /** @type {Fork} */ fork;
  /** @type {Scale} */ x;
  /** @type {Scale} */ y;
  key = "";
  logarithmic = false;
  T = 1;
  /** @type {Theme} */ theme;

  /** @param {HTMLElement} box @param {Stage} stage */
  constructor(box, stage) {
    this.sheet = new Sheet(box, "A measure of both runs over the steps");
    this.layers = new Layers(this.sheet);
    dragged(
      this.sheet.canvas,
      event => this.x && stage.seek(Math.round(clamp(this.x.back(event.offsetX), 0, this.T))),
      () => stage.report(),
    );
  }

  /** @param {Fork} fork @param {Measure} measure @param {number} T */
  prepare(fork, measure, T) {
    Object.assign(this, { fork, measure, T, key: "" });
  }

  /** @param {Theme} theme @param {number} t */
  paint(theme, t) {
    const { sheet, measure, fork } = this;
    const g = sheet.begin();
    const key = [sheet.w, sheet.h, sheet.ratio, theme.unit].join();
    if (key !== this.key || theme !== this.theme) {
      Object.assign(this, { key, theme });
      this.scales();
      this.layers.paint((pen, faint) => this.layer(pen, faint));
    }
    const x = this.x(t);
    this.layers.show(g, x);
    rule(g, x, 4, x, this.y.r0, theme.ui, 1.25);
    const { w } = sheet;
    const labels = new Labels(g, theme, { left: this.x.r0, right: w, bottom: this.y.r0 });
    const [a, b] = [measure.a(t), measure.b(t)];
    const apart = t > fork.t;
    const heights = [a, b].map(v => clamp(this.y(v), this.y.r1, this.y.r0));
    const rise = heights[0] <= heights[1] ? -9 : 18;
    if (apart) {
      this.hollow(g, x, heights[0]);
      this.say(
        labels,
        `A ${valued(a, measure.share)}`,
        x,
        heights[0] + rise * theme.unit,
        theme.slate,
      );
    }
    dot(g, x, heights[1], 5, theme.ink, theme.bg);
    const words = `${apart ? "B " : ""}${valued(b, measure.share)}`;
    this.say(labels, words, x, heights[1] + (rise < 0 ? 18 : -9) * theme.unit, theme.ink);
    sheet.call(
      `${measure.name} after step ${t}: A ${valued(a, measure.share)}, B ${valued(b, measure.share)}; they part after step ${fork.t}`,
    );
  }

  /**
   * @param {Labels} labels
   * @param {string} words
   * @param {number} x
   * @param {number} y
   * @param {string} color
   */
  say(labels, words, x, y, color) {
    labels.must(words, { size: 13.5, weight: 700, color }, [x + 10, y], [x - 10, y, "right"]);
  }

  // The mark of A: a square that is not filled.
  /** @param {Pen} g @param {number} x @param {number} y */
  hollow(g, x, y) {
    const corners = [
      [-4.5, -4.5],
      [4.5, -4.5],
      [4.5, 4.5],
      [-4.5, 4.5],
      [-4.5, -4.5],
    ].map(([dx, dy]) => [x + dx, y + dy]);
    g.fillStyle = this.theme.bg;
    g.fillRect(x - 4.5, y - 4.5, 9, 9);
    line(g, corners, this.theme.slate, 2);
  }

  // Logarithmic where nothing is 0 and the largest is many times the least. The wild first steps
  // set no limits.
  scales() {
    const { sheet, measure, theme, T } = this;
    const u = theme.unit;
    let [low, high] = [Infinity, 0];
    for (const of of [measure.a, measure.b])
      for (let t = Math.max(1, Math.min(Math.ceil(T * WILD), this.fork.t)); t <= T; t++) {
        const v = of(t);
        if (!Number.isFinite(v)) continue;
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
    if (!(high > low)) [low, high] = [Math.min(low, 0), Math.max(high, 1)];
    this.x = scale(0, T, 46 * u, sheet.w - 22 * u);
    const bottom = sheet.h - 22 * u;
    this.logarithmic = !measure.share && low > 0 && high / low > 4;
    this.y = this.logarithmic
      ? logScale(low * 0.85, high * 1.15, bottom, 24 * u)
      : scale(Math.min(0, low), high * 1.08, bottom, 24 * u);
  }

  /** @param {Pen} g @param {boolean} faint */
  layer(g, faint) {
    const { theme, measure, fork, x, y, T, sheet } = this;
    const u = theme.unit;
    const heights = this.logarithmic ? rounds(y.d0, y.d1) : ticks(y.d0, y.d1, 4);
    gridlines(
      g,
      theme,
      heights,
      y,
      x.r0,
      x.r1,
      measure.share ? v => `${tickText(Math.round(1000 * v) / 10)} %` : tickText,
    );
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
    this.flag(g);
    const ends = [measure.a(T), measure.b(T)].map(v => clamp(y(v), y.r1, y.r0));
    const gap = 15 * u;
    const lift = Math.abs(ends[0] - ends[1]) < gap ? (ends[0] < ends[1] ? -gap / 2 : gap / 2) : 0;
    const middle = (ends[0] + ends[1]) / 2;
    text(g, theme, "A", x.r1 + 7, lift ? middle + lift : ends[0], {
      weight: 700,
      color: theme.slate,
      base: "middle",
    });
    text(g, theme, "B", x.r1 + 7, lift ? middle - lift : ends[1], {
      weight: 700,
      color: theme.ink,
      base: "middle",
    });
  }

  // Where they part, and by what.
  /** @param {Pen} g */
  flag(g) {
    const { theme, fork, x, y } = this;
    const u = theme.unit;
    const at = x(fork.t);
    const words =
      fork.differences
        .map(({ name, speaks, a, b }) => `${speaks ? "" : `${name} `}${a} → ${b}`)
        .join(", ") || "the fork";
    g.font = `650 ${13 * u}px ${theme.font}`;
    const wide = g.measureText(words).width + 16 * u;
    const left = Math.max(x.r0, Math.min(at, x.r1 - wide));
    rule(g, at, 2, at, y.r0, theme.ui, 1.5);
    g.fillStyle = theme.ui;
    g.fillRect(left, 2, wide, 19 * u);
    text(g, theme, words, left + 8 * u, 12 * u, { weight: 650, color: theme.bg, base: "middle" });
  }
}
