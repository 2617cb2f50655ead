// A question that is being asked: its words and answers in a box, its badges on the plane. Until it
// is checked the stage does not go past its step, and what gives it away is covered. Then the step
// is played: whole, or, where the question is about the state that the step finds, up to its last
// beat that shows that state.

import { make } from "../canvas/elements.js";
import { handles, paint, paintBeside, reserve, spots } from "./badges.js";
import { labelOf } from "./making.js";

const REACH = 24; // px: how close a finger must come
const TURN = Math.PI / 60; // by a key
const SHIFT = 0.02; // of the reach
/** @type {Record<string, string>} */
const MOVES = {
  pair: "M, then the arrows, Enter twice: by the keyboard.",
  line: "M, then ← → turn it and ↑ ↓ shift it.",
};

/**
 * @template {keyof HTMLElementTagNameMap} N
 * @param {N} name
 * @param {string} className
 * @param {string} [words]
 */
const element = (name, className, words = "") => make(name, { className, textContent: words });

/** @param {string} className @param {string} words @param {() => void} act */
export function press(className, words, act) {
  const button = make("button", { type: "button", className, textContent: words });
  button.addEventListener("click", act);
  return button;
}

/** @param {StraightLine} straight @param {Point} from @returns {Point} */
const foot = ({ angle, offset }, [x, y]) => {
  const away = Math.cos(angle) * x + Math.sin(angle) * y - offset;
  return [x - away * Math.cos(angle), y - away * Math.sin(angle)];
};

/**
 * @typedef {object} Hearing what whoever asks is told
 * @property {(verdict: Verdict, revealed: boolean) => void} [checked]
 * @property {(words: string, dead: boolean) => void} [ready]
 */

export class Asking {
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

  /**
   * @param {Stage} stage
   * @param {HTMLElement} box
   * @param {Hearing} [on]
   */
  constructor(stage, box, on = {}) {
    this.stage = stage;
    this.box = box;
    this.on = on;
    this.view = /** @type {HTMLElement} */ (stage.plane.sheet.canvas.parentElement);
    this.ending = new AbortController();
    const how = { capture: true, signal: this.ending.signal };
    this.view.addEventListener("pointerdown", event => this.press(event), how);
    this.view.addEventListener("pointermove", event => this.drag(event), how);
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
      this.view.addEventListener(end, event => this.release(event), how);
  }

  // Whether the stage shows what the question is about: a step that has gone on has left it behind.
  get here() {
    const { asked, stage } = this;
    if (!asked) return false;
    if (!this.verdict || stage.t === asked.t) return stage.t === asked.t;
    if (asked.beat) return stage.t === asked.t + 1 && stage.phase <= this.halt(asked) + 1e-9;
    return stage.t > asked.t && stage.t <= asked.until;
  }

  // Where in its step the answer stands.
  /** @param {Asked} asked */
  halt({ t, beat }) {
    return this.stage.beatStops(t + 1).find(stop => stop.beat === beat)?.at ?? 1;
  }

  get open() {
    return Boolean(this.asked) && !this.verdict;
  }

  /** @param {string} what @returns {boolean} */
  covers(what) {
    return this.open && (this.asked?.covers ?? []).some(cover => cover === what);
  }

  /** @param {Asked} asked */
  ask(asked) {
    const { stage } = this;
    Object.assign(this, { asked, verdict: null, picks: [], number: null, straight: null });
    Object.assign(this, { cursor: -1, moving: false, held: -1, pointer: null });
    if (asked.line) this.anchor = foot(asked.line.start, asked.line.centre);
    stage.asking = this;
    stage.plane.unhover(); // what was told of a point may be the answer
    if (stage.playing) stage.toggle(false);
    stage.limit = asked.t;
    if (stage.t !== asked.t || stage.phase < 1) stage.seek(asked.t, true);
    stage.frame.dataset.covers = asked.covers.join(" ");
    this.build(asked);
    stage.repaint();
  }

