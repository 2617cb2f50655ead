// A chart: a sheet with two scales and the frame between them. What does not move is painted once,
// as past and as future; a line stands at the position.

import { gridlines, rule, Sheet } from "./draw.js";
import { axisNumbers, Labels } from "./labels.js";
import { Layers } from "./layers.js";

export class Chart {
  /** @type {Pen} */ g; // of the sheet, or of the layer that is being painted
  /** @type {Theme} */ theme;
  /** @type {Scale} */ x;
  /** @type {Scale} */ y;
  left = 0;
  right = 0;
  top = 0;
  bottom = 0;
  // What the layers were painted for; null: nothing yet.
  /** @type {string | null} */ key = null;
  /** @type {Theme | undefined} */ painted;

  /** @param {HTMLElement} view @param {string} label for screen readers; "" where words stand beside */
  constructor(view, label) {
    this.sheet = new Sheet(view, label);
    this.layers = new Layers(this.sheet);
  }

  // A unit of type, in pixels.
  get u() {
    return this.theme.unit;
  }

  // Lay out, in pixels and scales, for the present theme and size.
  layout() {}

  // Paint what stands still, with `g`.
  /** @param {boolean} _faint as it looks beyond the position */
  layer(_faint) {}

  // Begin a picture.
  /** @param {Theme} theme */
  begin(theme) {
    this.g = this.sheet.begin();
    this.theme = theme;
  }

  // Paint the layers anew where the size, the theme or `what` has changed since.
  /** @param {...unknown} what */
  refresh(...what) {
    const { theme } = this;
    const { w, h, ratio, g } = this.sheet;
    const key = [w, h, ratio, ...what].join();
    if (key === this.key && theme === this.painted) return;
    Object.assign(this, { key, painted: theme });
    this.layout();
    this.layers.paint((pen, faint) => {
      this.g = pen;
      this.layer(faint);
    });
    this.g = g;
  }

  // Show the layers, and a line at the position.
  /** @param {number} x @param {number} top */
  stand(x, top) {
    this.layers.show(this.g, x);
    this.upright(x, top, this.theme.ui, 1.25);
  }

  /** @param {number} x @param {number} top @param {string} color @param {number} [width] @param {number[]} [dash] */
  upright(x, top, color, width, dash) {
    rule(this.g, x, top, x, this.bottom, color, width, dash);
  }

  /** @param {number} y @param {string} color @param {number} width @param {number[]} dash */
  level(y, color, width, dash, from = this.left, to = this.right) {
    rule(this.g, from, y, to, y, color, width, dash);
  }

  // Lines across at some values of y, and their numbers.
  /** @param {number[]} values @param {(v: number) => string} [words] */
  rows(values, words) {
    gridlines(this.g, this.theme, values, this.y, this.left, this.right, words);
  }

  // Numbers below the chart between two pixels, and a tick above each.
  /** @param {number[]} values @param {number} from @param {number} to */
  columns(values, from, to) {
    const { g, theme, x, bottom } = this;
    for (const v of values) rule(g, x(v), bottom, x(v), bottom + 4, theme.ghost);
    axisNumbers(g, theme, values, x, bottom + 18 * theme.unit, from, to);
  }

  /** @param {number} [bottom] */
  labels(bottom = this.bottom) {
    return new Labels(this.g, this.theme, { left: this.left, right: this.sheet.w, bottom });
  }
}
