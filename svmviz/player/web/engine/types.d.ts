// What is replayed: the state after a step, and the view of a moment.

type Matrix = import("./matrix.js").Dense | import("./matrix.js").Sparse;
type Dense = import("./matrix.js").Dense;
type Duals = import("./own/duals.js").Duals;
type Engine = import("./replay.js").Engine;

/** The cells of the field. */
interface Grid {
  xs: Float64Array;
  ys: Float64Array;
}

/** Where an engine stands: each array a pair, the iterate over A and the sum of all passed. */
interface Cursor {
  t: number;
  A: number;
  segment: number;
  /** vectors made on the way that are in w now */
  made: number[];
  beta: [Float64Array, Float64Array];
  w: [Float64Array, Float64Array];
  f: [Float64Array, Float64Array];
  field: [Float64Array, Float64Array];
}

/** What a segment's w is a vector of: features, or random waves of them. */
interface Sight {
  matrix: Matrix;
  d: number;
  field(w: Indexed, out: Float64Array): void;
  length: Numbers | number[];
  waves: number;
  plane: number[][];
}

/** The level of the water, how many are under it, the bias. */
interface Level {
  gamma: number;
  k: number;
  b: number;
}

/** After a step: coefficients, w, responses of all rows, the field, and what follows from them. */
interface State {
  t: number;
  coef: Float64Array;
  w: Float64Array;
  f: Float64Array;
  field: Float64Array;
  size: Float64Array | null; // |α| of each row, with a score per class
  b: number;
  norm: number;
  hinge: number;
  primal: number;
  wrong: number;
  paying: number;
  count: number;
  rmse: number; // of a regression
  mae: number;
  // what a panel's `finish` may add
  gamma: number;
  k: number;
  c: Float64Array;
  wet: Uint8Array;
  order: Int32Array[];
  mask: Uint8Array;
  bias: boolean;
  pour(volume: number): Level;
}

/** What SIMBA's weights are after a step: logarithms, u and its unit, who has taken part. */
interface Weights {
  t: number;
  log: Float64Array;
  u: Float64Array;
  known: Uint8Array;
  segment: number;
  unit: number;
  clipped: number;
}

/** The live quantities of a step, by the names that templates use. */
interface Values {
  t: number;
  [name: string]: number | string | number[];
}

/** A beat of a step, as a share of it. */
interface Beat {
  beat: string;
  start: number;
  end: number;
}

/** The iterate that the algorithm works on, whichever the plane shows. */
interface Steps {
  before: State;
  after: State;
  now: State;
}

/** What the visitor supposes: other parameters for the next step, or another choice in this one. */
interface Supposing {
  params?: Partial<Params>;
  row?: number;
}

/** What the panels say of that. */
interface Supposed {
  caption: string;
  words: string;
  values?: Partial<Values>;
  back?: boolean;
}

/** All that is shown at one moment, of one step t. */
interface View extends Steps {
  run: Run;
  theme: Theme;
  t: number;
  s: number; // the segment that the stage stands in
  segment: Segment;
  mask: Uint8Array;
  linear: boolean;
  changed: boolean; // a change follows step t, and the stage stands behind it
  told: number; // t while the step is told, else 0
  of(name: string, step: number): number;
  mid: State | null; // in the midst of the step
  last: Steps;
  shown: number; // how much of the change is done
  taken: number | undefined; // how much of the second change, where there is one
  done: number; // the last step that is over
  settled(state: State): State;
  beat: string;
  progress: number; // in this beat
  values: Values;
  slow: boolean; // slow enough to follow
  linked: number; // the example that the pointer is on
  field: string;
  depth: Depth; // of the sentence
  lit: Set<string>; // things to see, the rest dimmed, by the names of stage/light.js
  everybody: boolean; // a step takes all examples: none of them is ringed
  drawn: number[];
  moving: boolean;
  supposed?: Supposed;
}

/** Where a stage stands, and on what: all that a `View` is made of. */
interface Moment {
  run: Run;
  engine: Engine;
  panel: Panel;
  theme: Theme;
  t: number;
  phase: number; // 1 is the rest after step t; below, the step is being taken
  supposed: Supposing | null;
  slow: boolean;
  linked: number;
  field: string;
  depth?: Depth;
  lit?: Set<string>;
  asking?: { open: boolean; asked: Asked | null } | null; // who is asked about w sees w
}
