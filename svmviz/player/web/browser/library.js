// Libraries of others, each one file in `vendor/`: too large to be read by everyone, so read when
// first needed.

const read = /** @type {Map<string, Promise<any>>} */ (new Map());

// A page that was saved has none: its content policy lets nothing in.
export const hasLibraries = () => Boolean(globalThis.svmvizLibraries);

/** @param {string} name of the file, without its ending @returns {Promise<any>} */
export function library(name) {
  const address = `${globalThis.svmvizLibraries}${name}.js`;
  const found = read.get(name) ?? import(address);
  read.set(name, found);
  found.catch(() => read.delete(name)); // the network may be back when it is asked for again
  return found;
}
