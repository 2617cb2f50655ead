// A picture as PDF: its shapes and its text, on a page of its size.

import { library } from "../browser/library.js";

const POINT = 0.75; // of a pixel

/** @param {{ text: string, width: number, height: number, title: string }} picture */
export async function pdf({ text, width, height, title }) {
  const { write } = await library("pdf");
  return /** @type {Promise<Blob>} */ (write(text, width * POINT, height * POINT, title));
}
