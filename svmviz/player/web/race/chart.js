// The chart of a race: median and band of every lane over the shared cost. Past solid, future
// faint; click to go there.

import { counted } from "../engine/words.js";
import { Chart } from "../canvas/chart.js";
import { rule, text } from "../canvas/draw.js";
import { dragged, find } from "../canvas/elements.js";
import { Segments } from "../canvas/segments.js";
import { clamp, decades, logScale, percent, scale, ticks, tickText } from "../canvas/scales.js";
import { Caption } from "../canvas/labels.js";
import { Ends } from "./ends.js";
import { FEW, stamp } from "./lane.js";

/** @type {Record<string, [title: string, name: string]>} */
export const METRICS = {
  suboptimality: ["Suboptimality", "suboptimality"],
  error: ["Test error", "test error"],
  rmse: ["RMSE on unseen points", "RMSE"],
  level: ["Margin after slack", "γ(w)"],
  gap: ["Duality gap", "gap"],
  n_sv: ["Support vectors", "vectors"],
};

const LOG = new Set(["suboptimality", "gap"]);
const FAINT = 0.27;
const BAND = 0.13;
const PALE = 0.3; // of all others where one is looked at
const NEAR = 8; // pixels from a curve that is pointed at

/** @param {Theme} theme @param {Lane} lane */
const colorOf = (theme, lane) => (theme.dark ? lane.spec.dark : lane.spec.light);

export class RaceChart extends Chart {
  /** @type {number | undefined} */ best;
  ends = new Ends();
  log = false;
  share = false;

  /** @param {HTMLElement} section @param {Race} race */
  constructor(section, race) {
    section.innerHTML = `<h3><b></b> <span class="caption"></span></h3><div class="view"></div><div class="below"><b></b></div>`;
    super(find(section, ".view"), "Progress of all lanes over their cost");
    this.race = race;
    this.below = find(section, ".below b");
    this.title = find(section, "h3 b");
    this.caption = new Caption(find(section, ".caption"));
    this.metrics = new Segments(find(section, "h3"), "Metric", y => race.setAxes({ y }));
    this.axes = new Segments(find(section, ".below"), "Cost axis", x => race.setAxes({ x }));
    const { canvas } = this.sheet;
    dragged(
      canvas,
      event => this.ends.at(event.offsetX, event.offsetY) || race.seek(this.stopAt(event.offsetX)),
      () => race.report(),
    );
    for (const name of /** @type {const} */ (["pointermove", "pointerdown"]))
      canvas.addEventListener(name, event => race.light(this.pointed(event)));
    // a finger leaves, and what it has touched stays
    canvas.addEventListener(
      "pointerleave",
      event => event.pointerType !== "touch" && race.light(null),
    );
  }

  /** @param {Race} race */
  prepare(race) {
    const there = Object.keys(METRICS).filter(m => race.lanes.some(lane => race.curve(lane, m)));
    this.metrics.offer(Object.fromEntries(there.map(m => [m, METRICS[m][1]])), race.axes.y);
    this.axes.offer(race.data.axes, race.axes.x);
    this.key = null;
  }

