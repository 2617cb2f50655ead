// The mechanism of budgeted SGD: the rack of support vectors, and above it what happens to the one
// that is too many.

import { error } from "../../stage/code.js";
import { merges } from "./candidates.js";
import { Choice } from "./choice.js";
import { FieldSwitch } from "./before.js";
import { Sheet } from "../../canvas/draw.js";
import { find } from "../../canvas/elements.js";
import { clamp, short } from "../../canvas/scales.js";
import { Caption } from "../../canvas/labels.js";
import { all } from "../../stage/light.js";
import { pictureOf, portraits } from "../../canvas/pixels.js";
import { Rack } from "./rack.js";
import { classOf, sizeOf } from "../../engine/scores.js";
import { FROZEN, MERGED, SPREAD, nameOf, spotOf } from "../../engine/own/table.js";
import { Slots } from "./slots.js";
import { Theatre } from "./theatre.js";
import { Walk } from "../walk.js";
import { counted, plural } from "../../engine/words.js";
import { asks, fieldAfter, happened, instead, words } from "../../engine/own/whatif.js";

export { values } from "./words.js";

export const CHANGE = ["shrink", "add"];
export const SECOND = "take"; // the example comes in; then one goes
/** @type {Panel["formula"]} */
export const formula = ({ run, t, told, shown, mid, taken, field }) => {
  const over = mid && (field ? field === "before" : Number(taken) < 1);
  const count = told && !field && shown === 0 ? run.n_sv[t - 1] : run.n_sv[t] + (over ? 1 : 0);
  const vectors = `${count} vector${count === 1 ? "" : "s"}`;
  return run.scores > 1
    ? [`highest score with ${vectors}`, vectors]
    : [`f(x) with ${vectors}`, `f, ${vectors}`];
};
export const EVEN = true;
/** @type {Panel["usual"]} */
export const usual = run => (run.wrong_test ? "test" : "error");
export const WIDE = 704 / 406;
/** @type {Panel["metrics"]} */
export const metrics = () => ({
  n_sv: "Support vectors",
  kernel_step: "Kernel values per step",
  E_bar: "Gradient error Ē",
});
/** @type {Panel["series"]} */
export const series = {
  n_sv: { value: (run, t) => run.n_sv[t], words: () => "kept after each step" },
  kernel_step: {
    value: (run, t) => run.kernel_evals?.[t] ?? run.costs.kernel_evals,
    words: () => "what a step costs",
  },
  E_bar: {
    value: (run, t) => run.E_bar?.[t] ?? 0,
    words: ({ bound, segments }) => {
      const rate = segments[0].params.rule === "passive-aggressive" ? "" : "/η";
      const vacuous = bound?.vacuous ? `; with it ${bound.name} is vacuous` : "";
      return `mean of ‖Δ‖${rate} so far${vacuous}`;
    },
  },
};

/** @implements {Machinery} */
export class Mechanism {
  /** @type {Set<number>} */ acting;
  slotted = new Slots();
  /** @type {{ shown: View, view: BudgetView } | undefined} */ framed;

