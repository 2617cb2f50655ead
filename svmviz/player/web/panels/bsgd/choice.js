// What to do with the vector that is one too many: the loss of a merge over the place of z, and all
// candidates in order.

import { colorOf, column, dot, gridlines, line, rule, Sheet, text } from "../../canvas/draw.js";
import { clamp, scale, ticks, tickText } from "../../canvas/scales.js";
import { fitting, widthOf } from "../../canvas/labels.js";
import { merges, ranking } from "./candidates.js";
import { LAPLACIAN } from "../../engine/kernels.js";
import { costs } from "../../engine/own/merging.js";
import { removal } from "../../engine/own/prices.js";
import { sizeOf, vectorOf } from "../../engine/scores.js";
import { PROJECTED, SPREAD, nameOf } from "../../engine/own/table.js";
import { counted, decimals, plural, significant } from "../../engine/words.js";
import { centred, open, side } from "../parts/axis.js";

const SHOWN = 6;
/** @param {number} v */
const number = v => (v >= 1 ? decimals(v, v >= 100 ? 0 : 2) : significant(v, 2));
/** @param {number} v */
const plain = v => (Number.isInteger(v) ? String(v) : number(v)); // how many, or how much

const BOLD = { size: 13.5, weight: 700 };

// The longest of some wordings that fits, about the middle of the picture.
/** @type {(g: Pen, theme: Theme, w: number, wordings: string[], y: number, look: Look) => void} */
const head = (g, theme, w, wordings, y, look) =>
  centred(g, theme, fitting(g, theme, w, wordings, look), w / 2, y, { color: theme.ink2, ...look });

// How many brackets of the golden section are there to see.
/** @param {{ beat: string, progress: number }} options */
const brackets = ({ beat, progress }) =>
  beat === "look" ? Math.ceil(progress * 6) : beat === "choose" ? 0 : 6;

export class Choice {
  /** @type {Candidate[]} */ list = [];
  key = "";
  /** @type {Candidate[] | undefined} */ listed;
  painted = "";
  /** @type {Theme} */ theme;
  top = 0;
  step = 0;

  /** @param {Sheet} curve @param {Sheet} ranked */
  constructor(curve, ranked) {
    this.curve = curve;
    this.ranked = ranked;
    this.list = [];
  }

  // Everybody who could go, or be a partner, in the midst of the step: the same in all of its
  // beats.
  /** @param {BudgetView} view */
  rank(view) {
    const { run, t, s, segment, happened, mid } = view;
    const key = [run.id, t, s, merges(segment), Boolean(happened && mid)].join();
    if (key !== this.key) [this.key, this.list] = [key, ranking(view, merges(segment))];
  }

  /** @param {number} y */
  at(y) {
    return this.listed?.[Math.floor((y - this.top) / this.step)]?.row ?? -1;
  }

  /** @param {number} chosen */
  shown(chosen) {
    // the first few, and in any case who was chosen
    const first = this.list.slice(0, SHOWN);
    const taken = this.list.find(c => c.row === chosen);
    return (this.listed = !taken || first.includes(taken) ? first : [...first.slice(0, -1), taken]);
  }

  /** @param {BudgetView} view */
  paint(view) {
    const { event, mid, theme } = view;
    const merging = merges(view.segment);
    const painted = [
      this.key,
      event?.m,
      event?.n,
      brackets(view),
      this.curve.w,
      this.curve.h,
      this.ranked.w,
      Sheet.sharper,
      devicePixelRatio,
    ].join();
    if (painted === this.painted && theme === this.theme) return;
    Object.assign(this, { painted, theme });
    const g = this.curve.begin();
    if (!event || !mid) {
      this.paintPast(g, view);
      this.ranked.begin();
      return;
    }
    const acting = /** @type {ActingView} */ (view);
    if (merging && event.n >= 0 && this.list.length)
      this.paintCurve(g, acting, this.list.find(c => c.row === event.n) ?? this.list[0]);
    else this.paintFlow(g, acting);
    this.paintRanking(acting, merging);
  }

