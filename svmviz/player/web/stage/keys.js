// Who has the keys. The stage has them, unless somebody writes in a field or has come to a control
// by the keyboard: what was used with the pointer gives them back once it is let go.

const WRITES =
  "input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, [contenteditable]";
const CHOOSES =
  "select, [role=combobox], [role=listbox], [role=option], [role=menu], [role=menuitem], dialog, [role=dialog]";
const SLIDES = "[type=range], [role=slider]:not(.scrub)";
const ALONG = [
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "ArrowDown",
  "Home",
  "End",
  "PageUp",
  "PageDown",
];
const PRESSES =
  "button, a, summary, [role=button], [role=radio], [role=tab], [type=checkbox], [type=radio]";

/** @param {Event} event @param {string} names */
const within = (event, names) =>
  Boolean(/** @type {Element} */ (event.composedPath()[0]).closest?.(names));
/** @param {Event} event */
export const writes = event => within(event, WRITES);

// What a key is called in tables of keys.
/** @param {KeyboardEvent} event */
export const nameOf = ({ key }) => (key.length === 1 ? key.toLowerCase() : key);

// Whether a key belongs to what has the focus, or to the browser, and not to the stage.
/** @param {KeyboardEvent} event */
export function elsewhere(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const { key } = event;
  if (writes(event) || within(event, CHOOSES)) return true;
  if (ALONG.includes(key) && within(event, `${SLIDES}, [role=radio], [role=tab], [type=radio]`))
    return true;
  return [" ", "Enter"].includes(key) && within(event, PRESSES);
}

function focused() {
  let held = document.activeElement;
  while (held?.shadowRoot?.activeElement) held = held.shadowRoot.activeElement;
  return held;
}

// What a click leads to that goes on: a field to write in, an open menu, a dialog.
/** @param {Element} held @param {boolean} chosen */
function goesOn(held, chosen) {
  if (held.closest("dialog, [role=dialog], [role=menu], [role=listbox], select")) return true;
  if (held.matches("[role=combobox]"))
    return !chosen && held.getAttribute("aria-expanded") === "true";
  return held.matches(`${WRITES}, [aria-expanded=true]`);
}

// Let the stage have the keys again after every click and every slider that is let go; returns how
// to stop that.
/** @param {Shell} stage */
export function keepKeys(stage) {
  const { frame } = stage;
  const ending = new AbortController();
  const { signal } = ending;
  let pointed = false; // whether the pointer was used last, or a key
  const back = () => {
    if (!stage.gone) frame.focus({ preventScroll: true });
  };
  /** @param {(held: Element) => boolean} done */
  const released = done =>
    setTimeout(() => {
      // once the control has done its part
      const held = focused();
      if (held && held !== frame && held !== document.body && done(held)) back();
    });
  /** @param {EventTarget} target @param {string} name @param {(event: Event) => void} act */
  const on = (target, name, act) => target.addEventListener(name, act, { capture: true, signal });
  frame.tabIndex = -1;
  on(window, "pointerdown", () => {
    pointed = true;
  });
  on(window, "keydown", () => {
    pointed = false;
  });
  /** @param {Event} event */
  const mine = event => stage.alone || event.composedPath().includes(frame);
  on(window, "pointerup", event => {
    if (mine(event)) released(held => held.matches(SLIDES));
  });
  on(window, "click", event => {
    if (!mine(event)) return;
    const chosen = event
      .composedPath()
      .some(element => /** @type {Element} */ (element).matches?.("[role=option]"));
    // 0 is a key that presses a button
    if (/** @type {UIEvent} */ (event).detail > 0) released(held => !goesOn(held, chosen));
  });
  on(frame, "change", event => {
    if (pointed && event.target instanceof HTMLSelectElement) back();
  });
  return () => ending.abort();
}
