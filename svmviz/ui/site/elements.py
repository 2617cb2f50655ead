"""Elements of Streamlit's as HTML: what a page of the app consists of becomes a page that needs no
server.

The parts have the names that Streamlit gives them in a browser, so that the app's own style
(`web/shell/`) holds for them. What only the app can do is said to be so, and leads there.
"""

import gzip
import json
from collections.abc import Callable
from html import escape
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from svmviz.papers import catalogue
from svmviz.papers.evidence import recording
from svmviz.patched.keys import key_class
from svmviz.player.mount import TOOLS
from svmviz.ui.site.files import Files
from svmviz.ui.site.parts import Part, part
from svmviz.ui.site.text import html, inline

BY_NAME = ("button_group", "selectbox")  # what has a few values that are called by their names
HIDDEN = ("empty", "space")
HEIGHT = 380  # px of a chart that says none
MARKS = {"VERTICAL": "stVerticalBlock", "HORIZONTAL": "stHorizontalBlock"}


class Site(NamedTuple):
    """What a page must know of all others."""

    files: Files
    home: str  # the address of an app, without a slash at its end; none where it is empty
    lessons: tuple[str, ...]
    papers: tuple[str, ...]
    solvers: tuple[str, ...]

    def address(self, page: str, query: str) -> str:
        """Of a page of the app, if it is here."""
        given = dict(parse_qsl(query))
        if page == "lessons" and given.get("lesson") in self.lessons:
            return f"lesson-{given['lesson']}.html#card={given.get('card', 1)}"
        return f"paper-{page}.html" if page in self.papers else ""


def link(site: Site, words: str, page: str, query: str = "") -> Part:
    """To a page of the app; `words` are HTML."""
    here = site.address(page, query)
    return part("a", words, href=here) if here else beyond(site, words, page, query)


def beyond(site: Site, words: str, page: str, query: str = "") -> Part:
    """What only the app can do, and where."""
    said = f'{words}<span class="aside"> ({"in" if site.home else "needs"} the app)</span>'
    if not site.home:
        return part("span", said, class_="beyond")
    return part(
        "a",
        said,
        href=f"{site.home}/{page}{'?' if query else ''}{query}",
        class_="beyond",
        rel="noopener",
    )


