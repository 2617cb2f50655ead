// What a margin, or the residual of a regression, costs, and how steeply; losses.py has the same.

const [HINGE, SQUARED, SMOOTHED, LOGISTIC, TUBE, SQUARE] = [0, 1, 2, 3, 4, 5];
const NAMES = [
  "hinge loss",
  "squared hinge loss",
  "smoothed hinge loss",
  "logistic loss",
  "ε-insensitive loss",
  "squared loss",
];

/** @param {number} m */
const short = m => Math.max(0, 1 - m);

/** @param {Loss} loss */
export const nameOf = ({ kind }) => NAMES[kind];
/** @param {Loss} loss */
export const isHinge = ({ kind }) => kind === HINGE;
/** @param {Loss} loss */
export const isSmoothed = ({ kind }) => kind === SMOOTHED;
/** @param {Loss} loss */
// whether coefficients of the dual end at C
export const isBoxed = ({ kind }) => kind !== SQUARED && kind !== SQUARE;
// Whether w is kept in the ball that w* lies in: by choice, or as slopes without a bound ask for
// it.
/** @param {Params} params */
export const inBall = ({ project, loss }) => Boolean(project) || Boolean(loss && !isBoxed(loss));
/** @param {Loss} loss */
export const isFree = ({ kind }) => kind !== LOGISTIC; // whether a margin of 1 costs nothing
/** @param {Loss} loss */
export const isTube = ({ kind }) => kind === TUBE;
// Half the width of the tube, 0 where the loss has none.
/** @param {Loss} loss */
export const tubeOf = loss => (isTube(loss) ? loss.s : 0);
/** @param {Loss} loss */
// whether some standings count as wrong, not only as far
export const hasErrors = ({ kind }) => kind !== SQUARE;
/** @param {Loss} loss */
export const isResidual = ({ kind }) => kind >= TUBE; // whether it is of f - y, not of y f

// What the loss is of: the margin y f of a label, the residual f - y of a target.
/** @param {Loss} loss @param {number} y @param {number} f */
export const standing = (loss, y, f) => (isResidual(loss) ? f - y : y * f);

/** @param {Loss} loss @param {number} m */
export function value({ kind, s }, m) {
  if (kind === HINGE) return short(m);
  if (kind === TUBE) return Math.max(0, Math.abs(m) - s);
  if (kind === SQUARE) return (m * m) / 2;
  if (kind === SQUARED) return short(m) ** 2;
  if (kind === SMOOTHED) return m <= 1 - s ? 1 - m - s / 2 : short(m) ** 2 / (2 * s);
  return m > 0 ? Math.log1p(Math.exp(-m)) : Math.log1p(Math.exp(m)) - m;
}

/** @param {Loss} loss @param {number} m */
export function slope({ kind, s }, m) {
  if (kind === HINGE) return m < 1 ? -1 : 0;
  if (kind === TUBE) return Math.abs(m) > s ? Math.sign(m) : 0;
  if (kind === SQUARE) return m;
  if (kind === SQUARED) return -2 * short(m);
  if (kind === SMOOTHED) return m <= 1 - s ? -1 : -short(m) / s;
  return -1 / (1 + Math.exp(m));
}
