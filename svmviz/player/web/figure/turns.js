// When a stage of an article may be made: the first of a page at once. It has the browser to itself
// until it moves, and not for long; then the others come one by one, and so does whoever comes
// later.

const PATIENCE = 3000; // ms that the others wait for the first stage of a page, at most
const APART = 50; // ms

/** @type {Node | null} */
let first = null; // where the first stage of the page is
let turn = Promise.resolve(); // of the stage that comes next
/** @type {() => void} */ let begin = () => {};

/** @param {Node} parent @returns {Promise<void> | undefined} */
export function due(parent) {
  if (!first?.isConnected) {
    first = parent;
    turn = new Promise(go => {
      begin = go;
      setTimeout(go, PATIENCE);
    });
    return;
  }
  const mine = turn;
  turn = mine.then(() => new Promise(go => setTimeout(go, APART)));
  return mine;
}

/** @param {Node | null} parent */
export const leads = parent => parent === first;

// The first stage has moved: the others need not wait any longer.
export const release = () => begin();
