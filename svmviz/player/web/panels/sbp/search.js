// How the level is found without sorting: a pivot, a partition, the half that is left, until
// nothing is open.
//
// Columns stand as the search has them: known to be under water at the left, still open in the
// middle, known to be dry right.

import { ease } from "../../engine/beats.js";
import { colorOf, column, rule, text } from "../../canvas/draw.js";
import { button, make } from "../../canvas/elements.js";
import { clamp, scale } from "../../canvas/scales.js";
import { rounds } from "../../engine/own/water.js";
import { decimals, plural } from "../../engine/words.js";
import { centred, open } from "../parts/axis.js";

/** @param {View} view */
const keyOf = ({ run, t, s, shown }) => [run.id, t, s, shown].join();

export class Search {
  key = "";
  /** @type {Float64Array} */ c;
  volume = 0;
  /** @type {ReturnType<typeof rounds>} */ rounds;
  at = 0;
  low = 0;
  high = 0;
  moved = 0;
  still = false;
  /** @type {ReturnType<typeof setTimeout>} */ next;

  /** @param {Sheet} sheet @param {HTMLElement} view @param {Stage} stage */
  constructor(sheet, view, stage) {
    this.sheet = sheet;
    this.stage = stage;
    this.open = false;
    this.bar = view.appendChild(make("div", { className: "rounds", hidden: true }));
    for (const { name, label, by } of [
      { name: "‹", label: "Round back", by: -1 },
      { name: "›", label: "Next round", by: 1 },
    ])
      this.bar.append(button(name, () => this.go(by), { ariaLabel: label }));
  }

  toggle() {
    if (this.open) return this.close();
    if (this.stage.playing) this.stage.toggle(false);
    this.begin(this.stage.view());
  }

  // The search is that of the moment on the stage: at another step, or where columns were lifted,
  // it begins anew; while they move it is not seen. Returns whether it is.
  /** @param {View} view */
  follow(view) {
    const { stage } = this;
    const here = this.key === keyOf(view);
    if (this.open && !here) {
      if (stage.playing || view.segment.params.bias) this.close();
      else if (!stage.stepping) this.begin(view);
    }
    this.bar.hidden = !this.open || this.key !== keyOf(view);
    return !this.bar.hidden;
  }

  /** @param {View} view */
  begin(view) {
    const { last, segment, mask } = view;
    const { now } = last;
    const members = Array.from(mask.keys()).filter(i => mask[i]);
    this.key = keyOf(view);
    this.c = now.c.slice();
    this.volume = segment.params.nu * now.count;
    this.rounds = rounds(this.c, members, this.volume);
    const low = Math.min(...members.map(i => this.c[i]));
    const high = Math.max(...members.map(i => this.c[i]), Number(this.rounds.at(-1).gamma));
    this.open = true;
    this.at = 0;
    this.low = low - (high - low) * 0.08 || low - 0.1;
    this.high = high + (high - low) * 0.08 || high + 0.1;
    this.go(0);
  }

  close() {
    this.open = false;
    this.bar.hidden = true;
    clearTimeout(this.next);
  }

  // The seats after a round: what is settled moves to its side, the open ones keep their order.
  /** @param {number} count */
  seats(count) {
    const wet = [];
    const dry = [];
    let open = this.rounds[0].open;
    for (const round of this.rounds.slice(0, count)) {
      if (round.floods) wet.push(...round.below, ...round.equal);
      else dry.unshift(...round.equal, ...round.above);
      open = round.kept;
    }
    return { seats: [...wet, ...open, ...dry], wet: wet.length, open: open.length };
  }

  /** @param {number} by */
  go(by) {
    clearTimeout(this.next);
    this.at = Math.max(0, Math.min(this.rounds.length, this.at + by));
    this.moved = performance.now();
    this.still = this.stage.still.matches || by <= 0;
    const step = () => {
      if (this.open && performance.now() - this.moved < 900) {
        this.stage.repaint();
        requestAnimationFrame(step);
      }
    };
    requestAnimationFrame(step);
    if (this.at < this.rounds.length && !this.stage.still.matches)
      this.next = setTimeout(() => this.open && this.go(1), 2600);
  }

