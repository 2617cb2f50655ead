// The plane: f as a field with the points, w as an arrow, the boundary before and after, the drawn
// point.

import { Cross } from "./cross.js";
import { Editor } from "./editor.js";
import { legend } from "../canvas/classes.js";
import { arrow, circle, dot, line, marks, penOf, ring, Sheet, text } from "../canvas/draw.js";
import { find, make, touched } from "../canvas/elements.js";
import { clamp, ticks, tickText, short } from "../canvas/scales.js";
import { axisNumbers, Caption, Labels, sides, widthOf } from "../canvas/labels.js";
import { FieldImage, contours } from "./field.js";
import {
  curveOf,
  heights,
  heightText,
  paintGraph,
  paintSticks,
  scalesOf,
  stickKey,
} from "./graph.js";
import { pictureOf } from "../canvas/pixels.js";
import { paintOptima } from "./optima.js";
import { Regions } from "./regions.js";
import { evenScales, spread } from "./world.js";
import { sizeOf, told } from "../engine/scores.js";
import { counted, repeated } from "../engine/words.js";
import { paintSeen, paintVectors, stamped, vectorAt } from "./vectors.js";

const CELLS = 60;
const MANY = 400;
const APART = 8; // px: lines that are closer cannot be told by their names
const FINGER = 22; // px: how close one must come to a point
const NAME = { size: 14, weight: 600 };

export class Plane {
  /** @type {Run | undefined} */ run;
  /** @type {Layer | undefined} */ layer;
  most = 0;
  /** @type {string[]} */ names = [];
  /** @type {{ left: number; top: number; w: number; h: number; bare: boolean; }} */ frame;
  /** @type {Scale} */ x;
  /** @type {Scale} */ y;
  /** @type {FieldImage} */ image;
  /** @type {Regions | null} */ regions = null;
  /** @type {Grid} */ grid;
  reference = 0;
  /** @type {Labels} */ labels;
  /** @type {{ lines: number[][][], level: number, dash: number[] }[]} */ paths = [];
  /** @type {(() => void)[]} */ later = [];
  /** @type {View} */ view;
  /** @type {import("./vectors.js").Stamped | undefined} */ stamped;
  /** @type {Box | null} */ told = null;

  /** @param {HTMLElement} section @param {Stage} stage */
  constructor(section, stage) {
    this.stage = stage;
    this.section = section;
    section.innerHTML = `<h3><b>Plane</b> <span class="caption"></span><span class="key" aria-hidden="true"></span></h3><div class="view"></div><div class="foot" hidden></div><div class="tip" hidden></div>`;
    this.foot = find(section, ".foot");
    this.caption = new Caption(find(section, ".caption"));
    this.key = find(section, ".key");
    this.tip = find(section, ".tip");
    this.sheet = new Sheet(
      find(section, ".view"),
      "Decision values over the plane, and the examples",
    );
    const canvas = this.sheet.canvas;
    canvas.addEventListener("pointermove", event => this.hover(event));
    canvas.addEventListener("pointerleave", () => this.unhover());
    touched(canvas, event => {
      if (!this.editor.on && !stage.asking?.open) this.hover(event, FINGER);
    });
    this.editor = new Editor(section, this, stage);
    this.cross = new Cross(find(section, ".view"), this, stage);
  }

  /** @param {string} own */
  keys(own) {
    // a panel may mark points in its own way
    this.key.innerHTML = `<i class="plus"></i><span class="two">+1</span><i class="minus"></i><span class="two">−1</span>${own}<svg class="now" viewBox="-9 -9 18 18"><path d="M0-5a5 5 0 1 0 .01 0M0-8.500V-5M0 8.500V5M-8.500 0H-5M8.500 0H5"/></svg><span class="wide">drawn now</span><span class="tiny">drawn</span>`;
  }

  /** @param {string[]} names */
  classes(names) {
    // more than two: their own marks and names
    this.key.classList.toggle("several", names.length > 0);
    for (const old of this.key.querySelectorAll(".class")) old.remove();
    this.key.prepend(...legend(names));
  }