  // Nobody has to go: what making room has cost so far, a stick for every overflow.
  /** @param {Pen} g @param {BudgetView} view */
  paintPast(g, { theme, t, run, segment, changed }) {
    const { w, h } = this.curve;
    const u = theme.unit;
    const left = segment.params.B - run.n_sv[t];
    const past = run.event_step.filter(s => s <= t).length;
    const wordings =
      t === 0
        ? ["no support vector yet"]
        : segment.params.maintenance === "none"
          ? ["no budget: everybody stays", "no budget"]
          : left > 0
            ? [`room for ${left} more: nobody has to go`, `room for ${left} more`]
            : left < 0
              ? [`${-left} too many: they go as others come in`, `${-left} too many`]
              : changed
                ? ["full: whoever comes in next makes one too many", "full"]
                : ["nothing came in: nobody has to go", "nobody has to go"];
    head(g, theme, w, wordings, past ? 20 * u : h / 2, { size: 14, color: theme.muted });
    if (!past) return;
    const low = h - 40 * u;
    const x = scale(0, run.T, 38 * u, w - 8);
    const most = Math.max(...run.event_E, 1e-12);
    const y = scale(0, most, low, 46 * u);
    for (const v of ticks(0, most, 2)) {
      rule(g, 38 * u, y(v), w - 8, y(v), theme.grid);
      side(g, theme, tickText(v), 30 * u + 8, y(v));
    }
    run.event_step.forEach((s, k) =>
      rule(g, x(s), low, x(s), y(run.event_E[k]), s <= t ? theme.ghost : theme.hair, 1.5),
    );
    rule(g, x(t), 40 * u, x(t), low, theme.ink, 1.25);
    const { params } = segment;
    const solved = params.rule === "passive-aggressive"; // without η
    const mean = `${solved ? "mean" : "Ē ="} ${number(run.E_bar[t])}`;
    const what = solved ? "‖Δ‖" : "‖Δ‖/η";
    const of = params.maintenance === "project newcomer" ? "projection" : "overflow";
    const below = [
      `${what} of ${plural(past, of)} up to step ${counted(t)}; over all steps ${mean}`,
      `${what} so far; ${mean}`,
      mean,
    ];
    centred(g, theme, fitting(g, theme, w, below), w / 2, h - 12 * u);
  }

  /** @param {Pen} g @param {ActingView} view @param {Candidate} pair */
  paintCurve(g, { theme, event, happened, beat, progress }, pair) {
    const { w, h } = this.curve;
    const u = theme.unit;
    const left = 38 * u;
    const bottom = h - 62 * u;
    const thrown = pair.mm;
    const most = Math.max(thrown * 1.9, pair.lost * 1.2);
    const x = scale(0, 1, left, w - 8);
    const y = scale(0, most, bottom, 10 * u);
    const [low, top] = pair.brackets[0];
    const ends = pair.kind === LAPLACIAN;
    column(g, x(low), 10 * u, x(top) - x(low), bottom - 10 * u, theme.band);
    gridlines(g, theme, ticks(0, most, 3), y, left, w - 8);
    const heavy = low === 0 ? "n is heavier" : "m is as heavy";
    const where = `${ends ? "best at its end" : "searched"}: ${heavy}`;
    if (x(top) - x(low) > 130 * u)
      centred(g, theme, where, x((low + top) / 2), 26 * u, { halo: theme.band });
    rule(g, left, y(thrown), w - 8, y(thrown), theme.optimum, 1.75, [6, 4]);
    /** @type {number[][]} */
    const curve = [];
    for (let k = 0; k <= 120; k++) {
      const v = costs(pair, k / 120);
      if (v <= most * 1.02) curve.push([x(k / 120), y(v)]);
    }
    g.save();
    g.beginPath();
    g.rect(left, 4, w, bottom);
    g.clip();
    line(g, curve, theme.ink, 2.5);
    g.restore();
    const shown = brackets({ beat, progress });
    const roomy = w > 270 * u;
    pair.brackets.slice(0, shown).forEach(([p, q], k) => {
      const down = bottom + (8 + 7 * k) * u;
      const end = Math.max(x(q), x(p) + 2);
      rule(g, x(p), down, end, down, k === 5 ? theme.ink : theme.ghost, 3);
    });
    const reach = Math.max(x(pair.h), ...pair.brackets.slice(3).map(([, q]) => x(q))) + 8 * u;
    // for the price of removal: beside the short brackets
    const free = [[w - 8, bottom + 40 * u, w - 8 - reach]];
    const level = y(thrown) - 7 * u;
    const meets = curve.filter(([, cy]) => Math.abs(cy - level) < 20 * u).map(([cx]) => cx);
    // or on its line, beside the curve
    const aside = [w - 10, level, w - 10 - Math.max(left, ...meets) - 6 * u];
    if (shown < 6) free.unshift(aside);
    else {
      rule(g, x(pair.h), y(pair.lost), x(pair.h), bottom + 44 * u, theme.ink, 1.25);
      dot(g, x(pair.h), y(pair.lost), 5 * u, theme.ink);
      const all = [
        `${event.supposed ? "what if: " : ""}h* = ${pair.h.toFixed(3)}`,
        `‖Δ‖² = ${number(pair.lost)}${event.supposed ? `, not ${number(happened.lost)}` : ""}`,
      ];
      const point = [x(pair.h), y(pair.lost)];
      const frame = { left, right: w - 8, bottom, level: y(thrown) };
      const spot = [all, [all.join(", ")], all.slice(0, 1)] // code and sentence tell the loss, too
        .map(lines => ({ lines, place: this.room(g, theme, lines, point, curve, frame) }))
        .find(({ place }) => place);
      if (spot) free.unshift(aside);
      const [at, base] = spot?.place ?? [clamp(point[0] + 10, left, w - 130 * u), bottom - 36 * u];
      const look = { ...BOLD, color: theme.ink, halo: theme.bg };
      (spot?.lines ?? all).forEach((line, k) =>
        text(g, theme, line, at, base + (14 + 17 * k) * u, look),
      );
    }
    const price = number(thrown);
    /** @type {Look} */
    const look = { color: theme.optimum, weight: 600, align: "right", halo: theme.bg };
    const wordings = [`removing m instead: ${price}`, `removing m: ${price}`, `removal: ${price}`];
    const spot = free
      .map(([px, py, room]) => ({ words: fitting(g, theme, room, wordings, look), px, py }))
      .find(({ words }) => words);
    if (spot) text(g, theme, spot.words, spot.px, spot.py, look);
    text(g, theme, "0  z on n", left, h - 4 * u, { color: theme.muted });
    text(g, theme, "z on m  1", w - 8, h - 4 * u, { color: theme.muted, align: "right" });
    const searched = ends
      ? "no search: an end is always best"
      : shown
        ? `golden section: ${shown} brackets`
        : "";
    /** @type {Look} */
    const faint = { color: theme.muted, align: "right" };
    if (roomy && searched) text(g, theme, searched, w - 8, bottom + 22 * u, faint);
  }

