// While a slider of the sidebar is dragged: where the run would end with the value under the thumb.
// Streamlit tells the script of a slider when it is let go; the position of its thumb, a number, is
// enough to ask meanwhile.

import { Companion } from "./companion.js";
import { decode } from "../engine/wire.js";

const WELL = /error|RMSE/; // what says how well a run does comes first

export class Preview extends Companion {
  /** @type {string} */ knob = ""; // the slider that is held
  first = ""; // the position of its thumb when it was taken
  at = ""; // and now
  asked = ""; // what the server was asked for, and has not answered
  serial = 0; // of the question: the same answer twice would not be brought
  values = ""; // what the run was made with, in words

  /** @param {Stage} stage */
  constructor(stage) {
    super(stage, "preview");
    const listening = new AbortController();
    const { signal } = listening;
    this.watch = new MutationObserver(([{ target }]) =>
      this.moved(/** @type {HTMLInputElement} */ (target)),
    );
    addEventListener("pointerdown", event => this.hold(event), { capture: true, signal });
    for (const end of ["pointerup", "pointercancel"])
      addEventListener(end, () => this.let(), { signal });
    this.end = () => {
      this.watch.disconnect();
      listening.abort();
    };
  }

  /** @param {PointerEvent} event */
  hold({ target }) {
    const slider =
      target instanceof Element && target.closest("[data-testid=stSidebar] [data-testid=stSlider]");
    /** @type {HTMLInputElement | null} */
    const thumb = slider ? slider.querySelector("input[type=range]") : null;
    const knob =
      slider && /st-key-\S+/.exec(slider.closest("[class*=st-key-]")?.className ?? "")?.[0];
    if (!knob || !thumb || !this.stage.run?.previews || this.stage.forking.on) return;
    this.dismiss();
    this.first = this.at = thumb.value;
    Object.assign(this, { knob, asked: "" });
    this.watch.observe(thumb, { attributeFilter: ["value"] });
  }

  /** @param {HTMLInputElement} thumb */
  moved(thumb) {
    this.at = thumb.value;
    if (this.at === this.first) this.dismiss();
    else this.ask();
  }

  // One question at a time: the next is asked where the slider stands when the answer has come.
  ask() {
    if (this.asked || !this.knob) return;
    const { run, t } = this.stage;
    this.asked = this.at;
    this.serial++;
    this.stage.setTriggerValue("preview", {
      id: run.id,
      t,
      knob: this.knob,
      at: Number(this.at),
      serial: this.serial,
    });
  }

  // The run that was asked for.
  /** @param {Uint8Array} data */
  async hear(data) {
    const run = await decode(data);
    const { knob, asked, at, first } = this;
    if (!knob || run.preview?.of !== this.stage.run.id || run.preview.serial !== this.serial)
      return; // too late
    this.asked = "";
    if (at === first) return;
    this.values = run.preview.words;
    this.keep(run);
    this.stage.repaint();
    if (at !== asked) this.ask();
  }

  // It was let go: the line stays until the run itself has come.
  let() {
    this.watch.disconnect();
    this.knob = "";
    if (this.at === this.first) this.dismiss();
  }

  // Something else is on stage.
  replaced() {
    if (!this.knob) this.dismiss();
  }

  /** @param {Pen} g @param {Plane} plane @param {View} view */
  outline(g, plane, { theme }) {
    if (this.run) this.draw(g, plane, this.run.T, theme.ink, 1.5, [2, 3]);
  }

  tell() {
    if (!this.run) return;
    const found = this.numbers(this.run.T);
    found.sort(([a], [b]) => Number(WELL.test(b)) - Number(WELL.test(a)));
    const numbers = found.map(([name, words]) => `${name} ${words}`);
    this.say(
      `at the end with ${this.values}: `,
      numbers,
      `the end with ${this.values}`,
      this.values,
    );
  }
}
