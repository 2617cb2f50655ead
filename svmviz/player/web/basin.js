// One basin, or one for each class: columns of responses, water of a given volume, its level, who is under it.

import { clamp, line, scale, text, ticks, tickText } from "./draw.js";
import { sorted, volumeFor } from "./water.js";

const GAP = 96;                                              // between the two basins, where the beam turns

export class Basin {
  constructor(sheet) {
    this.sheet = sheet;
    this.spread = 0;                                         // 0: columns by height, 1: as the data come
  }

  // Limits come from the whole run; the wild responses of its first steps are cut off at the edge.
  prepare(run) {
    const [low, high] = run.extent, top = Math.max(high, ...[run.objective.at(-1), run.objective_average.at(-1)].map(Math.abs)), room = (top - low) * .06 || .1;
    this.low = low - room;
    this.high = top + room;
  }

  layout({ run, theme, now, segment, mask }) {
    const { w, h } = this.sheet, u = theme.unit, bare = w < 420 * u, left = (bare ? 46 : 50) * u, head = (bare ? 30 : 46) * u, foot = 40 * u;
    const gap = segment.bias ? GAP * u : 0, cw = (w - left - gap) / now.count;
    Object.assign(this, { w, h, u, left, cw, run, now, segment, bottom: h - foot, middle: left + cw * now.order[0].length, gap, bare });
    this.y = scale(this.low, this.high, this.bottom, head);
    this.place = new Float64Array(run.n).fill(-1);
    const ranks = this.ranks(now, mask);
    for (let i = 0; i < run.n; i++) if (mask[i]) this.place[i] = ranks[i];
  }

  // The left edge of every column: its rank, its place in the data, or on the way from one to the other.
  ranks({ order: [first, second] }, mask) {
    const { run, cw, left, middle, gap, segment } = this, x = new Float64Array(run.n), seat = (s, k, size) => {
      if (!segment.bias) return left + k * cw;               // with a bias the lowest of both classes meet in the middle
      return s === 0 ? left + (size - 1 - k) * cw : middle + gap + k * cw;
    };
    [first, second].forEach((order, s) => {
      const home = this.spread ? Int32Array.from(order).sort((i, j) => i - j) : null, places = home ? new Map([...home].map((i, k) => [i, k])) : null;
      order.forEach((i, k) => {
        const by = seat(s, k, order.length);
        x[i] = home ? by + this.spread * (seat(s, segment.bias && s === 0 ? order.length - 1 - places.get(i) : places.get(i), order.length) - by) : by;
      });
    });
    return x;
  }

  // Columns that rise change places: in the moment of the change they walk from their old rank to the new one.
  walk({ before, after, shown, mask, run }) {
    if (shown <= 0 || shown >= 1 || !before || run.n > 600) return;
    const responses = state => Float64Array.from(state.f, (f, i) => run.y[i] * f), order = state => {
      const c = responses(state);
      return { order: this.now.order.map(members => sorted(c, members, null)) };
    };
    const from = this.ranks(order(before), mask), to = this.ranks(order(after), mask);
    for (let i = 0; i < run.n; i++) if (mask[i]) this.place[i] = from[i] + shown * (to[i] - from[i]);
  }

  // Returns where the water of each basin can be taken hold of, the second one first.
  paint(view) {
    const g = this.sheet.begin(), { theme, now, mask, run, segment } = view;
    this.layout(view);
    if (view.slow) this.walk(view);
    const water = this.water = { gamma: now.gamma, b: now.b, k: now.k, nu: segment.nu };
    this.wet = i => now.wet[i] === 1;
    this.axis(g, theme, water);
    this.pool(g, theme, water);
    this.columns(g, theme, mask, run);
    this.surfaces(g, theme, water);
    this.marks(g, view, water);
    return (segment.bias ? [1, 0] : [0]).map(s => {
      const { left, width, level } = this.stretch(water, s), wide = Math.max(width, 24);
      return { left: s === 0 && segment.bias ? left + width - wide : left, width: wide, top: clamp(this.y(level), 0, this.bottom) - 11 };
    });
  }

  level(i) { const { gamma, b } = this.water; return this.segment.bias ? gamma - this.run.y[i] * b : gamma; }