class Drawing(NamedTuple):
    """The elements of one page of the app."""

    site: Site
    page: str

    def tree(self, node: Any) -> Part:
        """A block with all that is in it."""
        inner = [
            self.tree(child) if hasattr(child, "children") else self.element(child)
            for child in node.children.values()
            if child.type not in HIDDEN
        ]
        kind, made = node.type, tuple(inner)
        if kind == "flex_container":
            flex = node.proto.flex_container
            mark = MARKS[flex.Direction.Name(flex.direction)]
            block = part("div", *made, data_testid=mark, class_=key_class(node.key))
            return part("div", block, data_testid="stLayoutWrapper")
        if kind == "column":
            block = part("div", *made, data_testid="stVerticalBlock")
            return part("div", block, data_testid="stColumn", style=f"flex:{node.weight:.4g} 1 0")
        if kind in ("expander", "popover"):
            label = node.label if kind == "expander" else node.proto.popover.label
            body = part(
                "div",
                part("div", *made, data_testid="stVerticalBlock"),
                data_testid="stExpanderDetails",
            )
            fold = part("details", part("summary", inline(label)), body)
            folded = part(
                "div", fold, data_testid="stExpander" if kind == "expander" else "stPopover"
            )
            return part("div", folded, data_testid="stLayoutWrapper")
        return part("div", *made, data_testid="stVerticalBlock")  # the page itself

    def element(self, node: Any) -> Part:
        known: dict[str, Callable[[Any], Part]] = {
            "markdown": self.markdown,
            "caption": self.markdown,
            "title": self.heading,
            "header": self.heading,
            "code": lambda node: part("pre", f"<code>{escape(node.value)}</code>", tabindex="0"),
            "metric": lambda node: part(
                "div",
                part("div", inline(node.label), class_="label"),
                part("div", escape(node.value)),
                data_testid="stMetric",
            ),
            "dataframe": self.table,
            "plotly_chart": self.chart,
            "bidi_component": self.component,
            "page_link": lambda node: link(
                self.site, inline(node.proto.label), node.proto.page, node.proto.query_string
            ),
            "button": lambda node: beyond(self.site, inline(node.label), self.page),
            "download_button": self.download,
            "button_group": self.buttons,
            "selectbox": self.select,
            "slider": self.slider,
            "select_slider": self.slider,
            "multiselect": self.several,
        }
        if node.type not in known:
            raise ValueError(
                f"the page {self.page} has a {node.type}, and the site does not know how to"
                " write it"
            )
        return part(
            "div",
            known[node.type](node),
            data_testid="stElementContainer",
            class_=key_class(getattr(node, "key", None)),
        )

    def markdown(self, node: Any) -> Part:
        text = part("div", html(node.value), data_testid="stMarkdownContainer")
        caption = node.type == "caption"
        return part(
            "div",
            part("div", text, data_testid="stCaptionContainer") if caption else text,
            data_testid="stMarkdown",
        )

    def heading(self, node: Any) -> Part:
        level = part(node.proto.tag, inline(node.value), id=node.anchor or None)
        return part("div", level, data_testid="stHeading")

    def table(self, node: Any) -> Part:
        rows = [node.value.columns, *node.value.itertuples(index=False)]
        cells = [[escape(str(cell)) for cell in row] for row in rows]
        head = "".join(f'<th scope="col">{cell}</th>' for cell in cells[0])
        body = "".join(
            f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in cells[1:]
        )
        return part(
            "div",
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>",
            data_testid="stDataFrame",
            tabindex="0",
            role="group",
            aria_label="Table",
        )

    def chart(self, node: Any) -> Part:
        spec = node.proto.spec
        height = json.loads(spec)["layout"].get("height", HEIGHT)
        return part(
            "div",
            "",
            data_testid="stPlotlyChart",
            data_chart=self.site.files.packed("charts", spec),
            style=f"min-height:{height}px",
        )

    def component(self, node: Any) -> Part:
        proto = node.proto
        if proto.component_name == "svmviz_tools":
            return part("div", TOOLS, data_tools=proto.json)
        return part(
            "div", "", data_run=self.site.files.keep("runs", "bin", proto.bytes), class_="host"
        )

    def download(self, node: Any) -> Part:
        """The table of a recorded figure, which is all that pages of papers give away."""
        experiment = catalogue.EXPERIMENTS[node.key.removesuffix(".csv")]
        known = recording.read(experiment)
        assert known, f"{experiment.key} is shown, and so recorded"
        packed = gzip.compress(recording.table(known.found).encode(), mtime=0)
        to = self.site.files.named(f"tables/{experiment.key}.csv.gz", packed)
        return part("a", inline(node.label), href=to, download=True)

    def buttons(self, node: Any) -> Part:
        choose = [
            part(
                "label",
                part(
                    "input", type_="radio", name=node.key, value=str(k), checked=k in node.indices
                ),
                part("span", inline(option)),
            )
            for k, option in enumerate(node.options)
        ]
        silent = (
            "aside" if node.proto.label_visibility.value else None
        )  # it is read aloud all the same
        return part(
            "fieldset",
            part("legend", inline(node.proto.label), class_=silent),
            *choose,
            data_choice=node.key,
        )

    def select(self, node: Any) -> Part:
        options = [
            part("option", escape(option), value=str(k), selected=k == node.index)
            for k, option in enumerate(node.options)
        ]
        return part(
            "label",
            part("span", inline(node.label)),
            part("select", *options, data_choice=node.key),
        )

    def slider(self, node: Any) -> Part:
        value = node.value if node.type == "select_slider" else node.proto.format % node.value
        return self.fixed(node.label, escape(str(value)))

    def several(self, node: Any) -> Part:
        return self.fixed(node.label, f"{len(node.value)} of {len(node.options)}")

    def fixed(self, label: str, value: str) -> Part:
        """What can be set in the app, and has one value here."""
        return part(
            "div", part("span", inline(label)), beyond(self.site, value, self.page), class_="fixed"
        )


def choices(root: Any) -> list[Any]:
    """All elements of a page by which a visitor chooses among names."""
    found = []
    for child in root.children.values():
        found += (
            choices(child)
            if hasattr(child, "children")
            else [child]
            if child.type in BY_NAME
            else []
        )
    return found


def chosen(node: Any) -> int:
    return node.index if node.type == "selectbox" else node.indices[0]
