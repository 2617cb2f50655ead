// The parameters that a card offers: a slider, a choice or a switch each, as the server declared
// them.

import { made } from "./prose.js";

/** @type {Record<string, number>} */
const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
const NUDGE = 0.01; // of the rail, by a key

/** @param {number} v */
const number = v => String(+v.toPrecision(3));

// `follow` shows a value that was turned elsewhere, as water that was pulled.
/**
 * @param {Knob} knob
 * @param {(name: string, value: any) => void} turn
 * @returns {HTMLElement & { follow: (value: any) => void }}
 */
export function control(knob, turn) {
  const { name, symbol, title, low, high, log, whole, options, value } = knob;
  const row = Object.assign(made("label", "knob"), {
    /** @type {(value: any) => void} */
    follow: () => {},
  });
  row.append(made("span", "", [symbol, title].filter(Boolean).join(" ")));
  if (options.length) {
    const box = /** @type {HTMLSelectElement} */ (made("select"));
    box.append(
      ...options.map(option =>
        Object.assign(document.createElement("option"), { value: option, textContent: option }),
      ),
    );
    row.follow = now => {
      box.value = String(now);
    };
    row.follow(value);
    box.addEventListener("change", () => turn(name, box.value));
    row.append(box);
    return row;
  }
  if (typeof value === "boolean") {
    const box = Object.assign(document.createElement("input"), {
      type: "checkbox",
      checked: value,
    });
    row.follow = now => {
      box.checked = now;
    };
    box.addEventListener("change", () => turn(name, box.checked));
    row.append(box);
    return row;
  }
  // of a range that begins at 0 on a log scale the first thousandth of the rail is 0
  const floor = log ? Math.max(low, high * 1e-6) : low;
  /** @param {number} at */
  const back = at => {
    const v = log ? floor * (high / floor) ** at : low + at * (high - low);
    return whole ? Math.round(v) : +v.toPrecision(3);
  };
  /** @param {number} v */
  const place = v =>
    log ? Math.log(Math.max(v, floor) / floor) / Math.log(high / floor) : (v - low) / (high - low);
  const slider = Object.assign(document.createElement("input"), {
    type: "range",
    min: 0,
    max: 1,
    step: "any",
  });
  const shown = made("output");
  /** @param {number} v */
  const say = v => {
    shown.textContent = number(v);
    slider.setAttribute("aria-valuetext", shown.textContent);
  };
  row.follow = now => {
    slider.value = String(place(Number(now)));
    say(Number(now));
  };
  row.follow(value);
  slider.addEventListener("input", () => say(back(+slider.value)));
  slider.addEventListener("change", () => turn(name, back(+slider.value)));
  slider.addEventListener("keydown", event => {
    const way = KEYS[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const at = whole ? place(back(+slider.value) + way) : +slider.value + way * NUDGE;
    slider.value = String(Math.min(Math.max(at, 0), 1));
    say(back(+slider.value));
    turn(name, back(+slider.value));
  });
  row.append(slider, shown);
  return row;
}
