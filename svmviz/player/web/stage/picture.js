// The stage as a PNG: backgrounds, borders, canvases and text are painted onto one canvas where the page
// shows them, without what one can only press. Below it stands what it shows and where to find it.

import { penOf, Sheet } from "./draw.js";
import { make } from "./elements.js";

const SCALE = 2;
const EDGE = 24;
const LINE = 18;
const SKIP =
  ".actions, .toast, dialog, .spoken, .pointed, .cross, .walk, .tip, .tabs, .hint, option, [hidden], .transport, " +
  ".tools, .surface, .meaning, .stop, .glow, .theorem, h3 .segments, button:not(.lane, .segments [aria-checked=true], .modes [aria-pressed=true])";
const CONTROL = "select, .segments, button"; // of these only the words that are chosen

/** @param {Stage} stage @param {string[]} about */
export async function picture(stage, about) {
  const canvas = make("canvas");
  const g = penOf(canvas);
  await document.fonts.ready;
  stage.frame.classList.add("whole"); // nothing floats over what lies below the window
  const { left, top, width } = stage.frame.getBoundingClientRect();
  const font = `13px ${stage.theme.font}`;
  const shown = [...stage.frame.querySelectorAll("*")]
    .filter(e => !e.closest(SKIP))
    .map(e => e.getBoundingClientRect().bottom);
  g.font = font;
  const lines = about.flatMap(words => broken(g, words, width));
  const height = Math.max(...shown) - top;
  const foot = (lines.length + 1) * LINE;
  canvas.width = Math.round((width + 2 * EDGE) * SCALE);
  canvas.height = Math.round((height + foot + 2 * EDGE) * SCALE);
  g.scale(SCALE, SCALE);
  g.fillStyle = stage.theme.bg;
  g.fillRect(0, 0, width + 2 * EDGE, height + foot + 2 * EDGE);
  g.translate(EDGE - left, EDGE - top);
  Sheet.sharper = SCALE;
  stage.paint();
  paint(g, stage.frame);
  Object.assign(g, { font, fillStyle: stage.theme.muted, textAlign: "left", textBaseline: "alphabetic" });
  lines.forEach((line, k) => g.fillText(line, left, top + height + (k + 2) * LINE));
  stage.frame.classList.remove("whole");
  Sheet.sharper = 1;
  stage.paint();
  return new Promise(done => canvas.toBlob(done, "image/png"));
}

// Words in lines of this width, broken at a gap, or anywhere in a link, which has none.
/** @param {Pen} g @param {string} words @param {number} width @returns {string[]} */
function broken(g, words, width) {
  /** @param {string} line */
  const fits = line => g.measureText(line).width <= width;
  let end = words.length;
  while (end > 1 && !fits(words.slice(0, end))) end--;
  if (end === words.length) return [words];
  const gap = words.lastIndexOf(" ", end) + 1 || end;
  return [words.slice(0, gap), ...broken(g, words.slice(gap), width)];
}

/** @param {Pen} g @param {HTMLElement | SVGElement} element */
function paint(g, element) {
  if (element.matches(SKIP)) return;
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const control = element.matches(CONTROL);
  if (
    style.display === "none" ||
    style.visibility === "hidden" ||
    (!box.width && style.display !== "contents")
  )
    return;
  if (element.matches(".key .minus")) return void diamond(g, style, box);
  const radius = parseFloat(style.borderRadius) || 0;
  const edge = parseFloat(style.borderTopWidth) || 0;
  g.beginPath();
  g.roundRect(box.left, box.top, box.width, box.height, Math.min(radius, box.height / 2));
  if (!control && element.tagName !== "CANVAS" && style.backgroundColor !== "rgba(0, 0, 0, 0)") {
    g.fillStyle = style.backgroundColor;
    g.fill();
  }
  if (!control && edge && style.borderTopStyle !== "none" && style.borderLeftStyle !== "none") {
    g.lineWidth = edge;
    g.strokeStyle = style.borderTopColor;
    g.stroke();
  }
  if (style.borderTopStyle === "none" && parseFloat(style.borderLeftWidth)) {
    g.fillStyle = style.borderLeftColor;
    g.fillRect(box.left, box.top, parseFloat(style.borderLeftWidth), box.height);
  }
  if (element.dataset.n)
    write(g, getComputedStyle(element, "::before"), element.dataset.n, box.left + 14, box);
  if (element instanceof HTMLCanvasElement)
    return void g.drawImage(element, box.left, box.top, box.width, box.height);
  if (element instanceof HTMLSelectElement)
    return void write(
      g,
      style,
      element.selectedOptions[0]?.textContent ?? "",
      box.left + parseFloat(style.paddingLeft) + 1,
      box,
    );
  if (element instanceof SVGSVGElement) return void icon(g, element, box, style);
  for (const node of element.childNodes) {
    if (node instanceof HTMLElement || node instanceof SVGElement) paint(g, node);
    else if (node instanceof Text && node.data.trim()) words(g, style, node);
  }
}

/** @param {Pen} g @param {CSSStyleDeclaration} style @param {Text} node */
function words(g, style, node) {
  // word by word, so that wrapped lines stay wrapped
  const range = document.createRange();
  for (const match of node.data.matchAll(/\S+/g)) {
    range.setStart(node, match.index);
    range.setEnd(node, match.index + match[0].length);
    const box = range.getBoundingClientRect();
    write(g, style, match[0], box.left, box);
  }
}

/**
 * @param {Pen} g
 * @param {CSSStyleDeclaration} style
 * @param {string} text
 * @param {number} x
 * @param {DOMRect} box
 */
function write(g, style, text, x, box) {
  g.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  g.fillStyle = style.color;
  g.textAlign = "left";
  g.textBaseline = "middle";
  g.fillText(text, x, box.top + box.height / 2 + 1);
}

/** @param {Pen} g @param {SVGSVGElement} element @param {DOMRect} box @param {CSSStyleDeclaration} style */
function icon(g, element, box, style) {
  const { x, y, width, height } = element.viewBox.baseVal;
  const path = new Path2D(element.firstElementChild?.getAttribute("d") ?? "");
  g.save();
  g.translate(box.left, box.top);
  g.scale(box.width / width, box.height / height);
  g.translate(-x, -y);
  if (style.fill !== "none") {
    g.fillStyle = style.fill;
    g.fill(path);
  }
  if (style.stroke !== "none") {
    g.strokeStyle = style.stroke;
    g.lineWidth = parseFloat(style.strokeWidth);
    g.stroke(path);
  }
  g.restore();
}

/** @param {Pen} g @param {CSSStyleDeclaration} style @param {DOMRect} box */
function diamond(g, style, { left, top, width, height }) {
  g.beginPath();
  for (const [x, y] of [
    [0.5, 0],
    [1, 0.5],
    [0.5, 1],
    [0, 0.5],
  ])
    g.lineTo(left + x * width, top + y * height);
  g.fillStyle = style.backgroundColor;
  g.fill();
}
