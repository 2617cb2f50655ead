// The field before the maintenance of a step, after it, or what it took away: a switch under the
// plane.

import { counted } from "../../engine/words.js";
import { button, find } from "../../canvas/elements.js";
import { Caption } from "../../canvas/labels.js";

const MODES = [
  ["before", "Field before the maintenance of this step"],
  ["after", "Field after the maintenance of this step"],
  ["difference", "Field before minus field after: what the maintenance took away"],
];

export class FieldSwitch {
  /** @type {string | undefined} */ pressed;
  /** @type {Float64Array | undefined} */ values;

  /** @param {HTMLElement} foot @param {Stage} stage */
  constructor(foot, stage) {
    this.stage = stage;
    this.foot = foot;
    foot.hidden = false;
    const modes = 'class="modes" role="group" aria-label="Field of the maintenance"';
    foot.innerHTML = `<span class="caption"></span><div ${modes}></div>`;
    this.words = new Caption(find(foot, ".caption"));
    this.buttons = MODES.map(([name, help]) =>
      button(name, () => this.set(name === stage.field ? "" : name), { title: `${help} (D)` }),
    );
    find(foot, ".modes").append(...this.buttons);
  }

  /** @param {string} mode */
  set(mode) {
    // nothing pressed: the field follows the beats
    this.stage.field = MODES.some(([name]) => name === mode) ? mode : "";
    this.stage.settle();
  }

  next() {
    this.set(MODES[MODES.findIndex(([name]) => name === this.stage.field) + 1]?.[0] ?? "");
  }

  // What the plane paints: the field, how steep its colours are, and lines of f = 0 to compare.
  /** @param {View} view @param {Float64Array} after @returns {Shown} */
  of({ mid, now, t }, after) {
    const { field } = this.stage;
    if (this.pressed !== field) {
      this.pressed = field;
      this.buttons.forEach((button, k) =>
        button.setAttribute("aria-pressed", String(MODES[k][0] === field)),
      );
    }
    if (field !== "difference" || !mid) {
      this.words.say(
        ...(field && !mid
          ? [
              `${t ? `step ${counted(t)} has` : "there is"} no maintenance: f as it is`,
              "no maintenance here",
              "f as it is",
            ]
          : field
            ? [`f ${field} the maintenance`, `f ${field} it`]
            : ["size: |α|; faint: not drawn yet", "size: |α|"]),
      );
      return { field: !mid || !field ? now.field : field === "before" ? mid.field : after };
    }
    if (this.values?.length !== now.field.length) this.values = new Float64Array(now.field.length);
    const { values } = this;
    let most = 1e-12;
    for (let k = 0; k < values.length; k++) {
      values[k] = mid.field[k] - after[k];
      most = Math.max(most, Math.abs(values[k]));
    }
    this.words.say(
      `before − after, full colour ± ${+most.toPrecision(2)}`,
      `before − after, ± ${+most.toPrecision(2)}`,
      `± ${+most.toPrecision(2)}`,
    );
    return { field: values, gain: 240 / most, lines: [mid.field, after] };
  }
}
