// The plane with more than two classes: who wins where, shaded by the lead over the runner-up, and the lines where two scores tie.

import { FieldImage, contours } from "./field.js";
import { line } from "./draw.js";
import { contest } from "./scores.js";

export class Regions {
  constructor(columns, rows) {
    Object.assign(this, { columns, rows, winner: new Uint8Array(columns * rows), lead: new Float64Array(columns * rows), own: new Float64Array(columns * rows) });
    this.image = new FieldImage(columns, rows);
  }

  // All of it: the picture, the boundary before or after the step, the boundary now. Solid where two scores tie, dashed where the
  // winner leads by 1, which is all that the loss asks for.
  paint(g, { run, theme, now, before, after, shown, slow, moving }, pixel, where) {
    contest(now.field, this.winner.length, run.scores, this.winner, this.lead);
    const { pixels } = this.image, { tints } = theme;
    for (let k = 0; k < pixels.length; k++) pixels[k] = tints[this.winner[k] % tints.length][Math.min(240, Math.round(this.lead[k] * 100))];
    this.image.draw(g, ...where);
    const enough = contours(this.lead, this.columns, this.rows, 1), ties = this.boundaries(now.field);
    if (slow && moving) this.ghost(g, theme, run, shown < 1 ? after.field : before.field, pixel, shown < 1);
    for (const path of enough) line(g, path.map(pixel), theme.ink, 1, [6, 5]);
    for (const path of ties) line(g, path.map(pixel), theme.ink, 2);
  }

  // Where each class that wins anywhere ties with the best of the others: the border of its region.
  boundaries(field) {
    const { winner, lead, own, columns, rows } = this, seen = new Set(winner), found = [];
    for (const k of seen) {
      for (let j = 0; j < own.length; j++) own[j] = winner[j] === k ? lead[j] : field[k * own.length + j] - field[winner[j] * own.length + j];
      found.push(...contours(own, columns, rows, 0));
    }
    return found;
  }

  ghost(g, theme, run, field, pixel, coming) {
    contest(field, this.winner.length, run.scores, this.winner, this.lead);
    for (const path of this.boundaries(field)) line(g, path.map(pixel), coming ? theme.ink : theme.ghost, 2.5, [.1, 5]);
  }
}
