// Parts of the page, painted with a pen where the page shows them: backgrounds, borders, canvases
// and text, without what one can only press.

import { shaped } from "../canvas/draw.js";

export const SKIP =
  ".actions, .toast, dialog, .spoken, .pointed, .cross, .walk, .tip, .tabs, .hint, option, [hidden], .transport, " +
  ".tools, .surface, .meaning, .stop, .glow, .theorem, h3 .segments, button:not(.lane, .segments [aria-checked=true], .modes [aria-pressed=true])";
const CONTROL = "select, .segments, button"; // of these only the words that are chosen

/** @param {Pen} g @param {HTMLElement | SVGElement} element */
export function paint(g, element) {
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
  g.letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
  g.fillStyle = style.color;
  g.textAlign = "left";
  g.textBaseline = "middle";
  g.fillText(text, x, box.top + box.height / 2 + 1);
  g.letterSpacing = "0px";
}

/**
 * @param {Pen} g
 * @param {SVGSVGElement} element
 * @param {DOMRect} box
 * @param {CSSStyleDeclaration} style
 */
function icon(g, element, box, style) {
  const { x, y, width, height } = element.viewBox.baseVal;
  const path = shaped(element.firstElementChild?.getAttribute("d") ?? "");
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
