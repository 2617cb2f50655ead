// A storyboard in a file: its moments below the stage, each run in the file once.

import { rewritten } from "../engine/wire.js";
import { Storyboard } from "../storyboard/main.js";
import { seenOf, wordsOf } from "../storyboard/words.js";
import { Alone } from "./alone.js";

export class BoardRuns extends Alone {
  /** @param {Page} page @param {Uint8Array[]} runs @param {Stage} stage */
  constructor(page, runs, stage) {
    super(page, runs, /** @type {any} */ (stage));
    this.runs = runs;
    const { title, moments, said } = /** @type {BoardPage} */ (page.board);
    this.board = stage.board = new Storyboard(stage, {
      text: { title, moments },
      open: moment => this.open(moment),
      went: k => this.address(`moment=${k + 1}`),
    });
    moments.forEach(({ link }, k) => said[k] && this.board.faults.set(link, said[k]));
    const first = this.said() ?? 0;
    this.board.board.at = first;
    this.board.wanted = moments[first];
    this.data = this.of(moments[first]) ?? runs[0];
  }

  // The moment that the address names.
  said() {
    const k = Number(new URLSearchParams(location.hash.slice(1)).get("moment")) - 1;
    return this.page.board?.moments[k] ? k : null;
  }

  /** @param {BoardMoment} moment */
  of(moment) {
    const { moments, runs } = /** @type {BoardPage} */ (this.page.board);
    const data = this.runs[runs[moments.indexOf(moment)]];
    const view = { ...seenOf(wordsOf(moment.link)), serial: ++this.serial, play: 0 };
    return data && rewritten(data, header => ({ ...header, view }));
  }

  /** @param {boolean} dark */
  async show(dark) {
    const { data } = this;
    this.dark = dark;
    await super.show(dark);
    const stage = /** @type {Stage} */ (this.stage);
    // else a newer one comes
    if (stage.run && stage.bytes === data && this.data === data) this.board.came(stage.run);
  }

  /** @param {BoardMoment} moment */
  open(moment) {
    const data = this.of(moment);
    if (!data) {
      this.board.wanted = null;
      return this.board.say(this.board.faults.get(moment.link) ?? "");
    }
    this.data = data;
    this.show(this.dark ?? false);
  }

  // The address says which moment it is, not which step.
  told() {}

  /** @param {boolean} dark */
  follow(dark) {
    const k = this.said();
    this.dark = dark;
    if (k !== null && k !== this.board.board.at) this.board.go(k);
  }
}
