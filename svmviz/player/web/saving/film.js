// A second stage that nobody sees, laid out in the size of a clip: it stands where it is told to,
// and its picture is painted onto one canvas, with a rail below that says how far the run has come.

import { Sheet } from "../canvas/draw.js";
import { make } from "../canvas/elements.js";
import { paint } from "./painted.js";

/** @type {Record<string, [width: number, height: number, base: number]>} */
export const SIZES = {
  "1280 × 720": [1280, 720, 1120],
  "1920 × 1080": [1920, 1080, 1120],
  "1080 × 1080": [1080, 1080, 900],
  "854 × 480": [854, 480, 960],
}; // with the width for which it is laid out: type has the same share of every clip

export const RAIL = 6; // px of the height of the rail, at the lower edge
const FOOT = 30; // px of the words above it
const EDGE = 18;

export class Film {
  time = 0; // of the stage, in ms

  /**
   * @param {Stage} stage
   * @param {string} size
   * @param {string[]} show names of panels; all where there are none
   * @param {boolean} read whether its pixels are looked at
   */
  constructor(stage, size, show, read) {
    const [width, height, base] = SIZES[size];
    this.scale = width / base;
    this.canvas = make("canvas", { width, height });
    this.g = /** @type {Pen} */ (
      this.canvas.getContext("2d", { alpha: false, willReadFrequently: read })
    );
    const root = make("div", { className: "film", inert: true });
    root.setAttribute("aria-hidden", "true");
    this.w = base;
    this.h = Math.floor(height / this.scale);
    Object.assign(root.style, { width: `${this.w}px`, height: `${this.h - FOOT}px` });
    stage.root.after(root);
    this.root = root;
    this.twin = /** @type {Stage} */ (stage.twin(root));
    const { frame } = this.twin;
    frame.classList.add("clip");
    if (show.length) {
      const lower = show.some(name => ["curves", "code"].includes(name));
      frame.classList.add("reduced");
      frame.dataset.show = show.join(" ");
      frame.dataset.lower = lower ? "panels" : show.includes("sentence") ? "sentence" : "";
    }
    this.sharp(() => this.twin.layout());
  }

  // As fine as the clip is.
  /** @param {() => void} draw */
  sharp(draw) {
    Sheet.sharper = this.scale;
    try {
      draw();
    } finally {
      Sheet.sharper = 1;
    }
  }

  /** @param {{ t: number, phase: number }} at @param {number} speed at which it plays */
  show({ t, phase }, speed) {
    const { g, twin, root, w, h, scale } = this;
    const { theme, run } = twin;
    twin.put(t, phase, speed);
    this.time += 1000; // what is written changes in every frame
    this.sharp(() => twin.paint(this.time));
    const { left, top } = root.getBoundingClientRect();
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.fillStyle = theme.bg;
    g.fillRect(0, 0, w, h + 1);
    g.save();
    g.translate(-left, -top);
    paint(g, twin.frame);
    g.restore();
    Object.assign(g, {
      font: `13px ${theme.font}`,
      textBaseline: "middle",
      fillStyle: theme.muted,
    });
    const middle = h - RAIL - (FOOT - RAIL) / 2 + 1;
    g.textAlign = "right";
    g.fillText(twin.clipping.place, w - EDGE, middle);
    // the rail in whole pixels, so that the step can be read from it
    g.setTransform(1, 0, 0, 1, 0, 0);
    const { width, height } = this.canvas;
    g.fillStyle = theme.hair;
    g.fillRect(0, height - RAIL, width, RAIL);
    g.fillStyle = theme.ui;
    g.fillRect(0, height - RAIL, Math.round((width * t) / run.T), RAIL);
  }

  end() {
    this.twin.destroy();
    this.root.remove();
    Object.assign(this.canvas, { width: 0, height: 0 }); // its memory is free at once
  }
}
