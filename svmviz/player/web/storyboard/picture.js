// A small picture of what is on stage, for a strip: plane and mechanism, or the two planes of a
// fork.

import { make } from "../canvas/elements.js";
import { penOf } from "../canvas/draw.js";

const [WIDTH, HEIGHT] = [256, 144];
// of all panels, by their height: else they would be too small, and the plane stands for all
const WIDEST = 2.4;

/** @param {Stage} stage */
export function small(stage) {
  const shown = [...stage.frame.querySelectorAll("canvas")]
    .filter(canvas => !canvas.closest(".curves, [hidden]") && canvas.width)
    .map(canvas => ({ canvas, box: canvas.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 20 && box.height > 20);
  const whole = extent(shown);
  const parts =
    whole.wide < WIDEST * whole.high && whole.high < whole.wide ? shown : shown.slice(0, 1);
  if (!parts.length) return "";
  const { left, top, wide, high } = extent(parts);
  const canvas = make("canvas", { width: WIDTH, height: HEIGHT });
  const g = penOf(canvas);
  const scale = Math.min(WIDTH / wide, HEIGHT / high);
  g.fillStyle = stage.theme.bg;
  g.fillRect(0, 0, WIDTH, HEIGHT);
  g.imageSmoothingQuality = "high";
  g.translate((WIDTH - wide * scale) / 2, (HEIGHT - high * scale) / 2);
  g.scale(scale, scale);
  for (const { canvas: part, box } of parts)
    g.drawImage(part, box.left - left, box.top - top, box.width, box.height);
  return canvas.toDataURL("image/webp", 0.75);
}

/** @param {{ box: DOMRect }[]} parts */
function extent(parts) {
  const [left, top] = [
    Math.min(...parts.map(p => p.box.left)),
    Math.min(...parts.map(p => p.box.top)),
  ];
  const wide = Math.max(...parts.map(p => p.box.right)) - left;
  return { left, top, wide, high: Math.max(...parts.map(p => p.box.bottom)) - top };
}
