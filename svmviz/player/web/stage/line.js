// The line to the server. Where it is cut the stage goes on with what it has, and says so; what it
// has to say is kept until the server is back, and Streamlit's own box, which would cover the
// stage, is closed.

import { make } from "../canvas/elements.js";

const CUT = "Server away: playing what is here";
const NEEDED = "This needs the server, which is away";
const NEEDS =
  ".transport .fork, section.plane h3 .draw:not(.back), .lane .head, .knobs :is(input, select, button)";
export const BY_ITSELF = ["more", "preview", "want"]; // what a stage asks for without being told to
const SOON = 200; // ms between looks whether the page has come back, too
const PATIENCE = 50; // looks
export const LOCAL = /^(localhost$|127\.|\[::1\]$)/; // hosts to which no network leads

// One look at the page's own connection serves all stages.
function watched() {
  /** @type {NonNullable<typeof globalThis.svmvizLine>} */
  const known = { away: false, told: new Set(), moment: null };
  const look = () => {
    const state = document
      .querySelector("[data-test-connection-state]")
      ?.getAttribute("data-test-connection-state");
    const cut = state ? !/^(STATIC_)?CONNECTED$/.test(state) : false;
    const away = cut || (!navigator.onLine && !LOCAL.test(location.hostname));
    // the box makes the page under it deaf
    if (away)
      for (const close of document.querySelectorAll('.stDialog button[aria-label="Close"]'))
        /** @type {HTMLElement} */ (close).click();
    if (away === known.away) return;
    known.away = away;
    for (const tell of known.told) tell();
  };
  if (!globalThis.svmvizPage) {
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      attributeFilter: ["data-test-connection-state"],
    });
    new MutationObserver(look).observe(document.body, { childList: true });
    for (const name of ["online", "offline"]) addEventListener(name, look);
  }
  return known;
}

export class Line {
  watch = (globalThis.svmvizLine ??= watched());
  returned = Boolean(this.watch.moment); // the server is back, and may know less than the stage
  /** @type {Map<string, () => void>} */ waiting = new Map();

  /** @param {Shell} stage */
  constructor(stage) {
    this.stage = stage;
    this.mark = make("div", { className: "away", role: "status", hidden: true, textContent: CUT });
    stage.frame.append(this.mark);
    this.look = () => this.changed();
    this.watch.told.add(this.look);
    if (this.watch.away) this.changed();
  }

  changed() {
    const { stage } = this;
    stage.server = this.watch.away ? "away" : "here";
    stage.frame.dataset.server = stage.server;
    this.mark.hidden = !this.watch.away;
    for (const control of stage.frame.querySelectorAll(NEEDS))
      if (control instanceof HTMLElement) this.hold(control);
    if (this.watch.away) return;
    this.returned = true;
    this.speak(); // the page is made anew with the first word only
    this.settle();
  }

  // Where the stage was, or the one before it on this page, if that showed the same run.
  /** @param {string} id */
  kept(id) {
    const { run, t, phase } = this.stage;
    const moment = run?.id === id && this.stage.draws ? { id, t, phase } : this.watch.moment;
    const holds = this.returned && moment?.id === id;
    this.returned = false;
    return holds ? moment : null;
  }

  // Once it is: what was said before the stage was on it would be forgotten.
  settle(ran = false, looks = 0) {
    const app = /** @type {HTMLElement | null} */ (
      document.querySelector("[data-test-script-state]")
    );
    const runs = app && app.dataset.testScriptState !== "notRunning";
    if (this.watch.away || this.stage.gone) return;
    if (!runs && (ran || looks > PATIENCE)) {
      this.speak();
      this.watch.moment = null;
    } else setTimeout(() => this.settle(Boolean(ran || runs), looks + 1), SOON);
  }

  // A control that can do nothing now says why.
  /** @param {HTMLElement} control */
  hold(control) {
    if (this.watch.away) {
      control.dataset.title ??= control.title;
      control.title = NEEDED;
    } else if (control.dataset.title !== undefined) {
      control.title = control.dataset.title;
      delete control.dataset.title;
    }
    control.ariaDisabled = this.watch.away ? "true" : null;
  }

  // The last word of each name, and where the stage is by now.
  speak() {
    const words = [...this.waiting.values()];
    this.waiting.clear();
    for (const say of words) say();
    this.stage.greet();
  }

  /** @param {Component} component @returns {Component} */
  through(component) {
    return {
      data: component.data,
      setStateValue: (name, value) => {
        const say = () => component.setStateValue(name, value);
        if (this.watch.away) this.waiting.set(name, say);
        else say();
      },
      setTriggerValue: (name, value) => {
        const itself = BY_ITSELF.includes(name);
        if (!itself) this.returned = false; // the visitor has gone on
        const say = () => component.setTriggerValue(name, value);
        if (!this.watch.away) say();
        else if (itself) this.waiting.set(name, say);
        else this.stage.dialogs.say(`${NEEDED}. It comes back by itself.`);
      },
    };
  }

  end() {
    const { run, t, phase } = this.stage;
    if (this.returned && run) this.watch.moment = { id: run.id, t, phase };
    this.watch.told.delete(this.look);
  }
}