  // Where the water of a basin stands: its wet stretch if sorted, all of it else.
  stretch({ gamma, b, k }, s) {
    const { left, cw, now, middle, gap, segment, spread } = this, size = now.order[s].length, wet = (1 - spread) * Math.min(k, size) + spread * size;
    const level = segment.bias ? gamma - (s === 0 ? b : -b) : gamma, from = !segment.bias ? left : s === 0 ? middle - wet * cw : middle + gap;
    return { left: from, width: wet * cw, level };
  }

  axis(g, theme, { gamma }) {
    const { y, left, w, u } = this;
    for (const v of ticks(this.low, this.high, 5)) {
      if (v <= this.low + (this.high - this.low) * .02) continue;
      line(g, [[left, y(v)], [w, y(v)]], theme.grid);
      if (this.segment.bias || Math.abs(y(v) - y(gamma)) > 15 * u) text(g, theme, tickText(+v.toFixed(6)), left - 8, y(v), { color: theme.muted, align: "right", base: "middle" });
    }
  }

  pool(g, theme, water) {
    const { y, place, cw, now } = this;
    g.fillStyle = theme.water;
    g.beginPath();
    if (this.spread === 0) now.order.forEach((order, s) => { if (order.length) { const { left, width, level } = this.stretch(water, s); g.rect(left, y(level), width, this.bottom - y(level)); } });
    else for (const order of now.order) for (const i of order) if (this.wet(i)) g.rect(place[i], y(this.level(i)), cw, this.bottom - y(this.level(i)));
    g.fill();
  }

  columns(g, theme, mask, run) {
    const { y, place, cw, now } = this, fine = cw < 2, edge = fine ? Math.round : x => x, gap = cw > 3.2 ? .6 : 0;
    const kinds = { dry: [], plus: [], minus: [] };
    for (let i = 0; i < run.n; i++) if (mask[i]) kinds[this.wet(i) ? (run.y[i] > 0 ? "plus" : "minus") : "dry"].push(i);
    for (const [kind, members] of Object.entries(kinds)) {   // rectangles one by one: a path of thousands takes the raster far longer
      g.globalAlpha = kind === "dry" ? .8 : 1;
      g.fillStyle = kind === "dry" ? theme.floor : theme[kind];
      for (const i of members) {
        const top = clamp(y(now.c[i]), 0, this.bottom), x = edge(place[i]), width = edge(place[i] + cw) - x - gap;
        if (width > 0) g.fillRect(x, top, width, this.bottom - top);
      }
      g.globalAlpha = 1;
    }
    line(g, [[this.left, this.bottom], [this.w, this.bottom]], theme.ghost);
  }

  surfaces(g, theme, water) {
    const { y, segment, u, w, middle, gap } = this;
    const ends = (segment.bias ? [0, 1] : [0]).map(s => ({ s, ...this.stretch(water, s) }));
    for (const { left, width, level } of ends) line(g, [[left, y(level)], [left + width, y(level)]], theme.surface, 2.75);
    if (!segment.bias) {
      const { left, width, level } = ends[0];
      if (left + width < w - 4) line(g, [[left + width, y(level)], [w, y(level)]], theme.surface, 1.25, [1.5, 4]);
      text(g, theme, water.gamma.toFixed(3).replace("-", "−"), this.left - 8, y(level), { weight: 700, color: theme.surface, align: "right", base: "middle", halo: theme.bg });
      return;
    }
    const [a, b] = ends, x = middle + gap / 2, at = y(water.gamma);               // the beam turns on its pivot at γ
    line(g, [[middle, y(a.level)], [middle + gap, y(b.level)]], theme.surface, 2.75);
    line(g, [[middle - 24 * u, at], [middle + gap + 24 * u, at]], theme.ghost, 1, [3, 3]);
    g.beginPath();
    g.arc(x, at, 4 * u, 0, 7);
    g.fillStyle = theme.surface;
    g.fill();
    g.beginPath();
    g.moveTo(x, at + 6 * u);
    g.lineTo(x - 9 * u, at + 20 * u);
    g.lineTo(x + 9 * u, at + 20 * u);
    g.fillStyle = theme.floor;
    g.fill();
    const number = v => v.toFixed(3).replace("-", "−");
    text(g, theme, `γ = ${number(water.gamma)}`, x, at + 37 * u, { size: 13.5, weight: 700, color: theme.ink, align: "center", halo: theme.bg });
    text(g, theme, `b = ${number(water.b)}`, x, at + 54 * u, { size: 13.5, color: theme.ink2, align: "center", halo: theme.bg });
    text(g, theme, `γ − b = ${number(a.level)}`, middle - 6, y(a.level) - 10 * u, { size: 13.5, weight: 700, color: theme.surface, align: "right", halo: theme.bg });
    text(g, theme, `γ + b = ${number(b.level)}`, middle + gap + 6, y(b.level) - 10 * u, { size: 13.5, weight: 700, color: theme.surface, halo: theme.bg });
  }

