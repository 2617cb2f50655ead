// Streamlit tells the server what a component says together with the page that it last heard of.
// Said after a click on another page and before that page has come, it would lead the visitor back
// to this one.

const PATIENCE = 5000; // ms; whoever is still here then has not left

// Whether a click, or the press before it, leads to another page of the app, in this tab.
/** @param {MouseEvent | KeyboardEvent} event */
function leads(event) {
  if (event instanceof KeyboardEvent ? event.key !== "Enter" : event.button) return false;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return false;
  const link = /** @type {Element} */ (event.composedPath()[0]).closest?.("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return false;
  return (!link.target || link.target === "_self") && link.pathname !== location.pathname;
}

// The last such click in this tab. One listener serves all components, as one may come up only
// after its visitor has clicked, and speak before he is gone.
const departure = (globalThis.svmvizDeparture ??= watched());

function watched() {
  const last = { from: "", until: 0 };
  /** @param {MouseEvent} event */
  const note = event => {
    if (leads(event))
      Object.assign(last, { from: location.pathname, until: performance.now() + PATIENCE });
  };
  addEventListener("click", note, { capture: true });
  return last;
}

// What a component may say while its page is there; what it says while the visitor leaves waits
// until it is clear that he stays, the last word of each name.
export class Leaving {
  home = location.pathname;
  until = 0; // by the browser's own way back
  /** @type {Map<string, () => void>} */ waiting = new Map();
  ending = new AbortController();

  // `stop` is called before a visitor leaves: by a press, which comes before the click that leads
  // him away.
  /** @param {() => void} stop */
  constructor(stop) {
    for (const name of /** @type {const} */ (["pointerdown", "keydown"]))
      addEventListener(name, event => leads(event) && stop(), {
        capture: true,
        signal: this.ending.signal,
      });
    addEventListener(
      "popstate",
      () => {
        if (location.pathname !== this.home) this.until = performance.now() + PATIENCE;
      },
      { signal: this.ending.signal },
    );
  }

  // ms until it is clear that the visitor stays.
  get left() {
    const clicked = departure.from === this.home ? departure.until : 0;
    return Math.max(this.until, clicked) - performance.now();
  }

  stay() {
    if (this.ending.signal.aborted || this.left > 0) return;
    const words = [...this.waiting.values()];
    this.waiting.clear();
    words.forEach(say => say());
  }

  /** @param {Component} component @returns {Component} */
  through(component) {
    /** @param {"setStateValue" | "setTriggerValue"} how @returns {Component["setStateValue"]} */
    const kept = how => (name, value) => {
      const say = () => component[how](name, value);
      if (this.left <= 0) return say();
      this.waiting.set(name, say);
      setTimeout(() => this.stay(), this.left + 1);
    };
    return {
      data: component.data,
      setStateValue: kept("setStateValue"),
      setTriggerValue: kept("setTriggerValue"),
    };
  }

  end() {
    this.ending.abort();
  }
}
