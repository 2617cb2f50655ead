// Which panel a solver has: `<key>/panel.js`, or `<key>.js` in the folder of a family or by itself,
// over the plain one.

/** @param {string[]} names the modules of the player @param {string} key of the solver */
export function panelName(names, key) {
  return names.find(
    name =>
      name.startsWith("panels/") &&
      (name.endsWith(`/${key}/panel.js`) || name.endsWith(`/${key}.js`)),
  );
}

/** @param {Record<string, any>} modules @param {string} key @returns {Panel} */
export function panelOf(modules, key) {
  const own = panelName(Object.keys(modules), key);
  return { ...modules["panels/plain.js"], ...(own && modules[own]) };
}