  /** @param {Run} run */
  targets({ real, graph, residual, ground }) {
    // real ones: over one feature all have the same mark
    this.key.classList.toggle("graph", graph);
    const level = short(ground);
    const words = graph ? ["target"] : real ? [`target > ${level}`, `≤ ${level}`] : ["+1", "−1"];
    this.key.querySelectorAll(".two").forEach((span, k) => {
      span.textContent = words[k] ?? "";
    });
    for (const old of this.key.querySelectorAll(".stick")) old.remove();
    if (residual) this.key.querySelector(".now")?.before(...stickKey());
  }

  // Where the world meets the canvas: equal units on both axes, so that w stands at a right angle
  // to its boundary.
  /** @param {Run} run @param {Theme} theme */
  layout(run, theme) {
    this.sheet.fit();
    // hidden for a while: it will come back as it was
    if (!this.sheet.visible && this.run === run) return this.grid;
    this.run = run;
    this.layer = undefined;
    this.most = run.n_sv ? run.n_sv.reduce((most, b) => Math.max(most, b), 0) : 0;
    const box = this.sheet;
    const bare = box.w < 400 && theme.unit === 1;
    const left = bare ? 0 : 30 * theme.unit;
    const bottom = bare ? 0 : 22 * theme.unit;
    const w = Math.max(40, box.w - left);
    const h = Math.max(40, box.h - bottom);
    this.names = run.plane.axes;
    this.frame = { left, top: 0, w, h, bare };
    if (run.graph) {
      Object.assign(this, scalesOf(run, this.frame), { regions: null });
      this.cross.lay();
      return this.grid;
    }
    // of the points at the start: drawing must not move the view
    Object.assign(this, evenScales(run, this.frame, 1.14, run.masks[0]));
    this.image = new FieldImage(CELLS, CELLS);
    this.regions = run.scores > 1 ? new Regions(this.image, CELLS, CELLS) : null;
    this.cross.lay();
    const { x, y } = this;
    this.grid = { xs: spread(x.d0, x.d1, CELLS), ys: spread(y.d1, y.d0, CELLS) };
    return this.grid;
  }

  /** @param {View} view @param {boolean} loud */
  paint(view, loud) {
    const { run, theme, now, before, after, slow } = view;
    const { left, w, h, bare } = this.frame;
    const g = this.sheet.begin();
    g.save();
    g.beginPath();
    g.roundRect(left, 0, w, h, 6);
    g.clip();
    const cw = w / (CELLS - 1);
    const ch = h / (CELLS - 1);
    const shown =
      this.stage.mechanism.looks?.(view) ?? (run.residual ? heights(view) : { field: now.field });
    /** @type {Where} */
    const where = [
      left - cw / 2,
      -ch / 2,
      w + cw,
      h + ch,
      slow && !this.stage.playing ? "high" : "low",
    ];
    this.reference = run.changes
      ? (now.size ?? now.coef).reduce((most, v) => Math.max(most, Math.abs(v)), 1e-9)
      : 1;
    Object.assign(this, {
      labels: new Labels(g, theme, { left, right: left + w, bottom: h }),
      paths: [],
      later: [],
    });
    const [, up] = this.names;
    const long = up.length > 2; // the name of the axis stands inside where it is long
    if (long && !bare) this.labels.block(this.labels.box([up], [left + 8, 18 * theme.unit], NAME));
    if (run.graph) paintGraph(g, this, view);
    else if (this.regions)
      this.paths = this.regions.paint(g, view, shown, p => this.pixel(p), where);
    else {
      this.image.paint(g, theme, shown.tint ?? shown.field, ...where, shown.gain);
      if (shown.lines)
        for (const [k, field] of shown.lines.entries())
          this.level(g, theme, field, 0, false, k ? [] : [0.1, 5]);
      else if (shown.levels)
        for (const level of shown.levels)
          this.level(g, theme, shown.field, level, slow, [], heightText(level));
      else for (const level of [0, 1, -1]) this.level(g, theme, shown.field, level, slow);
    }
    if (run.residual) paintSticks(g, this, view);
    const flat = run.d === 2 && view.linear && !this.regions;
    const asking = this.stage.asking?.open;
    if (slow && view.moving && !view.mid && !this.regions && !asking && !run.residual)
      this.ghost(
        g,
        theme,
        view.shown < 1 ? after.field : before.field,
        view.shown < 1 ? "f = 0 after this step" : "before",
        flat,
      );
    if (!asking) for (const other of this.stage.companions) other.outline(g, this, view);
    if (view.segment.optimum && !asking) paintOptima(this, g, theme, view.segment.optimum);
    if (flat) this.weights(g, theme, now.w);
    this.points(g, view);
    this.stage.asking?.reserve(this);
    for (const write of this.later) write(); // words come last, the drawn point's first
    this.stage.asking?.paint(g, this);
    g.restore();
    if (!bare) this.axes(g, theme);
    this.key.classList.toggle("everybody", view.everybody);
    if (loud) this.caption.say(...captions(view, this.stage.panel.formula(view)));
    this.view = view;
  }

