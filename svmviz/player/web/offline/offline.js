// A stage without a server: player and runs are in the page. What the app would compute is either there, or said to be
// missing.

import { button, find, make } from "../stage/elements.js";
import { keep, kept } from "../stage/kept.js";
import { Alone } from "./alone.js";
import { LessonRuns } from "./lesson.js";

const SCHEME = "svmviz.scheme";
const TURNED = ["PageUp", "PageDown"]; // keys of a clicker, which a page around this one may mean

/** @param {Page} page @param {Uint8Array[]} runs */
export async function start(page, runs) {
  globalThis.svmvizPage = page;
  globalThis.svmvizNews = new Map((page.news ?? []).map((news, k) => [String(k), news]));
  const root = make("div");
  find(document, "#svmviz").replaceChildren(bar(page), root);
  const modules = /** @type {Record<string, any>} */ (globalThis.svmvizScripts);
  /** @type {Offline} */
  const stage = new modules[`${page.entry}/${page.entry}.js`].Stage(root, modules);
  Object.assign(globalThis, { svmviz: Object.assign(stage, { mounts: 1, server: "none", savePage: null }) });
  stage.frame.dataset.server = "none";
  const held = page.entry === "lesson" ? new LessonRuns(page, runs, stage) : new Alone(page, runs, stage);
  const scheme = new Scheme(stage.frame, () => held.show(scheme.dark));
  addEventListener("hashchange", () => held.follow(scheme.dark));
  if (parent !== window)
    addEventListener("keydown", ({ key }) => {
      if (TURNED.includes(key)) parent.postMessage({ svmviz: "key", key }, "*");
    });
  await held.show(scheme.dark);
}

// What this is, above the stage; where it came from, if that is known.
/** @param {Page} page */
function bar({ title, home }) {
  const name = make("b", { textContent: "svmviz" });
  const from = home ? make("a", { href: home, target: "_blank", rel: "noopener" }) : name;
  if (from !== name) from.append(name);
  const line = make("header", { className: "bar" });
  line.append(from, make("h1", { textContent: title }));
  return line;
}

// Light or dark: as the system has it, or as the reader last chose.
class Scheme {
  /** @param {HTMLElement} frame @param {() => void} changed */
  constructor(frame, changed) {
    this.system = matchMedia("(prefers-color-scheme: dark)");
    this.chosen = kept(SCHEME);
    const choose = () => {
      this.chosen = this.dark ? "light" : "dark";
      keep(SCHEME, this.chosen);
      this.apply();
      changed();
    };
    this.toggle = button("", choose, { className: "scheme" });
    find(frame, ".actions").prepend(this.toggle);
    this.system.addEventListener("change", () => {
      this.apply();
      changed();
    });
    this.apply();
  }

  get dark() {
    return this.chosen ? this.chosen === "dark" : this.system.matches;
  }

  apply() {
    document.documentElement.classList.toggle("dark", this.dark);
    this.toggle.textContent = this.dark ? "Light" : "Dark";
  }
}
