// A stage before others: which of its panels and controls are there, which panel fills it, whether
// it is presented. Words of the address say so. They are the browser's own: the server carries them
// along, and where it wrote others in the meantime they are written again.

import { button, make } from "../canvas/elements.js";
import { Curtain } from "./curtain.js";
import { elsewhere, nameOf } from "../stage/keys.js";

export const WORDS = ["present", "also", "zoom", "panels", "controls"];
const ALSO = ["curves", "code"]; // panels that come in by a key while it is presented
// Panels of one run, in words.
/** @type {Record<string, string>} */
export const PANELS = {
  plane: "Plane",
  mechanism: "Mechanism",
  curves: "Curve",
  code: "Code",
  sentence: "Sentence",
};
// What can be touched, in words; first what is on the stage itself, then what is beside it.
/** @type {Record<string, string>} */
export const CONTROLS = {
  play: "Play and pause",
  step: "Single steps",
  scrub: "The bar of steps",
  speed: "Speed and loop",
  draw: "Drawing points",
  fork: "Forks",
  quiz: "The quiz",
  actions: "Python, links, files, presenter mode",
  knobs: "Parameters of the solver",
  data: "Data",
  solver: "Choice of the solver",
  run: "Seed and length",
  files: "Downloads",
};
// of a stage that is embedded, unless its link says more
const SLIM = ["play", "step", "scrub", "speed"];
const ROOMY = 620; // px of height in which all panels can stand
// what a title may hold that is no title
const PRESSED = "button, select, a, input, .sym, .key, .segments";
/** @type {Record<string, string>} */
const KEYS = {
  " ": "play",
  ArrowLeft: "step",
  ArrowRight: "step",
  ArrowUp: "step",
  ArrowDown: "step",
  Home: "step",
  End: "step",
  ",": "step",
  ".": "step",
  "+": "speed",
  "=": "speed",
  "-": "speed",
  l: "speed",
  e: "draw",
  k: "fork",
  q: "quiz",
  r: "knobs",
};

// The words of the address; in a file those behind "#".
const said = () =>
  new URLSearchParams(globalThis.svmvizPage ? location.hash.slice(1) : location.search);

export class Hall {
  /** @type {string[] | null} */ panels = null; // null: as the page has them
  /** @type {string[] | null} */ controls = null;
  zoomed = ""; // the panel that fills the stage
  /** @type {string[] | null} */ base = null; // panels that the card of a lesson shows
  begun = false;
  home = location.pathname;
  ending = new AbortController();
  embedded = said().get("embed") === "true";

  /** @param {Shell} stage @param {Record<string, string>} titles of its panels, by name */
  constructor(stage, titles) {
    this.stage = stage;
    this.titles = titles;
    this.names = Object.keys(titles);
    this.curtain = new Curtain(stage.frame);
    this.note = make("p", { className: "unknown", role: "status", hidden: true });
    stage.frame.append(this.note);
    if (!stage.alone) return; // a figure of an article is shown as its text says
    stage.frame.classList.toggle("embed", this.embedded);
    const { signal } = this.ending;
    stage.frame.addEventListener("click", event => this.clicked(event), { signal });
    addEventListener("popstate", () => this.read(), { signal });
    // whoever else writes the address knows nothing of these words, unless the visitor went back to
    // it
    const { navigation } = /** @type {any} */ (globalThis);
    navigation?.addEventListener(
      "currententrychange",
      (/** @type {{ navigationType: string | null }} */ { navigationType }) => {
        if (navigationType !== "traverse") this.write();
      },
      { signal },
    );
    for (const section of this.sections()) {
      const name = this.nameOf(section);
      const title = section.querySelector("h3");
      title?.prepend(
        button("Zoom", () => this.zoom(name), {
          className: "zoomer",
          title: `The panel alone: ${name}`,
        }),
      );
    }
  }

  // What the address says at first, once the stage is whole.
  begin() {
    if (this.begun || !this.stage.alone) return;
    this.begun = true;
    this.read();
  }

  /** @returns {HTMLElement[]} */
  sections() {
    return [...this.stage.frame.querySelectorAll("section")].filter(section =>
      this.nameOf(section),
    );
  }

