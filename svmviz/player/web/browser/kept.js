// What a visitor's own browser keeps; one that keeps nothing is no hindrance.

/** @param {string} key */
export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} value */
export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // it holds until the page is left
  }
}