  marks(g, view, water) {
    const { theme, now, drawn, slow, linked, run, segment, beat } = view, { y, u, w, bottom, bare } = this, teal = { size: 13.5, weight: 700, color: theme.surface, halo: theme.bg };
    const count = now.count, volume = water.nu * count;
    if (segment.bias) {
      const [a, b] = [0, 1].map(s => this.stretch(water, s)), words = [`+1 basin · ${now.order[0].length} points`, `−1 basin · ${now.order[1].length} points`];
      text(g, theme, words[0], this.left, 16 * u, { size: 13.5, weight: 700, color: theme.plus_text });
      text(g, theme, words[1], w, 16 * u, { size: 13.5, weight: 700, color: theme.minus_text, align: "right" });
      if (!bare) text(g, theme, `water νn = ${(+volume.toPrecision(4))}`, (this.left + w) / 2, 16 * u, { ...teal, align: "center" });
      if (this.spread === 0) {
        this.bracket(g, theme, a.left, a.width);
        this.bracket(g, theme, b.left, b.width);
        text(g, theme, `k = ${water.k}`, this.middle, bottom + 30 * u, { ...teal, align: "right" });
        text(g, theme, "=", this.middle + this.gap / 2, bottom + 30 * u, { ...teal, align: "center" });
        text(g, theme, `k = ${water.k}`, this.middle + this.gap, bottom + 30 * u, teal);
      }
      if (!bare) text(g, theme, `each wet point: p = 1/${2 * water.k}`, this.left, bottom + 30 * u, { color: theme.muted });
    } else {
      const { left, width, level } = this.stretch(water, 0), dry = count - water.k;
      if (this.spread === 0) this.bracket(g, theme, left, width);
      text(g, theme, bare ? `k = ${water.k} under water` : `k = ${water.k} under water, each drawn with p = 1/${water.k}`, left, bottom + 30 * u, teal);
      if (w > (bare ? 310 : 380) * u) text(g, theme, bare ? `${dry} dry` : `${dry} dry, never drawn now`, w, bottom + 30 * u, { color: theme.muted, align: "right" });
      const shore = left + width, edge = clamp(shore, left + 60 * u, w);
      text(g, theme, "level γ", edge - 6, Math.max(y(level) - 8 * u, 14 * u), { ...teal, align: "right" });
      const chosen = slow && view.t > 0 && drawn.length ? this.place[drawn[0]] : -1, size = 13.5;           // the labels keep out of each other's way
      const x = chosen > w * .45 ? left + 4 : clamp(left + width * .5, Math.max(left, chosen) + 130 * u, w - 190 * u);
      if (bare) text(g, theme, `water νn = ${+volume.toPrecision(4)}`, w, 14 * u, { ...teal, align: "right" });
      else {
        text(g, theme, view.supposed ? `let go: ν = ${+water.nu.toPrecision(3)}` : "water poured in", x, 14 * u, { ...teal, size });
        text(g, theme, `νn = ${+water.nu.toPrecision(3)} × ${count} = ${+volume.toPrecision(4)}`, x, 30 * u, { ...teal, size, weight: 400 });
        if (y(level) > 44 * u) line(g, [[x + 6, 36 * u], [x + 6, y(level) + 8 * u]], theme.surface, 1.25);
      }
    }
    if (linked >= 0 && this.place[linked] >= 0) this.link(g, theme, linked);
    if (view.t > 0 && drawn.length && beat !== "measure") this.drawn(g, view, drawn[0]);
  }