  // Limits from all lanes and the whole race: they never move while it plays.
  layout() {
    const { race, sheet, theme, u } = this;
    const { y: metric } = race.axes;
    const { w, h } = sheet;
    const k = race.x.length;
    const log = LOG.has(metric);
    let low = Infinity;
    let high = -Infinity;
    let last = -Infinity;
    let later = -Infinity; // in the second half of the race every lane is in the picture
    for (const lane of race.lanes) {
      const curve = race.curve(lane, metric);
      if (!curve) continue;
      curve.forEach((v, j) => {
        if (Number.isNaN(v)) return;
        high = Math.max(high, v);
        // the band of γ(w) may leave the picture
        if (log ? v > 0 : Math.floor(j / k) === 1) low = Math.min(low, v);
      });
      if (!Number.isNaN(curve[2 * k - 1])) last = Math.max(last, curve[2 * k - 1]);
      for (const v of curve.slice(k + Math.floor(k / 2), 2 * k)) if (v > later) later = v;
    }
    const { key, share } = race.data.yardstick;
    const off = metric === key;
    const best = (this.best = race.data.optimum[metric]);
    const left = 52 * u;
    const bottom = h - 24 * u;
    const top = 26 * u;
    const right = this.ends.arrange(
      theme,
      race.lanes.map(lane => this.name(lane)),
      w,
      top,
      bottom,
    );
    Object.assign(this, { left, right, bottom, top, log, share: off && share });
    this.x = logScale(race.x[0], race.x[k - 1], left, right);
    if (log) {
      high = Math.min(high, Math.max(1.2, last * 1.5, later));
      this.y = logScale(
        clamp(low, high * 1e-6, high / 10) * 0.7,
        high * 1.1,
        bottom - (metric === "suboptimality" ? 10 : 0),
        top,
      );
    } else {
      const far = Math.max(2.5 * last, 2.5 * (best ?? 0), share ? 0.05 : 0);
      high = Math.max(off ? Math.min(high, far) : high, best ?? 0); // so may first errors
      this.y = scale(
        metric === "level" ? Math.min(0, low * 1.1) : 0,
        (high || 1) * 1.06,
        bottom,
        top,
      );
    }
  }

  /** @param {boolean} faint */
  layer(faint) {
    const { g, race, sheet, theme, left, right, bottom, top, u } = this;
    const heights = this.log ? decades(this.y.d0, this.y.d1, 6) : ticks(this.y.d0, this.y.d1, 5);
    this.rows(heights, this.share ? percent : tickText);
    const wide = Math.log10(this.x.d1 / this.x.d0) * (sheet.w < 500 ? 2.5 : 1);
    /** @type {number[]} */
    const shown = [];
    for (const v of logTicks(this.x.d0, this.x.d1, wide < 4.5)) {
      const px = this.x(v);
      rule(g, px, bottom, px, bottom + 4, theme.ghost);
      if (shown.every(other => Math.abs(px - other) > 52 * u)) {
        text(g, theme, v < 1e7 && v >= 0.001 ? amount(v) : tickText(v), px, bottom + 18 * u, {
          color: theme.muted,
          align: "center",
        });
        shown.push(px);
      }
    }
    const best =
      race.axes.y === "suboptimality"
        ? bottom + 1
        : this.best === undefined
          ? null
          : this.y(this.best);
    if (best !== null) this.level(Math.min(best, bottom), theme.optimum, 1.75, [6, 4]);
    g.save();
    g.beginPath();
    g.rect(left - 2, top - 4, right - left + 4, bottom - top + 8);
    g.clip();
    for (const lane of race.lanes) if (lane !== race.lit) this.curve(lane, faint);
    if (race.lit) this.curve(race.lit, faint);
    g.restore();
    const last = race.x.length - 1;
    const lanes = race.lanes.flatMap(lane => {
      const from = clamp(this.heightOf(lane, last) ?? NaN, top, bottom);
      return Number.isNaN(from)
        ? []
        : { words: this.name(lane), color: colorOf(theme, lane), lane, from };
    });
    const words = best !== null && best > bottom ? "↓ optimum" : "optimum";
    const optimum = best === null ? [] : [{ words, color: theme.optimum, from: best }];
    this.ends.place([...optimum, ...lanes], top, bottom);
    this.ends.draw(g, race.lit);
  }

  /** @param {Lane} lane */
  name({ spec }) {
    return spec.title + (this.race.data.seeds > 1 && !spec.chance ? ", 1 run" : "");
  }

  // Where the curve of a lane is at a stop, if it has one.
  /** @param {Lane} lane @param {number} stop */
  heightOf(lane, stop) {
    const curve = this.race.curve(lane, this.race.axes.y);
    return curve && this.height(curve[this.race.x.length + stop]);
  }

  // The lane whose name or curve is there.
  /** @param {PointerEvent} event @returns {Lane | null} */
  pointed({ offsetX: x, offsetY: y, buttons, type }) {
    const named = this.ends.at(x, y);
    if (named || x > this.right || x < this.left || buttons || type !== "pointermove")
      return named ?? null;
    const stop = this.stopAt(x);
    let [near, least] = [/** @type {Lane | null} */ (null), NEAR];
    for (const lane of this.race.lanes) {
      const away = Math.abs((this.heightOf(lane, stop) ?? Infinity) - y);
      if (away < least) [near, least] = [lane, away];
    }
    return near;
  }

