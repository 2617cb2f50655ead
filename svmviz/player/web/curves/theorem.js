// What a chart says of the theorem that bounds a curve of it.

import { value as lossAt } from "../engine/losses.js";
import { make } from "../canvas/elements.js";
import { widthOf } from "../canvas/labels.js";
import { readable } from "./series.js";

// The name of a theorem on the chart, which answers like a symbol.
export class TheoremName {
  /** @param {HTMLElement} view */
  constructor(view) {
    this.button = make("button", { type: "button", className: "sym theorem" });
    this.button.tabIndex = -1; // the keyboard comes to it as to all symbols
    this.hide();
    view.append(this.button);
  }

  hide() {
    this.button.hidden = true;
  }

  // Place it over the words of the chart.
  /** @param {Bound | null} bound @param {Box | null} box */
  place(bound, box) {
    const { button } = this;
    button.hidden = !box || !bound?.formula;
    if (button.hidden || !box || !bound) return;
    const { name } = bound;
    const words = `${name}: its formula, its numbers, and what it assumes`;
    if (button.dataset.mark !== name) button.setAttribute("aria-label", words);
    button.dataset.mark = name;
    const [left, top] = [box.left, box.top - 2];
    const [width, height] = [box.right - box.left, box.bottom - box.top + 4];
    for (const [side, px] of Object.entries({ left, top, width, height }))
      button.style.setProperty(side, `${px}px`);
  }
}

// A theorem that says nothing here is said to say nothing, on the chart that it would bound:
// where it hides least of the curves.
/** @param {Curves} chart @param {Labels} labels */
export function note({ g, run, theme, axes, proven, right, left, bottom }, labels) {
  const { bound, segments } = run;
  const u = theme.unit;
  const look = { weight: 600, color: theme.bound };
  if (!bound?.broken || axes.y !== proven) return null;
  const words = bound.vacuous
    ? `${bound.name} is vacuous here: it allows ${readable(bound.vacuous)}, and the loss of w = 0 is only ${+lossAt(segments[0].params.loss, 0).toPrecision(3)}`
    : `${bound.name} not drawn: it asks that ${bound.broken}`;
  const lines = [""];
  for (const word of words.split(" "))
    widthOf(g, theme, `${lines.at(-1)} ${word}`, look) > (right - left) * 0.62
      ? lines.push(word)
      : lines.push(`${lines.pop()} ${word}`.trim());
  /** @type {Place[]} */
  const places = [18 * u, bottom - (16.5 * (lines.length - 1) + 12) * u].flatMap(y => [
    [right, y, "right"],
    [left + 8, y],
  ]);
  return labels.must(lines, look, ...places);
}

// Say of a bound that ends before the run does where it ends; return where that is said.
/** @param {Curves} chart @param {Labels} labels @param {number[]} end */
export function cutOff({ bound, theme }, labels, [x, y]) {
  if (!bound) return null;
  const u = theme.unit;
  /** @type {Place[]} */
  const places = [-6, 18 * u].flatMap(down => [
    [x + 6, y + down],
    [x - 8, y + down, "right"],
  ]);
  const rising = bound.value.at(-1) > bound.value[0];
  /** @type {Place[]} */
  const lower = [36 * u, 54 * u].map(down => [x - 8, y + down, "right"]);
  const around = [...(rising ? places.reverse() : places), ...lower];
  const look = { size: 13.5, weight: 650, color: theme.bound };
  for (const words of [`${bound.name} ends here`, "bound ends here", "ends here"]) {
    const box = labels.put(words, look, ...around);
    if (box) return box;
  }
  return null;
}
