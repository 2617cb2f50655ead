// The four kernels of parts.py on the examples and on the cells of the field (Gaussian and Laplacian factor over the axes).

const LINEAR = 0, RBF = 1, POLY = 2, LAPLACIAN = 3;

// exp(-y) for y >= 0, in the steps of exponentials.py: Math.exp may differ in the last digit, and from one browser to another.
const LOG2_E = 1.4426950408889634, LN2_HIGH = 6.93147180369123816490e-01, LN2_LOW = 1.90821492927058770002e-10, FAR = 708;
const POWERS = Float64Array.from({ length: 1023 }, (_, m) => 2 ** -m);

function exponential(y) {
  const x = y < FAR ? y : FAR, m = (x * LOG2_E + .5) | 0, r = (m * LN2_HIGH - x) + m * LN2_LOW;
  let p = 1 / 479001600 + r * (1 / 6227020800);
  p = 1 / 362880 + r * (1 / 3628800 + r * (1 / 39916800 + r * p));
  p = 1 / 720 + r * (1 / 5040 + r * (1 / 40320 + r * p));
  return (1 + r * (1 + r * (.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * p)))))) * POWERS[m];
}

function power(base, degree) {
  let value = 1;
  for (let k = 0; k < degree; k++) value *= base;
  return value;
}

// K(x_i, x_j) for every j, with the digits of parts.py. Two features, the usual case, need no loop.
export function column({ kind, gamma, degree, coef0 }, { X, rows: n, d }, i, out = new Float64Array(n)) {
  const from = i * d, to = from + d, plane = d === 2 && kind === RBF, u = X[from], v = X[from + 1];
  for (let j = 0, b = 0; j < n; j++) {
    let sum = 0;
    if (plane) { sum = (u - X[b]) * (u - X[b]) + (v - X[b + 1]) * (v - X[b + 1]); b += 2; }
    else if (kind === RBF) for (let a = from; a < to; a++, b++) sum += (X[a] - X[b]) * (X[a] - X[b]);
    else if (kind === LAPLACIAN) for (let a = from; a < to; a++, b++) sum += Math.abs(X[a] - X[b]);
    else for (let a = from; a < to; a++, b++) sum += X[a] * X[b];
    out[j] = sum;
  }
  if (kind === POLY) for (let j = 0; j < n; j++) out[j] = power(gamma * out[j] + coef0, degree);
  else if (kind !== LINEAR) for (let j = 0; j < n; j++) out[j] = exponential(gamma * out[j]);
  return out;
}

// At the cells of the plane origin + basis: an orthonormal plane leaves one residual per example, and the kernel still factors.
export function gridColumn({ kind, gamma, degree, coef0 }, { X, d, points, basis, origin, plane }, i, { xs, ys }) {
  const out = new Float64Array(xs.length * ys.length), u = points[2 * i], v = points[2 * i + 1];
  const each = value => { for (let r = 0, cell = 0; r < ys.length; r++) for (let c = 0; c < xs.length; c++) out[cell++] = value(xs[c], ys[r]); };
  if (kind === LINEAR || kind === POLY) {
    let constant = 0, across = 0, up = 0;
    for (let j = 0; j < d; j++) { const x = X[i * d + j]; constant += x * origin[j]; across += x * basis[j]; up += x * basis[d + j]; }
    each((a, b) => { const inner = constant + across * a + up * b; return kind === LINEAR ? inner : power(gamma * inner + coef0, degree); });
    return out;
  }
  if (kind === LAPLACIAN && plane.rotated) {                 // the 1-norm does not survive a rotation: coordinate by coordinate
    each((a, b) => {
      let absolute = 0;
      for (let j = 0; j < d; j++) absolute += Math.abs(X[i * d + j] - origin[j] - a * basis[j] - b * basis[d + j]);
      return Math.exp(-gamma * absolute);
    });
    return out;
  }
  let rest = 0;
  for (let j = 0; j < d; j++) {
    const off = X[i * d + j] - origin[j] - u * basis[j] - v * basis[d + j];
    rest += kind === RBF ? off * off : Math.abs(off);
  }
  const decay = kind === RBF ? z => Math.exp(-gamma * z * z) : z => Math.exp(-gamma * Math.abs(z)), height = Math.exp(-gamma * rest);
  const across = Float64Array.from(xs, c => decay(c - u)), up = Float64Array.from(ys, r => height * decay(r - v));
  for (let r = 0, cell = 0; r < ys.length; r++) for (let c = 0; c < xs.length; c++) out[cell++] = up[r] * across[c];
  return out;
}
