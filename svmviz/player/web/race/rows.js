// Lanes in rows: one row of a few; of many as many as there is room for, under the headings of
// their groups.

import { make } from "../canvas/elements.js";
import { FEW, shapeIcon } from "./lane.js";

const SLIM = 84; // pixels that a lane among many takes at least
const LINE = "http://www.w3.org/2000/svg";

/**
 * @param {HTMLElement} row
 * @param {Lane[]} lanes
 * @param {RaceData["groups"]} groups
 */
export function rows(row, lanes, groups) {
  const boxes = new Map(lanes.map(lane => [lane.spec.key, lane]));
  for (const lane of lanes) lane.lined(groups.length ? sample(lane.spec) : null);
  row.replaceChildren(
    ...(groups.length
      ? groups.map(({ title, lanes: keys }) =>
          group(
            title,
            keys.flatMap(key => boxes.get(key) ?? []),
          ),
        )
      : lanes.map(lane => lane.box)),
  );
}

/** @param {string} title @param {Lane[]} lanes */
function group(title, lanes) {
  const box = make("div", { className: "group", role: "group", ariaLabel: title });
  const heading = make("h3", { textContent: title });
  box.style.setProperty("--light", lanes[0].spec.light);
  box.style.setProperty("--dark", lanes[0].spec.dark);
  box.dataset.count = String(lanes.length);
  box.append(heading, ...lanes.map(lane => lane.box));
  return box;
}

// The line by which a lane is told in the chart from others of its group, whose colour it has.
/** @param {Spec} spec */
function sample({ dash }) {
  const svg = shapeIcon("M0 0");
  svg.setAttribute("viewBox", "0 0 32 8");
  svg.setAttribute("preserveAspectRatio", "xMinYMid slice"); // cut, not made smaller
  const line = document.createElementNS(LINE, "line");
  for (const [name, value] of Object.entries({
    x1: 0,
    x2: 32,
    y1: 4,
    y2: 4,
    "stroke-dasharray": dash.join(" "),
  }))
    line.setAttribute(name, String(value));
  svg.replaceChildren(line);
  return svg;
}

// How many lanes stand side by side, over how many of these places each group reaches, and how many
// rows that makes.
/** @param {HTMLElement} row @param {number} count @param {number} width @param {number} unit */
export function fit(row, count, width, unit) {
  const room = Math.max(1, Math.floor(width / (SLIM * unit)));
  const groups = /** @type {HTMLElement[]} */ ([...row.querySelectorAll(".group")]);
  const sizes = groups.length ? groups.map(box => Number(box.dataset.count)) : Array(count).fill(1);
  const columns = count <= FEW ? count : fewest(sizes, room);
  groups.forEach((box, k) => box.style.setProperty("--span", String(Math.min(sizes[k], columns))));
  row.style.setProperty("--count", String(columns));
  const lines = taken(sizes, columns);
  row.style.setProperty("--rows", String(lines));
  return lines;
}

// The fewest columns with which groups take no more rows than with all that there is room for.
/** @param {number[]} sizes @param {number} room */
export function fewest(sizes, room) {
  const least = taken(sizes, room);
  let columns = room;
  while (columns > 1 && taken(sizes, columns - 1) <= least) columns--;
  return columns;
}

// Rows that groups take, each in the first that has room for it; one that is wider than a row has
// several.
/** @param {number[]} sizes @param {number} columns */
export function taken(sizes, columns) {
  /** @type {number[]} */
  const left = [];
  for (const size of sizes) {
    for (let wide = size; wide > columns; wide -= columns) left.push(0);
    const span = size > columns ? columns : size;
    const k = left.findIndex(free => free >= span);
    k < 0 ? left.push(columns - span) : (left[k] -= span);
  }
  return left.length;
}
