// What has travelled: a run as the server tells it.

/** What a message says of its arrays: type and length of each. */
type Layout = Record<string, [type: string, length: number]>;

interface Loss {
  // 0 hinge, 1 squared hinge, 2 smoothed hinge, 3 logistic; of residuals: 4 ε-insensitive, 5
  // squared
  kind: number;
  s: number; // where the smoothed hinge bends; ε
}

interface Kernel {
  kind: number; // 0 linear, 1 Gaussian, 2 polynomial, 3 Laplacian, 4 inverse multiquadric
  gamma: number;
  degree: number;
  coef0: number;
  plus: number; // added to every value: the square of a constant feature
}

/**
 * A line of pseudo-code: its words, the template of what stands beside it, the beat in which it is
 * carried out.
 */
interface Line {
  text: string;
  value: string;
  beat: string;
}

/** The best value of what the solver works on, how far it may be off, and where it is reached. */
interface Optimum {
  value: number;
  norm: number;
  gap: number;
  w: number[] | null;
  b: number;
  // of a problem easily taken for it
  beside: { name: string; value: number; w: number[] | null; b: number } | null;
}

/** The steps after `start` that ran under one set of parameters, on one set of examples. */
interface Segment {
  start: number;
  k: number; // examples drawn in a step
  params: Params;
  waves: number; // random waves that w is a vector of; 0 where it is one of features
  figure: string;
  lines: Line[];
  label: string; // what changed here
  came: number[];
  went: number[];
  entries: number; // of the table of those who take part
  optimum: Optimum | null; // proven
  near: Optimum | null; // not proven
  entry: Record<string, number | null>; // what the state where it begins is worth here
  supposed?: boolean; // by the visitor
  // with a score per class: what it costs to take the class of the row for that of the column,
  mistakes?: number[][];
  rest?: number; // the mean loss of w = 0,
  ball?: number; // and the radius that follows from it
}

/** What a theorem says of the run. */
interface Bound {
  name: string;
  statement: string;
  broken: string; // which of its conditions does not hold
  vacuous: number;
  formula: string;
  numbers: string; // a template: the formula with constants, parts, t and value put in
  where: string; // a template: what they are
  constants: Record<string, number>;
  parts: Record<string, Numbers>; // constants that are other ones after each t
  assumptions: { text: string; holds: boolean }[];
  t: number[];
  value: number[];
}

/**
 * A mark in pseudo-code, sentences and numbers: what it stands for, what it is worth (a template),
 * what it is on the stage.
 */
interface Sign {
  mark: string;
  name: string;
  meaning: string;
  value: string;
  lights: string;
}

/**
 * How long w must be for how small a loss: optima by λ and ν, the way of the run, its own optimum.
 */
interface ParetoFront {
  norm: number[];
  hinge: number[];
  lam: number[];
  nu: number[];
  path: Record<string, (Point | null)[]>;
  own: Point | null;
  cut: number;
}

/** A solver beside others, over features read. */
interface Rivals {
  reads: number[];
  whole: number;
  runs: number;
  lam: number;
  n_test: number;
  unseen: boolean;
  own: { t: number[]; error: number[] };
  gain: { error: number; simba: number; pegasos: number } | null;
  curves: { name: string; mean: number[]; low: number[]; high: number[] }[];
}

/** What the page orders: where to go, what to show. */
interface Order {
  t: number;
  beat: string;
  x: string;
  y: string;
  field?: string;
  serial: number | null;
  present?: boolean;
  play?: number; // steps that are shown by themselves
}

