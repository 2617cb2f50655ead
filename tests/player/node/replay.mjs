// The player without a browser, for every test that asks it (`node.py`): each line of input holds a run as the server sends
// it, and the steps to look at, or a sweep, texts with marks, a function and what it is called with, or a module; each line
// of output holds what the player makes of them.

import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";

const web = process.argv[2];
const from = name => import(`${web}/${name}.js`);
const names = readdirSync(new URL(web), { recursive: true });
const [
  { decode },
  { Engine },
  { column },
  { moment },
  { fill, named, sentence },
  { Duals },
  plain,
  { seriesOf, wordsOf },
  { beatStops },
] = await Promise.all(
  ["wire", "replay", "kernels", "moment", "words", "own/duals"]
    .map(name => from(`engine/${name}`))
    .concat(from("panels/plain"), from("curves/series"), from("engine/beats")),
);
const { panelName } = await from("panels/index");
const own = async key => {
  const name = panelName(names, key);
  return name && import(`${web}/${name}`);
};
const listed = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
const range = (values, cells) => {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return Float64Array.from({ length: cells }, (_, k) => low + (k / (cells - 1)) * (high - low));
};

async function replayed({ data, steps }) {
  const run = await decode(new Uint8Array(Buffer.from(data, "base64")));
  const panel = { ...plain, ...(await own(run.solver.key)) };
  const at = k => Array.from({ length: run.n }, (_, i) => run.points[2 * i + k]);
  const grid = { xs: range(at(0), 6), ys: range(at(1), 5) };
  const engine = new Engine(run, grid);
  // the curve of the objective, without a page
  const chart = {
    run,
    own: panel.series,
    symbols: panel.symbols(run),
    solid: panel.solid(run),
    axes: { x: "steps", y: "objective" },
  };
  const duals = run.solver.key === "simba" && new Duals(run);
  const shown = steps.map(t => {
    const { coef, f, field, wrong, hinge, primal } = JSON.parse(
      JSON.stringify(engine.state(t), listed),
    );
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
    const weights = duals && {
      cells: duals.cells[t],
      p: t && duals.shares(t - 1, run.segment_of[t]).p,
    };
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
      short: sentence(view, "short"),
      maths: sentence(view, "maths"),
      numbers,
      beside: view.segment.lines.map(line => fill(line.value, named(view))),
      curves: seriesOf(chart).map(([name, value, main]) => ({
        name,
        value: value(t, view.s),
        main,
      })),
      caption: wordsOf(chart)[0],
      water: { gamma, b, k },
      weights,
    };
  });
  const columns = [0, run.n - 1].map(i =>
    column(run.segments[0].params.kernel, run.matrix, i).slice(0, run.n),
  );
  const metrics = panel.metrics(run);
  // what w is worth where a segment begins, under its parameters
  const entries = run.segments.map(({ start, entry }, s) =>
    Object.fromEntries(Object.keys(entry ?? {}).map(name => [name, run.at(name, start, s)])),
  );
  return {
    ...grid,
    entries,
    metrics,
    scores: run.scores,
    classes: run.classes,
    moves: run.move_delta,
    columns,
    shown,
  };
}

// Decision values of a run at its points and on a grid, at some steps in the order given, and the number of
// kernel columns that were computed for them.
async function plotted({ plotted: data, steps, xs, ys }) {
  const engine = new Engine(await decode(new Uint8Array(Buffer.from(data, "base64"))), {
    xs: Float64Array.from(xs),
    ys: Float64Array.from(ys),
  });
  const shown = steps.map(t => {
    const { f, field } = engine.state(t);
    return { f: [...f], field: [...field] };
  });
  return { shown, columns: engine.columns.size };
}

// Texts cut at their marks: every second piece is one.
async function cut({ marks, texts }) {
  const { finder, pieces } = await from("engine/symbols");
  const found = finder(marks);
  return { pieces: texts.map(words => pieces(words, found)) };
}

// A sweep as the page Explore shows it.
async function swept({ sweep }) {
  const [{ unpack }, cells, { wordsOf }] = await Promise.all(
    ["engine/wire", "explore/cells", "explore/sweepbar"].map(from),
  );
  const found = await unpack(new Uint8Array(Buffer.from(sweep, "base64")));
  const table = new cells.Cells(found);
  const all = table.order.map(row => table.cell(row));
  const [rows, columns] = [found.shape[0], found.shape[1] ?? 1];
  return {
    value: found.value,
    errors: found.error,
    state: found.state_of,
    cells: all,
    words: wordsOf(found),
    told: all.map(cell => table.told(cell)),
    sentences: all.map(cell => table.sentence(cell)),
    lines: found.shape.map((_, axis) => table.line(all[0], axis)),
    best: found.best,
    cross: found.cross,
    edges: cells.outline(rows, columns, (r, c) => found.within[r * columns + c] === 1).length,
    field: found["look.field"],
    extent: found["look.extent"],
  };
}

