// What a file cannot do, in words, and where it can be done.

import { make } from "../canvas/elements.js";
import { linkTo } from "../browser/home.js";

/**
 * @param {Page} page
 * @param {Offline} stage
 * @param {Record<string, string>} [query] of the app, if not that of the moment
 */
export function beyond(page, stage, query) {
  const textContent =
    "That needs a new run, and this page holds no more than it shows. " +
    (page.home ? "The app can do it." : "Open the run in the svmviz app to do it.");
  const lead = () => open(query ? linkTo(query) : stage.dialogs.address(), "_blank", "noopener");
  /** @type {[string, () => void][]} */
  const ways = page.home ? [["Open the app", lead]] : [];
  stage.dialogs.open("Not on this page", make("p", { textContent }), ...ways);
}