  /** @param {HTMLElement} section @param {Stage} stage */
  constructor(section, stage) {
    section.innerHTML = `<div class="pair">
      <div><h3><b class="what"></b> <span class="caption where"></span></h3>
        <div class="view choice"></div></div>
      <div><h3><b class="who"></b> <span class="caption by"></span></h3>
        <div class="view ranked"></div></div></div>
      <h3><b>Budget rack</b> <span class="caption rackwords"></span></h3>
      <div class="view rack"></div><div class="tip" hidden></div>`;
    /** @param {string} name */
    const $ = name => find(section, name);
    this.stage = stage;
    this.what = $(".what");
    this.spot = new Caption($(".where"));
    this.who = $(".who");
    this.by = new Caption($(".by"));
    this.rackwords = new Caption($(".rackwords"));
    this.tip = $(".tip");
    this.acting = new Set();
    this.fields = new FieldSwitch(stage.plane.foot, stage);
    this.theatre = new Theatre(stage);
    this.curve = new Sheet($(".choice"), "Loss of merging over the place of the new vector");
    this.ranked = new Sheet($(".ranked"), "Candidates, ranked by the loss");
    this.slots = new Sheet($(".rack"), "Coefficients of all support vectors");
    this.sheets = [this.curve, this.ranked, this.slots];
    this.choice = new Choice(this.curve, this.ranked);
    this.rack = new Rack(this.slots);
    this.slots.canvas.addEventListener("click", event => this.ask(this.rack.at(event.offsetX)));
    this.ranked.canvas.addEventListener("click", event => this.ask(this.choice.at(event.offsetY)));
    this.slots.canvas.addEventListener("pointermove", event =>
      this.hover(event.offsetX, this.rack.at(event.offsetX)),
    );
    this.slots.canvas.addEventListener("pointerleave", () => this.hover(0, -1));
    this.walks($(".ranked"), $(".rack"));
  }

  // By the keyboard: through the candidates, and what if one of them; through the slots, and what
  // each holds.
  /** @param {HTMLElement} ranked @param {HTMLElement} rack */
  walks(ranked, rack) {
    const { stage } = this;
    const at = () => (this.asked >= 0 ? this.asked : this.taken());
    new Walk(ranked, "Candidates, ranked by the loss", {
      list: () =>
        (stage.engine && this.choice.list.length ? (this.choice.listed ?? []) : []).map(c => c.row),
      at,
      /** @param {number} to */
      go: to => {
        if (to !== at()) this.ask(to);
      },
      /** @param {number} to @param {number} k */
      words: (to, k) => {
        const lost = short(this.choice.listed?.[k].lost ?? 0);
        const taken = to === this.taken() ? "taken: " : "";
        return `${taken}${nameOf(stage.run, to)}, would lose ${lost}`;
      },
    });
    new Walk(rack, "Slots of the rack", {
      list: () => this.rack.rows ?? [],
      at: () => stage.linked,
      /** @param {number} to */
      words: to => this.describe(to),
      /** @param {number} to */
      act: to => this.ask(to),
      /** @param {number} to */
      go: to => this.hover((this.rack.rows.indexOf(to) + 0.5) * this.rack.step, to),
      leave: () => this.hover(0, -1),
    });
  }

  taken() {
    // by the run, not by the visitor
    const { happened: real } = this.frame(this.stage.view());
    return real?.kind === MERGED ? real.n : (real?.m ?? -1);
  }

  get asked() {
    return this.stage.supposed?.row ?? -1;
  } // whom the visitor would have taken instead

  // Suppose that another candidate had been taken; asked again, or of the one that was, go back to
  // what happened.
  /** @param {number} row */
  ask(row) {
    const { stage } = this;
    const { happened: real, beat } = this.frame(stage.view());
    if (!real || !asks(real) || !this.choice.list.some(c => c.row === row)) return;
    const taken = real.kind === MERGED ? real.n : real.m;
    const back = row === taken || row === this.asked;
    stage.suppose(back ? null : { row }, back ? beat : real.kind === MERGED ? "look" : "choose");
    stage.report();
  }

  // What code, sentence and panels say of it.
  /** @param {View} shown @param {Supposing} what */
  suppose(shown, { row }) {
    const { event, happened: real } = this.frame(shown);
    const { run, mid } = shown;
    if (!event?.supposed || !real || !mid || row === undefined) return null;
    return {
      back: true,
      caption: ": what if",
      words: words(run, event, real, mid),
      values: {
        h: event.h,
        degradation: event.lost,
        name_m: nameOf(run, event.m),
        name_n: nameOf(run, event.n),
        name_z: "a new vector",
        spot: spotOf(run, event.m, event.n, event.h),
      },
    };
  }

