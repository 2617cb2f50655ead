// Where a link leads: to the page of the app where it is copied; from a file, to the app that it
// was saved from, or to a place in the file itself.

// Whether there is no app to go to: a page that was saved, or a site, that does not say where one
// is.
export const homeless = () => Boolean(globalThis.svmvizPage && !globalThis.svmvizPage.home);

/** @param {URLSearchParams | Record<string, string>} query */
export function linkTo(query) {
  const words = new URLSearchParams(query);
  const page = globalThis.svmvizPage;
  if (!page) return `${location.origin}${location.pathname}?${words}`;
  return page.home ? `${page.home}?${words}` : `${location.href.split("#")[0]}#${words}`;
}
