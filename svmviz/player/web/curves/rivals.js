// Rivals on the same examples, beside the curve of the run itself: thinner, with a label at the
// right end.

// [label, value(t), main] of each; a value is that of the last step at which it was measured.
/** @param {Run} run @param {string} metric */
export function beside(run, metric) {
  const { labels: names = [] } = run.beside ?? {};
  const which = metric === "test" || (metric === "error" && !run.wrong_test) ? "error" : metric;
  const times = new Set(run.rival_times);
  return names
    .map((name, k) => ({ name, values: run.array(`rival_${k}_${which}`) }))
    .flatMap(({ name, values }) => {
      if (!values) return [];
      /** @param {number} t */
      const value = t => values[measured(run.rival_times, t)];
      return [/** @type {Curve} */ ([name, Object.assign(value, { times }), false])];
    });
}

/** @param {Numbers} times @param {number} t */
function measured(times, t) {
  // the last of them that is not after t
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    times[middle] <= t ? (low = middle) : (high = middle - 1);
  }
  return low;
}

// The name of each curve above its right end, inside the chart, in the order in which the curves
// end. The run without a budget says how many vectors it has now.
/** @param {Labels} labels @param {Curves} chart @param {View} view */
export function names(labels, chart, { run, theme, t }) {
  const u = theme.unit;
  /** @param {number} k */
  const count = k => run.array(`rival_${k}_n_sv`)?.[measured(run.rival_times, Math.max(t, 1))];
  const ends = chart.series().map(([name, value, main]) => {
    const k = main ? -1 : (run.beside?.labels ?? []).indexOf(name);
    const held =
      name === "no budget" && chart.axes.y !== "n_sv" && t ? (main ? run.n_sv[t] : count(k)) : 0;
    let top = Infinity; // of the last third of the curve, where the label stands
    for (let s = Math.ceil(run.T * 0.67); s <= run.T; s++) top = Math.min(top, chart.y(value(s)));
    return {
      name: held ? `${name}, ${held} vector${held === 1 ? "" : "s"} now` : name,
      main,
      y: top - 11 * u,
    };
  });
  // from the lowest upwards: whoever would lie on the one below, or on its curve, goes higher
  let last = chart.bottom + 8 * u;
  for (const end of ends.sort((a, b) => b.y - a.y)) last = end.y = Math.min(end.y, last - 16 * u);
  const down = Math.max(0, 8 * u - last);
  for (const { name, main, y } of ends)
    labels.must(
      name,
      {
        size: 13.5,
        weight: main ? 700 : 400,
        color: main ? theme.ink : theme.ink2,
        base: "middle",
      },
      [chart.right, y + down, "right"],
    );
}
