// A lesson: a column of cards beside a stage that shows what the card speaks of. Card to card on
// one run needs no server; another run, or a knob that was turned, is asked of it.

import { Asking } from "../questions/asking.js";
import { questionsAt } from "../questions/index.js";
import { Dialogs } from "../taking/dialogs.js";
import { linkTo } from "../browser/home.js";
import { elsewhere, nameOf } from "../stage/keys.js";
import { Stage as Single } from "../stage/main.js";
import { KEYS as USUAL } from "../stage/transport.js";
import { CardColumn } from "./card.js";
import { facts, factsAt } from "./facts.js";
import { listed } from "./list.js";
import * as progress from "./progress.js";
import { made, noted } from "./prose.js";
import { asksFor, reckon } from "./reckon.js";

const PATIENCE = 25_000; // ms until a hint is offered
const REST = 250; // ms for which a knob must rest until its run is asked for
const KEYS = [
  ["Enter", "check, or the next card"],
  ["B", "the card before"],
  ["A", "all panels, or those of the card"],
];

class LessonDialogs extends Dialogs {
  address(words = this.stage.hall.words()) {
    const { lesson, k } = /** @type {Stage} */ (this.stage);
    return linkTo({ lesson: lesson?.key ?? "", card: String(k + 1), ...words });
  }
  link() {
    return this.copy(this.address(), "Link copied: it opens this card");
  }
  help() {
    super.help([...KEYS, ...USUAL]);
  }
}

export class Stage extends Single {
  /** @type {LessonData | null} */ lesson = null;
  k = 0; // the card
  /** @type {Record<string, any>} */ turned = {}; // by the learner, on this card
  /** @type {Record<string, any>} */ first = {}; // facts of the card's own run
  standing = ""; // the run and card that the stage has been put to
  held = false; // the card's task is done, or its question answered
  holds = false; // what the task asks for is so in the run that is shown
  all = false; // panels
  ready = false;
  end = "All lessons"; // what comes after the last one
  /** @type {ReturnType<typeof setTimeout> | undefined} */ waiting;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ turning; // a knob that does not rest yet

  /** @param {HTMLElement} root @param {Modules} modules */
  constructor(root, modules) {
    super(root, modules);
    this.outer = made("div", "lesson");
    const aside = made("aside", "card");
    aside.setAttribute("aria-label", "Card");
    root.append(this.outer);
    this.outer.append(aside, this.frame);
    this.card = new CardColumn(aside, this);
    this.asker = new Asking(this, this.card.question, {
      ready: (words, dead) => this.card.button(words, dead),
      checked: verdict => this.judged(verdict),
    });
    const fold = Object.assign(made("button", "fold", "Show all panels"), { type: "button" });
    fold.append(made("kbd", "", "A"));
    fold.addEventListener("click", () => this.unfold());
    this.fold = fold;
    root.querySelector("header")?.append(fold);
    this.outer.hidden = true;
  }

  talk() {
    return new LessonDialogs(this);
  }

  /** @param {Component} component @param {boolean} dark */
  async receive(component, dark) {
    const { data } = component;
    this.tell = component.setStateValue;
    this.outer.classList.toggle("dark", dark);
    if (data && !(data instanceof Uint8Array)) return this.list(/** @type {any} */ (data), dark);
    // what the stage asks for by itself changes nothing in a lesson, but for what is turned on it
    const setTriggerValue = /** @param {string} name @param {any} value */ (name, value) => {
      if (name === "tune")
        for (const [what, to] of Object.entries(value))
          if (!["id", "t"].includes(what)) this.turn(what, to);
      if (name === "play") component.setTriggerValue(name, value);
    };
    this.ask = component.setTriggerValue;
    this.outer.hidden = false;
    this.overview?.remove();
    await super.receive({ data, setStateValue: () => {}, setTriggerValue }, dark);
  }

  /**
   * @param {{ lessons: LessonRow[], serial: number, messages: string[] }} index
   * @param {boolean} dark
   */
  list({ lessons, serial, messages }, dark) {
    this.serial = serial;
    this.lesson = null; // what is said from here on is said of the list
    this.standing = "";
    this.outer.hidden = true;
    this.leave();
    if (this.playing) this.start(false);
    this.overview?.remove();
    this.overview = listed(lessons, messages, (key, card) => this.report({ lesson: key, card }));
    this.overview.classList.toggle("dark", dark);
    this.root.append(this.overview);
  }

  // What the server says along with a run.
  /** @param {Run} run */
  heed(run) {
    const { lesson } = /** @type {Run & { lesson: LessonData }} */ (run);
    if (!lesson) return;
    const ordered = lesson.serial !== this.lesson?.serial || lesson.key !== this.lesson.key;
    this.lesson = lesson;
    if (ordered) {
      this.turned = lesson.turned;
      this.k = lesson.card;
      this.standing = "";
      this.card.notes.replaceChildren(...noted(lesson.messages));
    }
  }

  // What was found later may be what the card speaks of.
  /** @param {News} news */
  hear(news) {
    super.hear(news);
    const card = this.lesson?.cards[this.k];
    if (!card || !this.standing || news.id !== card.id || this.run.id !== card.id) return;
    this.first = factsAt(/** @type {any} */ (this), Math.min(card.t, this.run.T), true);
    this.card.show(card, this.first);
  }

