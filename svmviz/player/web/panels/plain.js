// The panel of a solver that brings none of its own: the coefficient of every example, and the
// quantities that the solver counts as small curves, first of all the margin that each example had
// when it was drawn.
//
// A panel of a solver's own says what differs from this one.

import { nameOf } from "../engine/losses.js";
import { support } from "../engine/scores.js";
import { counted, decimals, group } from "../engine/words.js";
import { error, number, optimum } from "../stage/code.js";
import { colorOf, column, dot, line, rule, text } from "../canvas/draw.js";
import { clamp, scale } from "../canvas/scales.js";
import { fitting } from "../canvas/labels.js";
import { Board, linked } from "./parts/board.js";
import { drawnAt } from "./parts/live.js";
import { biased } from "./pegasos/hinge.js";
import { open, side } from "./parts/axis.js";

// What a solver records under the name of a letter.
/** @type {Record<string, string>} */
const GREEK = { tau: "τ", eta: "η", gamma: "γ", lam: "λ", nu: "ν" };

const MOST = 4; // small curves
/** @param {number} v */
const readable = v =>
  group(Number.isInteger(v) ? String(v) : decimals(v, Math.abs(v) < 100 ? 3 : 1));
/** @param {Numbers} values */
const varies = values => values.some(v => v !== values[1]);
// what stays as it is needs no curve
/** @param {Run} run */
const own = run =>
  run.own.flatMap(name => {
    const values = run.array(name);
    return values && varies(values.subarray(1)) ? [{ name, values }] : [];
  });
/** @param {Run} run */
const primal = run => run.solver.objective === "primal";
/** @param {Run} run */
// the margin after slack, which has an optimum, too
const level = run => run.solver.objective === "level";

/** @type {Panel["CHANGE"]} */
export const CHANGE = [];
export const SECOND = "";
export const KEY = "";
export const WIDE = 1;
export const EVEN = false;
export const PROVEN = "";
/** @type {Panel["series"]} */
export const series = {};
/** @type {Panel["finish"]} */
export const finish = () => {};
/** @type {Panel["facts"]} */
export const facts = () => ({});
/** @type {Panel["ringed"]} */
export const ringed = (run, t) => [...run.drawn.subarray(run.first[t], run.first[t + 1])];
/** @type {Panel["formula"]} */
export const formula = ({ run, segment: { params, waves } }) => {
  const f = params.kernel.kind || waves ? "Σ α[j] y[j] K(x[j], x)" : "⟨w, x⟩";
  return [`f(x) = ${f}${biased(run) ? " + b" : ""}`, "f(x)"];
};
/** @type {Panel["usual"]} */
export const usual = () => "suboptimality";
/** @type {Panel["solid"]} */
export const solid = run => run.T;

// What an objective that is not P is called: the mean loss, or what the solver counts itself.
/** @param {Run} run */
const aim = ({ solver: { objective }, segments }) =>
  objective === "hinge"
    ? `mean ${nameOf(segments[0].params.loss)}`
    : objective.replaceAll("_", " ");
/** @type {Panel["symbols"]} */
export const symbols = run =>
  primal(run)
    ? { value: "P(w)", star: "P*", gap: "P(w) − P*" }
    : level(run)
      ? { value: "γ(w)", star: "γ*", gap: "γ* − γ(w)" }
      : run.solver.objective === "hinge"
        ? { value: "over all examples" }
        : { value: `${aim(run)} so far`, curve: aim(run) };
/** @type {Panel["metrics"]} */
export const metrics = run => ({
  ...(!primal(run) && { objective: aim(run)[0].toUpperCase() + aim(run).slice(1) }),
});

/** @implements {Machinery} */
export class Mechanism extends Board {
  /** @type {{ name: string, value: (t: number) => number, limits: number[] }[]} */ rows = [];
  /** @type {number[]} */ order = [];
  most = 0;
  /** @type {Scale} */ x;

  /** @param {HTMLElement} section @param {Stage} stage */
  constructor(section, stage) {
    super(
      section,
      {
        title: "Coefficients",
        view: "coefficients",
        label: "The coefficient of each example",
        lights: ["alphas"],
      },
      {
        title: "Step by step",
        view: "beats",
        tab: "Curves",
        label: "The margin of the example drawn, and what the solver counts",
        words: ["what the solver counts, over all steps", "over all steps"],
      },
    );
    this.bars = this.sheets[0];
    this.curves = this.sheets[1];
    linked(stage, this.bars, event => this.at(event.offsetX));
  }

