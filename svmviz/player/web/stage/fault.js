// What the stage says when it cannot show what the server sent, in words and with a way out: a
// blank one says nothing.

import { make } from "../canvas/elements.js";

const WORDS =
  "The player could not read what the server sent, so there is nothing to show here. Reload the page; " +
  "if it happens again, please report it together with the address of this page.";

export class Fault {
  /** @param {HTMLElement} frame */
  constructor(frame) {
    this.box = make("div", { className: "fault", role: "alert", hidden: true });
    this.details = make("small");
    const reload = make("button", { type: "button", textContent: "Reload" });
    reload.addEventListener("click", () => location.reload());
    this.box.append(make("p", { textContent: WORDS }), reload, this.details);
    frame.append(this.box);
  }

  /** @param {unknown} error */
  show(error) {
    console.error(error);
    this.details.textContent = error instanceof Error ? error.message : String(error);
    this.box.hidden = false;
  }

  clear() {
    this.box.hidden = true;
  }
}
