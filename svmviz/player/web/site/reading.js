// A page to read: small stages and charts in its text, each made when it comes near the window, and
// what can be chosen among what was recorded.

import { Scheme } from "../offline/main.js";
import { beyond } from "../offline/beyond.js";
import { find, make } from "../canvas/elements.js";
import { Charts } from "./charts.js";
import { choosing } from "./choices.js";
import { bytes } from "./files.js";

const NEAR = "800px"; // from the window

/** @param {SitePage} page */
export async function read(page) {
  globalThis.svmvizPage = page;
  globalThis.svmvizNews = new Map();
  const stages = new Stages(page);
  const charts = new Charts(page.colours ?? {});
  const scheme = new Scheme(
    () => {
      stages.dark = charts.dark = scheme.dark;
      stages.again();
      charts.again();
    },
    find(document, ".scheme"),
  );
  stages.dark = charts.dark = scheme.dark;
  const [first] = document.querySelectorAll("[data-run]");
  // the browser is its alone until it is there
  if (first) await stages.make(/** @type {HTMLElement} */ (first));
  const near = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        const host = /** @type {HTMLElement} */ (target);
        if (host.dataset.run) stages.make(host);
        else charts.make(host);
      }
    },
    { rootMargin: NEAR },
  );
  /** @param {ParentNode} root */
  const watch = root => {
    for (const host of root.querySelectorAll("[data-run]:not([data-made]), [data-chart]"))
      near.observe(host);
    for (const host of root.querySelectorAll("[data-tools]"))
      charts.tools(/** @type {HTMLElement} */ (host));
  };
  watch(document);
  choosing(page.choices ?? [], watch);
}

// The small stages, each behind a wall: the style of the page is not theirs.
class Stages {
  dark = false;
  /** @type {(() => void)[]} */ shown = [];

  /** @param {SitePage} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {HTMLElement} host */
  async make(host) {
    if (host.shadowRoot) return; // it is being made
    const root = make("div");
    const style = make("link", { rel: "stylesheet", href: "files/figure.css" });
    const styled = new Promise(done => (style.onload = style.onerror = done));
    host.attachShadow({ mode: "open" }).append(style, root);
    const [data] = await Promise.all([bytes(/** @type {string} */ (host.dataset.run)), styled]);
    const modules = /** @type {Record<string, any>} */ (globalThis.svmvizScripts);
    const stage = new modules["figure/main.js"].Stage(root, modules);
    stage.frame.dataset.server = "none";
    const setStateValue = (/** @type {string} */ name) =>
      name === "turned" && beyond(this.page, stage);
    const setTriggerValue = () => beyond(this.page, stage);
    const show = () => stage.update({ data, setStateValue, setTriggerValue }, this.dark);
    this.shown.push(show);
    await show();
    host.dataset.made = "yes";
  }

  again() {
    for (const show of this.shown) show();
  }
}
