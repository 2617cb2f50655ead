// Lessons and their cards.

type Study = import("./main.js").Stage;

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
