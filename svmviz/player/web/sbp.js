// The mechanism of SBP: responses as a floor, slack as water on it; only who is under water can be drawn.
//
// The basin shows the last iterate, whichever the plane shows. Pull the surface up or down: that is another ν.

import { Basin } from "./basin.js";
import { error } from "./code.js";
import { Sheet, group } from "./draw.js";
import { Search } from "./search.js";
import { level, levelWithBias, sorted } from "./water.js";

export const CHANGE = ["lift", "scale"];
export const SYMBOLS = { value: "f(w)", star: "γ*", gap: "γ* − f(w)" };
export const KEY = `<i class="wet"></i><span class="wide">under water</span><span class="tiny">wet</span> `;

export class Mechanism {
  constructor(section, stage) {
    section.innerHTML = `<h3><b></b> <span class="caption"></span><button type="button" class="draw order" aria-pressed="true" title="Columns by height, or as the data come">Sorted</button><button type="button" class="draw how" aria-pressed="false">How γ is found</button></h3>
      <div class="view basin"><div class="surface" role="slider" tabindex="0" aria-label="Water level: pull to change ν" title="Pull to change ν"></div></div>`;
    const $ = name => section.querySelector(name), view = $(".basin");
    Object.assign(this, { stage, title: $("b"), caption: $(".caption"), orderButton: $(".order"), how: $(".how"), handle: $(".surface") });
    this.sheet = new Sheet(view, "Responses as a floor, slack as water on it");
    this.sheets = [this.sheet];
    this.basin = new Basin(this.sheet);
    this.search = new Search(this.sheet, view, stage);
    for (const button of [this.orderButton, this.how]) button.addEventListener("pointerdown", event => event.preventDefault());
    this.orderButton.addEventListener("click", () => this.turn());
    this.how.addEventListener("click", () => { this.search.toggle(); this.how.setAttribute("aria-pressed", this.search.open); stage.repaint(); });
    this.sheet.canvas.addEventListener("pointermove", event => stage.link(this.search.open ? -1 : this.basin.at(event.offsetX)));
    this.sheet.canvas.addEventListener("pointerleave", () => stage.link(-1));
    this.pull();
  }

  prepare(run) {
    this.basin.prepare(run);
    this.poured = null;
    this.search.close();
    this.how.setAttribute("aria-pressed", false);
  }

  // Sorted or in the order of the data: the columns walk there.
  turn() {
    const to = this.basin.spread > .5 ? 0 : 1, { stage } = this, from = this.basin.spread, start = performance.now();
    this.orderButton.setAttribute("aria-pressed", to === 0);
    const walk = now => {
      const u = stage.still.matches ? 1 : Math.min(1, Math.max(0, now - start) / 500);
      this.basin.spread = from + (to - from) * (1 - (1 - u) ** 3);
      stage.repaint();
      if (u < 1) requestAnimationFrame(walk);
    };
    requestAnimationFrame(walk);
  }

  // Pull the surface: the water that this takes, and who would be under it; letting go makes it the ν of the run from here on.
  pull() {
    const { handle, stage } = this;
    const to = event => { this.poured = this.basin.pulled(event.clientY - this.sheet.canvas.getBoundingClientRect().top); stage.repaint(); };
    const done = () => {
      stage.phase = 1;                                       // the change falls after this step
      if (this.poured) stage.setTriggerValue("tune", { id: stage.run.id, t: stage.t, nu: +this.poured.nu.toPrecision(3) });
      this.dragging = false;
    };
    handle.addEventListener("pointerdown", event => { handle.setPointerCapture(event.pointerId); this.dragging = true; if (stage.playing) stage.toggle(false); event.preventDefault(); });
    handle.addEventListener("pointermove", event => { if (this.dragging) to(event); });
    handle.addEventListener("pointerup", () => { if (this.dragging) done(); });
    handle.addEventListener("pointercancel", () => { this.dragging = false; this.poured = null; stage.repaint(); });
    handle.addEventListener("keydown", event => {
      const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const nu = stage.run.segment(stage.t).nu;
      stage.setTriggerValue("tune", { id: stage.run.id, t: stage.t, nu: +Math.min(10, Math.max(0, by > 0 ? Math.max(nu * 1.2, 1e-4) : nu / 1.2)).toPrecision(3) });
    });
  }

