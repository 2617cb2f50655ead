// The storyboard of a stage: collects moments of its runs, and goes from one to the next.

import { button, find, make, say } from "../canvas/elements.js";
import { glide } from "../stage/glide.js";
import { Board } from "./board.js";
import { Notes } from "./notes.js";
import { small } from "./picture.js";
import { Strip } from "./strip.js";
import { Taking } from "./taking.js";
import { unpacked } from "./text.js";
import { caption, isPrivate, runOf, seenOf, wordsOf } from "./words.js";

const AHEAD = 1200; // ms that a moment stands before the next run is asked for

export class Storyboard {
  // what a link calls a run, and what the run calls itself
  /** @type {Map<string, string>} */ same = new Map();
  /** @type {Map<string, string>} */ titles = new Map(); // of solvers, as they come along
  /** @type {Map<string, string>} */ faults = new Map(); // what was wrong with the link of a moment
  /** @type {Set<string>} */ fetched = new Set();
  /** @type {BoardMoment | null} */ wanted = null; // a moment whose run is on its way
  asked = 0;
  /** @type {ReturnType<typeof setTimeout>} */ fetching;

  // What a page without a server has otherwise: where runs come from, and that nothing can be
  // changed.
  /**
   * @param {Stage} stage
   * @param {{ text: BoardText, open: (moment: BoardMoment) => void, went: (k: number) => void } | null} [fixed]
   */
  constructor(stage, fixed = null) {
    this.stage = stage;
    this.fixed = fixed;
    this.board = new Board(() => this.changed(), !fixed);
    // for the audience, in place of the solver's name
    this.heading = make("p", { className: "heading" });
    find(stage.frame, "header").prepend(this.heading);
    this.notes = new Notes(this);
    this.taking = new Taking(this);
    this.strip = new Strip(this);
    if (fixed) this.board.put(fixed.text);
    else this.board.restore();
    this.signal = new AbortController();
    const { signal } = this.signal;
    if (!fixed) {
      this.offer();
      addEventListener("hashchange", () => this.fromAddress(), { signal });
      addEventListener("storage", event => event.key === "svmviz.board" && this.elsewhere(), {
        signal,
      });
      this.fromAddress();
    }
    addEventListener("pagehide", () => this.notes.close(), { signal });
    this.changed();
  }

  // The buttons beside the others.
  offer() {
    const add = button("Moment", () => this.add(), {
      className: "moment",
      title: "Add this moment to your storyboard (B)",
    });
    this.opener = button("", () => this.strip.toggle(), { className: "strip" });
    find(this.stage.frame, ".actions .present").before(add, this.opener);
  }

  // Another tab has changed it.
  elsewhere() {
    this.board.restore();
    this.changed();
  }

