// What can be saved of a stage, asked for in a dialog: a picture, a clip, a page, a script.

import { make, say } from "../stage/elements.js";
import { hasLibraries } from "../stage/library.js";
import { Segments } from "../stage/segments.js";
import { download } from "../stage/download.js";
import { Clips } from "./clips.js";
import { pdf } from "./pdf.js";
import { partsOf, pixels, shapes } from "./picture.js";
import { choice, row } from "./fields.js";

const PICTURES = { png: "PNG", svg: "SVG", pdf: "PDF" };
/** @type {Record<string, string>} */
const NOTES = {
  png: "Pixels, two for each of the screen: for slides and pages.",
  svg: "Lines and text that stay lines and text: for slides, posters, drawing programs.",
  pdf: "Lines and text that stay lines and text, on a page of its size: for papers.",
};
const PAGE =
  "One HTML file that plays this without the app, a server or a network: by double click, in a course page, from a stick.";
const SCRIPT = "The same run in Python, to be read, copied or saved.";

export class Saving {
  kind = "picture";
  as = "png";
  busy = false;
  part = ""; // title of the panel that is saved; none is all of the stage

  /** @param {Dialogs} dialogs */
  constructor(dialogs) {
    this.dialogs = dialogs;
    this.stage = dialogs.stage;
    this.clips = new Clips(this);
    this.body = make("div", { className: "saving" });
    this.kinds = new Segments(this.body, "What to save", name => this.choose(name));
    this.fields = make("div", { className: "fields" });
    this.note = make("p", { className: "note", role: "status" });
    this.body.append(this.fields, this.note);
    this.act = make("button", { type: "button", textContent: "Save", className: "chief" });
    this.act.addEventListener("click", () => this.save());
  }

  // What there is to choose from, here and now.
  kindsHere() {
    const { stage } = this;
    return {
      picture: "Picture",
      ...("twin" in stage && hasLibraries() && { clip: "Clip" }),
      ...(typeof (/** @type {any} */ (stage).savePage) === "function" && { page: "Page" }),
      ...(this.dialogs.script() && { script: "Python" }),
    };
  }

  open() {
    const { stage, dialogs } = this;
    if (stage.playing) stage.toggle(false);
    const here = this.kindsHere();
    this.kinds.box.hidden = Object.keys(here).length < 2;
    this.choose(this.kind in here ? this.kind : "picture");
    dialogs.open("Save", this.body);
    dialogs.dialog.querySelector(".row")?.prepend(this.act);
    dialogs.dialog.addEventListener("close", () => this.clips.cancel(), { once: true });
    this.act.focus();
  }

  /** @param {string} kind */
  choose(kind) {
    this.clips.cancel();
    this.kind = kind;
    this.kinds.offer(this.kindsHere(), kind);
    this.fields.replaceChildren(
      ...{ picture: () => this.picture(), clip: () => this.clips.fields(), page: () => [], script: () => [] }[
        /** @type {"picture"} */ (kind)
      ](),
    );
    this.tell();
  }

  tell() {
    const { kind, as, clips, act } = this;
    say(
      this.note,
      { picture: NOTES[as], clip: clips.words(), page: PAGE, script: SCRIPT }[
        /** @type {"picture"} */ (kind)
      ],
    );
    act.ariaDisabled = String(kind === "clip" && !clips.possible); // and keeps the focus
    say(act, kind === "clip" && clips.making ? "Cancel" : kind === "script" ? "Show" : "Save");
  }

  picture() {
    const titles = [...new Set(partsOf(this.stage.frame).map(({ title }) => title))];
    if (!titles.includes(this.part)) this.part = "";
    const names = { "": "The whole stage", ...Object.fromEntries(titles.map(title => [title, title])) };
    const what = choice("Of", names, this.part, value => {
      this.part = value;
    });
    const format = make("div");
    const formats = Object.entries(PICTURES).filter(([name]) => name !== "pdf" || hasLibraries());
    const segments = new Segments(format, "Format", name => {
      this.as = name;
      segments.offer(Object.fromEntries(formats), name);
      this.tell();
    });
    segments.offer(Object.fromEntries(formats), this.as);
    return [what, row("As", segments.box)];
  }

  async save() {
    if (this.busy || this.act.ariaDisabled === "true") return;
    if (this.kind === "clip") return this.clips.toggle();
    if (this.kind === "script") return this.dialogs.python();
    if (this.kind === "page") {
      this.dialogs.dialog.close();
      return /** @type {any} */ (this.stage).savePage();
    }
    this.busy = true;
    try {
      await this.savePicture();
      this.dialogs.dialog.close();
    } catch (error) {
      console.warn(error);
      say(this.note, `That did not work: ${error instanceof Error ? error.message : error}`);
    }
    this.busy = false;
  }

  async savePicture() {
    const { dialogs, stage, as } = this;
    const part = partsOf(stage.frame).find(({ title }) => title === this.part) ?? null;
    const about = [dialogs.about(), dialogs.address()];
    const name = `${dialogs.file()}${part ? `-${plain(part.title)}` : ""}.${as}`;
    if (as === "png") download(await pixels(stage, part, about), name);
    else {
      const found = await shapes(stage, part, about);
      download(as === "pdf" ? await pdf(found) : new Blob([found.text], { type: "image/svg+xml" }), name);
    }
    dialogs.say("Picture saved");
  }
}

// Words that any system takes as the name of a file.
/** @param {string} words */
const plain = words =>
  words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "panel";
