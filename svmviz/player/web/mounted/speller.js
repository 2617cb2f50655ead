// The address of a page without a player; once for each arrival, and not where the visitor has
// moved on.

/** @param {Mounted<{ page: string, address: string, arrival: string }>} component */
export default function ({ data: { page, address, arrival } }) {
  const tab = /** @type {any} */ (globalThis);
  if (tab.svmvizSpelt === arrival || !location.pathname.endsWith(`/${page}`)) return;
  tab.svmvizSpelt = arrival;
  history.replaceState(history.state, "", `${location.pathname}?${address}${location.hash}`);
}
