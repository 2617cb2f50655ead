// A stage on its page, whatever it shows: its frame, its keys, and the server at the other end.

import { Clock } from "./clock.js";
import { Numbers } from "./code.js";
import { Fault } from "./fault.js";
import { Hall } from "../hall/presenting.js";
import { find } from "../canvas/elements.js";
import { Caption } from "../canvas/labels.js";
import { elsewhere, keepKeys, nameOf } from "./keys.js";
import { Leaving } from "./leaving.js";
import { Line } from "./line.js";

const PHONE = 640; // px: what is narrower is held in a hand

export class Shell extends Clock {
  // What heirs may set otherwise.
  desk = 640; // px of width from which on panels stand side by side
  alone = true; // on its page, so that it has the keys after every click
  /** @type {Uint8Array | undefined} */ bytes; // what was sent last
  presenting = false;
  leaving = new Leaving(() => this.depart());
  arrival = location.href;
  /** @type {Theme} */ theme;
  /** @type {Fault} */ fault;
  /** @type {Hall} */ hall;
  /** @type {Line} */ line;
  /** @type {"here" | "away" | "none"} */ server = "here";

  /**
   * @param {HTMLElement} root
   * @param {Modules} modules
   * @param {string} kind a class of its frame
   * @param {string} title
   * @param {string} inner what stands between its header and what is read aloud
   */
  constructor(root, modules, kind, title, inner) {
    super();
    this.root = root;
    this.modules = modules;
    root.innerHTML = `<div class="stage ${kind}"><header><h2>${title}</h2><span class="paper"></span><dl class="numbers"></dl></header>
      ${inner}<div class="spoken" aria-live="polite"></div></div>`;
    this.frame = find(root, ".stage");
    this.paper = new Caption(find(root, ".paper"));
    this.numbers = new Numbers(find(root, ".numbers"));
    this.spoken = find(root, ".spoken");
    /** @param {KeyboardEvent} event */
    this.keys = event => this.onKey(event);
    addEventListener("keydown", this.keys);
    this.letKeysGo = keepKeys(this);
    this.observer = new ResizeObserver(() => this.run && this.layout());
    this.observer.observe(this.frame);
  }

  // Read what was sent; return what is to be done with it.
  /** @param {Uint8Array} _data @returns {Promise<() => void>} */
  async read(_data) {
    return () => {};
  }

  // Take in what has come, unless something newer has come meanwhile.
  /** @param {Component} component @param {boolean} dark */
  async receive({ data, setStateValue, setTriggerValue }, dark) {
    Object.assign(this, { setStateValue, setTriggerValue });
    this.frame.classList.toggle("dark", dark);
    if (data && data !== this.bytes) {
      this.bytes = data;
      const take = await this.read(data);
      if (this.gone || this.bytes !== data) return;
      take();
      this.fault.clear();
    }
    this.layout();
  }

  layout() {}

  // What the style asks of the size of the frame; says whether it is narrow.
  measure() {
    const { frame, presenting } = this;
    const narrow = frame.clientWidth < this.desk && !presenting;
    document.documentElement.style.setProperty("--hall", this.unit.toFixed(3));
    const edge = Math.max(0, frame.getBoundingClientRect().left - 24); // an open sidebar ends there
    frame.classList.toggle("narrow", narrow);
    frame.style.setProperty("--edge", `${edge}px`);
    frame.classList.toggle("slender", !narrow && !presenting && frame.clientWidth < 900);
    this.hall?.arrange(narrow);
    return narrow;
  }

  // What every stage has, once its frame is filled.
  /** @param {Record<string, string>} panels their titles, by name */
  furnish(panels) {
    this.line = new Line(this);
    this.hall = new Hall(this, panels);
  }

  // Show these panels and controls, or one panel alone; what is not named stays as it is. On a
  // screen for many the letters are measured by the picture: 13 units, the smallest, are a 49th of
  // its height, and from eight heights away a capital spans six minutes of arc, of which a good eye
  // needs five.
  get unit() {
    return Math.max(1, Math.min(innerHeight / 640, innerWidth / 850));
  }

  /** @param {boolean} [asked] by a visitor, who is told why it cannot be, and not by the page that frames it */
  present(asked = true) {
    if (!this.presenting && innerWidth < PHONE)
      return asked ? this.dialogs.say("Presenter mode needs a wider screen") : undefined;
    this.presenting = !this.presenting;
    this.frame.classList.toggle("present", this.presenting);
    document.documentElement.style.overflow = this.presenting ? "hidden" : "";
    if (!this.presenting) delete this.frame.dataset.extra;
    this.hall?.write();
    this.layout();
  }

  // New data or another theme, see `receive`. What cannot be read or laid out is said on the stage.
  /** @param {Component} component @param {boolean} dark */
  async update(component, dark) {
    this.fault ??= new Fault(this.frame);
    this.hall.begin();
    try {
      await this.receive(this.line.through(this.leaving.through(component)), dark);
      this.hall.write();
    } catch (error) {
      if (!this.gone) this.fault.show(error);
    }
  }

  // The address that led here in full, without an entry of its own in the history; not once the
  // visitor has moved on.
  /** @param {string} address */
  spell(address) {
    if (!address || location.href !== this.arrival) return;
    const words = new URLSearchParams(address);
    for (const [name, word] of new URLSearchParams(location.search))
      // Streamlit's own, which it tells nobody
      if (name.startsWith("embed")) words.append(name, word);
    history.replaceState(history.state, "", `${location.pathname}?${words}${location.hash}`);
  }

  // It hears of nothing any more: keys, clicks, the size of its window.
  deafen() {
    removeEventListener("keydown", this.keys);
    this.letKeysGo();
    this.leaving.end();
    this.line.end();
    this.hall.end();
    this.observer.disconnect();
  }

  destroy() {
    this.deafen();
    cancelAnimationFrame(this.request);
    this.showing?.abort();
    this.gone = true;
  }

  // Become the twin of a stage, which nobody sees and which says nothing: clips are made of it.
  /** @param {Theme} theme */
  mimic(theme) {
    const deaf = () => {};
    Object.assign(this, { setStateValue: deaf, setTriggerValue: deaf, theme });
    this.deafen();
    this.frame.classList.toggle("dark", theme.dark);
  }

  help() {
    this.dialogs.help();
  }

  // What keys do wherever something plays.
  /** @param {KeyboardEvent} event @returns {Record<string, () => unknown>} */
  actions({ shiftKey }) {
    return {
      " ": () => this.toggle(),
      ArrowRight: () => (shiftKey ? this.seek(this.t + this.stride, true) : this.step(1)),
      ArrowLeft: () => (shiftKey ? this.seek(this.t - this.stride, true) : this.step(-1)),
      Home: () => this.seek(0, true),
      End: () => this.seek(this.run.T, true),
      "+": () => this.faster(1),
      "=": () => this.faster(1),
      "-": () => this.faster(-1),
      l: () => this.toggleLoop(),
      f: () => this.present(),
      "?": () => this.help(),
      Escape: () => this.presenting && this.present(),
    };
  }

  // Do what a key stands for here, unless it belongs to something else.
  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (this.run && this.hall.key(event)) return event.preventDefault();
    if (this.run && !elsewhere(event)) this.press(event);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const action = this.actions(event)[nameOf(event)];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
