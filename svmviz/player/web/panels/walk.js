// Things on a canvas that the keyboard goes through one by one, as a pointer would: a slider whose
// value is told in words.

import { clamp } from "../canvas/scales.js";
import { make } from "../canvas/elements.js";

/**
 * @typedef {{
 *   list: () => number[],
 *   at: () => number,
 *   go: (to: number) => void,
 *   words: (to: number, k: number) => string,
 *   act?: (to: number) => void,
 *   leave?: () => void,
 * }} Walking
 */
/** @type {Record<string, number>} */
const ALONG = {
  ArrowUp: -1,
  ArrowLeft: -1,
  ArrowDown: 1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};

export class Walk {
  // `list` gives all things, `at` the one that is on, `go` turns to one, `words` tells of it; `act`
  // is Enter, `leave` the end of it.
  /** @param {HTMLElement} view @param {string} name @param {Walking} ways */
  constructor(view, name, { list, at, go, words, act, leave }) {
    this.list = list;
    this.at = at;
    this.go = go;
    this.words = words;
    this.act = act;
    this.box = make("div", { className: "walk", tabIndex: 0 });
    this.set({ role: "slider", "aria-label": name, "aria-valuemin": 1 });
    this.box.addEventListener("focus", () => this.tell());
    this.box.addEventListener("blur", () => leave?.());
    this.box.addEventListener("keydown", event => this.press(event));
    view.append(this.box);
    this.tell();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const things = this.list();
    const by = ALONG[event.key];
    if (event.key === "Enter") this.act?.(this.at());
    else if (by === undefined || event.shiftKey) return;
    else if (things.length)
      this.go(things[clamp(things.indexOf(this.at()) + by, 0, things.length - 1)]);
    event.preventDefault();
    this.tell();
  }

  tell() {
    const things = this.list();
    const k = things.length ? things.indexOf(this.at()) : -1;
    const words =
      k >= 0 ? this.words(things[k], k) : things.length ? "none yet" : "none at this step";
    this.set({
      "aria-valuemax": Math.max(things.length, 1),
      "aria-valuenow": Math.max(k, 0) + 1,
      "aria-valuetext": words,
    });
  }

  /** @param {Record<string, string | number>} attributes */
  set(attributes) {
    for (const [name, value] of Object.entries(attributes))
      this.box.setAttribute(name, String(value));
  }
}
