// A sweep, its cells, and the run of one of them.

type Explore = import("./main.js").Stage;
type Cells = import("./cells.js").Cells;

/** A parameter that is swept. */
interface SweptAxis {
  name: string;
  symbol: string;
  title: string;
  number: boolean;
  log: boolean;
  values: number[];
  labels: string[];
}

/**
 * A sweep as the server tells it (svmviz/player/wire/sweep.py); of a cell that has no such number
 * it is NaN.
 */
interface SweepData {
  id: string;
  shape: number[];
  axes: SweptAxis[];
  measure: { key: string; title: string; percent: boolean; whole: boolean };
  validated: string;
  how: string;
  seeds: number;
  search: "grid" | "random" | "halving";
  rounds: number;
  races: boolean; // cells can be lanes of a race
  about: string;
  state: "" | "running" | "ended" | "stopped" | "failed";
  error_text: string;
  fault: string; // why it cannot be started
  fits: number;
  done: number;
  left: number | null; // seconds
  best: number | null;
  sparsest: number | null;
  front: number[];
  limit: number | null; // the lowest error and its standard error
  counts: {
    complete: number;
    within: number;
    cells: number;
    diverged: number;
    unsettled: number;
    refused: number;
    fits: number;
  };
  reasons: Record<string, string>;
  cross: number[] | null;
  view: { cell: number | null };
  look: LookData | null;
  query: Record<string, string>;
  python: string;
  address: string;
  cells?: Numbers; // which they are, where they are no grid
  state_of: Numbers;
  within: Numbers;
  value: Numbers; // of the measure that is shown
  spread: Numbers; // its standard error
  low: Numbers; // over seeds
  high: Numbers;
  error: Numbers;
  error_spread: Numbers;
  train_error: Numbers;
  vectors: Numbers;
  primal: Numbers;
  norm: Numbers;
  seconds: Numbers;
  "look.field": Numbers;
  "look.extent": Numbers;
  "look.grid": Numbers;
  "look.places": Numbers;
  "look.kinds": Numbers;
  "look.weight": Numbers;
}

/** A cell's run on all rows. */
interface LookData {
  cell: number;
  seed: number;
  refused: string;
  slice: string;
  axes: string[];
  classes: string[];
}
