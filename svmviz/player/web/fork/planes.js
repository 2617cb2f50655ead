// The three planes of a fork: what A says, what B says, and where they are apart. All have one
// extent.

import { apart } from "../engine/fork.js";
import { kindOf, sizeOf, support } from "../engine/scores.js";
import { counted, plural, significant } from "../engine/words.js";
import { pointsOf, worldOf } from "../plane/world.js";
import { circle, colorOf, line, mark, marks, penOf, ring, Sheet, stroke } from "../canvas/draw.js";
import { make } from "../canvas/elements.js";
import { contours, FieldImage } from "../plane/field.js";

const FINE = 4; // points of the hatching to a cell and side
const STRIPE = 7; // px
const MANY = 400; // points that have no outline

export class Planes {
  /** @type {World} */ world;
  /** @type {FieldImage} */ image;
  /** @type {Float64Array} */ field;
  /** @type {{ key: string, theme: Theme, mask: Uint8Array, canvas: HTMLCanvasElement } | null} */ standing =
    null;
  /** @type {ReturnType<typeof apart>} */ found;
  hatch = make("canvas");
  area = make("canvas");

  /** @param {HTMLElement[]} boxes */
  constructor(boxes) {
    const labels = ["Decision values of run A", "Decision values of run B", "f of B minus f of A"];
    this.sheets = boxes.map((box, k) => new Sheet(box, labels[k]));
  }

  // The cells for both engines. Planes that are hidden, as those behind tabs are, have the size of
  // the others.
  /** @param {Run} run */
  layout(run) {
    for (const sheet of this.sheets) sheet.fit();
    const { w, h } = this.sheets.find(sheet => sheet.visible) ?? { w: 40, h: 40 };
    const world = worldOf(run, Math.max(w, 40), Math.max(h, 40));
    this.standing = null;
    if (world.key === this.world?.key) return this.world.grid;
    const { xs, ys } = world.grid;
    this.world = world;
    this.image = new FieldImage(xs.length, ys.length);
    this.field = new Float64Array(xs.length * ys.length);
    return world.grid;
  }

  /** @param {View} a @param {View} b */
  paint(a, b) {
    const [first, second, third] = this.sheets;
    if (first.visible) this.branch(first, a);
    if (second.visible) this.branch(second, b);
    this.found = apart(a.now, b.now, a.run, b.mask, this.field);
    if (third.visible) this.difference(third, a, b);
  }

  // The frame of a plane, cut out; then what `draw` does, in it.
  /** @param {Sheet} sheet @param {(g: Pen) => void} draw */
  within(sheet, draw) {
    const g = sheet.begin();
    g.save();
    g.beginPath();
    g.roundRect(0, 0, sheet.w, sheet.h, 6);
    g.clip();
    draw(g);
    g.restore();
  }

  /** @param {Pen} g @param {Theme} theme @param {Float64Array} field */
  tint(g, theme, field) {
    const { w, h } = this.world;
    const [cw, ch] = this.cell;
    this.image.paint(g, theme, field, -cw / 2, -ch / 2, w + cw, h + ch, "low");
  }

  get cell() {
    const { w, h, grid } = this.world;
    return [w / (grid.xs.length - 1), h / (grid.ys.length - 1)];
  }

  /**
   * @param {Pen} g
   * @param {Float64Array} field
   * @param {number} level
   * @param {string} color
   * @param {number} width
   * @param {number[]} [dash]
   */
  level(g, field, level, color, width, dash) {
    const [cw, ch] = this.cell;
    const { xs, ys } = this.world.grid;
    for (const path of contours(field, xs.length, ys.length, level))
      line(
        g,
        path.map(([c, r]) => [c * cw, r * ch]),
        color,
        width,
        dash,
      );
  }

  /** @param {Run} run @param {number} i @returns {Point} */
  place(run, i) {
    return [this.world.x(run.points[2 * i]), this.world.y(run.points[2 * i + 1])];
  }

  /** @param {Sheet} sheet @param {View} view */
  branch(sheet, view) {
    const { theme, now, drawn, run } = view;
    this.within(sheet, g => {
      this.tint(g, theme, now.field);
      for (const level of [1, -1]) this.level(g, now.field, level, theme.ink, 1.1, [5, 4]);
      this.level(g, now.field, 0, theme.ink, 2);
      g.drawImage(this.points(view, sheet.ratio), 0, 0, sheet.w, sheet.h);
      this.vectors(g, view);
      for (const i of drawn) {
        const [x, y] = this.place(run, i);
        ring(g, theme, x, y, drawn.length > 8 ? 5 : drawn.length > 1 ? 8 : 11);
        mark(g, run.kind(i), x, y, 4, colorOf(theme, run.kind(i)));
      }
    });
    sheet.call(
      `Decision values after step ${counted(view.done)}, ${plural(support(now.coef), "support vector")}, ${now.wrong} of ${now.count} points on the wrong side`,
    );
  }

