// What the link of a moment says: of the run, and of what is seen of it.

const SEEN = ["t", "beat", "x", "y", "field"];
const HALL = ["present", "also", "zoom", "panels", "controls"]; // how the stage is shown
const PRIVATE = ["upload:", "whole:"]; // how the names of uploaded data begin

/** @param {string} link */
export const wordsOf = link => new URLSearchParams(link);

// What is seen of the run; what the link does not say is as usual.
/** @param {URLSearchParams} words @returns {Seen} */
export function seenOf(words) {
  const said = (/** @type {string} */ name) => words.get(name) ?? "";
  const t = /^\d{1,9}$/.test(said("t")) ? Number(said("t")) : 0;
  return { t, beat: said("beat"), x: said("x") || "steps", y: said("y"), field: said("field") };
}

// What two moments of the same run have in common; how long it is does not matter, as one may be
// played on.
/** @param {URLSearchParams | Record<string, string>} words */
export function runOf(words) {
  const run = [...new URLSearchParams(words)].filter(
    ([name]) => name !== "T" && !SEEN.includes(name) && !HALL.includes(name),
  );
  return JSON.stringify(run.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {URLSearchParams} words */
export const isPrivate = words => PRIVATE.some(start => words.get("data")?.startsWith(start));

// A moment in a few words, where it has no heading.
/** @param {BoardMoment} moment @param {Map<string, string>} titles of solvers */
export function caption({ title, link }, titles) {
  const words = wordsOf(link);
  const key = words.get("solver") ?? "";
  const step = `Step ${seenOf(words).t}`; // first, as long names are cut
  return (
    title ||
    [step, titles.get(key) ?? key, words.has("fork") ? "fork" : ""].filter(Boolean).join(", ")
  );
}
