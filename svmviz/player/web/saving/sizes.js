// How large a file is, in words.

import { counted } from "../engine/words.js";

/** @param {number} bytes */
export const sizeWords = bytes =>
  bytes < 1e6
    ? `${counted(Math.max(1, Math.round(bytes / 1e3)))} KB`
    : `${(bytes / 1e6).toFixed(1)} MB`;
