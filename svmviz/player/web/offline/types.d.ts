// Pages without a server.

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

/** What is turned on a card of a lesson to get a run. */
interface Way {
  run: string;
  card: number;
  turned: Record<string, any>;
}

/** Any stage, for a page that has no server. */
type Offline = Shell & { end?: string };

declare var svmvizPage: Page | undefined;
