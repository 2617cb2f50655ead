// The stage of a run, and what may stand beside it.

/**
 * What of a stage is there: panels and controls by name, null for all of them; a panel that fills
 * it, "" for none.
 */
type Composition = { panels?: string[] | null; controls?: string[] | null; zoom?: string };

type Clock = import("./clock.js").Clock;
type Shell = import("./shell.js").Shell;
/** The modules that a stage may need, by path; panels among them. */
type Modules = Record<string, any> & {
  "fork/main.js": Forks;
  "questions/quiz.js": Quizzing;
  "saving/main.js": Saves;
  "storyboard/main.js": Boarding;
};
type Stage = import("./main.js").Stage;
type Transport = import("./transport.js").Transport;
type Saving = import("../saving/main.js").Saving;
type Saves = typeof import("../saving/main.js");
type Dialogs = import("../taking/dialogs.js").Dialogs;
type Forks = typeof import("../fork/main.js");
type Ghost = import("../beside/ghost.js").Ghost;
type Preview = import("../beside/preview.js").Preview;

/** What is seen of a run, as a link says it. */
interface Seen {
  t: number;
  beat: string;
  x: string;
  y: string;
  field: string;
}

/** What Streamlit hands to a component. */
interface Component {
  data: Uint8Array | null; // the page of lessons is also told a plain list
  setStateValue(name: string, value: unknown): void;
  setTriggerValue(name: string, value: unknown): void;
}

/** What a stage in an article is told beside its run. */
interface FigureData {
  show: string[];
  light: string[];
  wide: boolean;
}

declare var svmvizLine:
  | {
      away: boolean;
      told: Set<() => void>;
      moment: { id: string; t: number; phase: number } | null;
    }
  | undefined;

declare var svmvizNews: Map<string, News> | undefined;
declare var svmvizFigures: Set<any> | undefined;
declare var svmvizDeparture: { from: string; until: number } | undefined;
declare var svmvizLibraries: string | undefined;
declare var svmvizScripts: Record<string, any> | undefined;
