// The budget as a rack: a slot for every support vector, its coefficient as a bar, or one per
// class, and a dashed slot for the one too many. Under each slot a line for its age, the number of
// its point or vector, and how many mergings are in it; above it its picture, where it is one.

import { arrow, colorOf, column, mark, rule, stroke, text } from "../../canvas/draw.js";
import { clamp, short } from "../../canvas/scales.js";
import { Labels, widthOf } from "../../canvas/labels.js";
import { pictureOf, portraitOf } from "../../canvas/pixels.js";
import { isFree } from "../../engine/losses.js";
import { sizeOf, vectorOf } from "../../engine/scores.js";
import { MERGED, markOf, nameOf } from "../../engine/own/table.js";
import { centred, open } from "../parts/axis.js";

/** @typedef {{ coming: number[] | null }} Coming what two become */

const LEAST = 5.5; // pixels of a bar, if every class is to have its own

export class Rack {
  /** @type {number[]} */ rows = [];
  step = 0;
  few = false;
  /** @type {string[]} */ says = [];

  /** @param {Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
  }

  /** @param {number} px */
  at(px) {
    const k = Math.floor(px / this.step);
    return px >= 0 && k < (this.rows?.length ?? 0) ? this.rows[k] : -1;
  }

  /** @param {BudgetView} view @param {number} asked */
  paint(view, asked) {
    const { theme, rows, state, event, midst, run, segment, beat, taken, t, linked } = view;
    const { g, w, h, u } = open(this.sheet, theme);
    const low = h > 130 * u ? 56 * u : 40 * u;
    const bottom = h - low;
    const top = 4;
    const budgeted = segment.params.maintenance !== "none";
    const slots = budgeted ? Math.max(segment.params.B + 1, rows.length) : rows.length;
    const step = Math.min(w / Math.max(slots, 1), 44 * u);
    const pad = step > 12 ? 2 : 0.5;
    const acts = midst ? event : null;
    const merging = acts?.kind === MERGED;
    const [m, n] = acts ? [rows.indexOf(acts.m), rows.indexOf(acts.n)] : [-1, -1];
    const gone = midst && beat === "take" ? Number(taken) : 0;
    const picture =
      run.image && step > 13 ? Math.min(step - 2 * pad - 2, (bottom - top) * 0.42) : 0;
    const head = top + (picture && picture + 2);
    const middle = (head + bottom) / 2;
    const vectors = rows.map(row => vectorOf(run, state, row));
    const coming = merging ? acts.becomes : null;
    const tall = (bottom - head) / 2 - (run.scores > 1 ? 11 : 8);
    const most = [...vectors, coming ?? []].reduce(
      (best, v) => v.reduce((b, a) => Math.max(b, Math.abs(a)), best),
      1e-12,
    );
    const few = run.scores > 1 && (step * 0.8) / run.scores < LEAST;
    const close = clamp((gone - 0.6) / 0.4, 0, 1);
    /** @param {number} k */
    // the slot that is left closes at the end
    const left = k => (k - (m >= 0 && k > m ? close : 0)) * step;
    Object.assign(this, { rows, step, few });
    const marks = rows.map(row => markOf(run, row));
    const named = marks.every(mark => widthOf(g, theme, mark, { weight: 700 }) < step - 2 * pad);
    const counted = step > 26 * u && low > 50 * u;
    const says =
      run.scores === 1
        ? ["coefficient of each slot over the largest", "coefficient of each slot"]
        : few
          ? ["highest and lowest coefficient of each slot", "highest and lowest α"]
          : ["coefficients of each slot by class", "α by class"];
    this.says = [...says.map(words => `${words}, oldest first`), "oldest first"];
    /** @param {number} k @param {string} color @param {number} width @param {number[]} [dash] */
    const box = (k, color, width, dash = []) => {
      g.beginPath();
      g.roundRect(left(k) + pad, top, step - 2 * pad, bottom - top, 4);
      stroke(g, color, width, dash);
    };
    const places = budgeted ? segment.params.B : slots; // whoever stands further on is too many
    if (step > 9) for (let k = 0; k < slots; k++) box(k, theme.hair, 1, k < places ? [] : [4, 3]);
    if (step > 15 && rows.length <= places && places < slots)
      centred(g, theme, "+1", (places + 0.5) * step, bottom + 20 * u);
    rule(g, 0, middle, slots * step, middle, theme.ghost);
    rows.forEach((row, k) => {
      const plays = k === m || k === n;
      const center = left(k) + step / 2;
      if (plays) column(g, left(k) + pad, top, step - 2 * pad, bottom - top, theme.band);
      const values =
        k === n && coming ? vectors[k].map((v, c) => v + gone * (coming[c] - v)) : vectors[k];
      g.globalAlpha = k === m ? 1 - gone : 1;
      if (picture) {
        const becomes = k === n && acts && gone > 0.5;
        const image = becomes ? portraitOf(run, acts, theme.ink) : pictureOf(run, row, theme.ink);
        g.imageSmoothingEnabled = false;
        g.drawImage(image, center - picture / 2, top + 2, picture, picture);
        g.imageSmoothingEnabled = true;
      }
      const lengths = values.map(v => (v / most) * tall);
      for (const { kind, x, y, wide, long } of this.bars(lengths, left(k), middle)) {
        const color = colorOf(theme, kind);
        const end = y < middle ? y - 5 : y + long + 5;
        column(g, x, y, wide, long, color);
        // colour is never alone: the shape of the class
        if (run.scores > 1 && wide > 4.5)
          mark(g, kind, x + wide / 2, end, Math.min(3.4, wide / 2.6), color);
      }
      g.globalAlpha = 1;
      if (row === linked || row === asked) box(k, theme.ui, 2.5);
      const age = (step - 2 * pad) * Math.min(1, view.ageOf(row) / Math.max(t, 1));
      if (step > 6)
        rule(g, left(k) + pad, bottom + 4, left(k) + pad + age, bottom + 4, theme.floor, 2.5);
      g.globalAlpha = k === m ? 1 - close : 1;
      const look = plays ? { color: theme.ink, weight: 700 } : {};
      if (named) centred(g, theme, marks[k], center, bottom + 20 * u, look);
      if (counted && run.merged[row])
        text(g, theme, `⊕${run.merged[row]}`, center, bottom + 36 * u, {
          color: theme.muted,
          align: "center",
        });
      g.globalAlpha = 1;
    });
    const full = midst && budgeted && rows.length > segment.params.B;
    if (full) box(rows.length - 1, theme.now, 2.25, [4, 3]);
    /** @param {number} k */
    const over = k => full && k === rows.length - 1;
    for (const { k, name, y } of [
      { k: m, name: merging ? "m" : "p", y: head + 15 * u },
      { k: n, name: "n", y: bottom - 7 },
    ])
      if (k >= 0) {
        // a slot that has closed says nothing any more
        g.globalAlpha = k === m && !over(k) ? 1 - close : 1;
        if (!over(k)) box(k, theme.ink, 2);
        if (step > 15)
          centred(g, theme, name, left(k) + step / 2, y, {
            size: 14,
            weight: 700,
            color: over(k) ? theme.now : theme.ink,
            halo: theme.band,
          });
        g.globalAlpha = 1;
      }
    if (coming && m >= 0 && n >= 0 && beat !== "choose") {
      const [a, b] = [left(m) + step / 2, left(n) + step / 2];
      const up = run.scores > 1 ? 1 : Math.sign(coming[0]);
      const dip = middle + up * tall * 0.42;
      const way = Math.sign(a - b);
      const lengths = coming.map(v => (v / most) * tall);
      for (const { x, y, wide, long } of this.bars(lengths, left(n), middle)) {
        g.beginPath();
        g.rect(x - 2, y - 2, wide + 4, long + 4);
        stroke(g, theme.ink, run.scores > 1 ? 1.25 : 2, [3, 2]);
      }
      g.beginPath();
      g.moveTo(a, dip);
      g.quadraticCurveTo((a + b) / 2, dip + 26 * u, b + way * 8, dip + 3);
      stroke(g, theme.ink, 2);
      arrow(g, b + way * 9, dip + 5, b + way * 2, dip - 5, theme.ink, 2, 8);
    }
    const made = rows.filter(row => row >= run.n);
    const keys = [
      "line: age of the slot",
      ...(named && made.length ? ["v: made by merging"] : []),
      ...(counted && made.some(row => run.merged[row]) ? ["⊕ mergings in it"] : []),
    ];
    this.words(g, view, { merging, full, most, coming, keys });
  }

