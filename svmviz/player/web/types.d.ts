// What the parts of the player say to each other. A message of the server
// (svmviz/player/wire/run.py) becomes a `Run`; the engine finds the `State` after any step of it;
// `moment` makes the `View` of what is on stage now; a solver's `Panel` shows it. Types are for
// readers and for `make lint`: the scripts run as they are.

type Depth = "why" | "short" | "maths"; // of a sentence
type Pen = CanvasRenderingContext2D & { written?: Written[] };
type Written = {
  words: string;
  x: number;
  y: number;
  font: string;
  align: CanvasTextAlign;
  base: CanvasTextBaseline;
};
type Point = [x: number, y: number];
type Place = [x: number, y: number, align?: CanvasTextAlign]; // of a label
type Kind = boolean | number; // of an example: true is class +1, a number one of several classes
type Sheet = import("./canvas/draw.js").Sheet;
type Labels = import("./canvas/labels.js").Labels;
type Caption = import("./canvas/labels.js").Caption;
type Matrix = import("./engine/matrix.js").Dense | import("./engine/matrix.js").Sparse;
type Dense = import("./engine/matrix.js").Dense;
type Duals = import("./engine/own/duals.js").Duals;
type Engine = import("./engine/replay.js").Engine;
type Basin = import("./panels/sbp/basin.js").Basin;
type Editor = import("./plane/editor.js").Editor;
type FieldImage = import("./plane/field.js").FieldImage;
type Plane = import("./plane/map.js").Plane;
type Curves = import("./curves/chart.js").Curves;
type Saving = import("./saving/main.js").Saving;
type Transport = import("./stage/transport.js").Transport;
type Dialogs = import("./taking/dialogs.js").Dialogs;
/**
 * What of a stage is there: panels and controls by name, null for all of them; a panel that fills
 * it, "" for none.
 */
type Composition = { panels?: string[] | null; controls?: string[] | null; zoom?: string };
type Clock = import("./stage/clock.js").Clock;
type Stage = import("./stage/main.js").Stage;
type Race = import("./race/main.js").Stage;
type Forks = typeof import("./fork/main.js");
type Ghost = import("./beside/ghost.js").Ghost;
type Preview = import("./beside/preview.js").Preview;
type Explore = import("./explore/main.js").Stage;
type Cells = import("./explore/cells.js").Cells;
type Quizzing = typeof import("./questions/quiz.js");
type Saves = typeof import("./saving/main.js");
type Asking = import("./questions/asking.js").Asking;
type Lane = import("./race/lane.js").Lane;
type Study = import("./lesson/main.js").Stage;
type Storyboard = import("./storyboard/main.js").Storyboard;
type Boarding = typeof import("./storyboard/main.js");
type World = ReturnType<typeof import("./plane/world.js").worldOf>;

/** An element is taken to be there, by `at` as by brackets. */
interface Array<T> {
  at(index: number): T;
}

/** An array of numbers, whichever type it has travelled in. */
interface Numbers extends Iterable<number> {
  [index: number]: number;
  readonly length: number;
  readonly buffer: ArrayBufferLike;
  join(between?: string): string;
  keys(): IterableIterator<number>;
  subarray(from: number, to?: number): Numbers;
  slice(from?: number, to?: number): Numbers;
  includes(value: number): boolean;
  indexOf(value: number): number;
  findIndex(test: (value: number, index: number) => boolean): number;
  every(test: (value: number, index: number) => boolean): boolean;
  some(test: (value: number, index: number) => boolean): boolean;
  forEach(visit: (value: number, index: number) => void): void;
  reduce(join: (sum: number, value: number, index: number) => number): number;
  reduce<T>(join: (sum: T, value: number, index: number) => T, first: T): T;
}

// ------------------------------------------------------------------------------ what has travelled

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

/** The parameters of a segment, as what they are. Of those below the first two each solver has some: who asks for one of
 * another solver gets nothing. */
