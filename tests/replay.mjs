// The player without a browser, for test_player.py: each line of input holds a run as the server sends it, and the steps to
// look at; each line of output what the player makes of them.

import { createInterface } from "node:readline";

const web = process.argv[2];
const from = name => import(`${web}/${name}.js`);
const [{ decode }, { Engine }, { moment }, { sentence }, plain] = await Promise.all(
  ["engine/wire", "engine/engine", "engine/moment", "engine/words", "panels/plain"].map(from),
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
  const shown = steps.map(t => {
    const { coef, f, field, wrong } = JSON.parse(JSON.stringify(engine.state(t), listed));
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
    return { coef, f, field, wrong, why: sentence(view), last: view.last.after.coef, count: run.count(t) };
  });
  return { ...grid, rows: run.rows, scores: run.scores, moves: run.move_delta, shown };
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await replayed(JSON.parse(line)).catch(error => ({ error: error.stack }));
  process.stdout.write(`${JSON.stringify(answer, listed)}\n`);
}
