// Streamlit sends this again with every change of the data, so that it is short: modules and styles
// are one file that is read once a page. `MOUNTED` stands before it: where that file is, the module
// of the stage, and its styles.

const [PATH, ENTRY, STYLES] = MOUNTED;
const FILE = new URL(PATH, location.origin).href;
const stages = new WeakMap();

/** @param {Mounted} component */
export default function (component) {
  const { parentElement } = component;
  if (!stages.has(parentElement)) {
    const mounted = mount(parentElement).catch(error => lost(parentElement, error));
    stages.set(parentElement, mounted);
  }
  /** @type {Promise<any>} */ (stages.get(parentElement)).then(stage =>
    stage?.update(component, isDark(parentElement)),
  );
  return () => {
    // Streamlit ends calls that newer data overtook, too
    if (parentElement.isConnected) return;
    stages.get(parentElement)?.then((/** @type {any} */ stage) => stage?.destroy());
    stages.delete(parentElement);
  };
}

/** @param {any} parent */
function isDark(parent) {
  const back = getComputedStyle(parent.host ?? parent).getPropertyValue("--st-background-color");
  const hex = back.includes("#") && back.match(/[\da-f]{2}/gi)?.map(h => parseInt(h, 16));
  const [r, g, b] = hex || back.match(/[\d.]+/g)?.map(Number) || [255, 255, 255];
  return 0.299 * r + 0.587 * g + 0.114 * b < 128;
}

/** @param {ParentNode} parent @param {unknown} error */
function lost(parent, error) {
  // said, and tried again with the next data
  console.error(error);
  stages.delete(parent);
  parent.querySelector("[role=alert]")?.remove();
  const textContent =
    "The player could not be loaded. Reload the page; if it happens again, the server may be down.";
  parent.append(Object.assign(document.createElement("p"), { role: "alert", textContent }));
}

async function load() {
  const { modules, styles } = await (await fetch(FILE)).json();
  /** @type {Record<string, string>} */ const address = {};
  /** @type {Record<string, any>} */ const found = {};
  for (const [name, source] of /** @type {[string, string][]} */ (Object.entries(modules))) {
    const text = source.replace(/from "([\w./]+)"/g, (_, other) => `from "${address[other]}"`);
    const parts = [text, `//# sourceURL=${name}`];
    address[name] = URL.createObjectURL(new Blob(parts, { type: "text/javascript" }));
  }
  await Promise.all(
    Object.entries(address).map(async ([name, url]) => {
      found[name] = await import(url);
    }),
  );
  return { modules: found, styles };
}

/** @param {ParentNode} parent */
async function mount(parent) {
  const page = /** @type {any} */ (globalThis);
  const known = (page.svmvizModules ??= new Map());
  page.svmvizLibraries = new URL(".", FILE).href;
  if (!known.has(FILE)) {
    const loaded = load().catch(error => {
      known.delete(FILE);
      throw error;
    });
    known.set(FILE, loaded);
  }
  const { modules, styles } = await known.get(FILE);
  await modules[ENTRY].due?.(parent);
  const style = document.createElement("style");
  style.textContent = STYLES.map(name => styles[name]).join("");
  const root = document.createElement("div");
  parent.querySelector("[role=alert]")?.remove();
  parent.append(style, root);
  const stage = new modules[ENTRY].Stage(root, modules);
  if (stage.alone) page.svmviz = Object.assign(stage, { mounts: (page.svmviz?.mounts ?? 0) + 1 });
  return stage;
}