  paint(shown, loud) {
    const view = { ...shown, ...shown.last, segment: shown.next, linked: this.stage.linked };
    if (!this.sheet.visible) return;
    const two = view.segment.bias;
    if (loud) {
      this.title.textContent = this.search.open ? "The search" : two ? "Two basins" : "Basin";
      this.caption.textContent = this.search.open ? "without sorting: one pivot a round" : two ? "one volume of water, floors tilted by b" : "responses c[i] = y[i]⟨w, φ(x[i])⟩: the floor";
      this.how.hidden = two;
      this.orderButton.hidden = this.search.open;
    }
    this.handle.hidden = this.search.open;
    if (this.search.open) return this.search.paint(view);
    const { top, left, width } = this.basin.paint(view, this.poured);
    Object.assign(this.handle.style, { transform: `translate(${left}px, ${top}px)`, width: `${width}px` });
    this.handle.setAttribute("aria-valuenow", view.now.gamma.toFixed(3));
    this.handle.setAttribute("aria-valuetext", `level ${view.now.gamma.toFixed(3)}, ν ${view.segment.nu}`);
  }
}

// What follows from the responses of a state: level, bias, who is under water; the field becomes f / γ, so that its lines +1
// and -1 are the shore.
export function finish(state, run, segment, mask) {
  const { f, field } = state, n = run.n, old = state.b ?? 0;
  state.c ??= new Float64Array(n);
  state.wet ??= new Uint8Array(n);
  const plus = [], minus = [];
  for (let i = 0; i < n; i++) {
    state.c[i] = run.y[i] * (f[i] - old);
    state.wet[i] = 0;
    if (mask[i]) (run.y[i] > 0 || !segment.bias ? plus : minus).push(i);
  }
  if (state.mask !== mask || state.bias !== segment.bias) Object.assign(state, { order: null, mask, bias: segment.bias });
  state.order = [sorted(state.c, plus, state.order?.[0]), sorted(state.c, minus, state.order?.[1])];
  state.pour = volume => (segment.bias ? levelWithBias(state.c, ...state.order, volume) : level(state.c, state.order[0], volume));
  Object.assign(state, state.pour(segment.nu * state.count));
  for (const order of state.order) for (let k = 0; k < Math.min(state.k, order.length); k++) state.wet[order[k]] = 1;
  const unit = state.gamma > 0 ? 1 / state.gamma : 1, moved = state.b - old;
  for (let j = 0; j < field.length; j++) field[j] = (field[j] + moved) * unit;
  if (moved) for (let i = 0; i < n; i++) f[i] += moved;
}

export const formula = ({ next: segment, now }) => {
  const inner = segment.bias ? "(⟨w, φ⟩+b)" : "⟨w, φ⟩";
  return now.gamma > 0 ? `f = ${inner}/γ` : `f = ${inner}, as γ ≤ 0`;
};

export const numbers = view => {
  const { last: { now }, run, t, next: segment } = view, of = now.count;
  return [["under water", `${segment.bias ? 2 * now.k : now.k} / ${of}`], ["water level γ", now.gamma.toFixed(3).replace("-", "−")], error(view), ["kernel evaluations", group(String(run.axes.kernel_evals(t)))]];
};

// The live quantities of step t by the names that the templates use; sbp.py holds the same list.
export function values(run, before, after, t) {
  if (t === 0) return { t: 0, gamma: run.objective[0] };
  const e = run.first[t], i = run.drawn[e], y = run.y[i], scale = run.project[t], gamma = run.objective[t - 1], b = run.b?.[t - 1] ?? 0;
  return {
    t, i: i + 1, label: y > 0 ? "+1" : "−1", margin: run.margin[e], gamma, b, k: run.wet[t], shore: gamma - y * b,
    eta: Math.abs(run.delta[e]) / scale, scale, evals: run.count(t), lifted: y * (after.f[i] - (after.b ?? 0)), norm_added: after.norm / scale,
    gamma_average: run.objective_average[t],
  };
}
