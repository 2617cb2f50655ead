// Pages of a site.

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

declare var Plotly: any;
