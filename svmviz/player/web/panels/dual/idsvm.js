// The mechanism of IDSVM: the path of every α over the newcomer's, bent where somebody changes
// sets; and the three sets as shelves, on which each α is a bar.

import {
  bendsOf,
  ERROR,
  heightAt,
  learntBy,
  MARGIN,
  REST,
  setOf,
  tracksOf,
} from "../../engine/own/path.js";
import { support } from "../../engine/scores.js";
import { counted, plural } from "../../engine/words.js";
import { colorOf, column, line, mark, rule, text, tip } from "../../canvas/draw.js";
import { Labels, widthOf } from "../../canvas/labels.js";
import { Board, linked as points } from "../parts/board.js";
import { drawnAt } from "../parts/live.js";
import { spacing } from "./boxes.js";
import { scale, short } from "../../canvas/scales.js";
import { band } from "../incremental/band.js";
import { symbols as plain } from "../plain.js";
import { ceiling, centred, open, side } from "../parts/axis.js";

export const CHANGE = ["path"];
/** @type {Panel["metrics"]} */
export const metrics = () => ({ band: "Primal and dual" });
/** @type {Panel["symbols"]} */
export const symbols = run => ({
  ...plain(run),
  none: () => Boolean(run.tracked) && "the optimum is in Primal and dual",
});
/** @type {Panel["series"]} */
export const series = {
  band: {
    ...band,
    words: () => [
      "P and D of those learnt, divided by C times their number: one line where the gap is 0",
      "P and D of those learnt: one line where the gap is 0",
      "P and D of those learnt",
      "P and D",
    ],
  },
};
/** @type {Panel["usual"]} */
export const usual = () => "band";
export const EVEN = true;
/** @type {[set: number, name: string, words: string][]} */
const SHELVES = [
  [MARGIN, "margin", "0 < α < C"],
  [ERROR, "error", "α = C"],
  [REST, "rest", "α = 0"],
];
/** @type {Record<number, string>} */
const GOES = { [REST]: "to 0", [MARGIN]: "joins", [ERROR]: "to C" };
const FUTURE = 0.3; // of the ink of what has not happened yet
const ROUNDED = 1e-12; // of a gap: what rounding may do

/** @typedef {ReturnType<typeof bendsOf>} Bends */
/** @typedef {ReturnType<typeof tracksOf>} Tracks */
/** @typedef {{ bends: Bends, tracks: Tracks, end: number, now: number }} Path */

/** @implements {Machinery} */
export class Mechanism extends Board {
  top = 1; // the largest α of the run
  /** @type {[left: number, step: number, rows: number[]][]} */ places = [];

  /** @param {HTMLElement} section @param {Stage} stage */
  constructor(section, stage) {
    super(
      section,
      {
        title: "Path",
        view: "boxes",
        label: "Every α that moves, over the α of the newcomer",
        lights: ["path"],
      },
      {
        title: "Sets",
        view: "beats",
        tab: "Sets",
        label: "Margin set, error set and rest, with every α as a bar",
        words: [
          "every α that has been learnt, in the order of arrival",
          "every α learnt",
          "every α",
        ],
        lights: ["alphas"],
      },
    );
    this.path = this.sheets[0];
    this.shelves = this.sheets[1];
    points(stage, this.shelves, event => this.at(event.offsetX));
  }

  /** @param {Run} run */
  prepare(run) {
    const coef = new Float64Array(run.n);
    let top = 0;
    run.change_index.forEach((i, e) => {
      coef[i] += run.change_delta[e];
      top = Math.max(top, Math.abs(coef[i]));
    });
    this.top = top || 1;
  }

  /** @param {number} px */
  at(px) {
    for (const [left, step, rows] of this.places) {
      const k = Math.floor((px - left) / step);
      if (k >= 0 && k < rows.length) return rows[k];
    }
    return -1;
  }

  /** @param {View} view @returns {Path} */
  pathOf({ run, t, told, last, shown }) {
    const bends = told ? bendsOf(run, t) : [];
    const end = bends.length ? bends[bends.length - 1].at : 0;
    return {
      bends,
      tracks: tracksOf(run, Math.max(t, 1), last.before.coef, bends),
      end,
      now: shown * end,
    };
  }

  /** @param {View} view @param {boolean} loud */
  paint(view, loud) {
    const path = this.pathOf(view);
    if (this.path.visible) this.paintPath(view, path);
    if (this.shelves.visible) this.paintShelves(view, path);
    if (!loud) return;
    const { run, t, told } = view;
    const others = path.tracks.size - 1;
    const i = told ? run.drawn[run.first[t]] + 1 : 0;
    const move = others > 1 ? "others move" : "other moves";
    const whom = others ? `${others} ${move}` : "nobody moves";
    this.captions[0].say(
      ...(path.bends.length
        ? [
            `α of point ${i} rises, and ${whom} with it`,
            `α of point ${i} rises, ${others || "none"} with it`,
            `${others || "none"} with it`,
          ]
        : told && t > 1 && run.segment_of[t] !== run.segment_of[t - 1]
          ? [
              "the newcomer moves nobody; others moved when the run was changed",
              "others moved at the change",
            ]
          : [told ? "nothing moves in this step" : "of the next newcomer", ""]),
    );
  }

