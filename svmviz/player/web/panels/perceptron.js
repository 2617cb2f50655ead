// The mechanism of the Perceptron: the stream of one pass, a lane for each class, with its
// mistakes; and below it the margin that each example had when it came.

import { error, number } from "../stage/code.js";
import { colorOf, column, gridlines, ring, rule, text } from "../canvas/draw.js";
import { clamp, scale, ticks, tickText } from "../canvas/scales.js";
import { widthOf } from "../canvas/labels.js";
import { Board } from "./parts/board.js";
import { drawnAt } from "./parts/live.js";
import { counted, decimals, plural } from "../engine/words.js";
import { centred, flag, open, side } from "./parts/axis.js";

/** @type {Panel["symbols"]} */
export const symbols = () => ({ value: "mistakes so far", curve: "mistakes" });
/** @type {Panel["metrics"]} */
export const metrics = () => ({ objective: "Mistakes" });
/** @type {Panel["solid"]} */
// curves are dashed from here on: no guarantee (paper, Figure 2)
export const solid = run => run.counts[0];

/** @implements {Machinery} */
export class Mechanism extends Board {
  high = 0;
  low = 0;

  /** @param {HTMLElement} section */
  constructor(section) {
    super(
      section,
      {
        title: "Stream",
        view: "stream",
        label: "The examples of this pass in order, with the mistakes",
      },
      {
        title: "Margin when it came",
        view: "beats",
        tab: "Margins",
        label: "Margin of each example when it was seen",
        words: [
          "y⟨w, x⟩ under the w of that moment: not above 0 is a mistake",
          "y⟨w, x⟩: not above 0 is a mistake",
          "not above 0 is a mistake",
          "y⟨w, x⟩",
        ],
      },
    );
    this.stream = this.sheets[0];
    this.margins = this.sheets[1];
  }

  // Limits come from the whole trace, never from the step; what lies beyond ends at the edge.
  /** @param {Run} run */
  prepare(run) {
    const sorted = Float32Array.from(run.margin).sort();
    /** @param {number} p */
    const q = p => sorted[Math.round(p * (sorted.length - 1))] ?? 0;
    this.high = Math.max(q(0.97), 0.1);
    this.low = Math.min(q(0.01), -this.high / 3);
  }

  // The steps of the pass that step t belongs to, and where each stands.
  /** @param {View} view @param {number} w @param {number} left */
  pass({ run, t, beat }, w, left) {
    const count = run.count(t);
    const number = run.pass[Math.max(t, 1)];
    const from = (number - 1) * count;
    const to = Math.min(from + count, run.T);
    const x = scale(from + 0.5, from + count + 0.5, left, w);
    return {
      count,
      number,
      from,
      to,
      x,
      wide: Math.max(x(1) - x(0) - (count < 200 ? 1 : 0), 1),
      /** @param {number} s */
      seen: s => s < t || (s === t && beat !== "draw"),
    };
  }

  /** @param {View} view @param {boolean} loud */
  paint(view, loud) {
    if (this.stream.visible) this.paintStream(view);
    if (this.margins.visible) this.paintMargins(view);
    if (!loud) return;
    const number = view.run.pass[view.t] ?? 1;
    this.captions[0].say(
      ...(number > 1
        ? [
            `pass ${number} in order: the guarantee was for the first`,
            `pass ${number}: no guarantee any more`,
            `pass ${number}`,
          ]
        : [
            "the first pass in order: tall is a mistake, short is none",
            "first pass: tall is a mistake",
            "tall: a mistake",
          ]),
    );
  }

  /** @param {View} view */
  facts({ run, t, done }) {
    return [
      `${plural(run.objective[done], "mistake")} so far`,
      t ? `margin ${decimals(run.margin[run.first[t]], 2)} now` : "",
    ];
  }

