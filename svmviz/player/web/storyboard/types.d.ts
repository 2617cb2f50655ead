// Storyboards.

type Storyboard = import("./main.js").Storyboard;
type Boarding = typeof import("./main.js");

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

/**
 * A storyboard in a page without a server: the run of each moment, -1 for none, and what is wrong
 * with it.
 */
interface BoardPage extends BoardText {
  runs: number[];
  said: string[];
}
