// Expressions of a lesson, which svmviz/lessons/expressions.py has read, and the texts that they
// stand in.

import { fill } from "../engine/words.js";

/** @typedef {Record<string, number | string | boolean>} Facts */

/** @type {Record<string, (...parts: any[]) => any>} */
const RECKONED = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => (b ? a / b : NaN),
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  ">=": (a, b) => a >= b,
  ">": (a, b) => a > b,
  neg: a => -a,
  not: a => !a,
  and: (...all) => all.every(Boolean),
  or: (...any) => any.some(Boolean),
  abs: Math.abs,
  round: Math.round,
  min: Math.min,
  max: Math.max,
  percent: share => 100 * share,
};

/** @param {Tree} tree @param {Facts} facts @returns {any} */
export function reckon(tree, facts) {
  if (!Array.isArray(tree)) return tree;
  const [what, ...parts] = tree;
  if (what === "name") return facts[String(parts[0])];
  if (what === "'") return parts[0];
  return RECKONED[String(what)](...parts.map(part => reckon(part, facts)));
}

/**
 * Whether it asks for a name that begins so. @param {Tree} tree @param {string} start @returns
 * {boolean}
 */
export const asksFor = (tree, start) =>
  Array.isArray(tree) &&
  (tree[0] === "name"
    ? String(tree[1]).startsWith(start)
    : tree.slice(1).some(part => asksFor(part, start)));

/** @param {{ value: Tree, format: string }} part @param {Facts} facts */
export function worded({ value, format }, facts) {
  const found = reckon(value, facts);
  if (found === undefined || found === null) return "…";
  if (!format) return fill("{v}", { v: found });
  return Number.isFinite(found) ? fill(`{v:${format}}`, { ...facts, v: found }) : "–";
}

/**
 * The words of inline parts, for whoever cannot see how they look. @param {Inline[]} parts @param
 * {Facts} facts @returns {string}
 */
export function spoken(parts, facts) {
  return parts
    .map(part => {
      if (typeof part === "string") return part;
      if ("value" in part) return worded(part, facts);
      if ("em" in part) return spoken(part.em, facts);
      if ("strong" in part) return spoken(part.strong, facts);
      return "code" in part ? part.code : part.text;
    })
    .join("");
}
