// From values to pixels, where the ticks of an axis stand, and how numbers are written.

import { counted, significant } from "../engine/words.js";

/** @param {number} v @param {number} low @param {number} high */
export const clamp = (v, low, high) => Math.max(low, Math.min(high, v));

/** @type {(d0: number, d1: number, r0: number, r1: number) => Scale} */
export const scale = (d0, d1, r0, r1) =>
  Object.assign((/** @type {number} */ v) => r0 + ((v - d0) / (d1 - d0)) * (r1 - r0), {
    d0,
    d1,
    r0,
    r1,
    back: (/** @type {number} */ p) => d0 + ((p - r0) / (r1 - r0)) * (d1 - d0),
  });
/** @type {(d0: number, d1: number, r0: number, r1: number) => Scale} */
export const logScale = (d0, d1, r0, r1) => {
  const s = scale(Math.log(d0), Math.log(d1), r0, r1);
  return Object.assign((/** @type {number} */ v) => s(Math.log(Math.max(v, 1e-300))), {
    d0,
    d1,
    r0,
    r1,
    back: (/** @type {number} */ p) => Math.exp(s.back(p)),
  });
};

/** @param {number} low @param {number} high @param {number} about */
export function ticks(low, high, about) {
  const raw = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5].find(m => m * power >= raw) ?? 10) * power;
  const out = [];
  for (let v = Math.ceil(low / step - 1e-9); v * step <= high + step * 1e-9; v++)
    out.push(v * step);
  return out;
}

/** @param {number} low @param {number} high @param {number} [most] */
export function decades(low, high, most = 6) {
  if (!(low > 0 && high < Infinity)) return []; // a scale of nothing has no ticks
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const every = Math.ceil((last - first + 1) / most) || 1;
  const out = [];
  for (let e = first; e <= last; e++) if ((last - e) % every === 0) out.push(10 ** e);
  return out;
}

// Three digits, with a true minus.
/** @param {number} v */
export const short = v => significant(v, 3);

/** @param {number} v */
export const percent = v => `${tickText(Math.round(v * 1000) / 10)} %`;

/** @param {number} v */
export function tickText(v) {
  const a = Math.abs(v);
  if (a === 0) return "0";
  if (a >= 1e5 || a < 1e-3) {
    const e = Math.floor(Math.log10(a) + 1e-9);
    const m = Math.round(v / 10 ** e);
    return (
      (m === 1 ? "" : `${m}·`) +
      "10" +
      [...String(e)].map(ch => (ch === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[+ch])).join("")
    );
  }
  return counted(+v.toPrecision(6));
}
