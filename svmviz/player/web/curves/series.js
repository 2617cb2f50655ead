// What is measured of a run: the values of each curve, and what is said of them.

import { counted, significant } from "../engine/words.js";
import { beside } from "./rivals.js";

/** @typedef {Pick<Curves, "run" | "axes" | "own" | "segment" | "symbols" | "solid">} Measured */

const SOLVED = 2000; // examples: for more nobody waits for an exact optimum, see shown.py

// The series of the chosen metric: [name, value(t, s), main], last the main one, of the w that is
// shown. Where a change follows step t, a value is that of the step or, with s the segment that
// begins there, what the same w is worth from there on.
/** @param {Measured} chart @returns {Curve[]} */
export function seriesOf({ run, axes, own: owns, segment, symbols }) {
  const own = owns[axes.y];
  const both = run.objective_average;
  const sign = run.solver.maximises ? -1 : 1;
  const named = run.beside?.own;
  const others = beside(run, axes.y);
  /** @type {(name: string, by?: (s: number) => number) => Valued} */
  const of =
    (name, by = () => 1) =>
    (t, s = run.segment_of[t]) =>
      run.at(name, t, s) / by(s);
  if (axes.y === "error")
    return [[named ?? "last w", of("wrong", s => run.counts[s]), true], ...others];
  if (axes.y === "test")
    return [[named ?? "test error", of("wrong_test", () => run.n_test), true], ...others];
  if (own) return [[named ?? own.name ?? "", t => own.value?.(run, t) ?? NaN, true], ...others];
  if (axes.y === "gap") return [["gap P − D", of("gap"), true]];
  /** @type {(name: string) => Valued} */
  const above =
    name =>
    (t, s = run.segment_of[t]) =>
      sign * (run.at(name, t, s) - (run.segments[s].optimum?.value ?? NaN));
  const shown = axes.y === "objective" ? of : above;
  const averaged = Boolean(both) && segment.params.iterate === "average";
  /** @type {Curve} */
  const last = [symbols.curve ?? "last w", shown("objective"), !averaged];
  /** @type {Curve} */
  const average = ["average w̄", shown("objective_average"), averaged];
  return !both ? [last] : averaged ? [last, average] : [average, last];
}

// The values of a series over steps: [t, value], two of them where a change follows t and makes
// another value of the same w.
/** @param {Run} run @param {Valued} value @param {number} from @param {number} to */
export function* pointsOf(run, value, from, to) {
  for (let t = from; t <= to; t++) {
    if (value.times && t > from && !value.times.has(t)) continue;
    const was = value(t);
    const s = run.behind(t);
    const is = s === run.segment_of[t] ? was : value(t, s);
    yield [t, was];
    if (is !== was && !Number.isNaN(is)) yield [t, is];
  }
}

// What the curve is, in ever fewer words.
/** @param {Measured} chart @param {boolean} [off] whether the bound does not fit on the scale */
export function wordsOf(chart, off) {
  const { run, axes, own, symbols, solid } = chart;
  /** @param {string} words */
  const alone = words =>
    run.beside?.left_out ? [`${words}; ${run.beside.left_out}`, words] : [words];
  if (axes.y === "error")
    return [
      ...alone(
        run.classes.length
          ? "share of points taken for another class"
          : "share of points on the wrong side",
      ),
      "share of points",
    ];
  if (axes.y === "test")
    return alone(
      run.fresh
        ? `on ${counted(run.n_test)} fresh examples`
        : `share of ${counted(run.n_test)} rows set apart`,
    );
  if (axes.y in own) return [own[axes.y].words(run)].flat().flatMap(alone);
  if (axes.y === "gap") return ["P(w) − D(α): no less than the suboptimality", "P(w) − D(α)"];
  const { value, star, gap = "" } = symbols;
  const exact = best(chart);
  const { bound } = run;
  const dashed = solid < run.T ? "; dashed after the first pass: no guarantee" : "";
  if (axes.y === "objective") return star ? [`${value}, ${exact}`, value] : [value + dashed, value];
  return [
    ...(off && bound
      ? [
          `${gap}, ${exact}; ${bound.name} is off the scale, ${readable(bound.value.at(-1))} at the end`,
        ]
      : []),
    `${gap}, ${exact}`,
    gap,
  ];
}

// What is known of the optimum.
/** @param {Measured} chart */
function best({ run, segment, symbols }) {
  const { optimum, near, supposed } = segment;
  const { star = "", none } = symbols;
  if (supposed) return `${star} is found once it is let go`;
  const other = optimum?.beside
    ? `; ${optimum.beside.name}: ${optimum.beside.value.toFixed(4)}`
    : "";
  if (optimum) return `exact ${star} = ${optimum.value.toFixed(4)}${other}`;
  if (run.later) return `the exact ${star} is being computed …`;
  if (near)
    return `${star} = ${near.value.toFixed(4)} within ${readable(near.gap)}${run.cut ? `, after ${run.cut} s of computing` : ""}`;
  if (run.cut) return `no exact ${star} found in ${run.cut} s of computing`;
  if (run.classes.length) return `${run.classes.length} classes: no exact optimum`;
  const many = run.counts[run.segments.findIndex(one => one.start === segment.start)] > SOLVED;
  return many ? "no exact optimum at this size" : none?.(run) || "no exact optimum to compare with";
}

/** @param {number} v */
export const readable = v =>
  v <= 0
    ? "0"
    : Number.isInteger(v)
      ? counted(v)
      : v >= 100
        ? counted(Math.round(v))
        : v >= 1
          ? v.toFixed(2)
          : significant(v, 2);
