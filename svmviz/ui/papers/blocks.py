"""What pages of papers consist of, as values: the app draws them with Streamlit (`page`), the
static site as HTML (`ui.site.elements`).

A figure is a function that yields its blocks from top to bottom. Yielding a control gives its
value: in the app what the visitor has set, on the site every option of a `Choice` in turn, and
the first value of all other controls.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from svmviz.data.plane import Dataset
from svmviz.lessons.articles import Scene
from svmviz.papers import catalogue
from svmviz.papers.evidence import recording
from svmviz.papers.evidence.experiment import Experiment, Results
from svmviz.papers.evidence.recording import Recording
from svmviz.papers.evidence.verdicts import SIGNS, Found, Verdict, tally
from svmviz.run.recipe import Recipe
from svmviz.ui.shell.frame import plain
from svmviz.views.theme import Theme

BAND = "median and band from the 1st to the 9th decile"

Blocks = Generator[Any, Any, Any]
Drawing = Callable[[Theme, Results], Any]
OnFile = Callable[[str, Dataset], Experiment]  # the same experiment on a visitor's own file


class Header(NamedTuple):
    """A heading, and its name in the address, if it has one."""

    text: str
    anchor: str | bool | None = None
    level: int = 2


class Text(NamedTuple):
    """Markdown."""

    text: str


class Caption(NamedTuple):
    text: str
    width: str = "stretch"


class Chart(NamedTuple):
    """A picture, and another one that is faint behind it."""

    draw: Callable[[Theme], Any]
    key: str
    behind: Callable[[Theme], Any] | None = None


class Table(NamedTuple):
    rows: Any  # a mapping for each row, or a list for each column
    whole: bool = False  # as high as all of its rows
    narrow: Iterable[Any] = ()  # blocks that stand for it on a phone
    pinned: Mapping[str, int] = {}  # widths of the columns that stay when it is scrolled


class Metric(NamedTuple):
    label: str
    value: str
    formula: str = ""


class Style(NamedTuple):
    css: str


class Group(NamedTuple):
    """Blocks below each other, or in a line."""

    blocks: Iterable[Any]
    key: str | None = None
    line: bool = False


class Fold(NamedTuple):
    """Blocks that are folded below a label."""

    label: str
    blocks: Iterable[Any]


class Row(NamedTuple):
    """Blocks in columns; yields the values of all. A function makes a block of the values before
    it.
    """

    blocks: Sequence[Any]
    widths: Sequence[int] = ()
    alignment: str = "top"


class Choice(NamedTuple):
    """One of a few options by name; the first unless `default` is given."""

    label: str
    options: Iterable[Any]
    key: str
    named: Callable[[Any], str] = str
    default: Any = None
    menu: bool = False
    help: str | None = None
    silent: bool = False  # the label is only read aloud
    recorded: bool = True  # whether something is recorded for every option

    @property
    def first(self) -> Any:
        return next(iter(self.options)) if self.default is None else self.default


class Slider(NamedTuple):
    label: str
    low: float
    high: float
    value: float
    step: float
    key: str


class Scale(NamedTuple):
    """A slider over given values."""

    label: str
    options: Sequence[Any]
    value: Any
    key: str
    named: Callable[[Any], str] = str


class Link(NamedTuple):
    """A link to a page of the app."""

    page: str
    label: str
    query: Mapping[str, str] = {}
    icon: str | None = None
    side: str = "left"  # of the icon


class Needed(NamedTuple):
    """Wait for a solver to be compiled."""

    solver: str


class Live(NamedTuple):
    """What only the app can do. On the site `recorded` stands in its place, or `words` lead to the
    app.
    """

    draw: Callable[[], Any]
    words: str = ""
    recorded: Iterable[Any] = ()


class Stage(NamedTuple):
    """A small stage as it is recorded."""

    key: str
    scene: Scene


class Figures(NamedTuple):
    """Recorded figures, each in all of its states."""

    figures: Sequence[Callable[[], Blocks]]


class Take(NamedTuple):
    """The results of an experiment, as a script and as a table."""

    experiment: Experiment
    found: Mapping[str, Any]


class Drawn(NamedTuple):
    """A chart of a figure's results; faintly behind it the recorded ones while others arrive."""

    draw: Drawing
    suffix: str = ""


class Beside(NamedTuple):
    """A claim beside what was found, below the line that says where the numbers come from."""

    claim: str
    found: Found
    first: str = ""