  /** @param {number} x @param {number} row */
  hover(x, row) {
    const words = row >= 0 ? this.describe(row) : "";
    const box = /** @type {HTMLElement} */ (this.slots.canvas.parentElement);
    this.stage.link(row);
    this.tip.hidden = !words;
    this.tip.textContent = words;
    if (words && this.stage.run.image) this.tip.prepend(pictureOf(this.stage.run, row));
    this.tip.style.left = `${clamp(x - 100, 0, Math.max(box.clientWidth - 220, 0))}px`;
    this.tip.style.bottom = `${box.clientHeight + 4}px`;
  }

  /** @param {string} name */
  where(name) {
    if (name === "pair") return [all(this.curve), all(this.ranked)];
    return name === "rack" || name === "alphas" ? [all(this.slots)] : [];
  }

  /** @param {Run} run */
  prepare(run) {
    this.slotted.prepare(run);
  }

  // The view of this moment with what the maintenance is doing.
  /** @param {View} shown @returns {BudgetView} */
  frame(shown) {
    if (shown === this.framed?.shown) return this.framed.view; // the same moment for all panels
    const { run, t, told } = shown;
    const k = told ? run.event_of.get(t) : undefined;
    /** @type {Happening | null} */
    const real =
      k === undefined || run.event[t] === FROZEN
        ? null
        : happened(run, k, run.event[t], shown.last.after);
    const midst =
      real !== null && Number(shown.taken) < 1 && ["choose", "look", "take"].includes(shown.beat);
    const state = (midst && shown.mid) || shown.now;
    // one is too many from when it comes in
    const coming = real !== null && Number(shown.taken) < 1;
    const rows =
      told && shown.shown === 0
        ? this.slotted.rows(t - 1, null, false)
        : this.slotted.rows(t, real, coming);
    // all among whom the choice was made
    const crowd = midst || !real ? rows : this.slotted.rows(t, real, true);
    const slots = this.slotted.at(t);
    /** @param {number} row */
    const ageOf = row => t - (slots.get(row) ?? t);
    const view = {
      ...shown,
      ...shown.last,
      happened: real,
      event: real,
      midst,
      state,
      rows,
      crowd,
      ageOf,
    };
    this.framed = { shown, view };
    this.choice.rank(view);
    const other = real && asks(real) && this.choice.list.find(c => c.row === this.asked);
    if (other && shown.mid) view.event = instead(run, real, shown.mid, other, run.pull?.[t] ?? 1);
    return view;
  }

  /** @param {View} shown @param {boolean} loud */
  paint(shown, loud) {
    const view = this.frame(shown);
    const { segment } = view;
    const merging = merges(segment);
    const projecting = segment.params.maintenance.startsWith("project");
    if (this.curve.visible) this.choice.paint(view);
    if (this.slots.visible) {
      this.rack.paint(view, this.asked);
      if (loud) this.rackwords.say(...this.rack.says);
    }
    if (!loud) return;
    this.what.textContent = merging ? "Where to put z" : projecting ? "Who takes over" : "Who goes";
    this.spot.say(
      ...(merging
        ? ["‖Δ‖² over h, z = h m + (1 − h) n", "z = h m + (1 − h) n", "‖Δ‖² over h"]
        : projecting
          ? ["change of each coefficient", "change of each α"]
          : (GOES[segment.params.maintenance] ?? ["‖Δ‖² if this one goes", "‖Δ‖²"])),
    );
    const { event } = view;
    const out = event
      ? SPREAD.includes(event.kind)
      : segment.params.maintenance === "project newcomer";
    this.who.textContent = merging ? "Partners ranked" : out ? "Nobody goes" : "Ranked";
    this.by.say(
      ...(out
        ? ["the example stays out", "it stays out"]
        : (RANKED[segment.params.maintenance] ?? RANKED[projecting ? "project" : "remove"])),
    );
  }

  /** @param {View} view */
  facts(view) {
    const { event, rows, segment } = this.framed?.view ?? this.frame(view);
    const { B, maintenance } = segment.params;
    const { list } = this.choice;
    const loss = event
      ? `${short(event.lost)} is lost${event.supposed ? ", if this one were taken" : ""}`
      : "nobody has to go";
    return [
      loss,
      `${list.length} candidates`,
      `${rows.length} ${maintenance === "none" ? "" : `of ${B} `}slots in use`,
    ];
  }

