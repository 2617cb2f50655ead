// A picture of the stage, or of one of its panels: pixels, or shapes and text. Below it stands what
// it shows and where to find it.

import { penOf, Sheet } from "../canvas/draw.js";
import { make } from "../canvas/elements.js";
import { paint, SKIP } from "./painted.js";
import { Drawing, penFor } from "./svgpen.js";

const SCALE = 2; // pixels for each of the screen
// of shapes, other than any screen's: what is kept from one frame to the next is then drawn anew
const FINE = 2.5;
const EDGE = 24;
const LINE = 18;

/** @typedef {{ title: string, parts: HTMLElement[] }} Part of the stage: what is below one of its titles */

// The panels that are in sight, by their titles.
/** @param {HTMLElement} frame @returns {Part[]} */
export function partsOf(frame) {
  const heads = /** @type {HTMLElement[]} */ ([...frame.querySelectorAll("h3, .lane .head")]);
  return heads
    .filter(head => !head.closest(SKIP) && head.getBoundingClientRect().height > 0)
    .map(head => {
      const parts = [head];
      for (
        let next = head.nextElementSibling;
        next && next.tagName !== "H3";
        next = next.nextElementSibling
      )
        parts.push(/** @type {HTMLElement} */ (next));
      const chosen = head.querySelector("select")?.selectedOptions[0];
      const title = (chosen ?? head.querySelector("b") ?? head).textContent.trim();
      return { title, parts };
    })
    .filter(({ title, parts }) => title && boxOf(parts).height > 60);
}

/** @param {Element[]} parts */
function boxOf(parts) {
  const boxes = parts.flatMap(inSight);
  const left = Math.min(...boxes.map(box => box.left));
  const top = Math.min(...boxes.map(box => box.top));
  const width = Math.max(...boxes.map(box => box.right)) - left;
  return { left, top, width, height: Math.max(...boxes.map(box => box.bottom)) - top };
}

// Where an element is; one without a box of its own is where its parts are.
/** @param {Element} element @returns {DOMRect[]} */
function inSight(element) {
  if (element.matches(SKIP)) return [];
  const box = element.getBoundingClientRect();
  return box.width && box.height ? [box] : [...element.children].flatMap(inSight);
}

/**
 * @param {Stage} stage
 * @param {Part | null} part all of it where there is none
 * @param {string[]} about
 * @returns {Promise<Blob>}
 */
export async function pixels(stage, part, about) {
  const canvas = make("canvas");
  await composed(stage, SCALE, () => {
    const g = penOf(canvas);
    compose(stage, part, about, g, (width, height) => {
      Object.assign(canvas, {
        width: Math.round(width * SCALE),
        height: Math.round(height * SCALE),
      });
      g.scale(SCALE, SCALE);
    });
  });
  return new Promise((done, fail) =>
    canvas.toBlob(
      blob => (blob ? done(blob) : fail(new Error("the picture is too large"))),
      "image/png",
    ),
  );
}

/** @param {Stage} stage @param {Part | null} part @param {string[]} about */
export async function shapes(stage, part, about) {
  /** @type {Map<HTMLCanvasElement, { drawing: Drawing, pen: Pen }>} */
  const kept = new Map();
  const usual = Sheet.pen;
  /** @param {HTMLCanvasElement} canvas */
  const keeping = canvas => {
    const drawing = new Drawing(usual(canvas), other => kept.get(other)?.drawing);
    const found = kept.get(canvas) ?? { drawing, pen: penFor(drawing) };
    kept.set(canvas, found);
    return found;
  };
  return composed(stage, FINE, () => {
    Sheet.pen = canvas => keeping(canvas).pen;
    const { drawing, pen } = keeping(make("canvas", { width: 1, height: 1 }));
    const title = [stage.frame.querySelector("h2")?.textContent, part?.title]
      .filter(Boolean)
      .join(": ");
    try {
      const { width, height } = compose(stage, part, about, pen);
      return { text: drawing.svg(width, height, title, about.join("\n")), width, height, title };
    } finally {
      Sheet.pen = usual;
    }
  });
}

// The stage finer than the screen, for as long as something is made of it.
/** @template T @param {Stage} stage @param {number} scale @param {() => T} draw */
async function composed(stage, scale, draw) {
  await document.fonts.ready;
  stage.frame.classList.add("whole"); // nothing floats over what lies below the window
  Sheet.sharper = scale;
  try {
    return draw();
  } finally {
    Sheet.sharper = 1;
    stage.frame.classList.remove("whole");
    stage.paint();
  }
}

/**
 * @param {Stage} stage
 * @param {Part | null} part
 * @param {string[]} about
 * @param {Pen} g
 * @param {(width: number, height: number) => void} [fit]
 */
function compose(stage, part, about, g, fit) {
  const parts = part?.parts ?? /** @type {HTMLElement[]} */ ([...stage.frame.children]);
  const box = boxOf(parts);
  const font = `13px ${stage.theme.font}`;
  g.font = font;
  const lines = about.flatMap(words => broken(g, words, box.width));
  const width = box.width + 2 * EDGE;
  const height = box.height + (lines.length + 1) * LINE + 2 * EDGE;
  fit?.(width, height);
  g.fillStyle = stage.theme.bg;
  g.fillRect(0, 0, width, height);
  g.translate(EDGE - box.left, EDGE - box.top);
  stage.paint();
  for (const element of parts) paint(g, element);
  Object.assign(g, {
    font,
    fillStyle: stage.theme.muted,
    textAlign: "left",
    textBaseline: "alphabetic",
  });
  lines.forEach((line, k) => g.fillText(line, box.left, box.top + box.height + (k + 2) * LINE));
  return { width, height };
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