  layout() {
    super.layout();
    this.card.question.classList.toggle("narrow", this.frame.classList.contains("narrow"));
    if (this.lesson && this.engine && this.run) this.stand();
  }

  // Put the stage where the card wants it, once its run is here.
  stand() {
    const { lesson, k, run } = this;
    if (!lesson) return;
    const card = lesson.cards[k];
    const key = JSON.stringify([lesson.key, k, run.id]);
    if (key === this.standing) return;
    const mine = run.id === card.id;
    const turned = lesson.card === k && Object.keys(lesson.turned).length > 0;
    if (!mine && !turned) return; // its run is on the way
    const again = this.standing.startsWith(JSON.stringify([lesson.key, k]).slice(0, -1));
    this.standing = key;
    if (again && this.ready) {
      if (!this.turning) this.card.follow(run.segment(Math.min(card.t, run.T)).params);
      return this.watch(true); // a knob was turned: the stage stays where it is
    }
    this.ready = true;
    this.leave();
    if (this.playing) this.start(false);
    this.asker.end();
    this.held = this.holds = false;
    this.t = Math.min(card.t, run.T);
    this.phase = this.t > 0 ? this.endOf(card.beat) : 1;
    this.stepping = false;
    this.supposed = null;
    this.axes = { x: card.x, y: card.y || this.curves.usual };
    this.curves.prepare(run, this.axes, this.panel);
    this.reduce();
    this.light?.(card.light);
    this.begin(card);
    super.layout();
  }

  /** @param {LessonCard} card */
  begin(card) {
    const { lesson } = this;
    if (!lesson) return;
    const before = factsAt(/** @type {Moment} */ (/** @type {unknown} */ (this)), this.t, true);
    if (this.run.id === card.id) this.first = before;
    this.tally();
    this.card.show(card, before);
    this.card.back.disabled = this.k === 0;
    clearTimeout(this.waiting);
    if (card.kind === "predict") return this.pose(card);
    this.card.button(this.onwards());
    if (card.kind === "task") {
      this.card.offer(card, this.turned);
      this.card.tell(false, "not yet");
      this.waiting = setTimeout(() => !this.held && this.card.hint(card.hint), PATIENCE);
      this.watch();
    } else {
      this.done();
      this.show(card.play);
    }
  }

  /** @param {LessonCard} card */
  pose(card) {
    const { run, engine, panel, theme, t } = this;
    const asked = questionsAt(/** @type {any} */ ({ run, engine, panel, theme, t })).find(
      q => q.kind === card.ask,
    );
    if (asked) this.asker.ask(asked);
    else {
      this.card.question.replaceChildren(made("p", "wait", "This cannot be asked of this step."));
      this.card.button(this.onwards());
    }
  }

  /** @param {Verdict} verdict */
  judged(verdict) {
    const { lesson } = this;
    if (!lesson) return;
    const so = progress.of(lesson.key);
    if (!so.done.includes(this.k))
      progress.keep(lesson.key, { ...so, right: so.right + +verdict.right, asked: so.asked + 1 });
    const card = lesson.cards[this.k];
    const { asked } = this.asker;
    const stage = /** @type {Moment} */ (/** @type {unknown} */ (this));
    const phase = asked ? this.asker.halt(asked) : 1; // words and picture are of one state
    this.card.afterwards(card, factsAt(stage, Math.min(card.t + 1, this.run.T), true, phase));
    this.done();
    this.card.button(this.onwards());
    this.card.sight(this.card.question);
  }

  // The card is done; how far somebody has come is kept.
  done() {
    const { lesson, k } = this;
    if (!lesson) return;
    this.held = true;
    const so = progress.of(lesson.key);
    progress.keep(lesson.key, { ...so, card: k, done: [...new Set([...so.done, k])] });
    this.tally();
  }

  // Where the learner is, and how many questions were answered rightly.
  tally() {
    const { lesson, k } = this;
    if (!lesson) return;
    const { done, right, asked } = progress.of(lesson.key);
    this.card.where(lesson, k, done);
    this.card.tally.textContent = asked ? `Answered rightly so far: ${right} of ${asked}.` : "";
  }

  // Whether the task's condition holds now; of a new run that is said anew. What was done once
  // stays done, but what was said of a run goes with it.
  /** @param {boolean} [fresh] */
  watch(fresh = false) {
    const card = this.lesson?.cards[this.k];
    if (card?.kind !== "task" || !this.engine) return;
    const found = facts(this.view(), this.panel);
    if (asksFor(card.until, "end."))
      Object.assign(found, factsAt(/** @type {any} */ (this), this.t, true));
    for (const [name, value] of Object.entries(this.first)) found[`first.${name}`] = value;
    this.holds = Boolean(reckon(card.until, found));
    if (this.holds && !this.held) this.done();
    this.card.tell(
      this.holds,
      this.holds ? "done" : this.held ? "done before, not with this" : "not yet",
    );
    if (fresh) this.card.after.replaceChildren();
    if (!this.holds || this.card.after.hasChildNodes()) return;
    this.card.afterwards(card, found);
    this.card.sight(this.card.task);
  }

