// A stage in an article: the panels that its section speaks of, a slim transport, a way to the
// Playground. There may be several on a page. One that is out of sight sleeps: it draws nothing
// more, and plays on when it is seen.

import { made } from "../lesson/prose.js";
import { homeless } from "../browser/home.js";
import { Stage as Single } from "../stage/main.js";
import { leads, release } from "./turns.js";

export { due } from "./turns.js";

const NOT_HERE = ["e", "r", "q", "f", "o"]; // keys of what only the Playground has

/** @type {Set<Stage>} */
const FIGURES = (globalThis.svmvizFigures ??= new Set()); // of the page

export class Stage extends Single {
  calm = 100;
  alone = false;
  desk = 560;
  awake = false; // in sight
  missed = false; // something was to be drawn meanwhile
  /** @type {string | undefined} */ began; // where it stood at first
  moved = false;
  /** @type {Component["setTriggerValue"] | undefined} */ ask;
  /** @type {Component["setStateValue"] | undefined} */ tell;

  /** @param {HTMLElement} root @param {Modules} modules */
  constructor(root, modules) {
    super(root, modules);
    this.leads = leads(root.parentNode);
    this.frame.classList.add("reduced", "figure");
    this.frame.tabIndex = -1; // keys are those of the figure that was touched last
    this.frame.addEventListener("pointerdown", () => this.frame.focus({ preventScroll: true }));
    const open = Object.assign(made("button", "open", "Open in the Playground"), {
      type: "button",
    });
    open.addEventListener("click", () => this.ask?.("play", { t: this.t }));
    open.hidden = homeless();
    this.transport.hint.after(open);
    FIGURES.add(this);
    this.sight = new IntersectionObserver(entries =>
      this.seen(entries.at(-1)?.isIntersecting ?? false),
    );
    this.sight.observe(this.frame);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.composedPath().includes(this.frame) && !NOT_HERE.includes(event.key.toLowerCase()))
      super.onKey(event);
  }

  /** @param {boolean} awake */
  seen(awake) {
    this.awake = awake;
    if (!awake || !(this.missed || this.playing || this.stepping)) return;
    this.missed = false;
    this.last = undefined; // the time that it slept is not made up for
    this.schedule();
  }

  // The first picture is drawn out of sight, too: its words and numbers are read aloud from there.
  /** @param {number} now */
  tick(now) {
    if (this.awake || !this.draws) super.tick(now);
    else this.missed = true;
    const here = `${this.t} ${this.phase}`;
    this.began ??= here;
    if (this.leads && !this.moved && this.draws && (here !== this.began || !this.showing))
      this.moves();
  }

  // The rest of the page, which keeps the browser busy for seconds, comes once its first stage has
  // moved.
  moves() {
    this.moved = true;
    release();
    this.tell?.("moved", true);
  }

  // Nothing here is in the address; what is turned on the stage, as the water that is pulled, is
  // asked for by its name.
  /** @param {Component} component @param {boolean} dark */
  async receive(component, dark) {
    this.ask = component.setTriggerValue;
    this.tell = component.setStateValue;
    /** @param {string} name @param {any} value */
    const setTriggerValue = (name, value) => {
      if (name !== "tune") return;
      const names = Object.keys(value).filter(key => !["id", "t"].includes(key));
      component.setStateValue("turned", Object.fromEntries(names.map(key => [key, value[key]])));
    };
    await super.receive({ data: component.data, setStateValue: () => {}, setTriggerValue }, dark);
  }

  // What the server says along with a run: which panels there are. Those of a row share its width.
  /** @param {Run} run */
  heed(run) {
    const { show, light, wide } = /** @type {Run & { figure: FigureData }} */ (run).figure;
    const has = new Set(show.map(name => (name === "sentence" ? "code" : name)));
    const rows = [
      { of: ["mechanism", "plane"], height: "var(--upper)" },
      { of: ["curves", "code"], height: has.has("curves") ? "var(--lower)" : "auto" },
      { of: ["transport"], height: "auto" },
    ].flatMap(({ of, height }) => {
      const there = of.filter(name => name === "transport" || has.has(name));
      return there.length ? [{ areas: `"${there[0]} ${there.at(-1)}"`, height }] : [];
    });
    Object.assign(this.frame.dataset, { show: show.join(" "), lit: light.join(" ") });
    Object.assign(this.frame.style, {
      gridTemplateAreas: rows.map(({ areas }) => areas).join(" "),
      gridTemplateRows: rows.map(({ height }) => height).join(" "),
    });
    this.frame.classList.toggle("broad", wide);
    this.light(light);
  }

  // The opening comes to rest where the text speaks of it; for whoever wants no motion it is there
  // at once.
  /** @param {number} steps */
  show(steps) {
    const { t, run } = /** @type {Single} */ (this);
    if (steps && this.still.matches) Object.assign(this, { t: Math.min(t + steps, run?.T ?? t) });
    super.show(steps);
  }

  invite() {}

  spell() {}

  destroy() {
    FIGURES.delete(this);
    this.sight.disconnect();
    super.destroy();
  }
}
