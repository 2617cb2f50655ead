// The decision plane of the cell under the cursor: its run on all rows, as the server computed it,
// with the colours and marks of the stage. Below it the numbers of the cell, which are there at
// once.

import { significant } from "../engine/words.js";
import { legend } from "../canvas/classes.js";
import { line, marks, Sheet } from "../canvas/draw.js";
import { find, say } from "../canvas/elements.js";
import { Numbers } from "../stage/code.js";
import { contours, FieldImage } from "../plane/field.js";
import { Caption } from "../canvas/labels.js";
import { Regions } from "../plane/regions.js";
import { scale } from "../canvas/scales.js";
import { isShare, number, written } from "./cells.js";

export class LookPlane {
  /** @type {Cells | undefined} */ cells;
  /** @type {FieldImage | undefined} */ image;
  shape = "";

  /** @param {HTMLElement} section */
  constructor(section) {
    section.innerHTML = `<h3><b>Cell under the cursor</b> <span class="caption"></span><span class="key" aria-hidden="true"></span></h3>
      <div class="view"></div><p class="nothing" hidden></p><dl class="cellnumbers"></dl><p class="cellsaid"></p>`;
    this.section = section;
    this.caption = new Caption(find(section, ".caption"));
    this.key = find(section, ".key");
    this.nothing = find(section, ".nothing");
    this.numbers = new Numbers(find(section, ".cellnumbers"));
    this.verdict = find(section, ".cellsaid");
    this.sheet = new Sheet(
      find(section, ".view"),
      "Decision values of the cell under the cursor, and the examples",
    );
  }

  /** @param {Cells} cells */
  accept(cells) {
    this.cells = cells;
    const classes = cells.data.look?.classes ?? [];
    const key = isShare(cells.data) ? classes.join("|") : "targets";
    if (this.key.dataset.of !== key) {
      this.key.dataset.of = key;
      this.key.classList.toggle("several", classes.length > 0 || !isShare(cells.data));
      this.key.innerHTML = `<i class="plus"></i><span class="two">+1</span><i class="minus"></i><span class="two">−1</span>`;
      this.key.prepend(...legend(classes));
    }
  }

  // The numbers of a cell, in words and figures.
  /** @param {number} cell */
  tell(cell) {
    const { data } = /** @type {Cells} */ (this.cells);
    const row = this.cells?.row(cell) ?? -1;
    const there = row >= 0 && data.state_of[row] > 0;
    const share = /** @param {number} v */ v =>
      written(v, { percent: isShare(data), whole: false });
    const spread =
      there && Number.isFinite(data.error_spread[row])
        ? ` ± ${share(data.error_spread[row]).replace(" %", "")}`
        : "";
    /** @type {[string, string][]} */
    const all = [
      ["test error", there ? share(data.error[row]) + spread : "–"],
      ["train", there ? share(data.train_error[row]) : "–"],
      ["vectors", there ? number(data.vectors[row]) : "–"],
      ["P(w)", there ? number(data.primal[row]) : "–"],
      ["‖w‖", there ? number(data.norm[row]) : "–"],
      ["ms a fit", there ? significant(1000 * data.seconds[row], 2) : "–"],
    ];
    if (
      !["error", "train_error", "vectors", "primal", "norm", "seconds"].includes(data.measure.key)
    )
      all.splice(1, 0, [data.measure.title, there ? written(data.value[row], data.measure) : "–"]);
    this.numbers.paint(all);
    say(this.verdict, this.cells?.sentence(cell) ?? "");
    const seed = data.look?.seed ?? 0;
    const setting = this.cells?.setting(cell) ?? "";
    const slice = data.look?.slice ?? "";
    const whole = `${setting}, seed ${seed}`;
    this.caption.say(
      ...(slice ? [`${whole}, ${slice}`, `${whole}, a slice`, `${setting}, a slice`] : [whole]),
      setting,
    );
  }

