// A run that the slider in the visitor's hand would make.

/** @param {Mounted} component */
export default function ({ data }) {
  /** @type {any} */ (globalThis).svmviz?.preview?.hear(data);
}
