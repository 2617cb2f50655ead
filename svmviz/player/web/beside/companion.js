// Another run on the same plane: a thin line, and its numbers in the title row.

import { Engine } from "../engine/replay.js";
import { moment, settledOf } from "../engine/moment.js";
import { line } from "../canvas/draw.js";
import { find, make } from "../canvas/elements.js";
import { Caption } from "../canvas/labels.js";

export class Companion {
  /** @type {Run | null} */ run = null;
  /** @type {Engine | null} */ engine = null;

  /** @param {Stage} stage @param {string} className */
  constructor(stage, className) {
    this.stage = stage;
    this.note = make("p", { className: `companion ${className}`, hidden: true });
    const words = make("span", { className: "caption" });
    this.note.append(make("i"), words);
    find(stage.frame, "header .paper").after(this.note);
    this.words = new Caption(words);
  }

  get on() {
    return this.run !== null;
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

  // Its boundary after so many steps.
  /**
   * @param {Pen} g
   * @param {Plane} plane
   * @param {number} t
   * @param {string} color
   * @param {number} width
   * @param {number[]} [dash]
   */
  draw(g, plane, t, color, width, dash) {
    const engine = this.replay();
    if (!engine || !this.run) return;
    const { field } = engine.state(Math.min(t, this.run.T));
    for (const path of plane.boundary(this.run, field)) line(g, path, color, width, dash);
  }

  // What the title row would say of it.
  /** @param {number} t @returns {[string, string][]} */
  numbers(t) {
    const engine = this.replay();
    const { run, stage } = this;
    if (!engine || !run) return [];
    const { panel, theme, slow, linked, field } = stage;
    const at = {
      run,
      engine,
      panel,
      theme,
      t: Math.min(t, run.T),
      phase: 1,
      supposed: null,
      slow,
      linked,
      field,
    };
    return panel.numbers(settledOf(moment(at))).map(([name, words]) => [name, words]);
  }

  // As many of some numbers as there is room for, else the shorter words.
  /** @param {string} first @param {string[]} numbers @param {string[]} shorter */
  say(first, numbers, ...shorter) {
    const fewer = numbers.map((_, k) => numbers.slice(0, numbers.length - k).join(", "));
    this.words.say(...fewer.map(some => first + some), ...shorter);
  }
}
