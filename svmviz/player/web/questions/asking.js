// A question that is being asked: its words and answers in a box, its badges on the plane. Until it
// is checked the stage does not go past its step, and what gives it away is covered. Then the step
// is played: whole, or, where the question is about the state that the step finds, up to its last
// beat that shows that state.

import { make } from "../canvas/elements.js";
import { paint, paintBeside, reserve } from "./badges.js";
import { Drawing } from "./drawing.js";
import { labelOf } from "./making.js";

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

/**
 * @typedef {object} Hearing what whoever asks is told
 * @property {(verdict: Verdict, revealed: boolean) => void} [checked]
 * @property {(words: string, dead: boolean) => void} [ready]
 */

export class Asking extends Drawing {
  /**
   * @param {Stage} stage
   * @param {HTMLElement} box
   * @param {Hearing} [on]
   */
  constructor(stage, box, on = {}) {
    super(stage);
    this.box = box;
    this.on = on;
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
    Object.assign(this, { asked, verdict: null, number: null });
    this.begin(asked);
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
    Object.assign(this, { verdict });
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
      this.turn();
    else if (this.moving && event.key.startsWith("Arrow")) this.go(event.key, event.shiftKey);
    else return false;
    return true;
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
