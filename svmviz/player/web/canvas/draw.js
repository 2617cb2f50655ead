// Canvas helpers shared by all panels: crisp canvases, lines, marks, text with a halo.

import { MOST, outline, tints } from "./classes.js";
import { tickText } from "./scales.js";
import { make } from "./elements.js";

/** @type {Record<"light" | "dark", [f: number, color: string][]>} */
const FIELD = {
  light: [
    [-2.4, "#F6BA7C"],
    [-1, "#FAD3AA"],
    [-0.35, "#FCEDDC"],
    [0, "#F9F9F7"],
    [0.35, "#DFECF8"],
    [1, "#B0D2F1"],
    [2.4, "#84B6E4"],
  ],
  dark: [
    [-2.4, "#964C14"],
    [-1, "#5C3416"],
    [-0.35, "#2C2018"],
    [0, "#14181F"],
    [0.35, "#16263A"],
    [1, "#1A4470"],
    [2.4, "#266CB0"],
  ],
};
const TOKENS = [
  "bg",
  "side",
  "band",
  "hair",
  "grid",
  "ghost",
  "ink",
  "ink2",
  "muted",
  "ui",
  "plus",
  "plus-text",
  "minus",
  "minus-text",
  "now",
  "floor",
  "optimum",
  "bound",
  "water",
  "surface",
  "slate",
];

/** @param {HTMLCanvasElement} canvas */
export const penOf = canvas => Sheet.pen(canvas);

// A shape that is known by its data, for pens that write it.
/** @param {string} d */
export const shaped = d => Object.assign(new Path2D(d), { d });

/** @param {HTMLElement} element @param {boolean} dark @returns {Theme} */
export function readTheme(element, dark) {
  const style = getComputedStyle(element);
  const token = /** @param {string} name */ name => style.getPropertyValue(`--${name}`).trim();
  const classes = Array.from({ length: MOST }, (_, k) => token(`class${k}`));
  const tokens = Object.fromEntries(TOKENS.map(name => [name.replace("-", "_"), token(name)]));
  return /** @type {Theme} */ ({
    ...tokens,
    dark,
    font: style.fontFamily,
    unit: parseFloat(token("unit")) || 1, // presenter mode: all type x 1.4
    palette: palette(dark ? FIELD.dark : FIELD.light),
    classes,
    tints: tints(tokens.bg, classes, dark),
  });
}

/** @param {[number, string][]} stops */
function palette(stops) {
  // 481 colours for f = -2.4 .. 2.4
  /** @param {string} hex */
  const rgb = hex => [1, 3, 5].map(k => parseInt(hex.slice(k, k + 2), 16));
  const table = new Uint32Array(481);
  for (let k = 0; k <= 480; k++) {
    const f = (k - 240) / 100;
    let s = 0;
    while (s < stops.length - 2 && f > stops[s + 1][0]) s++;
    const [[a, from], [b, to]] = [stops[s], stops[s + 1]];
    const u = (f - a) / (b - a);
    const p = rgb(from);
    const q = rgb(to);
    const [r, g, bl] = p.map((v, c) => Math.round(v + u * (q[c] - v)));
    table[k] = (255 << 24) | (bl << 16) | (g << 8) | r;
  }
  return table;
}

// A canvas that fills its element, in CSS pixels.
export class Sheet {
  w = 0;
  h = 0;
  ratio = 0;

  static sharper = 1; // pictures are painted finer than the screen
  // The pen of any canvas; while a picture is made in which lines are lines, one that keeps what it
  // draws.
  /** @param {HTMLCanvasElement} canvas */
  static pen = canvas => /** @type {Pen} */ (canvas.getContext("2d"));

  /** @param {HTMLElement} parent @param {string} [label] */
  constructor(parent, label) {
    this.canvas = parent.appendChild(make("canvas"));
    this.label = label;
    if (label) {
      this.canvas.setAttribute("role", "img");
      this.call(label);
    } else this.canvas.setAttribute("aria-hidden", "true"); // words beside it say all that it shows
    this.g = penOf(this.canvas);
  }
  /** @param {string} words */
  call(words) {
    if (this.canvas.getAttribute("aria-label") !== words)
      this.canvas.setAttribute("aria-label", words);
  }
  // Measured when the layout changes, not in every frame: asking for a size makes the browser lay
  // out the page.
  fit() {
    const box = /** @type {HTMLElement} */ (this.canvas.parentElement);
    [this.w, this.h] = [box.clientWidth, box.clientHeight];
  }
  get visible() {
    return this.w > 40 && this.h > 40;
  }
  begin() {
    const { w, h, canvas } = this;
    const ratio = Math.max(Sheet.sharper, Math.min(devicePixelRatio || 1, 2));
    const width = Math.round(w * ratio);
    const height = Math.round(h * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      Object.assign(canvas, { width, height });
      Object.assign(canvas.style, { width: `${w}px`, height: `${h}px` });
    }
    this.ratio = ratio;
    this.g = penOf(canvas);
    this.g.written = [];
    this.g.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.g.clearRect(0, 0, w, h);
    return this.g;
  }
}

