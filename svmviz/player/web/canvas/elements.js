// Elements of the page, made and written to, and what a pointer does with them.

// What is asked for is taken to be there.
/** @param {ParentNode} root @param {string} name */
export const find = (root, name) => /** @type {HTMLElement} */ (root.querySelector(name));

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [properties]
 */
export const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

// Written only where it says something else: a page that is written to is laid out anew.
/** @param {Element} element @param {string} words */
export function say(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

// What a click does; it must not take the keys away from the stage.
/** @template {HTMLElement} T @param {T} element @param {() => void} act */
export function clicked(element, act) {
  element.addEventListener("pointerdown", event => event.preventDefault());
  element.addEventListener("click", act);
  return element;
}

/** @param {string} words @param {() => void} act @param {Record<string, unknown>} [properties] */
export const button = (words, act, properties) =>
  clicked(make("button", { type: "button", textContent: words, ...properties }), act);

// What a finger does that taps: it leaves nothing to hover over.
/** @param {HTMLElement} element @param {(event: PointerEvent) => void} act */
export function touched(element, act) {
  element.addEventListener("click", event => {
    if (event instanceof PointerEvent && event.pointerType === "touch") act(event);
  });
}

// Follow a pointer that is pressed on an element, until it is let go.
/**
 * @param {HTMLElement} element
 * @param {(event: PointerEvent) => void} to
 * @param {() => void} done
 */
export function dragged(element, to, done) {
  let dragging = false;
  element.addEventListener("pointerdown", event => {
    element.setPointerCapture(event.pointerId);
    dragging = true;
    to(event);
  });
  element.addEventListener("pointermove", event => {
    if (dragging) to(event);
  });
  for (const end of ["pointerup", "pointercancel"])
    element.addEventListener(end, () => {
      if (dragging) done();
      dragging = false;
    });
}