class Figure(NamedTuple):
    """A figure or table of a paper: an experiment, what is drawn of its results, and the claim
    that they are compared with.

    `show` yields the blocks of some results. Without a `claim` it yields a `Beside` by itself.
    `here` is the part of the experiment that can be computed where not all data are available.
    """

    title: str
    about: str
    experiment: Experiment
    show: Callable[[Results], Iterable[Any]]
    claim: str = ""
    judge: Callable[[Results], Found] | None = None
    links: Mapping[str, Recipe] = {}
    on_file: OnFile | None = None
    here: Experiment | None = None

    def __call__(self) -> Blocks:
        if self.title:
            yield Header(self.title)
        yield Caption(self.about)
        yield self
        if self.links:
            yield links(self.links)

    def blocks(self, results: Results, behind: Results | None, foot: Iterable[Any]) -> Blocks:
        """Yield what is shown of results, with others behind them and the line `foot`."""
        key = self.experiment.key

        def expanded(block: Any) -> Blocks:
            match block:
                case Drawn(draw, suffix):
                    faint = behind and (lambda look: draw(look, behind))
                    return (yield Chart(lambda look: draw(look, results), key + suffix, faint))
                case Beside(claim, found, first):
                    yield from foot
                    return (yield from beside(claim, found, key, first))
            return (yield block)

        shown, value = as_blocks(self.show(results)), None
        while (block := following(shown, value)) is not None:
            value = yield from expanded(block)
        if self.claim:
            yield from expanded(Beside(self.claim, (self.judge or self.experiment.judge)(results)))


def as_blocks(blocks: Iterable[Any]) -> Blocks:
    """Return blocks as a generator that takes values."""
    return blocks if isinstance(blocks, Generator) else (block for block in blocks)


def following(blocks: Blocks, value: Any) -> Any:
    """Return the next block after the one that had this value; None at the end."""
    try:
        return blocks.send(value)
    except StopIteration:
        return None


def each(blocks: Iterable[Any], draw: Callable[[Any], Any]) -> None:
    """Draw blocks one after the other, each with the values of those before it."""
    shown, value = as_blocks(blocks), None
    while (block := following(shown, value)) is not None:
        value = draw(block)


def in_row(row: Row, draw: Callable[[int, Any], Any]) -> list[Any]:
    """Draw the blocks of a row, each by its column; returns their values."""
    values: list[Any] = []
    for k, block in enumerate(row.blocks):
        values.append(draw(k, block if isinstance(block, tuple) else block(*values)))
    return values


def charts(draw: Drawing, **more: Drawing) -> Callable[[Results], list[Drawn]]:
    """Return what shows nothing but these charts, by the ends of their keys."""
    drawn = [Drawn(draw), *(Drawn(one, f".{suffix}") for suffix, one in more.items())]
    return lambda results: drawn


# --- experiments ----------------------------------------------------------------------------------


def is_there(experiment: Experiment) -> bool:
    """Whether there is something to show: a recording, or all data for a computation."""
    return bool(recording.read(experiment)) or not catalogue.missing(experiment)


def results_of(experiment: Experiment, known: Recording | None) -> Results | None:
    return known and experiment._replace(seeds=known.seeds).results(known.found)


# --- blocks of blocks -----------------------------------------------------------------------------


def links(recipes: Mapping[str, Recipe]) -> Group:
    """Runs by name, to be opened on the stage."""
    named = (Link("playground", name, recipe.query()) for name, recipe in recipes.items())
    return Group((Caption("Open in the Playground:", "content"), *named), line=True)


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Text:
    """A table as Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return Text("\n".join(f"| {' | '.join(cells)} |" for cells in lines))


def beside(claim: str, found: Found, key: str, first: str = "") -> Blocks:
    """What was claimed beside what was measured, then every part of the claim with its verdict."""
    tallied = f"{tally([verdict.outcome for verdict in found.verdicts])}.".capitalize()
    several = len(found.notes) > 1
    notes = "\n- " + "\n- ".join(found.notes) if several else " ".join(found.notes) or tallied
    yield Row((Text(f"**Published.** {claim}"), Text(f"**Measured.** {first}{notes}")))
    yield from judgements(found.verdicts, key)


def judgements(verdicts: Sequence[Verdict], key: str) -> Blocks:
    """A row for each: published, measured with its interval, the difference and the outcome; on a
    phone below each other.
    """
    if not verdicts:
        return
    rows = [
        [
            *map(plain, (one.claim, one.published, one.measured, one.difference)),
            f"**{SIGNS[one.outcome]} {one.outcome}**",
        ]
        for one in verdicts
    ]
    ways = "; ".join(dict.fromkeys(one.how for one in verdicts))
    rule = (
        " A claim holds if the interval in brackets lies where the claim says, fails if it lies"
        " elsewhere, and cannot be told if it holds both answers."
    )
    sides = (
        " Of two sides the middle over the seeds is named; the number behind them is taken seed"
        " by seed, and need not follow from those."
    )
    said = (
        f"How it is decided: {ways}."
        + rule * any(one.low < one.high for one in verdicts)
        + sides * any(" against " in one.measured for one in verdicts)
    )
    head = ("Claim", "Published", "Measured", "Difference", "Verdict")
    yield Group((markdown_table(head, rows), Caption(said)), f"{key}.verdicts")
