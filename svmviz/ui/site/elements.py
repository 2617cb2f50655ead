"""Blocks of a paper's page as HTML: what the app draws with Streamlit becomes a page that needs no
server.

The parts have the names that Streamlit gives them in a browser, so that the app's own style
(`shell.css`) holds for them. What only the app can do is said to be so, and leads there.
"""

import gzip
import json
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from svmviz.papers.evidence import recording
from svmviz.patched.keys import key_class
from svmviz.player.mount import TOOLS
from svmviz.ui.controls.charts import tools_of
from svmviz.ui.papers import blocks as papers
from svmviz.ui.papers.articles import staged
from svmviz.ui.papers.evidence import footer
from svmviz.ui.papers.page import script
from svmviz.ui.site.files import Files
from svmviz.ui.site.parts import Part, differences, part, topmost
from svmviz.ui.site.text import html, inline
from svmviz.views.theme import LIGHT, finished

HEIGHT = 380  # px of a chart that says none

State = Mapping[str, int]  # which option, by the key of its choice


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


class Choices(NamedTuple):
    """Choices that change the same parts, by names of these, and the parts in every state."""

    names: list[str]
    states: list[tuple[State, list[Part]]]


def column(*inner: Part, line: bool = False, key: str | None = None) -> Part:
    """Parts below each other, or in a line."""
    mark = "stHorizontalBlock" if line else "stVerticalBlock"
    return part("div", *inner, data_testid=mark, class_=key_class(key))


def wrapped(inner: Part, mark: str = "stLayoutWrapper") -> Part:
    return part("div", inner, data_testid=mark)


