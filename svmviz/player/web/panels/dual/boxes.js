// The mechanism of the dual solvers: every α as a bar in its box [0, C], sorted, what moved in the
// accent; and below it the primal above the dual, which rises towards it until the gap is closed.

import { significant } from "../../engine/words.js";
import { isBoxed, nameOf } from "../../engine/losses.js";
import { support } from "../../engine/scores.js";
import { error, number, optimum } from "../../stage/code.js";
import { between, column, gridlines, rule, text, tip } from "../../canvas/draw.js";
import { clamp, decades, logScale, scale, short, ticks, tickText } from "../../canvas/scales.js";
import { spread, widthOf } from "../../canvas/labels.js";
import { Board } from "../parts/board.js";
import { endLook, endsOf } from "../parts/ends.js";
import { ceiling, centred, clasp, flag, open, side } from "../parts/axis.js";

const SAMPLES = 400;

/** @implements {Machinery} */
export class Mechanism extends Board {
  /** @type {number[]} */ order = [];
  /** @type {number[]} */ times = [];
  /** @type {number[]} */ primal = [];
  /** @type {number[]} */ dual = [];
  /** @type {number[]} */ tops = []; // the largest α of each segment
  high = 0;
  low = 0;

  /** @param {HTMLElement} section */
  constructor(section) {
    super(
      section,
      {
        title: "Boxes",
        view: "boxes",
        label: "Every dual coefficient as a bar in its box",
        lights: ["alphas"],
      },
      {
        title: "Primal above dual",
        view: "beats",
        tab: "Duality",
        label: "Primal and dual objective over the steps",
        words: [
          "P(w) and D(α): the optimum lies between",
          "the optimum lies between",
          "optimum between",
        ],
        lights: ["gap"],
      },
    );
    this.boxes = this.sheets[0];
    this.duality = this.sheets[1];
  }

  // Limits come from the whole trace, never from the step.
  /** @param {Run} run */
  prepare(run) {
    this.order = Array.from({ length: run.n }, (_, i) => i);
    this.times = [
      ...new Set(
        Array.from({ length: SAMPLES }, (_, k) => Math.round(run.T ** (k / (SAMPLES - 1)))),
      ),
    ];
    this.primal = this.times.map(t => run.objective[t]);
    this.dual = this.times.map(t => run.objective[t] - run.gap[t]);
    this.tops = tops(run);
    this.high = Math.max(...this.primal) * 1.25;
    this.low =
      clamp(Math.min(...this.dual.filter(v => v > 0)), this.high / 300, this.high / 10) * 0.8;
  }

  /** @param {View} view @param {boolean} loud */
  paint(view, loud) {
    if (this.boxes.visible) this.paintBoxes(view);
    if (!loud) return;
    const C = 1 / (view.segment.params.lam * view.now.count);
    const a = view.run.residual ? "|α|" : "α";
    this.captions[0].say(
      ...(isBoxed(view.segment.params.loss)
        ? [
            `every ${a} from 0 to C = 1/(λn) = ${+C.toPrecision(3)}, sorted`,
            `every ${a} from 0 to C = 1/(λn), sorted`,
            `every ${a} from 0 to C, sorted`,
          ]
        : [`every ${a} from 0 on, sorted: the ${nameOf(view.segment.params.loss)} has no C`]),
      `every ${a}, sorted`,
    );
    if (this.duality.visible) this.paintDuality(view);
  }

  /** @param {View} view */
  facts({ run, now: { coef, count }, t, s }) {
    const primal = run.at("objective", t, s);
    return [
      `${support(coef)} of ${count} above 0`,
      `primal ${short(primal)}, dual ${short(primal - run.at("gap", t, s))}`,
    ];
  }

