// The player without a browser, for test_player.py: each line of input holds a run as the server sends it, and the steps to
// look at, a function and what it is called with, or a module; each line of output what the player makes of them.

import { createInterface } from "node:readline";

const web = process.argv[2];
const from = name => import(`${web}/${name}.js`);
const [
  { decode },
  { Engine },
  { column },
  { moment },
  { fill, named, sentence },
  { Duals },
  plain,
  { Curves },
] = await Promise.all(
  ["wire", "engine", "kernels", "moment", "words", "duals"]
    .map(name => from(`engine/${name}`))
    .concat(from("panels/plain"), from("stage/curves")),
);
const listed = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
const range = (values, cells) => {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return Float64Array.from({ length: cells }, (_, k) => low + (k / (cells - 1)) * (high - low));
};

async function replayed({ data, steps }) {
  const run = await decode(new Uint8Array(Buffer.from(data, "base64")));
  const panel = { ...plain, ...(await from(`panels/${run.solver.key}`).catch(() => null)) };
  const at = k => Array.from({ length: run.n }, (_, i) => run.points[2 * i + k]);
  const grid = { xs: range(at(0), 6), ys: range(at(1), 5) };
  const engine = new Engine(run, grid);
  // the curve of the objective, without a page
  const chart = Object.assign(Object.create(Curves.prototype), {
    run,
    own: panel.series,
    symbols: panel.symbols(run),
    solid: panel.solid(run),
    axes: { x: "steps", y: "objective" },
  });
  const duals = run.solver.key === "simba" && new Duals(run);
  const shown = steps.map(t => {
    const { coef, f, field, wrong, hinge, primal } = JSON.parse(JSON.stringify(engine.state(t), listed));
    const view = moment({
      run,
      engine,
      t,
      phase: 1,
      theme: {},
      panel,
      supposed: null,
      slow: true,
      linked: -1,
    });
    const { gamma, b, k } = view.last.now;
    const weights = duals && { cells: duals.cells[t], p: t && duals.shares(t - 1, run.segment_of[t]).p };
    const numbers = Object.fromEntries(panel.numbers(view));
    chart.segment = view.segment;
    return {
      coef,
      f,
      field,
      wrong,
      hinge,
      primal,
      why: sentence(view),
      numbers,
      beside: view.segment.lines.map(line => fill(line.value, named(view))),
      curves: chart.series().map(([name, value, main]) => ({ name, value: value(t, view.s), main })),
      caption: chart.words(run, view.segment)[0],
      water: { gamma, b, k },
      weights,
    };
  });
  const columns = [0, run.n - 1].map(i =>
    column(run.segments[0].params.kernel, run.matrix, i).slice(0, run.n),
  );
  const metrics = panel.metrics(run);
  return { ...grid, metrics, scores: run.scores, moves: run.move_delta, columns, shown };
}

const called = async ({ module, name, args }) => ({ value: (await from(module))[name](...args) });
const listing = async ({ exports }) => ({ value: Object.keys(await from(exports)) });

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  const answer = await (asked.data ? replayed : asked.exports ? listing : called)(asked).catch(error => ({
    error: error.stack,
  }));
  process.stdout.write(`${JSON.stringify(answer, listed)}\n`);
}
