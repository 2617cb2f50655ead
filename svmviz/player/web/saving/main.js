// What can be saved of a stage, asked for in a dialog: a picture, a clip, a page, a script.

import { make, say } from "../canvas/elements.js";
import { hasLibraries } from "../browser/library.js";
import { Segments } from "../canvas/segments.js";
import { download } from "../browser/download.js";
import { Clips } from "./clips.js";
import { pdf } from "./pdf.js";
import { partsOf, pixels, shapes } from "./picture.js";
import { choice, row } from "../canvas/fields.js";

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

/** @typedef {{ title: string, fields?: () => HTMLElement[], note: () => string, label?: () => string, able?: () => boolean, act: () => unknown }} Kind */

export class Saving {
  /** @type {Kind} */ kind;
  chosen = "picture";
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

  // What there is to choose from, here and now: what it is called, what it asks, what is said of
  // it, what the button does.
  /** @returns {Record<string, Kind>} */
  kindsHere() {
    const { stage, dialogs, clips } = this;
    return {
      picture: {
        title: "Picture",
        fields: () => this.picture(),
        note: () => NOTES[this.as],
        act: () => this.savePicture(),
      },
      ...("twin" in stage &&
        hasLibraries() && {
          clip: {
            title: "Clip",
            fields: () => clips.fields(),
            note: () => clips.words(),
            label: () => (clips.making ? "Cancel" : "Save"),
            able: () => clips.possible,
            act: () => clips.toggle(),
          },
        }),
      ...(typeof stage.savePage === "function" && {
        page: { title: "Page", note: () => PAGE, act: () => this.savePage() },
      }),
      ...(dialogs.script() && {
        script: {
          title: "Python",
          note: () => SCRIPT,
          label: () => "Show",
          act: () => dialogs.python(),
        },
      }),
    };
  }

  open() {
    const { stage, dialogs } = this;
    if (stage.playing) stage.toggle(false);
    const here = this.kindsHere();
    this.kinds.box.hidden = Object.keys(here).length < 2;
    this.choose(this.chosen in here ? this.chosen : "picture");
    dialogs.open("Save", this.body);
    dialogs.dialog.querySelector(".row")?.prepend(this.act);
    dialogs.dialog.addEventListener("close", () => this.clips.cancel(), { once: true });
    this.act.focus();
  }

  /** @param {string} name */
  choose(name) {
    this.clips.cancel();
    const here = this.kindsHere();
    this.kind = here[name];
    this.chosen = name;
    this.kinds.offer(
      Object.fromEntries(Object.entries(here).map(([one, { title }]) => [one, title])),
      name,
    );
    this.fields.replaceChildren(...(this.kind.fields?.() ?? []));
    this.tell();
  }

  tell() {
    const { kind, act } = this;
    say(this.note, kind.note());
    act.ariaDisabled = String(kind.able?.() === false); // and keeps the focus
    say(act, kind.label?.() ?? "Save");
  }

  picture() {
    const titles = [...new Set(partsOf(this.stage.frame).map(({ title }) => title))];
    if (!titles.includes(this.part)) this.part = "";
    const names = {
      "": "The whole stage",
      ...Object.fromEntries(titles.map(title => [title, title])),
    };
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

  save() {
    if (this.busy || this.act.ariaDisabled === "true") return;
    this.kind.act();
  }

  savePage() {
    this.dialogs.dialog.close();
    return this.stage.savePage();
  }

  async savePicture() {
    this.busy = true;
    try {
      await this.takePicture();
      this.dialogs.dialog.close();
    } catch (error) {
      console.warn(error);
      say(this.note, `That did not work: ${error instanceof Error ? error.message : error}`);
    }
    this.busy = false;
  }

  async takePicture() {
    const { dialogs, stage, as } = this;
    const part = partsOf(stage.frame).find(({ title }) => title === this.part) ?? null;
    const about = [dialogs.about(), dialogs.address()];
    const name = `${dialogs.file()}${part ? `-${plain(part.title)}` : ""}.${as}`;
    if (as === "png") download(await pixels(stage, part, about), name);
    else {
      const found = await shapes(stage, part, about);
      download(
        as === "pdf" ? await pdf(found) : new Blob([found.text], { type: "image/svg+xml" }),
        name,
      );
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