/**
 * @param {Pen} g
 * @param {Theme} theme
 * @param {string} words
 * @param {number} x
 * @param {number} y
 * @param {Look} [look]
 */
export function text(
  g,
  theme,
  words,
  x,
  y,
  {
    size = 13,
    weight = 400,
    color = theme.ink2,
    align = "left",
    base = "alphabetic",
    halo = null,
  } = {},
) {
  g.font = `${weight} ${size * theme.unit}px ${theme.font}`;
  g.textAlign = align;
  g.textBaseline = base;
  if (halo) {
    g.lineJoin = "round";
    g.lineWidth = 4 * theme.unit;
    g.strokeStyle = halo;
    g.setLineDash([]);
    g.strokeText(words, x, y);
  }
  g.fillStyle = color;
  g.fillText(words, x, y);
  g.written?.push({ words, x, y, font: g.font, align, base });
}

/**
 * @param {Pen} g
 * @param {number[][]} points
 * @param {string} color
 * @param {number} [width]
 * @param {number[]} [dash]
 */
export function line(g, points, color, width = 1, dash = []) {
  g.beginPath();
  points.forEach(([x, y], k) => (k ? g.lineTo(x, y) : g.moveTo(x, y)));
  g.lineCap = dash.length && dash[0] < 1 ? "round" : "butt";
  stroke(g, color, width, dash);
  g.lineCap = "butt";
}

// A line from one point to another.
/**
 * @param {Pen} g
 * @param {number} x0
 * @param {number} y0
 * @param {number} x1
 * @param {number} y1
 * @param {string} color
 * @param {number} [width]
 * @param {number[]} [dash]
 */
export function rule(g, x0, y0, x1, y1, color, width, dash) {
  const ends = [
    [x0, y0],
    [x1, y1],
  ];
  line(g, ends, color, width, dash);
}

/**
 * @param {Pen} g
 * @param {number} x0
 * @param {number} y0
 * @param {number} x1
 * @param {number} y1
 * @param {string} color
 * @param {number} [width]
 * @param {number} [head]
 */
export function arrow(g, x0, y0, x1, y1, color, width = 2, head = 8) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1) return;
  const ux = (x1 - x0) / length;
  const uy = (y1 - y0) / length;
  const h = Math.min(head, length);
  rule(g, x0, y0, x1 - ux * h * 0.7, y1 - uy * h * 0.7, color, width);
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x1 - ux * h - uy * h * 0.45, y1 - uy * h + ux * h * 0.45);
  g.lineTo(x1 - ux * h + uy * h * 0.45, y1 - uy * h - ux * h * 0.45);
  g.fillStyle = color;
  g.fill();
}

// A filled circle, with a thin edge where a color is given for it.
/**
 * @param {Pen} g
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {string} color
 * @param {string} [edge]
 */
export function dot(g, x, y, r, color, edge) {
  g.beginPath();
  g.arc(x, y, r, 0, 7);
  g.fillStyle = color;
  g.fill();
  if (edge) stroke(g, edge, 1.5);
}

/**
 * @param {Pen} g
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {string} color
 * @param {number} width
 * @param {number[]} [dash]
 */
export function circle(g, x, y, r, color, width, dash) {
  g.beginPath();
  g.arc(x, y, r, 0, 7);
  stroke(g, color, width, dash);
}

// The outline of the path that was begun.
/** @param {Pen} g @param {string} color @param {number} width @param {number[]} [dash] */
export function stroke(g, color, width, dash = []) {
  g.lineWidth = width;
  g.strokeStyle = color;
  g.setLineDash(dash);
  g.stroke();
  g.setLineDash([]);
}

// A small triangle whose tip is at (x, y) and whose other end is `down` below it, or above.
/**
 * @param {Pen} g
 * @param {number} x
 * @param {number} y
 * @param {number} half
 * @param {number} down
 * @param {string} color
 */
export function tip(g, x, y, half, down, color) {
  g.beginPath();
  g.moveTo(x, y);
  g.lineTo(x + half, y + down);
  g.lineTo(x - half, y + down);
  g.fillStyle = color;
  g.fill();
}

/**
 * @param {Pen} g
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {string} color
 */
export function column(g, x, y, w, h, color) {
  g.fillStyle = color;
  g.fillRect(x, y, w, h);
}

// Lines across a chart at some values of y, which are written at their left ends.
/**
 * @param {Pen} g
 * @param {Theme} theme
 * @param {number[]} values
 * @param {Scale} y
 * @param {number} left
 * @param {number} right
 * @param {(v: number) => string} [words]
 */
