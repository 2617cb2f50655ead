// A file for the visitor.

import { make } from "../canvas/elements.js";

/** @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const anchor = make("a", { href: URL.createObjectURL(blob), download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}