  // The bars of a slot: one, or one per class, what speaks for it on the line, what speaks against
  // it below; where there is no room for all classes, the highest and the lowest.
  /** @param {number[]} values @param {number} from @param {number} middle */
  bars(values, from, middle) {
    const { step, few } = this;
    const shown = few
      ? [values.indexOf(Math.max(...values)), values.indexOf(Math.min(...values))]
      : values.map((_, k) => k);
    const share = values.length === 1 ? 0.52 : few ? 0.64 : 0.8;
    const wide = (step * share) / shown.length;
    return shown
      .map((k, place) => {
        const v = values[k];
        const kind = values.length === 1 ? v > 0 : k;
        return {
          kind,
          x: from + (step * (1 - share)) / 2 + place * wide,
          y: middle - Math.max(v, 0),
          wide: values.length === 1 ? wide : Math.max(wide - 1, 1),
          long: Math.abs(v),
        };
      })
      .filter(bar => bar.long > 0);
  }

  /**
   * @param {Pen} g
   * @param {BudgetView} view
   * @param {{ merging: boolean, full: boolean, most: number, keys: string[] } & Coming} options
   */
  words(
    g,
    { theme, rows, state, event, midst, run, t, segment },
    { merging, full, most, coming, keys },
  ) {
    const { w, h } = this.sheet;
    const y = h - 4 * theme.unit;
    const size = midst && event && event.m >= 0 ? sizeOf(state, event.m) : 0;
    const z =
      coming &&
      (run.scores > 1 ? `|α| = ${short(Math.hypot(...coming))}` : `α = ${short(coming[0])}`);
    const whom = isFree(segment.params.loss) ? "with a margin below 1 " : "";
    const what = run.scores > 1 ? "coefficient" : "|α| =";
    const light = segment.params.pairs === "all" ? "the lighter one," : "smallest";
    const here =
      t === 0
        ? `empty: every example ${whom}will take a slot`
        : !midst
          ? `${rows.length} in use, largest ${what} ${short(most)}`
          : merging
            ? `m: ${light} |α| = ${short(size)}`
            : size
              ? `p: |α| = ${short(size)}`
              : "the new example is spanned by the others";
    const labels = new Labels(g, theme, { right: w, bottom: h });
    labels.must(here, { color: theme.ink2 }, [0, y]);
    if (full)
      labels.put(
        `${nameOf(run, rows.at(-1))}: one over budget`,
        { size: 13.5, weight: 700, color: theme.now },
        [w, y, "right"],
      );
    else if (t)
      keys.some((_, k) =>
        labels.put(keys.slice(0, keys.length - k).join(", "), { color: theme.muted }, [
          w,
          y,
          "right",
        ]),
      );
    if (merging)
      labels.put(`n + m → z, ${z} (dashed)`, { color: theme.ink2 }, [w * 0.27, y], [w * 0.4, y]);
  }
}
