// What all makers of questions share: the states on both sides of a step, chance that is the same
// every time, candidates with numbers, and the judgement of an answer. Nothing here knows a page.

import { decimals, fill } from "../engine/words.js";

export { short as brief } from "../canvas/scales.js";

const COUNTS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const APART = 0.045; // of the picture: badges that are closer would lie on each other
export const SURE = 1e-4; // of a scale: what is closer to a threshold is not asked for ...
// ... and what is closer than that is hard to see, and asked for only where there is nothing else
export const PLAIN = 0.02;
// of the picture: a mark that has another so close is covered by it, or covers it
const HIDDEN = 0.02;
const ENOUGH = 5; // candidates

/** @param {number} v @param {number} [places] */
export const text = (v, places = 2) => decimals(v, places);
/** @param {number} k */
export const counted = k => COUNTS[k] ?? String(k);
/** @param {string} words */
export const upper = words => words.charAt(0).toUpperCase() + words.slice(1);
/** @param {string[]} words */
export const listed = words =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** @typedef {ReturnType<typeof stepOf>} Step */

// The step after t, which is asked about: its segment, whom it draws, the margin of the first of
// them.
/** @param {Asker} at */
export function stepOf(at) {
  const { run, t } = at;
  const next = t + 1;
  const s = run.segment_of[next];
  const segment = run.segments[s];
  const first = run.first[next];
  /** @type {number[]} */
  const drawn = [...run.drawn.subarray(first, run.first[next + 1])];
  const margin = run.margin[first];
  return { ...at, next, s, segment, params: segment.params, mask: run.masks[s], drawn, margin };
}

// The maker of a kind: it is asked where the run has a next step only.
/** @param {(step: Step) => Asked | null} make @returns {Maker} */
export const maker = make => at => (at.t < at.run.T ? make(stepOf(at)) : null);

// The last iterate before the step and after it: both are gone with the next call.
/** @param {Step} step */
export const before = ({ engine, t, s }) => engine.state(t, 0, s, "last");
/** @param {Step} step */
export const after = ({ engine, next, s }) => engine.state(next, 1, s, "last");

/** @param {Uint8Array} mask */
export const members = mask => [...mask.keys()].filter(i => mask[i]);

/** @param {Run} run @param {number} i */
export function labelOf(run, i) {
  if (run.real) return `target ${text(run.y[i])}`;
  return run.classes.length ? `class ${run.classes[run.y[i]]}` : run.y[i] > 0 ? "+1" : "−1";
}

/** @param {Run} run @param {number} row @returns {Point} */
export const placeOf = ({ points }, row) => [points[2 * row], points[2 * row + 1]];

// Chance that follows from run, step and kind: numbers in [0, 1).
/** @param {Asker} at @param {string} kind */
export function chance({ run, t, again = 0 }, kind) {
  let h = 2166136261;
  for (const c of `${run.solver.key} ${run.seed} ${run.n} ${t} ${kind} ${again}`)
    h = Math.imul(h ^ c.charCodeAt(0), 16777619);
  return () => {
    h = (h + 0x6d2b79f5) | 0;
    let v = Math.imul(h ^ (h >>> 15), 1 | h);
    v = (v + Math.imul(v ^ (v >>> 7), 61 | v)) ^ v;
    return ((v ^ (v >>> 14)) >>> 0) / 4294967296;
  };
}

/** @template V @param {V[]} list @param {() => number} random */
export function shuffled(list, random) {
  const out = [...list];
  for (let k = out.length - 1; k > 0; k--) {
    const j = Math.floor(random() * (k + 1));
    [out[k], out[j]] = [out[j], out[k]];
  }
  return out;
}

// The size of the picture: how far the examples that take part lie apart.
/** @param {Run} run @param {Uint8Array} mask */
export function extentOf({ n, points }, mask) {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < n; i++)
    if (mask[i]) {
      [x0, x1] = [Math.min(x0, points[2 * i]), Math.max(x1, points[2 * i])];
      [y0, y1] = [Math.min(y0, points[2 * i + 1]), Math.max(y1, points[2 * i + 1])];
    }
  return {
    centre: /** @type {Point} */ ([(x0 + x1) / 2, (y0 + y1) / 2]),
    size: Math.hypot(x1 - x0, y1 - y0) || 1,
  };
}

// Whether none of these marks lies on that of a row.
/** @param {Run} run @param {number[]} marks @param {number} size */
export function lone({ points }, marks, size) {
  const far = (HIDDEN * size) ** 2;
  /** @param {number} i */
  return i =>
    marks.every(
      j =>
        j === i ||
        (points[2 * i] - points[2 * j]) ** 2 + (points[2 * i + 1] - points[2 * j + 1]) ** 2 >= far,
    );
}

