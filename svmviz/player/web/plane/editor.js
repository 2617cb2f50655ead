// Drawing on the plane: add, move, erase, flip, brush, clear, undo, redo. The server answers with
// the run that goes on from here.

import { marks } from "../canvas/draw.js";
import { find, make } from "../canvas/elements.js";
import { clamp } from "../canvas/scales.js";
import { SLOW } from "../stage/transport.js";

const TOOLS = [
  ["plus", "+1", "Click adds a point of class +1; drag moves a point"],
  ["minus", "−1", "Click adds a point of class −1; drag moves a point"],
  ["brush", "Brush", "Each click adds a small cloud of the class used last"],
  ["flip", "Flip", "Click gives a point the other class"],
  ["erase", "Erase", "Click removes a point"],
];
const ACTIONS = [
  ["clear", "Clear", "Remove all points but one of each class"],
  ["undo", "Undo", "Take the latest stroke back (Ctrl Z)"],
  ["redo", "Redo", "Do it again (Ctrl Y)"],
];
/** @type {Record<string, string>} */
const ICONS = {
  undo: "M6 3.500 2.500 7 6 10.500M3 7h6.500a3.500 3.500 0 0 1 0 7H7",
  redo: "M10 3.500 13.500 7 10 10.500M13 7H6.500a3.500 3.500 0 0 0 0 7H9",
};
const CLOUD = [
  [0, 0],
  [13, 5],
  [-12, 7],
  [4, -13],
  [-7, -9],
  [9, 15],
  [-16, -4],
]; // a brush without chance: the same click, the same points

const PATIENCE = 5000; // ms after which a stroke that nobody answered holds up no others

export class Editor {
  back = 0;
  forth = 0;
  strokes = 0; // sent so far
  sent = 0; // when the last of them was
  /** @type {{ what: string, drop: number[], add: number[][], t: number }[]} */ queue = [];
  /** @type {number | null} */ held = null;
  /** @type {number[]} */ at = [];

  /** @param {HTMLElement} section @param {Plane} plane @param {Stage} stage */
  constructor(section, plane, stage) {
    this.plane = plane;
    this.stage = stage;
    this.on = false;
    this.tool = "plus";
    this.label = 1;
    this.held = null;
    this.strip = make("div", { className: "tools", hidden: true });
    this.buttons = Object.fromEntries(
      [...TOOLS, ...ACTIONS].map(([name, words, help]) => {
        const button = make("button", {
          type: "button",
          className: name,
          textContent: words,
          title: help,
        });
        if (ICONS[name]) {
          button.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
          button.ariaLabel = words;
        }
        button.addEventListener("click", () => this.choose(name));
        this.strip.append(button);
        return [name, button];
      }),
    );
    this.opener = make("button", {
      type: "button",
      className: "draw",
      textContent: "Draw",
      title: "Draw on the plane (E)",
    });
    this.opener.addEventListener("click", () => this.toggle());
    find(section, "h3 .key").before(this.strip, this.opener);
    for (const name of ["plus", "minus"])
      this.buttons[name].prepend(make("i", { className: name }));
    this.section = section;
    const canvas = plane.sheet.canvas;
    canvas.addEventListener("pointerdown", event => this.press(event));
    canvas.addEventListener("pointermove", event => this.drag(event));
    canvas.addEventListener("pointerup", event => this.release(event));
    canvas.addEventListener("contextmenu", event => {
      if (this.on) event.preventDefault();
    });
  }

  /** @param {Run} run */
  offer(run) {
    // only where the plane is the data
    this.opener.hidden = !run.editable;
    if (!run.editable && this.on) this.toggle();
    this.strokes = Math.max(this.strokes, run.strokes);
    if (run.strokes >= this.strokes && !this.queue.length) this.enable(run.undo, run.redo);
    if (run.strokes >= this.strokes) this.next();
  }

  // So many strokes can be taken back, and so many be done again.
  /** @param {number} back @param {number} forth */
  enable(back, forth) {
    Object.assign(this, { back, forth });
    this.buttons.undo.disabled = !back;
    this.buttons.redo.disabled = !forth;
  }

  toggle() {
    if (this.opener.hidden && !this.on) return;
    this.on = !this.on;
    this.strip.hidden = !this.on;
    this.section.classList.toggle("drawing", this.on);
    this.opener.setAttribute("aria-pressed", String(this.on));
    this.choose(this.tool);
    this.stage.layout(); // the tools may take a line of their own
  }

