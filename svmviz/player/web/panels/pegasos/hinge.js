// The loss of every point against its margin, the hinge or another, with a rug for each class.
// Shared by the solvers that work on it.

import { isFree, isHinge, nameOf, value } from "../../engine/losses.js";
import { gridlines, line, marks, ring, rule, text } from "../../canvas/draw.js";
import { clamp, scale, ticks } from "../../canvas/scales.js";
import { axisNumbers, Labels, sides } from "../../canvas/labels.js";
import { open } from "../parts/axis.js";

const BENDS = 120; // pieces of a curve

/** @type {import("../parts/board.js").Part} */
export const HINGE = {
  title: "Loss",
  view: "hinge",
  label: "Loss of every example against its margin",
  lights: ["hinge"],
};

// Whether f is more than ⟨w, φ(x)⟩.
/** @param {Run} run */
export const biased = run =>
  Boolean(run.array("b")) ||
  run.segments.some(({ params }) => params.intercept === "constant feature");

// How many pay, in words.
/** @param {View} view */
export const paying = ({ now }) =>
  `${now.paying} of ${now.count} pay${now.paying === 1 ? "s" : ""} a loss`;

export class Hinge {
  low = 0;
  high = 0;

  margin = "";
  /** @type {Sheet} */ sheet;
  /** @type {Caption} */ caption;

  /** @param {import("../parts/board.js").Board} board @param {string} [plain] */
  constructor({ sheets: [sheet], captions: [caption] }, plain = "y⟨w, x⟩") {
    Object.assign(this, { sheet, caption });
    this.plain = plain; // the margin where there is no bias
  }

  // Limits come from the whole trace, never from the step; what lies beyond is piled up at the
  // edge.
  /** @param {Run} run */
  prepare(run) {
    this.margin = biased(run) ? "y f(x)" : this.plain;
    const sorted = Float32Array.from(run.margin).sort();
    /** @param {number} p */
    const q = p => sorted[Math.round(p * (sorted.length - 1))] ?? 0;
    this.low = -Math.ceil(clamp(-q(0.03), 1.5, 40));
    this.high = Math.ceil(clamp(q(0.97), 2.5, 40));
  }

