// A file that was made of the visitor's storyboard.

/** @param {Mounted} component */
export default function ({ data }) {
  /** @type {any} */ (globalThis).svmviz?.board?.taking.hear(data);
}