  /** @param {Element | null} section */
  nameOf(section) {
    return this.names.find(name => section?.classList.contains(name)) ?? "";
  }

  // A title that is clicked.
  /** @param {Event} event */
  clicked(event) {
    const hit = /** @type {Element} */ (event.composedPath()[0]);
    const title = hit.closest?.("section h3");
    if (title && !hit.closest(PRESSED)) this.zoom(this.nameOf(title.closest("section")));
  }

  read() {
    const words = said();
    this.heed(words);
    if ((words.get("present") === "1") !== this.stage.presenting)
      this.stage.present(parent === self);
  }

  // What words of a link say of panels and controls.
  /** @param {URLSearchParams} words */
  heed(words) {
    /** @param {string} name */
    const list = name =>
      words
        .get(name)
        ?.split(",")
        .map(word => word.trim())
        .filter(Boolean) ?? null;
    this.stage.frame.dataset.extra = ALSO.filter(name => list("also")?.includes(name)).join(" ");
    this.compose({
      panels: list("panels"),
      controls: list("controls"),
      zoom: words.get("zoom") ?? "",
    });
  }

  // Show these panels and controls, all where none are named, or one panel alone.
  /** @param {Composition} what */
  compose({ panels = this.panels, controls = this.controls, zoom = this.zoomed }) {
    const known = Object.keys(CONTROLS);
    const others = [
      ...missing("panel", [...(panels ?? []), ...(zoom ? [zoom] : [])], this.names),
      ...missing("control", controls ?? [], known),
    ];
    this.note.hidden = !others.length;
    this.note.replaceChildren(
      ...others,
      button("Close", () => (this.note.hidden = true)),
    );
    const shown = this.names.filter(name => panels?.includes(name));
    this.panels = panels && shown.length ? shown : null;
    this.controls = controls && known.filter(name => controls.includes(name));
    this.zoomed = this.names.includes(zoom) ? zoom : "";
    this.stage.layout();
  }

  /** @param {string} name */
  zoom(name) {
    if (!name) return;
    this.compose({ zoom: this.zoomed === name ? "" : name });
    this.write();
  }

  // The class and the grid of what is shown; rows that hold nothing are not there.
  /** @param {boolean} narrow */
  arrange(narrow) {
    const { frame } = this.stage;
    if (!this.stage.alone) return;
    const own = this.zoomed ? [this.zoomed] : (this.panels ?? this.usual(narrow));
    // these have panels of their own
    const taken = ["forked", "quizzing"].some(name => frame.classList.contains(name));
    const composed = taken ? null : own;
    const shown = composed ?? this.base;
    frame.classList.toggle("zoomed", Boolean(composed && this.zoomed));
    frame.classList.toggle("composed", Boolean(composed));
    frame.classList.toggle("reduced", Boolean(shown));
    Object.assign(frame.dataset, {
      show: (shown ?? []).join(" "),
      controls: (this.given ?? []).join(" "),
    });
    frame.classList.toggle("guided", Boolean(this.given));
    Object.assign(frame.style, composed && !narrow ? gridOf(composed) : EVERYTHING);
  }

  // A stage that is embedded in little room begins with what moves.
  /** @param {boolean} narrow */
  usual(narrow) {
    if (!this.embedded || this.base || narrow || innerHeight >= ROOMY || this.stage.presenting)
      return null;
    const shown = this.names.filter(name => ["plane", "mechanism", "chart"].includes(name));
    return shown.length ? shown : null;
  }

  // The controls that are there; null: all of them.
  get given() {
    return this.controls ?? (this.embedded ? SLIM : null);
  }

  /** @param {string} name of a control */
  allows(name) {
    return this.given?.includes(name) ?? true;
  }

  // For a link to what is shown, without some of them.
  /** @param {...string} without @returns {Record<string, string>} */
  words(...without) {
    const { panels, controls, zoomed, stage } = this;
    const all = {
      present: stage.presenting ? "1" : null,
      also: (stage.presenting && stage.frame.dataset.extra?.replace(" ", ",")) || null,
      zoom: zoomed || null,
      panels: panels?.join(",") ?? null,
      controls: controls?.join(",") ?? null,
    };
    const given = Object.entries(all).filter(
      ([name, word]) => word !== null && !without.includes(name),
    );
    return Object.fromEntries(/** @type {[string, string][]} */ (given));
  }