  // On the plane: which field it shows, who acts in it, and the play itself.
  /** @param {View} shown */
  looks(shown) {
    const view = this.frame(shown);
    const { event, mid, t, run } = view;
    this.acting = this.theatre.cast(view);
    const { engine } = this.stage;
    if (!event?.supposed || !mid || !engine) return this.fields.of(shown, shown.after.field);
    return this.fields.of(shown, fieldAfter(engine, t, mid, event, run.pull?.[t] ?? 1));
  }

  /** @param {Pen} g @param {View} shown @param {Plane} plane */
  overlay(g, shown, plane) {
    const view = this.frame(shown);
    const { run, event, beat } = view;
    this.theatre.paint(g, view, plane);
    if (run.image && event?.kind === MERGED && this.acting.size)
      portraits(g, view.theme, run, plane, event, beat === "choose");
  }

  // All of a slot in a sentence, for the pointer.
  /** @param {number} row */
  describe(row) {
    const { run, t } = this.stage;
    const view = this.frame(this.stage.view());
    const span = this.slotted.span(row, t);
    if (!view.rows.includes(row) || !span) return "";
    const a = run.scores > 1 ? sizeOf(view.state, row) : view.state.coef[row];
    const merged = run.merged[row];
    const own = classOf(run, view.state, row);
    const made = merged
      ? `made in step ${span.from} by ${plural(merged, "merging")} of ${merged + 1} examples`
      : `came in step ${span.from}`;
    const label = run.classes[own] ?? (own > 0 ? "+1" : "−1");
    const size = `${run.scores > 1 ? "|α|" : "α"} = ${short(a)}`;
    const age = `the slot is ${plural(t - span.slot, "step")} old`;
    return `${nameOf(run, row)}, class ${label}, ${size}; ${made}; ${age}`;
  }
}

// What the choice is made by, where this is not what is lost.
/** @type {Record<string, string[]>} */
const GOES = {
  "remove easiest": ["margin of each without itself", "margin without it"],
  "remove by errors": ["vectors that are wrong without it", "wrong without it"],
  "remove by counts": ["examples that are wrong without it", "wrong without it"],
};

// What the list is in order of.
/** @type {Record<string, string[]>} */
const RANKED = {
  remove: ["by least ‖Δ‖²", "by ‖Δ‖²"],
  project: ["by ‖Δ‖² of removing it", "by removal"],
  "project best": ["by ‖Δ‖², all others take over", "by ‖Δ‖²"],
  "project best old": ["by ‖Δ‖², all others take over", "by ‖Δ‖²"],
  "project on newcomer": ["by ‖Δ‖², the newcomer takes over", "by ‖Δ‖²"],
  "project on neighbour": ["by ‖Δ‖², two take over", "by ‖Δ‖²"],
  "remove easiest": ["by its margin without itself", "by margin without it"],
  "remove by errors": ["by vectors that are wrong without it", "by mistakes without it"],
  "remove by counts": ["by examples that are wrong without it", "by mistakes without it"],
};

/** @type {Panel["numbers"]} */
export const numbers = view => {
  const { run, t, segment } = view;
  const { B, maintenance } = segment.params;
  const b = run.n_sv[t];
  const evaluations = ["kernel evaluations", counted(run.axes.kernel_evals(t))];
  if (maintenance === "none") return [["support vectors", String(b)], error(view), evaluations];
  const over = view.mid && Number(view.taken) < 1 && ["choose", "look", "take"].includes(view.beat);
  const word =
    maintenance === "merge"
      ? "overflows"
      : maintenance.startsWith("project")
        ? "projections"
        : "removals";
  return [
    ["support vectors", over ? `${B} + 1` : `${b} / ${B}`],
    [`${word} so far`, String(run.events_to[t])],
    error(view),
    evaluations,
  ];
};
