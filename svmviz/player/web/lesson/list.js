// All lessons, with how far somebody has come in each.

import { made, noted } from "./prose.js";
import * as progress from "./progress.js";

/**
 * @param {LessonRow[]} lessons
 * @param {string[]} messages
 * @param {(key: string, card: number) => void} open
 */
export function listed(lessons, messages, open) {
  const out = made("div", "lessons");
  const words =
    "Each lesson is a handful of cards beside a live run. You look, you turn something until a condition holds, " +
    "and you say what the solver will do next, before it does.";
  out.append(made("h2", "", "Lessons"), ...noted(messages), made("p", "invitation", words));
  const list = made("ol");
  lessons.forEach(({ key, title, about, minutes, cards, own }, number) => {
    const { card, done } = progress.of(key);
    const item = made("li");
    const at = done.length >= cards ? 0 : Math.min(card, cards - 1);
    const link = Object.assign(document.createElement("a"), {
      href: `?lesson=${key}&card=${at + 1}`,
    });
    link.addEventListener("click", event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open(key, at);
    });
    const dots = made("span", "dots");
    dots.setAttribute("aria-hidden", "true");
    for (let k = 0; k < cards; k++) dots.append(made("i", done.includes(k) ? "over" : ""));
    const state = !done.length && !card ? "Start" : done.length >= cards ? "Again" : "Go on";
    const how = `${cards} cards, ${minutes} minutes${done.length ? `, ${done.length} done` : ""}`;
    link.append(
      made("span", "number", own ? "yours" : String(number + 1)),
      made("h3", "", title),
      made("p", "", about),
      dots,
      made("span", "how", how),
      made("span", "go", state),
    );
    item.append(link);
    list.append(item);
  });
  out.append(list);
  return out;
}
