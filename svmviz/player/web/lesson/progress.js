// How far somebody has come, kept in his own browser: the card of each lesson, which were done, how many questions
// were asked and how many of them were answered rightly.

const KEY = "svmviz.lessons";

/** @typedef {{ card: number, done: number[], right: number, asked: number }} Progress */

/** @returns {Record<string, Progress>} */
export function all() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {}; // no storage, or somebody wrote into it
  }
}

/** @param {string} key @returns {Progress} */
export function of(key) {
  const { card = 0, done = [], right = 0, asked = 0 } = all()[key] ?? {};
  return {
    card: Number.isInteger(card) ? card : 0,
    done: Array.isArray(done) ? done.filter(Number.isInteger) : [],
    right: Number(right) || 0,
    asked: Number(asked) || 0,
  };
}

/** @param {string} key @param {Progress} progress */
export function keep(key, progress) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [key]: progress }));
  } catch {
    // a browser that keeps nothing: the lesson goes on
  }
}
