// A chart of Explore in its section: a title, a caption, the cells that it shows.

import { Chart } from "../canvas/chart.js";
import { find } from "../canvas/elements.js";
import { Caption } from "../canvas/labels.js";

export class CellChart extends Chart {
  /** @type {Cells} */ cells;

  /** @param {HTMLElement} section @param {Explore} stage @param {string} label */
  constructor(section, stage, label) {
    section.innerHTML = `<h3><b></b> <span class="caption"></span></h3><div class="view"></div>`;
    super(find(section, ".view"), label);
    this.stage = stage;
    this.title = find(section, "h3 b");
    this.caption = new Caption(find(section, ".caption"));
  }

  /** @param {Cells} cells */
  accept(cells) {
    this.cells = cells;
  }

  get data() {
    return this.cells.data;
  }

  get shown() {
    return Boolean(this.cells) && this.sheet.visible;
  }

  // The pointer hovers over the cell that `near` finds, and a click pins it.
  /** @param {(x: number, y: number) => number | null} near */
  choose(near) {
    const { sheet, stage } = this;
    sheet.canvas.addEventListener("pointermove", event => {
      if (event.pointerType !== "touch") stage.hover(near(event.offsetX, event.offsetY));
    });
    sheet.canvas.addEventListener("pointerleave", () => stage.hover(null));
    sheet.canvas.addEventListener("click", event => stage.pin(near(event.offsetX, event.offsetY)));
  }
}
