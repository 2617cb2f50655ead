// What the pseudo-code and the sentences of budgeted SGD speak of; bsgd/values.py has the
// same.

import { isFree, isHinge, slope } from "../../engine/losses.js";
import { MISSED } from "../../engine/own/missed.js";
import { prices } from "../../engine/own/prices.js";
import { MERGED, PROJECTED, REMOVED, nameOf, rate, spotOf } from "../../engine/own/table.js";
import { fill, times } from "../../engine/words.js";

// What is said beside a margin: what it is called, what it lacks, and below or above what it is.
/** @param {Params} params */
function judged({ rule, beta, loss, multiclass, maintenance, small_steps }) {
  const score = multiclass ? "f[y] − f[r]" : "y f";
  if (rule === "implicit")
    return {
      score,
      lack: ", below 1 + ηλ",
      below: " < 1 + ηλ",
      above: " ≥ 1 + ηλ",
      enough: "at least 1 + ηλ: it costs nothing",
      factor: "1/(1 + ηλ)",
      where: "Too close",
    };
  const asked = rule === "margin Perceptron" ? beta : 1;
  const leans = rule === "margin Perceptron" && maintenance === "project newcomer" && small_steps;
  const least = fill("{asked:g}", { asked });
  const [low, above] = asked === 0 ? [" ≤ 0", " > 0"] : [` < ${least}`, ` ≥ ${least}`];
  const below = isHinge(loss) ? low : "";
  return {
    score,
    factor: "(1 − ηλ)",
    where: asked ? "Too close" : "Wrong side",
    lack: below && (asked ? `, below ${least}` : ", not above 0"),
    below,
    above: isFree(loss) ? above : ", −ℓ′(y f) ≈ 0",
    enough: isFree(loss)
      ? asked
        ? `at least ${least}: it costs nothing`
        : `above 0${leans ? ", and no step within the margin is worth it" : ": it costs nothing"}`
      : "so large that it is worth no vector",
  };
}

const SOLVED = ["passive-aggressive", "implicit"]; // rules that solve for how much they add

// With which weight an example comes in where the loss falls so steeply: in words, and as a
// formula.
/** @param {Run} run @param {number} t @param {number} y @param {number} fall */
function arrived(run, t, y, fall) {
  const { lam, eta: first, rule, loss, multiclass } = run.segment(t).params;
  const eta = rate(run, t);
  const part = multiclass ? 1 : fall * y;
  const tau = run.tau?.[t] ?? 0;
  if (SOLVED.includes(rule))
    return {
      eta,
      weight: fill("{tau:.3g}", { tau }),
      come: fill("{new:.3g}", { new: part * tau }),
    };
  const told = {
    t,
    lam,
    step: fall * eta,
    top: part * (rule === "Pegasos" ? 1 : first),
    new: part * eta,
  };
  const formula = multiclass ? "η (e[y] − e[r]), η = " : isHinge(loss) ? "η y = " : "−η ℓ′ y = ";
  const reckoned =
    rule === "Pegasos"
      ? "{top:.3g}/({lam:.3g} · {t}) = "
      : rule === "Norma"
        ? "{top:.3g}/√{t} = "
        : "";
  return {
    eta,
    weight: fill(`${times(fall)}η = {step:.3g}`, told),
    come: fill(`${formula}${reckoned}{new:.3g}`, told),
  };
}

/** @type {Record<number, string>} */
const INSTEAD = {
  [MERGED]: "; the next partner would cost {second:.3g}, removal {removal:.3g}",
  [REMOVED]: "; the lightest other would cost {second:.3g}",
  [PROJECTED]: "; removal would cost {removal:.3g}",
};

// What the maintenance of step t would have cost otherwise, and the terms of what it did cost.
/** @param {Run} run @param {number} t @param {State | null | undefined} mid @param {number} lost */
function weighed(run, t, mid, lost) {
  const found = mid && prices(run, t, mid);
  if (!found) return { instead: "", heir: "", product: "" };
  const kind = run.event[t];
  const rest = kind === PROJECTED ? lost / Math.max(found.a_m ** 2, 1e-300) : found.own;
  const only = kind === MERGED && found.second === Infinity; // there was no other partner
  // else costs have no say in who goes
  const byLoss = !MISSED.includes(run.segment(t).params.maintenance);
  const heir = run.segment(t).params.multiclass
    ? "α[z] = {p:.3f} α[m] + {q:.3f} α[n], "
    : "|α[z]| = {p:.3f} · {a_m:.3g} + {q:.3f} · {a_n:.3g} = {a_z:.3g}, ";
  return {
    instead: byLoss ? fill(INSTEAD[only ? PROJECTED : kind] ?? "", found) : "",
    heir: kind === MERGED ? fill(heir, found) : "",
    product: kind === MERGED ? "" : fill(" = {a_m:.3g}² · {rest:.3g}", { ...found, rest }),
  };
}

/** @type {Panel["values"]} */
export function values(run, before, after, t, mid) {
  if (t === 0) return { t: 0 };
  const { params } = run.segment(t);
  const e = run.first[t];
  const i = run.drawn[e];
  const k = run.event_of.get(t) ?? -1;
  /** @param {number} row */
  const name = row => nameOf(run, row);
  /** @param {number} c */
  const called = c => (run.classes.length ? `class ${run.classes[c]}` : c > 0 ? "+1" : "−1");
  const rival = run.scores > 1 ? called(run.rival[t]) : params.multiclass ? called(-run.y[i]) : "";
  const pull = run.pull?.[t] ?? 1;
  const phi = run.phi?.[t] ?? 1;
  const b = run.n_sv[t];
  const hits = +(run.entered(t) > run.change_first[t]);
  const lost = run.event_degradation[k] ?? 0;
  // what it may be pulled back to
  const radius = params.rule === "margin Perceptron" ? params.U : params.lam ** -0.5;
  return {
    ...judged(params),
    ...arrived(run, t, run.y[i], isHinge(params.loss) ? 1 : -slope(params.loss, run.margin[e])),
    ...weighed(run, t, mid, lost),
    t,
    i: i + 1,
    label: called(run.y[i]),
    over: rival && ` over ${rival}`,
    margin: run.margin[e],
    b,
    shrink: (1 - run.shrink[t]) / (pull * phi),
    hits,
    grown: run.n_sv[t - 1] + hits,
    others: b,
    norm: after.norm,
    pull,
    U: radius,
    long: radius / pull,
    phi,
    by: run.by?.[t] ?? 0,
    tau: run.tau?.[t] ?? 0,
    h: run.event_h[k] ?? 0,
    degradation: lost,
    name_m: name(run.event_m[k]),
    name_n: name(run.event_n[k]),
    name_z: name(run.event_z[k]),
    spot:
      run.event[t] === MERGED ? spotOf(run, run.event_m[k], run.event_n[k], run.event_h[k]) : "",
  };
}
