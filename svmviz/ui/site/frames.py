"""What stands around everything: the head of a page with its content policy, a line with the way to
all others, and what only the app can do.
"""

import html
from collections.abc import Iterable
from string import Template
from typing import Any

from svmviz.player.files.page import HEAD, VERSION, block
from svmviz.player.files.scripts import DIGEST
from svmviz.ui.site.elements import Site
from svmviz.ui.site.parts import Part, part

POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; font-src 'self' data:; img-src"
    " 'self' data: blob:; media-src blob:; base-uri 'none'; form-action 'none'; style-src 'self'"
)
DRAWN = " 'unsafe-inline'"  # styles of charts, which Plotly writes to their elements

PAGE = Template(
    HEAD
    + """<meta name="description" content="$about">
<link rel="icon" href="files/icon.svg" type="image/svg+xml">
$styles
<script defer src="files/player.js?$digest"></script>
</head>
<body data-testid="stApp" class="$kind">
$body
<noscript>The stages and charts of this page need JavaScript; it loads nothing from
elsewhere.</noscript>
<script type="application/json" id="svmviz-page">$page</script>
</body>
</html>
"""
)


def document(
    title: str, about: str, styles: Iterable[str], body: str, page: dict[str, Any], kind: str
) -> str:
    """A file of the site; `page` is what its script is told."""
    links = "\n".join(
        f'<link rel="stylesheet" href="files/{name}.css?{DIGEST}">' for name in styles
    )
    return PAGE.substitute(
        policy=POLICY + DRAWN * (kind == "reading"),
        version=VERSION,
        about=html.escape(about),
        title=html.escape(title),
        styles=links,
        digest=DIGEST,
        body=body,
        page=block(page),
        kind=kind,
    )


def staged(title: str, about: str, style: str, page: dict[str, Any], above: str = "") -> str:
    """A page that has only a stage, as one that is saved has; `style` is named after the stage."""
    body = f'{above}<main id="svmviz"><p role="status">Opening …</p></main>'
    return document(
        f"{title} · svmviz",
        about,
        [style, "staged"],
        body,
        {"kind": "staged", "title": title} | page,
        "staged",
    )


def reading(
    site: Site,
    title: str,
    about: str,
    body: Part,
    here: str = "",
    page: dict[str, Any] | None = None,
) -> str:
    """A page to read, with stages and charts in it."""
    whole = (
        f'<a class="skip" href="#main">Skip to the text</a>{top(site, here).html()}'
        f'<main id="main" tabindex="-1">{body.html()}</main>{foot(site).html()}'
    )
    told = {"kind": "reading", "entry": "figure", "runs": [], "home": site.home, "title": title}
    return document(title, about, ["site", "shell"], whole, told | (page or {}), "reading")


def top(site: Site, here: str) -> Part:
    """The line above: where one is, and where else one can go."""
    links = [
        part(
            "a",
            name,
            href=f"index.html#{name.lower()}",
            aria_current="true" if name == here else None,
        )
        for name, there in (
            ("Lessons", site.lessons),
            ("Papers", site.papers),
            ("Gallery", site.solvers),
        )
        if there
    ]
    app = [part("a", "Open the app", href=site.home, rel="noopener")] if site.home else []
    return part(
        "header",
        part("a", "<b>svmviz</b>", href="index.html", class_="brand"),
        part("nav", *links, aria_label="Site"),
        part("div", *app, part("button", "Dark", type_="button", class_="scheme")),
        class_="top",
    )


def foot(site: Site) -> Part:
    """What this is not."""
    app = (
        f'the <a href="{html.escape(site.home)}" rel="noopener">app</a>'
        if site.home
        else "the svmviz app, which runs where Python does"
    )
    return part(
        "footer",
        "These pages need no server, and ask nothing of one: all runs are in their files. New runs,"
        " data of "
        f'your own and figures computed anew need {app}. <span class="beyond">Dotted words</span>'
        " are what only that "
        "can do.",
    )
