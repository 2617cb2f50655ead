// Files of the site, each read once.

const known = /** @type {Map<string, Promise<Uint8Array>>} */ (new Map());

/** @param {string} address @returns {Promise<Uint8Array>} */
export function bytes(address) {
  const found = known.get(address) ?? fetched(address);
  known.set(address, found);
  found.catch(() => known.delete(address)); // the network may be back when it is asked for again
  return found;
}

/** @param {string} address */
export const text = async address => new TextDecoder().decode(await bytes(address));

/** @param {string} address */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} is not there`);
  return new Uint8Array(await answer.arrayBuffer());
}
