// The plane with more than two classes: who wins where, shaded by the lead over the runner-up, and
// the lines where two scores tie.

import { contours } from "./field.js";
import { line } from "../canvas/draw.js";
import { contest, lookOf } from "../engine/scores.js";

export class Regions {
  /** @param {FieldImage} image @param {number} columns @param {number} rows */
  constructor(image, columns, rows) {
    this.image = image;
    this.columns = columns;
    this.rows = rows;
    this.winner = new Uint8Array(columns * rows);
    this.lead = new Float64Array(columns * rows);
    this.own = new Float64Array(columns * rows);
  }

  // All of it: the picture, the boundary before or after the step, the boundary now. Solid where
  // two scores tie, dashed where the winner leads by 1, which is all that the loss asks for. Of a
  // difference of two fields, the class that lost most, and both boundaries. Returns the lines by
  // level.
  /**
   * @param {Pen} g
   * @param {View} view
   * @param {Shown} shown
   * @param {(p: number[]) => Point} pixel
   * @param {Where} where
   */
  paint(g, { run, theme, before, after, shown: done, slow, moving, mid }, shown, pixel, where) {
    const { pixels } = this.image;
    const { tints } = theme;
    const compared = shown.lines;
    /** @type {Plane["paths"]} */
    const ways = [];
    /** @param {number[][][]} paths @param {number} level @param {number[]} dash */
    const put = (paths, level, dash) =>
      ways.push({ lines: paths.map(path => path.map(pixel)), level, dash });
    contest(shown.field, this.winner.length, run.scores, this.winner, this.lead, Boolean(compared));
    for (let k = 0; k < pixels.length; k++)
      pixels[k] =
        tints[lookOf(run, this.winner[k]) % tints.length][
          Math.min(240, Math.round(this.lead[k] * (shown.gain ?? 100)))
        ];
    this.image.draw(g, ...where);
    if (compared) compared.forEach((field, k) => put(this.ties(run, field), 0, k ? [] : [0.1, 5]));
    else {
      put(contours(this.lead, this.columns, this.rows, 1), 1, [6, 5]);
      put(this.borders(shown.field), 0, []);
      if (slow && moving && !mid)
        for (const path of this.ties(run, done < 1 ? after.field : before.field))
          line(g, path.map(pixel), done < 1 ? theme.ink : theme.ghost, 2.5, [0.1, 5]);
    }
    for (const { lines, level, dash } of ways)
      for (const path of lines) line(g, path, theme.ink, level ? 1 : 2, dash);
    return ways;
  }

  /** @param {Run} run @param {Float64Array} field */
  ties(run, field) {
    contest(field, this.winner.length, run.scores, this.winner, this.lead);
    return this.borders(field);
  }

  // Where each class that wins anywhere ties with the best of the others: the border of its region.
  // What two regions share is kept once, with the first of them.
  /** @param {Float64Array} field */
  borders(field) {
    const { winner, lead, own, columns, rows } = this;
    /** @type {number[][][]} */
    const found = [];
    for (const k of new Set(winner)) {
      for (let j = 0; j < own.length; j++)
        own[j] =
          winner[j] === k ? lead[j] : field[k * own.length + j] - field[winner[j] * own.length + j];
      for (const path of contours(own, columns, rows, 0)) this.cut(path, k, found);
    }
    return found;
  }

  /** @param {number[][]} path @param {number} k @param {number[][][]} found */
  cut(path, k, found) {
    // the stretches that border on classes after k
    const { winner, columns } = this;
    /** @type {number[][]} */
    let piece = [];
    path.forEach((point, at) => {
      const [c, r] = point;
      const here = winner[Math.floor(r) * columns + Math.floor(c)];
      const there = winner[Math.ceil(r) * columns + Math.ceil(c)];
      if (Math.max(here, there) > k) {
        if (!piece.length && at) piece.push(path[at - 1]);
        piece.push(point);
      } else if (piece.length) {
        found.push([...piece, point]);
        piece = [];
      }
    });
    if (piece.length) found.push(piece);
  }
}
