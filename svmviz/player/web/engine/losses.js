// What a margin costs, and how steeply; losses.py has the same.

const [HINGE, SQUARED, SMOOTHED, LOGISTIC] = [0, 1, 2, 3];
const NAMES = ["hinge loss", "squared hinge loss", "smoothed hinge loss", "logistic loss"];

/** @param {number} m */
const short = m => Math.max(0, 1 - m);

/** @param {Loss} loss */
export const nameOf = ({ kind }) => NAMES[kind];
/** @param {Loss} loss */
export const isHinge = ({ kind }) => kind === HINGE;
/** @param {Loss} loss */
export const isSmoothed = ({ kind }) => kind === SMOOTHED;
/** @param {Loss} loss */
export const isBoxed = ({ kind }) => kind !== SQUARED; // whether coefficients of the dual end at C
/** @param {Loss} loss */
export const isFree = ({ kind }) => kind !== LOGISTIC; // whether a margin of 1 costs nothing

/** @param {Loss} loss @param {number} m */
export function value({ kind, s }, m) {
  if (kind === HINGE) return short(m);
  if (kind === SQUARED) return short(m) ** 2;
  if (kind === SMOOTHED) return m <= 1 - s ? 1 - m - s / 2 : short(m) ** 2 / (2 * s);
  return m > 0 ? Math.log1p(Math.exp(-m)) : Math.log1p(Math.exp(m)) - m;
}

/** @param {Loss} loss @param {number} m */
export function slope({ kind, s }, m) {
  if (kind === HINGE) return m < 1 ? -1 : 0;
  if (kind === SQUARED) return -2 * short(m);
  if (kind === SMOOTHED) return m <= 1 - s ? -1 : -short(m) / s;
  return -1 / (1 + Math.exp(m));
}
