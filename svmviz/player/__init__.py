"""The player: a component that replays a trace in the browser, or those of a race. Python computes and sends; nothing here
animates.

The inline part is a loader of a few hundred bytes, because Streamlit sends it again with every change of the data. The
modules themselves are served once and cached by the browser; their address carries a digest of their contents.
"""

import hashlib
import json
from pathlib import Path

import streamlit as st
from streamlit.components.v1 import declare_component

WEB = Path(__file__).parent / "web"
MODULES = sorted(path.name for path in WEB.glob("*.js"))
DIGEST = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(WEB.iterdir()))).hexdigest()[:12]

LOADER = """
const ASSETS = new URL(%s, location.origin).href, MODULES = %s, ENTRY = %s, STYLES = %s;
const stages = new WeakMap();
export default function (component) {
  const { parentElement } = component;
  if (!stages.has(parentElement)) stages.set(parentElement, mount(parentElement));
  const back = getComputedStyle(parentElement.host ?? parentElement).getPropertyValue("--st-background-color");
  const hex = back.includes("#") && back.match(/[\\da-f]{2}/gi).map(h => parseInt(h, 16));
  const [r, g, b] = hex || back.match(/[\\d.]+/g) || [255, 255, 255];
  stages.get(parentElement).then(stage => stage.update(component, 0.299 * r + 0.587 * g + 0.114 * b < 128));
  return () => { stages.get(parentElement)?.then(stage => stage.destroy()); stages.delete(parentElement); };
}
async function mount(parent) {
  const loading = MODULES.map(name => import(ASSETS + name));             // all at once, not one behind the other
  const styling = Promise.all(STYLES.map(name => fetch(ASSETS + name).then(reply => reply.text())));
  const [css, { Stage }] = await Promise.all([styling, import(ASSETS + ENTRY), ...loading]);
  const style = Object.assign(document.createElement("style"), { textContent: css.join("") });
  const root = document.createElement("div");
  parent.append(style, root);
  const stage = new Stage(root);
  globalThis.svmviz = Object.assign(stage, { mounts: (globalThis.svmviz?.mounts ?? 0) + 1 });
  return stage;
}
"""


def component(entry: str = "stage"):
    """The mountable component, the stage of one run or that of a "race"; safe to call in every run of the script."""
    served = declare_component(f"player_{DIGEST}", path=str(WEB))
    base = st.get_option("server.baseUrlPath").strip("/")
    address = f"/{base}/component/{served.name}/" if base else f"/component/{served.name}/"
    styles = list(dict.fromkeys(["stage.css", f"{entry}.css"]))
    loader = LOADER % tuple(map(json.dumps, (address, MODULES, f"{entry}.js", styles)))
    return st.components.v2.component(f"svmviz_{entry}", html="", css="", js=loader)