  // Take the question away, answered or not.
  end() {
    const { stage } = this;
    Object.assign(this, { asked: null, verdict: null });
    this.box.replaceChildren();
    if (stage.asking === this) {
      stage.asking = null;
      stage.limit = Infinity;
      delete stage.frame.dataset.covers;
      stage.repaint();
    }
  }

  // It will never ask again.
  destroy() {
    this.end();
    this.ending.abort();
  }

  /** @param {Asked} asked */
  build(asked) {
    const { form } = asked;
    const root = element("div", "asking");
    root.dataset.form = form;
    const ask = element("p", "ask", asked.ask);
    const how = element("p", "how", [asked.how, MOVES[form]].filter(Boolean).join(" "));
    ask.id = "asked";
    this.answers = element("div", "answers");
    this.answers.setAttribute("role", "group");
    this.answers.setAttribute("aria-labelledby", ask.id);
    this.buttons = [];
    if (form === "number") this.slide(asked);
    else if (form !== "pair" && form !== "line")
      this.buttons = asked.options.map((option, k) => this.button(option, k));
    this.answers.append(...this.buttons);
    this.told = element("div", "verdict");
    this.told.tabIndex = -1;
    this.told.setAttribute("aria-live", "polite");
    this.checker = press("check", "", () => this.check());
    this.taker = press("take", "Take the step", () => this.stage.step(1));
    this.taker.hidden = true;
    root.append(ask, how, this.answers, this.told, this.taker, this.checker);
    root.addEventListener("keydown", event => {
      if (event.key !== "Enter" || event.target === this.checker || !this.open) return;
      event.preventDefault(); // a candidate is picked by Space or its number
      event.stopPropagation();
      this.check();
    });
    this.box.replaceChildren(root);
    this.show();
  }

  /** @param {Option} option @param {number} k */
  button(option, k) {
    const button = press("answer", "", () => this.pick(k));
    button.append(element("span", option.number ? "badge" : "digit", String(k + 1)));
    for (const name of /** @type {const} */ (["words", "value", "note"]))
      button.append(element("span", name, name === "words" ? option.words : ""));
    button.append(element("span", "word"), element("span", "hush", this.classOf(option)));
    return button;
  }

