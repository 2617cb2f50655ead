// Pseudo-code with live values, the why-sentence, and the numbers of the title row: text, so DOM
// and not canvas.

import { counted, decimals, fill, group, named, said, unbroken } from "../engine/words.js";
import { clicked, find, make, say } from "../canvas/elements.js";
import { Caption } from "../canvas/labels.js";
import { nodes, write } from "../canvas/symbols.js";

export class Code {
  /** @type {Line[]} */ lines = [];
  /** @type {{ row: HTMLElement, value: HTMLElement, template: string, beat: string }[]} */ rows =
    [];
  said = "";

  /** @param {HTMLElement} section @param {() => void} back */
  constructor(section, back) {
    section.innerHTML = `<h3><b class="figure"></b> <span class="caption"></span><button type="button" class="draw back" title="Back to what happened (Esc)" hidden>Back to what happened</button></h3><ol class="lines"></ol><p class="why"></p>`;
    this.back = find(section, ".back");
    clicked(this.back, back);
    this.figure = find(section, ".figure");
    this.caption = new Caption(find(section, ".caption"));
    this.list = find(section, ".lines");
    this.why = find(section, ".why");
  }

  /** @param {Segment} segment */
  build(segment) {
    this.lines = segment.lines;
    this.figure.textContent = segment.figure;
    this.list.style.setProperty("--count", String(segment.lines.length));
    this.rows = segment.lines.map((line, k) => {
      const row = make("li", { title: line.text });
      const value = make("output");
      row.dataset.n = String(k + 1);
      const words = make("code");
      words.append(...nodes(line.text, this.list));
      row.append(words, value);
      return { row, value, template: line.value, beat: line.beat };
    });
    this.list.replaceChildren(...this.rows.map(({ row }) => row));
  }

  /** @param {View} view */
  paint(view) {
    const { run, t, told, segment, beat, supposed } = view;
    const words = named(view);
    if (segment.lines !== this.lines) this.build(segment);
    const step = told
      ? `step ${counted(t)}`
      : t
        ? `from step ${counted(t + 1)} on`
        : "before the first step";
    this.caption.say(
      step + (supposed?.caption ?? ""),
      step,
      ...(told || !t ? [] : [`from ${counted(t + 1)}`]),
    );
    this.back.hidden = !supposed?.back;
    const bits = run.lines[t];
    const active = told ? this.rows.findLastIndex(r => r.beat === beat) : -1;
    // the last line that was reached
    const end = active < 0 ? (told ? this.rows.length : -1) : active;
    const next = told ? this.rows.findIndex((_, k) => k > end && (bits >> k) & 1) : 0;
    const last = () => this.rows.findLastIndex((_, k) => (bits >> k) & 1);
    // where there is room for one line only
    const one = active < 0 && told ? last() : Math.max(active, 0);
    this.rows.forEach(({ row, value, template }, k) => {
      const ran = told > 0 && ((bits >> k) & 1) === 1;
      const state =
        told && this.rows[k].beat === beat
          ? "active"
          : k > end
            ? k === next
              ? "next"
              : ""
            : ran
              ? "ran"
              : "skipped";
      if (row.className !== state) row.className = state;
      row.toggleAttribute("data-one", k === one);
      // what did not happen has no value
      write(value, ran && k <= end ? fill(template, words) : "");
    });
    this.speak(said(view));
  }

  /** @param {string} words */
  speak(words) {
    if (words === this.said) return;
    this.said = words;
    this.why.replaceChildren(
      ...unbroken(words)
        .split("*")
        .flatMap((part, k) => {
          const said = nodes(part, this.why);
          if (k % 2 === 0) return said;
          const now = make("b");
          now.append(...said);
          return now;
        }),
    );
  }
}

export class Numbers {
  /** @type {Record<"cell" | "term" | "value", HTMLElement>[]} */ cells;

  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    this.cells = [];
  }

  /** @param {string[][]} shown */
  paint(shown) {
    while (this.cells.length < shown.length) {
      const [cell, term, value] = [make("div"), make("dt"), make("dd")];
      cell.append(term, value);
      this.list.append(cell);
      this.cells.push({ cell, term, value });
    }
    this.cells.forEach(({ cell, term, value }, k) => {
      const [name, words] = shown[k] ?? ["", ""];
      cell.hidden = !name;
      write(term, name);
      say(value, words);
    });
  }
}

// The exact optimum; while it is looked for, and where only its neighbourhood is known, that.
/** @param {Run} run @param {Segment} segment */
export const optimum = (run, { optimum: best, near }) =>
  best ? best.value.toFixed(3) : run.later ? "…" : near ? `≈ ${near.value.toFixed(3)}` : "–";

/** @param {number} v */
export const number = v => group(decimals(v, Math.abs(v) < 100 ? 3 : 1));

// Training error, or test error where rows were set apart, of the iterate that is shown.
/** @param {View} view */
export function error({ run, now, t, of }) {
  if (!run.wrong_test) return ["training error", `${((100 * now.wrong) / now.count).toFixed(1)} %`];
  return ["test error", `${((100 * of("wrong_test", t)) / run.n_test).toFixed(1)} %`];
}
