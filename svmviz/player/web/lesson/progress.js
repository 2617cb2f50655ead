// How far somebody has come, kept in his own browser: the card of each lesson, which were done, how
// many questions were asked and how many of them were answered rightly.

import { keep as write, kept } from "../browser/kept.js";

const KEY = "svmviz.lessons";

/** @typedef {{ card: number, done: number[], right: number, asked: number }} Progress */

/** @returns {Record<string, Progress>} */
export function all() {
  try {
    const found = JSON.parse(kept(KEY) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {}; // somebody wrote into it
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
export const keep = (key, progress) => write(KEY, JSON.stringify({ ...all(), [key]: progress }));