  /** @param {number} [time] */
  paint(time) {
    super.paint(time);
    // what is only supposed, as water that is being pulled, does no task
    if (!this.holds && !this.playing && !this.stepping && !this.supposed && this.standing)
      this.watch();
  }

  onwards() {
    const { lesson, k } = this;
    if (!lesson || k < lesson.cards.length - 1) return "Continue";
    return lesson.next ? "Next lesson" : this.end;
  }

  onward() {
    if (this.asker.open) return this.asker.check();
    const { lesson, k } = this;
    if (!lesson) return;
    if (k < lesson.cards.length - 1) this.go(k + 1);
    else if (lesson.next) this.report({ lesson: lesson.next.key, card: 0 });
    else this.home();
  }

  // The key does not leave a task behind that is still open; the button does.
  enter() {
    if (this.card.on.disabled) return;
    if (this.lesson?.cards[this.k].kind === "task" && !this.held)
      return this.dialogs.say(`The task is open: the button “${this.onwards()}” leaves it`);
    this.onward();
  }

  /** @param {number} k */
  go(k) {
    const { lesson } = this;
    if (!lesson || k < 0 || k >= lesson.cards.length) return;
    this.asker.end();
    this.card.notes.replaceChildren();
    this.k = k;
    this.turned = {};
    this.ready = false;
    this.standing = ""; // the same card begins anew
    const so = progress.of(lesson.key);
    progress.keep(lesson.key, { ...so, card: k });
    this.report({ lesson: lesson.key, card: k });
    if (this.run.id === lesson.cards[k].id) this.stand();
    else {
      this.card.where(lesson, k, so.done);
      this.card.show(lesson.cards[k], null);
      this.card.button("computing …", true);
    }
    this.card.title.focus({ preventScroll: true });
  }

  /** @param {string} name @param {any} value */
  turn(name, value) {
    this.turned = { ...this.turned, [name]: value };
    clearTimeout(this.turning);
    this.turning = setTimeout(
      () => this.report({ lesson: this.lesson?.key, card: this.k, turned: this.turned }),
      REST,
    );
  }

  solve() {
    const { t, ...params } = this.lesson?.cards[this.k].solution ?? {};
    if (t !== undefined) this.seek(t, true);
    if (Object.keys(params).length) {
      this.turned = { ...this.turned, ...params };
      const card = this.lesson?.cards[this.k];
      if (card) this.card.offer(card, this.turned);
      this.report({ lesson: this.lesson?.key, card: this.k, turned: this.turned });
    }
  }

  free() {
    this.ask?.("play", { card: this.k, t: this.t, turned: this.turned });
  }

  // The browser has the run of one card; the server has those of all.
  async savePage() {
    this.ask?.("take", { lesson: this.lesson?.key });
  }

  home() {
    this.report({ lesson: "", card: 0 });
  }

  /** @param {string} href of a lesson */
  follow(href) {
    const query = new URLSearchParams(href);
    this.report({
      lesson: query.get("lesson"),
      card: Math.max(0, Number(query.get("card") ?? 1) - 1),
    });
  }

  // What the server is told: the lesson, the card, what was turned; nothing of where the stage
  // stands.
  /** @param {{ lesson?: string | null, card: number, turned?: Record<string, any> }} [at] */
  report(at) {
    if (!at) return;
    clearTimeout(this.turning); // whatever is said now comes after it
    this.turning = undefined;
    this.tell?.("at", { turned: {}, ...at, serial: this.lesson?.serial ?? this.serial });
  }

  greet() {
    const { lesson, k, turned } = this;
    if (lesson) this.report({ lesson: lesson.key, card: k, turned });
  }

  // The stage with the panels that the card is about.
  reduce() {
    const { lesson, k, frame, all } = this;
    if (!lesson) return;
    const { show, ask, light } = lesson.cards[k];
    const lower = show.some(name => ["curves", "code"].includes(name));
    this.hall.base = all ? null : show;
    Object.assign(frame.dataset, { ask, lit: light.join(" ") });
    frame.dataset.lower = lower ? "panels" : show.includes("sentence") ? "sentence" : "";
    this.fold.firstChild?.replaceWith(all ? "Fewer panels" : "Show all panels");
  }

  unfold() {
    this.all = !this.all;
    this.reduce();
    super.layout();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (this.outer.hidden || event.defaultPrevented) return;
    if (!elsewhere(event) && this.asking?.key(event)) return event.preventDefault();
    const key = nameOf(event);
    /** @type {Record<string, () => void>} */
    const actions = {
      a: () => this.unfold(),
      Enter: () => this.enter(),
      b: () => this.go(this.k - 1),
    };
    if (actions[key] && !elsewhere(event)) {
      event.preventDefault();
      return actions[key]();
    }
    if (!["e", "r", "q"].includes(key)) super.onKey(event);
  }

  destroy() {
    clearTimeout(this.waiting);
    clearTimeout(this.turning);
    super.destroy();
  }
}
