// Light on some things of the stage: the rest is dimmed. A panel that knows where a thing is
// (`where`) shows it alone; a thing that none knows lights the panel that it belongs to.

/** @type {Record<string, string>} */
const HOME = {
  drawn: "plane",
  step: "plane",
  boundary: "plane",
  margins: "plane",
  support: "plane",
  wet: "mechanism",
  water: "mechanism",
  level: "mechanism",
  rack: "mechanism",
  pair: "mechanism",
  hinge: "mechanism",
  table: "mechanism",
  row: "mechanism",
  column: "mechanism",
  gap: "mechanism",
  alphas: "mechanism",
  path: "mechanism",
  pool: "mechanism",
  bound: "curves",
  optimum: "curves",
  average: "curves",
};
/** @type {Record<string, string>} */
const PANELS = {
  plane: "section.plane",
  mechanism: "section.mechanism",
  curves: "section.curves",
  code: "section.code .lines",
  sentence: "section.code .why",
  numbers: ".numbers",
};

const EDGE = 2; // px around words

export class Light {
  /** @type {Set<string>} */ asked = new Set(); // by a lesson
  /** @type {Set<string> | null} */ glance = null; // by whoever looks at a symbol
  kept = ""; // the panel that he reads
  /** @type {Map<Sheet, Spot[]>} */ spots = new Map();
  /** @type {Map<Sheet, HTMLCanvasElement>} */ covers = new Map();
  key = "";

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  get names() {
    return this.glance ?? this.asked;
  }

  // What is lit now, and where: asked anew in every moment, as what can be seen changes.
  find() {
    const { plane, mechanism, curves } = this.stage;
    /** @type {Set<string>} */
    const whole = new Set();
    /** @type {Map<Sheet, Spot[]>} */
    const spots = new Map();
    /** @type {Set<string>} */
    const partly = new Set();
    for (const name of this.names) {
      if (PANELS[name]) {
        whole.add(name);
        continue;
      }
      let found = false;
      for (const [panel, owner] of /** @type {[string, { where?: Spots }][]} */ ([
        ["plane", plane],
        ["mechanism", mechanism],
        ["curves", curves],
      ]))
        for (const [sheet, spot] of owner.where?.(name) ?? []) {
          if (!sheet.visible) continue;
          spots.set(sheet, [...(spots.get(sheet) ?? []), spot]);
          partly.add(panel);
          found = true;
        }
      if (!found && HOME[name]) whole.add(HOME[name]);
    }
    for (const panel of whole) partly.delete(panel);
    return { whole, partly, spots };
  }

  /** @param {View} view */
  paint(view) {
    const on = this.names.size > 0;
    if (!on && !this.key) return;
    const { frame } = this.stage;
    const { whole, partly, spots } = this.find();
    const key = on
      ? [...this.names, "|", ...whole, "|", ...partly, "|", this.kept, spots.size].join()
      : "";
    if (key !== this.key) {
      this.key = key;
      for (const [name, place] of Object.entries(PANELS)) {
        const dim = on && !whole.has(name) && !partly.has(name) && this.kept !== name;
        frame.querySelector(place)?.classList.toggle("dim", dim);
      }
      for (const view of frame.querySelectorAll("section .view")) {
        const section = view.closest("section")?.className.split(" ")[0] ?? "";
        view.classList.toggle("dim", on && partly.has(section));
      }
      for (const [sheet, cover] of this.covers) if (!spots.has(sheet)) cover.classList.remove("on");
    }
    for (const [sheet, all] of spots) this.shine(sheet, all, view);
    this.spots = spots;
  }

  // The lit places of a sheet once more, above the dimmed one: their shapes, filled with its own
  // picture.
  /** @param {Sheet} sheet @param {Spot[]} spots @param {View} view */
  shine(sheet, spots, view) {
    let cover = this.covers.get(sheet);
    if (!cover?.isConnected) {
      cover = Object.assign(document.createElement("canvas"), { className: "glow" });
      cover.setAttribute("aria-hidden", "true");
      sheet.canvas.after(cover);
      this.covers.set(sheet, cover);
    }
    const { width, height } = sheet.canvas;
    if (cover.width !== width || cover.height !== height) Object.assign(cover, { width, height });
    Object.assign(cover.style, {
      width: sheet.canvas.style.width,
      height: sheet.canvas.style.height,
    });
    const g = /** @type {Pen} */ (cover.getContext("2d", { willReadFrequently: true }));
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.globalCompositeOperation = "source-over";
    g.clearRect(0, 0, width, height);
    g.setTransform(sheet.ratio, 0, 0, sheet.ratio, 0, 0);
    g.fillStyle = g.strokeStyle = "#000";
    g.lineCap = g.lineJoin = "round";
    for (const spot of spots) {
      g.beginPath();
      spot(g, view);
    }
    this.whole(g, sheet);
    g.globalCompositeOperation = "source-in";
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.drawImage(sheet.canvas, 0, 0);
    requestAnimationFrame(() =>
      cover.classList.toggle("on", this.spots.has(sheet) && this.names.size > 0),
    );
  }

  // Words that the light meets are lit from the first letter to the last.
  /** @param {Pen} g @param {Sheet} sheet */
  whole(g, { ratio, g: { written = [] } }) {
    const boxes = written.map(({ words, x, y, font, align, base }) => {
      Object.assign(g, { font, textAlign: align, textBaseline: base });
      const m = g.measureText(words);
      const [left, top] = [
        x - m.actualBoundingBoxLeft - EDGE,
        y - m.actualBoundingBoxAscent - EDGE,
      ];
      const [right, bottom] = [
        x + m.actualBoundingBoxRight + EDGE,
        y + m.actualBoundingBoxDescent + EDGE,
      ];
      return { left, top, wide: right - left, tall: bottom - top };
    });
    /** @param {{ left: number, top: number, wide: number, tall: number }} box */
    const met = ({ left, top, wide, tall }) => {
      const { data } = g.getImageData(
        left * ratio,
        top * ratio,
        Math.ceil(wide * ratio),
        Math.ceil(tall * ratio),
      );
      for (let k = 3; k < data.length; k += 12) if (data[k]) return true;
      return false;
    };
    for (const { left, top, wide, tall } of boxes.filter(met)) {
      g.beginPath();
      g.roundRect(left, top, wide, tall, 4);
      g.fill();
    }
  }

  /** @param {string[]} names */
  ask(names) {
    this.asked = new Set(names);
    this.stage.repaint();
  }

  // A glance that does not undo what a lesson lights; none ends it.
  /** @param {string[] | null} names @param {string} [kept] */
  look(names, kept = "") {
    this.glance = names?.length ? new Set(names) : null;
    this.kept = this.glance ? kept : "";
    this.stage.repaint();
  }
}

// All of a sheet.
/** @param {Sheet} sheet @returns {[Sheet, Spot]} */
export const all = sheet => [sheet, g => g.fillRect(0, 0, sheet.w, sheet.h)];
