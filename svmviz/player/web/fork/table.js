// What differs between A and B after a step, in numbers: parameters first, then what each run has
// come to.

import { support } from "../engine/scores.js";
import { counted, decimals, significant } from "../engine/words.js";
import { make, say } from "../canvas/elements.js";

/** @typedef {{ name: string, a: string, b: string, apart: string, changed?: boolean }} Row */

/** @param {number} v @param {(v: number) => string} words */
const signed = (v, words) => (v > 0 ? `+${words(v)}` : words(v));
/** @param {number} v */
const three = v => decimals(v, Math.abs(v) < 100 ? 3 : 1);
/** @param {number | null} times */
const factor = times =>
  times === null
    ? ""
    : times >= 1
      ? `× ${significant(times, 3)}`
      : `÷ ${significant(1 / times, 3)}`;

// The value of what the solver works on, of the iterate that is shown; without λ it is that of
// those learnt, and was recorded.
/** @param {View} view */
const objective = ({ run, now, segment, of, t }) =>
  run.solver.objective === "primal" && segment.params.lam !== undefined
    ? now.primal
    : of(
        segment.params.iterate === "average" && run.objective_average
          ? "objective_average"
          : "objective",
        t,
      );

// Whether any kernel value is computed.
/** @param {View[]} views */
const kernels = views => views.some(({ run }) => run.axes.kernel_evals(run.T) > 0);

const LONG = 12; // letters of a name that has a line for itself

/** @param {Fork} fork @param {View} a @param {View} b @param {Panel} panel @returns {Row[]} */
export function rowsOf(fork, a, b, panel) {
  /**
   * @param {string} name
   * @param {(view: View) => number} of
   * @param {(v: number) => string} words
   * @param {string} [unlike]
   */
  const row = (name, of, words, unlike = "") => {
    const [x, y] = [of(a), of(b)];
    const known = Number.isFinite(x) && Number.isFinite(y);
    const shown = [x, y].map(v => (Number.isFinite(v) ? words(v) : "–"));
    return { name, a: shown[0], b: shown[1], apart: unlike || (known ? signed(y - x, words) : "") };
  };
  const { value, gap } = panel.symbols(a.run);
  const alike = new Set(fork.measures);
  const sign = a.run.solver.maximises ? -1 : 1;
  /** @param {View} view */
  const above = view => sign * (objective(view) - (view.segment.optimum?.value ?? NaN));
  /** @param {View} view */
  const wrong = ({ now }) => (100 * now.wrong) / now.count;
  /** @param {number} v */
  const percent = v => `${decimals(v, 1)} %`;
  const own = fork.differences.length === 1 ? fork.differences[0].name : "parameters";
  const since = fork.t ? `after step ${counted(fork.t)}` : "";
  return [
    ...fork.differences.map(({ name, a, b, times }) => ({
      name: name.length < LONG ? `${name} ${since}`.trim() : name,
      a,
      b,
      apart: factor(times),
      changed: true,
    })),
    ...(a.run.solver.objective === "hinge" // which is the mean loss
      ? []
      : [
          row(
            alike.has("objective") ? value : `${value}, own ${own}`,
            objective,
            three,
            alike.has("objective") ? "" : "two scales",
          ),
        ]),
    ...(gap ? [row(gap, above, three, alike.has("objective") ? "" : "two scales")] : []),
    ...(a.run.solver.objective === "level"
      ? []
      : [row("mean loss", ({ now }) => now.hinge, three, alike.has("hinge") ? "" : "two losses")]),
    row("training error", wrong, percent),
    ...(a.run.wrong_test
      ? [
          row(
            `test error, ${counted(a.run.n_test)}`,
            ({ run, of, t }) => (100 * of("wrong_test", t)) / run.n_test,
            percent,
          ),
        ]
      : []),
    row("norm ‖w‖", ({ now }) => now.norm, three, alike.has("norm") ? "" : "two spaces"),
    row("support vectors", ({ now }) => support(now.coef), counted),
    kernels([a, b])
      ? row("kernel evaluations", ({ run, t }) => run.axes.kernel_evals(t), counted)
      : row("features read", ({ run, t }) => run.axes.features_read(t), counted),
  ];
}

export class Table {
  /** @param {HTMLElement} body */
  constructor(body) {
    this.body = body;
  }

  // Cells are written only where they say something else: this happens ten times a second.
  /** @param {Row[]} rows */
  paint(rows) {
    const { body } = this;
    while (body.children.length > rows.length) body.lastElementChild?.remove();
    rows.forEach(({ name, a, b, apart, changed }, k) => {
      const line = body.children[k] ?? body.appendChild(blank());
      line.classList.toggle("changed", Boolean(changed));
      [name, a, b, apart].forEach((words, c) => say(line.children[c], words));
    });
  }
}

function blank() {
  const row = make("tr");
  row.append(make("th", { scope: "row" }), make("td"), make("td"), make("td"));
  return row;
}
