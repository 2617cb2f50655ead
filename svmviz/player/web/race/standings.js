// What a race says in words: the medians under the planes, the figures of the title, the captions
// of the chart.

import { METRICS, amount } from "./chart.js";
import { FEW } from "./lane.js";
import { tickText } from "../canvas/scales.js";
import { plural } from "../engine/words.js";
import { leaving } from "../stage/hint.js";
import { say } from "../canvas/elements.js";

/** @param {number | undefined} v @param {(v: number) => string} words */
const some = (v, words) => (v === undefined || Number.isNaN(v) ? "–" : words(v));
/** @param {number} v */
const percent = v => `${(v * 100).toFixed(1)} %`;

/** @param {Race} race */
export function standings(race) {
  const { data } = race;
  const { hint, scrub } = race.transport;
  for (const lane of race.lanes) lane.numbers(medians(race, lane));
  figures(race);
  say(race.transport.t, amount(race.cost));
  captions(race);
  say(
    hint,
    race.presenting
      ? `${leaving(race.frame)} · Space play · ← → step · M metric · X axis`
      : "Space play · ← → step · Shift ← → 10 % · Home End · ? all keys",
  );
  scrub.setAttribute("aria-valuenow", String(Math.round(race.t)));
  scrub.setAttribute("aria-valuetext", race.costText());
  if (race.playing) return;
  const told = race.lanes
    .map(({ spec, gap, error }) => `${spec.title} ${gap.textContent}, ${error.textContent}`)
    .join("; ");
  say(race.spoken, `${data.stale ? `${race.origin()[0]} ` : ""}${race.costText()}: ${told}`);
  const { sheet, title } = race.chart;
  /** @param {Lane} lane */
  const value = lane => some(race.value(lane, race.axes.y), readable);
  const values = race.lanes.map(lane => `${lane.spec.title} ${value(lane)}`).join(", ");
  sheet.call(`${sheet.label}; ${title.textContent} at ${race.costText()}: ${values}`);
}

/** @param {Race} race @param {Lane} lane */
function medians(race, lane) {
  const { key, short } = race.data.yardstick;
  const [gap, off, vectors] = ["suboptimality", key, "n_sv"].map(metric =>
    race.value(lane, metric),
  );
  const absent = off === undefined;
  const { unproven } = race.data.optimum;
  const own = gap === undefined; // what it minimises is something else
  lane.box.classList.toggle("absent", absent);
  if (absent) return { gap: `no ${race.data.axes[race.axes.x]}`, error: "", vectors: "" };
  return {
    gap: own ? "a P of its own" : `P − P* ${unproven ? "≈" : "="} ${some(gap, readable)}`,
    error: `${short} ${some(off, v => measured(race, v))}`,
    vectors: some(vectors, v => plural(Math.round(v), "vector")),
  };
}

// By the yardstick of this kind of problem.
/** @param {Race} race @param {number} v */
const measured = ({ data }, v) => (data.yardstick.share ? percent(v) : readable(v));

/** @param {Race} race */
function figures(race) {
  const { data, axes, cost } = race;
  const { primal, unproven } = data.optimum;
  const { key, short, share } = data.yardstick;
  const name = share && data.tested ? `test ${short}` : short;
  const P = primal.toFixed(4);
  race.numbers.paint([
    unproven ? [`P*, within ${readable(unproven)}`, `≈ ${P}`] : ["optimum P*", P],
    [`${name} ${unproven ? "near" : "of"} the optimum`, measured(race, data.optimum[key])],
    [data.axes[axes.x], amount(cost)],
  ]);
}

/** @param {Race} race */
function captions(race) {
  const { data, chart, lanes, axes } = race;
  const { x, y } = axes;
  const { primal, unproven } = data.optimum;
  const many = data.seeds > 1;
  const seeds = many ? `median of ${data.seeds} seeds` : "seed 0";
  const band = !many
    ? ""
    : lanes.length > FEW
      ? ", band of the lane that is pointed at"
      : ", band from the 1st to the 9th decile";
  const single = lanes
    .filter(lane => many && !lane.spec.chance && race.curve(lane, y))
    .map(lane => lane.spec.title);
  const alone = single.length ? `; ${single.join(", ")}: one run` : "";
  const why = alone && " without a band, nothing in it is left to chance";
  const best = unproven ? `, with P* = ${primal.toFixed(4)} within ${readable(unproven)}` : "";
  /** @type {Record<string, string>} */
  const told = {
    suboptimality: `P(w) − P*${best}`,
    [data.yardstick.key]: `${data.yardstick.told}${data.tested_on}`,
    level: "γ(w) with the matched ν, over |w| ≤ 1",
    gap: "P(w) − D(α), of solvers that keep a dual",
    n_sv: "examples with a coefficient",
  };
  const what = told[y];
  const { key, title, trained } = data.yardstick;
  say(chart.title, y === key ? (data.tested ? title : trained) : METRICS[y][0]);
  say(
    chart.below,
    race.frame.classList.contains("narrow")
      ? race.ending()[0]
      : x === "seconds"
        ? "wall time of seed 0, spread over its steps"
        : "cost axis (log)",
  );
  chart.caption.say(
    `${what}, ${seeds}${band}${alone}${why}`,
    `${what}, ${seeds}${band}${alone}`,
    `${what}, ${seeds}${alone}`,
    what,
  );
}

/** @param {number} v @returns {string} */
function readable(v) {
  if (v < 0) return `−${readable(-v)}`;
  if (v === 0 || v >= 100) return v.toFixed(0);
  const digits = v >= 1 ? 2 : v >= 0.0095 ? 3 : v >= 0.00095 ? 4 : 6;
  return v >= 0.0000095 ? v.toFixed(digits) : tickText(v);
}
