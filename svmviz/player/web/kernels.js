// The four kernels of parts.py on the examples and on the cells of the field (Gaussian and Laplacian factor over the axes).

const LINEAR = 0, RBF = 1, POLY = 2, LAPLACIAN = 3;

export function column({ kind, gamma, degree, coef0 }, { X, rows: n, d }, i) {
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

// At the cells of the plane origin + basis: an orthonormal plane leaves one residual per example, and the kernel still factors.
export function gridColumn({ kind, gamma, degree, coef0 }, { X, d, points, basis, origin, plane }, i, { xs, ys }) {
  const out = new Float64Array(xs.length * ys.length), u = points[2 * i], v = points[2 * i + 1];
  const each = value => { for (let r = 0, cell = 0; r < ys.length; r++) for (let c = 0; c < xs.length; c++) out[cell++] = value(xs[c], ys[r]); };
  if (kind === LINEAR || kind === POLY) {
    let constant = 0, across = 0, up = 0;
    for (let j = 0; j < d; j++) { const x = X[i * d + j]; constant += x * origin[j]; across += x * basis[j]; up += x * basis[d + j]; }
    each((a, b) => { const inner = constant + across * a + up * b; return kind === LINEAR ? inner : (gamma * inner + coef0) ** degree; });
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