  // What tells a run at a glance: where f is 0, where two classes tie, or f itself where it is a
  // curve.
  /** @param {Run} run @param {Float64Array} field @returns {Point[][]} */
  boundary(run, field) {
    if (run.graph) return [curveOf(this, field)];
    if (run.residual) return [];
    const paths = this.regions ? this.regions.ties(run, field) : contours(field, CELLS, CELLS, 0);
    return paths.map(path => path.map(p => this.pixel(p)));
  }

  /** @param {number[]} cell @returns {Point} */
  pixel([c, r]) {
    const { left, w, h } = this.frame;
    return [left + (c / (CELLS - 1)) * w, (r / (CELLS - 1)) * h];
  }

  /**
   * @param {Pen} g
   * @param {Theme} theme
   * @param {Float64Array} field
   * @param {number} level
   * @param {boolean} labelled
   * @param {number[]} [dash]
   * @param {string} [words]
   */
  level(
    g,
    theme,
    field,
    level,
    labelled,
    dash = level ? [6, 5] : [],
    words = level ? (level > 0 ? "+1" : "−1") : "0",
  ) {
    const lines = contours(field, CELLS, CELLS, level).map(path => path.map(p => this.pixel(p)));
    for (const path of lines) line(g, path, theme.ink, level ? 1.25 : 2, dash);
    this.paths.push({ lines, level, dash });
    if (!labelled || !lines.length) return;
    const path = lines.reduce((a, b) => (b.length > a.length ? b : a));
    const from = path[0][0] > path.at(-1)[0] ? 0 : 1;
    if (path.length < 6) return;
    const middle = level ? this.paths.flatMap(p => (p.level ? [] : p.lines.flat())) : [];
    /** @type {Place[]} */
    const spots = [0.06, 0.14, 0.22, 0.3, 0.38, 0.5, 0.62].flatMap(at => {
      const [x, y] = path[Math.round(Math.abs(from - at) * (path.length - 1))];
      return middle.some(([a, b]) => Math.hypot(a - x, b - y) < APART) ? [] : [[x, y, "center"]];
    });
    this.later.push(() =>
      this.labels.put(words, { weight: 600, color: theme.ink, base: "middle" }, ...spots),
    );
  }

  /**
   * @param {Pen} g
   * @param {Theme} theme
   * @param {Float64Array} field
   * @param {string} words
   * @param {boolean} flat
   */
  ghost(g, theme, field, words, flat) {
    const lines = this.boundary(this.stage.run, field);
    for (const path of lines)
      line(g, path, words === "before" ? theme.ghost : theme.ink, 2, [0.1, 5]);
    const path = lines.reduce((a, b) => (b.length > a.length ? b : a), []);
    if (path.length < 6 || (words === "before" && !flat)) return;
    const { left, w, h } = this.frame;
    const look = { weight: 600, color: words === "before" ? theme.muted : theme.ink };
    const half = widthOf(g, theme, words, look) / 2 + 8;
    /** @type {Place[]} */
    const spots = [0.06, 0.94, 0.2, 0.8, 0.35, 0.65]
      .map(at => path[Math.floor(path.length * at)])
      .map(([x, y]) => [
        clamp(x, left + half, left + w - half),
        clamp(y - 6, 18 * theme.unit, h - 10),
        "center",
      ]);
    this.later.push(() => this.labels.put(words, look, ...spots));
  }