  /** @param {string} name */
  choose(name) {
    const { run } = this.stage;
    if (name === "undo" || name === "redo") return this.send({ what: name });
    if (name === "clear") return this.clear();
    this.tool = name;
    if (name === "plus" || name === "minus") this.label = name === "plus" ? 1 : -1;
    for (const [tool] of TOOLS)
      this.buttons[tool].setAttribute("aria-pressed", String(tool === name));
    this.plane.sheet.canvas.style.cursor = this.on ? "crosshair" : "";
    return run;
  }

  clear() {
    const { run, mask } = this.plane.view;
    const keep = new Set(
      [1, -1].map(label => mask.findIndex((alive, i) => alive > 0 && run.y[i] === label)),
    );
    this.send({ drop: [...mask.keys()].filter(i => mask[i] && !keep.has(i)) });
  }

  /** @param {{ what?: string, drop?: number[], add?: number[][] }} edit */
  send(edit) {
    const { stage } = this;
    this.plane.unhover(); // what is told there may be gone
    if (!stage.playing)
      stage.rest(); // the edit falls after this step
    else if (stage.speed < SLOW) stage.phase = 1;
    this.queue.push({ what: "draw", drop: [], add: [], t: stage.t, ...edit });
    if (edit.what === "undo") this.enable(this.back - 1, this.forth + 1);
    else this.enable(this.back + 1, edit.what === "redo" ? this.forth - 1 : 0);
    if (this.strokes <= stage.run.strokes || Date.now() - this.sent > PATIENCE) this.next();
  }

  // One stroke at a time: the next is sent once the server has heard of the last, whose run it goes
  // on from.
  next() {
    const edit = this.queue.shift();
    if (!edit) return;
    this.strokes += 1;
    this.sent = Date.now();
    this.stage.setTriggerValue("edit", { ...edit, id: this.stage.run.id, serial: this.strokes });
  }

  /** @param {number} x @param {number} y */
  world(x, y) {
    const { left, w, h } = this.plane.frame;
    /** @param {number} v */
    const digits = v => +v.toFixed(4);
    return [
      digits(this.plane.x.back(clamp(x, left, left + w))),
      digits(this.plane.y.back(clamp(y, 0, h))),
    ];
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (!this.on || !this.plane.view) return;
    const { offsetX: x, offsetY: y } = event;
    const tool = event.button === 2 ? "erase" : event.altKey ? "flip" : this.tool;
    const i = this.plane.nearest(x, y);
    if (i < 0 || tool === "erase" || tool === "flip") {
      this.use(x, y, {
        tool: i < 0 && tool === "flip" ? this.tool : tool,
        label: event.shiftKey ? -this.label : this.label,
      });
      return;
    }
    this.held = i;
    this.at = [x, y];
    this.plane.sheet.canvas.setPointerCapture(event.pointerId);
    this.stage.repaint();
  }

  // Use a tool at a place; says whether there was something to do.
  /** @param {number} x @param {number} y @param {{ tool?: string, label?: number }} [options] */
  use(x, y, { tool = this.tool, label = this.label } = {}) {
    const { run } = this.plane.view;
    const i = this.plane.nearest(x, y);
    if (i >= 0 && tool === "erase") this.send({ drop: [i] });
    else if (i >= 0 && tool === "flip")
      this.send({ drop: [i], add: [[run.points[2 * i], run.points[2 * i + 1], -run.y[i]]] });
    else if (tool === "erase" || tool === "flip") return false;
    else
      this.add(
        (tool === "brush" ? CLOUD : [[0, 0]]).map(([dx, dy]) => [x + dx, y + dy]),
        label,
      );
    return true;
  }

  /** @param {number[][]} spots @param {number} label */
  add(spots, label) {
    this.send({ add: spots.map(([x, y]) => [...this.world(x, y), label]) });
    return true;
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (this.held === null) return;
    this.at = [event.offsetX, event.offsetY];
    this.stage.repaint();
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (this.held === null) return;
    const i = this.held;
    const { run } = this.plane.view;
    const moved =
      Math.hypot(
        this.plane.x(run.points[2 * i]) - event.offsetX,
        this.plane.y(run.points[2 * i + 1]) - event.offsetY,
      ) > 3;
    this.held = null;
    if (moved)
      this.send({ drop: [i], add: [[...this.world(event.offsetX, event.offsetY), run.y[i]]] });
    this.stage.repaint();
  }

  /** @param {Pen} g @param {Theme} theme @param {number} r */
  paint(g, theme, r) {
    // the point that is being moved
    if (this.held === null) return;
    const positive = this.plane.view.run.y[this.held] > 0;
    marks(g, theme, 1, () => ({ x: this.at[0], y: this.at[1], positive, r: r + 2 }));
  }
}
