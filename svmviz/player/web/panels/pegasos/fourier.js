// The mechanism of random Fourier features: the hinge, and below it the k waves that f is a sum of,
// each as a stem over its frequency; the strongest also as pictures over the plane.

import { rule, stroke, text } from "../../canvas/draw.js";
import { clamp, scale, ticks, tickText } from "../../canvas/scales.js";
import { Labels } from "../../canvas/labels.js";
import { FieldImage } from "../../plane/field.js";
import { HINGE, Hinge, paying } from "./hinge.js";
import { Board } from "../parts/board.js";
import { values as pegasos } from "./panel.js";
import { centred, open, side } from "../parts/axis.js";

const CELLS = 28;

/** @implements {Machinery} */
export class Mechanism extends Board {
  /** @type {Plane} */ plane;
  /** @type {{ sight: Sight, order: number[] } | null} */ strongest = null;
  reach = 0;

  /** @param {HTMLElement} section @param {Stage} stage */
  constructor(section, stage) {
    super(section, HINGE, {
      title: "Waves",
      view: "beats",
      tab: "Waves",
      label: "Amplitude of every random wave, and the strongest over the plane",
    });
    this.stage = stage;
    this.hinge = new Hinge(this, "y⟨w, φ(x)⟩");
    this.waves = this.sheets[1];
    this.image = new FieldImage(CELLS, CELLS);
    this.field = new Float64Array(CELLS * CELLS);
  }

  // Limits come from the whole run, not from the step: what the waves of the best w need.
  /** @param {Run} run @param {Plane} plane */
  prepare(run, plane) {
    this.hinge.prepare(run);
    this.plane = plane;
    this.strongest = null;
    run.reach ??= Math.max(
      ...run.segments.map(
        s => (0.5 * (s.optimum?.norm ?? 1 / Math.sqrt(s.params.lam))) / Math.sqrt(s.waves),
      ),
    );
    this.reach = run.reach; // it stays when an optimum comes later
  }

  /** @param {View} shown @param {boolean} loud */
  paint(shown, loud) {
    // the algorithm works on the last iterate, whichever the plane shows
    const view = { ...shown, ...shown.last };
    if (this.hinge.sheet.visible) this.hinge.paint(view);
    if (!loud || !this.waves.visible) return;
    const { waves } = view.segment;
    const words = `f is a sum of ${waves} random waves`;
    this.captions[1].say(`${words} A cos(⟨v, x⟩ − θ)`, words, `${waves} random waves`);
    this.paintWaves(view);
  }

  /** @param {View} view */
  facts(view) {
    return [paying(view), `${view.segment.waves} waves`];
  }

  /** @param {View} view */
  paintWaves({ theme, s, now, slow }) {
    const { g, w, h, u } = open(this.waves, theme);
    const { sights } = /** @type {Engine} */ (this.stage.engine);
    const sight = sights[s];
    const { waves, length: lengths } = sight;
    const unit = 1 / Math.sqrt(waves);
    /** @param {number} k */
    const amplitude = k => unit * Math.hypot(now.w[2 * k], now.w[2 * k + 1]);
    const all = Array.from({ length: waves }, (_, k) => k);
    const left = 38 * u;
    const chart = clamp(w * 0.42, 150 * u, 260 * u);
    const bottom = h - 26 * u;
    const gap = 10 * u;
    const tiles = Math.min(waves, Math.max(1, Math.floor((w - chart) / (104 * u))));
    const wide = (w - chart - gap * tiles) / tiles;
    if (slow || this.strongest?.sight !== sight || this.strongest.order.length !== tiles) {
      // in motion they keep their places
      this.strongest = {
        sight,
        order: [...all].sort((a, b) => amplitude(b) - amplitude(a)).slice(0, tiles),
      };
    }
    const { order } = this.strongest;
    /** @param {number} k */
    const length = k => lengths[k];
    const x = scale(0, Math.max(...all.map(length)) * 1.04, left, chart);
    // the first steps are much too long: as long as a wave is higher than that, the axis ends at a
    // round number
    const most = Math.max(...all.map(amplitude));
    const top =
      most > this.reach ? (ticks(0, 2 * most, 4).find(v => v >= most) ?? most) : this.reach;
    const y = scale(0, top, bottom, 30 * u);
    for (const v of ticks(0, top, 3)) {
      rule(g, left, y(v), chart, y(v), theme.grid);
      side(g, theme, tickText(v), left + 1, y(v));
    }
    for (const v of ticks(0, x.d1, 4))
      if (x(v) < chart - 96 * u) centred(g, theme, tickText(v), x(v), bottom + 18 * u);
    text(g, theme, "frequency ‖v‖", chart, bottom + 18 * u, { align: "right" });
    text(g, theme, "A", left - 7, 13 * u, { align: "right" });
    const named = new Map(order.map((k, place) => [k, place + 1]));
    const labels = new Labels(g, theme, { left, top: 0, right: chart, bottom });
    for (const k of all.toSorted((a, b) => (named.get(a) ?? 99) - (named.get(b) ?? 99))) {
      const strong = named.has(k);
      const at = y(amplitude(k));
      const px = x(length(k));
      rule(g, px, bottom, px, at, strong ? theme.ink : theme.floor, strong ? 2.5 : 1.6);
      /** @type {Place[]} */
      const places = [0, 9, -9, 18].map(aside => [px + aside * u, at - 4, "center"]);
      if (strong && amplitude(k) > 0)
        labels.put(String(named.get(k)), { weight: 650, color: theme.ink }, ...places);
    }
    order.forEach((k, place) => {
      const from = chart + gap + place * (wide + gap);
      const wave = [now.w[2 * k] * unit, now.w[2 * k + 1] * unit];
      this.tile(g, theme, sight.plane[k], wave, from, wide, bottom);
      const look = { size: 13.5, weight: 650, color: theme.ink, halo: theme.bg };
      text(g, theme, `${place + 1}`, from + 8, 18 * u, look);
      const words = `A = ${amplitude(k).toFixed(3)}`;
      centred(g, theme, words, from + wide / 2, bottom + 18 * u, { color: theme.ink2 });
    });
  }

  // A wave over the plane, by where it stands there and its two amplitudes.
  /**
   * @param {Pen} g
   * @param {Theme} theme
   * @param {number[]} place
   * @param {number[]} wave
   * @param {number} left
   * @param {number} width
   * @param {number} height
   */
  tile(g, theme, [constant, across, up], [cosine, sine], left, width, height) {
    const { x, y } = this.plane;
    const strength = 1.6 / this.reach;
    for (let r = 0, cell = 0; r < CELLS; r++)
      for (let c = 0; c < CELLS; c++) {
        const phase =
          constant +
          across * (x.d0 + (c / (CELLS - 1)) * (x.d1 - x.d0)) +
          up * (y.d1 - (r / (CELLS - 1)) * (y.d1 - y.d0));
        this.field[cell++] = strength * (cosine * Math.cos(phase) + sine * Math.sin(phase));
      }
    g.save();
    g.beginPath();
    g.roundRect(left, 0, width, height, 5);
    g.clip();
    this.image.paint(g, theme, this.field, left, 0, width, height);
    g.restore();
    g.beginPath();
    g.roundRect(left + 0.5, 0.5, width - 1, height - 1, 5);
    stroke(g, theme.hair, 1);
  }
}

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  return {
    ...pegasos(run, before, after, t),
    waves: run.segment(t).waves,
    n: run.count(t),
    inner: run.inner_products[t],
  };
}

/** @type {Panel["formula"]} */
export const formula = () => ["f(x) = ⟨w, φ(x)⟩", "f(x)"];
