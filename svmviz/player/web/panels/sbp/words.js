// What stands beside the water of a basin: level, volume, who is under it, who was drawn.

import { decimals } from "../../engine/words.js";
import { rule, text } from "../../canvas/draw.js";
import { clamp } from "../../canvas/scales.js";
import { fitting, Labels, sides, widthOf } from "../../canvas/labels.js";

// where in the water a leader may end, as shares of its width
const LEADERS = [0.5, 0.3, 0.7, 0.15, 0.85, 0.05, 0.95];

/** @param {View} view */
export const drawnNow = ({ t, drawn, beat }) => t > 0 && drawn.length > 0 && beat !== "measure";

// All of them. What was drawn comes first; what finds no room without touching another is left out.
/** @param {Basin} basin @param {Pen} g @param {View} view @param {Water} water */
export function say(basin, g, view, water) {
  const { theme, slow, linked, segment } = view;
  const { w, h, place, cw } = basin;
  const i = drawnNow(view) ? view.drawn[0] : -1;
  const shown = i >= 0 && place[i] >= 0;
  const labels = new Labels(g, theme, { right: w, bottom: h });
  const bold = { size: 13.5, weight: 700, halo: theme.bg };
  const looks = {
    plain: { ...bold, color: theme.ink },
    teal: { ...bold, color: theme.surface },
    now: { ...bold, color: theme.now },
  };
  const { bias } = segment.params;
  const taken = shown ? place[i] + cw / 2 : -Infinity;
  const telling = { basin, labels, view, water, looks, i, taken };
  if (bias) two(telling);
  if (shown && slow) (bias ? drawnOfTwo : drawnOfOne)(telling);
  if (!bias) one(telling);
  if (linked >= 0 && place[linked] >= 0) link(basin, labels, linked, looks.plain);
}

/**
 * @typedef {object} Telling all that words may speak of
 * @property {Basin} basin
 * @property {Labels} labels
 * @property {View} view
 * @property {Water} water
 * @property {{ plain: Look, teal: Look, now: Look }} looks
 * @property {number} i the example that was drawn
 * @property {number} taken where its column stands
 */

/** @param {Telling} telling */
function one(telling) {
  const { basin, labels, view, water } = telling;
  const { teal } = telling.looks;
  const { g, theme } = labels;
  const { height, u, w, bottom } = basin;
  const { left, width, level } = basin.stretch(water, 0);
  const at = clamp(height(level), 8 * u, bottom - 6 * u);
  /** @type {Look} */
  const beside = { weight: 700, color: theme.surface, base: "middle", halo: theme.bg };
  text(g, theme, decimals(water.gamma, 3), basin.left - 8, at, { ...beside, align: "right" });
  if (basin.spread === 0) basin.bracket(g, theme, left, width);
  const wet = `k = ${water.k} under water`;
  const each = `${wet}, each drawn with p = 1/${water.k}`;
  const dry = `${view.now.count - water.k} dry`;
  const pairs = [
    [each, `${dry}, never drawn now`],
    [each, dry],
    [`${wet}, p = 1/${water.k}`, dry],
    [wet, dry],
    [wet, ""],
  ];
  /** @param {string[]} words */
  const fits = ([a, b]) => widthOf(g, theme, a, teal) + widthOf(g, theme, b) + 14 * u < w - left;
  const [under, above] = pairs.find(fits) ?? pairs.at(-1);
  labels.must(under, teal, [left, bottom + 30 * u]);
  labels.put(above, { color: theme.muted }, [w, bottom + 30 * u, "right"]);
  volume(telling);
  const over = clamp(height(level) - 8 * u, 14 * u, bottom - 4);
  const shore = left + width;
  const edge = clamp(shore, left + 60 * u, w) - 6;
  labels.put(
    "level γ",
    teal,
    [edge, over, "right"],
    [shore + 8, over],
    [left + width / 2, over, "center"],
    [w, over, "right"],
  );
}

// How much water there is, with a leader into it: never into a dry column, nor the drawn one, and
// where there is no room for a leader, without.
/** @param {Telling} telling */
function volume({ basin, labels, view, water, looks: { teal }, taken }) {
  const { height, u, w, bare } = basin;
  const { left, width, level } = basin.stretch(water, 0);
  const top = 14 * u;
  const end = height(level);
  const nu = +water.nu.toPrecision(3);
  const poured = +(water.nu * view.now.count).toPrecision(4);
  const trying = `let go: ν = ${nu}`;
  if (bare) {
    labels.put(
      view.supposed ? trying : `water νn = ${poured}`,
      teal,
      [w, top, "right"],
      [basin.left, top],
    );
    return;
  }
  const lines = [
    view.supposed ? trying : "water poured in",
    `νn = ${nu} × ${view.now.count} = ${poured}`,
  ];
  const tries = LEADERS.map(share => left + width * share).filter(x => Math.abs(x - taken) > 6);
  for (const x of basin.spread === 0 && end > 44 * u ? tries : []) {
    if (!labels.put(lines, teal, [x - 6, top], [x + 6, top, "right"])) continue;
    rule(labels.g, x, 36 * u, x, end + 8 * u, labels.theme.surface, 1.25);
    labels.block({ left: x - 3, right: x + 3, top: 36 * u, bottom: end });
    return;
  }
  labels.put(lines, teal, [w, top, "right"], [basin.left, top]);
}

