// The part of the dialog that asks for a clip, and tells how far it is.

import { counted } from "../engine/words.js";
import { make, say } from "../canvas/elements.js";
import { PANELS } from "../hall/presenting.js";
import { SPEEDS } from "../stage/transport.js";
import { bitsOf, clip, codecFor, VIDEOS } from "./clip.js";
import { download } from "../browser/download.js";
import { choice, number, row, tick, ticks } from "../canvas/fields.js";
import { SIZES } from "./film.js";
import { framesIn, order } from "./frames.js";
import { sizeWords } from "./sizes.js";

/** @typedef {import("./clip.js").Wish} Wish */

const RATES = [30, 60, 15];
const QUICK = 30; // a GIF: players show faster ones slowly
const WHOLE = 30; // s that a clip of all the run may take by itself
const SHORT = 10; // s of one that does not
const QUIET = 250; // ms between words about how far it is
const LONGEST = 20_000; // frames
const DOTS = 0.04; // bytes of a GIF for each pixel of a frame, about
/** @type {Record<string, string>} */
const PLACES = {
  plane: ".plane",
  mechanism: ".mechanism",
  curves: ".curves",
  code: ".code .lines",
  sentence: ".why",
};

export class Clips {
  /** @type {Wish | null} */ wish = null;
  run = ""; // that the wish is about
  /** @type {Record<string, boolean>} */ able = { gif: true };
  /** @type {AbortController | null} */ making = null;
  told = "";
  toldAt = 0;

  /** @param {import("./main.js").Saving} saving */
  constructor(saving) {
    this.saving = saving;
    this.bar = make("progress", { hidden: true, max: 1, value: 0 });
    this.bar.setAttribute("aria-label", "Clip");
  }

  get stage() {
    return this.saving.stage;
  }

  // Of all the run where it is short, else of some seconds from here on.
  usual() {
    const { stage } = this;
    const T = Math.min(stage.run.T, stage.limit);
    const speed = stage.clipping.speed;
    const whole = T + 1 <= WHOLE * speed;
    const from = whole ? 0 : Math.max(0, Math.min(stage.t, T + 1 - SHORT * speed));
    const to = whole ? T : Math.min(T, from + SHORT * speed - 1);
    const kept = this.wish ?? {
      fps: 30,
      kind: "mp4",
      size: Object.keys(SIZES)[0],
      again: true,
      back: false,
    };
    const show = stage.clipping.panels
      ? (this.wish?.show ?? ["plane", "mechanism", "sentence"])
      : [];
    return { ...kept, from, to, speed, show };
  }

  fields() {
    const { stage } = this;
    const key = [stage.run.id, stage.run.T, stage.clipping.panels].join();
    if (!this.wish || this.run !== key) this.wish = this.usual();
    this.run = key;
    const { wish } = this;
    const T = Math.min(stage.run.T, stage.limit);
    /** @param {Partial<Wish>} change */
    const set = change => {
      Object.assign(wish, change);
      this.told = "";
      this.saving.tell();
    };
    const to = number("Last step", wish.to, T, value => set({ to: value }));
    const from = number("First step", wish.from, T, value => set({ from: value }));
    const gifs = ticks("Repeat", [
      tick("again and again", wish.again, again => set({ again })),
      tick("there and back", wish.back, back => set({ back })),
    ]);
    const rates = choice("Frames", {}, "", fps => set({ fps: +fps }));
    const rateBox = /** @type {HTMLSelectElement} */ (rates.lastChild);
    const refine = () => {
      gifs.hidden = wish.kind !== "gif";
      const here = RATES.filter(fps => wish.kind !== "gif" || fps <= QUICK);
      if (!here.includes(wish.fps)) wish.fps = here[0];
      rateBox.replaceChildren(
        ...here.map(fps => make("option", { value: fps, textContent: `${fps} a second` })),
      );
      rateBox.value = String(wish.fps);
      set({});
    };
    const kinds = choice("As", { mp4: "MP4", webm: "WebM", gif: "GIF" }, wish.kind, kind => {
      set({ kind });
      refine();
      this.ask();
    });
    const speeds = Object.fromEntries(
      [...new Set([...SPEEDS, wish.speed])]
        .sort((a, b) => a - b)
        .map(s => [s, `${counted(s)} a second`]),
    );
    const size = choice(
      "Size",
      Object.fromEntries(Object.keys(SIZES).map(s => [s, s])),
      wish.size,
      s => {
        set({ size: s });
        this.ask();
      },
    );
    const panels = ticks(
      "Panels",
      Object.entries(this.panels()).map(([name, words]) =>
        tick(words, wish.show.includes(name), on => set({ show: this.chosen(name, on) })),
      ),
    );
    refine();
    this.ask();
    const end = make("span", { className: "unit", textContent: `of ${counted(stage.run.T)}` });
    return [
      row(
        stage.clipping.unit,
        from,
        make("span", { className: "unit", textContent: "to" }),
        to,
        end,
      ),
      choice("Speed", speeds, String(wish.speed), speed => set({ speed: +speed })),
      rates,
      kinds,
      size,
      ...(stage.clipping.panels ? [panels] : []),
      gifs,
      this.bar,
    ];
  }

