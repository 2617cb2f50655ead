// Files of the site, each read once.

const known = /** @type {Map<string, Promise<Uint8Array>>} */ (new Map());

/** @param {string} address @returns {Promise<Uint8Array>} */
export function bytes(address) {
  const found = known.get(address) ?? fetched(address);
  known.set(address, found);
  found.catch(() => known.delete(address)); // the network may be back when it is asked for again
  return found;
}

// A text, which is kept deflated.
/** @param {string} address */
export async function text(address) {
  const packed = new Blob([/** @type {BlobPart} */ (await bytes(address))]).stream();
  return new Response(packed.pipeThrough(new DecompressionStream("deflate"))).text();
}

/** @param {string} address */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} is not there`);
  return new Uint8Array(await answer.arrayBuffer());
}