/** @param {Telling} telling */
function two({ basin, labels, view: { now }, water, looks: { plain, teal } }) {
  const { g, theme } = labels;
  const { height, u, w, bottom, bare, middle, gap } = basin;
  const [a, b] = [0, 1].map(s => basin.stretch(water, s));
  /** @param {number} s @param {string} name */
  const named = (s, name) => [
    `${name} basin · ${now.order[s].length} points`,
    `${name} · ${now.order[s].length} points`,
    name,
  ];
  const half = (w - basin.left) / 2 - 8 * u;
  const centre = (basin.left + w) / 2;
  const low = bottom + 30 * u;
  const x = middle + gap / 2;
  const [plus, minus] = ["+1", "−1"].map((name, s) =>
    fitting(g, theme, half, named(s, name), plain),
  );
  labels.must(plus, { ...plain, color: theme.plus_text }, [basin.left, 16 * u]);
  labels.must(minus, { ...plain, color: theme.minus_text }, [w, 16 * u, "right"]);
  const poured = `water νn = ${+(water.nu * now.count).toPrecision(4)}`;
  labels.put(poured, teal, [centre, 16 * u, "center"], [centre, 34 * u, "center"]);
  if (basin.spread === 0) {
    for (const { left, width } of [a, b]) basin.bracket(g, theme, left, width);
    labels.must(`k = ${water.k}`, teal, [middle, low, "right"]);
    labels.put("=", teal, [x, low, "center"]);
    labels.must(`k = ${water.k}`, teal, [middle + gap, low]);
  }
  if (!bare)
    labels.put(
      `each wet point: p = 1/${2 * water.k}`,
      { color: theme.muted },
      [basin.left, low],
      [w, low, "right"],
    );
  const turn = height(water.gamma);
  const pivot = turn + 58 * u < bottom ? turn + 37 * u : turn - 28 * u;
  labels.must([`γ = ${decimals(water.gamma, 3)}`, `b = ${decimals(water.b, 3)}`], plain, [
    x,
    pivot,
    "center",
  ]);
  /** @param {number} level */
  const over = level => clamp(height(level) - 10 * u, 30 * u, bottom - 4);
  labels.put(
    `γ − b = ${decimals(a.level, 3)}`,
    teal,
    [middle - 6, over(a.level), "right"],
    [basin.left, over(a.level)],
  );
  labels.put(
    `γ + b = ${decimals(b.level, 3)}`,
    teal,
    [middle + gap + 6, over(b.level)],
    [w, over(b.level), "right"],
  );
}

/** @param {Telling} telling */
function drawnOfOne({ basin, labels, view: { now }, i, looks: { now: look } }) {
  // above its column, with a leader down to it
  const { height, u, bare, place, cw } = basin;
  const x = place[i] + cw / 2;
  const end = Math.max(height(basin.level(i)) - 6, 38 * u);
  if (bare) {
    labels.must(`i = ${i + 1}`, look, [x, 14 * u, "center"]);
    return;
  }
  labels.must(
    [`drawn: i = ${i + 1}`, `c[i] = ${decimals(now.c[i], 3)}`],
    look,
    [x - 6, 14 * u],
    [x + 6, 14 * u, "right"],
  );
  rule(labels.g, x, 36 * u, x, end, labels.theme.now, 1.25);
  labels.block({ left: x - 3, right: x + 3, top: 36 * u, bottom: end });
}

/** @param {Telling} telling */
function drawnOfTwo({ basin, labels, view: { now, run }, i, looks: { now: look } }) {
  // beside its column, inwards if there is room
  const { height, u, bottom, place, cw } = basin;
  const x = place[i] + cw / 2;
  const top = height(now.c[i]);
  const inwards = run.y[i];
  const heights = [5, 40, -40, 75, -75, 110].map(down =>
    clamp(top + down * u, 60 * u, bottom - 30 * u),
  );
  const places = heights.flatMap(y =>
    inwards < 0 ? sides(x, 14, [y]).reverse() : sides(x, 14, [y]),
  );
  labels.put([`i = ${i + 1}`, `c[i] = ${decimals(now.c[i], 3)}`], look, ...places);
}

/** @param {Basin} basin @param {Labels} labels @param {number} i @param {Look} look */
function link(basin, labels, i, look) {
  // the column of the point that the pointer is on
  const { g, theme } = labels;
  const { height, place, cw, now, u, bottom } = basin;
  const width = Math.max(cw, 3);
  const x = place[i] - (width - cw) / 2;
  const top = height(now.c[i]);
  const heights = [
    Math.max(top - 8, 48 * u),
    ...[24, 48, 72].map(down => Math.min(top + down * u, bottom - 8)),
  ];
  g.lineWidth = 2;
  g.strokeStyle = theme.ui;
  g.strokeRect(x - 1, top - 1, width + 2, bottom - top + 2);
  const state = basin.wet(i) ? "under water" : "dry";
  const words = `point ${i + 1}: c = ${decimals(now.c[i], 3)}, ${state}`;
  labels.must(words, { ...look, weight: 600 }, ...sides(x + width / 2, width / 2 + 8, heights));
}
