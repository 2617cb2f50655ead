"""A site without a server: lessons with their questions, the pages of the papers with what was
recorded for them, and a gallery of runs, as files for any file server.

`build` makes them, `write` puts them into a folder, and `svmviz site` does both.
"""

from collections.abc import Callable, Iterable, Mapping
from html import escape
from pathlib import Path

from svmviz import lessons
from svmviz.lessons.articles import PAPERS, article
from svmviz.player import WEB
from svmviz.player.files.scripts import LIBRARIES, ROOT, SHELL, bundle, compact, style, styles
from svmviz.player.wire import lesson as lessonwire
from svmviz.player.wire import run as wire
from svmviz.player.wire.message import told
from svmviz.run.view import opened
from svmviz.solvers import SOLVERS
from svmviz.ui.jobs.compiling import compilation
from svmviz.ui.papers import bsgd, incremental, pegasos, sbp, simba
from svmviz.ui.papers.articles import laid_out
from svmviz.ui.papers.blocks import Group
from svmviz.ui.site import frames, gallery
from svmviz.ui.site.elements import Choices, Drawing, Site, column
from svmviz.ui.site.files import Files
from svmviz.ui.site.parts import Part, part
from svmviz.views import script

TITLE = "svmviz: watch SVM solvers think"
LEAD = (
    "Every single step of the algorithms that train support vector machines, forwards and"
    " backwards, with the theorem drawn on the live curve."
)
LIST = (  # what a site consists of; who finds it in a folder knows that all of this may be replaced
    "files.txt"
)
FACE = (
    '@font-face{font-family:"Stage Sans";font-weight:400'
    " 700;font-display:swap;src:url(stage-sans.woff2)}"
)
FIGURES = {
    "pegasos": pegasos.FIGURES,
    "sbp": sbp.FIGURES,
    "simba": simba.FIGURES,
    "bsgd": bsgd.FIGURES,
    "incremental": incremental.FIGURES,
}
Say = Callable[[str], None]


def build(
    home: str = "",
    say: Say = lambda line: None,
    *,
    only_lessons: Iterable[str] | None = None,
    papers: Iterable[str] | None = None,
    solvers: Iterable[str] | None = None,
) -> dict[str, bytes]:
    """All files of a site by their paths: of everything, unless only some lessons, papers or
    solvers are named. `home` is the address of an app that can do what files cannot.
    """
    chosen = [
        tuple(all_of if some is None else some)
        for some, all_of in ((only_lessons, lessons.LESSONS), (papers, PAPERS), (solvers, SOLVERS))
    ]
    site = Site(Files(), home.rstrip("/"), *chosen)
    shared(site.files)
    for key in site.lessons:
        say(f"lesson {key}")
        site.files.page(f"lesson-{key}.html", lesson(site, key))
    for key in site.solvers:
        say(f"gallery {key}")
        solver = SOLVERS[key]
        site.files.page(
            f"gallery-{key}.html",
            frames.staged(
                solver.title,
                f"Runs of {solver.title} over a small grid of parameters.",
                "stage",
                gallery.told(site, key) | {"home": site.home, "up": "index.html#gallery"},
            ),
        )
    if site.papers:
        compilation().join()
    for name in site.papers:
        say(f"paper {name}")
        site.files.page(f"paper-{name}.html", paper(site, name))
    site.files.page("index.html", index(site))
    return site.files.found | {
        LIST: "".join(f"{path}\n" for path in sorted([*site.files.found, LIST])).encode()
    }


def shared(files: Files) -> None:
    """Player, styles, letters and what draws charts: once for all pages."""
    files.named("player.js", f'{bundle()}svmvizScripts["site/main.js"].open();'.encode())
    files.named("plotly.min.js", script.plotly())
    files.named("tools.js", (WEB / "charts" / "tools.js").read_bytes())
    files.named("stage-sans.woff2", (WEB / LIBRARIES / "stage-sans.woff2").read_bytes())
    files.named("icon.svg", (WEB / "icon.svg").read_bytes())
    sheets = {
        "tools": compact("charts/tools.css"),
        "figure": compact(*styles("figure")),
        "stage": style("stage"),
        "lesson": style("lesson"),
        "shell": compact(*SHELL),
        "site": FACE + compact(*ROOT, "site/main.css", "site/choices.css"),
        "staged": compact("site/choices.css", "site/staged.css"),
    }
    for name, text in sheets.items():
        files.named(f"{name}.css", text.encode())