  write() {
    if (!this.begun || location.pathname !== this.home) return;
    const page = globalThis.svmvizPage;
    const now = said();
    const words = new URLSearchParams(now);
    for (const name of WORDS) words.delete(name);
    for (const [name, word] of Object.entries(this.words())) words.set(name, word);
    if (String(words) === String(now)) return;
    const was = location.href;
    const query = String(words).replaceAll("%2C", ",");
    try {
      if (page) history.replaceState(history.state, "", `#${query}`);
      else
        history.replaceState(
          history.state,
          "",
          `${location.pathname}${query && "?"}${query}${location.hash}`,
        );
    } catch {
      // a page within a page may have no address of its own
    }
    if (this.stage.arrival === was) this.stage.arrival = location.href;
  }

  // Whether a key was one of the hall's, or belongs to what is not to be touched.
  /** @param {KeyboardEvent} event */
  key(event) {
    const key = nameOf(event);
    const { stage } = this;
    if (elsewhere(event) || !stage.alone) return false;
    if (key === "s") this.curtain.spot();
    else if (key === "v" || (key === "." && stage.presenting)) this.curtain.black();
    else if (key === "i") stage.dialogs.code();
    else if (key === "Escape" && this.zoomed) this.zoom(this.zoomed);
    else if (KEYS[key] && !this.allows(KEYS[key])) return true;
    else if (stage.presenting && ["ArrowUp", "ArrowDown"].includes(key) && stage.run?.lines)
      stage.beat(key === "ArrowDown" ? 1 : -1);
    else return false;
    return true;
  }

  end() {
    this.ending.abort();
    this.curtain.end();
  }
}

// Where there is no composition the style sheet has the grid.
const EVERYTHING = { gridTemplateAreas: "", gridTemplateRows: "", gridTemplateColumns: "" };

/** @param {string[]} shown */
function gridOf(shown) {
  const has = new Set(shown.map(name => (name === "sentence" ? "code" : name)));
  const [upper, lower] = [
    ["plane", "mechanism"],
    ["curves", "code"],
  ].map(of => of.filter(name => has.has(name)));
  // two panels stand side by side; a sentence alone is a line below
  const beside =
    upper.length === 1 && lower.length === 1 && (has.has("curves") || shown.includes("code"));
  const rows = [
    { of: ["title"], height: "var(--title)" },
    { of: beside ? [...upper, ...lower] : ["plane", "mechanism"], height: "minmax(0, 1.6fr)" },
    { of: ["lanes"], height: has.has("chart") ? "auto" : "minmax(0, 1fr)" },
    { of: ["chart"], height: "minmax(0, 1fr)" },
    {
      of: beside ? [] : ["curves", "code"],
      height: has.has("curves") || shown.includes("code") ? "minmax(0, 1fr)" : "auto",
    },
    { of: ["transport"], height: "var(--foot)" },
  ].flatMap(({ of, height }) => {
    const there = of.filter(name => ["title", "transport"].includes(name) || has.has(name));
    return there.length ? [{ areas: `"${there[0]} ${there.at(-1)}"`, height }] : [];
  });
  return {
    gridTemplateAreas: rows.map(({ areas }) => areas).join(" "),
    gridTemplateRows: rows.map(({ height }) => height).join(" "),
    gridTemplateColumns: "minmax(0, 1fr) minmax(0, 1fr)",
  };
}

// What a link names and the stage has not, in words.
/** @param {string} kind @param {string[]} named @param {string[]} known */
function missing(kind, named, known) {
  const others = named.filter(name => !known.includes(name)).map(name => `“${name.slice(0, 40)}”`);
  if (!others.length) return [];
  return [
    `The link names ${others.length > 1 ? `${kind}s` : `a ${kind}`} that ${others.length > 1 ? "are" : "is"} not here: ` +
      `${others.slice(0, 5).join(", ")}. There are ${known.join(", ")}. `,
  ];
}
