// Streamlit tells the server what a component says together with the page that it last heard of. Said after a
// click on another page and before that page has come, it would lead the visitor back to this one.

const PATIENCE = 5000; // ms; whoever is still here then has not left

// Whether a click leads to another page of the app, in this tab.
/** @param {MouseEvent} event */
function leads(event) {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return false;
  const link = /** @type {Element} */ (event.composedPath()[0]).closest?.("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return false;
  return (!link.target || link.target === "_self") && link.pathname !== location.pathname;
}

// What a component may say while its page is there; what it says while the visitor leaves waits until it is
// clear that he stays, the last word of each name.
export class Leaving {
  home = location.pathname;
  until = 0;
  /** @type {Map<string, () => void>} */ waiting = new Map();
  ending = new AbortController();

  constructor() {
    const { signal } = this.ending;
    addEventListener("click", event => leads(event) && this.begin(), { capture: true, signal });
    addEventListener("popstate", () => location.pathname !== this.home && this.begin(), { signal });
  }

  begin() {
    this.until = performance.now() + PATIENCE;
    setTimeout(() => this.stay(), PATIENCE);
  }

  stay() {
    if (this.ending.signal.aborted || performance.now() < this.until) return;
    const words = [...this.waiting.values()];
    this.waiting.clear();
    words.forEach(say => say());
  }

  /** @param {Component} component @returns {Component} */
  through(component) {
    /** @param {"setStateValue" | "setTriggerValue"} how @returns {Component["setStateValue"]} */
    const kept = how => (name, value) => {
      const say = () => component[how](name, value);
      if (performance.now() < this.until) this.waiting.set(name, say);
      else say();
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
