"""The player on a page of the app.

The inline part is a loader of a few hundred bytes, because Streamlit sends it again with every change of the data. Modules and
styles are served as one file, read once a page: one by one they would take half of the time to the first picture. They are put
together in the browser.
"""

import json
import shutil
import tempfile
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v1 import declare_component

from svmviz.player import WEB
from svmviz.player.files import page
from svmviz.player.files.scripts import DIGEST, LIBRARIES, modules, sources, styles

LOADER = """
const FILE = new URL(%s, location.origin).href, ENTRY = %s, STYLES = %s;
const stages = new WeakMap();
export default function (component) {
  const { parentElement } = component;
  if (!stages.has(parentElement)) stages.set(parentElement, mount(parentElement).catch(error => lost(parentElement, error)));
  const back = getComputedStyle(parentElement.host ?? parentElement).getPropertyValue("--st-background-color");
  const hex = back.includes("#") && back.match(/[\\da-f]{2}/gi).map(h => parseInt(h, 16));
  const [r, g, b] = hex || back.match(/[\\d.]+/g) || [255, 255, 255];
  stages.get(parentElement).then(stage => stage?.update(component, 0.299 * r + 0.587 * g + 0.114 * b < 128));
  return () => {                                             // Streamlit ends calls that newer data overtook, too
    if (parentElement.isConnected) return;
    stages.get(parentElement)?.then(stage => stage?.destroy());
    stages.delete(parentElement);
  };
}
function lost(parent, error) {                               // said, and tried again with the next data
  console.error(error);
  stages.delete(parent);
  parent.querySelector("[role=alert]")?.remove();
  const textContent = "The player could not be loaded. Reload the page; if it happens again, the server may be down.";
  parent.append(Object.assign(document.createElement("p"), { role: "alert", textContent }));
}
async function load() {
  const { modules, styles } = await (await fetch(FILE)).json(), address = {}, found = {};
  for (const [name, source] of Object.entries(modules)) {
    const text = source.replace(/from "([\\w./]+)"/g, (_, other) => `from "${address[other]}"`);
    address[name] = URL.createObjectURL(new Blob([text, `//# sourceURL=${name}`], { type: "text/javascript" }));
  }
  await Promise.all(Object.entries(address).map(async ([name, url]) => { found[name] = await import(url); }));
  return { modules: found, styles };
}
async function mount(parent) {
  const known = globalThis.svmvizModules ??= new Map();
  globalThis.svmvizLibraries = new URL(".", FILE).href;
  if (!known.has(FILE)) known.set(FILE, load().catch(error => { known.delete(FILE); throw error; }));
  const { modules, styles } = await known.get(FILE);
  await modules[ENTRY].due?.(parent);
  const style = Object.assign(document.createElement("style"), { textContent: STYLES.map(name => styles[name]).join("") });
  const root = document.createElement("div");
  parent.querySelector("[role=alert]")?.remove();
  parent.append(style, root);
  const stage = new modules[ENTRY].Stage(root, modules);
  if (stage.alone) globalThis.svmviz = Object.assign(stage, { mounts: (globalThis.svmviz?.mounts ?? 0) + 1 });
  return stage;
}
"""


@cache
def _served() -> tempfile.TemporaryDirectory:
    """A folder with the one file, the pages that a visitor may fill and take along, and the libraries, for as long as this
    process lives."""
    folder = tempfile.TemporaryDirectory(prefix="svmviz-")
    text = json.dumps({"modules": modules(), "styles": sources("*/*.css")})
    Path(folder.name, "player.json").write_text(text, encoding="utf-8")
    for entry in ("stage", "race"):
        Path(folder.name, f"page-{entry}.html").write_text(page.blank(entry), encoding="utf-8")
    for path in (WEB / LIBRARIES).glob("*.js"):
        shutil.copy(path, folder.name)
    return folder


def loader(entry: str) -> str:
    """The inline part, which mounts the stage of one module."""
    served = declare_component(f"player_{DIGEST}", path=_served().name)
    base = st.get_option("server.baseUrlPath").strip("/")
    address = f"{f'/{base}' if base else ''}/component/{served.name}/player.json"
    return LOADER % tuple(map(json.dumps, (address, f"{entry}/main.js", styles(entry))))


# What is found later goes to the stage by itself; one that is not there yet finds it when it comes.
MESSENGER = """
export default function ({ data }) {
  const news = globalThis.svmvizNews ??= new Map();
  news.set(Object.keys(data).join(), data);
  globalThis.svmviz?.hear?.(data);
}
"""


# A run that the slider in the visitor's hand would make.
GLIMPSE = """
export default function ({ data }) {
  globalThis.svmviz?.preview?.hear(data);
}
"""


# A file that was made of the visitor's storyboard.
HANDED = """
export default function ({ data }) {
  globalThis.svmviz?.board?.taking.hear(data);
}
"""


TOOLS = """<div>
<button type="button" name="whole" hidden>Whole view (double click)</button>
<button type="button" name="svg" title="The picture, to be scaled">SVG</button>
<button type="button" name="png" title="The picture, in twice as many pixels">PNG</button>
<button type="button" name="csv" title="The numbers behind what is drawn">CSV</button>
</div>"""


@st.cache_resource(show_spinner=False)
def tools():
    """The mountable component below a chart."""
    text = {kind: (WEB / "charts" / f"tools.{kind}").read_text(encoding="utf-8") for kind in ("css", "js")}
    return st.components.v2.component("svmviz_tools", html=TOOLS, **text)


@st.cache_resource(show_spinner=False)
def beside():
    """The mountable component that tells the stage what was found after the run was sent."""
    return st.components.v2.component("svmviz_beside", html="", css="", js=MESSENGER)


@st.cache_resource(show_spinner=False)
def glimpse():
    """The mountable component that shows the stage what it would show."""
    return st.components.v2.component("svmviz_glimpse", html="", css="", js=GLIMPSE)


@st.cache_resource(show_spinner=False)
def handed():
    """The mountable component that hands the visitor a file."""
    return st.components.v2.component("svmviz_handed", html="", css="", js=HANDED)


@st.cache_resource(show_spinner=False)
def component(entry: str = "stage"):
    """The mountable component, the stage of one run or that of a "race"; made once."""
    return st.components.v2.component(f"svmviz_{entry}", html="", css="", js=loader(entry))
