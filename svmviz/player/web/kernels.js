// The four kernels of parts.py on the examples and on the cells of the field (Gaussian and Laplacian factor over the axes).

const LINEAR = 0, RBF = 1, POLY = 2;

export function column({ kind, gamma, degree, coef0 }, { X, n, d }, i) {
  const out = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    let inner = 0, squared = 0, absolute = 0;
    for (let a = 0; a < d; a++) {
      const x = X[i * d + a], z = X[j * d + a];
      inner += x * z;
      squared += (x - z) * (x - z);
      absolute += Math.abs(x - z);
    }
    out[j] = kind === LINEAR ? inner : kind === POLY ? (gamma * inner + coef0) ** degree : Math.exp(-gamma * (kind === RBF ? squared : absolute));
  }
  return out;
}

export function gridColumn({ kind, gamma, degree, coef0 }, { X, d }, i, { xs, ys }) {
  const out = new Float64Array(xs.length * ys.length), x = X[i * d], y = X[i * d + 1];
  if (kind === LINEAR || kind === POLY) {
    for (let r = 0, cell = 0; r < ys.length; r++) for (let c = 0; c < xs.length; c++) {
      const inner = x * xs[c] + y * ys[r];
      out[cell++] = kind === LINEAR ? inner : (gamma * inner + coef0) ** degree;
    }
    return out;
  }
  const decay = kind === RBF ? u => Math.exp(-gamma * u * u) : u => Math.exp(-gamma * Math.abs(u));
  const across = Float64Array.from(xs, c => decay(c - x)), up = Float64Array.from(ys, r => decay(r - y));
  for (let r = 0, cell = 0; r < ys.length; r++) for (let c = 0; c < xs.length; c++) out[cell++] = up[r] * across[c];
  return out;
}