  // Where lines of text fit beside a point without covering the curve, the dashed level and its
  // label: the nearest such place, or none.
  /**
   * @param {Pen} g
   * @param {Theme} theme
   * @param {string[]} words
   * @param {number[]} point
   * @param {number[][]} curve
   * @param {{ left: number, right: number, bottom: number, level: number }} options
   * @returns {Point | null}
   */
  room(g, theme, words, [px, py], curve, { left, right, bottom, level }) {
    const u = theme.unit;
    const width = Math.max(...words.map(line => widthOf(g, theme, line, BOLD)));
    const height = (17 * words.length + 2) * u;
    const gap = 5 * u;
    /** @param {number} at @param {number} top */
    const clear = (at, top) =>
      at >= left + gap &&
      at + width <= right &&
      top >= 32 * u &&
      top + height <= bottom - gap &&
      (at > px + gap || at + width < px - gap || top + height < py - gap) &&
      (top > level + gap || top + height < level - 24 * u) &&
      !curve.some(
        ([cx, cy]) =>
          cx > at - gap && cx < at + width + gap && cy > top - gap && cy < top + height + gap,
      );
    /** @type {Point | null} */
    let best = null;
    let least = Infinity;
    for (let at = left + gap; at + width <= right; at += 6)
      for (let top = 32 * u; top + height <= bottom; top += 6) {
        const far = Math.hypot(
          Math.max(at - px, px - at - width, 0),
          Math.max(top - py, py - top - height, 0),
        );
        if (far < least && clear(at, top)) [best, least] = [[at, top], far];
      }
    return best;
  }

