// SVG, written: places under a transformation, colours, paths, what others are cut by.

/** @typedef {{ a: number, b: number, c: number, d: number, e: number, f: number }} Affine */
/** @typedef {{ kind: string, points: number[], r?: number, flags?: string }[]} Track of a path, in pixels of its canvas */
/** @typedef {{ clips: Track[], write: (m: Affine, defs: Defs) => string, box?: () => number[] }} Item */

/** @param {number} v */
export const num = v => String(+v.toFixed(2));

/** @param {string} words */
export const escaped = words =>
  [...words]
    .filter(sign => sign >= " " || sign === "\n" || sign === "\t") // others are no XML
    .join("")
    .replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`);

/** @param {Affine} m @param {Affine} n first n, then m @returns {Affine} */
export const after = (m, n) => ({
  a: m.a * n.a + m.c * n.b,
  b: m.b * n.a + m.d * n.b,
  c: m.a * n.c + m.c * n.d,
  d: m.b * n.c + m.d * n.d,
  e: m.a * n.e + m.c * n.f + m.e,
  f: m.b * n.e + m.d * n.f + m.f,
});
/** @param {Affine} m @param {number} x @param {number} y */
export const moved = (m, x, y) => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f];
/** @param {Affine} m */
export const sizeOf = m => Math.sqrt(Math.abs(m.a * m.d - m.b * m.c));
/** @param {Affine} m */
export const matrix = m =>
  `matrix(${[m.a, m.b, m.c, m.d, m.e, m.f].map(v => +v.toFixed(5)).join(" ")})`;

// A colour and how much of it, as attributes.
/** @param {string} what @param {string} color as a canvas tells it @param {number} alpha */
export function paintOf(what, color, alpha) {
  const parts = color.match(/[\d.]+/g) ?? [];
  if (!color.startsWith("rgb")) return ` ${what}="${color}"${opacity(what, alpha)}`;
  const hex = parts.slice(0, 3).map(part => Math.round(+part).toString(16).padStart(2, "0"));
  return ` ${what}="#${hex.join("")}"${opacity(what, alpha * Number(parts[3] ?? 1))}`;
}
/** @param {string} what @param {number} alpha */
const opacity = (what, alpha) => (alpha < 1 ? ` ${what}-opacity="${num(alpha)}"` : "");

/** @param {Track} track @param {Affine} m */
export const dataOf = (track, m) =>
  track
    .map(({ kind, points, r = 0, flags }) => {
      const places = [];
      for (let k = 0; k < points.length; k += 2)
        places.push(
          moved(m, points[k], points[k + 1])
            .map(num)
            .join(" "),
        );
      const arc = flags ? `${num(r * sizeOf(m))} ${num(r * sizeOf(m))} 0 ${flags} ` : "";
      return kind + arc + places.join(" ");
    })
    .join("");

// What stands at the head of a document: shapes that others are cut by.
export class Defs {
  /** @type {Map<string, string>} */ clips = new Map();

  /** @param {string} data */
  clip(data) {
    const id = this.clips.get(data) ?? `clip${this.clips.size + 1}`;
    this.clips.set(data, id);
    return id;
  }

  toString() {
    const all = [...this.clips].map(
      ([d, id]) => `<clipPath id="${id}"><path d="${d}"/></clipPath>`,
    );
    return all.length ? `<defs>${all.join("")}</defs>\n` : "";
  }
}

// Items one after the other; those that are cut by the same shapes are cut together.
/**
 * @param {Item[]} items
 * @param {Affine} m
 * @param {Defs} defs
 * @param {number} [depth]
 * @returns {string}
 */
export function written(items, m, defs, depth = 0) {
  let text = "";
  for (let k = 0; k < items.length;) {
    const clip = items[k].clips[depth];
    let end = k + 1;
    while (clip && end < items.length && items[end].clips[depth] === clip) end++;
    text += clip
      ? `<g clip-path="url(#${defs.clip(dataOf(clip, m))})">\n${written(items.slice(k, end), m, defs, depth + 1)}</g>\n`
      : items[k].write(m, defs);
    k = end;
  }
  return text;
}
