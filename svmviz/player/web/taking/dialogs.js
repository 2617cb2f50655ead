// What the user takes away or looks up: script, link, picture, list of keys, cost figures.

import { counted, group } from "../engine/words.js";
import { support } from "../engine/scores.js";
import { button, find, make } from "../canvas/elements.js";
import { linkTo } from "../browser/home.js";
import { download } from "../browser/download.js";
import { pageFile } from "./pagefile.js";
import { share, showCode } from "./sharing.js";
import { KEYS } from "../stage/transport.js";

const WAYS = "Other links: presented, for students, embedded, as a code";

export class Dialogs {
  /** @type {ReturnType<typeof setTimeout>} */ fading;
  what = "run"; // what a script is for
  /** @type {Saving | undefined} */ saving;

  /** @param {Shell} stage */
  constructor(stage) {
    this.stage = /** @type {Stage} */ (stage);
    const actions = make("div", { className: "actions" });
    /** @type {[name: string, words: string, run: () => void][]} */
    const all = [
      ["python", "Python", () => this.python()],
      ["link", "Copy link", () => this.link()],
      ["ways", "▾", () => share(this)],
      ["save", "Save", () => this.save()],
      ["present", "Present", () => stage.present()],
    ];
    actions.append(...all.map(([className, words, run]) => button(words, run, { className })));
    Object.assign(find(actions, ".ways"), { ariaLabel: WAYS, title: WAYS });
    this.dialog = make("dialog");
    this.dialog.addEventListener("click", event => {
      if (event.target === this.dialog) this.dialog.close();
    });
    this.toast = make("div", { className: "toast", role: "status", hidden: true });
    stage.frame.append(actions, this.dialog, this.toast);
  }

  save() {
    const { Saving } = this.stage.modules["saving/main.js"];
    this.saving ??= new Saving(this);
    this.saving.open();
  }

  /** @param {string} words */
  say(words) {
    this.toast.textContent = words;
    this.toast.hidden = false;
    clearTimeout(this.fading);
    this.fading = setTimeout(() => {
      this.toast.hidden = true;
    }, 2500);
  }

  /** @param {string} title @param {HTMLElement} body @param {...[string, () => void]} buttons */
  open(title, body, ...buttons) {
    const row = make("div", { className: "row" });
    buttons.push(["Close", () => this.dialog.close()]);
    for (const [words, run] of buttons) {
      const button = make("button", { type: "button", textContent: words });
      button.addEventListener("click", run);
      row.append(button);
    }
    this.dialog.replaceChildren(make("h3", { textContent: title }), body, row);
    if (!this.dialog.open) this.dialog.showModal();
    /** @type {HTMLElement} */ (row.lastChild).focus({ preventScroll: true });
    this.dialog.scrollTop = 0;
  }

  /** @param {string} words @param {string} done */
  async copy(words, done) {
    try {
      await navigator.clipboard.writeText(words);
      this.say(done);
    } catch {
      // no permission, or not a secure page: let the user copy by hand
      const box = make("textarea", { value: words, readOnly: true, rows: 6 });
      this.open("Copy this", box);
      box.select();
    }
  }

  // Of what is shown, with the words that say how.
  address(words = this.stage.hall.words()) {
    const { run, t, axes, field } = this.stage;
    const beat = this.stage.view().beat;
    const query = new URLSearchParams({
      ...run.query,
      t: String(t),
      x: axes.x,
      ...(axes.y !== this.stage.curves.usual && { y: axes.y }),
      ...(beat !== "rest" && { beat }),
      ...(field && { field }),
      ...words,
    });
    return linkTo(query);
  }

  link() {
    return this.copy(this.address(), "Link copied: it opens this run at this step");
  }

  // For those who only have a phone.
  code() {
    return showCode(this);
  }

  script() {
    return this.stage.run.python.replaceAll("{step}", String(this.stage.t));
  }

  python() {
    const body = make("pre", { textContent: this.script() });
    this.open(
      `Python for this ${this.what}`,
      body,
      [
        "Copy",
        () => {
          this.dialog.close();
          this.copy(this.script(), "Script copied");
        },
      ],
      [
        "Download",
        () => download(new Blob([this.script()], { type: "text/x-python" }), `${this.what}.py`),
      ],
    );
  }

  about() {
    return `${this.stage.run.about}; after step ${counted(this.stage.t)} of ${counted(this.stage.run.T)}`;
  }

  // What a file is called, with the step that it shows or without.
  file(at = true) {
    return `${this.stage.run.solver.key}${at ? `-step-${this.stage.t}` : ""}`;
  }

  // What is on the stage, as a file that plays by itself.
  /** @param {Parameters<typeof pageFile>} of */
  async page(...of) {
    try {
      download(await pageFile(...of), `svmviz-${this.stage.run?.solver.key ?? of[0]}.html`);
      this.say("Page saved: it plays without a server");
    } catch (error) {
      const textContent = `What the page is made of could not be read: ${/** @type {Error} */ (error).message}. Try again when the server is back.`;
      this.open("The page was not saved", make("p", { textContent }));
    }
  }

  /** @param {string[][]} [keys] @param {...[string, () => void]} buttons */
  help(keys = KEYS, ...buttons) {
    const list = make("dl", { className: "keys" });
    for (const [key, words] of keys)
      list.append(make("dt", { textContent: key }), make("dd", { textContent: words }));
    this.open("Keys", list, ...buttons);
  }

  /** @param {View} view */
  costs({ run, t, after }) {
    const recent = this.stage.intervals.slice(-60);
    const mean = recent.reduce((a, b) => a + b, 0) / recent.length;
    this.stage.costs.textContent = [
      `examples ${counted(run.axes.examples(t))}`,
      `features read ${counted(run.axes.features_read(t))}`,
      `kernel evaluations ${counted(run.axes.kernel_evals(t))}`,
      ...(run.pairs ? [`distinct pairs ${counted(run.pairs(t))}`] : []),
      `support vectors ${support(after.coef)}`,
      `trace ${group(((this.stage.bytes?.length ?? 0) / 1024).toFixed(0))} KB`,
      recent.length > 5 ? `${(1000 / mean).toFixed(0)} frames/s` : "paused",
    ].join(" · ");
  }
}