  // A number on a scale of factors.
  /** @param {Asked} asked */
  slide(asked) {
    const { range } = asked;
    if (!range) return;
    const slider = element("input", "slider");
    const shown = element("output", "shown");
    Object.assign(slider, { type: "range", min: "0", max: "1000", step: "1" });
    slider.setAttribute("aria-labelledby", "asked");
    /** @param {number} v */
    const place = v =>
      String(Math.round((1000 * Math.log(v / range.low)) / Math.log(range.high / range.low)));
    slider.value = place(range.start);
    const read = () => {
      const value = range.low * (range.high / range.low) ** (+slider.value / 1000);
      shown.textContent = range.words(value);
      slider.setAttribute("aria-valuetext", shown.textContent);
      return value;
    };
    this.number = read();
    slider.addEventListener("input", () => {
      this.number = read();
      this.show();
    });
    this.slider = slider;
    this.answers?.append(slider, shown);
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

  // What has been answered so far.
  /** @returns {Answer} */
  get answer() {
    const { asked, picks } = this;
    if (!asked) return null;
    if (asked.form === "number") return this.number;
    if (asked.form === "line") return this.straight;
    return picks.length >= (asked.form === "pair" ? 2 : 1) ? picks : null;
  }

  show() {
    const { asked, verdict, checker } = this;
    if (!asked || !checker) return;
    this.buttons.forEach((button, k) => {
      const option = asked.options[k];
      const picked = this.picks.includes(k);
      const { state = "", word = "" } = verdict?.options[k] ?? {};
      button.setAttribute("aria-pressed", String(picked));
      button.dataset.state = state;
      button.disabled = Boolean(verdict);
      const told = verdict ? [option.value, option.note] : ["", ""];
      ["value", "note"].forEach((name, j) => {
        /** @type {HTMLElement} */ (button.querySelector(`.${name}`)).textContent = told[j];
      });
      /** @type {HTMLElement} */ (button.querySelector(".word")).textContent = word;
    });
    if (this.slider) this.slider.disabled = Boolean(verdict);
    checker.hidden = Boolean(verdict);
    checker.disabled = this.answer === null && !asked.line; // a line may stay where it is
    const many = this.picks.length;
    checker.textContent =
      asked.form === "many" && many ? `Check ${many} pick${many > 1 ? "s" : ""}` : "Check";
    if (!verdict) this.on.ready?.(checker.textContent, checker.disabled && !this.stage.presenting);
  }

  /** @param {Option} option */
  classOf({ row }) {
    const { run } = this.stage;
    if (row < 0 || row >= run.n) return "";
    const label = labelOf(run, row);
    return run.real || run.classes.length ? label : `class ${label}`;
  }

  // Judge the answer and play the step. A lecturer may reveal it without one.
  check() {
    const { asked, stage, told } = this;
    if (!asked || this.verdict || !told) return;
    const revealed = this.answer === null && (stage.presenting || !asked.line);
    if (revealed && !stage.presenting) return;
    const verdict = asked.judge(
      revealed ? asked.truth : (this.answer ?? asked.line?.start ?? null),
    );
    if (revealed) verdict.title = this.named(asked);
    this.verdict = verdict;
    told.replaceChildren(element("b", "", verdict.title), ` ${verdict.sentence}`);
    told.dataset.right = String(verdict.right);
    if (verdict.cost) told.before(this.table(verdict.cost));
    this.show();
    stage.limit = Infinity;
    delete stage.frame.dataset.covers;
    this.reveal(asked);
    told.focus({ preventScroll: !stage.frame.classList.contains("narrow") });
    this.on.checked?.(verdict, revealed);
  }

  // What is said where nobody answered.
  /** @param {Asked} asked */
  named({ options, truth, form }) {
    const names =
      Array.isArray(truth) && form !== "pair"
        ? truth.map(k => options[k].number || options[k].words)
        : [];
    return names.length ? `The answer: ${names.join(", ")}.` : "The answer.";
  }

  /** @param {Asked} asked */
  reveal(asked) {
    const { stage } = this;
    const { t, until } = asked;
    if (stage.t !== t || stage.phase < 1) stage.seek(t);
    if (until > t + 1) stage.seek(until, true);
    else stage.step(1, this.halt(asked));
  }

  /** @param {NonNullable<Verdict["cost"]>} cost */
  table({ head, rows }) {
    const table = element("table", "cost");
    for (const [k, row] of [head, ...rows].entries()) {
      const line = table.insertRow();
      row.forEach((words, j) => line.append(element(k && j ? "td" : "th", "", words)));
    }
    return table;
  }

  // Whether a key was for the question.
  /** @param {KeyboardEvent} event */
  key(event) {
    const { asked } = this;
    if (!asked || this.verdict) return false;
    const digit = "123456789".indexOf(event.key);
    if (digit >= 0 && event.key.length === 1 && this.buttons[digit]) this.pick(digit);
    else if (event.key === "Enter")
      this.moving && asked.form === "pair" ? this.seize() : this.check();
    else if (event.key.toLowerCase() === "m" || (this.moving && event.key === "Escape"))
      this.begin();
    else if (this.moving && event.key.startsWith("Arrow")) this.go(event.key, event.shiftKey);
    else return false;
    return true;
  }

  // M: arrows belong to the question, until it is pressed again.
  begin() {
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
      stage.asking !== this ||
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

  /** @param {Pen} g @param {Plane} plane */
  paint(g, plane) {
    if (this.taker) this.taker.hidden = !this.verdict || !this.asked?.beat || !this.here;
    paint(g, this, plane);
  }

  // Words on the plane keep off the badges.
  /** @param {Plane} plane */
  reserve(plane) {
    if (this.here && this.asked?.options[0]?.number) reserve(plane, this.asked.options);
  }

  /**
   * @param {Pen} g
   * @param {{ left: number, w: number, h: number }} frame
   * @param {(row: number) => Point} at
   */
  paintBeside(g, frame, at) {
    paintBeside(g, this, frame, at);
  }
}
