// Fields of a dialog: a word, and beside it what it asks for.

import { make } from "./elements.js";

/** @param {string} words @param {...HTMLElement} controls */
export function row(words, ...controls) {
  const box = make("div", { className: "field" });
  box.append(make("span", { textContent: words }), ...controls);
  return box;
}

/**
 * @param {string} words
 * @param {Record<string, string>} options
 * @param {string} value
 * @param {(value: string) => void} change
 */
export function choice(words, options, value, change) {
  const box = make("label", { className: "field" });
  const select = make("select", { ariaLabel: words });
  select.append(
    ...Object.entries(options).map(([name, textContent]) =>
      make("option", { value: name, textContent }),
    ),
  );
  select.value = value;
  select.addEventListener("change", () => change(select.value));
  box.append(make("span", { textContent: words }), select);
  return box;
}

/**
 * @param {string} words
 * @param {number} first
 * @param {number} most
 * @param {(value: number) => void} change
 */
export function number(words, first, most, change) {
  const input = make("input", { type: "number", min: 0, max: most, step: 1, value: first });
  input.setAttribute("aria-label", words);
  const value = () => Math.max(0, Math.min(most, Math.round(+input.value) || 0));
  input.addEventListener("input", () => change(value()));
  input.addEventListener("change", () => {
    input.value = String(value());
  });
  return input;
}

/** @param {string} words @param {HTMLElement[]} boxes */
export function ticks(words, boxes) {
  const group = make("div", { className: "ticks", role: "group" });
  group.setAttribute("aria-label", words);
  group.append(...boxes);
  return row(words, group);
}

/** @param {string} words @param {boolean} checked @param {(on: boolean) => void} change */
export function tick(words, checked, change) {
  const box = make("label", { className: "tick" });
  const input = make("input", { type: "checkbox", checked });
  input.addEventListener("change", () => change(input.checked));
  box.append(input, words);
  return box;
}
