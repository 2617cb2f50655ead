// Questions about a rack that is full: who leaves it, and which two become one.

import { handed } from "../../engine/own/handed.js";
import { missed } from "../../engine/own/missed.js";
import { merger, present, removal } from "../../engine/own/prices.js";
import { classOf, product, sizeOf } from "../../engine/scores.js";
import { MERGED, PROJECTED, REMOVED, nameOf } from "../../engine/own/table.js";
import {
  SURE,
  asked,
  brief,
  chance,
  collector,
  extentOf,
  maker,
  numbered,
  named,
  placeOf,
  shuffled,
  text,
  upper,
} from "../making.js";

const MOST = 150; // vectors whose pairs are all tried
const SAME = 1e-4; // of a cost: less is no difference

// The rack in the midst of the step, one vector too many on it; null where nothing overflows.
/** @param {import("../making.js").Step} step */
function overflow({ run, engine, next, params: { B } }) {
  if (![REMOVED, PROJECTED, MERGED].includes(run.event?.[next])) return null;
  const k = /** @type {number} */ (run.event_of.get(next));
  const mid = engine.midst(next);
  const rows = present(run, mid);
  return rows.length === B + 1 ? { mid, rows, k } : null; // else several go at once
}

// What decides who leaves: the least of these, or with sign -1 the most, and the words for it; null
// where one cannot tell from the plane.
/**
 * @param {Run} run
 * @param {State} mid
 * @param {Params} params
 * @param {number[]} rows
 * @param {number} i
 */
function choosing(run, mid, params, rows, i) {
  const { maintenance } = params;
  if (maintenance === "merge" && params.pairs === "all") return null; // no one has to be in it
  if (["merge", "remove smallest", "project smallest"].includes(maintenance)) {
    const by = new Map(rows.map(row => [row, removal(run, mid, params, row)]));
    return { by, sign: 1, says: "weighs least, |α|² K =", less: "weighs" };
  }
  if (["project on newcomer", "project on neighbour"].includes(maintenance)) {
    const by = handed(run, mid, params, rows, i);
    const says = "loses least where it is projected, ‖Δ‖² =";
    return by && { by, sign: 1, says, less: "would lose" };
  }
  const by = maintenance === "remove by counts" ? null : missed(run, 0, mid, params, rows);
  if (by && maintenance === "remove easiest")
    return {
      by,
      sign: -1,
      says: "has the largest margin without itself,",
      less: "has without itself",
    };
  return (
    by && { by, sign: 1, says: "is missed least: vectors wrong without it,", less: "leaves wrong" }
  );
}

export const leaves = maker(step => {
  const { run, params, drawn } = step;
  const found = overflow(step);
  if (!found) return null;
  const { mid, rows, k } = found;
  const { B, maintenance } = params;
  const [i] = drawn;
  const choice = choosing(run, mid, params, rows, i);
  if (!choice) return null;
  const { sign, says, less } = choice;
  /** @param {number} row */
  const weighs = row => sign * /** @type {number} */ (choice.by.get(row));
  /** @param {number} row */
  const shown = row => brief(sign * weighs(row));
  const m = run.event_m[k];
  const least = weighs(m);
  const heavier = [...choice.by.keys()]
    .filter(row => weighs(row) > least + SAME * Math.abs(least))
    .toSorted((a, b) => weighs(a) - weighs(b));
  const { size } = extentOf(run, step.mask);
  const random = chance(step, "leaves");
  const { taken, take } = collector(run, size, rows);
  take([m]);
  if (i !== m && choice.by.has(i)) taken.push(i); // the newcomer may often be it
  take(heavier, 2);
  take(heavier.toReversed());
  take(shuffled(heavier, random), 6 - taken.length);
  if (taken.length < 3) return null;
  /** @param {number} row */
  const ties = row => row !== m && weighs(row) <= least + SAME * Math.abs(least);
  const same = [...choice.by.keys()].filter(ties).length;
  const { options, truth } = numbered(
    run,
    taken,
    random,
    row => row === m,
    row => ({
      words: nameOf(run, row),
      value: shown(row),
      note: row === m ? (maintenance === "merge" ? "is merged" : "leaves") : "",
    }),
  );
  const next = shown(heavier[0]);
  const tied = same ? ` (${same} other${same > 1 ? "s" : ""} the same, but younger)` : "";
  return asked(step, "leaves", {
    form: "one",
    options,
    truth,
    drawn,
    values: {
      B,
      itself: choice.by.has(i) ? `Point ${i + 1} itself may be it; of` : "Of",
      who:
        maintenance === "merge"
          ? "Which vector is it that must be merged?"
          : "Who leaves the rack?",
      reason: `${upper(named(options[truth[0]]))} ${says} ${shown(m)}${tied}; next comes ${next}.`,
      cost: `Making room cost ‖Δ‖² = ${brief(run.event_degradation[k])}.`,
    },
    mistake: (option, missed) =>
      missed
        ? ""
        : named(option) +
          ` ${less} ${ties(option.row) ? "the same, but came later" : option.value}`,
  });
});

