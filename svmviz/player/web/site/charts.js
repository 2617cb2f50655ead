// Charts of Plotly, which is read with the first of them, in the colours of the page.

import { make } from "../canvas/elements.js";
import { text } from "./files.js";

const NARROW = 640; // px of a window: a phone, as the app takes it

export class Charts {
  dark = false;
  /** @type {Map<HTMLElement, any>} */ drawn = new Map();
  /** @type {Promise<void> | undefined} */ plotly;

  /** @param {Record<string, string>} colours */
  constructor(colours) {
    this.colours = colours;
  }

  /** @param {HTMLElement} host */
  async make(host) {
    this.plotly ??= script("files/plotly.min.js");
    const [spec] = await Promise.all([
      text(/** @type {string} */ (host.dataset.chart)),
      this.plotly,
    ]);
    if (!host.isConnected) return;
    this.drawn.set(host, JSON.parse(spec));
    await this.draw(host);
    host.dataset.made = "yes";
  }

  /** @param {HTMLElement} host */
  draw(host) {
    const { data, layout } = fitted(this.coloured(this.drawn.get(host)), innerWidth < NARROW);
    return globalThis.Plotly.react(host, data, layout, { displayModeBar: false, responsive: true });
  }

  again() {
    for (const host of this.drawn.keys())
      if (host.isConnected) this.draw(host);
      else this.drawn.delete(host);
  }

  // Everything in it that is a colour of light pages, as dark ones have it; Plotly may keep what it
  // is given.
  /** @param {any} spec @returns {any} */
  coloured(spec) {
    if (typeof spec === "string") return (this.dark && this.colours[spec.toLowerCase()]) || spec;
    if (Array.isArray(spec)) return spec.map(each => this.coloured(each));
    if (!spec || typeof spec !== "object") return spec;
    return Object.fromEntries(
      Object.entries(spec).map(([name, each]) => [name, this.coloured(each)]),
    );
  }

  // What can be done with a chart, below it.
  /** @param {HTMLElement} host */
  async tools(host) {
    const data = JSON.parse(/** @type {string} */ (host.dataset.tools));
    delete host.dataset.tools;
    const { default: mount } = await import(new URL("files/tools.js", document.baseURI).href);
    const parentElement = host.attachShadow({ mode: "open" });
    parentElement.append(
      make("link", { rel: "stylesheet", href: "files/tools.css" }),
      ...host.children,
    );
    mount({ parentElement, data });
  }
}

// On a phone, whose width names at the ends of curves would take, these are left out, and a finger
// scrolls the page.
/** @param {any} spec @param {boolean} phone */
export function fitted({ data, layout }, phone) {
  const kept = phone ? data.filter((/** @type {any} */ { mode }) => mode !== "text") : data;
  const font = { ...layout.font, family: '"Stage Sans", sans-serif' };
  if (!phone) return { data, layout: { ...layout, font } };
  const narrow = { margin: { ...layout.margin, r: 16 }, height: layout.height + 60 };
  return {
    data: kept,
    layout: { ...layout, font, dragmode: false, ...(kept.length < data.length ? narrow : {}) },
  };
}

/** @param {string} src @returns {Promise<void>} */
const script = src =>
  new Promise((done, failed) =>
    document.head.append(
      make("script", { src, onload: () => done(), onerror: () => failed(new Error(src)) }),
    ),
  );
