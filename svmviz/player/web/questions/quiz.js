// Quiz me: questions about the next step, of the solver's own kinds, at any step of any run; easy
// ones first.

import { Asking, press } from "./asking.js";
import { makers } from "./index.js";
import { make } from "../canvas/elements.js";

const AHEAD = 40; // steps among which the kind that was asked least is looked for

export class Quiz {
  right = 0;
  total = 0;
  on = false;
  /** @type {Map<string, number>} */ counts = new Map(); // of questions by kind

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.section = make("section", { className: "quiz", hidden: true });
    this.section.setAttribute("aria-label", "Quiz");
    this.box = make("div");
    this.row = make("div", { className: "row" });
    this.onward = press("next", "Next question", () => this.next());
    this.closer = press("close", "End", () => this.toggle());
    this.closer.title = "End the quiz (Esc)";
    this.row.append(this.onward, this.closer);
    this.section.append(this.box, this.row);
    stage.plane.section.after(this.section);
    this.opener = press("quizzes", "Quiz me", () => this.toggle());
    this.opener.title = "A question about the next step (Q)";
    this.section.after(this.opener);
    this.score = make("span", { className: "score", hidden: true });
    stage.transport.t.parentElement?.prepend(this.score);
    this.asking = new Asking(stage, this.box, {
      checked: (verdict, revealed) => this.checked(verdict.right, revealed),
    });
  }

  toggle() {
    const { stage } = this;
    if (!this.on && (!stage.engine || stage.asking)) return;
    this.on = !this.on;
    this.section.hidden = !this.on;
    stage.frame.classList.toggle("quizzing", this.on);
    this.opener.hidden = this.on;
    if (this.on) {
      Object.assign(this, { right: 0, total: 0, counts: new Map() });
      stage.touched = true;
      this.tell();
      stage.layout();
      this.put(this.first(stage.t));
    } else {
      this.asking.end();
      stage.layout();
      stage.frame.focus({ preventScroll: true });
    }
    this.tell();
  }

  // Where it is asked: at rest after step t of the run on stage.
  /** @param {number} t @returns {Asker} */
  at(t) {
    const { run, engine, panel, theme } = this.stage;
    return { run, engine: /** @type {Engine} */ (engine), panel, theme, t };
  }

  // Kinds in the order in which they should come: what was asked least first, and of those the
  // easiest.
  get kinds() {
    const often = /** @param {string} kind */ kind => this.counts.get(kind) ?? 0;
    return this.stage.run.questions
      .map(({ kind }) => kind)
      .filter(kind => makers[kind])
      .toSorted((a, b) => often(a) - often(b));
  }

  // The question at step t, or the first one after it.
  /** @param {number} t */
  first(t) {
    for (const kind of this.kinds) {
      const found = makers[kind](this.at(t));
      if (found) return found;
    }
    return this.later(t + 1);
  }

  // One from step t on: of the kind that was asked least, if a step soon after has one.
  /** @param {number} from @returns {Asked | null} */
  later(from) {
    const { T } = this.stage.run;
    for (let begin = from; begin < T; begin += AHEAD)
      for (const kind of this.kinds)
        for (let t = begin; t < Math.min(T, begin + AHEAD); t++) {
          const found = makers[kind](this.at(t));
          if (found) return found;
        }
    return null;
  }

  /** @param {Asked | null} asked */
  put(asked) {
    const { stage } = this;
    this.onward.hidden = true;
    if (asked) {
      this.asking.ask(asked);
      return stage.frame.focus({ preventScroll: true });
    }
    this.asking.end();
    this.box.textContent = stage.run.final
      ? "The run ends here: go back to be asked about earlier steps."
      : "The run ends here for now. Ask again once it has gone on.";
    stage.more();
    this.onward.hidden = false;
  }

  next() {
    const { asked } = this.asking;
    const from = this.stage.t;
    this.put(
      asked && this.asking.verdict && from <= asked.until ? this.later(from) : this.first(from),
    );
  }

  /** @param {boolean} right @param {boolean} revealed */
  checked(right, revealed) {
    const kind = this.asking.asked?.kind ?? "";
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    if (!revealed) {
      this.total++;
      this.right += +right;
    }
    this.onward.hidden = false;
    this.tell();
  }

  // Another run is on stage: what is asked must be about that one.
  renew() {
    if (!this.on) return;
    const { asked, verdict } = this.asking;
    if (asked && !verdict) this.put(this.first(this.stage.t));
    else if (asked) this.asking.end();
  }

  tell() {
    const { score } = this;
    score.hidden = !this.on || !this.total;
    score.textContent = `${this.right} of ${this.total} right`;
    score.title = "questions answered rightly so far";
  }

  // Whether a key was for the quiz: after a verdict Enter goes on.
  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.on || event.key !== "Enter" || this.asking.open || this.onward.hidden) return false;
    this.next();
    return true;
  }
}
