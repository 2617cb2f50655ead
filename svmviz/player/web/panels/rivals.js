// SIMBA beside Pegasos and the Perceptron: the error over features read, the mean of several runs
// with a band, and the run on the stage on top. Computed after the first picture: the player asks
// for it once a run is on screen.

import { counted } from "../engine/words.js";
import { dot, gridlines, line, rule, text } from "../canvas/draw.js";
import { clamp, decades, logScale } from "../canvas/scales.js";
import { axisNumbers, Labels, sides, spread, widthOf } from "../canvas/labels.js";
import { side } from "./parts/axis.js";

const FLOOR = 5e-4; // what is less stands at the bottom, as 0
/** @param {number} v */
const share = v => `${+(100 * v).toPrecision(2)} %`;

/** @typedef {{ x: Scale, at(v: number): number, right: number, bottom: number }} Axes */
/** @typedef {Axes & { theme: Theme, u: number, labels: Labels }} Framed */

export const rivals = {
  axis: "features_read", // the only one that it is drawn over
  /** @param {Run} run */
  words({ rivals: found }) {
    if (!found)
      return [
        "over features read, beside Pegasos and the Perceptron",
        "beside Pegasos and the Perceptron",
        "over features read",
      ];
    const on = found.unseen ? `${counted(found.n_test)} unseen rows` : "the rows themselves";
    return [
      `${found.runs} runs each, on ${on}; λ = ${found.lam}`,
      `${found.runs} runs each, on ${on}`,
      `${found.runs} runs each`,
    ];
  },
  /** @param {Pen} g @param {Curves} curves @param {View} view */
  paint(g, curves, view) {
    const { run, theme, t } = view;
    const { rivals: found } = run;
    const { w, h } = curves.sheet;
    const u = theme.unit;
    if (!found) {
      curves.stage.want("rivals");
      Object.assign(curves, { x: undefined }); // no step lies anywhere yet
      return text(g, theme, "computing ten runs of each …", 52 * u, 40 * u, {
        size: 14,
        color: theme.muted,
      });
    }
    const left = 48 * u;
    const right = w - (w < 320 * u ? 80 : 92) * u;
    const bottom = h - 24 * u;
    const axis = run.axes.features_read;
    const last = Math.max(found.reads.at(-1), axis(run.T));
    const x = logScale(Math.min(found.reads[0], axis(1)), last, left, right);
    const top = Math.max(0.02, ...found.own.error, ...found.curves.flatMap(c => c.high));
    const y = logScale(FLOOR, Math.min(0.6, top * 1.25), bottom, 8);
    /** @param {number} v */
    const at = v => clamp(y(Math.max(v, FLOOR)), 8, bottom);
    Object.assign(curves, { left, right, bottom, x, key: null });
    const levels = [0.001, 0.01, 0.1, 0.5].filter(v => v <= y.d1);
    gridlines(g, theme, levels, y, left, right, share);
    side(g, theme, "0", left, bottom);
    rule(g, left, bottom, right, bottom, theme.ghost);
    const reads = decades(x.d0, x.d1, 6);
    for (const v of reads) rule(g, x(v), bottom, x(v), bottom + 4, theme.ghost);
    const room = w - widthOf(g, theme, "features read") - 8 * u;
    axisNumbers(g, theme, reads, x, bottom + 18 * u, 0, room);
    text(g, theme, "features read", w, bottom + 18 * u, { align: "right" });
    const labels = new Labels(g, theme, { left, right: w, bottom });
    if (found.whole <= last)
      rule(g, x(found.whole), 8, x(found.whole), bottom, theme.ghost, 1.25, [4, 4]);
    const frame = { theme, x, at, right, bottom, u, labels };
    this.bands(g, found, frame);
    const { t: times, error } = found.own;
    const course = times.map((s, k) => [x(axis(s)), at(error[k])]);
    line(g, course, theme.ink, 2.5);
    if (t > 0) rule(g, x(axis(t)), 6, x(axis(t)), bottom, theme.ui, 1.25);
    this.gain(g, found.gain, frame);
    const whole = x(found.whole);
    /** @type {Place[]} */
    const beside = [18, 36].flatMap(y => sides(whole, 6, [y * u]).reverse());
    if (found.whole <= last) labels.put("whole table", { color: theme.muted }, ...beside);
    if (t < 1) return;
    const k = times.findLastIndex(s => s <= t);
    const px = x(axis(t));
    const py = at(error[k]);
    dot(g, px, py, 4.5, theme.ink, theme.bg);
    const heights = [-9, 20, -27, 38].map(down => clamp(py + down * u, 14 * u, bottom - 6));
    const look = { size: 13.5, weight: 700, color: theme.ink };
    labels.put(share(error[k]), look, ...sides(px, 8, heights));
  },

  // The band of each solver, its mean, and its name where the mean ends.
  /** @param {Pen} g @param {Rivals} found @param {Framed} frame */
  bands(g, found, { theme, x, at, right, bottom, u, labels }) {
    const looks = [
      { color: theme.ink, dash: [], faint: 0.14 },
      { color: theme.floor, dash: [], faint: 0.22 },
      { color: theme.floor, dash: [6, 4], faint: 0.12 },
    ];
    /** @type {{ name: string, color: string, y: number }[]} */
    const ends = [];
    found.curves.forEach(({ name, mean, low, high }, k) => {
      const there = found.reads.map((_, j) => j).filter(j => mean[j] !== null);
      const { color, dash, faint } = looks[k];
      /** @param {number[]} values */
      const line_of = values => there.map(j => [x(found.reads[j]), at(values[j])]);
      g.beginPath();
      [...line_of(high), ...line_of(low).toReversed()].forEach(([px, py], j) =>
        j ? g.lineTo(px, py) : g.moveTo(px, py),
      );
      g.globalAlpha = faint;
      g.fillStyle = color;
      g.fill();
      g.globalAlpha = 1;
      line(g, line_of(mean), color, k ? 2 : 1.4, dash);
      ends.push({ name, color: k ? theme.ink2 : theme.ink, y: at(mean[there.at(-1)]) });
    });
    for (const { name, color, y } of spread(ends, 16 * u, 8 * u, bottom - 6 * u))
      labels.must(name, { size: 13.5, weight: 650, color, base: "middle" }, [right + 6, y]);
  },

  // How many times less SIMBA reads for an error that both come down to.
  /** @param {Pen} g @param {Rivals["gain"]} found @param {Framed} frame */
  gain(g, found, { theme, x, at, u, labels }) {
    if (!found) return;
    const a = x(found.simba);
    const b = x(found.pegasos);
    const py = at(found.error);
    const ratio = found.pegasos / found.simba;
    if (Math.abs(b - a) < 24 * u) return;
    rule(g, a, py, b, py, theme.now, 1.75);
    for (const px of [a, b]) rule(g, px, py - 5, px, py + 5, theme.now, 1.75);
    const times = ratio > 1 ? ratio : 1 / ratio;
    const middle = (a + b) / 2;
    /** @type {Place[]} */
    const places = [17, -8].flatMap(down => [
      [middle, py + down * u, "center"],
      [Math.max(a, b), py + down * u, "right"],
    ]);
    const words = `${times.toFixed(times < 10 ? 1 : 0)} × ${ratio > 1 ? "less" : "more"} read`;
    labels.put(words, { size: 13.5, weight: 700, color: theme.now }, ...places);
  },
};