  /** @param {Pen} g @param {Theme} theme @param {Indexed} w */
  weights(g, theme, w) {
    const x0 = this.x(0);
    const y0 = this.y(0);
    const { left, w: width, h } = this.frame;
    let dx = this.x(w[0]) - x0;
    let dy = this.y(w[1]) - y0;
    const room = Math.min(
      ...[
        [dx, x0, left, left + width],
        [dy, y0, 0, h],
      ].map(([d, o, low, high]) =>
        d > 0 ? (high - 24 - o) / d : d < 0 ? (low + 24 - o) / d : Infinity,
      ),
    );
    if (room < 0 || Math.hypot(dx, dy) < 2) return;
    const shown = Math.min(1, room);
    [dx, dy] = [dx * shown, dy * shown];
    dot(g, x0, y0, 3, theme.ink);
    arrow(g, x0, y0, x0 + dx, y0 + dy, theme.ink, 2, 9);
    const length = Math.hypot(dx, dy);
    const [ux, uy] = [dx / length, dy / length];
    const tip = [x0 + dx, y0 + dy];
    /** @type {Place[]} */
    const places = [
      [12 * ux, 12 * uy],
      [-14 * uy, 14 * ux],
      [14 * uy, -14 * ux],
    ].map(([a, b]) => [tip[0] + a, tip[1] + b, "center"]);
    this.later.unshift(() =>
      this.labels.put("w", { size: 15, weight: 700, color: theme.ink, base: "middle" }, ...places),
    );
  }

  /** @param {Pen} g @param {View} view */
  points(g, view) {
    const { run, theme, now, mask } = view;
    const { asking } = this.stage;
    const drawn = asking?.open ? [] : view.drawn; // the question rings whom it is about
    const expansion = !view.linear;
    const many = now.count > MANY;
    const reference =
      view.segment.params.C ??
      (view.segment.params.lam && !run.changes
        ? 1 / (view.segment.params.lam * now.count)
        : (now.size ?? now.coef).reduce((most, v) => Math.max(most, Math.abs(v)), 1e-9));
    const base = (now.count > 1000 ? 1.8 : many ? 2.6 : 3.9) * Math.sqrt(theme.unit);
    /** @param {number} i */
    const place = i => ({
      x: this.x(run.points[2 * i]),
      y: this.y(run.points[2 * i + 1]),
      kind: run.kind(i),
      r: expansion
        ? base * (0.72 + 0.95 * Math.min(1, Math.sqrt(sizeOf(now, i) / reference)))
        : base,
    });
    /** @param {number} i */
    const shown = i => mask[i] && i !== this.editor.held;
    const layer = this.standing(
      view,
      i => (shown(i) ? { ...place(i), r: expansion ? 0.72 * base : base } : null),
      many,
      expansion,
    );
    g.drawImage(layer.canvas, 0, 0, this.sheet.w, this.sheet.h);
    if (expansion && !run.changes)
      marks(g, theme, run.n, i => (sizeOf(now, i) && shown(i) ? place(i) : null), !many);
    if (now.wet && !asking?.covers("rings")) {
      // what the mechanism singles out
      const stamp = stamped(this, theme, many).ring;
      for (let i = 0; i < run.n; i++)
        if (now.wet[i] && shown(i)) {
          const p = place(i);
          stamp(g, p.x, p.y, p.r + (many ? 2 : 3.2));
        }
    }
    if (this.stage.linked >= 0) {
      const p = place(this.stage.linked);
      circle(g, p.x, p.y, p.r + 7, theme.ui, 2.5);
    }
    if (run.changes) paintVectors(this, g, view, many);
    this.stage.mechanism.overlay?.(g, view, this);
    this.editor.paint(g, theme, base);
    for (const i of drawn) {
      const p = place(i);
      ring(g, theme, p.x, p.y, drawn.length > 8 ? 5 : drawn.length > 1 ? 9 : 13);
      marks(g, theme, 1, () => ({ ...p, r: Math.max(p.r, 4) }));
    }
    for (const [i, many] of view.slow ? repeated(drawn) : []) {
      const p = place(i);
      const heights = [5, 24, -14].map(down => p.y + down * theme.unit);
      this.later.unshift(() => {
        this.labels.put(
          `×${many}`,
          { size: 13.5, weight: 700, color: theme.now },
          ...sides(p.x, 16, heights),
        );
      });
    }
    this.told = null;
    if (drawn.length === 1 && view.slow) {
      const p = place(drawn[0]);
      const heights = [24, -14].map(down => p.y + down * theme.unit);
      this.labels.block({ left: p.x - 8, right: p.x + 8, top: p.y - 8, bottom: p.y + 8 });
      this.later.unshift(() => {
        this.told = this.labels.must(
          `i = ${drawn[0] + 1}`,
          { size: 13.5, weight: 700, color: theme.now },
          ...sides(p.x, 20, heights),
        );
      });
    }
  }

