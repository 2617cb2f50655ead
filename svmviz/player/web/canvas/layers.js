// A chart of which nothing moves but the place up to which it is past: painted once as it was and
// once as it will be, faint, and put together from both.

import { penOf } from "./draw.js";
import { make } from "./elements.js";

export class Layers {
  /** @param {Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
    this.past = make("canvas");
    this.future = make("canvas");
  }

  /** @param {(g: Pen, faint: boolean) => void} draw */
  paint(draw) {
    const { canvas, ratio } = this.sheet;
    for (const layer of [this.past, this.future]) {
      const g = penOf(layer);
      Object.assign(layer, { width: canvas.width, height: canvas.height });
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      draw(g, layer === this.future);
    }
  }

  /** @param {Pen} g @param {number} x */
  show(g, x) {
    const { canvas, ratio } = this.sheet;
    const { width, height } = canvas;
    const cut = Math.round(x * ratio);
    const rest = width - cut;
    g.setTransform(1, 0, 0, 1, 0, 0);
    if (cut > 0) g.drawImage(this.past, 0, 0, cut, height, 0, 0, cut, height);
    if (rest > 0) g.drawImage(this.future, cut, 0, rest, height, cut, 0, rest, height);
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
  }
}
