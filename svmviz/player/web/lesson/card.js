// A card: where it stands in the lesson, its title and text, its task or question, and the buttons.

import { find } from "../canvas/elements.js";
import { homeless } from "../browser/home.js";
import { made, written } from "./prose.js";
import { control } from "./knobs.js";

export class CardColumn {
  /** @param {HTMLElement} aside @param {Study} study */
  constructor(aside, study) {
    this.aside = aside;
    this.study = study;
    aside.innerHTML = `<button type="button" class="grip" aria-label="Card: title, half or full"></button>
      <div class="way"><a class="leave" href="?">Lessons</a><ol class="dots"></ol><span class="place"></span></div>
      <div class="scroll" tabindex="0" role="group" aria-label="Text of the card"><div class="notes"></div><h2 tabindex="-1"></h2><div class="text"></div><div class="task" hidden></div>
      <div class="question"></div><div class="after" aria-live="polite"></div></div>
      <div class="moves"><button type="button" class="back">Back</button><button type="button" class="on"></button><button type="button" class="free">Let me play</button></div>
      <p class="tally"></p>`;
    /** @param {string} name */
    const $ = name => find(aside, name);
    this.dots = $(".dots");
    this.place = $(".place");
    this.notes = $(".notes");
    this.title = $("h2");
    this.text = $(".text");
    this.task = $(".task");
    this.question = $(".question");
    this.after = $(".after");
    this.on = /** @type {HTMLButtonElement} */ ($(".on"));
    this.back = /** @type {HTMLButtonElement} */ ($(".back"));
    this.free = /** @type {HTMLButtonElement} */ ($(".free"));
    this.tally = $(".tally");
    this.grip = $(".grip");
    $(".leave").addEventListener("click", event => {
      event.preventDefault();
      study.home();
    });
    this.on.addEventListener("click", () => study.onward());
    this.back.addEventListener("click", () => study.go(study.k - 1));
    this.free.addEventListener("click", () => study.free());
    this.free.hidden = homeless();
    this.slide();
  }

  // On a phone the card is a sheet with three stops: title and buttons, half, full.
  slide() {
    let from = 0;
    let held = false;
    const stops = ["low", "half", "full"];
    /** @param {number} by */
    const move = by => {
      const k = stops.indexOf(this.aside.dataset.stop ?? "half") + by;
      this.aside.dataset.stop = stops[Math.max(0, Math.min(2, k))];
      this.study.layout();
    };
    this.aside.dataset.stop = "half";
    this.grip.addEventListener("pointerdown", event => {
      this.grip.setPointerCapture(event.pointerId);
      from = event.clientY;
      held = true;
    });
    this.grip.addEventListener("pointerup", event => {
      if (!held) return;
      held = false;
      const way = event.clientY - from;
      if (Math.abs(way) > 24) move(way > 0 ? -1 : 1);
    });
    this.grip.addEventListener("click", event => {
      if (event.detail === 0 || Math.abs(event.clientY - from) <= 24)
        move(this.aside.dataset.stop === "full" ? -2 : 1);
    });
  }

  // Dots for the cards, the present one long; each leads to its card.
  /** @param {LessonData} lesson @param {number} k @param {number[]} done */
  where(lesson, k, done) {
    const { cards } = lesson;
    if (this.dots.children.length !== cards.length)
      this.dots.replaceChildren(
        ...cards.map((_, j) => {
          const item = made("li");
          const dot = Object.assign(document.createElement("button"), { type: "button" });
          dot.append(made("i"));
          dot.addEventListener("click", () => this.study.go(j));
          item.append(dot);
          return item;
        }),
      );
    [...this.dots.children].forEach((item, j) => {
      const dot = /** @type {HTMLElement} */ (item.firstChild);
      dot.className = j === k ? "here" : "";
      /** @type {HTMLElement} */ (dot.firstChild).className =
        j === k || done.includes(j) ? "over" : "";
      dot.setAttribute(
        "aria-label",
        `Card ${j + 1}, ${cards[j].title}${done.includes(j) ? ", done" : ""}`,
      );
      dot.title = cards[j].title;
      dot.toggleAttribute("aria-current", j === k);
    });
    this.place.textContent = `${k + 1} of ${cards.length}`;
  }

  /**
   * @param {LessonCard} card
   * @param {Record<string, any> | null} facts null: its run is still being computed
   */
  show(card, facts) {
    const fresh = this.title.textContent !== card.title;
    this.title.textContent = card.title;
    this.text.replaceChildren(
      ...(facts
        ? written(card.before, facts, href => this.study.follow(href))
        : [made("p", "wait", "computing …")]),
    );
    if (fresh) {
      this.after.replaceChildren();
      this.question.replaceChildren();
      find(this.aside, ".scroll").scrollTop = 0;
    }
    this.task.hidden = card.kind !== "task";
  }

  /** @param {LessonCard} card @param {Record<string, any>} values of what can be turned */
  offer(card, values) {
    const status = made("p", "status");
    status.setAttribute("role", "status");
    this.hinted = made("p", "hint");
    this.hinted.hidden = true;
    const shown = Object.assign(made("button", "link", "Show me"), {
      type: "button",
      hidden: true,
    });
    shown.addEventListener("click", () => this.study.solve());
    this.shown = shown;
    this.status = status;
    this.knobs = new Map(
      card.knob.map(knob => [
        knob.name,
        control({ ...knob, value: values[knob.name] ?? knob.value }, (name, value) =>
          this.study.turn(name, value),
        ),
      ]),
    );
    this.task.replaceChildren(...this.knobs.values(), status, this.hinted, shown);
  }

  // What the run has now, whoever turned it.
  /** @param {Record<string, any>} params */
  follow(params) {
    for (const [name, knob] of this.knobs ?? []) if (name in params) knob.follow(params[name]);
  }

  /** @param {boolean} held @param {string} words */
  tell(held, words) {
    this.task.classList.toggle("held", held);
    if (held && this.hinted && this.shown) this.hinted.hidden = this.shown.hidden = true;
    if (this.status && this.status.textContent !== words) this.status.textContent = words;
  }

  /** @param {string} words */
  hint(words) {
    if (!this.hinted || !this.shown) return;
    this.hinted.textContent = words;
    this.hinted.hidden = !words;
    this.shown.hidden = false;
  }

  /** @param {LessonCard} card @param {Record<string, any>} facts */
  afterwards(card, facts) {
    this.after.replaceChildren(...written(card.after, facts, href => this.study.follow(href)));
  }

  // What was said last comes into sight: with the question or the task that it is about, if there
  // is room for both, and the verdict whole in any case.
  /** @param {HTMLElement} about */
  sight(about) {
    const scroll = find(this.aside, ".scroll");
    const from = scroll.getBoundingClientRect().top - scroll.scrollTop;
    /** @param {HTMLElement} part */
    const edges = part => {
      const { top, bottom } = part.getBoundingClientRect();
      return { top: top - from, last: bottom - from - scroll.clientHeight };
    };
    const verdict = about.querySelector(".verdict");
    const least = verdict ? edges(/** @type {HTMLElement} */ (verdict)) : { top: 0, last: 0 };
    scroll.scrollTop = Math.max(
      Math.min(edges(about).top, edges(this.after).last),
      Math.min(least.top, least.last),
    );
  }

  /** @param {string} words @param {boolean} [dead] */
  button(words, dead = false) {
    if (this.on.textContent !== words) this.on.textContent = words;
    this.on.disabled = dead;
  }
}
