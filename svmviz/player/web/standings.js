// What a race says in words: the medians under the planes, the figures of the title, the captions of the chart.

import { METRICS, amount } from "./chart.js";
import { tickText } from "./draw.js";

export function standings(race) {
  const { data } = race, set = (element, words) => { if (element.textContent !== words) element.textContent = words; };
  const some = (v, words) => (v === undefined || Number.isNaN(v) ? "–" : words(v));
  for (const lane of race.lanes) {
    const [gap, error, vectors] = ["suboptimality", "error", "n_sv"].map(metric => race.value(lane, metric)), absent = error === undefined;
    lane.box.classList.toggle("absent", absent);
    lane.numbers({ gap: absent ? `no ${data.axes[race.axes.x]}` : `P − P* = ${some(gap, readable)}`, error: absent ? "" : `error ${some(error, v => `${(v * 100).toFixed(1)} %`)}`, vectors: absent ? "" : `${some(vectors, v => Math.round(v))} vectors` });
  }
  const shown = [["optimum P*", data.optimum.primal.toFixed(4)], [`${data.tested ? "test error" : "error"} of the optimum`, `${(data.optimum.error * 100).toFixed(1)} %`], [data.axes[race.axes.x], amount(race.cost)]];
  if (race.figures.children.length !== shown.length) race.figures.replaceChildren(...shown.map(() => { const box = document.createElement("div"); box.append(document.createElement("dt"), document.createElement("dd")); return box; }));
  shown.forEach(([name, value], k) => { const [dt, dd] = race.figures.children[k].children; set(dt, name); set(dd, value); });
  set(race.transport.t, amount(race.cost));
  const { hint, scrub } = race.transport, { y } = race.axes, seeds = data.seeds > 1 ? `median of ${data.seeds} seeds, band from the 1st to the 9th decile` : "seed 0";
  const single = data.seeds > 1 ? race.lanes.filter(lane => !lane.spec.chance && race.curve(lane, y)).map(lane => lane.spec.title) : [];
  const alone = single.length ? `; ${single.join(", ")}: one run without a band, nothing in it is left to chance` : "";
  const what = { suboptimality: "P(w) − P*", error: `share of ${data.tested_on}`, level: "f(w) with the matched ν, over |w| ≤ 1", gap: "P(w) − D(α), of solvers that keep a dual", n_sv: "examples with a coefficient" }[y];
  set(race.chart.title, y === "error" && !data.tested ? "Training error" : METRICS[y][0]);
  set(race.chart.below, race.axes.x === "seconds" ? "wall time of seed 0, spread over its steps" : "cost axis (log)");
  set(race.chart.caption, `${what}, ${seeds}${alone}`);
  race.chart.caption.title = race.chart.caption.textContent;
  set(hint, race.presenting ? "F leaves · Space play · ← → step · M metric · X axis" : "Space play · ← → step · Shift ← → 10 % · Home End · ? all keys");
  scrub.setAttribute("aria-valuenow", Math.round(race.t));
  scrub.setAttribute("aria-valuetext", race.costText());
  if (!race.playing) set(race.spoken, `${data.stale ? `${race.about.textContent} ` : ""}${race.costText()}: ${race.lanes.map(lane => `${lane.spec.title} ${lane.gap.textContent}, ${lane.error.textContent}`).join("; ")}`);
}

const readable = v => (v < 0 ? `−${readable(-v)}` : v === 0 ? "0" : v >= 100 ? v.toFixed(0) : v >= 1 ? v.toFixed(2) : v >= .0095 ? v.toFixed(3) : v >= .00095 ? v.toFixed(4) : v >= .0000095 ? v.toFixed(6) : tickText(v));
