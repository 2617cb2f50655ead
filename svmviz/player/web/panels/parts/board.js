// What most panels are: pictures one below the other, each with a title and words beside it.

import { Sheet } from "../../canvas/draw.js";
import { find } from "../../canvas/elements.js";
import { Caption } from "../../canvas/labels.js";
import { all } from "../../stage/light.js";

/**
 * @typedef {object} Part one picture
 * @property {string} title
 * @property {string} view classes of the element that its sheet fills
 * @property {string} label of the sheet, in words
 * @property {string} [tab] its name where panels are tabs
 * @property {string} [box] class of an element about title and picture
 * @property {string[]} [words] beside the title, in ever fewer words, if they never change
 * @property {string[]} [lights] the things of stage/light.js that it shows
 */

/** The mechanism as parts; an heir paints them. */
export class Board {
  /** @param {HTMLElement} section @param {Part[]} parts */
  constructor(section, ...parts) {
    section.innerHTML = parts
      .map(({ title, view, tab, box }) => {
        const name = tab ? ` data-title="${tab}"` : "";
        const head = `<h3><b>${title}</b> <span class="caption"></span></h3>`;
        const all = `${head}<div class="view ${view}"${name}></div>`;
        return box ? `<div class="${box}">${all}</div>` : all;
      })
      .join("");
    this.parts = parts;
    this.sheets = parts.map(
      ({ view, label }) => new Sheet(find(section, `.${view.replaceAll(" ", ".")}`), label),
    );
    this.captions = [...section.querySelectorAll("h3 .caption")].map(
      element => new Caption(/** @type {HTMLElement} */ (element)),
    );
    parts.forEach(({ words }, k) => words && this.captions[k].say(...words));
  }

  /** @param {string} name @returns {[Sheet, Spot][]} */
  where(name) {
    return this.sheets.flatMap((sheet, k) =>
      this.parts[k].lights?.includes(name) ? [all(sheet)] : [],
    );
  }
}

// What a mark of the plane means, in words for a wide screen and for a small one.
/** @param {string} mark @param {string} wide @param {string} tiny */
export const keyOf = (mark, wide, tiny) =>
  `<i class="${mark}"></i><span class="wide">${wide}</span><span class="tiny">${tiny}</span> `;

// Link the example that the pointer is on in a sheet.
/** @param {Stage} stage @param {Sheet} sheet @param {(event: PointerEvent) => number} at */
export function linked(stage, { canvas }, at) {
  canvas.addEventListener("pointermove", event => stage.link(at(event)));
  canvas.addEventListener("pointerleave", () => stage.link(-1));
}