  /** @param {View} view */
  paint({ run, theme }) {
    const { g, w, h, u } = open(this.sheet, theme);
    const { at, c } = this;
    const done = at === this.rounds.length;
    const round = this.rounds[Math.min(at, this.rounds.length - 1)];
    const left = 8;
    const bottom = h - 46 * u;
    const y = scale(this.low, this.high, bottom, 66 * u);
    const n = this.rounds[0].open.length;
    const cw = (w - left) / n;
    const progress = this.still ? 1 : ease((performance.now() - this.moved) / 700);
    const now = this.seats(at);
    const old = this.seats(Math.max(at - 1, 0));
    const seat = new Map(now.seats.map((i, k) => [i, k]));
    const was = new Map(old.seats.map((i, k) => [i, k]));
    /** @param {number} i */
    const x = i => {
      const from = was.get(i) ?? 0;
      return left + cw * (from + progress * ((seat.get(i) ?? 0) - from));
    };
    /** @type {Map<string, number[]>} */
    const kinds = new Map([theme.floor, theme.plus, theme.minus, theme.ghost].map(c => [c, []]));
    const gamma = Number(this.rounds.at(-1).gamma);
    now.seats.forEach((i, k) => {
      const dry = k < now.wet + now.open ? theme.ghost : theme.floor;
      kinds.get(k < now.wet ? colorOf(theme, run.y[i] > 0) : dry)?.push(i);
    });
    if (done) column(g, left, y(gamma), cw * now.wet, bottom - y(gamma), theme.water);
    for (const [color, members] of kinds) {
      g.beginPath();
      for (const i of members)
        g.rect(x(i), y(c[i]), Math.max(cw - (cw > 3 ? 0.6 : 0), 1), bottom - y(c[i]));
      g.fillStyle = color;
      g.fill();
    }
    rule(g, left, bottom, w, bottom, theme.ghost);
    const first = left + cw * now.wet;
    const last = left + cw * (now.wet + now.open);
    if (!done) {
      rule(g, first, y(round.pivot), last, y(round.pivot), theme.ink, 2);
      const look = { size: 13.5, weight: 700, color: theme.ink, halo: theme.bg };
      const at = clamp(first, left, w - 120);
      text(g, theme, `pivot ${decimals(round.pivot, 3)}`, at, y(round.pivot) - 7 * u, look);
    } else rule(g, left, y(gamma), first, y(gamma), theme.surface, 2.75);
    for (const { a, b, words, color } of [
      { a: left, b: first, words: `${now.wet} under water`, color: theme.surface },
      { a: first, b: last, words: `${now.open} open`, color: theme.ink2 },
      { a: last, b: w, words: `${n - now.wet - now.open} dry`, color: theme.muted },
    ]) {
      if (b - a < 6) continue;
      rule(g, a + 2, bottom + 8, b - 2, bottom + 8, color, 2);
      const look = { size: 13.5, weight: 600, color };
      if (b - a > 70 * u) centred(g, theme, words, (a + b) / 2, bottom + 26 * u, look);
    }
    const looks = this.rounds.reduce((sum, { open }) => sum + open.length, 0);
    const level = decimals(gamma, 3);
    const need = decimals(round.need, 2);
    const { above, below } = round;
    const [head, why] = done
      ? [
          `${plural(this.rounds.length, "round")}, ${looks} looks at ${n} columns: γ = ${level}`,
          "Nothing is open. What is left of the water rises evenly over all that is covered.",
        ]
      : [
          `Round ${at + 1} of ${this.rounds.length}: to the pivot it takes ${need} of water, ` +
            `and there is ${decimals(this.volume, 2)}`,
          round.floods
            ? `The pivot floods, and all not above it: go on with the ${above.length} above.`
            : `The pivot stays dry, and all not below it: go on with the ${below.length} below.`,
        ];
    text(g, theme, head, left, 18 * u, { size: 14, weight: 650, color: theme.ink });
    text(g, theme, why, left, 38 * u, { size: 13.5, color: theme.ink2 });
  }
}
