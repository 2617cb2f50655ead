// The stage as a PNG: backgrounds, borders, canvases and text are painted onto one canvas where the page shows them.

import { Sheet } from "./draw.js";

const SCALE = 2, EDGE = 24;

export async function picture(stage) {
  const box = stage.frame.getBoundingClientRect(), canvas = document.createElement("canvas"), g = canvas.getContext("2d");
  canvas.width = Math.round((box.width + 2 * EDGE) * SCALE);
  canvas.height = Math.round((box.height + 2 * EDGE) * SCALE);
  g.scale(SCALE, SCALE);
  g.fillStyle = stage.theme.bg;
  g.fillRect(0, 0, box.width + 2 * EDGE, box.height + 2 * EDGE);
  g.translate(EDGE - box.left, EDGE - box.top);
  await document.fonts.ready;
  Sheet.sharper = SCALE;
  stage.paint();
  paint(g, stage.frame);
  Sheet.sharper = 1;
  stage.paint();
  return new Promise(done => canvas.toBlob(done, "image/png"));
}

const SKIP = ".actions, .toast, dialog, .spoken, .tip, .tabs, .hint, option, [hidden]";

function paint(g, element) {
  if (element.matches(SKIP)) return;
  const style = getComputedStyle(element), box = element.getBoundingClientRect();
  if (style.display === "none" || style.visibility === "hidden" || !box.width) return;
  if (element.matches(".key .minus")) return void diamond(g, style, box);
  const radius = parseFloat(style.borderRadius) || 0, edge = parseFloat(style.borderTopWidth) || 0;
  g.beginPath();
  g.roundRect(box.left, box.top, box.width, box.height, Math.min(radius, box.height / 2));
  if (element.tagName !== "CANVAS" && style.backgroundColor !== "rgba(0, 0, 0, 0)") { g.fillStyle = style.backgroundColor; g.fill(); }
  if (edge && style.borderTopStyle !== "none" && style.borderLeftStyle !== "none") { g.lineWidth = edge; g.strokeStyle = style.borderTopColor; g.stroke(); }
  if (style.borderTopStyle === "none" && parseFloat(style.borderLeftWidth)) { g.fillStyle = style.borderLeftColor; g.fillRect(box.left, box.top, parseFloat(style.borderLeftWidth), box.height); }
  if (element.dataset.n) write(g, getComputedStyle(element, "::before"), element.dataset.n, box.left + 14, box);
  if (element.tagName === "CANVAS") return void g.drawImage(element, box.left, box.top, box.width, box.height);
  if (element.tagName === "SELECT") return void write(g, style, element.selectedOptions[0]?.textContent ?? "", box.left + parseFloat(style.paddingLeft) + 1, box);
  if (element.tagName === "svg") return void icon(g, element, box, style);
  for (const node of element.childNodes) {
    if (node.nodeType === Node.ELEMENT_NODE) paint(g, node);
    else if (node.nodeType === Node.TEXT_NODE && node.data.trim()) words(g, style, node);
  }
}

function words(g, style, node) {                             // word by word, so that wrapped lines stay wrapped
  const range = document.createRange();
  for (const match of node.data.matchAll(/\S+/g)) {
    range.setStart(node, match.index);
    range.setEnd(node, match.index + match[0].length);
    const box = range.getBoundingClientRect();
    write(g, style, match[0], box.left, box);
  }
}

function write(g, style, text, x, box) {
  g.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  g.fillStyle = style.color;
  g.textAlign = "left";
  g.textBaseline = "middle";
  g.fillText(text, x, box.top + box.height / 2 + 1);
}

function icon(g, element, box, style) {
  const { x, y, width, height } = element.viewBox.baseVal, path = new Path2D(element.firstElementChild.getAttribute("d"));
  g.save();
  g.translate(box.left, box.top);
  g.scale(box.width / width, box.height / height);
  g.translate(-x, -y);
  if (style.fill !== "none") { g.fillStyle = style.fill; g.fill(path); }
  if (style.stroke !== "none") { g.strokeStyle = style.stroke; g.lineWidth = parseFloat(style.strokeWidth); g.stroke(path); }
  g.restore();
}

function diamond(g, style, { left, top, width, height }) {
  g.beginPath();
  for (const [x, y] of [[.5, 0], [1, .5], [.5, 1], [0, .5]]) g.lineTo(left + x * width, top + y * height);
  g.fillStyle = style.backgroundColor;
  g.fill();
}