  /** @param {Theme} theme @param {number | null} cell */
  paint(theme, cell) {
    const { cells, sheet } = this;
    if (!cells) return;
    if (cell !== null) this.tell(cell);
    const { data } = cells;
    const mine = data.look?.cell === cell ? data.look : null;
    const refused = mine?.refused ?? "";
    say(this.nothing, refused);
    this.nothing.hidden = !refused;
    this.section.classList.toggle("waiting", !mine);
    if (!sheet.visible) return;
    if (!data.look || data.look.refused || refused || !data["look.field"])
      return void sheet.begin();
    this.picture(theme, data, data.look);
  }

  /** @param {Theme} theme @param {SweepData} data @param {LookData} look */
  picture(theme, data, look) {
    const { sheet } = this;
    const g = sheet.begin();
    const [columns, rows] = data["look.grid"];
    const field = /** @type {Float64Array} */ (/** @type {unknown} */ (data["look.field"]));
    const [x0, x1, y0, y1] = data["look.extent"];
    if (rows === 1) return this.curve(g, theme, data);
    // what is beyond the field is empty
    const unit = Math.max((x1 - x0) / sheet.w, (y1 - y0) / sheet.h);
    const w = (x1 - x0) / unit;
    const h = (y1 - y0) / unit;
    const [left, top] = [(sheet.w - w) / 2, (sheet.h - h) / 2];
    const [cw, ch] = [w / (columns - 1), h / (rows - 1)];
    /** @param {number[]} cell @returns {Point} */
    const pixel = ([c, r]) => [left + c * cw, top + r * ch];
    if (this.shape !== `${columns} ${rows}`) {
      this.shape = `${columns} ${rows}`;
      this.image = new FieldImage(columns, rows);
    }
    const image = /** @type {FieldImage} */ (this.image);
    g.save();
    g.beginPath();
    g.roundRect(left, top, w, h, 6);
    g.clip();
    /** @type {Where} */
    const where = [left - cw / 2, top - ch / 2, w + cw, h + ch, "high"];
    if (look.classes.length) {
      const view = {
        run: { scores: look.classes.length },
        theme,
        before: {},
        after: {},
        shown: 1,
        slow: false,
      };
      const regions = new Regions(image, columns, rows);
      regions.paint(
        g,
        /** @type {View} */ (/** @type {unknown} */ (view)),
        { field },
        pixel,
        where,
      );
    } else {
      image.paint(g, theme, field, ...where);
      for (const level of [1, -1, 0])
        for (const path of contours(field, columns, rows, level))
          line(g, path.map(pixel), theme.ink, level ? 1.25 : 2, level ? [6, 5] : []);
    }
    const places = data["look.places"];
    const weight = data["look.weight"];
    const several = look.classes.length > 0;
    const base = (data["look.kinds"].length > 400 ? 2.4 : 3.4) * Math.sqrt(theme.unit);
    marks(g, theme, data["look.kinds"].length, i => ({
      x: left + (places[2 * i] - x0) / unit,
      y: top + (y1 - places[2 * i + 1]) / unit,
      kind: several ? data["look.kinds"][i] : data["look.kinds"][i] === 1,
      r: base * (0.7 + 0.8 * Math.sqrt(weight[i] / 255)),
    }));
    g.restore();
  }

  // Targets above their one feature, and the curve that fits them.
  /** @param {Pen} g @param {Theme} theme @param {SweepData} data */
  curve(g, theme, data) {
    const { w, h } = this.sheet;
    const [x0, x1, y0, y1] = data["look.extent"];
    const x = scale(x0, x1, 0, w);
    const y = scale(y0, y1, h, 0);
    const places = data["look.places"];
    g.save();
    g.beginPath();
    g.roundRect(0, 0, w, h, 6);
    g.clip();
    g.fillStyle = theme.side;
    g.fillRect(0, 0, w, h);
    marks(g, theme, data["look.kinds"].length, i => ({
      x: x(places[2 * i]),
      y: y(places[2 * i + 1]),
      kind: true,
      r: 3.4 * Math.sqrt(theme.unit),
    }));
    const field = [...data["look.field"]];
    const across = scale(0, field.length - 1, 0, w);
    line(
      g,
      field.map((v, k) => [across(k), y(v)]),
      theme.ink,
      2,
    );
    g.restore();
  }
}
