// The clock and its controls: play, pause, one step, one back, one epoch, scrub, speed, loop;
// keyboard and touch.

import { counted } from "../engine/words.js";
import { clamp } from "../canvas/scales.js";
import { clicked, dragged, find, make, say } from "../canvas/elements.js";
import { Caption } from "../canvas/labels.js";
import { elsewhere, writes } from "./keys.js";

export const SPEEDS = [1, 2, 4, 8, 15, 30, 60, 125, 250, 500, 1000, 2000, 4000];
export const SLOW = 8; // below this many steps a second a step has beats and tweens
const ICONS = {
  first: "M5 4h2v12H5zM16 4v12L8 10z",
  back: "M14 4v12L5 10z",
  play: "M6 3l11 7-11 7z",
  pause: "M5 3h4v14H5zM11 3h4v14h-4z",
  forward: "M6 4l9 6-9 6z",
  last: "M13 4h2v12h-2zM4 4l8 6-8 6z",
  fork: "M4 2h2v6.300a6 6 0 0 1 3-1.300h2V4.500L16 8l-5 3.500V9H9a3 3 0 0 0-3 3v6H4z",
  loop: "M4 9V7a2 2 0 0 1 2-2h7V2.500L17 6l-4 3.500V7H6v2zM16 11v2a2 2 0 0 1-2 2H7v2.500L3 14l4-3.500V13h7v-2z",
};
/** @param {keyof typeof ICONS} name */
const icon = name => `<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;

export class Transport {
  dragging = false;

  /** @param {HTMLElement} footer @param {Clock} stage */
  constructor(footer, stage) {
    this.stage = stage;
    /** @param {keyof typeof ICONS} name @param {string} label */
    const button = (name, label) =>
      `<button type="button" class="${name}" aria-label="${label}" title="${label}">${icon(name)}</button>`;
    footer.innerHTML = `<div class="buttons">${button("first", "First step (Home)")}${button("back", "One step back (←)")}${button("play", "Play (Space)")}${button("forward", "One step (→)")}${button("last", "Last step (End)")}${button("loop", "Loop (L)")}${button("fork", "Fork here: two runs from this step on (K)")}
        <select class="speed" aria-label="Speed"></select></div>
      <div class="scrub" role="slider" tabindex="0" aria-label="Step" aria-valuemin="0" aria-valuenow="0"><div class="marks"></div><div class="rail"><div class="done"></div></div><div class="ticks"></div><div class="thumb"></div></div>
      <div class="count"><b class="t">0</b> <span class="T"></span></div>
      <p class="hint"></p><p class="legend"></p>`;
    /** @param {string} name */
    const $ = name => find(footer, name);
    this.play = $(".play");
    this.loop = $(".loop");
    this.speed = /** @type {HTMLSelectElement} */ ($(".speed"));
    this.scrub = $(".scrub");
    this.done = $(".done");
    this.thumb = $(".thumb");
    this.t = $(".t");
    this.T = $(".T");
    this.marks = $(".marks");
    this.ticks = $(".ticks");
    this.hint = $(".hint");
    this.legend = new Caption($(".legend"));
    for (const s of SPEEDS) {
      const words = `${counted(s)} step${s > 1 ? "s" : ""}/s`;
      this.speed.append(make("option", { value: s, textContent: words }));
    }
    /** @param {string} name @param {() => void} run */
    const act = (name, run) => clicked($(name), run);
    act(".first", () => stage.seek(0, true));
    act(".back", () => stage.step(-1));
    act(".play", () => stage.toggle());
    act(".forward", () => stage.step(1));
    act(".last", () => stage.seek(stage.run.T, true));
    act(".loop", () => stage.toggleLoop());
    this.forker = $(".fork");
    this.forker.hidden = true; // of a stage that has no second run
    this.speed.addEventListener("change", () => stage.setSpeed(+this.speed.value));
    this.drag();
  }

  drag() {
    const { scrub, stage } = this;
    /** @param {PointerEvent} event */
    const to = event => {
      const box = scrub.getBoundingClientRect();
      stage.seek(Math.round(clamp((event.clientX - box.left) / box.width, 0, 1) * stage.run.T));
    };
    scrub.addEventListener("pointerdown", event => event.preventDefault());
    dragged(scrub, to, () => stage.report());
  }

  /** @param {Run} run */
  prepare(run) {
    this.T.textContent = `/ ${counted(run.T)}`;
    this.scrub.setAttribute("aria-valuemax", String(run.T));
    /** @param {number} t @param {string} name @param {string} [words] */
    const place = (t, name, words = "") => {
      const mark = make("i", { className: name, title: words });
      mark.style.left = `${(t / run.T) * 100}%`;
      if (name === "change") mark.append(make("span", { textContent: words }));
      return mark;
    };
    const pulled = [...(run.event_step ?? run.pulled)];
    const newcomers = run.segments.every(s => s.params.maintenance === "project newcomer");
    const budget = newcomers ? "a newcomer was projected" : "the budget overflowed";
    const what = run.event_step ? budget : "projection was active";
    const thin = pulled.filter(
      (t, k) =>
        k === 0 || Math.floor((t / run.T) * 400) !== Math.floor((pulled[k - 1] / run.T) * 400),
    );
    this.marks.replaceChildren(
      ...thin.map(t => place(t, "pull", what)),
      ...run.segments.slice(1).map(s => place(s.start, "change", s.label)),
    );
    const epochs = [];
    for (let t = 1, next = 1; t <= run.T && epochs.length < 60; t++)
      if (run.first[t + 1] >= next * run.counts[0]) {
        epochs.push(t);
        next = Math.floor(run.first[t + 1] / run.counts[0]) + 1;
      }
    this.ticks.replaceChildren(
      ...(epochs.length < 60 ? epochs : []).map(t => place(t, "epoch", "one pass over the data")),
    );
    /** @type {string[]} */
    const said = [];
    const many =
      pulled.length === 1
        ? `step ${counted(pulled[0])}`
        : pulled.length < 4
          ? `steps ${pulled.map(counted).join(", ")}`
          : `${counted(pulled.length)} steps`;
    if (pulled.length) said.push(`above the bar: ${what} (${many})`);
    if (run.segments.length > 1) said.push("flags: parameters or points changed");
    if (epochs.length && epochs.length < 60)
      said.push(`below: every ${counted(run.counts[0])} examples`);
    this.legend.say(said.join(" · "), ...said.map((_, k) => said.slice(k + 1).join(" · ")));
  }

  // A second rail that leaves the first, from this share of the run on; none ends that.
  /** @param {number | null} share */
  fork(share) {
    this.scrub.querySelector(".second-rail")?.remove();
    this.scrub.classList.toggle("split", share !== null);
    if (share === null) return;
    const rail = make("div", { className: "second-rail" });
    rail.style.left = `${100 * share}%`;
    rail.append(...["B", "A"].map(textContent => make("b", { textContent })));
    this.marks.after(rail);
  }

  /** @param {number} t @param {number} T @param {boolean} loud */
  paint(t, T, loud) {
    // transforms: moving the thumb must not lay out the page; shares of the bar, whatever its
    // length is now
    this.done.style.transform = `scaleX(${t / T})`;
    this.thumb.style.transform = `translateX(${(100 * t) / T}cqi)`;
    if (loud) say(this.t, counted(t));
  }

  /** @param {boolean} on */
  playing(on) {
    this.play.innerHTML = icon(on ? "pause" : "play");
    this.play.setAttribute("aria-label", on ? "Pause (Space)" : "Play (Space)");
    this.play.title = on ? "Pause (Space)" : "Play (Space)";
  }
}

// What Ctrl Z and Ctrl Y ask for, or Command on a Mac, unless somebody writes.
/** @param {KeyboardEvent} event */
function drawn(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || writes(event)) return "";
  return { z: event.shiftKey ? "redo" : "undo", y: "redo" }[event.key.toLowerCase()] ?? "";
}

export const KEYS = [
  ["Space", "play, pause"],
  ["← →", "one step back, one step on"],
  [", .", "one beat back, one beat on"],
  ["Shift ← →", "one epoch back, on"],
  ["Home End", "first, last step"],
  ["+ −", "faster, slower"],
  ["L", "loop"],
  ["R", "restart with the present parameters"],
  ["F", "presenter mode; there ↑ ↓: one beat back, one beat on"],
  ["S", "hold it: a light around the pointer"],
  ["V", "black screen, and back with any key; in presenter mode also ."],
  ["I", "the link to this moment as a code for phones"],
  ["Esc", "a panel that fills the stage goes back; its title, or Enter on it, brings it"],
  ["C, P", "presenter mode: curves, pseudo-code"],
  ["O", "cost figures"],
  ["G", "all symbols, with what they are worth now"],
  ["W", "the sentence: short, why, maths"],
  ["E", "draw on the plane"],
  ["Ctrl Z, Ctrl Y", "take a stroke back, do it again"],
  ["D", "budget: field before, after, difference"],
  ["K", "fork here: B starts as this run and takes the knobs that you turn"],
  ["Esc", "away with the run before, which stays thin after a knob was turned"],
  ["fork: X, D", "swap A and B; the difference alone, and back"],
  ["Q", "quiz: a question about the next step, and end it"],
  [
    "quiz: 1 to 9",
    "pick; Enter: check, then the next question; M and arrows: draw the line; Esc: end it",
  ],
  ["B", "add this moment to the storyboard; Shift B: show or hide it"],
  ["PageUp PageDown", "storyboard: the moment before, the next one, as a clicker says"],
  ["N", "storyboard: your notes, in a window for the second screen"],
  ["?", "this list"],
  ["Tab", "to the plane, the water, the partners, the symbols, the buttons"],
  ["symbols: ← →", "from one to the next: what it means, and what it is worth now"],
  ["plane: ← → ↑ ↓", "from point to point; Enter: the next one, if you are the teacher"],
  ["drawing: ← → ↑ ↓", "move the cross, with Shift finely"],
  ["drawing: + − Delete", "add a point of class +1 or −1, remove one; Enter: use the tool"],
  ["water: ↑ ↓", "more, less of it"],
  ["partners: ↑ ↓", "what if another had been taken; Esc: what happened"],
];

const SINGLE = ["q", "e", "g", "c", "p"]; // keys of panels that a fork takes the place of

/** @param {Stage} stage @param {KeyboardEvent} event */
export function onKey(stage, event) {
  const back = drawn(event);
  const button = !stage.forking.on && back && stage.plane.editor.buttons[back];
  if (button && !button.disabled && !stage.plane.editor.opener.hidden) {
    event.preventDefault();
    return button.click();
  }
  if (elsewhere(event)) return;
  const forked = stage.forking.on;
  if (forked && SINGLE.includes(event.key.toLowerCase()))
    return stage.dialogs.say(
      `${event.key.toUpperCase()} is for one run alone: Keep B, or Drop B, first`,
    );
  if (stage.asking?.key(event) || stage.quiz.key(event)) return event.preventDefault();
  if (stage.hall.key(event) || stage.board?.key(event)) return event.preventDefault();
  stage.press(event);
}

// What keys do beside those of every stage.
/** @param {Stage} stage @returns {Record<string, () => unknown>} */
export function actionsOf(stage) {
  const forked = stage.forking.on;
  return {
    ".": () => stage.beat(1),
    ",": () => stage.beat(-1),
    r: () => (forked ? stage.seek(0, true) : stage.restart()),
    c: () => stage.presenterPanel("curves"),
    p: () => stage.presenterPanel("code"),
    o: () => stage.toggleCosts(),
    g: () => stage.symbols.list(),
    w: () => stage.depths.next(),
    e: () => stage.plane.cross.draw(),
    d: () => (forked ? stage.forking.zoom() : stage.mechanism.fields?.next()),
    k: () => stage.forking.split("fork"),
    x: () => forked && stage.forking.split("swap"),
    q: () => stage.quiz.toggle(),
    Escape: () => {
      if (stage.symbols.close()) return;
      if (stage.supposed) stage.suppose(null);
      else if (stage.quiz.on) stage.quiz.toggle();
      else if (stage.ghost?.dismiss()) return;
      else if (stage.presenting) stage.present();
    },
  };
}
