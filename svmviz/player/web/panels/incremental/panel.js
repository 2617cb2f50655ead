// The mechanism of the incremental SVM: the pool among whom a teacher chooses, the stream of
// arrivals, and every α in its box with the example's share of the gap below it.

import { counted } from "../../engine/words.js";
import { support } from "../../engine/scores.js";
import { band, regret } from "./band.js";
import { Sheet } from "../../canvas/draw.js";
import { find } from "../../canvas/elements.js";
import { Caption } from "../../canvas/labels.js";
import { all } from "../../stage/light.js";
import { GapBoxes } from "../dual/gapboxes.js";
import { between } from "../../engine/kernels.js";
import { moves, poolOf } from "../../engine/own/rounds.js";
import { linked } from "../parts/board.js";
import { symbols as plain } from "../plain.js";
import { paintArrivals, paintPool, poolOnPlane } from "./teacher.js";

export const CHANGE = ["process"];
export const SECOND = "step"; // PROCESS moves the newcomer; then the draws move others
export const KEY = `<i class="pool"></i><span class="wide">in the pool</span><span class="tiny">pool</span> `;
/** @type {Panel["metrics"]} */
export const metrics = () => ({ band: "Primal and dual", regret: "Mean suboptimality" });
/** @type {Panel["symbols"]} */
export const symbols = run => ({
  ...plain(run),
  none: () => Boolean(run.tracked) && "the optimum is in Primal and dual",
});
/** @type {Panel["series"]} */
export const series = { band, regret };
export const EVEN = true;
const ROUNDED = 1e-12; // of a gap: what rounding may do
export const PROVEN = "regret";
/** @type {Panel["usual"]} */
export const usual = () => "band";
/** @type {Record<string, string[]>} */
const LOOKING = {
  active: [
    "distance to the boundary |f̄(x)|: the least certain is taken",
    "|f̄(x)|: the least certain is taken",
    "by |f̄(x)|",
  ],
  adversary: [
    "margin y f̄(x): whoever hurts most is taken",
    "y f̄(x): who hurts most is taken",
    "by y f̄(x)",
  ],
};

/** @implements {Machinery} */
export class Mechanism {
  handing = false;
  /** @type {Scale["back"] | undefined} */ arrivalAt;

  /** @param {HTMLElement} section @param {Stage} stage */
  constructor(section, stage) {
    section.innerHTML = `<div class="chooser"><h3><b class="poolname"></b> <span class="caption poolwords"></span></h3><div class="view pool"></div></div>
      <h3><b>Stream</b> <span class="caption streamwords"></span></h3><div class="view arrivals"></div>
      <h3><b>Boxes</b> <span class="caption boxwords"></span></h3><div class="view boxes gaps"></div>`;
    /** @param {string} name */
    const $ = name => find(section, name);
    this.stage = stage;
    this.chooser = $(".chooser");
    this.poolname = $(".poolname");
    this.poolwords = new Caption($(".poolwords"));
    this.streamwords = new Caption($(".streamwords"));
    this.boxwords = new Caption($(".boxwords"));
    this.pool = new Sheet($(".pool"), "The pool by what the teacher looks at");
    this.stream = new Sheet($(".arrivals"), "Examples in the order of their arrival");
    this.boxes = new GapBoxes(
      new Sheet($(".gaps"), "Every dual coefficient in its box, and its share of the gap"),
    );
    this.sheets = [this.pool, this.stream, this.boxes.sheet];
    const { canvas } = stage.plane.sheet;
    canvas.addEventListener("click", event => this.hand(event));
    linked(stage, this.boxes.sheet, event => this.boxes.at(event.offsetX));
    this.stream.canvas.addEventListener("click", event =>
      stage.seek(Math.round(this.arrivalAt?.(event.offsetX) ?? stage.t), true),
    );
  }

  /** @param {Run} run */
  prepare(run) {
    this.boxes.prepare(run);
    if (!this.handing) return; // the answer to a click: its step is shown at once
    this.handing = false;
    queueMicrotask(() => this.stage.step(1));
  }

  // The visitor is the teacher: a click on an example that has not arrived yet makes it the next.
  /** @param {{ offsetX: number, offsetY: number }} event */
  hand(event) {
    const { stage } = this;
    const { run, plane, t } = stage;
    if (
      stage.mechanism !== this ||
      plane.editor.on ||
      run.segment(Math.min(t + 1, run.T)).params.teacher !== "you"
    )
      return;
    const i = plane.nearest(event.offsetX, event.offsetY, 16);
    if (i < 0) return;
    if (run.arrival[i] <= t) {
      stage.dialogs.say(`Point ${i + 1} has arrived already`);
      return;
    }
    if (stage.playing) stage.toggle(false);
    this.handing = true;
    stage.setTriggerValue("hand", { id: run.id, t, i });
  }

  /** @param {string} name */
  where(name) {
    if (name === "alphas" || name === "gap") return [all(this.boxes.sheet)];
    return name === "pool" && !this.chooser.hidden ? [all(this.pool)] : [];
  }

