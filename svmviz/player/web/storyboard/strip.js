// The storyboard below the stage: its moments as small pictures, in an order that one can drag, and
// what there is to say about the one that is on stage.

import { button, find, make } from "../canvas/elements.js";
import { keep, kept } from "../browser/kept.js";
import { NOTE, TITLE } from "./text.js";
import { isPrivate, wordsOf } from "./words.js";

const OPEN = "svmviz.board.open";

export class Strip {
  /** @type {number | null} */ dragged = null;
  shown = "";

  /** @param {Storyboard} storyboard */
  constructor(storyboard) {
    this.storyboard = storyboard;
    const { stage, fixed } = storyboard;
    this.open = Boolean(fixed) || kept(OPEN) === "1";
    this.box = make("aside", { className: "board" });
    this.box.setAttribute("aria-label", "Storyboard");
    this.title = this.field("input", "Title of the storyboard", TITLE, words =>
      storyboard.board.name(words),
    );
    this.title.className = "name";
    this.count = make("span", { className: "many" });
    this.doing = make("span", { className: "doing", role: "status" });
    this.undo = button("Undo", () => storyboard.board.undo(), {
      title: "Take the last change of the storyboard back",
    });
    const { taking, notes } = storyboard;
    this.speak = button("Notes", () => notes.open(), {
      title: "A window with your notes, for the second screen (N)",
    });
    const bring = button("Open", () => taking.picker.click(), {
      title: "A text file with a storyboard",
    });
    this.keep = button("Save as …", () => taking.offer(), { className: "keep" });
    const shut = button("×", () => this.show(false), {
      className: "shut",
      title: "Hide the storyboard (Shift B)",
    });
    shut.setAttribute("aria-label", "Hide the storyboard");
    const head = make("div", { className: "top" });
    const tools = fixed ? [this.speak] : [this.undo, this.speak, bring, this.keep, taking.picker];
    head.append(this.title, this.count, this.doing, ...tools, shut);
    this.list = make("ol", { className: "moments" });
    this.about = make("div", { className: "about" });
    const row = make("div", { className: "row" });
    row.append(this.list, this.about);
    this.box.append(head, row);
    stage.frame.after(this.box);
    if (fixed) this.title.readOnly = true;
    else this.detail();
    this.list.addEventListener("keydown", event => this.key(event));
    if (!fixed) this.receive(/** @type {HTMLElement} */ (stage.root));
  }

  /**
   * @template {"input" | "textarea"} T
   * @param {T} tag
   * @param {string} label
   * @param {number} most
   * @param {(words: string) => void} write
   */
  field(tag, label, most, write) {
    const made = make(tag, { placeholder: label, maxLength: most });
    made.setAttribute("aria-label", label);
    made.addEventListener("input", () => write(made.value));
    made.addEventListener("keydown", event => {
      const { key } = /** @type {KeyboardEvent} */ (event);
      if (key === "Escape" || (key === "Enter" && tag === "input")) made.blur();
    });
    return /** @type {HTMLElementTagNameMap[T]} */ (made);
  }

  // What is said of the moment on stage.
  detail() {
    const { board } = this.storyboard;
    this.heading = this.field("input", "Heading, for the audience", TITLE, words =>
      board.write("title", words),
    );
    this.note = this.field("textarea", "Note, for you alone", NOTE, words =>
      board.write("note", words),
    );
    const move = (/** @type {number} */ by) => () => board.move(board.at, board.at + by);
    const ways = make("div", { className: "ways" });
    ways.append(
      button("←", move(-1), { className: "sooner", title: "Move it to the left (Shift ←)" }),
      button("→", move(1), { className: "later", title: "Move it to the right (Shift →)" }),
      button("Delete", () => this.storyboard.drop(board.at), { className: "drop" }),
    );
    this.about.append(this.heading, this.note, ways);
  }

  // Text files can be let fall on the stage.
  /** @param {HTMLElement} root */
  receive(root) {
    const holds = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
    root.addEventListener("dragover", event => {
      if (holds(event)) event.preventDefault();
    });
    root.addEventListener("drop", event => {
      const [file] = event.dataTransfer?.files ?? [];
      if (!file) return;
      event.preventDefault();
      this.storyboard.taking.file(file);
    });
  }

  toggle() {
    this.show(!this.open);
  }

  /** @param {boolean} open */
  show(open) {
    this.open = open;
    if (!this.storyboard.fixed) keep(OPEN, open ? "1" : "0");
    this.storyboard.changed();
  }

  /** @param {string} words */
  wait(words) {
    this.doing.textContent = words;
    this.keep.disabled = Boolean(words);
  }

