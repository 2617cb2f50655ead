// What all parts of the player know. A message of the server (svmviz/player/wire/run.py) becomes a
// `Run` (engine/message.d.ts); the engine finds the `State` after any step of it; `moment` makes the
// `View` of what is on stage now (engine/types.d.ts); a solver's `Panel` shows it
// (panels/types.d.ts). Each folder declares its own in `types.d.ts`; `Params` is made from the
// solvers by `make lint`. Types are for readers and for `make lint`: the scripts run as they are.

type Depth = "why" | "short" | "maths"; // of a sentence
type Point = [x: number, y: number];
type Place = [x: number, y: number, align?: CanvasTextAlign]; // of a label
type Kind = boolean | number; // of an example: true is class +1, a number one of several classes

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

type Indexed = { readonly [index: number]: number };