// Rows that are taken one after the other from lists, none close to one that was taken before; of a
// list those first that are not covered by one of the marks.
/** @param {Run} run @param {number} size @param {number[]} [marks] */
export function collector(run, size, marks = []) {
  const seen = lone(run, marks, size);
  /** @type {number[]} */
  const taken = [];
  /** @param {number} row */
  const free = row => {
    const [x, y] = placeOf(run, row);
    return taken.every(other => {
      const [u, v] = placeOf(run, other);
      return other !== row && Math.hypot(x - u, y - v) > APART * size;
    });
  };
  /** @param {number[]} rows @param {number} [many] */
  const take = (rows, many = 1) => {
    const before = taken.length;
    for (const open of [true, false])
      for (const row of rows)
        if (taken.length - before < many && free(row) && seen(row) === open) taken.push(row);
  };
  return { taken, take };
}

// Two that lie deep below the threshold, two below that look safe, one above that looks likely, one
// far off.
const USUAL = [2, 2, 1, 1];
const MIXES = [USUAL, [1, 2, 2, 1], [1, 1, 2, 2], [2, 1, 1, 2]];

// Six examples of both sides of a threshold, of which each lies `value` above it: those that can be
// told from it and are not covered by another mark, as long as there are enough of them.
/**
 * @param {Run} run
 * @param {Uint8Array} mask
 * @param {(i: number) => number} value
 * @param {(i: number) => boolean} below
 * @param {() => number} random
 * @param {boolean} [mixed]
 */
export function six(run, mask, value, below, random, mixed = false) {
  const all = [...mask.keys()].filter(i => mask[i]);
  const order = all.map(value).sort((a, b) => a - b);
  const [low, high] = [order[0], order[order.length - 1]];
  const { size } = extentOf(run, mask);
  /** @param {number} least */
  const off = least => all.filter(i => Math.abs(value(i)) > Math.max(least, 1e-12));
  const plain = off(PLAIN * (high - low));
  /** @type {number[]} */
  let best = [];
  for (const rows of [
    () => plain.filter(lone(run, all, size)),
    () => plain,
    () => off(SURE * Math.max(high, -low)),
  ]) {
    const found = mixture(run, rows(), value, below, size, random, mixed);
    if (found.length > best.length) best = found;
    if (best.length >= ENOUGH) break;
  }
  return best;
}

// As `USUAL` or, where a count would give it away, otherwise.
/**
 * @param {Run} run
 * @param {number[]} rows
 * @param {(i: number) => number} value
 * @param {(i: number) => boolean} below
 * @param {number} size
 * @param {() => number} random
 * @param {boolean} mixed
 */
function mixture(run, rows, value, below, size, random, mixed) {
  const order = rows.toSorted((i, j) => value(i) - value(j) || i - j);
  const under = order.filter(below);
  const over = order.filter(i => !below(i));
  if (!under.length || !over.length) return [];
  const { taken, take } = collector(run, size);
  /** @param {number[]} list @param {number} from @param {number} to */
  const part = (list, from, to) =>
    shuffled(
      list.slice(Math.floor(list.length * from), Math.max(1, Math.ceil(list.length * to))),
      random,
    );
  const [sure, safe, likely, far] = mixed ? MIXES[Math.floor(random() * MIXES.length)] : USUAL;
  take(part(under, 0, 0.35), sure);
  take(part(over, 0, 0.12), likely);
  take(part(under, 0.7, 1), safe);
  take(part(over, 0.75, 1), far);
  for (const list of [over, under]) take(shuffled(list, random), 6 - taken.length);
  // there may be room for one side only
  return taken.some(below) && !taken.every(below) ? taken : [];
}

// An option in a sentence: a candidate by the number on its badge, which is also the key that picks
// it.
/** @param {Option} option */
export const named = ({ number, words }) => (number ? `number ${number}` : words);

// Candidates with numbers, and which of them are the answer.
/**
 * @param {Run} run
 * @param {number[]} rows
 * @param {() => number} random
 * @param {(row: number) => boolean} is
 * @param {(row: number) => Partial<Option>} told
 */
export function numbered(run, rows, random, is, told) {
  const options = shuffled(rows, random).map((row, k) => ({
    number: k + 1,
    words: "",
    value: "",
    note: "",
    row,
    place: placeOf(run, row),
    ...told(row),
  }));
  return { options, truth: options.flatMap(({ row }, k) => (is(row) ? [k] : [])) };
}

// Answers in words, of which the one at place `right` is true.
/** @param {string[]} words @param {number} right */
export const choice = (words, right) => ({
  form: /** @type {const} */ ("choice"),
  options: words.map(said => ({
    number: 0,
    words: said,
    row: -1,
    place: null,
    value: "",
    note: "",
  })),
  truth: [right],
});

