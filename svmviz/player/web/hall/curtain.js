// What a lecturer draws over the picture: a light on one place, while S is held, or nothing but
// black.

import { make } from "../canvas/elements.js";

export class Curtain {
  ending = new AbortController();

  /** @param {HTMLElement} frame */
  constructor(frame) {
    this.veil = make("div", { className: "veil", hidden: true });
    this.dark = make("div", { className: "black", hidden: true });
    this.dark.setAttribute("aria-label", "Black screen: any key brings the picture back");
    this.veil.append(make("i"));
    frame.append(this.veil, this.dark);
    const { signal } = this.ending;
    this.follow = (/** @type {PointerEvent} */ { clientX, clientY }) => {
      this.at = [clientX, clientY];
      if (!this.veil.hidden) this.move();
    };
    addEventListener("pointermove", this.follow, { signal, passive: true });
    addEventListener("keyup", ({ key }) => key.toLowerCase() === "s" && this.away(), { signal });
    addEventListener("blur", () => this.away(), { signal });
  }

  // Around the pointer; in the middle where nobody has moved one yet.
  move() {
    const [x, y] = this.at ?? [innerWidth / 2, innerHeight / 2];
    this.veil.style.setProperty("--x", `${x}px`);
    this.veil.style.setProperty("--y", `${y}px`);
  }

  spot() {
    this.veil.hidden = false;
    this.move();
  }

  away() {
    this.veil.hidden = true;
  }

  // Any key ends it, and does nothing else; so does a click.
  black() {
    this.dark.hidden = false;
    const back = new AbortController();
    /** @param {Event} event */
    const end = event => {
      if (event instanceof KeyboardEvent && event.repeat) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      this.dark.hidden = true;
      back.abort();
    };
    for (const name of ["keydown", "pointerdown"])
      addEventListener(name, end, {
        capture: true,
        signal: AbortSignal.any([back.signal, this.ending.signal]),
      });
  }

  end() {
    this.ending.abort();
  }
}