  /** @param {View} view */
  facts(view) {
    const { run, t, told } = view;
    const bends = told ? bendsOf(run, t) : [];
    const counts = this.counts(view, this.pathOf(view));
    return [
      bends.length
        ? `${plural(bends.length, "event")}, the last at α = ${short(bends.at(-1).at)}`
        : "nothing moves",
      SHELVES.map(([set, name]) => `${counts.get(set)?.length ?? 0} in the ${name}`).join(", "),
    ];
  }

  /** @param {View} view @param {Path} path */
  paintPath({ run, theme, t, told, segment, linked }, { bends, tracks, end, now }) {
    const { g, w, h, u } = open(this.path, theme);
    const [left, right, top, bottom] = [46 * u, w - 14 * u, 34 * u, h - 30 * u];
    const { C } = segment.params;
    const high = Math.min(C, this.top * 1.05);
    const y = scale(0, high, bottom, top);
    rule(g, left, y(0), right, y(0), theme.ghost);
    side(g, theme, "0", left, y(0));
    if (high === C) ceiling(g, theme, left, y(C), right);
    else side(g, theme, short(this.top), left, y(this.top));
    if (!bends.length) {
      const words = told
        ? `α of point ${run.drawn[run.first[t]] + 1} stays as it is`
        : "no step yet";
      const look = { color: theme.ink2, base: /** @type {const} */ ("middle") };
      return centred(g, theme, words, (left + right) / 2, (top + bottom) / 2, look);
    }
    const c = run.drawn[run.first[t]];
    const x = scale(0, end, left, right);
    for (const { at } of bends) rule(g, x(at), top, x(at), bottom, theme.grid, 1);
    for (const [from, to, ink] of [
      [left - 2, x(now), 1],
      [x(now), w, FUTURE],
    ]) {
      g.save();
      g.beginPath();
      g.rect(from, 0, to - from, h);
      g.clip();
      g.globalAlpha = ink;
      for (const [row, corners] of [...tracks].reverse()) {
        const color = row === c ? theme.now : colorOf(theme, run.y[row] > 0);
        const points = corners.map(([at, alpha]) => [x(at), y(alpha)]);
        line(g, points, color, row === c ? 2.75 : row === linked ? 3.5 : 1.7);
      }
      g.restore();
    }
    const labels = new Labels(g, theme, { left: left - 4, right: w, top: 0, bottom: h });
    for (const { row, to, at } of bends) {
      const corners = tracks.get(row);
      const level = corners ? heightAt(corners, at) : 0;
      g.globalAlpha = at <= now + 1e-9 * end ? 1 : FUTURE + 0.2;
      mark(g, run.y[row] > 0, x(at), y(level), 4.6 * u, row === c ? theme.now : theme.ink);
      g.globalAlpha = 1;
      const color = row === c ? theme.now : theme.ink2;
      const look = { weight: row === c ? 700 : 500, color };
      const align = /** @type {CanvasTextAlign} */ (x(at) > right - 60 * u ? "right" : "center");
      labels.put(`${row + 1} ${GOES[to]}`, look, [x(at), 13 * u, align], [x(at), 28 * u, align]);
    }
    rule(g, x(now), top - 4, x(now), bottom + 4, theme.ui, 1.25);
    centred(g, theme, "0", x(0), bottom + 18 * u);
    const words = `α of point ${c + 1}: ${short(now)}`;
    const half = widthOf(g, theme, words, { weight: 700 }) / 2;
    const middle = Math.min(Math.max(x(now), left + half + 14 * u), right - half);
    centred(g, theme, words, middle, bottom + 18 * u, { weight: 700, color: theme.now });
  }

  // Who stands on which shelf where the path has come to.
  /** @param {View} view @param {Path} path */
  counts({ run, t, s, told, shown, last, segment, mask }, { bends, end, now }) {
    const moving = told && shown < 1;
    const { coef } = moving ? last.before : last.after;
    const { C } = segment.params;
    const learnt = learntBy(run, t, s).filter(i => mask[i]);
    const sets = new Map(learnt.map(i => [i, setOf(Math.abs(coef[i]), C)]));
    if (moving && now > 0)
      for (const { row, to, at } of bends) if (at <= now + 1e-9 * end) sets.set(row, to);
    /** @param {number} set */
    const standing = set => learnt.filter(i => sets.get(i) === set);
    return new Map(SHELVES.map(([set]) => [set, standing(set)]));
  }

