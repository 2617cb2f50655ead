// The mechanism of budgeted SGD: the rack of support vectors, and above it what happens to the one that is too many.

import { error } from "./code.js";
import { Choice } from "./choice.js";
import { Sheet, arrow, group, line, text, trace } from "./draw.js";
import { pictureOf, portraits } from "./pixels.js";
import { Rack } from "./rack.js";
import { classOf } from "./scores.js";

export const CHANGE = ["shrink", "add"], SECOND = "take";    // the example comes in; then one goes
const DONE = { 1: "removed", 2: "projected", 3: "merged", 4: "folded in", 6: "removed" };
const FROZEN = 5, MERGED = 3;

const kindOf = (run, state, row) => { const own = classOf(run, state, row); return run.scores > 1 ? own : own > 0; };

export class Mechanism {
  constructor(section, stage) {
    section.innerHTML = `<div class="pair"><div><h3><b class="what"></b> <span class="caption where"></span></h3><div class="view choice"></div></div>
      <div><h3><b>Ranked</b> <span class="caption by"></span></h3><div class="view ranked"></div></div></div>
      <h3><b>Budget rack</b> <span class="caption rackwords"></span></h3><div class="view rack"></div>`;
    const $ = name => section.querySelector(name);
    Object.assign(this, { stage, what: $(".what"), where: $(".where"), by: $(".by"), rackwords: $(".rackwords"), asked: -1 });
    this.curve = new Sheet($(".choice"), "Loss of merging over the place of the new vector");
    this.ranked = new Sheet($(".ranked"), "Candidates, ranked by the loss");
    this.slots = new Sheet($(".rack"), "Coefficients of all support vectors");
    this.sheets = [this.curve, this.ranked, this.slots];
    this.choice = new Choice(this.curve, this.ranked);
    this.rack = new Rack(this.slots);
    const ask = (sheet, at) => sheet.canvas.addEventListener("click", event => {
      const row = at(event.offsetX, event.offsetY);
      this.asked = row === this.asked ? -1 : row;
      stage.repaint();
    });
    ask(this.slots, x => this.rack.at(x));
    ask(this.ranked, (x, y) => this.choice.at(y));
    this.tip = section.appendChild(Object.assign(document.createElement("div"), { className: "tip", hidden: true }));
    this.slots.canvas.addEventListener("pointermove", event => this.hover(event.offsetX, this.rack.at(event.offsetX)));
    this.slots.canvas.addEventListener("pointerleave", () => this.hover(0, -1));
  }

  // The slot under the pointer: its example on the plane, and its picture, if it is one, in a size to look at.
  hover(x, row) {
    const { run } = this.stage;
    this.stage.link(row);
    this.tip.hidden = row < 0 || !run.image;
    if (this.tip.hidden) return;
    const made = run.merged[row] ? `, made of ${run.merged[row] + 1} examples` : "";
    this.tip.textContent = row < run.n ? `point ${row + 1}, class ${run.classes[run.y[row]] ?? (run.y[row] > 0 ? "+1" : "−1")}` : `vector ${row - run.n + 1}${made}`;
    this.tip.prepend(pictureOf(run, row));
    const box = this.slots.canvas.parentElement;
    this.tip.style.left = `${Math.max(0, Math.min(x - 50, box.clientWidth - 130))}px`;
    this.tip.style.top = `${box.offsetTop - 122}px`;
  }

  // When each row of the table was a support vector; and which event, if any, each step had.
  prepare(run) {
    const spans = [], open = new Map();
    const close = (row, t) => { if (open.has(row)) { open.get(row).to = t; open.delete(row); } };
    for (let t = 1; t <= run.T; t++) {
      if (run.shrink[t] === 1) for (const row of [...open.keys()]) close(row, t);
      for (let e = run.change_first[t]; e < run.change_first[t + 1]; e++) {
        const row = run.change_index[e];
        if (!open.has(row)) { const span = { row, from: t, to: Infinity }; open.set(row, span); spans.push(span); }
        if (Number.isNaN(run.change_delta[e])) close(row, t);
      }
    }
    this.spans = spans;
    run.event_of = new Map([...run.event_step].map((t, k) => [t, k]));
    run.events_to = new Uint32Array(run.T + 1);
    for (let t = 1; t <= run.T; t++) run.events_to[t] = run.events_to[t - 1] + (DONE[run.event[t]] ? 1 : 0);
    this.asked = -1;
  }

  // The support vectors that the rack shows, oldest first: while one is too many, all of them.
  rows({ t, event }, midst) {
    const z = event?.z ?? -1, { run } = this.stage, come = run.entered(t) > run.change_first[t] ? run.change_index[run.change_first[t]] : -1;
    return this.spans.filter(s => (midst ? s.from <= t && s.to >= t && s.row !== z && (s.from < s.to || s.row === come) : s.from <= t && s.to > t)).map(s => s.row);
  }

