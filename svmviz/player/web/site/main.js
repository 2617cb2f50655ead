// A site without a server: each page says what it shows, and its runs are files beside it.

import { start } from "../offline/main.js";
import { find } from "../canvas/elements.js";
import { bytes } from "./files.js";
import { Gallery } from "./gallery.js";
import { read } from "./reading.js";

export async function open() {
  const page = /** @type {SitePage} */ (
    JSON.parse(find(document, "#svmviz-page").textContent ?? "")
  );
  try {
    if (page.kind === "reading") await read(page);
    else if (page.grid) await start(page, [await Gallery.first(page)], Gallery);
    else await start(page, page.files.map(held));
  } catch (error) {
    console.error(error);
    const place = document.querySelector("[role=status]");
    if (place)
      place.textContent = `This page could not be opened here: ${error}. A newer browser can.`;
  }
}

/** @param {string} address */
const held = address => () => bytes(address);
