// The line below a Plotly chart: back to the whole of it once one has zoomed, and away with it as a
// picture or as a table of what is drawn. Plotly itself is the one that Streamlit has loaded.
//
// Where a window is as slim as a phone, names at the ends of curves would take the room of the
// curves: the legend has them, too.

const SHARP = 2; // pixels of a PNG for each on the screen
const SLIM = 480; // pixels of a chart without room for names
const MARGIN = 16; // beside curves without names

/** @type {WeakMap<PlotlyChart, Record<string, number[]>>} */
const wholes = new WeakMap(); // ranges before anything was zoomed
/** @type {WeakMap<PlotlyChart, number>} */
const margins = new WeakMap(); // of charts whose names are hidden, as they were

/** @param {ChartTools} component */
export default function ({ parentElement, data: { file, numbers } }) {
  const place = /** @type {HTMLElement} */ (
    "host" in parentElement ? parentElement.host : parentElement
  );
  const button = (/** @type {string} */ name) =>
    /** @type {HTMLButtonElement} */ (parentElement.querySelector(`[name=${name}]`));
  const chart = () => {
    const above = place.closest("[data-testid=stElementContainer]")?.previousElementSibling;
    return /** @type {PlotlyChart | null | undefined} */ (above?.querySelector(".js-plotly-plot"));
  };
  /** @type {PlotlyChart | undefined} */
  let known;
  const follow = () => {
    const gd = chart();
    if (!gd?.on || gd === known) return;
    known = gd;
    gd.on("plotly_afterplot", () => fold(gd));
    fold(gd);
  };
  const watch = new MutationObserver(follow);
  const above = place.closest("[data-testid=stElementContainer]")?.previousElementSibling;
  if (above) watch.observe(above, { childList: true, subtree: true });
  follow();
  const touched = (/** @type {Event} */ { target }) => {
    const gd = chart();
    if (gd?.contains(/** @type {Node} */ (target)) && !wholes.has(gd)) wholes.set(gd, ranges(gd));
  };
  // Plotly ends a drag on a sheet that it lays over the page, and then draws.
  const looked = () => requestAnimationFrame(() => (button("whole").hidden = !zoomed(chart())));
  button("whole").onclick = async () => {
    const gd = /** @type {PlotlyChart} */ (chart());
    await globalThis.Plotly.relayout(gd, wholes.get(gd) ?? {});
    looked();
  };
  button("svg").onclick = () => picture(/** @type {PlotlyChart} */ (chart()), file, "svg", 1);
  button("png").onclick = () => picture(/** @type {PlotlyChart} */ (chart()), file, "png", SHARP);
  button("csv").hidden = !numbers;
  button("csv").onclick = () => save(`${file}.csv`, table(/** @type {PlotlyChart} */ (chart())));
  document.addEventListener("mousedown", touched, true);
  document.addEventListener("mouseup", looked);
  return () => {
    watch.disconnect();
    document.removeEventListener("mousedown", touched, true);
    document.removeEventListener("mouseup", looked);
  };
}

/** Hides the names at the ends of curves where the chart is slim, and shows them where it is not.
 * @param {PlotlyChart} gd */
function fold(gd) {
  const names = gd.data.flatMap(({ mode }, k) => (mode === "text" ? k : []));
  const slim = gd.clientWidth < SLIM;
  if (!names.length || names.every(k => gd.data[k].visible === false) === slim) return;
  if (slim) margins.set(gd, gd.layout.margin.r);
  globalThis.Plotly.update(
    gd,
    { visible: !slim },
    { "margin.r": slim ? MARGIN : margins.get(gd) },
    names,
  );
}

/** @param {PlotlyChart} gd */
function ranges({ _fullLayout: layout }) {
  const axes = Object.keys(layout).filter(name => /^[xy]axis\d*$/.test(name));
  return Object.fromEntries(axes.map(name => [`${name}.range`, [...layout[name].range]]));
}

/** @param {PlotlyChart | null | undefined} gd */
function zoomed(gd) {
  const whole = gd && wholes.get(gd);
  return !!whole && JSON.stringify(ranges(gd)) !== JSON.stringify(whole);
}

/** On the colour of the page, which the chart itself lets through.
 * @param {PlotlyChart} gd @param {string} filename @param {string} format @param {number} scale */
function picture(gd, filename, format, scale) {
  const app = /** @type {Element} */ (document.querySelector("[data-testid=stApp]"));
  const layout = { ...gd.layout, paper_bgcolor: getComputedStyle(app).backgroundColor };
  const { clientWidth: width, clientHeight: height } = gd;
  return globalThis.Plotly.downloadImage(
    { data: gd.data, layout },
    { format, filename, scale, width, height },
  );
}

/** What is drawn: a row for each point of each curve, with the deciles below and above where it is a median.
 * @param {PlotlyChart} gd */
function table({ _fullData, _fullLayout: { xaxis, yaxis } }) {
  const rows = _fullData
    .filter(trace => trace.meta)
    .flatMap(({ meta, x, y, base = 0, orientation, customdata }) =>
      Array.from(y, (height, k) => {
        const foot = orientation === "h" || typeof height !== "number" ? 0 : (base[k] ?? base);
        return [
          meta,
          x[k],
          foot ? height + foot : height,
          ...(customdata?.[k]?.length === 2 ? customdata[k] : ["", ""]),
        ];
      }),
    );
  const head = [
    "curve",
    xaxis.title?.text || "x",
    yaxis.title?.text || "y",
    "1st decile",
    "9th decile",
  ];
  return [...new Set([head, ...rows].map(row => `${row.map(cell).join(",")}\n`))].join("");
}

/** @param {any} value */
function cell(value) {
  const text = Number.isNaN(value) ? "" : String(value ?? "");
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {string} download @param {string} text */
function save(download, text) {
  const href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  Object.assign(document.createElement("a"), { href, download }).click();
  URL.revokeObjectURL(href);
}
