// The mechanism of the dual solvers: every α as a bar in its box [0, C], sorted, what moved in the
// accent; and below it the primal above the dual, which rises towards it until the gap is closed.

import { significant } from "../../engine/words.js";
import { isBoxed, nameOf } from "../../engine/losses.js";
import { support } from "../../engine/scores.js";
import { error, number, optimum } from "../../stage/code.js";
import { between, column, gridlines, line, rule, Sheet, text, tip } from "../../canvas/draw.js";
import { find } from "../../canvas/elements.js";
import { clamp, decades, logScale, scale, short, ticks, tickText } from "../../canvas/scales.js";
import { Caption, spread } from "../../canvas/labels.js";
import { all } from "../../stage/light.js";

const SAMPLES = 400;

/** @implements {Machinery} */
export class Mechanism {
  /** @type {number[]} */ order = [];
  /** @type {number[]} */ times = [];
  /** @type {number[]} */ primal = [];
  /** @type {number[]} */ dual = [];
  /** @type {number[]} */ tops = []; // the largest α of each segment
  high = 0;
  low = 0;

  /** @param {HTMLElement} section */
  constructor(section) {
    section.innerHTML = `<h3><b>Boxes</b> <span class="caption"></span></h3><div class="view boxes"></div>
      <h3><b>Primal above dual</b> <span class="caption"></span></h3><div class="view beats" data-title="Duality"></div>`;
    this.boxes = new Sheet(find(section, ".boxes"), "Every dual coefficient as a bar in its box");
    this.duality = new Sheet(find(section, ".beats"), "Primal and dual objective over the steps");
    this.sheets = [this.boxes, this.duality];
    const captions = /** @type {HTMLElement[]} */ ([...section.querySelectorAll(".caption")]);
    const [boxes, duality] = captions.map(element => new Caption(element));
    this.caption = boxes;
    duality.say(
      "P(w) and D(α): the optimum lies between",
      "the optimum lies between",
      "optimum between",
    );
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

  /** @param {string} name */
  where(name) {
    return name === "alphas" ? [all(this.boxes)] : name === "gap" ? [all(this.duality)] : [];
  }

  /** @param {View} view @param {boolean} loud */
  paint(view, loud) {
    if (this.boxes.visible) this.paintBoxes(view);
    if (!loud) return;
    const C = 1 / (view.segment.params.lam * view.now.count);
    const a = view.run.residual ? "|α|" : "α";
    this.caption.say(
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
    const g = this.boxes.begin();
    const { w, h } = this.boxes;
    const u = theme.unit;
    const left = 46 * u;
    const bottom = h - 44 * u;
    const top = 12 * u;
    const C = 1 / (segment.params.lam * now.count);
    const sorted = (shown < 1 ? before : after).coef;
    /** @param {number} i */
    const size = i => Math.abs(sorted[i]);
    const boxed = isBoxed(segment.params.loss);
    /** @param {number} i */
    const rank = i => (boxed && size(i) >= C * (1 - 1e-9) ? 2 : size(i) > C * 1e-12 ? 1 : 0);
    const order = this.order
      .filter(i => mask[i])
      .sort((i, j) => rank(j) - rank(i) || (rank(i) === 1 ? size(j) - size(i) : 0) || i - j);
    const x = scale(0, order.length, left, w);
    const y = scale(0, boxed ? C : this.tops[s], bottom, top);
    const step = x(1) - x(0);
    const gap = step > 3.5 ? 1 : step > 2 ? 0.5 : 0;
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
    if (boxed) {
      rule(g, left, y(C), w, y(C), theme.optimum, 1.75, [6, 4]);
      text(g, theme, "C", left - 8, y(C), {
        weight: 600,
        color: theme.ink,
        align: "right",
        base: "middle",
      });
    } else
      gridlines(
        g,
        theme,
        ticks(0, this.tops[s], 3).filter(v => v > 0),
        y,
        left,
        w,
      );
    rule(g, left, y(0), w, y(0), theme.ghost);
    text(g, theme, "0", left - 8, y(0), { color: theme.muted, align: "right", base: "middle" });
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
    if (!told && boxed && order.some(i => size(i) > C * (1 + 1e-9))) {
      text(
        g,
        theme,
        "above C: the next step scales all into the smaller box",
        w - 4,
        top + 18 * u,
        {
          align: "right",
        },
      );
    }
    if (!slow || !told) return;
    drawn.forEach((i, k) => {
      const words =
        `i = ${i + 1}: α ${amount(before.coef[i])}` +
        (before.coef[i] === after.coef[i] ? " stays" : ` → ${amount(after.coef[i])}`);
      text(
        g,
        theme,
        drawn.length > 1 && k ? words.replace("i", "j") : words,
        w - 4,
        top + (18 + 19 * k) * u,
        { size: 13.5, weight: 700, color: theme.now, align: "right", halo: theme.bg },
      );
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
    const g = this.duality.begin();
    const { w, h } = this.duality;
    const u = theme.unit;
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
    for (const v of decades(1, run.T, 6))
      text(g, theme, tickText(v), x(v), bottom + 18 * u, { color: theme.muted, align: "center" });
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
    const ends = [
      { name: "primal", y: at(this.primal.at(-1)) },
      { name: "dual", y: at(this.dual.at(-1)) },
    ];
    const best = run.segments.at(-1).optimum;
    if (best)
      ends.splice(1, 0, { name: "optimum", y: clamp(at(best.value), ends[0].y, ends[1].y) });
    for (const e of spread(ends, 17 * u, 8 * u, bottom - 4 * u))
      text(g, theme, e.name, right + 6, e.y, {
        size: 13.5,
        weight: 650,
        color: e.name === "optimum" ? theme.optimum : theme.ink,
        base: "middle",
        halo: theme.bg,
      });
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
  g.font = `400 ${13.5 * u}px ${theme.font}`;
  [`${counts[0]} at C`, `${counts[1]} ${between}`, `${counts[2]} at 0`].forEach((words, k) => {
    const count = counts[k];
    const a = x(from) + 1;
    const b = x(from + count) - 1;
    from += count;
    if (!count) return;
    line(
      g,
      [
        [a, y - 4],
        [a, y],
        [b, y],
        [b, y - 4],
      ],
      theme.ghost,
    );
    const half = g.measureText(words).width / 2;
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