  /** @param {View} view */
  paintBoxes({
    run,
    theme,
    told,
    now,
    before,
    after,
    shown,
    segment,
    s,
    drawn,
    mask,
    slow,
    values,
  }) {
    const { g, w, h, u } = open(this.boxes, theme);
    const left = 46 * u;
    const bottom = h - 44 * u;
    const top = 12 * u;
    const C = 1 / (segment.params.lam * now.count);
    const sorted = (shown < 1 ? before : after).coef;
    /** @param {number} i */
    const size = i => Math.abs(sorted[i]);
    const boxed = isBoxed(segment.params.loss);
    const rank = rankIn(sorted, C, boxed);
    const order = byRank(
      this.order.filter(i => mask[i]),
      size,
      rank,
    );
    const x = scale(0, order.length, left, w);
    const y = scale(0, boxed ? C : this.tops[s], bottom, top);
    const step = x(1) - x(0);
    const gap = spacing(step);
    const place = new Map(drawn.map(i => [i, order.indexOf(i)]));
    /** @param {number} i */
    const up = i => (run.residual ? now.coef[i] : run.y[i]) > 0;
    /** @param {number} a */
    const amount = a => short(run.residual ? a : Math.abs(a));
    for (const positive of [true, false]) {
      g.beginPath();
      order.forEach((i, k) => {
        const a = Math.abs(now.coef[i]);
        if (up(i) === positive && a > 0 && !place.has(i))
          g.rect(x(k), y(a), step - gap, y(0) - y(a));
      });
      g.fillStyle = positive ? theme.plus : theme.minus;
      g.fill();
    }
    const levels = boxed ? [] : ticks(0, this.tops[s], 3).filter(v => v > 0);
    gridlines(g, theme, levels, y, left, w);
    if (boxed) ceiling(g, theme, left, y(C), w);
    rule(g, left, y(0), w, y(0), theme.ghost);
    side(g, theme, "0", left, y(0));
    for (const [i, k] of place) {
      // what moves: its bar, where it stood, and a mark below
      const wide = Math.max(step - gap, 3.5);
      const middle = x(k) + (step - gap) / 2;
      const from = Math.abs(before.coef[i]);
      const top = y(Math.abs(now.coef[i]));
      column(g, middle - wide / 2, top, wide, y(0) - top, theme.now);
      if (shown > 0 && before.coef[i] !== after.coef[i])
        rule(g, middle - wide / 2 - 4, y(from), middle + wide / 2 + 4, y(from), theme.ink, 2);
      tip(g, middle, y(0) + 3, 5 * u, 11 * u - 3, theme.now);
    }
    brackets(g, theme, order, rank, x, y(0) + 16 * u, boxed ? "inside" : "above 0");
    const smaller = "above C: the next step scales all into the smaller box";
    if (!told && boxed && order.some(i => size(i) > C * (1 + 1e-9)))
      text(g, theme, smaller, w - 4, top + 18 * u, { align: "right" });
    if (!slow || !told) return;
    drawn.forEach((i, k) => {
      const [old, now] = [before.coef[i], after.coef[i]];
      const moved = old === now ? " stays" : ` → ${amount(now)}`;
      const words = `${k ? "j" : "i"} = ${i + 1}: α ${amount(old)}${moved}`;
      flag(g, theme, words, w - 4, top + (18 + 19 * k) * u, false, 0);
    });
    if (values.hits)
      text(g, theme, "– where it stood", w - 4, top + (18 + 19 * drawn.length) * u, {
        color: theme.ink2,
        align: "right",
        halo: theme.bg,
      });
  }

  /** @param {View} view */
  paintDuality({ run, theme, done, segment, of }) {
    const { g, w, h, u } = open(this.duality, theme);
    const left = 46 * u;
    const right = w - 66 * u;
    const bottom = h - 24 * u;
    const x = logScale(1, Math.max(run.T, 2), left, right);
    const y = logScale(this.low, this.high, bottom, 6);
    const { times } = this;
    /** @param {number} v */
    const at = v => Math.min(y(Math.max(v, this.low)), bottom);
    const cut = done > 0 ? x(done) : left;
    gridlines(g, theme, decades(this.low, this.high, 4), y, left, right);
    for (const v of decades(1, run.T, 6)) centred(g, theme, tickText(v), x(v), bottom + 18 * u);
    text(g, theme, "step", w, bottom + 18 * u, { align: "right" });
    const [primal, dual] = [this.primal, this.dual].map(values =>
      times.map((s, k) => [x(s), at(values[k])]),
    );
    between(g, theme, primal, dual, { left, cut, right, h }, 2.5);
    run.segments.forEach(({ optimum, start }, s) => {
      if (!optimum) return;
      const end = x(run.segments[s + 1]?.start ?? run.T);
      const level = at(optimum.value);
      rule(g, x(Math.max(1, start)), level, end, level, theme.optimum, 1.75, [6, 4]);
    });
    const gap = of("gap", done);
    const D = of("objective", done) - gap;
    const best = run.segments.at(-1).optimum;
    const ends = endsOf(at(this.primal.at(-1)), at(this.dual.at(-1)), best && at(best.value));
    for (const e of spread(ends, 17 * u, 8 * u, bottom - 4 * u))
      text(g, theme, e.name, right + 6, e.y, endLook(theme, e.name));
    rule(g, cut, 4, cut, bottom, theme.ui, 1.25);
    const words = `gap ${gap > 0 ? significant(gap, 2) : "0"}`;
    const flip = cut > right - 90 * u;
    text(g, theme, words, cut + (flip ? -8 : 8), clamp(at(D) + 20 * u, 16 * u, bottom - 8), {
      size: 13.5,
      weight: 700,
      color: theme.ink,
      align: flip ? "right" : "left",
      halo: theme.bg,
    });
    if (segment.label)
      text(g, theme, segment.label, x(segment.start) + 6, bottom - 8, {
        color: theme.ink2,
        halo: theme.bg,
      });
    for (const s of run.segments.slice(1))
      rule(g, x(s.start), 6, x(s.start), bottom, theme.ghost, 1, [2, 3]);
  }
}

