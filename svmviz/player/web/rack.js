// The budget as a rack: a slot for every support vector, its coefficient as a bar, the one too many in a dashed slot.

import { arrow, colorOf, line, text, trace } from "./draw.js";
import { pictureOf } from "./pixels.js";
import { sizeOf, vectorOf } from "./scores.js";

const LEAST = 3.5;                                           // pixels of a bar, if every class is to have its own

export class Rack {
  constructor(sheet) { this.sheet = sheet; }

  at(px) {
    const k = Math.floor((px - this.left) / this.step);
    return px >= this.left && k < (this.rows?.length ?? 0) ? this.rows[k] : -1;
  }

  paint({ theme, rows, state, event, midst, run, next, beat, taken, t, linked }, asked) {
    const g = this.sheet.begin(), { w, h } = this.sheet, u = theme.unit, bottom = h - 40 * u, top = 4;
    const slots = next.maintenance === "none" ? rows.length : Math.max(next.B + 1, rows.length), step = Math.min(w / Math.max(slots, 1), 44 * u), pad = step > 12 ? 2 : .5;
    const picture = run.image && step > 13 ? Math.min(step - 2 * pad - 2, (bottom - top) * .45) : 0;       // above the bars
    const head = top + (picture && picture + 4), middle = (head + bottom) / 2, tall = (bottom - head) / 2 - (run.scores > 1 ? 14 : 8);
    const vectors = rows.map(row => vectorOf(run, state, row)), most = vectors.reduce((best, v) => Math.max(best, ...v.map(Math.abs)), 1e-12);
    const few = run.scores > 2 && step * .8 / run.scores < LEAST;
    Object.assign(this, { rows, step, left: 0, few, words: run.scores === 1 ? "coefficient of each slot over the largest, oldest first" : few ? "highest and lowest coefficient of each slot, oldest first" : "coefficients of each slot by class, oldest first" });
    const box = (k, color, width, dash = []) => {
      g.beginPath();
      g.roundRect(k * step + pad, top, step - 2 * pad, bottom - top, 4);
      g.lineWidth = width;
      g.strokeStyle = color;
      g.setLineDash(dash);
      g.stroke();
      g.setLineDash([]);
    };
    if (step > 9) for (let k = 0; k < slots - (next.maintenance === "none" ? 0 : 1); k++) box(k, theme.hair, 1);
    line(g, [[0, middle], [slots * step, middle]], theme.ghost);
    const merging = midst && event.kind === 3, [m, n] = midst ? [rows.indexOf(event.m), rows.indexOf(event.n)] : [-1, -1];
    rows.forEach((row, k) => {
      const fade = midst && beat === "take" && (row === event.m || (merging && row === event.n)) ? 1 - taken : 1;
      if (k === m || k === n) { g.fillStyle = theme.band; g.fillRect(k * step + pad, top, step - 2 * pad, bottom - top); }
      g.globalAlpha = fade;
      if (picture) {
        g.imageSmoothingEnabled = false;
        g.drawImage(pictureOf(run, row, theme.ink), k * step + (step - picture) / 2, top + 2, picture, picture);
      }
      this.bars(g, theme, run, vectors[k].map(v => v / most * tall), k * step, middle);
      g.globalAlpha = 1;
      if (row === linked || row === asked) box(k, theme.ui, 2.5);
      if (step > 15) text(g, theme, String(k), k * step + step / 2, bottom + 16 * u, { color: k === m || k === n ? theme.ink : theme.muted, weight: k === m || k === n ? 700 : 400, align: "center" });
      if (step > 26 && run.merged[row] && !(run.scores > 1 && (k === m || k === n))) text(g, theme, `×${run.merged[row] + 1}`, k * step + step / 2, run.scores > 1 ? bottom - 6 : top + 16, { size: 13, color: theme.muted, align: "center", halo: theme.bg });
    });
    g.imageSmoothingEnabled = true;
    const full = midst && rows.length > next.B;
    if (full) box(rows.length - 1, theme.now, 2.25, [4, 3]);
    for (const [k, name] of [[m, "m"], [n, "n"]]) if (k >= 0) { box(k, theme.ink, 2); if (step > 15) text(g, theme, name, k * step + step / 2, bottom - 7, { size: 13.5, weight: 700, color: theme.ink, align: "center", halo: theme.bg }); }
    if (merging && m >= 0 && n >= 0 && beat !== "choose") {
      const a = m * step + step / 2, b = n * step + step / 2, dip = bottom - 26 * u;
      g.beginPath();
      g.moveTo(a, dip);
      g.quadraticCurveTo((a + b) / 2, dip + 18 * u, b + Math.sign(a - b) * 6, dip + 3);
      g.lineWidth = 2;
      g.strokeStyle = theme.ink;
      g.stroke();
      arrow(g, b + Math.sign(a - b) * 7, dip + 4, b, dip - 4, theme.ink, 2, 7);
    }
    const words = t === 0 ? "empty: every example with a margin below 1 will take a slot" : !midst ? `${rows.length} in use, largest ${run.scores > 1 ? "coefficient" : "|α| ="} ${+most.toPrecision(3)}` : `m: smallest |α| = ${+sizeOf(state, event.m).toPrecision(3)}`;
    text(g, theme, words, 0, h - 4 * u, { color: theme.ink2 });
    if (full) text(g, theme, `slot ${rows.length - 1}: one over budget`, w, h - 4 * u, { size: 13.5, weight: 700, color: theme.now, align: "right" });
    else if (w > 460) text(g, theme, "× how many examples a slot stands for", w, h - 4 * u, { color: theme.muted, align: "right" });
  }

  // One bar, or one per class: what speaks for a class stands on the line, what speaks against it hangs below. Where there is no
  // room for all classes, the highest and the lowest.
  bars(g, theme, run, values, x, middle) {
    const { step, few } = this;
    if (run.scores === 1) {
      g.fillStyle = colorOf(theme, values[0] > 0);
      g.fillRect(x + step * .24, middle - Math.max(values[0], 0), step * .52, Math.abs(values[0]));
      return;
    }
    const shown = few ? [values.indexOf(Math.max(...values)), values.indexOf(Math.min(...values))] : values.map((_, k) => k);
    const each = step * (few ? .64 : .8) / shown.length, from = x + step * (few ? .18 : .1);
    shown.forEach((k, place) => {
      const v = values[k], left = from + place * each;
      if (!v) return;
      g.fillStyle = colorOf(theme, k);
      g.fillRect(left, middle - Math.max(v, 0), Math.max(each - 1, 1), Math.abs(v));
      if (each < 7) return;
      g.beginPath();
      trace(g, k, left + (each - 1) / 2, middle - v - Math.sign(v) * 5, Math.min(3.4, each / 2.6));
      g.fill();
    });
  }
}
