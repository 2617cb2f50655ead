"""What a link leaves of the page around its stage: `embed=true` nothing at all, `controls=` what
its readers are to touch. That is a guide, not a lock: whoever takes the words out of the link has
the whole page.
"""

from contextlib import AbstractContextManager, nullcontext

import streamlit as st

from svmviz.ui.visit.address import carried

GROUPS = (
    "data",
    "solver",
    "knobs",
    "run",
    "files",
)  # of the sidebar; what else may be named is the stage's, `web/hall/presenting.js`

SIDEBAR = "".join(
    f'[data-testid="{name}"], '
    for name in ("stSidebar", "stSidebarCollapsedControl", "stExpandSidebarButton")
)
BARE = f"<style>{SIDEBAR[:-2]} {{ display: none !important; }}</style>"
ALONE = f"""<style>
{SIDEBAR}[data-testid="stHeader"], [data-testid="stToolbar"] {{ display: none !important; }}
[data-testid="stMainBlockContainer"], .st-key-answers {{ padding: 0 !important; }}
[data-testid="stMainBlockContainer"]:has(.st-key-lesson) {{ padding: 0 0 0 24px !important; }}
</style>"""


def embedded() -> bool:
    return bool(st.context.is_embedded)


def given() -> set[str] | None:
    """What the link names; None where it names nothing, and so everything is there."""
    named = carried().get("controls")
    return None if named is None else {word.strip() for word in named[:400].split(",")}


def around() -> None:
    """Take away what is not to be there around the stage."""
    named = given()
    if embedded():
        st.html(ALONE)
    elif named is not None and not named & set(GROUPS):
        st.html(BARE)


def group(name: str) -> AbstractContextManager:
    """A place for controls of one group: out of sight where the link does not name it."""
    named = given()
    return nullcontext() if named is None or name in named else st.container(key=f"withheld-{name}")
