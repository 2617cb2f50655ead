// The mechanism of SBP: responses as a floor, slack as water on it; only who is under water can be
// drawn.
//
// The basin shows the last iterate, whichever the plane shows. Pull the surface up or down: that is
// another ν.

import { Basin } from "./basin.js";
import { error } from "../../stage/code.js";
import { Sheet } from "../../canvas/draw.js";
import { clicked, find, touched } from "../../canvas/elements.js";
import { Caption } from "../../canvas/labels.js";
import { keyOf, linked } from "../parts/board.js";
import { drawnAt } from "../parts/live.js";
import { Search } from "./search.js";
import { between } from "../../engine/kernels.js";
import { level, levelWithBias, sorted } from "../../engine/own/water.js";
import { counted, decimals } from "../../engine/words.js";

const MOST = 10; // ν at most, see sbp/solver.py
const ROOMY = 240; // px: a lower basin has no room for badges
export const CHANGE = ["lift", "scale"];
/** @type {Panel["symbols"]} */
export const symbols = () => ({ value: "γ(w)", star: "γ*", gap: "γ* − γ(w)" });
/** @type {Panel["metrics"]} */
export const metrics = () => ({});
export const KEY = keyOf("wet", "under water", "wet");

/** @implements {Machinery} */
export class Mechanism {
  dragging = false;
  poured = false;
  waiting = false;

  /** @param {HTMLElement} section @param {Stage} stage */
  constructor(section, stage) {
    section.innerHTML = `<h3><b></b> <span class="caption"></span><button type="button"
        class="draw order" aria-pressed="true" title="Columns by height, or as the data come"
        >Sorted</button><button type="button" class="draw how" aria-pressed="false"
        >How γ is found</button></h3>
      <div class="view basin"><div class="surface" role="slider" tabindex="0" aria-label="Water ν"
        aria-orientation="vertical" aria-valuemin="0" aria-valuenow="0" aria-valuemax="${MOST}"
        title="Pull the water up or down: another ν"></div>
      <div class="surface twin" aria-hidden="true"></div></div>`;
    /** @param {string} name */
    const $ = name => find(section, name);
    const view = $(".basin");
    this.stage = stage;
    this.title = $("b");
    this.caption = new Caption($(".caption"));
    this.orderButton = $(".order");
    this.how = $(".how");
    this.handle = $(".surface");
    this.twin = $(".twin");
    this.sheet = new Sheet(view, "Responses as a floor, slack as water on it");
    this.sheets = [this.sheet];
    this.basin = new Basin(this.sheet);
    this.search = new Search(this.sheet, view, stage);
    clicked(this.orderButton, () => this.turn());
    clicked(this.how, () => {
      this.search.toggle();
      stage.repaint();
    });
    /** @param {PointerEvent} event */
    const at = event => (this.search.open ? -1 : this.basin.at(event.offsetX));
    linked(stage, this.sheet, at);
    touched(this.sheet.canvas, event => stage.link(at(event)));
    this.pull();
  }

  /** @param {Run} run */
  prepare(run) {
    this.basin.prepare(run);
    this.dragging = this.poured = this.waiting = false;
    this.search.close();
  }

  // Sorted or in the order of the data: the columns walk there.
  turn() {
    const to = this.basin.spread > 0.5 ? 0 : 1;
    const { stage } = this;
    const from = this.basin.spread;
    const start = performance.now();
    this.orderButton.setAttribute("aria-pressed", String(to === 0));
    /** @param {number} now */
    const walk = now => {
      const u = stage.still.matches ? 1 : Math.min(1, Math.max(0, now - start) / 500);
      this.basin.spread = from + (to - from) * (1 - (1 - u) ** 3);
      stage.repaint();
      if (u < 1) requestAnimationFrame(walk);
    };
    requestAnimationFrame(walk);
  }

  // Pull the surface, or press arrows on it: what that water would do is shown at once, and letting
  // go makes it the ν of the run from here on. Escape takes it back.
  pull() {
    const { handle, twin, stage } = this;
    const top = () => this.sheet.canvas.getBoundingClientRect().top;
    [handle, twin].forEach((part, s) => {
      part.addEventListener("pointerdown", event => {
        part.setPointerCapture(event.pointerId);
        this.dragging = true;
        event.preventDefault();
      });
      part.addEventListener("pointermove", event => {
        if (this.poured && !stage.supposed) this.dragging = this.poured = false; // Escape
        if (this.dragging) this.pour(this.basin.pulled(event.clientY - top(), s));
      });
      part.addEventListener("pointerup", () => {
        if (this.dragging) this.letGo();
      });
      part.addEventListener("pointercancel", () => {
        this.dragging = this.poured = false;
        stage.suppose(null);
      });
    });
    handle.addEventListener("keydown", event => this.nudge(event));
    for (const end of ["keyup", "blur"])
      handle.addEventListener(end, () => {
        if (!this.dragging) this.letGo();
      });
  }

