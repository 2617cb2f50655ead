// The best tagging of a sentence; maths/viterbi.py has the same.

// Scores by place and tag, and of pairs (tag before, tag): the tags whose scores sum up highest,
// the first of those that tie, and that sum.
/** @param {number[][]} scores @param {number[][]} pairs */
export function viterbi(scores, pairs) {
  const tags = pairs.length;
  let best = [...scores[0]];
  const back = scores.slice(1).map(own => {
    const from = own.map((_, c) => {
      let first = 0;
      for (let b = 1; b < tags; b++)
        if (best[b] + pairs[b][c] > best[first] + pairs[first][c]) first = b;
      return first;
    });
    best = own.map((v, c) => best[from[c]] + pairs[from[c]][c] + v);
    return from;
  });
  const path = [best.indexOf(Math.max(...best))];
  for (const from of back.reverse()) path.unshift(from[path[0]]);
  return { path, score: Math.max(...best) };
}

// What a tagging scores.
/** @param {number[][]} scores @param {number[][]} pairs @param {number[]} path */
export const total = (scores, pairs, path) =>
  path.reduce((sum, c, j) => sum + scores[j][c] + (j ? pairs[path[j - 1]][c] : 0), 0);

// The tagging that scores highest with 1 more for each wrong tag, and by how much it leads the true
// one; the true one itself where nothing leads it.
/** @param {number[][]} scores @param {number[][]} pairs @param {number[]} real */
export function dearest(scores, pairs, real) {
  const costly = scores.map((own, j) => own.map((v, c) => v + +(c !== real[j])));
  const { path, score } = viterbi(costly, pairs);
  const loss = score - total(scores, pairs, real);
  return loss > 0 ? { path, loss } : { path: real, loss: 0 };
}
