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
import { counted } from "../../engine/words.js";
import { column, line, mark, rule, Sheet, text, tip } from "../../canvas/draw.js";
import { find } from "../../canvas/elements.js";
import { Caption, Labels, widthOf } from "../../canvas/labels.js";
import { all } from "../../stage/light.js";
import { scale, short } from "../../canvas/scales.js";
import { band } from "../incremental/band.js";
import { symbols as plain } from "../plain.js";

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

/** @typedef {{ bends: ReturnType<typeof bendsOf>, tracks: ReturnType<typeof tracksOf>, end: number, now: number }} Path */

/** @implements {Machinery} */
export class Mechanism {
  top = 1; // the largest α of the run
  /** @type {[left: number, step: number, rows: number[]][]} */ places = [];

  /** @param {HTMLElement} section @param {Stage} stage */
  constructor(section, stage) {
    section.innerHTML = `<h3><b>Path</b> <span class="caption"></span></h3><div class="view boxes"></div>
      <h3><b>Sets</b> <span class="caption"></span></h3><div class="view beats" data-title="Sets"></div>`;
    this.path = new Sheet(
      find(section, ".boxes"),
      "Every α that moves, over the α of the newcomer",
    );
    this.shelves = new Sheet(
      find(section, ".beats"),
      "Margin set, error set and rest, with every α as a bar",
    );
    this.sheets = [this.path, this.shelves];
    const captions = /** @type {HTMLElement[]} */ ([...section.querySelectorAll(".caption")]);
    const [path, sets] = captions.map(element => new Caption(element));
    this.pathwords = path;
    sets.say("every α that has been learnt, in the order of arrival", "every α learnt", "every α");
    const { canvas } = this.shelves;
    canvas.addEventListener("pointermove", event => stage.link(this.at(event.offsetX)));
    canvas.addEventListener("pointerleave", () => stage.link(-1));
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

  /** @param {string} name */
  where(name) {
    return name === "path" ? [all(this.path)] : name === "alphas" ? [all(this.shelves)] : [];
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
    this.pathwords.say(
      ...(path.bends.length
        ? [
            `α of point ${i} rises, and ${others ? `${others} other${others > 1 ? "s move" : " moves"}` : "nobody moves"} with it`,
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
        ? `${bends.length} event${bends.length > 1 ? "s" : ""}, the last at α = ${short(bends[bends.length - 1].at)}`
        : "nothing moves",
      SHELVES.map(([set, name]) => `${counts.get(set)?.length ?? 0} in the ${name}`).join(", "),
    ];
  }

  /** @param {View} view @param {Path} path */
  paintPath({ run, theme, t, told, segment, linked }, { bends, tracks, end, now }) {
    const g = this.path.begin();
    const { w, h } = this.path;
    const u = theme.unit;
    const [left, right, top, bottom] = [46 * u, w - 14 * u, 34 * u, h - 30 * u];
    const { C } = segment.params;
    const high = Math.min(C, this.top * 1.05);
    const y = scale(0, high, bottom, top);
    rule(g, left, y(0), right, y(0), theme.ghost);
    text(g, theme, "0", left - 8, y(0), { color: theme.muted, align: "right", base: "middle" });
    if (high === C) {
      rule(g, left, y(C), right, y(C), theme.optimum, 1.75, [6, 4]);
      text(g, theme, "C", left - 8, y(C), {
        weight: 600,
        color: theme.ink,
        align: "right",
        base: "middle",
      });
    } else
      text(g, theme, short(this.top), left - 8, y(this.top), {
        color: theme.muted,
        align: "right",
        base: "middle",
      });
    if (!bends.length) {
      const words = told
        ? `α of point ${run.drawn[run.first[t]] + 1} stays as it is`
        : "no step yet";
      text(g, theme, words, (left + right) / 2, (top + bottom) / 2, {
        align: "center",
        base: "middle",
      });
      return;
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
        const color = row === c ? theme.now : run.y[row] > 0 ? theme.plus : theme.minus;
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
    text(g, theme, "0", x(0), bottom + 18 * u, { color: theme.muted, align: "center" });
    const words = `α of point ${c + 1}: ${short(now)}`;
    const half = widthOf(g, theme, words, { weight: 700 }) / 2;
    const middle = Math.min(Math.max(x(now), left + half + 14 * u), right - half);
    text(g, theme, words, middle, bottom + 18 * u, {
      weight: 700,
      color: theme.now,
      align: "center",
    });
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
    const g = this.shelves.begin();
    const { w, h } = this.shelves;
    const u = theme.unit;
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
      return `${coming ? there.filter(i => i !== c).length : there.length} ${name}`; // on its way the newcomer is in no set
    });
    const shares = SHELVES.map(([set]) => Math.max(rows.get(set)?.length ?? 0, 6));
    const length = w - left - 2 * apart;
    const each = length / shares.reduce((sum, v) => sum + v, 0);
    const least = titles.map(title => widthOf(g, theme, title, { weight: 600 }) + between - apart);
    const wides = shares.map((share, k) => Math.max(each * share, least[k]));
    wides[shares.indexOf(Math.max(...shares))] -= wides.reduce((sum, v) => sum + v, 0) - length;
    let from = left;
    this.places = [];
    if (high === C) {
      rule(g, left, y(C), w, y(C), theme.optimum, 1.75, [6, 4]);
      text(g, theme, "C", left - 8, y(C) + 3, {
        weight: 600,
        color: theme.ink,
        align: "right",
        base: "middle",
      });
    }
    text(g, theme, "0", left - 8, y(0), { color: theme.muted, align: "right", base: "middle" });
    SHELVES.forEach(([set, , words], k) => {
      const wide = wides[k];
      const there = rows.get(set) ?? [];
      const step = Math.min(wide / Math.max(there.length, 1), 16 * u);
      const gap = step > 3.5 ? 1 : step > 2 ? 0.5 : 0;
      this.places.push([from, step, there]);
      rule(g, from, y(0), from + wide, y(0), theme.ink2, 1.25);
      there.forEach((i, at) => {
        const px = from + at * step;
        const color = i === c ? theme.now : run.y[i] > 0 ? theme.plus : theme.minus;
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

// Who does what; idsvm/words.py says the same.
/** @param {number[]} rows @param {string} verb */
function who(rows, verb) {
  if (rows.length === 1) return `point ${rows[0] + 1} ${verb}s`;
  return rows.length ? `${rows.length} points ${verb}` : "";
}

// The live quantities of step t by the names that the templates use; idsvm/words.py holds the same
// list.
/** @type {Panel["values"]} */
export function values(run, before, after, t) {
  if (t === 0) return { t: 0, n: run.count(0) };
  const e = run.first[t];
  const i = run.drawn[e];
  const others = bendsOf(run, t).filter(({ row }) => row !== i);
  /** @param {(to: number) => boolean} goes */
  const going = goes => [...new Set(others.filter(({ to }) => goes(to)).map(({ row }) => row))];
  /** @param {string} name */
  const own = name => run.array(name)?.[t] ?? 0;
  const gap = run.gap[t];
  return {
    t,
    n: run.count(t),
    i: i + 1,
    label: run.y[i] > 0 ? "+1" : "−1",
    margin: run.margin[e],
    g: run.margin[e] - 1,
    alpha: Math.abs(after.coef[i]),
    lifted: run.y[i] * after.f[i],
    leave: who(
      going(to => to !== MARGIN),
      "leave",
    ),
    join: who(
      going(to => to === MARGIN),
      "join",
    ),
    hits: +(own("events") > 0),
    primal: run.objective[t],
    gap: Math.abs(gap) <= ROUNDED ? 0 : gap,
    dual: own("dual"),
    events: own("events"),
    seen: own("seen"),
    n_margin: own("n_margin"),
    n_error: own("n_error"),
    n_rest: own("n_rest"),
    norm: after.norm,
  };
}
