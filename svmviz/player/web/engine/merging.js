// Two support vectors with the Gaussian kernel that become one, as merge.py has it.

const EQUAL = 1e-5; // relative: what float32 leaves of equal weights
const RATIO = (Math.sqrt(5) - 1) / 2;

// ‖Δ‖² of putting two vectors at distance L = γ|x_m − x_n|² into one at h x_m + (1 − h) x_n, with the best
// coefficients: a pair holds |α_m|², |α_n|² and their product, whether these are numbers or vectors with an
// entry per class.
/** @param {Pair} pair @param {number} h */
export const lost = ({ mm, nn, mn, L }, h) => {
  const p = Math.exp(-L * (1 - h) ** 2);
  const q = Math.exp(-L * h * h);
  return Math.max(0, mm + nn + 2 * mn * Math.exp(-L) - (mm * p * p + 2 * mn * p * q + nn * q * q));
};

// Golden section on the half beside the heavier vector, or beside m, the older one, of two equally heavy;
// every bracket on the way.
/** @param {Pair} pair */
export function golden(pair) {
  let [a, b] = pair.mm < pair.nn * (1 - EQUAL) ? [0, 0.5] : [0.5, 1];
  const brackets = [[a, b]];
  for (let k = 0; k < 40; k++) {
    const c = b - RATIO * (b - a);
    const d = a + RATIO * (b - a);
    if (lost(pair, c) <= lost(pair, d)) b = d;
    else a = c;
    brackets.push([a, b]);
  }
  const h = [(a + b) / 2, brackets[0][0], brackets[0][1]].reduce((best, v) =>
    lost(pair, v) < lost(pair, best) ? v : best,
  );
  return { ...pair, h, lost: lost(pair, h), brackets };
}
