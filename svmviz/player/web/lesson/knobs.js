// The parameters that a card offers: a slider, a choice or a switch each, as the server declared them.

import { made } from "./prose.js";

/** @param {number} v */
const number = v => String(+v.toPrecision(3));

/** @param {Knob} knob @param {(name: string, value: any) => void} turn */
export function control(knob, turn) {
  const { name, symbol, title, low, high, log, whole, options, value } = knob;
  const row = made("label", "knob");
  row.append(made("span", "", [symbol, title].filter(Boolean).join(" ")));
  if (options.length) {
    const box = /** @type {HTMLSelectElement} */ (made("select"));
    box.append(
      ...options.map(option =>
        Object.assign(document.createElement("option"), { value: option, textContent: option }),
      ),
    );
    box.value = String(value);
    box.addEventListener("change", () => turn(name, box.value));
    row.append(box);
    return row;
  }
  if (typeof value === "boolean") {
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: value });
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
    step: 0.001,
  });
  slider.value = String(place(Number(value)));
  const shown = made("output", "", number(Number(value)));
  const say = () => {
    shown.textContent = number(back(+slider.value));
    slider.setAttribute("aria-valuetext", shown.textContent);
  };
  slider.setAttribute("aria-valuetext", number(Number(value)));
  slider.addEventListener("input", say);
  slider.addEventListener("change", () => turn(name, back(+slider.value)));
  row.append(slider, shown);
  return row;
}
