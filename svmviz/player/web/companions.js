// Other runs on the same examples, beside the curve of the run itself: thinner, with a label at the right end.

import { clamp, text } from "./draw.js";

// [label, value(t), main] of each; a value is that of the last step at which it was measured.
export function beside(run, metric) {
  const { labels: names = [] } = run.companions ?? {}, which = metric === "test" || (metric === "error" && !run.wrong_test) ? "error" : metric;
  const times = new Set(run.companion_times);
  return names.map((name, k) => [name, run[`companion_${k}_${which}`], k]).filter(([, values]) => values).map(([name, values]) => [name, Object.assign(t => values[measured(run.companion_times, t)], { times }), false]);
}

function measured(times, t) {                                // the last of them that is not after t
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    times[middle] <= t ? low = middle : high = middle - 1;
  }
  return low;
}

// At the right end of each curve, inside the chart, none on another; the run without a budget says how many vectors it has now.
export function labels(g, chart, { run, theme, t }) {
  const u = theme.unit, apart = 16 * u, count = k => run[`companion_${k}_n_sv`]?.[measured(run.companion_times, Math.max(t, 1))];
  const ends = chart.series().map(([name, value, main]) => {
    const k = main ? -1 : run.companions.labels.indexOf(name), many = name === "no budget" && chart.axes.y !== "n_sv" && t ? `, ${main ? run.n_sv[t] : count(k)} vectors now` : "";
    let top = Infinity;                                      // above the last fifth of the curve, where the label stands
    for (let s = Math.ceil(run.T * .8); s <= run.T; s++) top = Math.min(top, chart.y(value(s)));
    return { name: name + many, main, y: clamp(top - 5 * u, 14 * u, chart.bottom - 6 * u) };
  }).sort((a, b) => a.y - b.y);
  ends.forEach((e, k) => { if (k) e.y = Math.max(e.y, ends[k - 1].y + apart); });
  const over = Math.max(0, (ends.at(-1)?.y ?? 0) - (chart.bottom - 6 * u));
  for (let k = ends.length - 1, limit = Infinity; over && k >= 0; k--) limit = (ends[k].y = Math.min(ends[k].y - (k === ends.length - 1 ? over : 0), limit)) - apart;
  for (const { name, main, y } of ends) text(g, theme, name, chart.right, y, { size: 13.5, weight: main ? 700 : 400, color: main ? theme.ink : theme.ink2, align: "right", halo: theme.bg });
}