/** A run as the server tells it. Arrays have an entry for each step, 0 first, unless said. */
interface Wire {
  id: string;
  solver: {
    key: string;
    title: string;
    paper: string;
    maximises: boolean;
    objective: string; // what it works on: "primal", or a quantity of its own
    after: boolean; // whether the average takes an iterate in after its step
  };
  words: Uint8Array; // as which the next three travel
  said: Record<Depth, string[]>; // templates of the sentences
  questions: Question[]; // what may be asked about its next step, the easiest first
  symbols: Sign[];
  n: number;
  d: number;
  T: number;
  seed: number;
  entries: number;
  own: string[]; // the solver's own quantities
  segments: Segment[];
  fronts: boolean;
  compared: boolean;
  extent: Point | null;
  costs: Record<string, number>; // of a step, where it never changes
  plane: { axes: string[]; slice: string; rotated: boolean };
  image: Point | null; // height and width, where rows are pictures
  n_test: number;
  fresh: boolean;
  bound: Bound | null;
  beside: { own: string; left_out: string; labels: string[] } | null;
  scores: number; // one, or one per class
  classes: string[]; // names, where each has a score
  real?: boolean; // y are real targets
  later: boolean; // the optima are still to come
  cut: number; // seconds after which they were given up
  arrays: Layout;
  X?: Numbers; // row by row, or ...
  X_value: Numbers; // ... what is stored, in which column, and how much of it in each row
  X_column: Numbers;
  X_stored: Numbers;
  y: Numbers;
  drawn: Numbers; // one for each draw
  margin: Numbers; // the same
  delta: Numbers; // the same
  shrink: Numbers; // 1 - factor
  objective: Numbers;
  objective_average: Numbers;
  wrong: Numbers;
  wrong_test: Numbers;
  gap: Numbers;
  lines: Numbers; // bits: which lines were carried out
  spoken: Numbers; // bits: which sentences are said
  random: Numbers;
  kernel_evals: Numbers;
  inner_products: Numbers;
  new_pairs: Numbers;
  front?: ParetoFront;
  rivals?: Rivals;
  query: Record<string, string>;
  python: string;
  address: string;
  about: string;
  view: Order | null;
  // the last one turned, and the step after which the run was changed
  knob: { id: number; t: number | null } | null;
  final: boolean; // it will not go on
  forks?: boolean; // in the Playground: another run can go beside it, ...
  races?: boolean; // ... and both be lanes of a race
  previews?: boolean; // a run costs so little that a slider may ask for one while it is dragged
  // such a run: what was on stage, which question
  preview?: { of: string; serial: number; words: string };
  fork?: number; // ... of which so many bytes stand behind its own
  invite: boolean;
  editable: boolean;
  undo: number;
  redo: number;
  strokes: number; // of the pen that the server has heard of
  // of a storyboard that was asked for, and what is wrong with it
  moment?: { id: number; said: string[]; refused: boolean } | null;
}

/** Two runs that are one up to step t: A, which this came with, and B. */
interface Fork {
  t: number;
  measures: string[]; // by which both may be measured
  // of parameters
  differences: { name: string; a: string; b: string; speaks: boolean; times: number | null }[];
  a: Record<"hinge" | "norm", Numbers>;
  b: Record<"hinge" | "norm", Numbers>;
  run: Run; // B
}

/** Of a run that keeps a table of vectors: who came, who went, who was made of whom. */
interface Table {
  changes: Numbers; // of coefficients, in each step
  event: Numbers; // its kind
  event_step: number[];
  event_of: Map<number, number>;
  event_m: Indexed;
  event_n: Indexed;
  event_z: Indexed;
  event_h: Indexed;
  event_E: Numbers;
  event_degradation: Numbers;
  events_to: Numbers;
  told_m: Numbers;
  told_n: Numbers;
  told_z: Numbers;
  told_h: Numbers;
  made_m: Numbers;
  made_n: Numbers;
  made_h: Numbers;
  merged: Numbers; // mergings that made a row
  n_sv: Numbers;
  E_bar: Numbers;
  rival: Numbers;
  pull: Numbers;
  phi: Numbers;
  by?: Numbers;
  tau?: Numbers;
  entered(t: number): number; // where the example is in, and maintenance begins
  pixel_shift: Numbers;
  pixel_divisor: Numbers;
}

