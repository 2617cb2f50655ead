// The run as it was before a knob was turned: thin on plane and curve, and what has become of the
// numbers, until it is dismissed.

import { pointsOf, seriesOf } from "../curves/series.js";
import { Companion } from "./companion.js";
import { button } from "../canvas/elements.js";

// make another objective
const SCALES = ["lam", "nu", "C", "K", "loss", "smoothing", "epsilon", "costs"];
// that stand behind the solver in a link
const NO_KNOBS = ["seed", "T", "plane", "edit", "chosen", "fork", "other"];

// What of a run is turned by knobs, and all else that makes it, but for its length.
/** @param {Run["query"]} query */
function parts(query) {
  const all = Object.entries(query).filter(([name]) => name !== "T");
  const first = all.findIndex(([name]) => name === "solver") + 1;
  /** @param {[string, string]} entry @param {number} k */
  const knob = ([name], k) => k >= first && !NO_KNOBS.includes(name);
  return {
    knobs: JSON.stringify(all.filter(knob)),
    rest: JSON.stringify(all.filter((entry, k) => !knob(entry, k))),
  };
}

// The parameters that differ, by name.
/** @param {Record<string, any>} a @param {Record<string, any>} b */
const apart = (a, b) =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    name => JSON.stringify(a[name]) !== JSON.stringify(b[name]),
  );

export class Ghost extends Companion {
  /** @param {Stage} stage */
  constructor(stage) {
    super(stage, "former");
    const end = button("×", () => this.dismiss(), { title: "Away with the run before (Esc)" });
    end.setAttribute("aria-label", "Away with the run before");
    this.note.prepend(end);
  }

  // Another run has come: that before stays, if it is a knob that made the difference. One that
  // only goes on changes nothing.
  /** @param {Run | undefined} was @param {Run} run */
  follow(was, run) {
    if (!was) return;
    const [then, now] = [was, run].map(({ query }) => parts(query));
    const led = run.view && run.view.serial !== this.stage.serial; // by a link, or to the start
    if (then.rest !== now.rest || led) this.dismiss();
    else if (then.knobs !== now.knobs && run.fork === undefined && !this.turning(was, run))
      this.keep(was);
  }

  // Whether a knob is still being turned that was turned before: the run stays with which that
  // began.
  /** @param {Run} was @param {Run} run */
  turning(was, run) {
    if (!this.run) return false;
    const [first, then, now] = [this.run, was, run].map(
      ({ segments }) => segments.at(-1)?.params ?? {},
    );
    const [before, again] = [apart(first, then), apart(then, now)];
    return before.length === 1 && again.length === 1 && before[0] === again[0];
  }

  // Where f was 0 after as many steps.
  /** @param {Pen} g @param {Plane} plane @param {View} view */
  outline(g, plane, { done, theme }) {
    this.draw(g, plane, done, theme.slate, 1.5);
  }

  // The curve of the shown measure, as the chart of that run would have it.
  /** @param {Curves} curves @returns {Former | null} */
  curve(curves) {
    const { run } = this;
    if (!run) return null;
    const { axes, own, symbols, solid } = curves;
    const measured = { run, segment: run.segments.at(-1), axes, own, symbols, solid };
    const main = seriesOf(measured).find(([, , main]) => main);
    const axis = run.axes[curves.axes.x];
    if (!main) return null;
    return { at: [...pointsOf(run, main[1], 1, run.T)].map(([t, v]) => [axis(t), v]) };
  }

  // What the numbers of the title row were, where they are others now.
  /** @param {View} view */
  tell(view) {
    if (!this.run) return;
    const then = new Map(this.numbers(view.t));
    const other = apart(
      this.run.segments.at(-1)?.params ?? {},
      view.run.segments.at(-1)?.params ?? {},
    );
    // values of two objectives are not compared
    const scaled = other.some(name => SCALES.includes(name));
    const changed = this.stage.panel
      .numbers(view)
      .filter(([name, words]) => then.has(name) && then.get(name) !== words)
      .filter(([name]) => !scaled || !/objective|optimum|P\b|D\b/.test(name))
      .map(([name, words]) => `${name} ${then.get(name)} → ${words}`);
    this.say("before → now: ", changed, "the run before", "before");
  }
}