class Drawing:
    """Blocks of one page as parts, in one state of its choices; others are kept in `groups`."""

    def __init__(self, site: Site, page: str, wanted: State | None = None):
        self.site, self.page, self.wanted = site, page, wanted or {}
        self.sizes: dict[str, int] = {}  # of all choices that came up, how many options
        self.state: dict[str, int] = {}
        self.groups: list[Choices] = []

    def inside(self, blocks: Iterable[Any]) -> list[Part]:
        found: list[Part] = []

        def draw(block: Any) -> Any:
            value, made = self.drawn(block)
            found.extend(made)
            return value

        papers.each(blocks, draw)
        return found

    def drawn(self, block: Any) -> tuple[Any, list[Part]]:
        """The value of a block, and its parts."""
        match block:
            case papers.Group(blocks, key, line):
                return None, [wrapped(column(*self.inside(blocks), line=line, key=key))]
            case papers.Row():
                return self.row(block)
            case papers.Fold(label, blocks):
                return None, [self.fold(label, self.inside(blocks), "stExpander")]
            case papers.Figure(experiment=experiment):
                known = recording.read(experiment)
                foot, results = footer(block, known), papers.results_of(experiment, known)
                shown = block.blocks(results, None, foot) if results else foot
                return None, self.inside(shown)
            case papers.Figures(figures):
                return None, [self.every_state(figure) for figure in figures]
            case papers.Live(_, words, recorded):
                said = [element(beyond(self.site, inline(words), self.page))] if words else []
                return None, said + self.inside(recorded)
            case papers.Choice(recorded=True):
                return self.choice(block)
            case papers.Choice(label, named=named):
                return block.first, [self.fixed(label, named(block.first))]
            case papers.Slider(label, value=value):
                said = f"{value:.2f}" if isinstance(value, float) else str(value)
                return value, [self.fixed(label, said)]
            case papers.Scale(label, value=value, named=named):
                return value, [self.fixed(label, named(value))]
        return None, [*self.plain(block)]

    def plain(self, block: Any) -> Iterable[Part]:
        """Yield the parts of a block that has no others in it, and no value."""
        match block:
            case papers.Header(text, anchor, level):
                yield element(part(f"h{level}", inline(text), id=anchor or None), "stHeading")
            case papers.Text(text):
                yield element(markdown(text), "stMarkdown")
            case papers.Caption(text):
                yield element(wrapped(markdown(text), "stCaptionContainer"), "stMarkdown")
            case papers.Chart(draw, key):
                fig = finished(draw(LIGHT), False)
                spec = fig.to_json(validate=False)
                yield element(
                    part(
                        "div",
                        "",
                        data_testid="stPlotlyChart",
                        data_chart=self.site.files.packed("charts", spec),
                        style=f"min-height:{fig.layout.height or HEIGHT}px",
                    )
                )
                yield element(part("div", TOOLS, data_tools=json.dumps(tools_of(fig, key))))
            case papers.Table(rows):
                yield element(table(rows))
            case papers.Metric(label, value, formula):
                words = part("div", inline(label), class_="label"), part("div", escape(value))
                yield element(part("div", *words), "stMetric")
                if formula:
                    yield from self.plain(papers.Text(f"${formula}$"))
            case papers.Style(css):
                yield part("style", css)
            case papers.Link(page, label, query):
                there = "" if page == "playground" else page  # it is the first page of the app
                yield element(link(self.site, inline(label), there, urlencode(query)))
            case papers.Stage(key, scene):
                data = staged(scene.recipe, scene)
                run = self.site.files.keep("runs", "bin", data)
                yield element(part("div", "", data_run=run, class_="host"), key=key)
            case papers.Take(experiment, found):
                key = experiment.key
                code = part("pre", f"<code>{escape(script(key))}</code>", tabindex="0")
                yield self.fold("Python", [element(code)], "stPopover")
                packed = gzip.compress(recording.table(found).encode(), mtime=0)
                to = self.site.files.named(f"tables/{key}.csv.gz", packed)
                yield element(part("a", "CSV of every seed", href=to, download=True))
            case papers.Needed():
                pass
            case _:
                raise TypeError(f"{type(block).__name__} is no block")

    def row(self, row: papers.Row) -> tuple[list[Any], list[Part]]:
        columns, widths = [], row.widths or [1] * len(row.blocks)

        def draw(k: int, block: Any) -> Any:
            value, made = self.drawn(block)
            flex = f"flex:{widths[k] / sum(widths):.4g} 1 0"
            columns.append(part("div", column(*made), data_testid="stColumn", style=flex))
            return value

        values = papers.in_row(row, draw)
        return values, [wrapped(column(*columns, line=True))]

    def fold(self, label: str, inner: Iterable[Part], mark: str) -> Part:
        body = wrapped(column(*inner), "stExpanderDetails")
        return wrapped(wrapped(part("details", part("summary", inline(label)), body), mark))

    def choice(self, block: papers.Choice) -> tuple[Any, list[Part]]:
        """One of the options, as the state of the page has it."""
        options = list(block.options)
        words = [block.named(option) for option in options]
        k = self.wanted.get(block.key, options.index(block.first))
        self.sizes[block.key], self.state[block.key] = len(options), k
        if block.menu:
            listed = (
                part("option", escape(text), value=str(j), selected=j == k)
                for j, text in enumerate(words)
            )
            label = part("span", inline(block.label))
            made = part("label", label, part("select", *listed, data_choice=block.key))
        else:
            buttons = (
                part(
                    "label",
                    part("input", type_="radio", name=block.key, value=str(j), checked=j == k),
                    part("span", inline(text)),
                )
                for j, text in enumerate(words)
            )
            silent = "aside" if block.silent else None  # it is read aloud all the same
            legend = part("legend", inline(block.label), class_=silent)
            made = part("fieldset", legend, *buttons, data_choice=block.key)
        return options[k], [element(made)]

    def fixed(self, label: str, value: str) -> Part:
        """What can be set in the app, and has one value here."""
        app = beyond(self.site, escape(value), self.page)
        return element(part("div", part("span", inline(label)), app, class_="fixed"))

    def every_state(self, figure: Any) -> Part:
        """A figure as it is at first; what other choices change is kept as a group."""
        found: list[tuple[State, Part]] = []

        def draw(wanted: State) -> tuple["Drawing", Part]:
            drawing = Drawing(self.site, self.page, wanted)
            return drawing, drawing.inside([papers.Group(figure())])[0]

        def choose(made: State, drawing: "Drawing", tree: Part) -> None:
            """Keep every state that has these choices; one choice may bring others."""
            following = next((key for key in drawing.sizes if key not in made), None)
            if following is None:
                found.append((drawing.state, tree))
                return
            first = drawing.state[following]
            others = [k for k in range(drawing.sizes[following]) if k != first]
            choose({**made, following: first}, drawing, tree)
            for k in others:
                wanted = {**made, following: k}
                choose(wanted, *draw(wanted))

        choose({}, *draw({}))
        (_, base), *_ = found  # what the page begins with
        if len(found) == 1:
            return base
        places = topmost(place for _, tree in found for place in differences(base, tree))
        names = [f"{len(self.groups)}.{k}" for k in range(len(places))]
        states = [(state, [tree.at(place) for place in places]) for state, tree in found]
        self.groups.append(Choices(names, states))
        return base.named(dict(zip(places, names, strict=True)))


def element(inner: Part, mark: str = "", key: str | None = None) -> Part:
    """A part as Streamlit wraps it."""
    inner = wrapped(inner, mark) if mark else inner
    return part("div", inner, data_testid="stElementContainer", class_=key_class(key))


def markdown(text: str) -> Part:
    return part("div", html(text), data_testid="stMarkdownContainer")


def table(rows: Any) -> Part:
    """A table of mappings by row, or of lists by column."""
    by_column = isinstance(rows, Mapping)
    names = rows if by_column else rows[0]
    lines = zip(*rows.values(), strict=True) if by_column else (row.values() for row in rows)

    head = "".join(f'<th scope="col">{escape(str(cell))}</th>' for cell in names)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in line)}</tr>" for line in lines
    )
    return part(
        "div",
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>",
        data_testid="stDataFrame",
        tabindex="0",
        role="group",
        aria_label="Table",
    )
