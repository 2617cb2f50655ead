// The text of a card as elements: nothing of it is ever HTML.

import { worded } from "./reckon.js";

/** @param {string} tag @param {string} [className] @param {string} [textContent] */
export const made = (tag, className = "", textContent = "") =>
  Object.assign(document.createElement(tag), { className, textContent });

// What there is to say about a link.
/** @param {string[]} messages */
export const noted = messages =>
  messages.map(words => {
    const note = made("p", "note", words);
    note.setAttribute("role", "status");
    return note;
  });

/**
 * @param {Block[]} blocks
 * @param {Record<string, any>} facts
 * @param {(href: string) => void} follow
 */
export function written(blocks, facts, follow) {
  /** @type {HTMLElement[]} */
  const out = [];
  for (const { kind, parts } of blocks) {
    const inner = inline(parts, facts, follow);
    if (kind === "li") {
      const list = out.at(-1)?.tagName === "UL" ? out.at(-1) : made("ul");
      const item = made("li");
      item.append(...inner);
      list.append(item);
      if (list !== out.at(-1)) out.push(list);
    } else {
      const paragraph = made("p");
      paragraph.append(...inner);
      out.push(paragraph);
    }
  }
  return out;
}

/**
 * @param {Inline[]} parts
 * @param {Record<string, any>} facts
 * @param {(href: string) => void} follow
 * @returns {(Node | string)[]}
 */
export function inline(parts, facts, follow) {
  return parts.map(part => {
    if (typeof part === "string") return part;
    if ("value" in part) return made("b", "value", worded(part, facts));
    if ("code" in part) return made("code", "", part.code);
    if ("link" in part) {
      const link = Object.assign(made("a", "", part.text), { href: part.link });
      link.addEventListener("click", event => {
        event.preventDefault();
        follow(part.link);
      });
      return link;
    }
    const strong = "strong" in part;
    const around = made(strong ? "strong" : "em");
    around.append(...inline(strong ? part.strong : part.em, facts, follow));
    return around;
  });
}