  // All examples in their least size, painted once.
  /** @param {View} view @param {number} ratio */
  points({ run, theme, mask }, ratio) {
    const key = `${run.n} ${ratio}`;
    const { standing, world } = this;
    if (standing?.key === key && standing.theme === theme && standing.mask === mask)
      return standing.canvas;
    const canvas = pointsOf(run, world, theme, ratio, mask);
    this.standing = { key, theme, mask, canvas };
    return canvas;
  }

  // Those that hold w up, by how much they do; of a budget, outlined, as they need not be examples.
  /** @param {Pen} g @param {View} view */
  vectors(g, { run, theme, now, linear }) {
    if (linear) return;
    const size = now.size ?? now.coef;
    const most = size.reduce((top, v) => Math.max(top, Math.abs(v)), 1e-9);
    const base = 2.4 * Math.sqrt(theme.unit);
    /** @param {number} i */
    const place = i => {
      const [x, y] = this.place(run, i);
      return {
        x,
        y,
        kind: kindOf(run, now, i),
        r: base * (0.9 + Math.sqrt(sizeOf(now, i) / most)),
      };
    };
    if (!run.changes)
      return marks(
        g,
        theme,
        run.n,
        i => (sizeOf(now, i) ? { ...place(i), kind: run.kind(i) } : null),
        run.n < MANY,
      );
    for (let row = 0; row < run.rows; row++) {
      if (!sizeOf(now, row)) continue;
      const { x, y, r, kind } = place(row);
      mark(g, kind, x, y, r, colorOf(theme, kind));
      stroke(g, theme.ink, 1.25);
    }
  }

  /** @param {Sheet} sheet @param {View} a @param {View} b */
  difference(sheet, a, b) {
    const { theme, run } = b;
    const { low, high, right, wrong } = this.found;
    this.within(sheet, g => {
      this.tint(g, theme, this.field);
      this.disagreement(g, theme, a.now.field, b.now.field, sheet.ratio);
      this.level(g, a.now.field, 0, theme.slate, 1.5);
      this.level(g, b.now.field, 0, theme.ink, 2);
      g.globalAlpha = 0.4;
      g.drawImage(this.points(b, sheet.ratio), 0, 0, sheet.w, sheet.h);
      g.globalAlpha = 1;
      const r = 3.2 * Math.sqrt(theme.unit);
      for (const [rows, dash] of /** @type {[number[], number[]][]} */ ([
        [right, []],
        [wrong, [3, 2.5]],
      ]))
        for (const i of rows) {
          const [x, y] = this.place(run, i);
          marks(g, theme, 1, () => ({ x, y, kind: run.kind(i), r }));
          circle(g, x, y, 2.6 * r, theme.bg, 4);
          circle(g, x, y, 2.6 * r, theme.ink, 1.75, dash);
        }
    });
    sheet.call(
      `f of B minus f of A, from ${significant(low, 2)} to ${significant(high, 2)}; ${right.length} points are right only in B, ${wrong.length} only in A`,
    );
  }

  // Stripes where the two have other signs.
  /**
   * @param {Pen} g
   * @param {Theme} theme
   * @param {Float64Array} a
   * @param {Float64Array} b
   * @param {number} ratio
   */
  disagreement(g, theme, a, b, ratio) {
    const { w, h, grid } = this.world;
    const [columns, rows] = [grid.xs.length, grid.ys.length];
    const [across, down] = [(columns - 1) * FINE + 1, (rows - 1) * FINE + 1];
    const { area, hatch } = this;
    if (area.width !== across || area.height !== down)
      Object.assign(area, { width: across, height: down });
    const pen = penOf(area);
    const shape = pen.createImageData(across, down);
    let any = false;
    for (let r = 0; r < down; r++)
      for (let c = 0; c < across; c++)
        if (signAt(a, columns, rows, c, r) !== signAt(b, columns, rows, c, r)) {
          shape.data[4 * (r * across + c) + 3] = 255;
          any = true;
        }
    if (!any) return;
    pen.putImageData(shape, 0, 0);
    Object.assign(hatch, { width: Math.round(w * ratio), height: Math.round(h * ratio) });
    const s = penOf(hatch);
    s.setTransform(ratio, 0, 0, ratio, 0, 0);
    s.beginPath();
    for (let x = -h; x < w; x += STRIPE) {
      s.moveTo(x, h);
      s.lineTo(x + h, 0);
    }
    stroke(s, theme.floor, 1);
    s.globalCompositeOperation = "destination-in";
    s.drawImage(area, 0, 0, w, h);
    s.globalCompositeOperation = "source-over";
    g.drawImage(hatch, 0, 0, w, h);
  }
}

// The sign between cells, of which each has `FINE` points on a side.
/**
 * @param {Float64Array} field
 * @param {number} columns
 * @param {number} rows
 * @param {number} c
 * @param {number} r
 */
function signAt(field, columns, rows, c, r) {
  const x = Math.min(Math.floor(c / FINE), columns - 2);
  const y = Math.min(Math.floor(r / FINE), rows - 2);
  const u = c / FINE - x;
  const v = r / FINE - y;
  const k = y * columns + x;
  const above = field[k] + u * (field[k + 1] - field[k]);
  const below = field[k + columns] + u * (field[k + columns + 1] - field[k + columns]);
  return above + v * (below - above) >= 0;
}
