// The names at the ends of primal and dual, with the optimum between them.

import { clamp } from "../../canvas/scales.js";

/** @param {number} primal @param {number} dual @param {number | null} optimum */
export const endsOf = (primal, dual, optimum) => [
  { name: "primal", y: primal },
  ...(optimum === null ? [] : [{ name: "optimum", y: clamp(optimum, primal, dual) }]),
  { name: "dual", y: dual },
];

/** @param {Theme} theme @param {string} name @returns {Look} */
export const endLook = (theme, name) => ({
  size: 13.5,
  weight: 650,
  color: name === "optimum" ? theme.optimum : theme.ink,
  base: "middle",
  halo: theme.bg,
});
