// What can be chosen on a page among what was recorded: other parts of it, which are files beside
// it.

import { find } from "../canvas/elements.js";
import { text } from "./files.js";

/** @param {Choices[]} groups @param {(root: ParentNode) => void} watch what has come */
export function choosing(groups, watch) {
  const now = new Map(groups.map(group => [group, group.states[0][0]]));
  document.addEventListener("change", async ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    const name = input.closest("[data-choice]")?.getAttribute("data-choice") ?? "";
    const group = groups.find(({ states }) => states.some(([state]) => name in state));
    if (!group) return;
    const [state, file] = nearest(group, { ...now.get(group), [name]: Number(input.value) }, name);
    now.set(group, state);
    busy(true);
    const parts = new DOMParser().parseFromString(await text(file), "text/html");
    // something else was chosen meanwhile, and will be there soon
    if (now.get(group) !== state) return;
    for (const part of group.parts) {
      const [old, found] = [document, parts].map(root =>
        root.querySelector(`[data-part="${part}"]`),
      );
      if (!old || !found) continue;
      old.replaceWith(found);
      watch(/** @type {Element} */ (found.parentElement));
    }
    const again = document.querySelector(
      input.type === "radio"
        ? `[name="${name}"][value="${input.value}"]`
        : `select[data-choice="${name}"]`,
    );
    if (document.activeElement === document.body)
      /** @type {HTMLElement | null} */ (again)?.focus();
    busy(false);
  });
}

/** @param {boolean} yes */
const busy = yes => find(document, "main").setAttribute("aria-busy", String(yes));

// Of the combinations in which this was chosen, the one most like what was wanted.
/** @param {Choices} group @param {Record<string, number>} wanted @param {string} name */
export function nearest({ states }, wanted, name) {
  /** @param {Record<string, number>} state */
  const alike = state => Object.keys(state).filter(key => state[key] === wanted[key]).length;
  return states
    .filter(([state]) => state[name] === wanted[name])
    .reduce((best, one) => (alike(one[0]) > alike(best[0]) ? one : best));
}
