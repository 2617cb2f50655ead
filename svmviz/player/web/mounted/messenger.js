// What is found later goes to the stage by itself; one that is not there yet finds it when it
// comes.

/** @param {Mounted} component */
export default function ({ data }) {
  const page = /** @type {any} */ (globalThis);
  const news = (page.svmvizNews ??= new Map());
  news.set(Object.keys(data).join(), data);
  page.svmviz?.hear?.(data);
}
