// Curves over the steps of a run.

type Curves = import("./chart.js").Curves;

/**
 * A curve: its value after step t, as segment s sees it; some were measured at a few times only.
 */
type Valued = ((t: number, s?: number) => number) & { times?: Set<number> };

type Curve = [name: string, value: Valued, main: boolean];

/** The curve of a run that was there before: places on the axis, and values. */
interface Former {
  at: number[][];
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