/** Of a run on a stream: who has arrived, and the moves of each round. */
interface Stream {
  moves: Numbers;
  move_index: Numbers;
  move_draw: Numbers;
  move_delta: Numbers;
  move_end: Numbers;
  picks: Numbers;
  pick_first: Numbers;
  pool: Numbers;
  pool_first: Numbers;
  score: Numbers;
  cost: Numbers; // to the w̄ before, of who arrives
  arrived: Numbers;
  arrival: Float64Array;
  seen: Numbers;
  seenBy(t: number, s: number): number;
  streams: boolean; // examples arrive one by one
  tracked?: { t: number[]; value: number[] };
  tracked_t: Numbers;
  tracked_value: Numbers;
  regret?: Float64Array;
  bandLimits?: Point;
}

/**
 * Of a run along exact paths: who changes sets in a step, and the α that moved at each of these
 * bends.
 */
interface Bent {
  bends: Numbers; // in each step
  bend_index: Numbers; // who
  bend_to: Numbers; // the set it goes to: 2 rest, 3 margin, 4 error
  bend_alpha: Numbers; // the newcomer's α there
  knots?: Numbers; // α that are told at each bend, these:
  knot_index: Numbers;
  knot_value: Numbers;
}

/** Of a run with twin vectors: who came in, and how room was made. */
interface Twinned {
  came: Numbers; // 1 + the row of the newcomer, 0: nobody came in
  rooms: Numbers; // how often room was made, in each step
  room_kind: Numbers; // 1 two were combined, 2 one was dropped
  room_m: Numbers; // who was combined or dropped,
  room_n: Numbers; // with whom,
  room_z: Numbers; // and into which row
}

/** What solvers count on their own, by the name that they gave it. */
interface Counted {
  project: Numbers;
  worst: Numbers; // who of the batch pays most
  pulled: Numbers | number[];
  pass: Numbers;
  wet: Numbers;
  sank: Numbers;
  column: Numbers;
  b_step: Numbers;
  known_pegasos: Numbers;
  reach?: number;
}

/** A run on stage: what has travelled, and what follows from it. Arrays of `Table`, `Stream`, `Bent`, `Twinned` and `Counted` are there for
 * the solvers that have them; who shares code among solvers asks first. */
interface Run extends Wire, Table, Stream, Bent, Twinned, Counted {
  matrix: Matrix; // examples, then vectors that were made on the way
  rows: number; // of it
  points: Numbers; // where they lie on the plane ...
  basis: Numbers; // ... which is origin + basis
  origin: Numbers;
  across: Numbers;
  up: Numbers;
  waves: Numbers;
  wave_phase: Numbers;
  wave_plane: Numbers;
  wave_length: Numbers;
  first: Numbers; // examples of step t: drawn[first[t]] .. drawn[first[t+1] - 1]
  change_first: Numbers; // what step t changed: change_index[change_first[t]] ...
  change_index: Numbers;
  change_delta: Numbers; // not a number: the row is gone
  change_class?: Numbers;
  raised?: Numbers; // coefficients, in each step of a run with a score per class and no table
  segment_of: Numbers;
  masks: Uint8Array[]; // who takes part, by segment
  counts: number[];
  linear: boolean[]; // by segment: w lives in the space of the data
  axes: Record<string, (t: number) => number>;
  pairs?: (t: number) => number;
  rival_times: Numbers;
  segment(t: number): Segment;
  behind(t: number): number;
  at(name: string, t: number, s?: number): number;
  before(name: string, t: number): number;
  array(name: string): Numbers | undefined; // that has travelled by this name
  count(t: number): number;
  kind(i: number): Kind;
  residual: boolean; // f is to be y, not of its sign
  graph: boolean; // f is a curve over one feature, with the targets about it
  ground: number; // what targets are high or low against, see residuals.js
}

/** What is found after a run was sent. */
interface News {
  id: string;
  optima?: (Optimum | null)[];
  front?: ParetoFront;
  rivals?: Rivals;
  cut?: number;
  second?: boolean; // of two runs
}