  // The view of this moment with what the maintenance is doing.
  frame(shown) {
    const { run, t } = shown, k = run.event_of.get(t);
    if (t !== this.turn) [this.turn, this.asked] = [t, -1];
    const event = k === undefined || run.event[t] === FROZEN ? null : { kind: run.event[t], h: run.event_h[k], lost: run.event_degradation[k], m: run.event_m[k], n: run.event_n[k], z: run.event_z[k] };
    const midst = event && shown.taken !== undefined && shown.taken < 1 && ["choose", "look", "take"].includes(shown.beat);
    const view = { ...shown, ...shown.last, event, midst, state: midst ? shown.mid : shown.now };
    view.rows = this.rows(view, midst);
    view.crowd = midst || !event ? view.rows : this.rows(view, true);       // all among whom the choice was made
    return view;
  }

  paint(shown, loud) {
    const view = this.frame(shown), { next } = view;
    const merging = next.maintenance === "merge" && next.kernel.kind === 1;
    if (this.curve.visible) this.choice.paint(view, this.asked, merging);
    if (this.slots.visible) this.rack.paint(view, this.asked);
    if (!loud) return;
    this.what.textContent = merging ? "Where to put z" : next.maintenance.startsWith("project") ? "Who takes over" : "Who goes";
    this.where.textContent = merging ? "‖Δ‖² over h, z = h m + (1 − h) n" : next.maintenance.startsWith("project") ? "change of each coefficient" : "‖Δ‖² if this one goes";
    this.by.textContent = merging ? "partners by least ‖Δ‖²" : "by least ‖Δ‖²";
    this.rackwords.textContent = this.rack.words;
  }

  // On the plane: the two that merge, the segment between them, z on its way.
  overlay(g, shown, plane) {
    const { event, run, theme, beat, taken, mid } = this.frame(shown);
    if (!event || event.kind !== MERGED || !["choose", "look", "take"].includes(beat)) return;
    const place = row => [plane.x(run.points[2 * row]), plane.y(run.points[2 * row + 1])];
    const [m, n, z] = [event.m, event.n, event.z].map(place);
    line(g, [m, n], theme.bg, 5);
    line(g, [m, n], theme.ink, 2);
    for (const [p, name] of [[m, "m"], [n, "n"]]) text(g, theme, name, p[0] + 11, p[1] - 9, { size: 14, weight: 700, color: theme.ink, halo: theme.bg });
    if (run.image) portraits(g, theme, run, plane, event, beat === "choose");
    if (beat === "choose") return;
    const u = beat === "take" ? taken : 0;
    for (const p of u > 0 && u < 1 ? [m, n] : []) arrow(g, ...p, p[0] + u * (z[0] - p[0]), p[1] + u * (z[1] - p[1]), theme.ink, 2, 7);
    g.beginPath();
    trace(g, kindOf(run, mid, event.n), z[0], z[1], 8);
    g.setLineDash([3, 2]);
    g.lineWidth = 2;
    g.strokeStyle = theme.ink;
    g.stroke();
    g.setLineDash([]);
    text(g, theme, "z", z[0] - 12, z[1] - 9, { size: 14, weight: 700, color: theme.ink, align: "right", halo: theme.bg });
  }
}

export const numbers = view => {
  const { run, t, next } = view, b = run.n_sv[t], over = view.mid && view.taken < 1 && ["choose", "look", "take"].includes(view.beat);
  const word = next.maintenance === "merge" ? "merges so far" : next.maintenance.startsWith("project") ? "projections so far" : "removals so far";
  return [["support vectors", over ? `${next.B} + 1` : next.maintenance === "none" ? String(b) : `${b} / ${next.B}`], [word, String(run.events_to?.[t] ?? 0)], error(view), ["kernel evaluations", group(String(run.axes.kernel_evals(t)))]];
};

// The live quantities of step t by the names that the templates use; bsgd_words.py holds the same list.
export function values(run, before, after, t) {
  if (t === 0) return { t: 0 };
  const segment = run.segment(t), e = run.first[t], i = run.drawn[e], k = run.event_of?.get(t), { params, B } = segment, number = name => +params[name];
  const rule = params.rule, eta = rule === "Pegasos" ? 1 / (segment.lam * t) : rule === "Norma" ? number("eta") / Math.sqrt(t) : number("eta");
  const name = row => (row === undefined || row < 0 ? "nothing" : row < run.n ? `point ${row + 1}` : `vector ${row - run.n + 1}`);
  const called = c => (run.classes.length ? `class ${run.classes[c]}` : c > 0 ? "+1" : "−1"), label = called(run.y[i]);
  const rival = run.scores > 1 ? called(run.rival[t]) : params.multiclass === "1" ? called(-run.y[i]) : "";
  const pull = run.pull?.[t] ?? 1, phi = run.phi?.[t] ?? 1, b = run.n_sv[t], first = run.change_first[t];
  return {
    t, i: i + 1, label, over: rival && ` over ${rival}`, sides: rival && ` for ${label}, −η for ${rival}`, margin: run.margin[e], eta, b, B, asked: rule === "margin Perceptron" ? number("beta") : 1,
    shrink: (1 - run.shrink[t]) / (pull * phi), hits: +(run.entered(t) > first), others: b, norm: after.norm, U: number("U"), pull, phi,
    h: run.event_h[k] ?? 0, degradation: run.event_degradation[k] ?? 0, name_m: name(run.event_m[k]), name_n: name(run.event_n[k]), name_z: name(run.event_z[k]),
  };
}