export function gridlines(g, theme, values, y, left, right, words = tickText) {
  for (const v of values) {
    rule(g, left, y(v), right, y(v), theme.grid);
    text(g, theme, words(v), left - 8, y(v), {
      color: theme.muted,
      align: "right",
      base: "middle",
    });
  }
}

// Class +1 is a circle, class -1 a diamond 1.22 x its radius, others have shapes of their own:
// never colour alone. A class is true or false where there are two, else its number.
/** @param {Pen} g @param {Kind} kind @param {number} x @param {number} y @param {number} r */
export const trace = (g, kind, x, y, r) =>
  outline(g, kind === true ? 0 : kind === false ? 1 : kind, x, y, r);
/** @param {Theme} theme @param {Kind} kind */
export const colorOf = (theme, kind) =>
  kind === true ? theme.plus : kind === false ? theme.minus : theme.classes[kind % MOST];

// The mark of one example.
/**
 * @param {Pen} g
 * @param {Kind} kind
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {string} color
 */
export function mark(g, kind, x, y, r, color) {
  g.beginPath();
  trace(g, kind, x, y, r);
  g.fillStyle = color;
  g.fill();
}

// All marks of a class in one path: one fill, one outline.
/**
 * @param {Pen} g
 * @param {Theme} theme
 * @param {number} count
 * @param {(i: number) => Mark | null} place
 * @param {boolean} [outlined]
 */
export function marks(g, theme, count, place, outlined = true) {
  const groups = new Map();
  for (let i = 0; i < count; i++) {
    const p = place(i);
    if (!p) continue;
    const kind = p.kind ?? p.positive;
    groups.get(kind)?.push(p) ?? groups.set(kind, [p]);
  }
  for (const [kind, group] of groups) {
    g.beginPath();
    for (const p of group) trace(g, kind, p.x, p.y, p.r);
    if (outlined) stroke(g, theme.bg, 2);
    g.fillStyle = colorOf(theme, kind);
    g.fill();
  }
}

// Figures by the hundred: each size is drawn once and then stamped, which costs the raster a tenth
// of drawing them all. `paint` draws one of radius r about 0, with a rim of this width.
/**
 * @param {number} rim
 * @param {number} ratio
 * @param {(h: Pen, r: number, kind: Kind) => void} paint
 */
export function stamps(rim, ratio, paint) {
  /** @type {Map<string, HTMLCanvasElement>} */
  const made = new Map();
  /** @param {Pen} g @param {number} x @param {number} y @param {number} r @param {Kind} [kind] */
  return (g, x, y, r, kind = true) => {
    const size = Math.round(r * 2);
    const half = size / 2 + rim;
    let canvas = made.get(`${kind} ${size}`);
    if (!canvas) {
      canvas = make("canvas", {
        width: Math.ceil(2 * half * ratio),
        height: Math.ceil(2 * half * ratio),
      });
      const h = penOf(canvas);
      h.scale(ratio, ratio);
      h.translate(half, half);
      paint(h, size / 2, kind);
      made.set(`${kind} ${size}`, canvas);
    }
    /** @param {number} v */
    const whole = v => Math.round(v * ratio) / ratio; // on whole pixels nothing is blended
    g.drawImage(
      canvas,
      whole(x - half),
      whole(y - half),
      canvas.width / ratio,
      canvas.height / ratio,
    );
  };
}

// What was drawn now: a ring with four ticks and a halo, so that it is never colour alone.
/** @param {Pen} g @param {Theme} theme @param {number} x @param {number} y @param {number} [r] */
export function ring(g, theme, x, y, r = 13) {
  r *= Math.sqrt(theme.unit);
  g.beginPath();
  g.arc(x, y, r, 0, 2 * Math.PI);
  for (const side of r > 6 ? [1, -1] : []) {
    g.moveTo(x + side * r, y);
    g.lineTo(x + side * (r + 6), y);
    g.moveTo(x, y + side * r);
    g.lineTo(x, y + side * (r + 6));
  }
  stroke(g, theme.bg, 5.5);
  stroke(g, theme.now, 2.75);
}

// The room between two curves, full up to the step on screen, faint beyond it.
/**
 * @param {Pen} g
 * @param {Theme} theme
 * @param {number[][]} high
 * @param {number[][]} low
 * @param {{ left: number, cut: number, right: number, h: number }} options
 * @param {number} width
 */
export function between(g, theme, high, low, { left, cut, right, h }, width) {
  for (const [from, to, alpha] of [
    [left, cut, 1],
    [cut, right + 1, 0.27],
  ]) {
    g.save();
    g.beginPath();
    g.rect(from, 0, to - from, h);
    g.clip();
    g.globalAlpha = alpha;
    g.beginPath();
    [...high, ...low.toReversed()].forEach(([x, y], k) => (k ? g.lineTo(x, y) : g.moveTo(x, y)));
    g.fillStyle = theme.hair;
    g.fill();
    for (const points of [high, low]) line(g, points, theme.ink, width);
    g.restore();
  }
}