  /** @param {View} view @param {Path} path */
  paintShelves(view, path) {
    const { run, theme, t, told, last, shown, segment, linked } = view;
    const { g, w, h, u } = open(this.shelves, theme);
    const { C } = segment.params;
    const high = Math.min(C, this.top * 1.05);
    const [left, apart, between, top, bottom] = [46 * u, 20 * u, 10 * u, 10 * u, h - 42 * u];
    const y = scale(0, high, bottom, top);
    const rows = this.counts(view, path);
    const changed = new Set(path.bends.map(({ row }) => row));
    const c = told ? run.drawn[run.first[t]] : -1;
    const { coef } = told && shown < 1 ? last.before : last.after;
    const coming = told && shown < 1 && path.now > 0 && path.now < path.end;
    /** @param {number} i */
    const alpha = i => {
      const corners = shown < 1 && path.bends.length ? path.tracks.get(i) : undefined;
      return corners ? heightAt(corners, path.now) : Math.abs(coef[i]);
    };
    const titles = SHELVES.map(([set, name]) => {
      const there = rows.get(set) ?? [];
      // on its way the newcomer is in no set
      return `${coming ? there.filter(i => i !== c).length : there.length} ${name}`;
    });
    const shares = SHELVES.map(([set]) => Math.max(rows.get(set)?.length ?? 0, 6));
    const length = w - left - 2 * apart;
    const each = length / shares.reduce((sum, v) => sum + v, 0);
    const least = titles.map(title => widthOf(g, theme, title, { weight: 600 }) + between - apart);
    const wides = shares.map((share, k) => Math.max(each * share, least[k]));
    wides[shares.indexOf(Math.max(...shares))] -= wides.reduce((sum, v) => sum + v, 0) - length;
    let from = left;
    this.places = [];
    if (high === C) ceiling(g, theme, left, y(C), w, 3);
    side(g, theme, "0", left, y(0));
    SHELVES.forEach(([set, , words], k) => {
      const wide = wides[k];
      const there = rows.get(set) ?? [];
      const step = Math.min(wide / Math.max(there.length, 1), 16 * u);
      const gap = spacing(step);
      this.places.push([from, step, there]);
      rule(g, from, y(0), from + wide, y(0), theme.ink2, 1.25);
      there.forEach((i, at) => {
        const px = from + at * step;
        const color = i === c ? theme.now : colorOf(theme, run.y[i] > 0);
        const tall = Math.max(bottom - y(Math.min(alpha(i), high)), 2.5);
        column(g, px, bottom - tall, Math.max(step - gap, 0.6), tall, color);
        if (i === linked) rule(g, px + step / 2, top, px + step / 2, bottom, theme.ui, 1.5);
        if (changed.has(i))
          tip(g, px + step / 2, y(0) + 3, 4.5 * u, 7 * u, i === c ? theme.now : theme.ink);
      });
      const both = `${titles[k]}, ${words}`;
      const room = wide + (k < 2 ? apart - between : 0);
      const said = widthOf(g, theme, both, { weight: 600 }) <= room ? both : titles[k];
      text(g, theme, said, from, h - 10 * u, { weight: 600, color: theme.ink });
      from += wide + apart;
    });
  }
}

/** @type {Panel["numbers"]} */
export const numbers = ({ run, t, s, of, last }) => {
  const gap = of("gap", t);
  return [
    ["learnt", `${counted(of("seen", t))} / ${counted(run.counts[s])}`],
    ["support vectors", String(support(last.now.coef))],
    ["gap P − D", t && Math.abs(gap) <= ROUNDED ? "0" : short(gap)],
    ["kernel evaluations", counted(run.axes.kernel_evals(t))],
  ];
};

const COUNTED = ["dual", "events", "seen", "n_margin", "n_error", "n_rest"];

/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  if (t === 0) return { t: 0, n: run.count(0) };
  const one = drawnAt(run, t);
  const i = one.i - 1;
  const others = bendsOf(run, t).filter(({ row }) => row !== i);
  // which others join the margin set, or leave it
  /** @param {boolean} joins @param {string} verb */
  const who = (joins, verb) => {
    const bent = others.filter(({ to }) => (to === MARGIN) === joins);
    const rows = [...new Set(bent.map(({ row }) => row))];
    if (rows.length === 1) return `point ${rows[0] + 1} ${verb}s`;
    return rows.length ? `${rows.length} points ${verb}` : "";
  };
  /** @param {string} name */
  const own = name => run.array(name)?.[t] ?? 0;
  const gap = run.gap[t];
  return {
    ...one,
    n: run.count(t),
    g: one.margin - 1,
    alpha: Math.abs(after.coef[i]),
    lifted: run.y[i] * after.f[i],
    leave: who(false, "leave"),
    join: who(true, "join"),
    hits: +(own("events") > 0),
    primal: run.objective[t],
    gap: Math.abs(gap) <= ROUNDED ? 0 : gap,
    ...Object.fromEntries(COUNTED.map(name => [name, own(name)])),
    norm: after.norm,
  };
}
