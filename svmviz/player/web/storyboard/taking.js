// A storyboard is taken away and brought again: a file, a link; and as slides, a lesson or a page,
// which the server makes without keeping anything.

import { make } from "../canvas/elements.js";
import { download } from "../browser/download.js";
import { linkTo } from "../browser/home.js";
import { packed, read } from "./text.js";
import { isPrivate, wordsOf } from "./words.js";

const LARGEST = 1600000; // bytes of a file that is read at all
/** @type {[what: string, words: string, about: string][]} */
const WAYS = [
  [
    "file",
    "Text file",
    "A few lines that you can read and edit; open it again here, or with svmviz slides.",
  ],
  [
    "link",
    "Copy link",
    "Opens the moments in anybody's browser. Notes are in it; no server hears of them.",
  ],
  [
    "slides",
    "Slides",
    "A reveal.js deck with the players inside and your notes; one zip, which works without a network.",
  ],
  ["page", "Page", "One HTML file with all moments and your notes, which works without a network."],
  [
    "lesson",
    "Lesson",
    "A card for each moment, with its note as the text; a draft for the Lessons page, and a file.",
  ],
];
/** @type {Record<string, string>} */
const DOING = {
  slides: "Making the slides …",
  page: "Making the page …",
  lesson: "Making the lesson …",
};

export class Taking {
  asked = 0;

  /** @param {Storyboard} storyboard */
  constructor(storyboard) {
    this.storyboard = storyboard;
    this.picker = make("input", { type: "file", accept: ".txt,text/plain", hidden: true });
    this.picker.addEventListener("change", () => {
      const [file] = this.picker.files ?? [];
      if (file) this.file(file);
      this.picker.value = "";
    });
  }

  get name() {
    const words = this.storyboard.board.title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
    return words.replace(/^-+|-+$/g, "").slice(0, 60) || "storyboard";
  }

  // A storyboard from elsewhere; the one before can be had back.
  /** @param {BoardText} board @param {string} how */
  put(board, how) {
    const { storyboard } = this;
    storyboard.faults.clear();
    storyboard.board.open(board);
    storyboard.strip.show(true);
    storyboard.go(0);
    storyboard.say(`“${board.title}” ${how}: ${board.moments.length} moments`);
  }

  /** @param {File} file */
  async file(file) {
    const { dialogs } = this.storyboard.stage;
    try {
      if (file.size > LARGEST) throw new Error("it is too large for a storyboard");
      const board = read(await file.text());
      if (!board.moments.length)
        throw new Error(
          "there is no moment in it; one is a line as ?data=moons&solver=pegasos&t=20",
        );
      this.put(board, "opened");
    } catch (error) {
      const faults = String(/** @type {Error} */ (error).message).split("\n");
      const body = make("ul", { className: "faults" });
      body.append(...faults.slice(0, 12).map(textContent => make("li", { textContent })));
      if (faults.length > 12)
        body.append(make("li", { textContent: `and ${faults.length - 12} more` }));
      dialogs.open(`${file.name.slice(0, 60)} was not opened`, body);
    }
  }

  // Which ways there are.
  offer() {
    const { stage, board } = this.storyboard;
    const list = make("dl", { className: "ways" });
    for (const [what, words, about] of WAYS) {
      const way = make("button", { type: "button", textContent: words, className: what });
      way.addEventListener("click", () => {
        stage.dialogs.dialog.close();
        this.take(what);
      });
      const name = make("dt");
      name.append(way);
      list.append(name, make("dd", { textContent: about }));
    }
    const own = board.moments.filter(({ link }) => isPrivate(wordsOf(link))).length;
    const body = make("div");
    body.append(list);
    if (own) body.append(make("p", { className: "aside", textContent: this.aside(own) }));
    stage.dialogs.open(`Save “${board.title}”`, body);
  }

  /** @param {number} own */
  aside(own) {
    const many = own === 1 ? "One moment is" : `${own} moments are`;
    return `${many} of a file that you uploaded. A link or a lesson leaves it out, as nobody else has the file; slides and a page hold its points.`;
  }

  /** @param {string} what */
  async take(what) {
    const { stage, board } = this.storyboard;
    const { text } = board;
    if (what === "file") {
      download(new Blob([text], { type: "text/plain" }), `${this.name}.txt`);
      return this.storyboard.say("Text file saved");
    }
    if (what === "link") return this.link();
    this.storyboard.strip.wait(DOING[what]);
    const home = linkTo({}).split("?")[0];
    stage.setTriggerValue("board", { id: ++this.asked, what, text, home, name: this.name });
  }

  async link() {
    const { stage, board } = this.storyboard;
    const moments = board.moments.filter(({ link }) => !isPrivate(wordsOf(link)));
    const left = board.moments.length - moments.length;
    try {
      if (!moments.length)
        throw new Error("all moments are of files that you uploaded, which nobody else has");
      const sent = await packed({ title: board.title, moments });
      const address = `${linkTo(wordsOf(moments[0].link))}#board=${sent}`;
      const without = left ? ` without ${left} of your own files` : "";
      stage.dialogs.copy(address, `Link copied: it opens these moments${without}`);
    } catch (error) {
      const words = String(/** @type {Error} */ (error).message);
      const textContent = `${words[0].toUpperCase()}${words.slice(1)}.`;
      stage.dialogs.open("No link", make("p", { textContent }));
    }
  }

  // What the server has made: a line that says what it is, and the file.
  /** @param {Uint8Array<ArrayBuffer>} data */
  hear(data) {
    const end = data.indexOf(10);
    const { id, name, type, said } = JSON.parse(new TextDecoder().decode(data.subarray(0, end)));
    if (id !== this.asked) return;
    this.asked++;
    const { stage, strip } = this.storyboard;
    strip.wait("");
    if (name) download(new Blob([data.slice(end + 1)], { type }), name);
    if (!said.length) return this.storyboard.say(`${name} saved`);
    const body = make("ul", { className: "faults" });
    body.append(.../** @type {string[]} */ (said).map(textContent => make("li", { textContent })));
    stage.dialogs.open(name ? `${name} saved` : "It could not be made", body);
  }
}
