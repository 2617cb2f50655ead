// A stage without a server: player and runs are in the page. What the app would compute is either
// there, or said to be missing.

import { clicked, find, make } from "../canvas/elements.js";
import { keep, kept } from "../browser/kept.js";
import { Alone } from "./alone.js";
import { BoardRuns } from "./boardruns.js";
import { LessonRuns } from "./lesson.js";

const SCHEME = "svmviz.scheme";
const TURNED = ["PageUp", "PageDown"]; // keys of a clicker, which a page around this one may mean
const OF_SLIDES = ["f", "t", "escape"]; // keys that mean the slides, where a player is in one

/** @param {Page} page */
const kindOf = page =>
  /** @type {HeldKind} */ (
    /** @type {unknown} */ (page.entry === "lesson" ? LessonRuns : page.board ? BoardRuns : Alone)
  );

/** @param {Page} page @param {Held[]} runs @param {HeldKind} [Kind] what shows them */
export async function start(page, runs, Kind = kindOf(page)) {
  globalThis.svmvizPage = page;
  globalThis.svmvizNews = new Map((page.news ?? []).map((news, k) => [String(k), news]));
  const root = make("div");
  find(document, "#svmviz").replaceChildren(bar(page), root);
  const modules = /** @type {Record<string, any>} */ (globalThis.svmvizScripts);
  /** @type {Offline} */
  const stage = new modules[`${page.entry}/main.js`].Stage(root, modules);
  Object.assign(globalThis, {
    svmviz: Object.assign(stage, { mounts: 1, server: "none", savePage: null }),
  });
  stage.frame.dataset.server = "none";
  const held = new Kind(page, runs, stage);
  const scheme = new Scheme(() => held.show(scheme.dark));
  find(stage.frame, ".actions").prepend(scheme.toggle);
  const follow = () => {
    scheme.follow();
    held.follow(scheme.dark);
  };
  addEventListener("hashchange", follow);
  await held.show(scheme.dark);
  if (parent !== window) within(follow, stage.frame);
}

// A page around this one hears the keys of a clicker, and may say where to stand, as the address
// does.
/** @param {() => void} follow @param {HTMLElement} frame */
function within(follow, frame) {
  let slides = false; // around it: they have keys of their own
  const pass = (/** @type {KeyboardEvent} */ event) => {
    const own = slides && OF_SLIDES.includes(event.key.toLowerCase());
    if (!own && !TURNED.includes(event.key)) return;
    parent.postMessage({ svmviz: "key", key: event.key }, "*");
    if (own) event.stopImmediatePropagation();
  };
  addEventListener("keydown", pass, { capture: true });
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || data?.svmviz !== "go" || typeof data.words !== "string") return;
    slides = true;
    frame.dataset.slides = ""; // F is theirs, which the hint says
    history.replaceState(history.state, "", `#${data.words}`);
    follow();
  });
  parent.postMessage({ svmviz: "ready" }, "*");
}

// What this is, above the stage; where it came from, if that is known.
/** @param {Page} page */
function bar({ title, home, up }) {
  const name = make("b", { textContent: "svmviz" });
  const from = up
    ? make("a", { href: up })
    : home
      ? make("a", { href: home, target: "_blank", rel: "noopener" })
      : name;
  if (from !== name) from.append(name);
  const line = make("header", { className: "bar" });
  line.append(from, make("h1", { textContent: title }));
  return line;
}

// Light or dark: as the system has it, as the reader last chose, or as the address says.
export class Scheme {
  /** @param {() => void} changed @param {HTMLElement} [toggle] if there is one already */
  constructor(changed, toggle = make("button", { type: "button", className: "scheme" })) {
    this.system = matchMedia("(prefers-color-scheme: dark)");
    this.changed = changed;
    this.chosen = said() || kept(SCHEME);
    const choose = () => {
      this.chosen = this.dark ? "light" : "dark";
      keep(SCHEME, this.chosen);
      this.apply();
      changed();
    };
    this.toggle = clicked(toggle, choose);
    this.system.addEventListener("change", () => {
      this.apply();
      changed();
    });
    this.apply();
  }

  // A page around this one has become light or dark.
  follow() {
    if (!said() || said() === (this.dark ? "dark" : "light")) return;
    this.chosen = said();
    this.apply();
    this.changed();
  }

  get dark() {
    return this.chosen ? this.chosen === "dark" : this.system.matches;
  }

  apply() {
    document.documentElement.classList.toggle("dark", this.dark);
    this.toggle.textContent = this.dark ? "Light" : "Dark";
  }
}

// What the address says of it.
const said = () => {
  const scheme = new URLSearchParams(location.hash.slice(1)).get("scheme") ?? "";
  return ["light", "dark"].includes(scheme) ? scheme : "";
};