  bracket(g, theme, left, width) {
    const y = this.bottom + 6 * this.u;
    line(g, [[left + 1, y - 5], [left + 1, y + 4], [left + Math.max(width - 1, 2), y + 4], [left + Math.max(width - 1, 2), y - 5]], theme.surface, 1.5);
  }

  link(g, theme, i) {
    const { y, place, cw, now, u } = this, width = Math.max(cw, 3), x = place[i] - (width - cw) / 2, top = clamp(y(now.c[i]), 0, this.bottom), right = x < this.w - 150 * u;
    g.lineWidth = 2;
    g.strokeStyle = theme.ui;
    g.strokeRect(x - 1, top - 1, width + 2, this.bottom - top + 2);
    text(g, theme, `point ${i + 1}: c = ${now.c[i].toFixed(3).replace("-", "−")}, ${this.wet(i) ? "under water" : "dry"}`, right ? x + width + 8 : x - 8, Math.max(top - 8, 48 * u), { size: 13.5, weight: 600, color: theme.ink, align: right ? "left" : "right", halo: theme.bg });
  }

  // The drawn column: an accent bar, a dotted riser to the level, its number above.
  drawn(g, { theme, now, slow, segment }, i) {
    if (!(this.place[i] >= 0)) return;
    const { y, place, cw, u, bare, bottom } = this, width = Math.max(cw, 4), x = place[i] + cw / 2, top = clamp(y(now.c[i]), 0, bottom), level = clamp(y(this.level(i)), 0, bottom);
    g.fillStyle = theme.now;
    g.fillRect(x - width / 2, top, width, bottom - top);
    if (top > level + 6) line(g, [[x, top], [x, level]], theme.now, 2, [2, 3]);
    g.beginPath();
    g.arc(x, top, 4.5 * Math.sqrt(u), 0, 7);
    g.fill();
    g.lineWidth = 1.5;
    g.strokeStyle = theme.bg;
    g.stroke();
    if (!slow) return;
    const look = { size: 13.5, weight: 700, color: theme.now, halo: theme.bg }, c = `c[i] = ${now.c[i].toFixed(3).replace("-", "−")}`;
    if (segment.bias) {
      const minus = this.run.y[i] < 0, tx = minus ? x - 14 : x + 14, pivot = y(this.water.gamma);
      const ty = clamp(top + 5, 60 * u, bottom - 30 * u) < pivot + 76 * u && top > pivot - 30 * u ? Math.min(pivot + 80 * u, bottom - 24 * u) : clamp(top + 5, 60 * u, bottom - 30 * u);
      text(g, theme, `i = ${i + 1}`, tx, ty, { ...look, align: minus ? "right" : "left" });
      text(g, theme, c, tx, ty + 17 * u, { ...look, align: minus ? "right" : "left" });
    } else if (bare) text(g, theme, `i = ${i + 1}`, clamp(x, this.left + 20 * u, this.w - 160 * u), 14 * u, { ...look, align: "center" });
    else {
      const tx = clamp(x - 6, this.left, this.w - 110 * u);
      text(g, theme, `drawn: i = ${i + 1}`, tx, 14 * u, look);
      text(g, theme, c, tx, 30 * u, look);
      line(g, [[x, 36 * u], [x, Math.max(level - 6, 38 * u)]], theme.now, 1.25);
    }
  }

  at(px) {                                                   // the example whose column is there, or -1
    const { place, cw, run } = this;
    if (!place || px < this.left) return -1;
    for (let i = 0; i < run.n; i++) if (place[i] >= 0 && px >= place[i] && px < place[i] + Math.max(cw, 1)) return i;
    return -1;
  }

  pulled(py, s) {                                            // the ν that brings the level there; s is the part that was pulled
    const tilt = !this.segment.bias ? 0 : s ? this.now.b : -this.now.b;
    const gamma = this.y.back(clamp(py, 0, this.bottom)) + tilt, lowest = this.now.pour(0).gamma;
    const volume = gamma <= lowest ? 0 : volumeFor(gamma, this.now.pour);
    return Math.min(10, volume / this.now.count);
  }
}
