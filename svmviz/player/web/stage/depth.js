// How deep the sentence goes: short, why, or the formula with its numbers. Kept in the visitor's
// own browser.

import { clicked, make } from "../canvas/elements.js";
import { keep, kept } from "../browser/kept.js";

const KEY = "svmviz.depth";
/** @type {Depth[]} */
const DEPTHS = ["short", "why", "maths"];
const TITLES = {
  short: "In a few words (W)",
  why: "Why it happened (W)",
  maths: "The formula with its numbers (W)",
};

/** @returns {Depth} */
export const remembered = () => DEPTHS.find(depth => depth === kept(KEY)) ?? "why";

export class Depths {
  /** @param {HTMLElement} place @param {Stage} stage */
  constructor(place, stage) {
    this.stage = stage;
    this.buttons = DEPTHS.map(depth => {
      const button = make("button", { type: "button", textContent: depth, title: TITLES[depth] });
      clicked(button, () => this.choose(depth));
      return button;
    });
    const row = make("span", {
      className: "depths",
      role: "group",
      ariaLabel: "How deep the sentence goes",
    });
    row.append(...this.buttons);
    place.append(row);
    this.press();
  }

  press() {
    this.buttons.forEach((button, k) =>
      button.setAttribute("aria-pressed", String(DEPTHS[k] === this.stage.depth)),
    );
  }

  /** @param {Depth} depth */
  choose(depth) {
    this.stage.depth = depth;
    this.press();
    keep(KEY, depth);
    this.stage.layout();
  }

  next() {
    this.choose(DEPTHS[(DEPTHS.indexOf(this.stage.depth) + 1) % DEPTHS.length]);
    if (!this.buttons[0].offsetParent) this.stage.dialogs.say(`The sentence: ${this.stage.depth}`);
  }
}
