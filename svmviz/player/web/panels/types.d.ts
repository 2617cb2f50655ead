// What a solver brings to the stage.

type Basin = import("./sbp/basin.js").Basin;

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

/** The water of a basin. */
interface Water extends Level {
  nu: number;
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
