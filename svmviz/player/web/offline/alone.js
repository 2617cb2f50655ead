// One run, two that fork, or a race, in a file: where the stage stands is the part of the address
// behind "#".

import { find } from "../canvas/elements.js";
import { headerOf, rewritten } from "../engine/wire.js";
import { glide } from "../stage/glide.js";
import { BY_ITSELF } from "../stage/line.js";
import { seenOf } from "../storyboard/words.js";
import { beyond } from "./beyond.js";

const WORDS = ["beat", "x", "y", "field"];

export class Alone {
  serial = 1;
  written = "";
  /** @type {Record<string, string>} */ also = {}; // what else the address says

  /** @param {Page} page @param {Uint8Array[]} runs @param {Offline} stage */
  constructor(page, [data], stage) {
    this.page = page;
    this.stage = stage;
    this.first = data;
    this.data = this.placed();
    const { python, query } = headerOf(data);
    if (!python) find(stage.frame, ".actions .python").hidden = true;
    if (!Object.keys(query).length) find(stage.frame, ".actions .link").hidden = true;
  }

  // The stage, if it shows a run that can be gone through.
  get glides() {
    const stage = /** @type {Stage} */ (this.stage);
    return this.page.entry === "stage" && stage.run ? stage : null;
  }

  // The run, to be opened where the address says.
  placed() {
    const said = new URLSearchParams(location.hash.slice(1));
    if (!said.toString()) return this.first;
    return rewritten(this.first, header => {
      const view = { ...header.view, serial: ++this.serial, play: 0 };
      const t = Number(said.get("t"));
      if (said.has("t") && Number.isInteger(t) && t >= 0) view.t = t;
      for (const name of WORDS) if (said.has(name)) view[name] = said.get(name);
      return { ...header, view };
    });
  }

  /** @param {boolean} dark */
  show(dark) {
    const { data, stage } = this;
    return stage.update(
      {
        data,
        setStateValue: (name, value) => this.told(name, value),
        setTriggerValue: name => this.asked(name),
      },
      dark,
    );
  }

  /** @param {boolean} dark */
  follow(dark) {
    if (location.hash.slice(1) === this.written) return;
    this.stage.hall.read();
    const said = new URLSearchParams(location.hash.slice(1));
    if (this.glides && said.has("t")) glide(this.glides, seenOf(said));
    else {
      this.data = this.placed();
      this.show(dark);
    }
  }

  // The address follows the stage, so that a page which is loaded again is where it was.
  /** @param {string} name @param {any} value */
  told(name, value) {
    if (name !== "view" || !value) return;
    const { t, beat, x, y, field } = value;
    const all = { t: String(t), beat, x, y, field, ...this.stage.hall.words() };
    const given = Object.entries(all).filter(([, word]) => word);
    this.address(new URLSearchParams({ ...this.also, ...Object.fromEntries(given) }).toString());
  }

  /** @param {string} words */
  address(words) {
    this.written = words;
    try {
      history.replaceState(history.state, "", `#${this.written}`);
    } catch {
      // a page within a page may have no address of its own
    }
  }

  /** @param {string} name */
  asked(name) {
    if (name === "restart") this.stage.seek(0, true);
    else if (!BY_ITSELF.includes(name)) beyond(this.page, this.stage);
  }
}