  // A link to a storyboard was opened: it stands behind "#", so that no server hears of it.
  async fromAddress() {
    const [, sent] = location.hash.match(/^#board=(.*)$/) ?? [];
    if (sent === undefined) return;
    history.replaceState(history.state, "", `${location.pathname}${location.search}`);
    try {
      const board = await unpacked(sent);
      if (board.moments.length) this.taking.put(board, "opened from the link");
    } catch (error) {
      this.say(String(/** @type {Error} */ (error).message));
    }
  }

  changed() {
    const count = this.board.moments.length;
    const label = `Storyboard: ${count} moment${count === 1 ? "" : "s"}; show or hide (Shift B)`;
    if (this.opener) {
      Object.assign(this.opener, { textContent: String(count), title: label });
      this.opener.setAttribute("aria-label", label);
      this.opener.setAttribute("aria-expanded", String(this.strip.open));
    }
    this.strip.paint();
    this.notes.paint();
    say(this.heading, this.board.current?.title ?? "");
  }

  /** @param {string} words */
  say(words) {
    this.stage.dialogs.say(words);
  }

  /** @param {BoardMoment} moment */
  caption(moment) {
    return caption(moment, this.titles);
  }

  // What is on stage, as its link says it.
  add() {
    if (this.fixed) return;
    const { stage, board } = this;
    if (board.full) return this.say(`A storyboard has at most ${board.moments.length} moments`);
    if (stage.playing) stage.toggle(false);
    if (stage.stepping) stage.rest(); // the link is that of its end
    const words = new URL(stage.dialogs.address()).searchParams;
    words.delete("present");
    stage.paint();
    this.know();
    board.add(words.toString(), small(stage));
    if (!stage.presenting) this.strip.show(true);
    const aside = isPrivate(words) ? ", which only you can open: its data are yours" : "";
    this.say(`Moment ${board.at + 1} of ${board.moments.length} added${aside}`);
  }

  // The stage goes where the selection does: what is written is written about what is seen.
  /** @param {number} k */
  drop(k) {
    const { board } = this;
    const gone = k === board.at;
    board.drop(k);
    if (gone && board.current) this.go(board.at);
  }

  know() {
    this.titles.set(this.stage.run.solver.key, this.stage.run.solver.title);
  }

  /** @param {URLSearchParams} words */
  isHere(words) {
    const { run } = this.stage;
    const here = runOf(run.query);
    const there = runOf(words);
    return (there === here || this.same.get(there) === here) && seenOf(words).t <= run.T;
  }

  /** @param {number} by */
  step(by) {
    const { board } = this;
    const last = board.moments.length - 1;
    const k = board.at < 0 ? (by > 0 ? 0 : last) : board.at + by;
    if (k < 0 || k > last)
      return this.say(by > 0 ? "This was the last moment" : "This is the first moment");
    this.go(k);
  }

  // To a moment: gently where its run is on stage, else its run is asked for.
  /** @param {number} k */
  go(k) {
    const { board, stage } = this;
    const moment = board.moments[k];
    if (!moment) return;
    if (stage.quiz.on) stage.quiz.toggle();
    board.at = k;
    this.fixed?.went(k);
    const words = wordsOf(moment.link);
    this.wanted = null;
    if (this.isHere(words)) {
      this.seen(words);
      glide(stage, seenOf(words)).then(there => there && this.arrived(moment));
    } else {
      this.wanted = moment;
      if (this.fixed) this.fixed.open(moment);
      else {
        if (stage.playing) stage.toggle(false);
        stage.setTriggerValue("moment", { id: ++this.asked, query: Object.fromEntries(words) });
      }
    }
    this.changed();
  }

  // Its panels, and the one that fills the stage; whoever presents goes on presenting.
  /** @param {URLSearchParams} words */
  seen(words) {
    this.stage.hall.heed(words);
    if (!this.fixed) this.stage.hall.write();
  }

  // A run has come. Its own name for itself may be longer than that of the link.
  /** @param {Run} run */
  came(run) {
    this.know();
    const { wanted, asked, board } = this;
    if (!wanted && board.at < 0) {
      // a page that was loaded again stands where it stood
      board.at = board.moments.findIndex(({ link }) => {
        const words = wordsOf(link);
        return this.isHere(words) && seenOf(words).t === this.stage.t;
      });
      if (board.at >= 0) this.changed();
    }
    if (!wanted) return;
    const said = run.moment;
    if (!this.fixed && said?.id !== asked) return;
    this.wanted = null;
    if (said?.said.length) {
      this.faults.set(wanted.link, said.said.join(" "));
      this.say(said.said[0]);
    } else this.faults.delete(wanted.link);
    if (!said?.refused) {
      const words = wordsOf(wanted.link);
      this.same.set(runOf(words), runOf(run.query));
      this.seen(words);
      // once it is painted
      requestAnimationFrame(() =>
        requestAnimationFrame(() => !this.stage.gone && this.arrived(wanted)),
      );
    }
    this.changed();
  }

  /** @param {BoardMoment} moment */
  arrived(moment) {
    const { board, stage } = this;
    if (board.current !== moment) return;
    if (!board.pictures.has(moment.link) && stage.engine) {
      stage.paint();
      board.shot(moment.link, small(stage));
      board.save();
    }
    clearTimeout(this.fetching);
    if (!this.fixed) this.fetching = setTimeout(() => this.ahead(), AHEAD);
  }

  // The run of the next moment, so that it is there when it is wanted.
  ahead() {
    const { board, stage } = this;
    const next = board.moments[board.at + 1];
    if (!next || stage.gone || stage.playing || this.wanted || this.fetched.has(next.link)) return;
    const words = wordsOf(next.link);
    if (this.isHere(words)) return;
    this.fetched.add(next.link);
    stage.setTriggerValue("ahead", { query: Object.fromEntries(words) });
  }

  // Says whether a key was one of a storyboard's.
  /** @param {KeyboardEvent} event */
  key({ key, shiftKey }) {
    const { moments } = this.board;
    if (["PageUp", "PageDown"].includes(key) && moments.length)
      this.step(key === "PageDown" ? 1 : -1);
    else if (key.toLowerCase() === "b" && !this.fixed) shiftKey ? this.strip.toggle() : this.add();
    else if (key.toLowerCase() === "n" && moments.length) this.notes.open();
    else return false;
    return true;
  }

  destroy() {
    clearTimeout(this.fetching);
    this.signal.abort();
    this.notes.close();
  }
}