  // Removal: what each would cost. Projection: what the others take over from the one that goes,
  // class by class.
  /** @param {Pen} g @param {ActingView} view */
  paintFlow(g, { theme, event, mid, last, crowd: rows, run, t, segment }) {
    const { w, h } = this.curve;
    const u = theme.unit;
    const others = rows.filter(row => row !== event.m);
    const own = vectorOf(run, mid, event.m);
    const flow = others.map(row => {
      const before = vectorOf(run, mid, row);
      return vectorOf(run, last.after, row).map((v, k) => v - before[k]);
    });
    /** @param {number[]} values @param {number} sign */
    const total = (values, sign) => values.reduce((sum, v) => sum + Math.max(sign * v, 0), 0);
    const weight = run.scores > 1 ? `|α| = ${number(sizeOf(mid, event.m))}` : number(own[0]);
    const most = Math.max(...flow.map(v => Math.max(total(v, 1), total(v, -1))), 1e-12);
    const left = 38 * u;
    const middle = h / 2;
    const width = (w - left) / Math.max(flow.length, 1);
    const heirs = flow.filter(v => Math.max(total(v, 1), total(v, -1)) > 1e-9 * most).length;
    const moved = most > 1e-9 * sizeOf(mid, event.m);
    if (!moved || ![PROJECTED, ...SPREAD].includes(event.kind)) {
      const by = new Map(this.list.map(c => [c.row, c.by]));
      const cost = rows.map(row => by.get(row) ?? removal(run, mid, segment.params, row));
      const high = Math.max(0, ...cost);
      const slot = (w - left) / rows.length;
      const y = scale(Math.min(0, ...cost), high, h - 26 * u, 62 * u);
      rows.forEach((row, k) => {
        const [top, bottom] = [Math.min(y(0), y(cost[k])), Math.max(y(0), y(cost[k]))];
        const tall = Math.max(bottom - top, 1.5);
        const color = row === event.m ? theme.ink : theme.ghost;
        column(g, left + k * slot + 1, top, Math.max(slot - 2, 1), tall, color);
      });
      rule(g, left, y(0), w, y(0), theme.ghost);
      side(g, theme, plain(high), left, y(high));
      text(g, theme, "slots, oldest first; dark: p", (left + w) / 2, h - 8 * u, {
        color: theme.muted,
        align: "center",
      });
      const who = nameOf(run, event.m);
      const goes = [
        `${who} goes with its coefficient ${weight}`,
        `${who} goes, α = ${weight}`,
        `${who} goes`,
      ];
      const loss = `‖Δ‖² = ${number(event.lost)}`;
      const lost = [`w changes by ${loss}; nobody takes over`, `w changes by ${loss}`, loss];
      head(g, theme, w, goes, 18 * u, { size: 14, weight: 600 });
      return head(g, theme, w, lost, 38 * u, { size: 13.5, color: theme.muted });
    }
    const what = SPREAD.includes(event.kind) ? "the new example" : weight;
    const whom = `flows to ${heirs} other${heirs === 1 ? "" : "s"}`;
    const flows = [
      `${what} ${whom}; lost ‖Δ‖² = ${number(event.lost)}, step ${counted(t)}`,
      `${what} ${whom}; ‖Δ‖² = ${number(event.lost)}`,
      `${what} ${whom}`,
    ];
    rule(g, left, middle, w, middle, theme.ghost);
    flow.forEach((values, k) => {
      // what is gained stands on the line, what is lost hangs below it
      const ends = [middle, middle];
      values.forEach((v, c) => {
        const tall = (v / most) * (middle - 30 * u);
        const top = v > 0 ? (ends[0] -= tall) : ends[1];
        const color = colorOf(theme, run.scores > 1 ? c : v > 0);
        column(g, left + k * width + 1, top, Math.max(width - 2, 1), Math.abs(tall), color);
        if (v < 0) ends[1] -= tall;
      });
    });
    head(g, theme, w, flows, 16 * u, { size: 13.5, weight: 600, halo: theme.bg });
  }

  /** @param {ActingView} view @param {boolean} merging */
  paintRanking({ theme, event: shown, happened: event, mid, run, segment }, merging) {
    const { g, w, h, u } = open(this.ranked, theme);
    const chosen = merging && event.n >= 0 ? event.n : event.m;
    const list = this.shown(chosen);
    const pairs = merging && event.n >= 0;
    const thrown = removal(run, mid, segment.params, event.m);
    this.top = 6 * u;
    this.step = Math.min(30 * u, (h - 30 * u) / SHOWN);
    if (!list.length) return;
    const names = list.map(({ row }) => nameOf(run, row));
    const left = Math.max(...names.map(name => widthOf(g, theme, name, BOLD))) + 8 * u;
    const right = w - 52 * u;
    const values = list.map(c => c.by ?? c.lost);
    const low = Math.min(0, ...values);
    const most = pairs ? thrown * 1.02 : Math.max(0, ...values) || (low < 0 ? 0 : 1);
    const x = scale(low, most, left, right);
    list.forEach(({ row, lost, by }, k) => {
      const v = by ?? lost;
      const y = this.top + k * this.step;
      const first = row === chosen;
      const marked = shown.supposed && row === (pairs ? shown.n : shown.m);
      const bold = first || marked;
      const color = first ? theme.ink : marked ? theme.ui : theme.ghost;
      const end = clamp(x(v), left, right);
      const long = Math.max(Math.abs(end - x(0)), 1.5);
      column(g, Math.min(x(0), end), y + 4 * u, long, this.step - 11 * u, color);
      /** @type {Look} */
      const look = { size: 13.5, weight: bold ? 700 : 400, base: "middle" };
      const [own, cost] = bold ? [theme.ink, theme.ink] : [theme.ink2, theme.muted];
      text(g, theme, names[k], 0, y + this.step / 2, { ...look, color: own });
      text(g, theme, plain(v), w, y + this.step / 2, { ...look, color: cost, align: "right" });
    });
    const end = this.top + SHOWN * this.step;
    if (pairs) rule(g, x(thrown), this.top, x(thrown), end, theme.optimum, 1.75, [6, 4]);
    const many = this.list.length;
    const kind = run.scores > 1 ? "side" : "sign";
    const below = pairs
      ? [`${many} of the same ${kind}; click one`, `${many}; click one`]
      : [plural(many, "vector")];
    text(g, theme, fitting(g, theme, w, below), 0, h - 6 * u, { color: theme.muted });
  }
}
