// What a segment's w is a vector of: the features themselves, or waves cos⟨v, x⟩, sin⟨v, x⟩ of them (SBP paper, Appendix A).
// Waves are computed once, at the examples and at the cells of the field; after that everything is linear.

export function sights(run, grid) {
  const plain = { X: run.X, d: run.d, field: (w, out) => slope(run, grid, w, out) }, known = new Map();
  let from = 0;
  return run.segments.map(({ waves }) => {
    if (!waves) return plain;
    const V = run.waves.subarray(from, from += waves * run.d), key = V.join();
    if (!known.has(key)) known.set(key, mapped(run, grid, V, waves));
    return known.get(key);
  });
}

// ⟨w, x⟩ at the cells of the plane origin + basis.
function slope({ d, basis, origin }, { xs, ys }, w, out) {
  const along = [0, 0, 0];                                   // <w, origin> and <w, basis>
  for (let j = 0; j < d; j++) { along[0] += w[j] * origin[j]; along[1] += w[j] * basis[j]; along[2] += w[j] * basis[d + j]; }
  for (let r = 0, cell = 0; r < ys.length; r++) for (let c = 0; c < xs.length; c++) out[cell++] = along[0] + along[1] * xs[c] + along[2] * ys[r];
}

function mapped({ X, n, d, basis, origin }, { xs, ys }, V, waves) {
  const unit = 1 / Math.sqrt(waves), rows = new Float64Array(2 * n * waves), cells = new Float64Array(2 * waves * xs.length * ys.length);
  const put = (out, at, phase) => { out[at] = unit * Math.cos(phase); out[at + 1] = unit * Math.sin(phase); };
  const plane = [];                                          // phase on the plane: <v, origin> and <v, basis>
  for (let k = 0; k < waves; k++) {
    const along = [0, 0, 0];
    for (let j = 0; j < d; j++) { const v = V[k * d + j]; along[0] += v * origin[j]; along[1] += v * basis[j]; along[2] += v * basis[d + j]; }
    plane.push(along);
    for (let i = 0; i < n; i++) {
      let phase = 0;
      for (let j = 0; j < d; j++) phase += V[k * d + j] * X[i * d + j];
      put(rows, 2 * (i * waves + k), phase);
    }
    for (let r = 0, cell = 0; r < ys.length; r++) for (let c = 0; c < xs.length; c++, cell++) put(cells, 2 * (cell * waves + k), along[0] + along[1] * xs[c] + along[2] * ys[r]);
  }
  const width = 2 * waves, field = (w, out) => {
    for (let cell = 0, at = 0; cell < out.length; cell++) {
      let sum = 0;
      for (let j = 0; j < width; j++) sum += w[j] * cells[at++];
      out[cell] = sum;
    }
  };
  return { X: rows, d: width, field, V, waves, plane };
}
