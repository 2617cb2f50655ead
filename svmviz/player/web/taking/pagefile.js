// What is on a stage as one file that plays by itself: the page that the server has ready, with the
// run put in. The visitor's own data need not leave the browser for it.

import { rewritten } from "../engine/wire.js";

const GAPS = /\$(title|about|blocks)\b/;

// A run that nothing can be changed in, and that stands where the stage does.
/**
 * @param {Uint8Array} bytes
 * @param {Record<string, any>} view
 * @param {Record<string, any>} [more]
 */
export const settled = (bytes, view, more) =>
  rewritten(bytes, header => ({
    ...header,
    ...{
      final: true,
      editable: false,
      invite: false,
      undo: 0,
      redo: 0,
      strokes: 0,
      knob: null,
      address: "",
    },
    ...{
      forks: undefined,
      previews: undefined,
      races: false,
      stale: null,
      view: { ...view, serial: 1, play: 0 },
    },
    ...more,
  }));

/**
 * @param {string} entry of the stage @param {string} title @param {Record<string, Uint8Array>} runs by name
 * @param {Record<string, any>} [about]
 */
export async function pageFile(entry, title, runs, about) {
  const home = `${location.origin}${location.pathname}`;
  const said = JSON.stringify({ entry, runs: Object.keys(runs), home, title, ...about });
  const blocks = await Promise.all(
    Object.values(runs).map(
      async (run, k) =>
        `<script type="text/plain" id="svmviz-run-${k}">${await deflated(run)}</script>`,
    ),
  );
  /** @type {Record<string, string>} */
  const parts = {
    title: escaped(title),
    about: said.replaceAll("<", "\\u003c"),
    blocks: blocks.join("\n"),
  };
  const answer = await fetch(`${globalThis.svmvizLibraries}page-${entry}.html`);
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  const text = await answer.text();
  return new Blob(
    [
      text
        .split(GAPS)
        .map((part, k) => (k % 2 ? parts[part] : part))
        .join(""),
    ],
    { type: "text/html" },
  );
}

/** @param {string} words */
const escaped = words => words.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`);

/** @param {Uint8Array} bytes @returns {Promise<string>} */
async function deflated(bytes) {
  const stream = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)]).stream();
  const packed = await new Response(stream.pipeThrough(new CompressionStream("deflate"))).blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).split(",")[1]));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(packed);
  });
}
