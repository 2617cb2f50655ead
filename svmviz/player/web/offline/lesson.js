// The runs of a lesson in a file: which of them a card asks for, with what the learner has turned.
// Of a parameter the file holds some values; the nearest one counts, and that is said.

import { find } from "../canvas/elements.js";
import { rewritten } from "../engine/wire.js";
import { beyond } from "./beyond.js";

export class LessonRuns {
  serial = 1;

  /** @param {Page} page @param {Held[]} runs @param {Offline} stage */
  constructor(page, runs, stage) {
    this.page = page;
    this.stage = stage;
    this.runs = new Map(page.runs.map((key, k) => [key, runs[k]]));
    this.asked = /** @type {Record<string, any>} */ ({});
    this.card = this.said() ?? page.card ?? 0;
    this.data = /** @type {Uint8Array | Promise<Uint8Array>} */ (this.answer({}));
    if (!page.up) find(stage.root, ".way .leave").hidden = true;
    stage.end = page.up ? "All lessons" : "Begin again";
  }

  // The card that the address names.
  said() {
    const k = Number(new URLSearchParams(location.hash.slice(1)).get("card")) - 1;
    return Number.isInteger(k) && k >= 0 && k < (this.page.lesson?.cards.length ?? 0) ? k : null;
  }

  // What the server would send: the run of the card, which may have to be read first, and where the
  // learner is.
  /** @param {Record<string, any>} wanted */
  async answer(wanted) {
    const { page, card, serial } = this;
    const lesson = /** @type {LessonData} */ (page.lesson);
    const { run, turned } = nearest(page.ways ?? [], card, wanted, lesson.cards[card]);
    return rewritten(await this.read(run), header => ({
      ...header,
      lesson: { ...lesson, card, serial, turned, messages: [] },
    }));
  }

  /** @param {string} key */
  read(key) {
    const held = /** @type {Held} */ (this.runs.get(key));
    return typeof held === "function" ? held() : held;
  }

  /** @param {boolean} dark */
  async show(dark) {
    this.dark = dark;
    const { stage } = this;
    const asked = this.data;
    const data = await asked;
    if (this.data === asked) this.data = data;
    else if (this.data !== data) return; // another card was turned to meanwhile
    await stage.update(
      {
        data,
        setStateValue: (name, value) => name === "at" && this.told(/** @type {any} */ (value)),
        setTriggerValue: name => name === "play" && this.play(),
      },
      dark,
    );
  }

  /** @param {boolean} dark */
  follow(dark) {
    const k = this.said();
    if (k === null || k === this.card) return;
    this.card = k;
    this.serial++;
    this.data = this.answer({});
    this.show(dark);
  }

  /** @param {{ lesson: string, card: number, turned: Record<string, any> }} at */
  told({ lesson, card, turned }) {
    const { key, cards } = /** @type {LessonData} */ (this.page.lesson);
    if (lesson && lesson !== key) return this.leave(lesson, card);
    if (!lesson) {
      if (this.page.up) return location.assign(this.page.up);
      this.serial++;
      card = 0;
    }
    this.card = card;
    this.data = this.answer(turned);
    try {
      history.replaceState(history.state, "", `#card=${card + 1}`);
    } catch {
      // a page within a page may have no address of its own
    }
    this.show(this.dark ?? false);
    if (card + 1 < cards.length)
      this.read(nearest(this.page.ways ?? [], card + 1, {}, cards[card + 1]).run);
  }

  // To another lesson, if there is a page of it.
  /** @param {string} lesson @param {number} card */
  leave(lesson, card) {
    const there = this.page.lessons?.[lesson];
    if (there) location.assign(`${there}#card=${card + 1}`);
    else beyond(this.page, this.stage, { lesson, card: String(card + 1) });
  }

  play() {
    const { key } = /** @type {LessonData} */ (this.page.lesson);
    beyond(this.page, this.stage, { lesson: key, card: String(this.card + 1) });
  }
}

// Of the runs of a card the one that was turned most alike.
/**
 * @param {Way[]} ways
 * @param {number} card
 * @param {Record<string, any>} wanted
 * @param {LessonCard} of
 * @returns {Way}
 */
export function nearest(ways, card, wanted, { knob }) {
  /** @param {Way} way */
  const apart = ({ turned }) =>
    knob.reduce((sum, { name, log, value }) => {
      const [a, b] = [wanted[name] ?? value, turned[name] ?? value];
      if (typeof a !== "number" || typeof b !== "number") return sum + (a === b ? 0 : 1e6);
      return sum + Math.abs(log ? Math.log((a + 1e-12) / (b + 1e-12)) : a - b);
    }, 0);
  const here = ways.filter(way => way.card === card);
  const plain = here.find(({ turned }) => !Object.keys(turned).length);
  if (!Object.keys(wanted).length && plain) return plain;
  return here
    .filter(way => way !== plain || here.length === 1)
    .reduce((best, way) => (apart(way) < apart(best) ? way : best));
}
