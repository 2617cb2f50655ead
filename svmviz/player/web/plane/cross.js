// The keyboard on the plane: arrows go from point to point and tell of each, or move a cross where
// points are drawn.

import { clamp } from "../canvas/scales.js";
import { make } from "../canvas/elements.js";
import { sizeOf } from "../engine/scores.js";
import { decimals } from "../engine/words.js";

const STEP = 12;
const FINE = 2; // px
/** @type {Record<string, string>} */
const DONE = {
  "+": "+1 added",
  "=": "+1 added",
  "-": "−1 added",
  Delete: "removed",
  Backspace: "removed",
  Enter: "done",
};
/** @type {Record<string, number[]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Cross {
  /** @type {Point} */ at;

  /** @param {HTMLElement} view @param {Plane} plane @param {Stage} stage */
  constructor(view, plane, stage) {
    this.plane = plane;
    this.stage = stage;
    this.box = make("div", { className: "cross", tabIndex: 0 });
    this.mark = make("i");
    this.box.append(this.mark);
    this.box.setAttribute("role", "application");
    this.box.setAttribute("aria-label", "Points of the plane: arrows lead from one to the next");
    this.box.addEventListener("focus", () => this.enter());
    this.box.addEventListener("blur", () => plane.unhover());
    this.box.addEventListener("keydown", event => this.press(event));
    this.live = make("div", { className: "pointed", ariaLive: "polite" });
    view.append(this.box, this.live);
  }

  enter() {
    // where it was, or at the point that was drawn
    const {
      plane: { view },
    } = this;
    if (!view) return;
    if (!this.at || !this.plane.editor.on)
      this.at = this.place(view.drawn[0] ?? view.mask.findIndex(Boolean));
    this.show();
  }

  draw() {
    // begin with it, and end it, by the keyboard
    const {
      plane: { editor },
      stage,
    } = this;
    const before = editor.on;
    editor.toggle();
    if (editor.on !== before) (editor.on ? this.box : stage.frame).focus({ preventScroll: true });
  }

  /** @param {number} row @returns {Point} */
  place(row) {
    const { points } = this.plane.view.run;
    return [points[2 * row], points[2 * row + 1]];
  }

  get pixel() {
    return [this.plane.x(this.at[0]), this.plane.y(this.at[1])];
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const way = WAYS[event.key];
    const { editor } = this.plane;
    if (!this.plane.view || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!(way ? this.go(way, event.shiftKey) : this.act(event.key, editor))) return;
    event.preventDefault();
  }

  /** @param {number[]} way @param {boolean} fine */
  go(way, fine) {
    const {
      plane: {
        frame: { left, w, h },
        editor,
      },
    } = this;
    if (!editor.on && fine) return false; // an epoch on
    const by = fine ? FINE : STEP;
    const [x, y] = this.pixel;
    const { x: across, y: up } = this.plane;
    /** @returns {Point} */
    const to = () => [
      across.back(clamp(x + by * way[0], left, left + w)),
      up.back(clamp(y + by * way[1], 0, h)),
    ];
    this.at = editor.on ? to() : (this.next(way) ?? this.at);
    this.show();
    return true;
  }

  // The nearest point that way; what lies aside counts twice.
  /** @param {number[]} point */
  next([dx, dy]) {
    const { run, mask, now } = this.plane.view;
    const [x, y] = this.pixel;
    let best = null;
    let least = Infinity;
    for (let row = 0; row < run.points.length / 2; row++) {
      if (row < run.n ? !mask[row] : !sizeOf(now, row)) continue;
      const at = this.place(row);
      const right = this.plane.x(at[0]) - x;
      const down = this.plane.y(at[1]) - y;
      const along = dx * right + dy * down;
      const far = along + 2 * Math.abs(dy * right + dx * down);
      if (along > 0.5 && far < least) [best, least] = [at, far];
    }
    return best;
  }

  /** @param {string} key @param {Editor} editor */
  act(key, editor) {
    const [x, y] = this.pixel;
    const where = { offsetX: x, offsetY: y };
    if (!editor.on) {
      if (key === "Enter") this.stage.mechanism.hand?.(where);
      return key === "Enter";
    }
    if (key === "Escape") this.draw();
    else if (DONE[key])
      this.say(`${this.use(key, editor, x, y) ? DONE[key] : "nothing to do"} at ${this.spot()}`);
    return Boolean(DONE[key]) || key === "Escape";
  }

  /** @param {string} key @param {Editor} editor @param {number} x @param {number} y */
  use(key, editor, x, y) {
    if (key === "Enter") return editor.use(x, y);
    if (key === "Delete" || key === "Backspace") return editor.use(x, y, { tool: "erase" });
    return editor.add([[x, y]], key === "-" ? -1 : 1);
  }

  /** @param {string} words */
  say(words) {
    this.live.textContent = words;
  }

  spot() {
    return `(${this.at.map(v => decimals(v, 2)).join(", ")})`;
  }

  lay() {
    // the plane may have got another scale
    if (this.at) this.mark.style.transform = `translate(${this.pixel[0]}px, ${this.pixel[1]}px)`;
  }

  show() {
    const [x, y] = this.pixel;
    const { plane } = this;
    this.lay();
    plane.hover({ offsetX: x, offsetY: y });
    this.say(plane.tip.hidden ? `${this.spot()}, nothing here` : plane.tip.textContent);
  }
}
