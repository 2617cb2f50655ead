// Symbols wherever they stand as text: underlined by dots, and whoever points at one, taps it or
// comes to it by the keyboard is told its name, its meaning and its value now, and sees the thing
// itself on the stage.

import { finder, pieces, quantities, theorem, worth } from "../engine/symbols.js";

const REST = 160; // ms on a symbol before it answers
const LEAVE = 140; // ms off it before that goes
const EDGE = 8; // px from the edge of the stage

/** @type {WeakMap<Element, RegExp | null>} */
const finders = new WeakMap(); // of each stage

/** @param {string} mark */
function dotted(mark) {
  const span = Object.assign(document.createElement("span"), {
    className: "sym",
    textContent: mark,
  });
  span.title = ""; // not that of the line around it
  span.dataset.mark = mark;
  return span;
}

// Words with their symbols underlined, as nodes for what stands within a stage; where two runs are
// told apart, A and B are no symbols.
/** @param {string} words @param {Element} within */
export function nodes(words, within) {
  const frame = within.closest(".fork, .stage");
  return pieces(words, (frame && finders.get(frame)) ?? null).map((piece, k) =>
    k % 2 ? dotted(piece) : document.createTextNode(piece),
  );
}

/** @param {HTMLElement} element @param {string} words */
export function write(element, words, within = element) {
  if (element.textContent !== words) element.replaceChildren(...nodes(words, within));
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} [className]
 * @param {string} [textContent]
 */
const made = (tag, className = "", textContent = "") =>
  Object.assign(document.createElement(tag), { className, textContent });