  // Those that this solver has.
  panels() {
    return Object.fromEntries(
      Object.entries(PANELS).filter(([name]) => this.stage.frame.querySelector(PLACES[name])),
    );
  }

  /** @param {string} name @param {boolean} on */
  chosen(name, on) {
    const show = this.wish?.show ?? [];
    return Object.keys(PANELS).filter(one => (one === name ? on : show.includes(one)));
  }

  // Whether this browser can write what is asked for.
  async ask() {
    const wish = /** @type {Wish} */ (this.wish);
    const key = `${wish.kind} ${wish.size}`;
    if (wish.kind !== "gif" && this.able[key] === undefined) {
      const codec = await codecFor({ ...wish }).catch(() => null);
      this.able[key] = codec !== null;
    }
    this.saving.tell();
  }

  get possible() {
    const { wish, able } = this;
    if (!wish) return false;
    const { from, to, kind, size, show } = wish;
    const fits =
      this.frames() <= LONGEST && from <= to && (!this.stage.clipping.panels || show.length > 0);
    return fits && (kind === "gif" || able[`${kind} ${size}`] === true);
  }

  frames() {
    const wish = /** @type {Wish} */ (this.wish);
    return order(framesIn(wish), wish.kind === "gif" && wish.back).length;
  }

  words() {
    if (this.told) return this.told;
    const { wish, able } = this;
    if (!wish) return "";
    const { kind, size, fps, from, to, show } = wish;
    if (from > to) return "The last step comes before the first one.";
    if (this.stage.clipping.panels && !show.length) return "Choose a panel.";
    const frames = this.frames();
    if (frames > LONGEST)
      return `${counted(frames)} frames are too many: take fewer steps, or more of them a second.`;
    const known = able[`${kind} ${size}`];
    if (kind !== "gif" && known === undefined) return "Looking for an encoder …";
    if (kind !== "gif" && !known) {
      const other = kind === "mp4" ? "WebM or GIF" : "MP4 or GIF";
      return isSecureContext
        ? `This browser cannot write ${VIDEOS[kind].name} of this size: take ${other}.`
        : "Browsers write video only on pages with https: take GIF.";
    }
    const [width, height] = SIZES[size];
    const bytes =
      kind === "gif" ? width * height * frames * DOTS : (bitsOf(wish) / 8) * (frames / fps);
    const most = kind === "gif" ? "about" : "at most";
    return `${(frames / fps).toFixed(1)} s, ${counted(frames)} frames, ${most} ${sizeWords(bytes)}.`;
  }

  toggle() {
    return this.making ? this.cancel() : this.make();
  }

  cancel() {
    this.making?.abort();
  }

  async make() {
    const { stage, saving } = this;
    const { dialogs } = saving;
    const wish = { .../** @type {Wish} */ (this.wish) };
    const making = (this.making = new AbortController());
    const began = performance.now();
    this.lock(true);
    try {
      const blob = await clip(stage, wish, making.signal, (done, all) =>
        this.progress(done, all, began),
      );
      download(blob, `${dialogs.file(false)}-steps-${wish.from}-${wish.to}.${wish.kind}`);
      this.told = `Saved: ${sizeWords(blob.size)} in ${((performance.now() - began) / 1000).toFixed(0)} s.`;
    } catch (error) {
      this.told = making.signal.aborted
        ? ""
        : `That did not work: ${error instanceof Error ? error.message : error}`;
      if (!making.signal.aborted) console.warn(error);
    }
    this.making = null;
    this.lock(false);
  }

  /** @param {boolean} on */
  lock(on) {
    this.bar.hidden = !on;
    this.bar.value = 0;
    if (on) this.told = "Preparing …";
    this.saving.act.focus(); // not on what is locked
    for (const control of this.saving.body.querySelectorAll("select, input, [role=radio]"))
      /** @type {HTMLInputElement} */ (control).disabled = on;
    this.saving.tell();
  }

  /** @param {number} done @param {number} all @param {number} began */
  progress(done, all, began) {
    const now = performance.now();
    if (now - this.toldAt < QUIET && done < all) return;
    this.toldAt = now;
    this.bar.value = done / all;
    const left = ((now - began) / 1000) * (all / done - 1);
    this.told = `Frame ${counted(done)} of ${counted(all)}, ${counted(Math.ceil(left))} s left`;
    say(this.saving.note, this.told);
  }
}
