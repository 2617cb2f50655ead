// The mechanism of Pegasos for sequences: the lattice of a sentence, a column for each point and a
// row for each tag, with the true path and the one that Viterbi's algorithm finds; below it the
// weights of pairs of tags.

import { lookOf } from "../engine/scores.js";
import { dearest } from "../engine/own/viterbi.js";
import { decimals, plural } from "../engine/words.js";
import { circle, colorOf, column, dot, line, mark, text } from "../canvas/draw.js";
import { Board } from "./parts/board.js";
import { clamp, short } from "../canvas/scales.js";
import { centred, open } from "./parts/axis.js";

export const CHANGE = ["shrink", "add"];
/** @type {Panel["formula"]} */
export const formula = () => [
  "the tag with the highest score, without its neighbours",
  "highest score alone",
];

// v after step t: a row for each tag before.
/** @param {Run} run @param {number} t @param {number} [s] */
const pairsOf = (run, t, s) =>
  run.classes.map((_, a) =>
    run.classes.map((_, b) => (t > 0 ? (run.at(`pair_${a}_${b}`, t, s) ?? 0) : 0)),
  );

// The sentence of step t, as w and v stood before it.
/** @param {Run} run @param {State} before @param {number} t */
function sentenceOf(run, before, t) {
  const points = [...run.drawn.subarray(run.first[t], run.first[t + 1])];
  const scores = points.map(i => run.classes.map((_, c) => before.f[c * run.rows + i]));
  const real = points.map(i => run.y[i]);
  const pairs = pairsOf(run, t - 1);
  return { points, scores, pairs, real, ...dearest(scores, pairs, real) };
}

// What sentences cost has travelled: it is no sum over points.
/** @type {Panel["finish"]} */
export const finish = (state, run) => {
  const { t } = state;
  const known = { hinge: "hinge", norm: "norm", primal: "objective" };
  for (const [name, array] of Object.entries(known)) {
    const v = run.array(array)?.[t];
    if (v !== undefined) Object.assign(state, { [name]: v });
  }
  state.wrong = run.wrong[t];
};

/** @implements {Machinery} */
export class Mechanism extends Board {
  far = 1; // of the weights of pairs
  reach = 1; // of the scores

  /** @param {HTMLElement} section */
  constructor(section) {
    super(
      section,
      {
        title: "Lattice",
        view: "hinge lattice",
        label: "All tags of all points of the sentence, and two ways through them",
        lights: ["hinge"],
      },
      {
        title: "Pairs of tags",
        view: "beats",
        tab: "Pairs",
        label: "The weight of each pair of tags",
        words: ["v: how well the tag of the column follows that of the row", "column after row"],
        lights: ["step"],
      },
    );
    this.lattice = this.sheets[0];
    this.table = this.sheets[1];
  }

  // Limits come from the whole trace, never from the step.
  /** @param {Run} run */
  prepare(run) {
    const late = Math.floor(run.T / 4) + 1; // the first steps are very long
    this.far = 1e-9;
    for (const a of run.classes.keys())
      for (const b of run.classes.keys())
        for (const v of run.array(`pair_${a}_${b}`)?.subarray(late) ?? [])
          this.far = Math.max(this.far, Math.abs(v));
    const sorted = Float32Array.from(run.margin, Math.abs).sort();
    this.reach = Math.max(sorted[Math.round(0.8 * (sorted.length - 1))] ?? 1, 1);
  }

  /** @param {View} view */
  facts({ run, t, told }) {
    const wrong = told
      ? `${plural(run.array("hits")?.[t] ?? 0, "wrong tag")} in ŷ`
      : "no sentence yet";
    return [wrong, `${run.classes.length} by ${run.classes.length} weights`];
  }

  /** @param {View} view @param {boolean} loud */
  paint(view, loud) {
    const { run, t, told } = view;
    if (this.lattice.visible) this.paintLattice(view);
    if (this.table.visible) this.paintPairs(view);
    if (!loud) return;
    const span = told
      ? `points ${run.drawn[run.first[t]] + 1} to ${run.drawn[run.first[t + 1] - 1] + 1}`
      : "";
    this.captions[0].say(
      ...(told
        ? [
            `${span}: line y, dashed ŷ with 1 more for each wrong tag`,
            `${span}: line y, dashed ŷ`,
            span,
          ]
        : ["a column for each point of a sentence"]),
    );
  }

