// The line below the transport: which keys there are, or what a newcomer may do.

import { make } from "../canvas/elements.js";

// What F does on a presented stage: within slides it is theirs.
/** @param {HTMLElement} frame */
export const leaving = frame => ("slides" in frame.dataset ? "F fills the screen" : "F leaves");

export class Hint {
  words = "";

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  wanted() {
    const { presenting, forking, run, touched, frame } = this.stage;
    const leave = leaving(frame);
    if (presenting && forking.on)
      return `${leave} · Space play · ← → step · X swap A and B · D difference`;
    if (presenting && !("slides" in frame.dataset) && innerHeight < screen.height - 1)
      return "F11 fills the screen · F leaves · Space play · ← → step";
    if (presenting) return `${leave} · Space play · ← → step · C curves · P pseudo-code`;
    if (forking.on)
      return "Space play · ← → step · K fork here · X swap A and B · D difference · ? all keys";
    if (run.invite && !touched)
      return "Press Space, or the play button, and watch the solver take its next steps";
    return "Space play · ← → step · Shift ← → epoch · Home End · ? all keys";
  }

  paint() {
    const words = this.wanted();
    if (this.words === words) return;
    this.words = words;
    const { hint } = this.stage.transport;
    const newcomer = words.startsWith("Press");
    hint.classList.toggle("invite", newcomer);
    const lesson = make("a", { href: "lessons", textContent: "New here? Start with a lesson" });
    hint.replaceChildren(words, ...(newcomer ? [" · ", lesson] : []));
  }
}
