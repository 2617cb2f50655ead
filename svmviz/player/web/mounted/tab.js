// The name by which a tab finds again what it had, when its connection was cut.

const NAME = "svmviz.tab";

const stored = () => {
  try {
    return sessionStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
};

/** @param {string} key */
const keep = key => {
  try {
    sessionStorage.setItem(NAME, key);
  } catch {
    // then it is gone with the page
  }
};

/** @param {Mounted<{ keep: string, ask: string, must: boolean }>} component */
export default function ({ data, setTriggerValue }) {
  if (data.keep) keep(data.keep);
  const page = /** @type {any} */ (globalThis);
  const key = stored();
  if (!data.ask || page.svmvizAsked === data.ask || !(key || data.must)) return;
  page.svmvizAsked = data.ask;
  setTriggerValue("held", { key });
}