  /** @param {View} view */
  paint({ run, theme, now, drawn, slow, mask, done, t, segment: { params } }) {
    /** @param {number} m */
    const loss = m => value(params.loss, m);
    const name = nameOf(params.loss);
    this.caption.say(
      `every point on the ${name}, by its margin ${this.margin}`,
      `every point on the ${name}, by its margin`,
      `every point on the ${name}`,
      name,
    );
    const { g, w, h, u } = open(this.sheet, theme);
    const left = 42 * u;
    const bottom = 58 * u;
    const most = loss(this.low);
    // room for a ring, and for half of a number
    const x = scale(this.low, this.high, left, w - 12 * u);
    const y = scale(0, most, h - bottom, 8 * u);
    gridlines(g, theme, ticks(0, most, 3), y, left, w);
    axisNumbers(g, theme, ticks(this.low, this.high, 7), x, h - bottom + 42 * u, 0, w);
    text(g, theme, `margin ${this.margin}`, w, h - 4 * u, { align: "right" });
    const free = now.count - now.paying;
    const corner = isFree(params.loss);
    if (corner) {
      rule(g, x(1), 18 * u, x(1), h - bottom + 24 * u, theme.ghost, 1, [3, 3]);
      text(g, theme, "margin 1", x(1) + 6, 26 * u, { color: theme.ink2 });
    }
    /** @param {number} m */
    const point = m => [x(m), y(loss(m))];
    const bends = Array.from(
      { length: BENDS + 1 },
      (_, k) => this.low + (k / BENDS) * (this.high - this.low),
    );
    const curve = bends.map(point);
    line(g, isHinge(params.loss) ? [this.low, 1, this.high].map(point) : curve, theme.ink, 2);

    /** @param {number} i */
    const at = i => clamp(run.y[i] * now.f[i], this.low, this.high);
    const many = now.count > 400;
    /** @param {number} i */
    const place = i => {
      const m = at(i);
      return {
        x: x(m),
        y: y(loss(m)),
        positive: run.y[i] > 0,
        r: (many ? 2.4 : 3.2) * Math.sqrt(u),
      };
    };
    // All points lie on one line: of those that fall on the same pixel one is drawn.
    const taken = [new Uint8Array(w + 2), new Uint8Array(w + 2)];
    /** @type {number[]} */
    const seen = [];
    for (let i = 0; i < run.n; i++)
      if (mask[i]) {
        const side = run.y[i] > 0 ? 0 : 1;
        const px = Math.round(x(at(i)));
        if (!taken[side][px]) {
          taken[side][px] = 1;
          seen.push(i);
        }
      }
    for (const [side, top] of [
      [0, 9],
      [1, 17],
    ]) {
      g.fillStyle = side ? theme.minus : theme.plus;
      for (let px = 0; px < w; px++) if (taken[side][px]) g.fillRect(px, y(0) + top * u, 1, 6 * u);
    }
    marks(g, theme, seen.length, k => place(seen[k]), !many);
    const beyond = [0, 0];
    let worst = -1;
    for (let i = 0; i < run.n; i++)
      if (mask[i]) {
        const m = run.y[i] * now.f[i];
        beyond[0] += +(m < this.low);
        beyond[1] += +(m > this.high);
      }
    const tight = w < 480 * u;
    const base = y(0);
    const from = x(this.low) + 10;
    const labels = new Labels(g, theme, { left, top: 4, right: w, bottom: h });
    const plain = { size: 13.5 };
    const faint = { color: theme.muted };
    // before the words, whose halo lets no line through; and no word stands under a ring
    for (const i of drawn) {
      const p = place(i);
      const r = drawn.length > 8 ? 5 : drawn.length > 1 ? 7 : 10;
      rule(g, p.x, p.y, p.x, y(0) + 24 * u, theme.now, 2, [2, 3]);
      ring(g, theme, p.x, p.y, r);
      marks(g, theme, 1, () => ({ ...p, r: 4 }));
      labels.block({ left: p.x - r, right: p.x + r, top: p.y - r, bottom: p.y + r });
    }
    if (corner) labels.block({ left: x(1), right: x(1) + 66 * u, top: 14 * u, bottom: 30 * u });
    if (beyond[0]) labels.put(`← ${beyond[0]} more`, faint, [from, base - 8 * u]);
    for (const [k, [px, py]] of curve.slice(1).entries())
      if (py < base - 6 * u)
        labels.block({ left: curve[k][0], right: px, top: curve[k][1] - 3, bottom: py + 3 });
    // below the curve, or above it
    /** @type {Place[]} */
    const above = [0.26, 0.4, 0.55, 0.7].map(share => {
      const [px, py] = curve.find(([, height]) => height > y(most * share)) ?? curve[0];
      return [px + 6, py - 8 * u];
    });
    labels.put(
      tight
        ? `${now.paying} pay${now.paying === 1 ? "s" : ""}`
        : `${now.paying} point${now.paying === 1 ? " pays" : "s pay"}`,
      plain,
      [from, Math.min(y(most * 0.26), base - 26 * u)],
      [from, base - 26 * u],
      ...above,
    );
    const little = corner ? "loss 0" : "loss next to 0";
    if (corner || free)
      labels.put(
        tight ? `${free}: ${little}` : `${free} point${free === 1 ? "" : "s"}: ${little}`,
        plain,
        [w, base - 14 * u, "right"],
      );
    if (beyond[1])
      labels.put(
        `${beyond[1]} more →`,
        faint,
        [w, base - 32 * u, "right"],
        [w, base - 50 * u, "right"],
      );
    for (const i of drawn) if (worst < 0 || at(i) < at(worst)) worst = i;
    if (worst >= 0 && slow) {
      const p = place(worst);
      const cost = loss(run.y[worst] * now.f[worst]);
      // once the step is taken it is no longer the loss that the sentence speaks of
      const said = `loss ${done === t ? "now " : ""}${cost.toFixed(2)}`;
      const words = drawn.length > 1 ? `lowest: ${said}` : said;
      const heights = [14, 22, 40, 58, 76].map(up => Math.max(p.y - up * u, 44 * u));
      const look = { size: 13.5, weight: 700, color: theme.now };
      labels.put(words, look, ...sides(p.x, 14, heights));
    }
  }
}
