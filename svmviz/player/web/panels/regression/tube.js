// The loss of every point against its residual: a V with a flat bottom as wide as the tube, or a
// parabola.

import { isTube, nameOf, tubeOf, value } from "../../engine/losses.js";
import { gridlines, line, marks, ring, rule, text } from "../../canvas/draw.js";
import { clamp, scale, short, ticks } from "../../canvas/scales.js";
import { axisNumbers, Labels, sides } from "../../canvas/labels.js";
import { open } from "../parts/axis.js";

const BENDS = 80; // pieces of a curve

export class Tube {
  reach = 1;

  /** @param {import("../parts/board.js").Board} board */
  constructor({ sheets: [sheet], captions: [caption] }) {
    this.sheet = sheet;
    this.caption = caption;
  }

  // Limits come from the whole trace, never from the step; what lies beyond is piled up at the
  // edge.
  /** @param {Run} run */
  prepare(run) {
    const sorted = Float32Array.from(run.margin, Math.abs).sort();
    const widest = Math.max(...run.segments.map(({ params }) => tubeOf(params.loss)));
    this.reach =
      Math.max(2.5 * widest, 1.1 * (sorted[Math.round(0.9 * (sorted.length - 1))] ?? 0)) || 1;
  }

  /** @param {View} view */
  paint({ run, theme, now, drawn, slow, mask, done, t, segment: { params } }) {
    const { reach } = this;
    const s = tubeOf(params.loss);
    /** @param {number} r */
    const loss = r => value(params.loss, r);
    const name = nameOf(params.loss);
    this.caption.say(
      `every point on the ${name}, by its residual f(x) − y`,
      `every point on the ${name}, by its residual`,
      `every point on the ${name}`,
      name,
    );
    const { g, w, h, u } = open(this.sheet, theme);
    const left = 42 * u;
    const bottom = h - 50 * u;
    const x = scale(-reach, reach, left, w - 12 * u);
    const y = scale(0, loss(reach) || 1, bottom, 8 * u);
    g.fillStyle = theme.band;
    if (s > 0) g.fillRect(x(-s), 8 * u, x(s) - x(-s), bottom - 8 * u);
    gridlines(g, theme, ticks(0, y.d1, 3), y, left, w);
    axisNumbers(g, theme, ticks(-reach, reach, 7), x, bottom + 34 * u, 0, w);
    text(g, theme, "residual f(x) − y", w, h - 4 * u, { align: "right" });
    for (const rim of s > 0 ? [-s, s] : [])
      rule(g, x(rim), 8 * u, x(rim), bottom, theme.ghost, 1, [3, 3]);
    const bends = isTube(params.loss)
      ? [-reach, -s, s, reach]
      : Array.from({ length: BENDS + 1 }, (_, k) => (2 * k * reach) / BENDS - reach);
    line(
      g,
      bends.map(r => [x(r), y(loss(r))]),
      theme.ink,
      2,
    );
    /** @param {number} i */
    const at = i => clamp(now.f[i] - run.y[i], -reach, reach);
    /** @param {number} i */
    const place = i => ({
      x: x(at(i)),
      y: y(loss(at(i))),
      kind: run.kind(i),
      r: (now.count > 400 ? 2.4 : 3.2) * Math.sqrt(u),
    });
    // All points lie on one line: of those that fall on the same pixel one is drawn.
    /** @type {Map<number, number>} */
    const seen = new Map();
    const beyond = [0, 0];
    for (let i = 0; i < run.n; i++) {
      if (!mask[i]) continue;
      const r = now.f[i] - run.y[i];
      beyond[0] += +(r < -reach);
      beyond[1] += +(r > reach);
      seen.set(Math.round(x(at(i))), i);
    }
    g.fillStyle = theme.plus;
    for (const px of seen.keys()) g.fillRect(px, bottom + 8 * u, 1, 6 * u);
    const rows = [...seen.values()];
    marks(g, theme, rows.length, k => place(rows[k]), now.count <= 400);
    const labels = new Labels(g, theme, { left, top: 4, right: w, bottom: h });
    const faint = { color: theme.muted };
    if (beyond[0]) labels.put(`← ${beyond[0]} more`, faint, [left + 10, bottom - 10 * u]);
    if (beyond[1]) labels.put(`${beyond[1]} more →`, faint, [w, bottom - 10 * u, "right"]);
    if (isTube(params.loss))
      labels.put(`${now.count - now.wrong} within ±ε`, { size: 13.5 }, [x(0), 24 * u, "center"]);
    labels.put("f too low", faint, [left + 10, bottom - 30 * u]);
    labels.put("f too high", faint, [w, bottom - 30 * u, "right"]);
    let worst = -1;
    for (const i of drawn) if (worst < 0 || Math.abs(at(i)) > Math.abs(at(worst))) worst = i;
    for (const i of drawn) {
      const p = place(i);
      rule(g, p.x, p.y, p.x, bottom + 18 * u, theme.now, 2, [2, 3]);
      ring(g, theme, p.x, p.y, drawn.length > 8 ? 5 : drawn.length > 1 ? 7 : 10);
      marks(g, theme, 1, () => ({ ...p, r: 4 }));
    }
    if (worst < 0 || !slow) return;
    const p = place(worst);
    // once the step is taken it is no longer the loss that the sentence speaks of
    const cost = short(loss(now.f[worst] - run.y[worst]));
    const said = `loss ${done === t ? "now " : ""}${cost}`;
    const words = drawn.length > 1 ? `largest: ${said}` : said;
    const heights = [14, 22, 40, 58, 76].map(up => Math.max(p.y - up * u, 60 * u));
    labels.put(words, { size: 13.5, weight: 700, color: theme.now }, ...sides(p.x, 14, heights));
  }
}

// How many do not pay, in words, or how much all of them do.
/** @param {View} view */
export const inTube = ({ now, segment }) =>
  isTube(segment.params.loss)
    ? `${now.count - now.wrong} of ${now.count} within the tube`
    : `mean loss ${short(now.hinge)}`;
