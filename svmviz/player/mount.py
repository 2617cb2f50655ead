"""The player on a page of the app.

The inline part is a loader of a few hundred bytes, because Streamlit sends it again with every
change of the data. Modules and styles are served as one file, read once a page: one by one they
would take half of the time to the first picture. They are put together in the browser.
"""

import json
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v1 import declare_component

from svmviz.player import WEB
from svmviz.player.files import page
from svmviz.player.files.scripts import DIGEST, LIBRARIES, MOUNTED, OWN, bare, modules, styles


@cache
def program(name: str, *mounted: Any) -> str:
    """Return a script of `web/mounted/`, which Streamlit sends, with what it is told as MOUNTED."""
    before = f"const MOUNTED = {json.dumps(mounted)};\n" if mounted else ""
    return before + bare((WEB / MOUNTED / f"{name}.js").read_text(encoding="utf-8"))


@cache
def _served() -> tempfile.TemporaryDirectory:
    """A folder with the one file, the pages that a visitor may fill and take along, and the
    libraries, for as long as this process lives.
    """
    folder = tempfile.TemporaryDirectory(prefix="svmviz-")
    looks = {
        name: (WEB / name).read_text(encoding="utf-8") for entry in OWN for name in styles(entry)
    }
    text = json.dumps({"modules": modules(), "styles": looks})
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
    return program("loader", address, f"{entry}/main.js", tuple(styles(entry)))


TOOLS = """<div>
<button type="button" name="whole" hidden>Whole view (double click)</button>
<button type="button" name="svg" title="The picture, to be scaled">SVG</button>
<button type="button" name="png" title="The picture, in twice as many pixels">PNG</button>
<button type="button" name="csv" title="The numbers behind what is drawn">CSV</button>
</div>"""


@st.cache_resource(show_spinner=False)
def tools():
    """The mountable component below a chart."""
    text = {
        kind: (WEB / "charts" / f"tools.{kind}").read_text(encoding="utf-8")
        for kind in ("css", "js")
    }
    return st.components.v2.component("svmviz_tools", html=TOOLS, **text)


@st.cache_resource(show_spinner=False)
def beside():
    """The mountable component that tells the stage what was found after the run was sent."""
    return st.components.v2.component("svmviz_beside", html="", css="", js=program("messenger"))


@st.cache_resource(show_spinner=False)
def glimpse():
    """The mountable component that shows the stage what it would show."""
    return st.components.v2.component("svmviz_glimpse", html="", css="", js=program("glimpse"))


@st.cache_resource(show_spinner=False)
def handed():
    """The mountable component that hands the visitor a file."""
    return st.components.v2.component("svmviz_handed", html="", css="", js=program("handed"))


@st.cache_resource(show_spinner=False)
def component(entry: str = "stage"):
    """The mountable component, the stage of one run or that of a "race"; made once."""
    return st.components.v2.component(f"svmviz_{entry}", html="", css="", js=loader(entry))