interface Params {
  kernel: Kernel; // linear for a solver that has no choice
  loss: Loss; // the hinge for a solver that has no choice
  iterate: "last" | "average" | "random";
  lam: number;
  nu: number;
  C: number;
  K: number;
  B: number;
  U: number;
  eta: number;
  beta: number;
  pool: number;
  horizon: number;
  project: boolean;
  bias: boolean;
  clip: boolean;
  multiclass: boolean;
  exact_p: boolean;
  exact_margins: boolean;
  rule: string;
  maintenance: string;
  small_steps: boolean;
  pairs: string;
  algorithm: string;
  teacher: string;
  schedule: string;
  method: string;
  sampling: string;
  intercept?: string;
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

type Indexed = { readonly [index: number]: number };

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

// -------------------------------------------------------------------------------- what is replayed

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

/** What maintenance does to m and n: z, where it lies and its coefficients. */
interface Happening {
  kind: number;
  m: number;
  n: number;
  z: number;
  h: number;
  lost: number;
  at: Point;
  becomes: number[];
  supposed?: boolean;
}

/** Two vectors that might become one: |α|² of both, their product, their distance. */
interface Pair {
  mm: number;
  nn: number;
  mn: number;
  kind: number; // of the kernel
  L: number; // how far apart they are to it
  plus: number; // square of a constant feature
}

/** ... where they best would, what that loses, and the search for it. */
interface Merging extends Pair {
  h: number;
  lost: number;
  brackets: number[][];
}

/** Who may go, or be a partner. */
interface Candidate extends Merging {
  row: number;
  by?: number; // what the choice is made by, where this is not what is lost
}

/** A moment with what the maintenance of a budget is doing. */
interface BudgetView extends View {
  happened: Happening | null;
  event: Happening | null; // what happened, or what the visitor supposes
  midst: boolean;
  state: State;
  rows: number[]; // support vectors on the rack
  crowd: number[]; // among whom the choice was made
  ageOf(row: number): number;
}

/** ... while there is maintenance to show. */
interface ActingView extends BudgetView {
  happened: Happening;
  event: Happening;
  mid: State;
}

/** The water of a basin. */
interface Water extends Level {
  nu: number;
}

// ----------------------------------------------------------------------------------- what is drawn

/** Colours and type of a page. */
interface Theme {
  dark: boolean;
  font: string;
  unit: number;
  palette: Uint32Array;
  classes: string[];
  tints: Uint32Array[];
  bg: string;
  side: string;
  band: string;
  hair: string;
  grid: string;
  ghost: string;
  ink: string;
  ink2: string;
  muted: string;
  ui: string;
  plus: string;
  plus_text: string;
  minus: string;
  minus_text: string;
  now: string;
  floor: string;
  optimum: string;
  bound: string;
  water: string;
  surface: string;
  slate: string; // the first of two runs, or one that was there before
}

/** From numbers to pixels, and back. */
interface Scale {
  (value: number): number;
  d0: number;
  d1: number;
  r0: number;
  r1: number;
  back(pixel: number): number;
}

/** How words are written. */
interface Look {
  size?: number;
  weight?: number;
  color?: string;
  align?: CanvasTextAlign;
  base?: CanvasTextBaseline;
  halo?: string | null;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

type Frame = Partial<Box> & { right: number; bottom: number };

interface Mark {
  x: number;
  y: number;
  r: number;
  kind?: Kind;
  positive?: boolean;
}

/** All points in their least size, painted once; `upto` is the step whose newcomers are in. */
interface Layer {
  canvas: HTMLCanvasElement;
  faint: HTMLCanvasElement;
  key: string;
  mask: Uint8Array;
  theme: Theme;
  upto: number;
}

/**
 * A curve: its value after step t, as segment s sees it; some were measured at a few times only.
 */
type Valued = ((t: number, s?: number) => number) & { times?: Set<number> };
type Curve = [name: string, value: Valued, main: boolean];

/** The curve of a run that was there before: places on the axis, and values. */
interface Former {
  at: number[][];
}

/** Where a picture goes, and how smooth it must be. */
type Where = [x: number, y: number, w: number, h: number, quality: ImageSmoothingQuality];

/** A field for the plane to paint: how steep its colours are, and lines of f = 0 to compare. */
interface Shown {
  field: Float64Array;
  gain?: number;
  lines?: Float64Array[]; // where these are 0, or ...
  levels?: number[]; // ... where the field has these heights; -1, 0 and 1 unless said
  tint?: Float64Array; // what its colour is of, if not the field itself
}

// --------------------------------------------------------------------------------------- questions

/** What may be asked about a next step, in words: templates of what the maker of its kind finds. */
interface Question {
  kind: string;
  ask: string;
  how: string;
  right: string;
  wrong: string;
  // of the step, at whose end all is still as the question found it; none: it is about what the
  // step does
  beat: string;
}

/**
 * Where a question is asked: at rest after step t, about step t + 1. `again` makes another one of
 * the same kind.
 */
interface Asker {
  run: Run;
  engine: Engine;
  panel: Panel;
  theme: Theme;
  t: number;
  again?: number;
}

/**
 * One of the answers to choose from. What stands in `value` and `note` gives it away, and is shown
 * once it is checked.
 */
interface Option {
  number: number; // on its badge, and the key that picks it; 0 where words say all
  words: string;
  row: number; // of the example or vector, -1 for none
  place: Point | null; // on the plane
  value: string;
  note: string;
}

/**
 * Picks of "many", "one" and "choice" are places among the options, of "pair" rows; then a number,
 * a line.
 */
type Answer = number[] | number | StraightLine | null;

/** cos(angle) x + sin(angle) y = offset, in the units of the plane. */
interface StraightLine {
  angle: number;
  offset: number;
}

type Cover = "mechanism" | "rings" | "curves" | "code" | "numbers";
type Placing = "found" | "missed" | "extra" | "left";

interface Verdict {
  right: boolean;
  title: string;
  sentence: string;
  options: { state: Placing; word: string }[]; // of each option
  cost?: { head: string[]; rows: string[][] }; // yours beside the solver's
  pairs?: { rows: number[]; words: string; yours: boolean }[]; // to be drawn on the plane
}

/** A question that was made. */
interface Asked {
  kind: string;
  form: "many" | "one" | "choice" | "pair" | "number" | "line";
  ask: string;
  how: string;
  t: number;
  until: number; // the step that shows the answer
  beat: string; // up to which it is played then; none: all of it
  options: Option[];
  covers: Cover[]; // what gives it away until it is checked
  drawn: number[]; // whom it is about
  shown: boolean; // it is about the iterate that is shown, where that is not the last
  truth: Answer;
  range?: { low: number; high: number; start: number; words(value: number): string }; // of a number
  line?: { start: StraightLine; centre: Point; reach: number };
  mates?(row: number): boolean[]; // of a pair: with which options this row may go
  judge(answer: Answer): Verdict;
}

type Maker = (at: Asker) => Asked | null;

// ------------------------------------------------------------------------------------------ panels

/** Where a thing is on a sheet: paints its shape in any colour. A path has been begun. */
type Spot = (g: Pen, view: View) => void;
type Spots = (name: string) => [Sheet, Spot][];

/** A solver's own picture beside the plane. */
interface Machinery {
  sheets: Sheet[];
  prepare(run: Run, plane: Plane): void; // a new run, or another layout
  paint(view: View, loud: boolean): void; // not loud: too fast for text
  facts?(view: View): string[]; // what each sheet shows, in words
  ahead?(milliseconds: number): boolean; // work for idle time; whether some is left
  suppose?(view: View, what: Supposing): Supposed | null;
  answered?(): void; // the server has
  looks?(view: View): Shown; // which field the plane shows
  acting?: Set<number>; // rows that it paints on the plane itself
  overlay?(g: Pen, view: View, plane: Plane): void;
  describe?(row: number): string;
  hand?(where: { offsetX: number; offsetY: number }): void; // a point of the plane was chosen
  fields?: { next(): void };
  where?: Spots; // things of stage/light.js that it can tell from the rest
}

/** The live quantities of a step of Pegasos, and a moment with them. */
type Live = {
  shrink: number;
  pull: number;
  hits: number;
  k: number;
  eta: number;
  step: number;
  added: number[];
};
type LiveView = Omit<View, "values"> & { values: Live };

/** What the objective, its optimum and their distance are called. */
interface Symbols {
  value: string;
  star?: string;
  gap?: string;
  curve?: string;
  none?(run: Run): string | false; // why there is no optimum
}

/** A curve that only this solver has: a value for each step, or a picture. */
interface Series {
  name?: string;
  value?(run: Run, t: number): number;
  words(run: Run): string | string[];
  paint?(g: Pen, curves: Curves, view: View): void;
  axis?: string; // the only one that it is drawn over
  log?: boolean; // on a logarithmic scale
}

/**
 * What panels/<key>.js exports. A solver says what differs from panels/plain.js, the panel of one
 * that brings none.
 */
interface Panel {
  Mechanism: new (section: HTMLElement, stage: Stage) => Machinery;
  // as the solver's `values` in Python; mid is the state between the two changes of a step that has
  // two
  values(run: Run, before: State, after: State, t: number, mid?: State | null): Values;
  facts(view: View): Record<string, number>; // what lessons say of a state, besides; as the solver's `facts` in Python
  // what else follows from a state
  finish(state: State, run: Run, segment: Segment, mask: Uint8Array): void;
  CHANGE: string[]; // beats in which the plane changes; none: the last one
  SECOND: string; // the beat of a second change
  ringed(run: Run, t: number, beat: string, progress: number): number[]; // whom the plane rings
  numbers(view: View): string[][]; // the title row: names and values
  formula(view: View): string[]; // what the plane shows, in ever fewer words
  KEY: string; // what the plane's own marks mean, as HTML
  WIDE: number; // how much wider than the plane the mechanism is
  symbols(run: Run): Symbols;
  metrics(run: Run): Record<string, string>; // names of the curves
  series: Record<string, Series>;
  usual(run: Run): string; // the curve that is shown first
  EVEN: boolean; // curves run over even time
  PROVEN: string; // the curve that the theorem bounds
  solid(run: Run): number; // the step from which on curves are dashed
}

// --------------------------------------------------------------------------------- around the page

/** What Streamlit hands to a component. */
interface Component {
  data: Uint8Array | null; // the page of lessons is also told a plain list
  setStateValue(name: string, value: unknown): void;
  setTriggerValue(name: string, value: unknown): void;
}

/** A rival in a race, as the server tells it. */
interface Spec {
  key: string;
  title: string;
  steps: number;
  pace: number;
  chance: boolean;
  iterate: Params["iterate"];
  shape: string;
  light: string;
  dark: string;
  dash: number[]; // of its curve
}

/** A race as the server tells it; curves and runs are arrays by name. */
interface RaceData {
  id: string;
  rivals: Spec[];
  groups: { title: string; lanes: string[] }[]; // of lanes that are many; else there are none
  axes: Record<string, string>;
  ends: Record<string, string>;
  seeds: number;
  optimum: { primal: number; unproven: number; [metric: string]: number };
  yardstick: {
    key: string;
    short: string;
    title: string;
    trained: string;
    told: string;
    share: boolean;
  };
  tested: boolean;
  tested_on: string;
  stale: { was: string; now: string } | null;
  view: { t?: number; x: string; y: string; serial: number | null };
  query: Record<string, string>;
  python: string;
  about: string;
  address: string;
  [axis: `x.${string}`]: Numbers; // its stops
  [run: `run.${string}`]: Uint8Array;
  [curve: `${string}.${string}.${string}`]: Numbers | undefined; // three stretches: a decile, the median, a decile
}

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

/** What is found after a run was sent. */
interface News {
  id: string;
  optima?: (Optimum | null)[];
  front?: ParetoFront;
  rivals?: Rivals;
  cut?: number;
  second?: boolean; // of two runs
}

/** What the line below a chart is given (charts/tools.js), and what it knows of Plotly. */
interface ChartTools {
  parentElement: HTMLElement | ShadowRoot;
  data: { file: string; numbers: boolean };
}
interface PlotlyChart extends HTMLElement {
  data: Record<string, any>[];
  layout: Record<string, any>;
  on?(event: string, hear: () => void): void; // once Plotly has drawn
  _fullData: Record<string, any>[];
  _fullLayout: Record<string, any>;
}
/** A page without a server, as page.py writes it. */
interface Page {
  entry: string; // the stage: "stage", "race", "lesson"
  runs: string[]; // their names, in the order of their blocks
  home: string; // the page of an app that can do what this one cannot; none where it is empty
  title: string;
  news?: News[];
  lesson?: LessonData;
  card?: number;
  ways?: Way[];
  up?: string; // the page that leads here
  board?: BoardPage;
  lessons?: Record<string, string>; // pages of other lessons
}

/** A run, or how to get it. */
type Held = Uint8Array | (() => Promise<Uint8Array>);

/** What shows the runs of a page that has no server, and follows its address. */
type HeldKind = new (
  page: any,
  runs: any[],
  stage: Offline,
) => { show(dark: boolean): Promise<void>; follow(dark: boolean): void };

/** A page of a site without a server. */
interface SitePage extends Page {
  kind: "staged" | "reading";
  files: string[]; // where the runs are
  // what can be chosen of them
  grid?: { name: string; title: string; values: [name: string, words: string][] }[];
  chosen?: number[]; // at first
  colours?: Record<string, string>; // of charts: those of dark pages by those of light ones
  choices?: Choices[];
}

/**
 * What a visitor can choose on a page: each combination, and where the parts are that it changes.
 */
interface Choices {
  parts: string[];
  states: [state: Record<string, number>, file: string][];
}

/** What is turned on a card of a lesson to get a run. */
interface Way {
  run: string;
  card: number;
  turned: Record<string, any>;
}

/** Any stage, for a page that has no server. */
type Offline = InstanceType<typeof import("./stage/clock.js").Clock> & {
  root: HTMLElement;
  end: string;
};

declare var svmvizPage: Page | undefined; // eslint-disable-line no-var
declare var svmvizScripts: Record<string, any> | undefined; // eslint-disable-line no-var
// eslint-disable-next-line no-var
declare var svmvizLine:
  | {
      away: boolean;
      told: Set<() => void>;
      moment: { id: string; t: number; phase: number } | null;
    }
  | undefined;
declare var svmvizLibraries: string | undefined; // eslint-disable-line no-var
declare var Plotly: any; // eslint-disable-line no-var
declare var svmvizNews: Map<string, News> | undefined; // eslint-disable-line no-var
declare var svmvizFigures: Set<any> | undefined; // eslint-disable-line no-var
declare var svmvizDeparture: { from: string; until: number } | undefined; // eslint-disable-line no-var

// ----------------------------------------------------------------------------------------- lessons

/**
 * An expression as svmviz/lessons/expressions.py has read it: a number, a name or an operation on
 * others.
 */
type Tree = number | string | Tree[];

/** A part of a line of text. */
type Inline =
  | string
  | { value: Tree; format: string }
  | { code: string }
  | { link: string; text: string }
  | { em: Inline[] }
  | { strong: Inline[] };

interface Block {
  kind: "p" | "li";
  parts: Inline[];
}

/** A parameter that a card offers. */
interface Knob {
  name: string;
  symbol: string;
  title: string;
  low: number;
  high: number;
  log: boolean;
  whole: boolean;
  options: string[];
  value: number | string | boolean;
}

interface LessonCard {
  title: string;
  kind: "tell" | "task" | "predict";
  id: string; // of its run
  t: number;
  beat: string;
  show: string[];
  light: string[];
  x: string;
  y: string;
  play: number;
  ask: string;
  until: Tree;
  knob: Knob[];
  hint: string;
  solution: Record<string, any> | null;
  before: Block[];
  after: Block[];
}

/** A lesson, and where the server has sent the learner in it. */
// What a stage in an article is told beside its run.
interface FigureData {
  show: string[];
  light: string[];
  wide: boolean;
}

interface LessonData {
  key: string;
  title: string;
  cards: LessonCard[];
  next: { key: string; title: string } | null;
  card: number;
  turned: Record<string, any>;
  serial: number;
  messages: string[]; // about the link that was opened
}

/** A lesson in the list of all. */
interface LessonRow {
  key: string;
  title: string;
  about: string;
  minutes: number;
  cards: number;
  own: boolean;
}

/** A storyboard as a file holds it, see `storyboard/text.js`. */
interface BoardText {
  title: string;
  moments: BoardMoment[];
}

interface BoardMoment {
  link: string; // the query of a link to the Playground
  title: string; // for the audience
  note: string; // for the speaker
}

/** What is seen of a run, as a link says it. */
interface Seen {
  t: number;
  beat: string;
  x: string;
  y: string;
  field: string;
}

/**
 * A storyboard in a page without a server: the run of each moment, -1 for none, and what is wrong
 * with it.
 */
interface BoardPage extends BoardText {
  runs: number[];
  said: string[];
}

/** What Streamlit gives to a component, with the data that it was mounted with. */
interface Mounted<Data = any> {
  parentElement: any;
  data: Data;
  setTriggerValue(name: string, value: unknown): void;
}

/**
 * What `mount.py` tells a script of `mounted/`: where the player's files are, the module of the
 * stage, its styles.
 */
declare const MOUNTED: [string, string, string[]];