def lesson(site: Site, key: str) -> str:
    """Its cards, and every run that they may ask for."""
    found, at = lessons.lesson(key), site.lessons.index(key) + 1
    runs = lessonwire.runs(found.cards)
    files = [
        site.files.keep(
            "runs", "bin", told(recipe, wire.pack_recipe(recipe), None, final=True, editable=False)
        )
        for recipe, _ in runs.values()
    ]
    following = site.lessons[at] if at < len(site.lessons) else None
    named = following and {"key": following, "title": lessons.lesson(following).title}
    return frames.staged(
        found.title,
        found.about,
        "lesson",
        {
            "entry": "lesson",
            "runs": list(runs),
            "files": files,
            "home": site.home,
            "up": "index.html#lessons",
            "lesson": lessonwire.describe(key, found, named),
            "lessons": {one: f"lesson-{one}.html" for one in site.lessons},
            "ways": [{"run": one, **way} for one, (_, ways) in runs.items() for way in ways],
        },
    )


def paper(site: Site, name: str) -> str:
    """An article with its stages and figures; what can be chosen there stands in files of its
    own.
    """
    drawing, found = Drawing(site, name), article(name)
    body = column(*drawing.inside([Group(laid_out(name, FIGURES[name]), "paper")]))
    return frames.reading(
        site,
        f"{found.title} · svmviz",
        found.lead,
        body,
        "Papers",
        {
            "colours": script.colours(),
            "choices": [choice(site, group) for group in drawing.groups],
        },
    )


def choice(site: Site, group: Choices) -> dict:
    """What the page is told of choices that belong together."""
    states = [
        [
            state,
            site.files.packed(
                "parts",
                "".join(
                    one.named({(): name}).html()
                    for one, name in zip(parts, group.names, strict=True)
                ),
            ),
        ]
        for state, parts in group.states
    ]
    return {"parts": group.names, "states": states}


def index(site: Site) -> str:
    """The front door: a run to begin with, and all that there is."""

    def listed(name: str, words: str, items: Iterable[Part]) -> list[Part]:
        made = tuple(items)
        return (
            [
                part(
                    "section",
                    part("h2", name),
                    part("p", words),
                    part("ul", *made),
                    id=name.lower(),
                )
            ]
            if made
            else []
        )

    def item(address: str, title: str, about: str, more: str) -> Part:
        inner = (
            part("h3", escape(title)),
            part("p", escape(about)),
            part("p", escape(more), class_="more"),
        )
        return part("li", part("a", *inner, href=address))

    sections = [
        *listed(
            "Lessons",
            "A handful of cards beside a live run. You look, you turn something until a condition"
            " holds, and you say what the solver will do next, before it does.",
            (
                item(
                    f"lesson-{key}.html",
                    one.title,
                    one.about,
                    f"{len(one.cards)} cards, {one.minutes} minutes",
                )
                for key, one in ((key, lessons.lesson(key)) for key in site.lessons)
            ),
        ),
        *listed(
            "Papers",
            "Articles with stages inside, and their figures and tables as they were recorded:"
            " published beside measured.",
            (
                item(f"paper-{name}.html", one.title, one.lead, one.by)
                for name, one in ((name, article(name)) for name in site.papers)
            ),
        ),
        *listed(
            "Gallery",
            "Every solver on some data, with less and more of what matters most to it.",
            (
                item(f"gallery-{key}.html", SOLVERS[key].title, "", SOLVERS[key].paper)
                for key in site.solvers
            ),
        ),
    ]
    recipe, view = opened("sbp")
    figure = {"show": ["plane", "mechanism"], "light": [], "wide": True}
    run = site.files.keep(
        "runs",
        "bin",
        told(
            recipe,
            wire.pack_recipe(recipe),
            view | {"play": 3, "serial": 1},
            final=True,
            editable=False,
            figure=figure,
        ),
    )
    hero = part(
        "div",
        part("h1", "Watch SVM solvers think"),
        part("p", escape(LEAD), class_="lead"),
        part("h2", "A run to begin with", class_="aside"),
        part("div", "", data_run=run, class_="host"),
        class_="hero",
    )
    return frames.reading(site, TITLE, LEAD, part("div", hero, *sections, class_="front"))


def fits(folder: Path, force: bool = False) -> None:
    """Whether a site may be written there: into a folder that is not there yet, is empty or has a
    former site.
    """
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file; name a folder")
    if folder.exists() and any(folder.iterdir()) and not (folder / LIST).exists() and not force:
        raise ValueError(
            f"{folder} has other files in it; name a folder that is empty or has a former site, or"
            " say --force"
        )


def write(files: Mapping[str, bytes], folder: Path) -> None:
    """What a former site had and this one has not goes."""
    former = folder / LIST
    for path in former.read_text(encoding="utf-8").splitlines() if former.exists() else ():
        if path not in files and (folder / path).resolve().is_relative_to(folder.resolve()):
            (folder / path).unlink(missing_ok=True)
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