/** @param {number} k */
const ordinal = k =>
  `${k}${k % 100 > 10 && k % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][k % 10] ?? "th")}`;

export const pair = maker(step => {
  const { run, params, next, drawn } = step;
  const found = overflow(step);
  if (!found || params.maintenance !== "merge" || run.event[next] !== MERGED) return null;
  const { mid, rows, k } = found;
  if (rows.length > MOST) return null;
  const { B } = params;
  const [m, n] = [run.event_m[k], run.event_n[k]];
  const pairs = rows.flatMap((a, from) =>
    rows.slice(from + 1).flatMap(b => {
      const found = merger(run, mid, params, a, b);
      return found ? [{ a, b, cost: found.lost }] : [];
    }),
  );
  /** @param {number} a @param {number} b */
  const priced = (a, b) => pairs.find(p => (p.a === a && p.b === b) || (p.a === b && p.b === a));
  const taken = priced(m, n);
  if (!taken || pairs.length < 3) return null;
  const sizes = new Map(rows.map(row => [row, sizeOf(mid, row)]));
  /** @param {number} row */
  const size = row => /** @type {number} */ (sizes.get(row));
  const sides = new Map(
    rows.map(row => [row, rows.map(other => other !== row && product(run, mid, row, other) > 0)]),
  );
  /** @param {{ cost: number }} p */
  const rank = ({ cost }) => 1 + pairs.filter(other => other.cost < cost * (1 - SURE)).length;
  /** @param {number} a @param {number} b */
  const far = (a, b) => {
    const [p, q] = [placeOf(run, a), placeOf(run, b)];
    return text(Math.hypot(p[0] - q[0], p[1] - q[1]), 3);
  };
  const least = Math.min(...rows.map(row => removal(run, mid, params, row)));
  /** @param {number} row */
  const kind = row => {
    const own = classOf(run, mid, row);
    return run.classes[own] ?? (own > 0 ? "+1" : "−1");
  };
  return asked(step, "pair", {
    form: "pair",
    truth: [m, n],
    options: rows.map(row => ({
      number: 0,
      words: `${nameOf(run, row)}, ${kind(row)}`,
      row,
      place: placeOf(run, row),
      value: "",
      note: "",
    })),
    mates: row => sides.get(row) ?? [],
    drawn,
    covers: ["mechanism"],
    values: { B },
    judged: answer => {
      const [a, b] = Array.isArray(answer) ? answer : [];
      const mine = priced(a, b);
      const pairsShown = [{ rows: [m, n], words: "solver", yours: false }];
      const thrown = `Throwing the lightest away would cost ${brief(least)}.`;
      const place = ordinal(rank(taken));
      const top = `The solver's is the ${place} of all ${pairs.length} pairs of one sign`;
      if (!mine)
        return {
          right: false,
          title: "No pair of one sign.",
          values: {
            compared: `The solver's costs ${brief(taken.cost)}.`,
            rank: `${top}.`,
            removal: thrown,
          },
          pairs: pairsShown,
        };
      const times = mine.cost / Math.max(taken.cost, 1e-300);
      const right = times <= 1 + SAME;
      const same = mine === taken;
      const cheaper = times < 1 - SAME;
      const only = `it tries only partners of the lightest, ${nameOf(run, m)}`;
      const unseen = cheaper ? `: ${only}, and never saw yours` : "";
      return {
        right,
        title: same
          ? "The solver's pair."
          : cheaper
            ? "Cheaper than the solver's."
            : right
              ? "As cheap as the solver's."
              : `${times < 1000 ? `${brief(times)} times` : "Far above"} the solver's price.`,
        values: {
          compared: same
            ? `It costs ‖Δ‖² = ${brief(taken.cost)}.`
            : `Yours costs ‖Δ‖² = ${brief(mine.cost)}, the solver's ${brief(taken.cost)}${unseen}.`,
          rank: same ? `${top}.` : `${top}, yours the ${ordinal(rank(mine))}.`,
          removal: thrown,
        },
        cost: {
          head: ["", "you", "solver"],
          rows: [
            ["distance", far(a, b), far(m, n)],
            [
              "|α| of the two",
              `${brief(size(a))}, ${brief(size(b))}`,
              `${brief(size(m))}, ${brief(size(n))}`,
            ],
            ["cost ‖Δ‖²", brief(mine.cost), brief(taken.cost)],
            [`rank of ${pairs.length}`, String(rank(mine)), String(rank(taken))],
          ],
        },
        pairs: [...pairsShown, ...(same ? [] : [{ rows: [a, b], words: "you", yours: true }])],
      };
    },
  });
});
