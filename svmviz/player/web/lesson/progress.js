// How far somebody has come, kept in his own browser: the card of each lesson, which were done, and how many
// answers were right.

const KEY = "svmviz.lessons";

/** @typedef {{ card: number, done: number[], got: number, of: number }} Progress */

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
  const { card = 0, done = [], got = 0, of: asked = 0 } = all()[key] ?? {};
  return {
    card: Number.isInteger(card) ? card : 0,
    done: Array.isArray(done) ? done.filter(Number.isInteger) : [],
    got: Number(got) || 0,
    of: Number(asked) || 0,
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
