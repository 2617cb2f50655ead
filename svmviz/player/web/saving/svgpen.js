// A pen that draws on its canvas as any other, and keeps what it drew, so that it can be written as
// SVG: paths as paths, text as text, canvases that were drawn on others as what was drawn on them.
// Only what has no shape, pixels that were put, is a picture in it.

import {
  after,
  dataOf,
  Defs,
  escaped,
  matrix,
  moved,
  num,
  paintOf,
  sizeOf,
  written,
} from "./svg.js";

/** @typedef {import("./svg.js").Track} Track */
/** @typedef {import("./svg.js").Item} Item */
/** @typedef {{ words: string, x: number, y: number, width: number, attributes: string, size: string, item: Item }} Said */

const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const ANCHORS = { center: "middle", right: "end", end: "end" };
const SMOOTH = 700; // px of a picture that lies within, on its longer side
const FINEST = 2400; // where its pixels are seen as such
const TURN = 2 * Math.PI;
const ALMOST = 1e-3; // px

export class Drawing {
  /** @type {Item[]} */ items = [];
  /** @type {Track} */ track = [];
  /** @type {Track[]} */ clips = [];
  /** @type {Track[][]} */ kept = [];
  /** @type {Said | null} */ said = null; // the last words
  pixels = false; // something was drawn that has no shape

  /**
   * @param {Pen} real
   * @param {(canvas: any) => Drawing | undefined} of what was drawn on another canvas
   */
  constructor(real, of) {
    this.real = real;
    this.of = of;
  }

  // The document: a part of the canvas, from its upper left corner.
  /** @param {number} w @param {number} h @param {string} title @param {string} about */
  svg(w, h, title, about) {
    const defs = new Defs();
    const body = written(this.items, { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }, defs);
    const size = `width="${num(w)}" height="${num(h)}" viewBox="0 0 ${num(w)} ${num(h)}"`;
    return `<svg ${NAMESPACES} ${size} role="img">
<title>${escaped(title)}</title>
<desc>${escaped(about)}</desc>
${defs}${body}</svg>\n`;
  }

  /** @param {Item["write"]} write */
  add(write) {
    this.items.push({ clips: this.clips, write });
  }

  /** @param {string} kind @param {number[]} points @param {{ r?: number, flags?: string }} [arc] */
  go(kind, points, arc) {
    const m = this.real.getTransform();
    const places = [];
    for (let k = 0; k < points.length; k += 2) places.push(...moved(m, points[k], points[k + 1]));
    this.track.push({
      kind,
      points: places,
      flags: arc?.flags,
      r: arc && (arc.r ?? 0) * sizeOf(m),
    });
  }

  save() {
    this.kept.push(this.clips);
    this.real.save();
  }
  restore() {
    this.clips = this.kept.pop() ?? this.clips;
    this.real.restore();
  }

