// Questions about the next step.

type Quizzing = typeof import("./quiz.js");
type Asking = import("./asking.js").Asking;

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
