// The lane of a rival: the plane of its seed-0 run at the shared cost, and the medians beside it. A
// click opens the run.

import { line, shaped, Sheet } from "../canvas/draw.js";
import { button, find, say } from "../canvas/elements.js";
import { Cells } from "./cells.js";
import { Engine } from "../engine/replay.js";
import { FieldImage, contours } from "../plane/field.js";
import { heights, paintGraph } from "../plane/graph.js";
import { Regions } from "../plane/regions.js";

export const FEW = 6; // lanes; with more of them each is small
const SVG = "http://www.w3.org/2000/svg";

/** @param {string} shape */
export function shapeIcon(shape) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", shape);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

/**
 * @param {Pen} g
 * @param {Path2D} path
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} color
 * @param {string} [halo]
 */
export function stamp(g, path, x, y, size, color, halo) {
  // the shape of a lane, centred
  g.save();
  g.translate(x - size / 2, y - size / 2);
  g.scale(size / 20, size / 20);
  if (halo) {
    g.lineWidth = 6;
    g.lineJoin = "round";
    g.strokeStyle = halo;
    g.stroke(path);
  }
  g.fillStyle = color;
  g.fill(path, "evenodd");
  g.restore();
}

/** @param {Spec} spec @param {string} id */
// the run that a lane shows
export const keyOf = (spec, id) => [id, spec.key, spec.steps].join("|");

export class Lane {
  /** @type {Spec} */ spec;
  /** @type {Path2D} */ path;
  /** @type {{ t: number, theme: Theme, points: HTMLCanvasElement, ratio: number } | null} */ last =
    null;
  key = "";
  /** @type {Run} */ run;
  /** @type {Engine} */ engine;
  /** @type {World} */ world;
  /** @type {FieldImage} */ image;
  /** @type {Regions} */ regions;
  /** @type {Float64Array} */ field;
  t = 0;

  /** @param {HTMLElement} parent @param {Race} race */
  constructor(parent, race) {
    this.box = button("", () => race.open(this), { className: "lane" });
    this.box.innerHTML = `<span class="head"><b></b></span><span class="view"></span>
      <span class="foot"><b class="gap"></b><span class="error"></span><span class="vectors"></span></span>`;
    /** @param {string} name */
    const $ = name => find(this.box, name);
    this.race = race;
    this.name = $(".head b");
    this.vectors = $(".vectors");
    this.gap = $(".gap");
    this.error = $(".error");
    this.sheet = new Sheet($(".view"));
    for (const name of ["mouseenter", "focus"])
      this.box.addEventListener(name, () => race.light(this));
    for (const name of ["mouseleave", "blur"])
      this.box.addEventListener(name, () => race.light(null));
    parent.append(this.box);
  }

  /**
   * @param {Spec} spec
   * @param {Run | undefined} run the one that it does not have yet
   * @param {string} id
   */
  accept(spec, run, id) {
    const key = keyOf(spec, id);
    Object.assign(this, { spec, path: shaped(spec.shape) });
    this.name.textContent = spec.title;
    this.name.previousSibling?.remove();
    this.name.before(shapeIcon(spec.shape));
    this.last = null;
    if (key === this.key || !run) return;
    const inner = new Float64Array(run.T + 1);
    for (let t = 1; t <= run.T; t++) inner[t] = inner[t - 1] + run.inner_products[t];
    run.axes.inner_products = t => inner[t];
    run.axes.seconds = t => this.spec.pace * (inner[t] + t);
    Object.assign(this, { key, run, engine: null });
  }

  // How its line looks, where colour alone does not say which it is.
  /** @param {SVGElement | null} sample */
  lined(sample) {
    const foot = find(this.box, ".foot");
    foot.querySelector("svg")?.remove();
    if (sample) foot.append(sample);
  }

  /** @param {World} world */
  layout(world) {
    this.last = null;
    if (this.engine && this.world?.key === world.key) {
      this.world = world;
      return;
    }
    this.world = world;
    this.engine = Cells.suit(this.run)
      ? new Cells(this.run, world.grid)
      : new Engine(this.run, world.grid);
    this.share(world);
    const { length: columns } = world.grid.xs;
    const { length: rows } = world.grid.ys;
    this.image = new FieldImage(columns, rows);
    this.regions = new Regions(this.image, columns, rows);
    this.field = new Float64Array(columns * rows);
  }