  // Limits come from the whole trace, never from the step.
  /** @param {Run} run */
  prepare(run) {
    /** @param {Numbers} values */
    const limits = values =>
      values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [0, 0]);
    this.rows = [
      { name: "margin", value: t => run.margin[run.first[t]], limits: limits(run.margin) },
      ...own(run)
        .slice(0, MOST - 1)
        .map(({ name, values }) => ({
          name,
          value: (/** @type {number} */ t) => values[t],
          limits: limits(values),
        })),
    ];
    this.order = [...Array(run.n).keys()].sort((a, b) => run.y[b] - run.y[a] || a - b);
    this.most = 1e-12;
  }

  /** @param {number} x */
  at(x) {
    return this.x ? (this.order[Math.round(this.x.back(x))] ?? -1) : -1;
  }

  /** @param {View} view @param {boolean} loud */
  paint(view, loud) {
    if (this.bars.visible) this.paintBars(view);
    if (this.curves.visible) this.paintCurves(view);
    if (!loud) return;
    const there = support(view.now.coef);
    this.captions[0].say(
      `α of each example: ${there} of ${counted(view.run.n)} hold w up`,
      `${there} of ${view.run.n} hold w up`,
      `${there}`,
    );
  }

  /** @param {View} view */
  facts({ now: { coef }, t, run }) {
    return [
      `${support(coef)} coefficients are not 0`,
      t ? `margin ${readable(run.margin[run.first[t]])} now` : "",
    ];
  }

  /** @param {View} view */
  paintBars({ run, theme, now, drawn, linked, mask }) {
    const { g, w, h, u } = open(this.bars, theme);
    const left = 46 * u;
    const positives = this.order.findIndex(i => run.y[i] < 0);
    const x = (this.x = scale(-0.5, run.n - 0.5, left, w - 2));
    const wide = Math.max(((w - left) / run.n) * 0.8, 1);
    for (const v of now.coef) this.most = Math.max(this.most, Math.abs(v));
    const y = scale(-this.most * 0.12, this.most, h - 22 * u, 10);
    rule(g, left, y(0), w, y(0), theme.ink, 1.25);
    side(g, theme, readable(this.most), left, y(this.most), { base: "top" });
    side(g, theme, "0", left, y(0));
    this.order.forEach((i, k) => {
      if (!mask[i]) return;
      const a = run.y[i] * now.coef[i];
      const high = y(clamp(a, y.d0, y.d1));
      const least = drawn.includes(i) || i === linked ? 3 : 0; // px, of whom the eye looks for
      const width = Math.max(wide, least);
      const tall = Math.max(Math.abs(high - y(0)), least || 0.5);
      const rest = i === linked ? theme.ui : colorOf(theme, run.y[i] > 0);
      const color = drawn.includes(i) ? theme.now : rest;
      column(g, x(k) - width / 2, Math.min(high, y(0)), width, tall, color);
    });
    for (const { from, to, color, words } of [
      { from: 0, to: positives, color: theme.plus_text, words: "+1" },
      { from: positives, to: run.n, color: theme.minus_text, words: "−1" },
    ]) {
      if (to > from)
        text(g, theme, words, (x(from - 0.5) + x(to - 0.5)) / 2, h - 6 * u, {
          color,
          weight: 650,
          align: "center",
        });
    }
  }

  /** @param {View} view */
  paintCurves({ run, theme, t, told }) {
    const { g, w, h, u } = open(this.curves, theme);
    const left = 108 * u;
    const right = w - 70 * u;
    const each = h / this.rows.length;
    const x = scale(1, Math.max(run.T, 2), left, right);
    const every = Math.max(1, Math.floor(run.T / (2 * (right - left))));
    this.rows.forEach(({ name, value, limits: [low, high] }, k) => {
      const y = scale(low, high > low ? high : low + 1, (k + 1) * each - 6, k * each + 8);
      const title = fitting(g, theme, left - 12, [GREEK[name] ?? name.replaceAll("_", " ")]);
      text(g, theme, title, 0, k * each + each / 2, { weight: 600, base: "middle" });
      rule(g, left, y(0), right, y(0), theme.grid);
      for (const { from, to, color } of [
        { from: 1, to: told || t, color: theme.ink },
        { from: Math.max(t, 1), to: run.T, color: theme.hair },
      ]) {
        const points = [];
        for (let s = from; s <= to; s += every) points.push([x(s), y(value(s))]);
        if (points.length > 1) line(g, points, color, 1.4);
      }
      if (t === 0) return;
      dot(g, x(t), y(value(t)), 3.4, theme.now);
      text(g, theme, readable(value(t)), w, k * each + each / 2, {
        weight: 650,
        color: theme.now,
        align: "right",
        base: "middle",
      });
    });
  }
}

/** @type {Panel["numbers"]} */
export function numbers(view) {
  const { run, segment, now, of, t } = view;
  const first = primal(run)
    ? [
        ["objective P(w)", number(now.primal)],
        ["optimum P*", optimum(run, segment)],
      ]
    : level(run)
      ? [
          [
            "level γ(w)",
            number(of(segment.params.iterate === "average" ? "objective_average" : "objective", t)),
          ],
          ["optimum γ*", optimum(run, segment)],
        ]
      : [
          [
            aim(run),
            run.solver.objective === "hinge" ? number(now.hinge) : readable(run.objective[t]),
          ],
        ];
  return [...first, ["‖w‖", number(now.norm)], error(view)];
}

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  const n = run.count(t);
  if (t === 0) return { t, n };
  const counted = Object.fromEntries(run.own.map(name => [name, run.array(name)?.[t] ?? 0]));
  return {
    ...drawnAt(run, t),
    n,
    hits: +(run.delta[run.first[t]] !== 0),
    before: before.norm,
    norm: after.norm,
    ...counted,
    [run.solver.objective]: run.objective[t],
  };
}
