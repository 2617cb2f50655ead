// Runs over a small grid: what is chosen above the stage is shown on it, and stands in the address.

import { Alone } from "../offline/alone.js";
import { find, make } from "../canvas/elements.js";
import { bytes } from "./files.js";

export class Gallery extends Alone {
  /** @param {SitePage} page @param {Uint8Array[]} runs @param {Offline} stage */
  constructor(page, runs, stage) {
    super(page, runs, stage);
    this.grid = page.grid ?? [];
    this.chosen = said(page);
    this.also = words(page, this.chosen);
    this.picker = make("form", { className: "picker" });
    this.picker.setAttribute("aria-label", "Which run");
    this.picker.append(...this.grid.map((axis, k) => this.choice(axis, k)));
    find(document, ".bar").after(this.picker);
  }

  // The run that the address asks for.
  /** @param {SitePage} page */
  static first(page) {
    return bytes(page.files[place(page, said(page))]);
  }

  /** @param {NonNullable<SitePage["grid"]>[number]} axis @param {number} k */
  choice({ name, title, values }, k) {
    const box = make("fieldset");
    box.append(make("legend", { textContent: title }));
    values.forEach(([, textContent], value) => {
      const input = make("input", {
        type: "radio",
        name,
        value,
        checked: this.chosen[k] === value,
      });
      input.addEventListener("change", () => this.choose(this.chosen.with(k, value)));
      const label = make("label");
      label.append(input, make("span", { textContent }));
      box.append(label);
    });
    return box;
  }

  // Another run, at the same step.
  /** @param {number[]} chosen */
  async choose(chosen) {
    const page = /** @type {SitePage} */ (this.page);
    this.chosen = chosen;
    this.also = words(page, chosen);
    const data = await bytes(page.files[place(page, chosen)]);
    if (this.chosen !== chosen) return;
    const { t } = this.stage;
    this.first = data;
    history.replaceState(
      history.state,
      "",
      `#${new URLSearchParams({ ...this.also, t: String(t) })}`,
    );
    this.data = this.placed();
    await this.show(this.dark ?? false);
  }

  /** @param {boolean} dark */
  show(dark) {
    this.dark = dark;
    return super.show(dark);
  }

  /** @param {boolean} dark */
  follow(dark) {
    const page = /** @type {SitePage} */ (this.page);
    const chosen = said(page);
    if (String(chosen) === String(this.chosen)) return super.follow(dark);
    chosen.forEach((value, k) => {
      const { name } = this.grid[k];
      /** @type {HTMLInputElement} */ (
        find(this.picker, `[name="${name}"][value="${value}"]`)
      ).checked = true;
    });
    this.choose(chosen);
  }
}

// What the address names of a grid, and else what is shown at first.
/** @param {SitePage} page */
export function said({ grid = [], chosen = [] }) {
  const query = new URLSearchParams(location.hash.slice(1));
  return grid.map(({ name, values }, k) => {
    const found = values.findIndex(([value]) => value === query.get(name));
    return found < 0 ? chosen[k] : found;
  });
}

/** @param {SitePage} page @param {number[]} chosen */
const words = ({ grid = [] }, chosen) =>
  Object.fromEntries(grid.map(({ name, values }, k) => [name, values[chosen[k]][0]]));

/** @param {SitePage} page @param {number[]} chosen */
const place = ({ grid = [] }, chosen) =>
  chosen.reduce((sum, value, k) => sum * grid[k].values.length + value, 0);