/** @typedef {Record<string, number | string>} Filling of templates */
/**
 * @typedef {object} Plan what a maker has found
 * @property {Asked["form"]} form
 * @property {Answer} truth
 * @property {Option[]} [options]
 * @property {Cover[]} [covers]
 * @property {number[]} [drawn]
 * @property {boolean} [shown] it is about the iterate that is shown
 * @property {number} [until]
 * @property {Asked["range"]} [range]
 * @property {Asked["line"]} [line]
 * @property {Asked["mates"]} [mates]
 * @property {Filling} values
 * @property {(option: Option, missed: boolean) => string} [mistake] of one that was missed, or is
 *   too many
 * @property {(answer: Answer) => Partial<Verdict> & { right: boolean, values?: Filling }} [judged]
 */

// The question of a kind, where the solver has it: a plan, with the words of the run.
// Templates know the step and the first example that it draws.
/** @param {Step} step @param {string} kind @param {Plan} plan @returns {Asked | null} */
export function asked({ run, t, drawn: [i] }, kind, plan) {
  const words = run.questions.find(question => question.kind === kind);
  if (!words) return null;
  const { form, truth, options = [], covers = ["mechanism", "numbers"], drawn = [], values } = plan;
  const label = i >= 0 ? labelOf(run, i) : "";
  const filled = { t, step: t + 1, i: i + 1, label, ...values };
  /** @param {Answer} answer @returns {Verdict} */
  const judge = answer => {
    const own = plan.judged?.(answer) ?? placed(options, picksOf(truth), picksOf(answer), form);
    const more = "values" in own ? own.values : {};
    const wrong = plan.mistake && mistaken(plan.mistake, options, picksOf(truth), picksOf(answer));
    const sentence = fill(own.right ? words.right : words.wrong, {
      ...filled,
      ...more,
      mistaken: wrong ?? "",
    });
    return {
      title: own.right ? "Right." : "Not quite.",
      options: [],
      ...own,
      sentence: sentence.trim(),
    };
  };
  return {
    kind,
    form,
    ask: fill(words.ask, filled),
    how: fill(words.how, filled),
    t,
    until: plan.until ?? t + 1,
    beat: words.beat,
    options,
    covers,
    drawn,
    shown: Boolean(plan.shown),
    truth,
    range: plan.range,
    line: plan.line,
    mates: plan.mates,
    judge,
  };
}

/** @param {Answer} answer */
const picksOf = answer =>
  Array.isArray(answer) ? answer : typeof answer === "number" ? [answer] : [];

const OF_SET = { found: "found", missed: "missed", extra: "too many", left: "" };
const OF_ONE = { found: "right", missed: "this one", extra: "not it", left: "" };

// What became of each option, and how many of them are where they belong.
/**
 * @param {Option[]} options
 * @param {number[]} truth
 * @param {number[]} picked
 * @param {Asked["form"]} form
 */
function placed(options, truth, picked, form) {
  const words = form === "many" ? OF_SET : OF_ONE;
  const states = options.map((_, k) => {
    const [is, chosen] = [truth.includes(k), picked.includes(k)];
    const state = /** @type {Placing} */ (
      is ? (chosen ? "found" : "missed") : chosen ? "extra" : "left"
    );
    return { state, word: words[state] };
  });
  /** @param {Placing} state */
  const many = state => states.filter(found => found.state === state).length;
  const [found, missed, extra] = [many("found"), many("missed"), many("extra")];
  const right = !missed && !extra;
  const names = truth.map(k => named(options[k]));
  const all = found > 2 ? `all ${counted(found)}` : found === 2 ? "both" : "one";
  const parts = [
    found && `${counted(found)} found`,
    missed && `${counted(missed)} missed`,
    extra && `${counted(extra)} too many`,
  ];
  const title =
    form !== "many"
      ? `${right ? "Right" : "No"}: ${right || form === "choice" ? "" : "it is "}${listed(names)}.`
      : right
        ? `${upper(all)} found, none too many.`
        : `${upper(parts.filter(Boolean).join(", "))}.`;
  return { right, title, options: states };
}

// Clauses about the first that was missed and the first that was too many.
/**
 * @param {(option: Option, missed: boolean) => string} say
 * @param {Option[]} options
 * @param {number[]} truth
 * @param {number[]} picked
 */
function mistaken(say, options, truth, picked) {
  const missed = truth.filter(k => !picked.includes(k)).slice(0, 1);
  const extra = picked.filter(k => !truth.includes(k)).slice(0, 1);
  const said = [
    ...missed.map(k => say(options[k], true)),
    ...extra.map(k => say(options[k], false)),
  ].filter(Boolean);
  return said.length ? `${upper(said.join("; "))}. ` : "";
}
