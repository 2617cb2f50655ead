// A choice among a few, all of them in sight.

import { button, make } from "./elements.js";

// A row of buttons of which one is chosen; arrows move the choice while it has the focus.
export class Segments {
  key = "";

  /** @param {HTMLElement} parent @param {string} label @param {(name: string) => void} choose */
  constructor(parent, label, choose) {
    this.box = make("div", { className: "segments" });
    this.box.setAttribute("role", "radiogroup");
    this.box.setAttribute("aria-label", label);
    this.choose = choose;
    parent.append(this.box);
    this.box.addEventListener("keydown", event => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const all = /** @type {HTMLElement[]} */ ([...this.box.children]);
      if (!by) return;
      event.preventDefault();
      const at = all.findIndex(button => button === event.target);
      const next = all[(at + by + all.length) % all.length];
      next.click();
      next.focus();
    });
  }

  // The option after this one; after the last the first.
  /** @param {string} value */
  after(value) {
    const names = [...this.box.children].map(one => one.getAttribute("data-value") ?? "");
    return names[(names.indexOf(value) + 1) % names.length];
  }

  /** @param {Record<string, string>} options @param {string} value */
  offer(options, value) {
    const key = JSON.stringify(options);
    if (key !== this.key) {
      this.key = key;
      this.box.replaceChildren(
        ...Object.entries(options).map(([name, words]) => {
          const one = button(words, () => this.choose(name));
          one.dataset.value = name;
          one.setAttribute("role", "radio");
          return one;
        }),
      );
    }
    for (const button of /** @type {HTMLElement[]} */ ([...this.box.children])) {
      const on = button.dataset.value === value;
      button.setAttribute("aria-checked", String(on));
      button.tabIndex = on ? 0 : -1;
    }
  }
}
