// The budget as a rack: a slot for every support vector, its coefficient as a bar, the one too many in a dashed slot. Under each
// slot a line for its age, its number, and how many mergings are in it.

import { arrow, clamp, line, text } from "./draw.js";

const MERGED = 3, short = v => String(+v.toPrecision(3)).replace("-", "−");

export class Rack {
  constructor(sheet) { this.sheet = sheet; }

  at(px) {
    const k = Math.floor((px - this.left) / this.step);
    return px >= this.left && k < (this.rows?.length ?? 0) ? this.rows[k] : -1;
  }

  paint(view, asked) {
    const { theme, rows, state, event, midst, run, next, beat, taken, t, linked, last } = view;
    const g = this.sheet.begin(), { w, h } = this.sheet, u = theme.unit, low = h > 130 * u ? 56 * u : 40 * u, bottom = h - low, top = 4, middle = (top + bottom) / 2;
    const budgeted = next.maintenance !== "none", slots = budgeted ? Math.max(next.B + 1, rows.length) : rows.length, step = Math.min(w / Math.max(slots, 1), 44 * u), pad = step > 12 ? 2 : .5;
    const merging = midst && event.kind === MERGED, [m, n] = midst ? [rows.indexOf(event.m), rows.indexOf(event.n)] : [-1, -1], gone = midst && beat === "take" ? taken : 0;
    const coming = merging ? last.after.coef[event.z] : 0, tall = (bottom - top) / 2 - 8;
    const most = rows.reduce((best, row) => Math.max(best, Math.abs(state.coef[row])), Math.max(Math.abs(coming), 1e-12));
    const close = clamp((gone - .6) / .4, 0, 1), left = k => (k - (m >= 0 && k > m ? close : 0)) * step;      // the slot that is left closes at the end
    Object.assign(this, { rows, step, left: 0 });
    const box = (k, color, width, dash = []) => {
      g.beginPath();
      g.roundRect(left(k) + pad, top, step - 2 * pad, bottom - top, 4);
      g.lineWidth = width;
      g.strokeStyle = color;
      g.setLineDash(dash);
      g.stroke();
      g.setLineDash([]);
    };
    const bar = (k, v) => [left(k) + step * .24, middle - Math.max(v / most * tall, 0), step * .52, Math.abs(v) / most * tall];
    if (step > 9) for (let k = 0; k < slots - (budgeted ? 1 : 0); k++) box(k, theme.hair, 1);
    line(g, [[0, middle], [slots * step, middle]], theme.ghost);
    rows.forEach((row, k) => {
      const acts = k === m || k === n, center = left(k) + step / 2;
      if (acts) { g.fillStyle = theme.band; g.fillRect(left(k) + pad, top, step - 2 * pad, bottom - top); }
      const v = k === n && merging ? state.coef[row] + gone * (coming - state.coef[row]) : state.coef[row];
      g.globalAlpha = k === m ? 1 - gone : 1;
      g.fillStyle = v > 0 ? theme.plus : theme.minus;
      g.fillRect(...bar(k, v));
      g.globalAlpha = 1;
      if (row === linked || row === asked) box(k, theme.ui, 2.5);
      if (step > 6) line(g, [[left(k) + pad, bottom + 4], [left(k) + pad + (step - 2 * pad) * Math.min(1, view.ageOf(row) / Math.max(t, 1)), bottom + 4]], theme.floor, 2.5);
      g.globalAlpha = k === m ? 1 - close : 1;
      if (step > 15) text(g, theme, String(k), center, bottom + 20 * u, { color: acts ? theme.ink : theme.muted, weight: acts ? 700 : 400, align: "center" });
      if (step > 26 * u && low > 50 * u && run.merged[row]) text(g, theme, `⊕${run.merged[row]}`, center, bottom + 36 * u, { color: theme.muted, align: "center" });
      g.globalAlpha = 1;
    });
    const full = midst && budgeted && rows.length > next.B;
    if (full) box(rows.length - 1, theme.now, 2.25, [4, 3]);
    const over = k => full && k === rows.length - 1;
    for (const [k, name, y] of [[m, merging ? "m" : "p", top + 15 * u], [n, "n", bottom - 7]]) if (k >= 0) {
      if (!over(k)) box(k, theme.ink, 2);
      if (step > 15) text(g, theme, name, left(k) + step / 2, y, { size: 14, weight: 700, color: over(k) ? theme.now : theme.ink, align: "center", halo: theme.band });
    }
    if (merging && m >= 0 && n >= 0 && beat !== "choose") {
      const [x, y, wide, long] = bar(n, coming), [a, b] = [left(m) + step / 2, left(n) + step / 2], dip = middle + (coming > 0 ? 1 : -1) * tall * .42, way = Math.sign(a - b);
      g.strokeStyle = theme.ink;
      g.lineWidth = 2;
      g.setLineDash([3, 2]);
      g.strokeRect(x - 2, y - 2, wide + 4, long + 4);
      g.setLineDash([]);
      g.beginPath();
      g.moveTo(a, dip);
      g.quadraticCurveTo((a + b) / 2, dip + 26 * u, b + way * 8, dip + 3);
      g.stroke();
      arrow(g, b + way * 9, dip + 5, b + way * 2, dip - 5, theme.ink, 2, 8);
    }
    this.words(g, view, { merging, full, most, coming });
  }

  words(g, { theme, rows, state, event, midst, run, t, next }, { merging, full, most, coming }) {
    const { w, h } = this.sheet, y = h - 4 * theme.unit;
    const here = t === 0 ? "empty: every example with a margin below 1 will take a slot" : !midst ? `${rows.length} in use, largest |α| = ${short(most)}`
      : merging ? `m: smallest |α| = ${short(Math.abs(state.coef[event.m]))}` : event.m >= 0 && state.coef[event.m] ? `p: |α| = ${short(Math.abs(state.coef[event.m]))}` : "the new example is spanned by the others";
    text(g, theme, here, 0, y, { color: theme.ink2 });
    if (merging && w > 520) text(g, theme, `n + m → z, α = ${short(coming)} (dashed)`, w * .27, y, { color: theme.ink2 });
    if (full) text(g, theme, `slot ${rows.length - 1}: one over budget`, w, y, { size: 13.5, weight: 700, color: theme.now, align: "right" });
    else if (w > 460 && t) text(g, theme, `line: age of the slot${next.maintenance === "merge" && run.events_to?.[t] ? ", ⊕ mergings in it" : ""}`, w, y, { color: theme.muted, align: "right" });
  }
}