  // Lanes of one kernel share its values at the examples.
  /** @param {World} world */
  share({ columns }) {
    const { run, engine } = this;
    const cells = engine instanceof Cells;
    if (!cells && run.rows > run.n) return;
    const kind = `${cells} ${JSON.stringify(run.segments[0].params.kernel)}`;
    if (!columns.has(kind)) columns.set(kind, engine.columns);
    engine.columns = columns.get(kind) ?? engine.columns;
  }

  // The last step that is paid for.
  /** @param {string} axis @param {number} cost */
  stepAt(axis, cost) {
    const paid = this.run.axes[axis];
    const limit = cost * (1 + 1e-9);
    let low = 0;
    let high = this.run.T;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      paid(middle) <= limit ? (low = middle) : (high = middle - 1);
    }
    return low;
  }

  // SBP predicts by w over its level: then the lines at +1 and −1 are those of the others. Without
  // a level only the sign counts.
  /** @param {number} t */
  factor(t) {
    const level = this.spec.iterate === "average" ? this.run.objective_average : this.run.objective;
    return level?.[t] > 0 ? 1 / level[t] : 1;
  }

  /** @param {Theme} theme @param {number} t @param {HTMLCanvasElement} points */
  paint(theme, t, points) {
    this.t = t;
    const { sheet, world } = this;
    const color = theme.dark ? this.spec.dark : this.spec.light;
    if (
      this.last?.t === t &&
      this.last.theme === theme &&
      this.last.points === points &&
      this.last.ratio === sheet.ratio
    )
      return false;
    this.box.style.setProperty("--lane", color);
    const { w, h } = world;
    const g = sheet.begin();
    this.last = { t, theme, points, ratio: sheet.ratio };
    g.save();
    g.beginPath();
    g.roundRect(0, 0, w, h, 6);
    g.clip();
    const over = this.predictor(g, theme, t);
    g.drawImage(points, 0, 0, w, h);
    over();
    g.restore();
    return true;
  }

  // What is predicted where, as the stage draws it; returns what comes above the points.
  /** @param {Pen} g @param {Theme} theme @param {number} t */
  predictor(g, theme, t) {
    const { run, world, image } = this;
    const { w, h, grid } = world;
    const [columns, rows] = [grid.xs.length, grid.ys.length];
    const now = this.engine.state(t, 0);
    const quiet = { run, theme, now, segment: run.segments[0], slow: false, moving: false };
    const view = /** @type {View} */ (/** @type {unknown} */ (quiet));
    if (run.graph) {
      const plane = { frame: { left: 0, w, h }, paths: [], ...world };
      paintGraph(g, /** @type {Plane} */ (/** @type {unknown} */ (plane)), view);
      return () => {};
    }
    const cw = w / (columns - 1);
    const ch = h / (rows - 1);
    /** @type {Where} */
    const where = [-cw / 2, -ch / 2, w + cw, h + ch, "low"];
    /** @param {number[]} cell @returns {Point} */
    const pixel = ([c, r]) => [c * cw, r * ch];
    if (run.scores > 2) {
      this.regions.paint(g, view, { field: now.field }, pixel, where);
      return () => {};
    }
    const shown = run.residual
      ? heights(view)
      : { field: this.decision(now.field, t), levels: this.levels };
    image.paint(g, theme, shown.tint ?? shown.field, ...where, shown.gain);
    return () => {
      for (const level of (t > 0 && shown.levels) || []) {
        const [thickness, dash] =
          level && !run.residual ? [1.1, [5, 4]] : [run.residual ? 1.1 : 1.9, []];
        for (const path of contours(shown.field, columns, rows, level))
          line(g, path.map(pixel), theme.ink, thickness, dash);
      }
    };
  }

  // Where f takes these values there are lines; among many lanes only the boundary.
  get levels() {
    return this.race.lanes.length > FEW ? [0] : [1, -1, 0];
  }

  // One number a cell: of two scores, by how much that of class +1 leads.
  /** @param {Indexed} scores @param {number} t */
  decision(scores, t) {
    const { field, run } = this;
    const by = this.factor(t);
    for (let k = 0; k < field.length; k++)
      field[k] = by * (run.scores > 1 ? scores[field.length + k] - scores[k] : scores[k]);
    return field;
  }

  // Medians over the seeds; what has no value yet is a dash.
  /** @param {Record<"gap" | "error" | "vectors", string>} options */
  numbers({ gap, error, vectors }) {
    say(this.vectors, vectors);
    say(this.gap, gap);
    say(this.error, error);
    this.box.title = `Open this run in the Playground at step ${this.t}`; // its name is what it says
  }
}