  paint() {
    const { storyboard, open } = this;
    const { stage, board, fixed } = storyboard;
    const { moments, current } = board;
    this.box.hidden = !open;
    stage.frame.classList.toggle("boarded", open);
    this.box.classList.toggle("dark", stage.frame.classList.contains("dark"));
    if (!open) return;
    if (this.title !== focused(this.title)) this.title.value = board.title;
    this.count.textContent = `${moments.length} moment${moments.length === 1 ? "" : "s"}`;
    this.undo.disabled = !board.past.length;
    this.keep.disabled = !moments.length || Boolean(this.doing.textContent);
    this.speak.disabled = !moments.length;
    const held = focused(this.list);
    const at = held instanceof HTMLElement ? held.dataset.k : undefined;
    this.list.replaceChildren(...moments.map((moment, k) => this.item(moment, k)));
    if (!moments.length) this.list.append(this.empty());
    if (at !== undefined)
      /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-k="${at}"]`))?.focus();
    this.about.hidden = !current || (Boolean(fixed) && !current.note);
    if (!current) return;
    if (fixed) {
      this.about.replaceChildren(make("p", { textContent: current.note }));
    } else if (this.heading && this.note) {
      const other = this.shown !== current.link + board.at;
      if (other || focused(this.heading) !== this.heading) this.heading.value = current.title;
      if (other || focused(this.note) !== this.note) this.note.value = current.note;
      this.shown = current.link + board.at;
      for (const [name, end] of /** @type {[string, number][]} */ ([
        [".sooner", 0],
        [".later", moments.length - 1],
      ]))
        /** @type {HTMLButtonElement} */ (find(this.about, name)).disabled = board.at === end;
    }
    const shot = /** @type {HTMLElement | null} */ (this.list.querySelector("[aria-current]"));
    const [box, whole] = [shot?.getBoundingClientRect(), this.list.getBoundingClientRect()];
    if (box && (box.left < whole.left || box.right > whole.right))
      this.list.scrollLeft += box.left - whole.left - 60;
  }

  /** @param {BoardMoment} moment @param {number} k */
  item(moment, k) {
    const { storyboard } = this;
    const { board, faults, wanted, fixed } = storyboard;
    const words = storyboard.caption(moment);
    const fault = faults.get(moment.link) ?? "";
    const own = isPrivate(wordsOf(moment.link));
    const shot = make("button", { type: "button", className: "shot", draggable: !fixed });
    shot.addEventListener("click", () => storyboard.go(k));
    shot.dataset.k = String(k);
    if (k === board.at) shot.setAttribute("aria-current", "true");
    shot.setAttribute("aria-busy", String(moment === wanted));
    const picture = board.pictures.get(moment.link);
    const face = picture
      ? make("img", { src: picture, alt: "", draggable: false })
      : make("span", { className: "blank", textContent: "…" });
    const below = make("span", { className: "words", textContent: words });
    shot.append(face, make("b", { textContent: String(k + 1) }), below);
    if (moment.note) shot.append(make("i", { className: "noted", title: "It has a note" }));
    const item = make("li");
    item.append(shot);
    const aside = fault || (own ? "Only you can open it: its data are yours." : "");
    if (aside)
      item.append(
        make("span", { className: fault ? "wrong" : "own", textContent: aside, title: aside }),
      );
    if (!fixed) this.drags(item, shot, k);
    return item;
  }

  /** @param {HTMLElement} item @param {HTMLElement} shot @param {number} k */
  drags(item, shot, k) {
    shot.addEventListener("dragstart", event => {
      this.dragged = k;
      event.dataTransfer?.setData("text/plain", "");
      item.classList.add("dragged");
    });
    shot.addEventListener("dragend", () => {
      this.dragged = null;
      this.paint();
    });
    item.addEventListener("dragover", event => {
      if (this.dragged === null) return;
      event.preventDefault();
      item.classList.add(k > this.dragged ? "after" : "before");
    });
    item.addEventListener("dragleave", () => item.classList.remove("before", "after"));
    item.addEventListener("drop", event => {
      if (this.dragged === null) return;
      event.preventDefault();
      this.storyboard.board.move(this.dragged, k);
    });
  }

  empty() {
    const words =
      "A storyboard collects moments of runs for a lecture. Press B, or Moment above, wherever the stage shows what " +
      "you want to speak about; then PageUp and PageDown, or any clicker, go from one to the next. It stays in this " +
      "browser until you save it, as a file, a link, slides, a page or a lesson.";
    return make("li", { className: "empty", textContent: words });
  }

  // On a picture that was reached by the keyboard.
  /** @param {KeyboardEvent} event */
  key(event) {
    const from = /** @type {HTMLElement} */ (event.composedPath()[0]).closest?.("[data-k]");
    if (!(from instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const k = Number(from.dataset.k);
    const { board, fixed } = this.storyboard;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by && event.shiftKey && !fixed) board.move(k, k + by);
    else if (["Delete", "Backspace"].includes(event.key) && !fixed) this.storyboard.drop(k);
    else if (!by) return;
    event.preventDefault();
    const to = by ? k + by : Math.min(k, board.moments.length - 1);
    /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-k="${to}"]`))?.focus();
  }
}

// What has the focus, beside an element.
/** @param {HTMLElement} near */
const focused = near => /** @type {Document | ShadowRoot} */ (near.getRootNode()).activeElement;