  // Where its things are, for the light.
  /** @param {string} name @returns {[Sheet, Spot][]} */
  where(name) {
    /**
     * @param {(view: View) => Iterable<number>} rows
     * @param {number} r
     * @returns {[Sheet, Spot][]}
     */
    const round = (rows, r) => [
      [
        this.sheet,
        (g, view) => {
          for (const i of rows(view)) {
            const x = this.x(view.run.points[2 * i]);
            const y = this.y(view.run.points[2 * i + 1]);
            g.moveTo(x + r, y);
            g.arc(x, y, r, 0, 7);
          }
          g.fill();
        },
      ],
    ];
    /** @param {(level: number) => boolean} wanted @returns {[Sheet, Spot][]} */
    const along = wanted => [
      [
        this.sheet,
        g => {
          for (const { lines, level } of this.paths)
            if (wanted(level)) for (const path of lines) line(g, path, "#000", 13);
        },
      ],
    ];
    if (name === "drawn") return this.view?.drawn.length ? round(view => view.drawn, 22) : [];
    if (name === "boundary") return this.paths.length ? along(level => level === 0) : [];
    if (name === "margins") return this.paths.some(p => p.level) ? along(level => level !== 0) : [];
    const there = { support: this.view && !this.view.linear, wet: Boolean(this.view?.now.wet) }[
      name
    ];
    if (!there) return [];
    return name === "wet"
      ? round(({ now }) => [...now.wet.keys()].filter(i => now.wet[i]), 9)
      : round(({ now, run }) => [...Array(run.rows).keys()].filter(i => sizeOf(now, i)), 10);
  }

  /** @param {number} a @param {Theme} theme */
  radius(a, theme) {
    // of a support vector; smaller all through a run that comes to have many
    return (
      (3.5 + 6 * Math.min(1, Math.sqrt(Math.abs(a) / this.reference))) *
      (this.most > 60 ? 0.6 : 1) *
      Math.sqrt(theme.unit)
    );
  }

  // All points in their least size, painted once; support vectors, whose size changes, go on top of
  // their own.
  /**
   * @param {View} view
   * @param {(i: number) => Mark | null} place
   * @param {boolean} many
   * @param {boolean} expansion
   */
  standing(view, place, many, expansion) {
    const { run, theme, mask } = view;
    const { w, h, ratio } = this.sheet;
    const key = [run.id, ratio, expansion, this.editor.held].join();
    const stream = Boolean(run.changes) || run.streams;
    let { layer } = this;
    if (layer?.key !== key || layer.mask !== mask || layer.theme !== theme) {
      const fresh = () => {
        const canvas = make("canvas", {
          width: Math.round(w * ratio),
          height: Math.round(h * ratio),
        });
        penOf(canvas).setTransform(ratio, 0, 0, ratio, 0, 0);
        return canvas;
      };
      const canvas = fresh();
      const faint = stream ? fresh() : canvas;
      const g = penOf(faint);
      g.globalAlpha = stream ? 0.25 : 1;
      marks(g, theme, run.n, place, !many && !stream);
      this.layer = layer = { canvas, faint, key, mask, theme, upto: Infinity };
    }
    if (!stream) return layer;
    if (view.t < layer.upto) {
      // back in time: those to come are faint again
      const g = penOf(layer.canvas);
      g.globalAlpha = 1;
      g.clearRect(0, 0, w, h);
      g.drawImage(layer.faint, 0, 0, w, h);
      layer.upto = 0;
    }
    paintSeen(layer, view, place);
    return layer;
  }