  /** @param {number} v */
  height(v) {
    return Number.isNaN(v)
      ? this.top - 8
      : this.log && v <= 0
        ? this.bottom
        : clamp(this.y(v), this.top - 8, this.bottom);
  }

  /** @param {Lane} lane @param {boolean} faint */
  curve(lane, faint) {
    const { g, race, theme } = this;
    const values = race.curve(lane, race.axes.y);
    const k = race.x.length;
    if (!values) return;
    const color = colorOf(theme, lane);
    /** @param {number} j */
    const px = j => this.x(race.x[j]);
    const many = race.lanes.length > FEW;
    const lit = lane === race.lit;
    const pale = race.lit && !lit ? PALE : 1;
    if (race.data.seeds > 1 && lane.spec.chance && (lit || !many)) {
      g.beginPath();
      for (let j = 0; j < k; j++) g.lineTo(px(j), this.height(values[2 * k + j]));
      for (let j = k - 1; j >= 0; j--) g.lineTo(px(j), this.height(values[j]));
      g.globalAlpha = faint ? BAND * 0.6 : BAND;
      g.fillStyle = color;
      g.fill();
    }
    g.globalAlpha = (faint ? FAINT + 0.15 : 1) * pale;
    g.beginPath();
    let down = false;
    for (let j = 0; j < k; j++) {
      const v = values[k + j];
      if (Number.isNaN(v)) {
        down = false;
        continue;
      }
      down ? g.lineTo(px(j), this.height(v)) : g.moveTo(px(j), this.height(v));
      down = true;
    }
    Object.assign(g, {
      lineWidth: lit ? 3.4 : many ? 1.8 : 2.2,
      strokeStyle: color,
      lineJoin: "round",
    });
    g.setLineDash(lane.spec.dash);
    g.stroke();
    g.setLineDash([]);
    g.globalAlpha = 1;
  }

  /** @param {Theme} theme */
  paint(theme) {
    const { race, sheet } = this;
    this.begin(theme);
    this.refresh(race.axes.x, race.axes.y);
    const { g, u } = this;
    const x = clamp(this.x(race.cost), this.left, this.right);
    this.stand(x, this.top - 6 * u);
    const words = `now: ${race.costText()}`;
    const half = words.length * 3.6 * u;
    text(g, theme, words, clamp(x, this.left + half - 40, sheet.w - half), this.top - 12 * u, {
      size: 13.5,
      weight: 650,
      color: theme.ink,
      align: "center",
    });
    const { lit } = race;
    this.ends.title(g, lit, this.left, x, this.top - 12 * u);
    for (const lane of lit ? [...race.lanes.filter(other => other !== lit), lit] : race.lanes) {
      const v = race.value(lane, race.axes.y);
      if (v === undefined || Number.isNaN(v)) continue;
      g.globalAlpha = lit && lane !== lit ? PALE : 1;
      stamp(g, lane.path, x, this.height(v), 11 * u, colorOf(theme, lane), theme.bg);
    }
    g.globalAlpha = 1;
  }

  /** @param {number} px */
  stopAt(px) {
    // the nearest stop
    const { x } = this.race;
    const target = Math.log(this.x.back(clamp(px, this.left, this.right)));
    let best = 0;
    x.forEach((v, k) => {
      if (Math.abs(Math.log(v) - target) < Math.abs(Math.log(x[best]) - target)) best = k;
    });
    return best;
  }
}

/** @param {number} low @param {number} high @param {boolean} fine */
function logTicks(low, high, fine) {
  const out = [];
  for (let e = Math.floor(Math.log10(low)); 10 ** e <= high; e++)
    for (const m of fine ? [1, 3] : [1]) {
      const v = m * 10 ** e;
      if (v >= low * 0.999 && v <= high * 1.001) out.push(v);
    }
  return out;
}

/** @param {number} v */
export const amount = v => (v >= 1000 ? counted(Math.round(v)) : String(+v.toPrecision(3)));
