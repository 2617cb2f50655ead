// The moments that a visitor collects: in which order, which is on stage, and what was before. They
// are kept in this browser and nowhere else.

import { keep, kept } from "../browser/kept.js";
import { MOST, NOTE, TITLE, UNTITLED, inALine, read, tidied, write } from "./text.js";

const KEY = "svmviz.board";
const BEFORE = "svmviz.board.before"; // what another one took the place of
const PICTURES = "svmviz.board.pictures";
const DEEP = 50; // changes that can be taken back

export class Board {
  title = UNTITLED;
  /** @type {BoardMoment[]} */ moments = [];
  at = -1; // the moment that was gone to last
  /** @type {string[]} */ past = [];
  /** @type {Map<string, string>} */ pictures = new Map(); // by the link of a moment

  // Who is told of a change.
  /** @param {() => void} changed @param {boolean} [keeps] */
  constructor(changed, keeps = true) {
    this.changed = changed;
    this.keeps = keeps;
  }

  // What was kept; one that cannot be read any more is as none.
  restore() {
    try {
      this.put(read(kept(KEY) ?? ""));
      const before = kept(BEFORE);
      if (before && !this.past.length) this.past.push(before);
      this.pictures = new Map(JSON.parse(kept(PICTURES) ?? "[]"));
    } catch {
      this.put({ title: UNTITLED, moments: [] });
    }
  }

  get text() {
    return write(this);
  }

  get current() {
    return this.moments[this.at];
  }

  /** @param {BoardText} board */
  put({ title, moments }) {
    this.title = title;
    this.moments = moments;
    this.at = Math.min(this.at, moments.length - 1);
  }

  save() {
    if (this.keeps) keep(KEY, this.text);
    this.changed();
  }

  // Before a change that can be taken back.
  note() {
    this.past.push(this.text);
    if (this.past.length > DEEP) this.past.shift();
  }

  get full() {
    return this.moments.length >= MOST;
  }

  // Behind the one that is on stage, so that one can insert.
  /** @param {string} link @param {string} picture */
  add(link, picture) {
    this.note();
    this.at = this.at < 0 ? this.moments.length : this.at + 1;
    this.moments.splice(this.at, 0, { link, title: "", note: "" });
    this.shot(link, picture);
    this.save();
  }

  /** @param {string} link @param {string} picture */
  shot(link, picture) {
    if (picture) this.pictures.set(link, picture);
    const used = new Set(this.moments.map(moment => moment.link));
    if (this.keeps)
      keep(PICTURES, JSON.stringify([...this.pictures].filter(([link]) => used.has(link))));
  }

  /** @param {number} k @param {number} to */
  move(k, to) {
    if (k === to || !this.moments[k] || !this.moments[to]) return;
    this.note();
    const { current } = this;
    this.moments.splice(to, 0, ...this.moments.splice(k, 1));
    this.at = current ? this.moments.indexOf(current) : -1;
    this.save();
  }

  /** @param {number} k */
  drop(k) {
    if (!this.moments[k]) return;
    this.note();
    this.moments.splice(k, 1);
    if (this.at > k || this.at === this.moments.length) this.at--;
    this.save();
  }

  // What was selected stays so, wherever it comes to stand.
  undo() {
    const text = this.past.pop();
    if (text === undefined) return;
    const link = this.current?.link;
    this.put(read(text));
    const found = this.moments.findIndex(moment => moment.link === link);
    if (found >= 0) this.at = found;
    keep(BEFORE, "");
    this.save();
  }

  // Another storyboard in place of this one, which can be had back, even after the page was loaded
  // again.
  /** @param {BoardText} board */
  open(board) {
    if (this.moments.length) {
      this.note();
      keep(BEFORE, this.text);
    }
    this.put(board);
    this.at = board.moments.length ? 0 : -1;
    this.save();
  }

  /** @param {string} words */
  name(words) {
    this.title = [...inALine(words)].slice(0, TITLE).join("") || UNTITLED;
    this.save();
  }

  // What the speaker writes about the moment that is on stage.
  /** @param {"title" | "note"} what @param {string} words */
  write(what, words) {
    const { current } = this;
    if (!current) return;
    if (what === "title") current.title = [...inALine(words)].slice(0, TITLE).join("");
    else current.note = [...tidied(words)].slice(0, NOTE).join("");
    this.save();
  }
}
