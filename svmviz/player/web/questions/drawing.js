// An answer that is drawn on the plane, by the pointer or by the keyboard: candidates, a pair of
// vectors, a line.

import { handles, spots } from "./badges.js";

const REACH = 24; // px: how close a finger must come
const TURN = Math.PI / 60; // by a key
const SHIFT = 0.02; // of the reach

/** @param {StraightLine} straight @param {Point} from @returns {Point} */
const foot = ({ angle, offset }, [x, y]) => {
  const away = Math.cos(angle) * x + Math.sin(angle) * y - offset;
  return [x - away * Math.cos(angle), y - away * Math.sin(angle)];
};

export class Drawing {
  /** @type {Asked | null} */ asked = null;
  /** @type {Verdict | null} */ verdict = null;
  /** @type {number[]} */ picks = []; // places among the options, or rows of a pair
  /** @type {number | null} */ number = null;
  /** @type {StraightLine | null} */ straight = null;
  /** @type {Point} */ anchor = [0, 0]; // of the line: it turns about it
  cursor = -1; // of the keyboard: a row
  moving = false; // whether arrows move the line, or the cursor
  held = -1; // handle of the line
  /** @type {Point | null} */ pointer = null;
  /** @type {HTMLButtonElement[]} */ buttons = [];
  /** @type {HTMLInputElement | undefined} */ slider; // of a number

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.view = /** @type {HTMLElement} */ (stage.plane.sheet.canvas.parentElement);
    this.ending = new AbortController();
    const how = { capture: true, signal: this.ending.signal };
    this.view.addEventListener("pointerdown", event => this.press(event), how);
    this.view.addEventListener("pointermove", event => this.drag(event), how);
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
      this.view.addEventListener(end, event => this.release(event), how);
  }

  // What the heir does with an answer: show it, judge it.
  show() {}

  check() {}

  // Nothing has been drawn yet.
  /** @param {Asked} asked */
  begin({ line }) {
    Object.assign(this, { picks: [], straight: null, cursor: -1, moving: false });
    Object.assign(this, { held: -1, pointer: null });
    if (line) this.anchor = foot(line.start, line.centre);
  }

  /** @param {number} k */
  pick(k) {
    const { asked } = this;
    if (!asked || this.verdict || !asked.options[k]) return;
    if (asked.form === "many")
      this.picks = this.picks.includes(k) ? this.picks.filter(p => p !== k) : [...this.picks, k];
    else this.picks = [k];
    this.show();
    this.stage.repaint();
  }

  // M: arrows belong to the question, until it is pressed again.
  turn() {
    const { asked } = this;
    if (!asked) return;
    if (asked.form === "number") return this.slider?.focus();
    if (asked.form !== "pair" && asked.form !== "line") return;
    this.moving = !this.moving;
    this.cursor = this.moving && asked.form === "pair" ? asked.options[0].row : -1;
    if (this.moving && asked.line) this.straight ??= asked.line.start;
    this.say();
    this.show();
    this.stage.repaint();
  }

  /** @param {string} key @param {boolean} fine */
  go(key, fine) {
    const { asked, stage } = this;
    if (!asked) return;
    const back = key === "ArrowLeft" || key === "ArrowUp";
    if (asked.line && this.straight) {
      const by = (back ? 1 : -1) * (fine ? 0.25 : 1);
      const { angle } = this.straight;
      if (key === "ArrowLeft" || key === "ArrowRight") this.lay(angle + by * TURN, this.anchor);
      else {
        const far = by * SHIFT * asked.line.reach * 2 * (Math.sin(angle) < 0 ? -1 : 1);
        const [x, y] = this.anchor;
        this.lay(angle, [x + far * Math.cos(angle), y + far * Math.sin(angle)]);
      }
    } else if (asked.form === "pair") {
      const rows = this.near(asked);
      const k = rows.indexOf(this.cursor) + (back ? -1 : 1);
      this.cursor = rows[(k + rows.length) % rows.length];
      this.say();
    }
    stage.repaint();
  }

  // The vectors by their distance, from the one that is picked, of those that may go with it.
  /** @param {Asked} asked */
  near({ options, mates }) {
    const { points } = this.stage.run;
    const from = this.picks.length === 1 ? this.picks[0] : options[0].row;
    const may = this.picks.length === 1 ? mates?.(from) : null;
    /** @param {number} row */
    const far = row =>
      Math.hypot(points[2 * row] - points[2 * from], points[2 * row + 1] - points[2 * from + 1]);
    return options
      .filter((_, k) => !may || may[k])
      .map(({ row }) => row)
      .toSorted((a, b) => far(a) - far(b));
  }

  // Enter in the midst of a pair: the first, the second, and then the check.
  seize() {
    const { asked, cursor } = this;
    if (!asked) return;
    if (this.picks.length === 2) return this.check();
    this.take(cursor);
    if (this.picks.length === 1) this.cursor = this.near(asked)[0] ?? -1;
    this.say();
  }

  // A vector of the pair: the first, or one that may go with it.
  /** @param {number} row */
  take(row) {
    const { asked, picks } = this;
    const k = asked?.options.findIndex(option => option.row === row) ?? -1;
    if (!asked || k < 0) return;
    if (picks.length !== 1 || row === picks[0]) this.picks = [row];
    else if (asked.mates?.(picks[0])[k]) this.picks = [picks[0], row];
    else this.stage.dialogs.say("Only two of one sign can be merged");
    this.show();
    this.stage.repaint();
  }

  say() {
    const { asked, cursor, stage } = this;
    const option = asked?.options.find(({ row }) => row === cursor);
    stage.plane.cross.say(
      this.picks.length === 2
        ? "Two picked. Enter checks."
        : this.moving
          ? (option?.words ?? "Arrows move the line.")
          : "",
    );
  }

  /** @param {number} angle @param {Point} anchor */
  lay(angle, anchor) {
    this.anchor = anchor;
    this.straight = { angle, offset: Math.cos(angle) * anchor[0] + Math.sin(angle) * anchor[1] };
    this.show();
    this.stage.repaint();
  }

  // What lies under the pointer: a candidate, a vector, or a handle; -1 for nothing.
  /** @param {Asked} asked @param {number} x @param {number} y */
  under({ line, options, form }, x, y) {
    const { plane } = this.stage;
    const places = line
      ? handles(plane, this.straight ?? line.start, this.anchor, line.reach).map(p => [p])
      : spots(plane, options).map(({ at, badge }) => (form === "pair" ? [at] : [badge, at]));
    let [best, least] = [-1, REACH];
    places.forEach((all, k) =>
      all.forEach(([a, b]) => {
        const d = Math.hypot(a - x, b - y);
        if (d < least) [best, least] = [k, d];
      }),
    );
    return best;
  }

  /** @param {PointerEvent} event */
  press(event) {
    const { asked, stage } = this;
    if (
      !asked ||
      this.verdict ||
      /** @type {unknown} */ (stage.asking) !== this ||
      stage.t !== asked.t ||
      stage.plane.editor.on
    )
      return;
    if (event.target !== stage.plane.sheet.canvas) return;
    const [x, y] = [event.offsetX, event.offsetY];
    const k = this.under(asked, x, y);
    if (k < 0) return;
    event.stopPropagation();
    stage.plane.unhover();
    if (asked.line) this.held = k;
    else if (asked.form === "pair") {
      this.take(asked.options[k].row);
      this.pointer = [x, y];
    } else if (this.buttons.length && asked.options[k].number) return this.pick(k);
    if (this.held >= 0 || this.pointer) stage.plane.sheet.canvas.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const { asked, stage, held } = this;
    if (!asked || this.verdict || (held < 0 && !this.pointer)) return;
    event.stopPropagation();
    this.pointer = [event.offsetX, event.offsetY];
    if (held < 0 || !asked.line) return stage.repaint();
    const to = /** @type {Point} */ ([
      stage.plane.x.back(event.offsetX),
      stage.plane.y.back(event.offsetY),
    ]);
    const { angle } = this.straight ?? asked.line.start;
    if (held === 0) return this.lay(angle, to);
    const along = Math.atan2(to[1] - this.anchor[1], to[0] - this.anchor[0]);
    this.lay(along + (held === 1 ? -Math.PI / 2 : Math.PI / 2), this.anchor);
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { asked, stage } = this;
    if (!asked || (this.held < 0 && !this.pointer)) return;
    event.stopPropagation();
    if (asked.form === "pair" && this.picks.length === 1) {
      const k = this.under(asked, event.offsetX, event.offsetY);
      if (k >= 0 && asked.options[k].row !== this.picks[0]) this.take(asked.options[k].row);
    }
    this.held = -1;
    this.pointer = null;
    stage.repaint();
  }
}