  /** @param {View} view */
  paintLattice(view) {
    const { run, theme, t, told, last, beat, segment } = view;
    const { g, w, h, u } = open(this.lattice, theme);
    const left = 34 * u;
    const places = segment.k;
    const tags = run.classes.length;
    const low = h - 24 * u;
    const wide = (w - left) / places;
    const high = low / tags;
    /** @param {number} j */
    const x = j => left + (j + 0.5) * wide;
    /** @param {number} c */
    const y = c => (c + 0.5) * high;
    for (let c = 0; c < tags; c++) {
      mark(g, lookOf(run, c), 8 * u, y(c), 5 * u, colorOf(theme, lookOf(run, c)));
      text(g, theme, run.classes[c].slice(0, 3), 17 * u, y(c), {
        base: "middle",
        color: theme.ink2,
        weight: 600,
      });
    }
    const radius = Math.min(wide / 2 - 2, high / 2 - 2, 15 * u);
    if (!told) {
      for (let j = 0; j < places; j++)
        for (let c = 0; c < tags; c++) circle(g, x(j), y(c), radius * 0.4, theme.grid, 1.5);
      return;
    }
    const { points, scores, real, path } = sentenceOf(run, last.before, t);
    const seen = beat !== "draw";
    line(
      g,
      real.map((c, j) => [x(j), y(c)]),
      theme.ink,
      3,
    );
    if (seen)
      line(
        g,
        path.map((c, j) => [x(j), y(c)]),
        theme.now,
        2.5,
        [6, 5],
      );
    points.forEach((i, j) => {
      for (let c = 0; c < tags; c++) {
        const size = radius * (0.3 + 0.7 * clamp((scores[j][c] / this.reach + 1) / 2, 0, 1));
        dot(g, x(j), y(c), size, colorOf(theme, lookOf(run, c)), theme.bg);
        if (seen && path[j] === c && path[j] !== real[j])
          circle(g, x(j), y(c), radius + 2, theme.now, 2.5);
        if (radius > 11 && wide > 38 * u)
          centred(g, theme, decimals(scores[j][c], 1), x(j), y(c) + radius + 11 * u, {
            color: theme.ink2,
            halo: theme.bg,
          });
      }
      const look = path[j] === real[j] || !seen ? {} : { color: theme.now, weight: 700 };
      if (wide > 22 * u) centred(g, theme, String(i + 1), x(j), h - 5 * u, look);
    });
  }

  // While a step is taken, v goes from what it was to what it is.
  /** @param {View} view */
  paintPairs({ run, theme, t, told, shown, s }) {
    const { g, w, h, u } = open(this.table, theme);
    const tags = run.classes.length;
    const left = 34 * u;
    const top = 24 * u;
    const wide = Math.min((w - left) / tags, 120 * u);
    const high = (h - top - 4) / tags;
    const [old, now] = [pairsOf(run, told ? t - 1 : t), pairsOf(run, t, told ? undefined : s)];
    for (let a = 0; a < tags; a++) {
      const look = lookOf(run, a);
      mark(g, look, 10 * u, top + (a + 0.5) * high, 5 * u, colorOf(theme, look));
      mark(g, look, left + (a + 0.5) * wide, 11 * u, 5 * u, colorOf(theme, look));
      for (let b = 0; b < tags; b++) {
        const mixed = told ? old[a][b] + shown * (now[a][b] - old[a][b]) : now[a][b];
        const v = Math.abs(mixed) < 1e-9 * this.far ? 0 : mixed; // what rounding leaves
        const share = clamp(Math.abs(v) / this.far, 0, 1);
        const moved =
          told && Math.abs(now[a][b] - old[a][b] * (1 - run.shrink[t])) > 1e-6 * this.far;
        g.globalAlpha = 0.12 + 0.5 * share;
        const [px, py] = [left + b * wide, top + a * high];
        column(g, px + 1.5, py + 1.5, wide - 3, high - 3, colorOf(theme, v >= 0));
        g.globalAlpha = 1;
        centred(g, theme, short(v), px + wide / 2, py + high / 2, {
          base: "middle",
          weight: moved ? 700 : 500,
          color: moved ? theme.now : theme.ink,
          halo: theme.bg,
        });
      }
    }
  }
}

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  const { params, k } = run.segment(t);
  const n = run.count(t);
  if (t === 0) return { t: 0, n, L: k, first: k };
  const cost = run.array("cost")?.[t] ?? 0;
  const hits = run.array("hits")?.[t] ?? 0;
  let margin = Infinity;
  for (let e = run.first[t]; e < run.first[t + 1]; e++) margin = Math.min(margin, run.margin[e]);
  return {
    t,
    n,
    L: k,
    i: run.drawn[run.first[t]] + 1,
    last: run.drawn[run.first[t + 1] - 1] + 1,
    cost,
    hits,
    behind: cost - hits,
    margin,
    eta: 1 / (params.lam * t),
    shrink: 1 - 1 / t,
    norm: run.array("norm")?.[t] ?? after.norm,
  };
}
