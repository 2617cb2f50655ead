// Other runs on the same examples, beside the curve of the run itself: thinner, with a label at the right end.

import { text } from "./draw.js";

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

// At the right end of each curve, inside the chart: from the lowest curve on, each as far down as none lies on a curve or on
// another; where there is no room for that, with the first one below its curve; else one below the other. The run without a budget
// says how many vectors it has now.
export function labels(g, chart, { run, theme, t }) {
  const u = theme.unit, apart = 16 * u, highest = 14 * u, count = k => run[`companion_${k}_n_sv`]?.[measured(run.companion_times, Math.max(t, 1))];
  const ends = chart.series().map(([name, value, main]) => {
    const k = main ? -1 : run.companions.labels.indexOf(name), many = name === "no budget" && chart.axes.y !== "n_sv" && t ? `, ${main ? run.n_sv[t] : count(k)} vectors now` : "";
    let top = Infinity, low = 0;                             // of the last third of the curve, where the label stands
    for (let s = Math.ceil(run.T * .67); s <= run.T; s++) {
      const y = chart.y(value(s));
      top = Math.min(top, y);
      low = Math.max(low, y);
    }
    return { name: name + many, main, top, low };
  }).sort((a, b) => b.top - a.top);
  const stacked = below => {
    ends.forEach((e, k) => {
      e.y = below && !k ? e.low + 15 * u : Math.min(e.top - 5 * u, k ? ends[k - 1].y - apart : chart.bottom - 6 * u);
      for (let under; (!below || k) && (under = ends.find(({ top, low }) => top < e.y + 3 * u && low > e.y - 11 * u)); ) e.y = under.top - 5 * u;
    });
    return ends.every(({ y }) => y >= highest && y <= chart.bottom - 4 * u);
  };
  if (!stacked(false) && !stacked(true)) ends.forEach((e, k) => { e.y = highest + (ends.length - 1 - k) * apart; });
  for (const { name, main, y } of ends) text(g, theme, name, chart.right, y, { size: 13.5, weight: main ? 700 : 400, color: main ? theme.ink : theme.ink2, align: "right", halo: theme.bg });
}
