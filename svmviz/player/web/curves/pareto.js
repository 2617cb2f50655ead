// The Pareto front: how long w must be for how small a loss. Every point of it is an optimum, for
// one λ and one ν; the run is drawn above it and comes down to its own.

import { circle, dot, gridlines, line, rule, text } from "../canvas/draw.js";
import { clamp, decades, logScale, tickText } from "../canvas/scales.js";
import { axisNumbers, Labels, sides } from "../canvas/labels.js";

const LEAST = 1e-3; // of the largest loss: what is less counts as none

// Whether two segments have one front: λ and ν are places on it.
/** @param {Run} run @param {number} a @param {number} b */
const alike = ({ segments, masks }, a, b) =>
  segments[a].params.bias === segments[b].params.bias &&
  JSON.stringify(segments[a].params.kernel) === JSON.stringify(segments[b].params.kernel) &&
  masks[a].every((v, i) => v === masks[b][i]);

export class Front {
  left = 0;
  right = 0;
  bottom = 0;
  u = 0;
  least = 0;
  /** @type {Scale} */ x;
  /** @type {Scale} */ y;
  /** @type {number[][]} */ points = [];

  /** @param {Sheet} sheet @param {Theme} theme @param {ParetoFront} front */
  layout(sheet, theme, front) {
    const { w, h } = sheet;
    const u = theme.unit;
    const left = 52 * u;
    const right = w - 96 * u;
    const bottom = h - 24 * u;
    const top = Math.max(...front.hinge);
    const least = Math.max(LEAST * top, Math.min(...front.hinge) * 0.6);
    const shown = front.norm
      .map((norm, k) => [norm, Math.max(front.hinge[k], least)])
      .filter(([norm]) => norm > 0);
    Object.assign(this, { left, right, bottom, u, least });
    this.x = logScale(shown[0][0], shown.at(-1)[0], left, right);
    this.y = logScale(least, top * 1.3, bottom, 8);
    this.points = shown;
  }

  /** @param {number[]} point */
  at([norm, hinge]) {
    return [
      clamp(this.x(norm), this.left, this.right),
      clamp(this.y(Math.max(hinge, this.least)), 4, this.bottom),
    ];
  }

  // What it is, in ever fewer words.
  /** @param {Run} run */
  words({ front }) {
    const cut = front?.cut ? ", as far as it was found in time" : "";
    const dashed = "norm against hinge loss: dashed the best there is, by λ or by ν";
    const short = "norm against hinge loss; dashed: the best";
    return [`${dashed}${cut}`, dashed, short, "norm against loss"];
  }

  // Norm and loss of the run; a slack-constrained w counts once it is divided by its level.
  /** @param {View} view */
  place({ t, now, segment }) {
    const unit = now.gamma ?? 1;
    if (!(t > 0 && unit > 0)) return null;
    const { nu } = segment.params;
    return [now.norm / unit, nu === undefined ? now.hinge : nu / unit];
  }

  /** @param {Pen} g @param {Sheet} sheet @param {View} view */
  paint(g, sheet, view) {
    const { run, theme, segment, s } = view;
    const position = this.place(view);
    const { front } = run;
    const last = run.segments.length - 1;
    /** @param {string} words */
    const say = words =>
      text(g, theme, words, 52 * theme.unit, 40 * theme.unit, { size: 14, color: theme.muted });
    if (!front) return say("computing the front …");
    if (!alike(run, s, last))
      return say(
        `other points, kernel or bias: the front is that of step ${run.segments[last].start + 1} on`,
      );
    this.layout(sheet, theme, front);
    const { u, left, right, bottom } = this;
    gridlines(g, theme, decades(this.y.d0, this.y.d1, 4), this.y, left, right);
    for (const v of decades(this.x.d0, this.x.d1, 6))
      rule(g, this.x(v), bottom, this.x(v), bottom + 4, theme.ghost);
    axisNumbers(g, theme, decades(this.x.d0, this.x.d1, 6), this.x, bottom + 18 * u, 0, sheet.w);
    const labels = new Labels(g, theme, { left, right: sheet.w, bottom: bottom + 6 });
    const best = this.points.map(p => this.at(p));
    line(g, best, theme.optimum, 2, [6, 4]);
    for (const { name, color, width } of s < last
      ? []
      : [
          { name: "last", color: theme.ghost, width: 1.4 },
          { name: "average", color: theme.floor, width: 1.8 },
        ]) {
      const path = (front.path[name] ?? []).flatMap(p => (p && p[0] > 0 ? [this.at(p)] : []));
      if (path.length > 1) line(g, path, color, width);
    }
    labels.must("norm ‖w‖", { color: theme.ink2 }, [right + 8, bottom + 4]);
    labels.must("↑ hinge loss", { color: theme.ink2 }, [left + 4, bottom - 8 * u]);
    const own = segment.params.nu === undefined ? "lam" : "nu";
    const target = front[own];
    const k = target.reduce(
      (best, v, j) =>
        Math.abs(Math.log((v + 1e-12) / (segment.params[own] + 1e-12))) <
        Math.abs(Math.log((target[best] + 1e-12) / (segment.params[own] + 1e-12)))
          ? j
          : best,
      0,
    );
    /** @param {number} k */
    const mark = k => {
      const [x, y] = this.at([front.norm[k], front.hinge[k]]);
      const words = `λ ${tickText(+front.lam[k].toPrecision(1))}, ν ${+front.nu[k].toPrecision(2)}`;
      labels.put(words, { color: theme.muted }, [x - 10, y + 16 * u, "right"], [x + 10, y - 8 * u]);
    };
    if (front.own && s === last) {
      const [ox, oy] = this.at(front.own);
      circle(g, ox, oy, 6 * u, theme.optimum, 1.75, [2, 2]);
    }
    if (position) {
      const [x, y] = this.at(position);
      const heights = [clamp(y - 10, 16 * u, bottom - 6), clamp(y + 20 * u, 16 * u, bottom - 6)];
      dot(g, x, y, 5 * u, theme.ink, theme.bg);
      labels.must(
        `‖w‖ ${+position[0].toPrecision(3)}, loss ${+position[1].toPrecision(2)}`,
        { size: 13.5, weight: 700, color: theme.ink },
        ...sides(x, 10, heights),
      );
    }
    [Math.round(front.lam.length * 0.2), Math.round(front.lam.length * 0.55)].forEach(j => {
      if (Math.abs(j - k) > 2) mark(j);
    });
  }
}