  /** @param {View} view @param {boolean} loud */
  paint(view, loud) {
    const { run, t, told, segment } = view;
    const looking = LOOKING[segment.params.teacher] && run.streams;
    if (this.chooser.hidden === Boolean(looking)) {
      this.chooser.hidden = !looking;
      for (const sheet of this.sheets) sheet.fit();
    }
    if (loud) {
      this.poolname.textContent = `Pool of ${poolOf(run, told || Math.min(t + 1, run.T)).length}`;
      this.poolwords.say(...(LOOKING[segment.params.teacher] ?? [""]));
      this.streamwords.say(
        ...(!run.streams
          ? [
              "batch: all examples are there from the beginning",
              "batch: all are there from the beginning",
              "batch",
            ]
          : segment.params.teacher === "you"
            ? [
                "you are the teacher: click a faint point, and it comes next",
                "click a faint point: it comes next",
                "you choose",
              ]
            : ["order of arrival"]),
      );
    }
    if (loud && looking && this.pool.visible) paintPool(this.pool, view);
    if (loud && this.stream.visible) this.arrivalAt = paintArrivals(this.stream, view);
    if (!this.boxes.sheet.visible) return;
    this.boxes.paint(view);
    const pale = `pale: ${this.boxes.useless} of ${this.boxes.order.length} lead nowhere`;
    if (loud)
      this.boxwords.say(
        `every α seen, sorted; ${pale}; below: who owns the gap`,
        `every α seen; ${pale}; below: the gap`,
        `every α seen; ${pale}`,
        "every α seen",
      );
  }

  /** @param {View} view */
  facts({ run, t, s, told, now: { coef } }) {
    return [
      `${poolOf(run, told || Math.min(t + 1, run.T)).length} in the pool`,
      `${run.seenBy(t, s)} have arrived`,
      `${support(coef)} support vectors`,
    ];
  }

  /** @param {Pen} g @param {View} view @param {Plane} plane */
  overlay(g, view, plane) {
    if (view.slow) poolOnPlane(g, view, plane);
    const hands = view.segment.params.teacher === "you" ? "pointer" : "";
    plane.sheet.canvas.style.cursor = plane.editor.on ? "crosshair" : hands;
  }
}

// Whom the plane rings: the newcomer, and while draws are made the one of this moment.
/** @type {Panel["ringed"]} */
export function ringed(run, t, beat, progress) {
  if (t === 0) return [];
  if (beat === "step" || beat === "draw") {
    const { K } = run.segment(t).params;
    const k = beat === "draw" ? 0 : Math.min(K - 1, Math.max(0, Math.floor(progress * K)));
    if (run.picks) return [run.picks[run.pick_first[t] + k]];
    const last = [...moves(run, t)].filter(m => m.draw <= k + 1).at(-1);
    return last ? [last.i] : [];
  }
  return run.arrived[t] > 0 ? [run.drawn[t - 1]] : [];
}

/** @type {Panel["formula"]} */
export const formula = ({ segment }) => [segment.params.iterate === "average" ? "f̄(x)" : "f(x)"];

/** @type {Panel["numbers"]} */
export const numbers = view => {
  const { run, t, s, of } = view;
  const { coef } = view.last.now;
  const gap = of("gap", t);
  return [
    ["seen", `${counted(run.seenBy(t, s))} / ${counted(run.counts[s])}`],
    ["support vectors", String(support(coef))],
    ["gap / (C t)", gap >= 0.0995 ? gap.toFixed(3) : String(+gap.toPrecision(2))],
    ["kernel evaluations", counted(run.axes.kernel_evals(t))],
  ];
};

// A newcomer adds to the gap what it costs w̄; what the round then takes from it,
// the round has won.
/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  if (t === 0) return { t: 0 };
  const { params } = run.segment(t);
  const i = run.drawn[t - 1];
  const y = run.y[i];
  const all = [...moves(run, t)];
  const process = all.find(m => m.draw === 0);
  const score = run.score?.[t] ?? 0;
  const moved = all.length - (process ? 1 : 0);
  const came = run.arrived[t] > 0 ? 1 : 0;
  const seen = run.seen[t];
  const [old, gap] = [run.before("gap", t), run.gap[t]].map(v => (Math.abs(v) > ROUNDED ? v : 0));
  const cost = run.cost?.[t] ?? 0;
  const together = ((seen - came) * old + cost) / seen;
  const primal = run.objective[t];
  return {
    t,
    i: i + 1,
    label: y > 0 ? "+1" : "−1",
    margin: run.margin[t - 1],
    g: 1 - run.margin[t - 1],
    k_ii: between(params.kernel, run.matrix, i, i),
    seen,
    waited: seen - came,
    unseen: run.count(t) - seen + came,
    pooled: poolOf(run, t).length,
    score,
    distance: Math.abs(score),
    hurt: y * score,
    alpha: Math.abs(process?.delta ?? 0),
    moved,
    hits: moved,
    gap,
    gap_before: old,
    gap_with: together,
    cost,
    won: seen * (together - gap),
    lost: seen * (gap - together),
    primal,
    dual: primal - gap,
    factor: 1 - run.shrink[t],
    draws: params.K === 1 ? "draw" : "draws",
  };
}