  /** @param {Pen} g @param {Theme} theme */
  axes(g, theme) {
    const { left, w, h } = this.frame;
    const u = theme.unit;
    const xs = ticks(this.x.d0, this.x.d1, 6);
    const ys = ticks(this.y.d0, this.y.d1, 5);
    axisNumbers(
      g,
      theme,
      xs,
      this.x,
      h + 17 * u,
      left,
      left + w - widthOf(g, theme, this.names[0], NAME) - 6 * u,
    );
    ys.forEach(v => {
      const y = this.y(v);
      if (y > 22 * u && y < h - 6)
        text(g, theme, tickText(v), left - 8, y, {
          color: theme.muted,
          align: "right",
          base: "middle",
        });
    });
    const [across, up] = this.names;
    const long = up.length > 2;
    text(g, theme, across, left + w, h + 17 * u, { ...NAME, color: theme.ink, align: "right" });
    text(g, theme, up, long ? left + 8 : left - 8, (long ? 18 : 12) * u, {
      ...NAME,
      color: theme.ink,
      align: long ? "left" : "right",
      halo: long ? theme.bg : null,
    });
  }

  /** @param {number} x @param {number} y @param {number} [reach] */
  nearest(x, y, reach = 12) {
    // the example under the pointer, or -1
    const { run, mask } = this.view;
    let best = -1;
    let near = reach * reach;
    for (let i = 0; i < run.n; i++) {
      if (!mask[i]) continue;
      const d = (this.x(run.points[2 * i]) - x) ** 2 + (this.y(run.points[2 * i + 1]) - y) ** 2;
      if (d < near) [best, near] = [i, d];
    }
    return best;
  }

  /** @param {{ offsetX: number, offsetY: number }} options @param {number} [reach] */
  hover({ offsetX: x, offsetY: y }, reach) {
    if (!this.view) return;
    const { run, now } = this.view;
    const vector = run.changes ? vectorAt(this, x, y) : -1;
    const best = vector < 0 ? this.nearest(x, y, reach) : vector;
    this.stage.link(best);
    this.tip.hidden = best < 0 || this.editor.held !== null;
    if (this.tip.hidden) return;
    this.tip.textContent = this.stage.asking?.covers("numbers")
      ? "its numbers are covered until you have checked"
      : vector >= 0
        ? (this.stage.mechanism.describe?.(vector) ?? "")
        : told(run, now, best);
    if (run.image) this.tip.prepend(pictureOf(run, vector >= 0 ? vector : best));
    const { left, top } = this.aside(x, y, this.tip.offsetWidth, this.tip.offsetHeight);
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${find(this.section, ".view").offsetTop + top}px`;
  }

  unhover() {
    this.tip.hidden = true;
    this.stage.link(-1);
  }

  // Where a box of this size stands beside the pointer, inside the plane, and not on the number of
  // the drawn point.
  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  aside(x, y, width, height) {
    const { w, h } = this.sheet;
    const told = this.told ?? { left: -1, right: -1, top: -1, bottom: -1 };
    const spots = [
      [x + 12, y + 16],
      [x - 12 - width, y + 16],
      [x + 12, y - 12 - height],
      [x - 12 - width, y - 12 - height],
    ].map(([left, top]) => ({
      left: clamp(left, 0, Math.max(0, w - width)),
      top: clamp(top, 0, Math.max(0, h - height)),
    }));
    /** @param {{ left: number, top: number }} options */
    const hides = ({ left, top }) =>
      left < told.right && left + width > told.left && top < told.bottom && top + height > told.top;
    return spots.find(spot => !hides(spot)) ?? spots[0];
  }
}

// What the plane shows, in ever fewer words.
/** @param {View} view @param {string[]} fs */
function captions(view, fs) {
  const { run, t, segment } = view;
  const slice = run.plane.slice ? ` on ${run.plane.slice}` : "";
  const which = { last: "", average: ", average w̄", random: ", random iterate" }[
    segment.params.iterate
  ];
  const moment = view.done === t ? "after" : view.shown > 0 ? "in" : "before";
  const when = t === 0 ? ", before the first step" : ` ${moment} step ${counted(t)}`;
  const most = fs.flatMap(f => [...(slice ? [f + which + slice + when] : []), f + which + when]);
  return [
    ...most,
    ...fs.map(f => f + when),
    ...fs.map(f => f + which),
    ...fs,
    when.replace(", ", "").trim(),
  ];
}
