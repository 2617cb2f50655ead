// The run as it was before a knob was turned: thin on plane and curve, and what has become of the numbers, until
// it is dismissed.

import { Engine } from "../engine/engine.js";
import { moment, settledOf } from "../engine/moment.js";
import { line } from "./draw.js";
import { button, find, make } from "./elements.js";
import { contours } from "./field.js";
import { Caption } from "./labels.js";

const NO_KNOBS = ["seed", "T", "plane", "edit", "chosen", "fork", "other"]; // that stand behind the solver in a link

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

export class Ghost {
  /** @type {Run | null} */ run = null;
  /** @type {Engine | null} */ engine = null;

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.note = make("p", { className: "former", hidden: true });
    const words = make("span", { className: "caption" });
    const end = button("×", () => this.dismiss(), { title: "Away with the run before (Esc)" });
    end.setAttribute("aria-label", "Away with the run before");
    this.note.append(end, make("i"), words);
    find(stage.frame, "header .paper").after(this.note);
    this.words = new Caption(words);
  }

  get on() {
    return this.run !== null;
  }

  // Another run has come: that before stays, if it is a knob that made the difference. One that only goes on
  // changes nothing.
  /** @param {Run | undefined} was @param {Run} run */
  follow(was, run) {
    if (!was) return;
    const [then, now] = [was, run].map(({ query }) => parts(query));
    const led = run.view && run.view.serial !== this.stage.serial; // by a link, or to the start
    if (then.rest !== now.rest || led) this.dismiss();
    else if (then.knobs !== now.knobs && run.fork === undefined) this.keep(was);
  }

  /** @param {Run} run */
  keep(run) {
    Object.assign(this, { run, engine: null });
    this.note.hidden = false;
  }

  // Says whether there was one.
  dismiss() {
    if (!this.run) return false;
    Object.assign(this, { run: null, engine: null });
    this.note.hidden = true;
    this.stage.repaint();
    return true;
  }

  // Its engine, on the cells of the plane.
  replay() {
    const { engine } = this.stage;
    if (!this.run || !engine) return null;
    if (this.engine?.grid !== engine.grid) {
      this.engine = new Engine(this.run, engine.grid);
      this.engine.share(engine);
    }
    return this.engine;
  }

  // Where f was 0 after as many steps.
  /** @param {Pen} g @param {Plane} plane @param {View} view */
  outline(g, plane, { done, theme, run }) {
    const engine = run.scores > 1 || run.residual ? null : this.replay();
    if (!engine || !this.run) return;
    const { xs, ys } = engine.grid;
    const { field } = engine.state(Math.min(done, this.run.T));
    for (const path of contours(field, xs.length, ys.length, 0))
      line(
        g,
        path.map(p => plane.pixel(p)),
        theme.slate,
        1.5,
      );
  }

  // The curve of the shown measure, as the chart of that run would have it.
  /** @param {Curves} curves @returns {Former | null} */
  curve(curves) {
    const { run } = this;
    if (!run) return null;
    /** @type {Curves} */
    const chart = Object.assign(Object.create(curves), { run, segment: run.segments.at(-1) });
    const main = chart.series().find(([, , main]) => main);
    const axis = run.axes[curves.axes.x];
    if (!main) return null;
    return { at: [...chart.points(main[1], 1, run.T)].map(([t, v]) => [axis(t), v]) };
  }

  // What the numbers of the title row were, where they are others now.
  /** @param {View} view */
  tell(view) {
    const engine = this.replay();
    const { run, stage } = this;
    if (!engine || !run) return;
    const { panel, theme, slow, linked, field } = stage;
    const t = Math.min(view.t, run.T);
    const was = settledOf(
      moment({ run, engine, panel, theme, t, phase: 1, supposed: null, slow, linked, field }),
    );
    const then = new Map(panel.numbers(was).map(([name, words]) => [name, words]));
    const apart = panel
      .numbers(view)
      .filter(([name, words]) => then.has(name) && then.get(name) !== words)
      .map(([name, words]) => `${name} ${then.get(name)} → ${words}`);
    const words = apart.map((_, k) => apart.slice(0, apart.length - k).join(", "));
    this.words.say(...words.map(said => `before → now: ${said}`), "the run before", "before");
  }
}
