// The beats of a step and how they follow each other.

/** @type {Record<string, number>} milliseconds */
const BEAT = {
  draw: 200,
  measure: 250,
  change: 350,
  rest: 200,
  choose: 250,
  look: 550,
  take: 500,
  pool: 450,
  process: 450,
  step: 700,
  average: 250,
  path: 900,
};
// beats of an overflow, of an arrival or of a path, left out where there is none
const THEATRE = ["choose", "look", "take", "pool", "process", "path"];

// Where each beat of a step ends, as shares of the step; the change is divided among the lines that
// change w.
/** @param {Line[]} lines @param {number} [ran] */
export function beatEnds(lines, ran = -1) {
  const beats = [
    ...new Set(
      lines.filter((l, k) => !THEATRE.includes(l.beat) || (ran >> k) & 1).map(l => l.beat),
    ),
  ];
  const change = beats.filter(b => !BEAT[b]).length;
  /** @type {[beat: string, ms: number][]} */
  const spans = [
    ...beats.map(
      b =>
        /** @type {[string, number]} */ ([
          b,
          BEAT[b] ?? (BEAT.change / change) * (change > 2 ? 1.2 : 1),
        ]),
    ),
    ["rest", BEAT.rest],
  ];
  const total = spans.reduce((sum, [, ms]) => sum + ms, 0);
  let at = 0;
  return spans.map(([beat, ms]) => ({ beat, start: at / total, end: (at += ms) / total }));
}

// Where the stage stands at the end of each beat: all of it is shown, and nothing yet of the next.
/** @param {Line[]} lines @param {number} [ran] */
export const beatStops = (lines, ran) =>
  beatEnds(lines, ran).map(({ beat, end }) => ({ beat, at: beat === "rest" ? 1 : end - 1e-6 }));

/** @param {number} u */
// close to cubic-bezier(.2, 0, 0, 1)
export const ease = u => (u <= 0 ? 0 : u >= 1 ? 1 : 1 - (1 - u) ** 3);