  /** @param {View} view */
  paintStream(view) {
    const { run, theme, t, done } = view;
    const { g, w, h, u } = open(this.stream, theme);
    const left = 42 * u;
    const { count, from, to, x, wide, seen, number: which } = this.pass(view, w - 4, left);
    const made = run.objective[done];
    const head = 52 * u;
    const middle = head + (h - head - 26 * u) / 2;
    const tall = (h - head - 26 * u) / 2 - 6;
    const large = { size: 34, weight: 700, color: theme.ink };
    const beyond = left + widthOf(g, theme, counted(made), large) + 8;
    text(g, theme, counted(made), left, 34 * u, large);
    text(g, theme, made === 1 ? "mistake" : "mistakes", beyond, 34 * u, { size: 15 });
    const most = run.bound && Math.floor(run.bound.value.at(-1));
    const bound = run.bound && `at most ${most} in the first ${run.bound.t.at(-1)} steps`;
    const promise = which > 1 ? `pass ${which}: no guarantee` : "";
    const words = promise || (bound && `bound: ${w < 460 * u ? most : bound}`);
    const color = promise ? theme.ink2 : theme.bound;
    /** @type {Look} */
    const look = { size: 13.5, weight: 650, color, align: "right" };
    if (words) text(g, theme, words, w - 4, 34 * u, look);
    side(g, theme, "+1", left, middle - tall / 2);
    side(g, theme, "−1", left, middle + tall / 2);
    rule(g, left, middle, w - 4, middle, theme.ghost);
    for (let s = from + 1; s <= to; s++) {
      const e = run.first[s];
      const up = run.y[run.drawn[e]] > 0;
      const wrong = run.delta[e] !== 0;
      const past = seen(s);
      const size = past && wrong ? tall : tall * 0.22;
      const color = !past ? theme.hair : s === t ? theme.now : colorOf(theme, up);
      g.globalAlpha = past && !wrong && s !== t ? 0.5 : 1;
      column(g, x(s) - wide / 2, up ? middle - 2 - size : middle + 2, wide, size, color);
    }
    g.globalAlpha = 1;
    if (t > 0)
      ring(g, theme, x(t), middle + (run.y[run.drawn[run.first[t]]] > 0 ? -1 : 1) * tall * 0.22, 7);
    const place = `place in the pass of ${counted(count)}`;
    const room = w - widthOf(g, theme, place) - 24 * u;
    for (const v of ticks(1, count, 6))
      if (v >= 1 && x(from + v) < room) centred(g, theme, tickText(v), x(from + v), h - 6 * u);
    text(g, theme, place, w - 4, h - 6 * u, { align: "right" });
  }

  /** @param {View} view */
  paintMargins(view) {
    const { run, theme, t, slow } = view;
    const { g, w, h, u } = open(this.margins, theme);
    const left = 42 * u;
    const { from, to, x, wide, seen } = this.pass(view, w - 4, left);
    const y = scale(this.low, this.high, h - 6, 8);
    gridlines(g, theme, ticks(this.low, this.high, 4), y, left, w - 4);
    for (let s = from + 1; s <= to && seen(s); s++) {
      const e = run.first[s];
      const m = clamp(run.margin[e], this.low, this.high);
      const own = run.delta[e] ? colorOf(theme, run.y[run.drawn[e]] > 0) : theme.hair;
      const size = Math.max(Math.abs(y(m) - y(0)), 1.5);
      column(g, x(s) - wide / 2, Math.min(y(0), y(m)), wide, size, s === t ? theme.now : own);
    }
    rule(g, left, y(0), w - 4, y(0), theme.ink, 1.25);
    if (t === 0 || !slow || !seen(t)) return;
    const m = run.margin[run.first[t]];
    const end = y(clamp(m, this.low, this.high)) + (m > 0 ? -8 : 18 * u);
    const at = clamp(end, 16 * u, h - 8);
    flag(g, theme, `m = ${decimals(m, 2)}`, x(t), at, x(t) < w - 120 * u);
  }
}

/** @type {Panel["numbers"]} */
export function numbers(view) {
  const { run, t, now } = view;
  return [
    ["mistakes", counted(run.objective[t])],
    ["pass", String(run.pass[t])],
    ["‖w‖", number(now.norm)],
    error(view),
  ];
}

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  if (t === 0) return { t: 0 };
  return {
    ...drawnAt(run, t),
    hits: +(run.delta[run.first[t]] !== 0),
    mistakes: run.objective[t],
    pass: run.pass[t],
    n: run.count(t),
  };
}