// What a lesson says of a run: facts after some steps or at the end of one of their beats, and the words of texts there.
async function studied({ studied: data, moments, texts }) {
  const [{ factsAt }, { spoken }] = [await from("lesson/facts"), await from("lesson/reckon")];
  const run = await decode(new Uint8Array(Buffer.from(data, "base64")));
  const panel = { ...plain, ...(await own(run.solver.key)) };
  const stage = {
    run,
    panel,
    engine: new Engine(run, { xs: range([0, 1], 2), ys: range([0, 1], 2) }),
    theme: {},
    slow: true,
  };
  const facts = moments.map(([t, beat]) => factsAt(stage, t, true, beat ? endOf(run, t, beat) : 1));
  const said = texts.map(([k, parts]) => spoken(parts, facts[k]));
  return { facts, said };
}

const endOf = (run, t, beat) =>
  beatStops(run.segment(t).lines, run.lines[t]).find(stop => stop.beat === beat).at;

// How much of a step is shown where the answer to a question about it stands.
function standing(stage, { t, beat }) {
  const view = moment({
    ...stage,
    t: t + 1,
    phase: beat ? endOf(stage.run, t + 1, beat) : 1,
    slow: true,
  });
  return { shown: view.shown, taken: view.taken ?? 0 };
}

// Every question that can be asked at these steps, of these kinds or of all, and what is said of some answers: the
// truth, and others that are wrong in one place.
async function quizzed({ data, ask, kinds }) {
  const run = await decode(new Uint8Array(Buffer.from(data, "base64")));
  const { makers } = await from("questions/index");
  const panel = { ...plain, ...(await own(run.solver.key)) };
  const at = k => Array.from({ length: run.n }, (_, i) => run.points[2 * i + k]);
  const engine = new Engine(run, { xs: range(at(0), 6), ys: range(at(1), 5) });
  const found = ask.flatMap(t =>
    (kinds ?? run.questions.map(question => question.kind)).flatMap(kind => {
      const asker = { run, engine, panel, theme: {}, t };
      const asked = makers[kind](asker);
      if (!asked) return [];
      const again = makers[kind](asker);
      return [
        {
          ...asked,
          stands: standing(asker, asked),
          same: JSON.stringify(asked) === JSON.stringify(again),
          verdicts: answers(asked).map(answer => ({ answer, ...asked.judge(answer) })),
        },
      ];
    }),
  );
  return { declared: run.questions.map(question => question.kind), found, points: run.points };
}

function answers({ form, truth, options, line, range }) {
  const places = options.map((_, k) => k);
  if (form === "many")
    return [
      truth,
      ...places.map(k => (truth.includes(k) ? truth.filter(p => p !== k) : [...truth, k])),
      places,
      places.filter(k => !truth.includes(k)),
    ].filter(picked => picked.length);
  if (form === "number")
    return [truth, truth * 1.45, truth / 1.45, truth * 1.55, truth / 1.55, range.low, range.high];
  if (form === "line") {
    const { angle, offset } = truth;
    return [truth, line.start, { angle: angle + 0.09, offset }, { angle: angle - 0.12, offset }];
  }
  if (form === "pair") {
    const rows = options.map(({ row }) => row);
    return [truth, ...rows.flatMap((a, k) => rows.slice(k + 1).map(b => [b, a]))];
  }
  return places.map(k => [k]);
}

// Two runs, and how far they are apart after some steps.
async function parted({ forked, steps }) {
  const { unfold, apart } = await from("engine/fork");
  const bytes = new Uint8Array(Buffer.from(forked, "base64"));
  const run = await decode(bytes);
  const fork = await unfold(bytes, run);
  const at = k => Array.from({ length: run.n }, (_, i) => run.points[2 * i + k]);
  const grid = { xs: range(at(0), 6), ys: range(at(1), 5) };
  const [a, b] = [run, fork.run].map(one => new Engine(one, grid));
  const field = new Float64Array(30);
  const shown = steps.map(t => {
    const found = apart(a.state(t), b.state(t), run, fork.run.masks[fork.run.segment_of[t]], field);
    return { ...found, field: [...field] };
  });
  const { t, measures, differences } = fork;
  return {
    ...grid,
    shown,
    t,
    measures,
    differences,
    a: fork.a,
    b: fork.b,
    wrong: [run.wrong, fork.run.wrong],
  };
}

const called = async ({ module, name, args }) => ({ value: (await from(module))[name](...args) });
const listing = async ({ exports }) => ({ value: Object.keys(await from(exports)) });

const KINDS = {
  forked: parted,
  studied,
  ask: quizzed,
  data: replayed,
  plotted,
  marks: cut,
  sweep: swept,
  exports: listing,
};
const kind = asked => KINDS[Object.keys(KINDS).find(name => asked[name])] ?? called;

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  const answer = await kind(asked)(asked).catch(error => ({ error: error.stack }));
  process.stdout.write(`${JSON.stringify(answer, listed)}\n`);
}