// The largest α of each segment, for an axis that ends there.
/** @param {Run} run */
function tops(run) {
  const coef = new Float64Array(run.n);
  const found = run.segments.map(() => 0);
  for (let t = 1; t <= run.T; t++) {
    const factor = 1 - run.shrink[t];
    const s = run.segment_of[t];
    if (factor !== 1) for (let i = 0; i < run.n; i++) coef[i] *= factor;
    for (let e = run.first[t]; e < run.first[t + 1]; e++) {
      coef[run.drawn[e]] += run.delta[e];
      found[s] = Math.max(found[s], Math.abs(coef[run.drawn[e]]));
    }
  }
  return found.map(top => top || 1);
}

// px between bars that stand so far apart.
/** @param {number} step */
export const spacing = step => (step > 3.5 ? 1 : step > 2 ? 0.5 : 0);

// 2 for a coefficient at C, 1 inside its box, 0 at 0; without a box none is at C.
/** @param {Indexed} coef @param {number} C @param {boolean} [boxed] */
export const rankIn =
  (coef, C, boxed = true) =>
  /** @param {number} i */
  i => {
    const a = Math.abs(coef[i]);
    return boxed && a >= C * (1 - 1e-9) ? 2 : a > C * 1e-12 ? 1 : 0;
  };

// Those at C first, then those inside from the largest on; equal ones as they come.
/** @typedef {(i: number) => number} OfRow */
/** @param {number[]} rows @param {OfRow} size @param {OfRow} rank */
export const byRank = (rows, size, rank) =>
  rows.sort((i, j) => rank(j) - rank(i) || (rank(i) === 1 ? size(j) - size(i) : 0));

/**
 * @param {Pen} g
 * @param {Theme} theme
 * @param {number[]} order
 * @param {(i: number) => number} rank
 * @param {Scale} x
 * @param {number} y
 * @param {string} [between]
 */
export function brackets(g, theme, order, rank, x, y, between = "inside") {
  // how many lie at C, inside and at 0
  const u = theme.unit;
  const counts = [2, 1, 0].map(r => order.filter(i => rank(i) === r).length);
  /** @type {{ words: string, half: number, at: number }[]} */
  const labels = [];
  const apart = 14 * u;
  let from = 0;
  let free = x(0);
  [`${counts[0]} at C`, `${counts[1]} ${between}`, `${counts[2]} at 0`].forEach((words, k) => {
    const count = counts[k];
    const a = x(from) + 1;
    const b = x(from + count) - 1;
    from += count;
    if (!count) return;
    clasp(g, a, b, y, -4, theme.ghost);
    const half = widthOf(g, theme, words, { size: 13.5 }) / 2;
    const at = Math.max((a + b) / 2, free + half);
    free = at + half + apart;
    labels.push({ words, half, at });
  });
  let limit = x(order.length);
  for (const label of labels.toReversed()) {
    // the words of narrow brackets at the right end move to the left
    label.at = Math.min(label.at, limit - label.half);
    limit = label.at - label.half - apart;
  }
  for (const { words, at } of labels)
    text(g, theme, words, at, y + 19 * u, { size: 13.5, align: "center" });
}

/** @type {Panel["numbers"]} */
export function numbers(view) {
  const { run, t, segment, now, of } = view;
  const dual = of("objective", t) - of("gap", t);
  return [
    ["primal P(w)", number(now.primal)],
    ["dual D(α)", number(dual)],
    ["optimum P*", optimum(run, segment)],
    error(view),
  ];
}