export class Symbols {
  /** @type {Map<string, Sign>} */ known = new Map();
  /** @type {Bound | null} */ bound = null;
  /** @type {{ mark: string, pinned: boolean } | null} */ open = null;
  /** @type {ReturnType<typeof setTimeout>} */ waiting;
  at = ""; // where the keyboard is
  /** @type {{ sign: Sign, value: HTMLElement }[]} */ listed = [];

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    const { frame } = stage;
    this.box = made("div", "meaning");
    this.box.setAttribute("role", "status");
    this.box.hidden = true;
    this.mark = made("b", "mark");
    this.name = made("b");
    this.now = made("output");
    this.meaning = made("p");
    this.more = made("div", "more");
    const head = made("div", "head");
    head.append(this.mark, this.name, this.now);
    this.box.append(head, this.meaning, this.more);
    this.stop = made("div", "stop");
    this.stop.tabIndex = 0;
    for (const [name, value] of [
      ["role", "slider"],
      ["aria-label", "Symbols: arrows lead from one to the next"],
      ["aria-valuemin", "1"],
      ["aria-valuemax", "1"],
      ["aria-valuenow", "1"],
      ["aria-valuetext", "none"],
    ])
      this.stop.setAttribute(name, value);
    frame.querySelector("section.code")?.before(this.stop);
    frame.append(this.box);
    this.listen(frame);
  }

  /** @param {HTMLElement} frame */
  listen(frame) {
    /** @param {Event} event */
    const under = event => {
      const [target] = event.composedPath();
      return target instanceof Element
        ? /** @type {HTMLElement | null} */ (target.closest(".sym"))
        : null;
    };
    frame.addEventListener("pointerover", event => {
      if (event.pointerType === "touch" || this.open?.pinned) return;
      const sym = under(event);
      const over = this.box.contains(/** @type {Node} */ (event.composedPath()[0]));
      clearTimeout(this.waiting);
      if (sym && sym.dataset.mark === this.open?.mark) return;
      if (sym) this.waiting = setTimeout(() => this.show(sym), REST);
      else if (this.open && !over && !this.held)
        this.waiting = setTimeout(() => this.close(), LEAVE);
    });
    frame.addEventListener("pointerleave", () => {
      clearTimeout(this.waiting);
      if (this.open && !this.open.pinned && !this.held)
        this.waiting = setTimeout(() => this.close(), LEAVE);
    });
    frame.addEventListener("click", event => {
      clearTimeout(this.waiting);
      const sym = under(event);
      if (sym && !(this.open?.pinned && this.open.mark === sym.dataset.mark)) this.show(sym, true);
      else if (!this.box.contains(/** @type {Node} */ (event.composedPath()[0]))) this.close();
    });
    this.stop.addEventListener("focus", () => this.go(0));
    this.stop.addEventListener("blur", () => this.close());
    this.stop.addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -1e9, End: 1e9 }[
        event.key
      ];
      if (!way && event.key !== "Escape") return;
      event.preventDefault();
      if (way) this.go(way);
      else this.stage.frame.focus({ preventScroll: true });
    });
  }

  get held() {
    return (
      /** @type {ShadowRoot | Document} */ (this.stop.getRootNode()).activeElement === this.stop
    );
  }

  /** @param {Run} run */
  prepare(run) {
    this.bound = run.bound?.formula ? run.bound : null;
    this.known = new Map(run.symbols.map(symbol => [symbol.mark, symbol]));
    if (this.bound) {
      const { name, statement } = this.bound;
      this.known.set(name, {
        mark: name,
        name: "",
        meaning: statement,
        value: "",
        lights: "bound",
      });
    }
    finders.set(this.stage.frame, finder([...this.known.keys()]));
    this.close();
  }

  // Where symbols can be seen, each once, in the order of the page.
  places() {
    /** @type {Map<string, HTMLElement>} */
    const found = new Map();
    for (const sym of /** @type {NodeListOf<HTMLElement>} */ (
      this.stage.frame.querySelectorAll(".sym")
    )) {
      const mark = sym.dataset.mark ?? "";
      if (!found.has(mark) && this.known.has(mark) && sym.getClientRects().length)
        found.set(mark, sym);
    }
    return found;
  }

  /** @param {number} by */
  go(by) {
    const places = this.places();
    const marks = [...places.keys()];
    if (!marks.length) return;
    const k = Math.max(0, Math.min(marks.length - 1, Math.max(0, marks.indexOf(this.at)) + by));
    this.at = marks[k];
    this.show(/** @type {HTMLElement} */ (places.get(this.at)));
    this.stop.setAttribute("aria-valuemax", String(marks.length));
    this.stop.setAttribute("aria-valuenow", String(k + 1));
    this.stop.setAttribute("aria-valuetext", this.box.innerText.replace(/\s+/g, " "));
  }

  /** @param {HTMLElement} sym @param {boolean} [pinned] */
  show(sym, pinned = false) {
    const mark = sym.dataset.mark ?? "";
    const sign = this.known.get(mark);
    if (!sign || !sym.isConnected) return;
    this.open = { mark, pinned };
    this.mark.textContent = mark;
    this.name.textContent = sign.name;
    this.meaning.textContent = sign.meaning + (sign.name ? "." : "");
    this.more.replaceChildren();
    this.box.classList.toggle("wide", mark === this.bound?.name);
    this.box.hidden = false;
    this.tell(this.stage.view());
    this.place(sym);
    this.stage.lighting.look(sign.lights ? sign.lights.split(" ") : null, panelOf(sym));
  }

  close() {
    clearTimeout(this.waiting);
    if (!this.open) return false;
    this.open = null;
    this.box.hidden = true;
    this.stage.lighting.look(null);
    return true;
  }

  // Below the symbol, or above it where there is no room, and within the stage.
  /** @param {HTMLElement} sym */
  place(sym) {
    const frame = this.stage.frame.getBoundingClientRect();
    const at = sym.getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: tall } = this.box;
    const low = Math.min(innerHeight, frame.bottom) - EDGE;
    const below = at.bottom + EDGE + tall <= low || at.top - EDGE - tall < Math.max(0, frame.top);
    const left = Math.max(EDGE, Math.min(at.left - frame.left - 12, frame.width - wide - EDGE));
    const top = below ? at.bottom + EDGE : at.top - EDGE - tall;
    this.box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top - frame.top)}px)`;
  }

  /** @param {View} view */
  tell(view) {
    const { open } = this;
    if (!open) return;
    if (open.mark === this.bound?.name) return this.prove(this.bound, view);
    const sign = this.known.get(open.mark);
    const words = sign ? worth(sign, quantities(view, view)) : "";
    if (this.now.textContent !== words) this.now.textContent = words;
  }

  // A theorem: its formula, the same with the numbers of this step, and what it assumes.
  /** @param {Bound} bound @param {View} view */
  prove(bound, { done }) {
    const { numbers, where } = theorem(bound, Math.max(done, 1));
    if (!this.more.childElementCount) {
      const list = made("ul");
      for (const { text, holds } of bound.assumptions)
        list.append(
          made("li", holds ? "holds" : "fails", `${text}${holds ? "" : ": not so here"}`),
        );
      this.more.append(
        made("p", "formula", `≤ ${bound.formula}`),
        made("p", "formula"),
        made("p"),
        list,
      );
      if (!bound.assumptions.length)
        list.append(made("li", "holds", "draws are made as the algorithm says"));
      this.now.textContent = "";
    }
    const [, filled, told] = this.more.children;
    if (filled.textContent !== numbers) filled.textContent = numbers;
    if (told.textContent !== where) told.textContent = where;
  }

  /** @param {View} view @param {View} settled */
  paint(view, settled) {
    this.tell(view);
    if (!this.listed.length) return;
    if (!this.listed[0].value.isConnected) this.listed = [];
    const values = quantities(view, settled);
    for (const { sign, value } of this.listed) {
      const words = worth(sign, values);
      if (value.textContent !== words) value.textContent = words;
    }
  }

  // All symbols of this solver, with what they are worth now.
  list() {
    const { stage } = this;
    this.close();
    const table = made("table", "symbols");
    const body = made("tbody");
    this.listed = stage.run.symbols.map(sign => {
      const row = made("tr");
      const head = made("th", "", sign.mark);
      head.scope = "row";
      const words = made("td");
      words.append(made("b", "", sign.name), document.createTextNode(`: ${sign.meaning}`));
      const value = made("td", "value");
      row.append(head, words, value);
      body.append(row);
      return { sign, value };
    });
    table.append(body);
    const scroll = made("div", "scroll");
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", "List of symbols");
    scroll.append(table);
    stage.dialogs.open(`Symbols of ${stage.run.solver.title}`, scroll);
    stage.paint();
  }
}

/** @param {HTMLElement} sym */
function panelOf(sym) {
  if (sym.closest(".numbers")) return "numbers";
  if (sym.closest(".why")) return "sentence";
  return sym.closest("section")?.className.split(" ")[0] ?? "";
}