  beginPath() {
    this.track = [];
    this.real.beginPath();
  }
  closePath() {
    this.go("Z", []);
    this.real.closePath();
  }
  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.go("M", [x, y]);
    this.real.moveTo(x, y);
  }
  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.go(this.track.length ? "L" : "M", [x, y]);
    this.real.lineTo(x, y);
  }
  /** @param {number} cx @param {number} cy @param {number} x @param {number} y */
  quadraticCurveTo(cx, cy, x, y) {
    this.go("Q", [cx, cy, x, y]);
    this.real.quadraticCurveTo(cx, cy, x, y);
  }
  /**
   * @param {number} x1
   * @param {number} y1
   * @param {number} x2
   * @param {number} y2
   * @param {number} x
   * @param {number} y
   */
  bezierCurveTo(x1, y1, x2, y2, x, y) {
    this.go("C", [x1, y1, x2, y2, x, y]);
    this.real.bezierCurveTo(x1, y1, x2, y2, x, y);
  }
  /**
   * @param {number} x
   * @param {number} y
   * @param {number} r
   * @param {number} from
   * @param {number} to
   * @param {boolean} [back]
   */
  arc(x, y, r, from, to, back = false) {
    /** @param {number} u */
    const at = u => /** @type {Point} */ ([x + r * Math.cos(u), y + r * Math.sin(u)]);
    const whole = Math.abs(to - from) >= TURN;
    const over = whole ? TURN : (((back ? from - to : to - from) % TURN) + TURN) % TURN;
    const way = back ? -1 : 1;
    const flags = `${over > Math.PI && !whole ? 1 : 0} ${back ? 0 : 1}`;
    const last = this.track.at(-1);
    const begun = moved(this.real.getTransform(), ...at(from));
    if (!last || last.kind === "Z") this.go("M", at(from));
    else if (begun.some((v, k) => Math.abs(v - (last.points.at(k - 2) ?? 0)) > ALMOST))
      this.go("L", at(from));
    // SVG knows no arc that ends where it began
    if (whole) this.go("A", at(from + (way * TURN) / 2), { r, flags });
    this.go("A", at(from + way * over), { r, flags });
    this.real.arc(x, y, r, from, to, back);
  }
  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  rect(x, y, w, h) {
    this.box(x, y, w, h);
    this.real.rect(x, y, w, h);
  }
  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  box(x, y, w, h) {
    this.go("M", [x, y]);
    this.go("L", [x + w, y, x + w, y + h, x, y + h]);
    this.go("Z", []);
  }
  /**
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {number} h
   * @param {any} [radii]
   */
  roundRect(x, y, w, h, radii = 0) {
    const given = [radii].flat().map(Number);
    const [a, b = a, c = a, d = b] = given.map(r =>
      Math.max(0, Math.min(r, Math.abs(w) / 2, Math.abs(h) / 2)),
    );
    /** @param {number} r @param {number} px @param {number} py */
    const corner = (r, px, py) => r && this.go("A", [px, py], { r, flags: "0 1" });
    this.go("M", [x + a, y]);
    this.go("L", [x + w - b, y]);
    corner(b, x + w, y + b);
    this.go("L", [x + w, y + h - c]);
    corner(c, x + w - c, y + h);
    this.go("L", [x + d, y + h]);
    corner(d, x, y + h - d);
    this.go("L", [x, y + a]);
    corner(a, x + a, y);
    this.go("Z", []);
    this.real.roundRect(x, y, w, h, radii);
  }

  clip() {
    this.clips = [...this.clips, this.track];
    this.real.clip();
  }

  // A path that was begun, or a shape that is given with its data.
  /** @param {any} [shape] @param {CanvasFillRule} [rule] */
  fill(shape, rule) {
    this.paint(shape?.d, this.filling() + (rule === "evenodd" ? ' fill-rule="evenodd"' : ""));
    if (shape) this.real.fill(shape, rule);
    else this.real.fill(rule);
  }
  /** @param {any} [shape] */
  stroke(shape) {
    this.paint(shape?.d, ' fill="none"', this.stroking());
    if (shape) this.real.stroke(shape);
    else this.real.stroke();
  }
  /**
   * @param {string | undefined} data
   * @param {string} look
   * @param {(scale: number) => string} [outline]
   */
  paint(data, look, outline = () => "") {
    const now = this.real.getTransform();
    if (data) {
      const d = escaped(data);
      return this.add(
        m =>
          `<path d="${d}" transform="${matrix(after(m, now))}"${look}${outline(1 / sizeOf(now))}/>\n`,
      );
    }
    const track = [...this.track];
    if (track.length)
      this.add(m => `<path d="${dataOf(track, m)}"${look}${outline(sizeOf(m))}/>\n`);
  }

  filling() {
    const { fillStyle, globalAlpha } = this.real;
    this.simple(fillStyle);
    return paintOf("fill", String(fillStyle), globalAlpha);
  }
  stroking() {
    const { strokeStyle, globalAlpha, lineWidth, lineCap, lineJoin } = this.real;
    this.simple(strokeStyle);
    const own = sizeOf(this.real.getTransform());
    const dash = this.real.getLineDash();
    const look =
      paintOf("stroke", String(strokeStyle), globalAlpha) +
      (lineCap === "butt" ? "" : ` stroke-linecap="${lineCap}"`) +
      (lineJoin === "miter" ? "" : ` stroke-linejoin="${lineJoin}"`);
    /** @param {number} scale */
    return scale =>
      `${look} stroke-width="${num(lineWidth * own * scale)}"` +
      (dash.length ? ` stroke-dasharray="${dash.map(v => num(v * own * scale)).join(" ")}"` : "");
  }
  // Whether what is drawn has a shape and one colour; if not, the canvas counts as pixels.
  /** @param {unknown} style */
  simple(style) {
    if (typeof style !== "string" || this.real.globalCompositeOperation !== "source-over")
      this.pixels = true;
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  fillRect(x, y, w, h) {
    this.apart(() => {
      this.box(x, y, w, h);
      this.paint(undefined, this.filling());
    });
    this.real.fillRect(x, y, w, h);
  }
  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  strokeRect(x, y, w, h) {
    this.apart(() => {
      this.box(x, y, w, h);
      this.paint(undefined, ' fill="none"', this.stroking());
    });
    this.real.strokeRect(x, y, w, h);
  }
  // Beside the path that was begun.
  /** @param {() => void} draw */
  apart(draw) {
    const { track } = this;
    this.track = [];
    draw();
    this.track = track;
  }
  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  clearRect(x, y, w, h) {
    this.items = []; // nobody clears a part
    this.pixels = false;
    this.real.clearRect(x, y, w, h);
  }

  /** @param {string} words @param {number} x @param {number} y */
  fillText(words, x, y) {
    this.text(words, x, y, this.filling());
    this.real.fillText(words, x, y);
  }
  /** @param {string} words @param {number} x @param {number} y */
  strokeText(words, x, y) {
    this.text(words, x, y, ' fill="none" aria-hidden="true"', this.stroking());
    this.real.strokeText(words, x, y);
  }
  // Words that go on where others of the same look end belong to them. Their length is written
  // along: letters of another font take no more room than these.
  /**
   * @param {string} words
   * @param {number} x
   * @param {number} y
   * @param {string} look
   * @param {(scale: number) => string} [outline]
   */
  text(words, x, y, look, outline = () => "") {
    const { font, textAlign, textBaseline, letterSpacing } = this.real;
    const [, weight = "400", size = "10", family = "sans-serif"] =
      font.match(/^(?:.*?\b(bold|\d{3})\s)?.*?([\d.]+)px\s+(.*)$/) ?? [];
    const now = this.real.getTransform();
    const own = sizeOf(now);
    const [px, py] = moved(now, x, y + this.baseline(textBaseline));
    const anchor = ANCHORS[/** @type {keyof typeof ANCHORS} */ (textAlign)];
    const attributes =
      ` font-family="${escaped(family.replaceAll('"', "'"))}"` +
      (weight === "400" ? "" : ` font-weight="${weight}"`) +
      (anchor ? ` text-anchor="${anchor}"` : "") +
      (parseFloat(letterSpacing) ? ` letter-spacing="${letterSpacing}"` : "") +
      look;
    const width = this.real.measureText(words).width * own;
    const { said, clips } = this;
    if (said && !anchor && said.item === this.items.at(-1) && said.item.clips === clips) {
      const gap = px - said.x - said.width;
      const same =
        said.attributes === attributes && said.size === size && Math.abs(said.y - py) < own;
      if (same && gap > -2 * own && gap < 0.7 * +size * own) {
        said.words += (gap > 0.12 * +size * own ? " " : "") + words;
        said.width = px + width - said.x;
        return;
      }
    }
    /** @type {Said} */
    const here = { words, x: px, y: py, width, attributes, size, item: { clips, write: () => "" } };
    here.item.write = m => {
      const scale = sizeOf(m);
      const place = moved(m, here.x, here.y).map(num);
      const length = ` textLength="${num(here.width * scale)}" lengthAdjust="spacingAndGlyphs"`;
      const at = `x="${place[0]}" y="${place[1]}" font-size="${num(+size * own * scale)}"`;
      return `<text ${at}${length}${attributes}${outline(scale)}>${escaped(here.words)}</text>\n`;
    };
    const before = width * ({ middle: 0.5, end: 1 }[anchor ?? ""] ?? 0);
    const tall = +size * own;
    here.item.box = () => [
      here.x - before,
      here.y - tall,
      here.x - before + here.width,
      here.y + tall / 3,
    ];
    this.said = here;
    this.items.push(here.item);
  }
  // How far below the place that is meant the letters stand.
  /** @param {CanvasTextBaseline} base */
  baseline(base) {
    const { real } = this;
    if (base === "alphabetic") return 0;
    const there = real.measureText("x").fontBoundingBoxAscent;
    real.textBaseline = "alphabetic";
    const own = real.measureText("x").fontBoundingBoxAscent;
    real.textBaseline = base;
    return own - there;
  }

  /** @param {ImageData} image @param {number} x @param {number} y */
  putImageData(image, x, y) {
    this.pixels = true;
    this.real.putImageData(image, x, y);
  }

  /** @param {any} source a canvas @param {number[]} at */
  drawImage(source, ...at) {
    const { real } = this;
    const all = [0, 0, source.width, source.height];
    const [sx, sy, sw, sh, dx, dy, dw = sw, dh = sh] = at.length > 4 ? at : [...all, ...at];
    const { globalAlpha, imageSmoothingEnabled } = real;
    this.simple("");
    const now = real.getTransform();
    const drawn = this.of(source);
    if (!sw || !sh || !dw || !dh) return;
    if (drawn && !drawn.pixels) {
      const place = {
        a: dw / sw,
        b: 0,
        c: 0,
        d: dh / sh,
        e: dx - (sx * dw) / sw,
        f: dy - (sy * dh) / sh,
      };
      const items = drawn.items.filter(({ box }) => !box || meets(box(), sx, sy, sw, sh));
      const part = source.isConnected || sw < source.width || sh < source.height;
      const { clips } = this;
      if (part)
        this.apart(() => {
          this.box(dx, dy, dw, dh);
          this.clips = [...clips, this.track];
        });
      this.add((m, defs) => {
        const inner = written(items, after(after(m, now), place), defs);
        return globalAlpha < 1 ? `<g opacity="${num(globalAlpha)}">\n${inner}</g>\n` : inner;
      });
      this.clips = clips;
    } else {
      const most = imageSmoothingEnabled ? SMOOTH : FINEST;
      const fine = Math.min(sizeOf(now), most / Math.max(dw, dh));
      const [w, h] = [Math.max(1, Math.round(dw * fine)), Math.max(1, Math.round(dh * fine))];
      const copy = Object.assign(document.createElement("canvas"), { width: w, height: h });
      const pen = /** @type {Pen} */ (copy.getContext("2d"));
      Object.assign(pen, {
        imageSmoothingEnabled,
        imageSmoothingQuality: real.imageSmoothingQuality,
      });
      pen.drawImage(source, sx, sy, sw, sh, 0, 0, w, h);
      const address = copy.toDataURL();
      this.add(m => {
        const all = after(m, now);
        const [x, y] = moved(all, dx, dy);
        const place = `x="${num(x)}" y="${num(y)}" width="${num(dw * all.a)}" height="${num(dh * all.d)}"`;
        const faint = globalAlpha < 1 ? ` opacity="${num(globalAlpha)}"` : "";
        return `<image ${place} preserveAspectRatio="none"${faint} xlink:href="${address}"/>\n`;
      });
    }
    real.drawImage(source, sx, sy, sw, sh, dx, dy, dw, dh);
  }
}

/** @param {number[]} box @param {number} x @param {number} y @param {number} w @param {number} h */
const meets = ([left, top, right, bottom], x, y, w, h) =>
  left < x + w && right > x && top < y + h && bottom > y;

// The pen of a canvas: what `Drawing` keeps it keeps, everything else is the real one's.
/** @param {Drawing} drawing @returns {Pen} */
export const penFor = drawing =>
  new Proxy(drawing.real, {
    get(real, name) {
      const own = /** @type {any} */ (drawing)[name];
      if (typeof own === "function") return own.bind(drawing);
      const there = Reflect.get(real, name, real);
      return typeof there === "function" ? there.bind(real) : there;
    },
    set: (real, name, value) => Reflect.set(real, name, value, real),
  });