  /** @param {number} nu */
  pour(nu) {
    this.poured = true;
    this.stage.suppose({ params: { nu: +nu.toPrecision(3) } }); // as exactly as it will be kept
  }

  /** @param {KeyboardEvent} event */
  nudge(event) {
    // a fifth more or less
    const { stage } = this;
    const { params } = stage.run.segments[stage.run.behind(stage.t)];
    const { nu } = { ...params, ...stage.supposed?.params };
    const to = {
      ArrowUp: Math.max(nu * 1.2, 1e-4),
      ArrowRight: Math.max(nu * 1.2, 1e-4),
      ArrowDown: nu / 1.2,
      ArrowLeft: nu / 1.2,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.pour(Math.min(MOST, to < 1e-4 ? 0 : to));
  }

  letGo() {
    const { stage } = this;
    const nu = this.poured && stage.supposed?.params?.nu;
    this.dragging = this.poured = false;
    if (!Number.isFinite(nu)) return;
    this.waiting = true;
    stage.report(); // the change falls after this step
    stage.setTriggerValue("tune", { id: stage.run.id, t: stage.t, nu });
  }

  answered() {
    // the server said no, and why
    if (!this.waiting || this.poured) return;
    this.waiting = false;
    this.stage.suppose(null);
  }

  // What the panels say of another ν, before it is let go.
  /** @param {View} view */
  suppose({ last, segment, t }) {
    const { now } = last;
    const { nu, bias } = segment.params;
    const wet = bias ? 2 * now.k : now.k;
    return {
      caption: `, if ν = ${nu}`,
      words:
        `With ν = *${nu}* there is νn = ${+(nu * now.count).toPrecision(4)} of water: ` +
        `it stands at *${decimals(now.gamma, 3)}*, and step ${counted(t + 1)} draws ` +
        `from the ${wet} of ${now.count} under it.`,
    };
  }

  /** @param {string} name @returns {[Sheet, Spot][]} */
  where(name) {
    const { basin, sheet } = this;
    if (!["water", "level", "wet"].includes(name) || !basin.water || this.search.open) return [];
    return [[sheet, g => basin.shape(g, name)]];
  }

  /** @param {View} shown @param {boolean} loud */
  paint(shown, loud) {
    const view = { ...shown, ...shown.last };
    if (!this.sheet.visible) return;
    const two = view.segment.params.bias;
    const searching = this.search.follow(shown);
    if (loud) {
      this.title.textContent = searching ? "The search" : two ? "Two basins" : "Basin";
      this.caption.say(
        ...(searching
          ? ["without sorting: one pivot a round", "one pivot a round"]
          : two
            ? ["one volume of water, floors tilted by b", "one water, tilted by b", "tilted by b"]
            : [
                "responses c[i] = y[i]⟨w, φ(x[i])⟩: the floor",
                "responses c[i]: the floor",
                "responses",
                "c[i]",
              ]),
      );
      this.how.hidden = two;
      this.how.setAttribute("aria-pressed", String(this.search.open));
      this.orderButton.hidden = searching;
    }
    if (searching) {
      this.handle.hidden = this.twin.hidden = true;
      return this.search.paint(view);
    }
    const places = this.basin.paint(view);
    this.candidates();
    const { nu } = view.segment.params;
    [this.handle, this.twin].forEach((part, s) => this.lay(part, places[s]));
    if (!loud) return;
    this.handle.setAttribute("aria-valuenow", String(nu));
    this.handle.setAttribute(
      "aria-valuetext",
      `ν ${+nu.toPrecision(3)}, level ${decimals(view.now.gamma, 3)}`,
    );
  }

  // A question's candidates, on their columns.
  candidates() {
    const { left, w, bottom, place, cw, height, now } = this.basin;
    if (bottom < ROOMY) return;
    this.stage.asking?.paintBeside(this.sheet.g, { left, w: w - left, h: bottom }, i => [
      place[i] + cw / 2,
      height(now.c[i]),
    ]);
  }

  /** @param {View} view */
  facts({ now, segment }) {
    const { bias, nu } = segment.params;
    const under = `${bias ? 2 * now.k : now.k} of ${now.count} under it`;
    return [`water ν ${+nu.toPrecision(3)} up to level ${decimals(now.gamma, 3)}, ${under}`];
  }

  /**
   * @param {HTMLElement} part
   * @param {{ left: number, top: number, width: number } | undefined} place
   */
  lay(part, place) {
    // a handle on the water, where there is any
    part.hidden = !place;
    if (place)
      Object.assign(part.style, {
        transform: `translate(${place.left}px, ${place.top}px)`,
        width: `${place.width}px`,
      });
  }
}

// What follows from the responses of a state: level, bias, who is under water; the field becomes f
// / γ, so that its lines +1 and -1 are the shore.
/** @type {Panel["finish"]} */
export function finish(state, run, segment, mask) {
  const { f, field } = state;
  const n = run.n;
  const old = state.b ?? 0;
  state.c ??= new Float64Array(n);
  state.wet ??= new Uint8Array(n);
  /** @type {number[]} */
  const plus = [];
  /** @type {number[]} */
  const minus = [];
  for (let i = 0; i < n; i++) {
    state.c[i] = run.y[i] * (f[i] - old);
    state.wet[i] = 0;
    if (mask[i]) (run.y[i] > 0 || !segment.params.bias ? plus : minus).push(i);
  }
  if (state.mask !== mask || state.bias !== segment.params.bias)
    Object.assign(state, { order: null, mask, bias: segment.params.bias });
  state.order = [sorted(state.c, plus, state.order?.[0]), sorted(state.c, minus, state.order?.[1])];
  /** @param {number} volume */
  state.pour = volume =>
    segment.params.bias
      ? levelWithBias(state.c, state.order[0], state.order[1], volume)
      : level(state.c, state.order[0], volume);
  Object.assign(state, state.pour(segment.params.nu * state.count));
  for (const order of state.order)
    for (let k = 0; k < Math.min(state.k, order.length); k++) state.wet[order[k]] = 1;
  const unit = state.gamma > 0 ? 1 / state.gamma : 1;
  const moved = state.b - old;
  for (let j = 0; j < field.length; j++) field[j] = (field[j] + moved) * unit;
  if (moved) for (let i = 0; i < n; i++) f[i] += moved;
}

/** @type {Panel["facts"]} */
export const facts = ({ now }) => ({ level: now.gamma, wet: now.k });
/** @type {Panel["formula"]} */
export const formula = ({ segment, now }) => {
  const inner = segment.params.bias ? "(⟨w, φ⟩+b)" : "⟨w, φ⟩";
  return now.gamma > 0 ? [`f = ${inner}/γ`] : [`f = ${inner}, as γ ≤ 0`, `f = ${inner}`];
};

/** @type {Panel["numbers"]} */
export const numbers = view => {
  const { last, run, t, segment } = view;
  const { now } = last;
  return [
    ["under water", `${segment.params.bias ? 2 * now.k : now.k} / ${now.count}`],
    ["water level γ", decimals(now.gamma, 3)],
    error(view),
    ["kernel evaluations", counted(run.axes.kernel_evals(t))],
  ];
};

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  if (t === 0) return { t: 0, gamma: run.objective[0] };
  const e = run.first[t];
  const i = run.drawn[e];
  const y = run.y[i];
  const scale = run.project[t];
  const gamma = run.before("objective", t);
  const b = run.before("b", t) ?? 0;
  const eta = Math.abs(run.delta[e]) / scale;
  const sank = run.sank?.[t] ?? 0;
  const scaled = y * (after.f[i] - (after.b ?? 0));
  return {
    ...drawnAt(run, t),
    gamma,
    b,
    k: run.wet[t],
    both: 2 * run.wet[t],
    shore: gamma - y * b,
    eta,
    eta_0: eta * Math.sqrt(t),
    scale,
    evals: run.count(t),
    gamma_after: run.objective[t],
    sank,
    columns: sank === 1 ? "column" : "columns",
    K_ii: between(run.segment(t).params.kernel, run.matrix, i, i),
    lifted: scaled / scale,
    scaled,
    norm_added: after.norm / scale,
    gamma_average: run.objective_average[t],
  };
}
