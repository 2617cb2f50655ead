"""A page of the app, read without a browser, with all that a visitor can choose on it by name.

Choices that change the same parts of the page belong together; of these every combination is tried,
and what it changes is kept beside the page.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from streamlit.testing.v1 import AppTest

from svmviz.ui.jobs.compiling import compilation
from svmviz.ui.papers import articles
from svmviz.ui.site.elements import Drawing, Site, choices, chosen
from svmviz.ui.site.parts import Part, differences, topmost
from svmviz.ui.site.parts import Path as Place

ROOT = Path(articles.__file__).parents[3]
LONGEST = 600  # seconds that a page may take

State = Mapping[str, int]  # which option, by the key of its element


class Group(NamedTuple):
    """Choices that change the same parts."""

    places: list[Place]
    states: list[tuple[State, list[Part]]]  # for each combination the parts at these places


class Seen(NamedTuple):
    """A page after some choices: all of it, and what can be chosen now."""

    tree: Part
    sizes: dict[str, int]  # how many options, by key
    state: State


class Reading:
    """A visit of the page of a paper."""

    def __init__(self, site: Site, name: str):
        compilation().join()
        script = next(
            path for path in (ROOT / "app.py", ROOT / "svmviz" / "app" / "app.py") if path.exists()
        )
        self.name, self.draw = name, Drawing(site, name)
        self.app = AppTest.from_file(str(script), default_timeout=LONGEST)
        self.app.session_state[articles.MOVED] = True  # no stage will ever say so
        self.app.switch_page(f"pages/{name}.py").run()
        self.whole = self.seen().tree

    def seen(self) -> Seen:
        if self.app.exception:
            raise ValueError(f"the page {self.name} failed: {self.app.exception[0].message}")
        nodes = choices(self.app.main)
        return Seen(
            self.draw.tree(self.app.main),
            {node.key: len(node.options) for node in nodes},
            {node.key: chosen(node) for node in nodes},
        )

    def groups(self) -> list[Group]:
        """All choices of the page. They change only the figures of their section, so that these
        alone are drawn.
        """
        found = []
        for k, section in enumerate(articles.article(self.name).sections):
            if section.figures:
                self.app.session_state[articles.ONLY] = k
                self.app.run()
                found += Choosing(self, self.seen()).groups()
        return found


class Choosing:
    """What can be chosen in one section."""

    def __init__(self, reading: Reading, base: Seen):
        self.reading, self.base = reading, base
        self.known: dict[frozenset, Seen] = {frozenset(): base}

    def go(self, wanted: State) -> Seen:
        """Choose; what is not named is as at first. A choice may bring others, which are then made,
        too.
        """
        app, wanted = self.reading.app, {**self.base.state, **wanted}
        name = frozenset(wanted.items() - self.base.state.items())
        for _ in range(3 if name not in self.known else 0):
            now = [node for node in choices(app.main) if node.key in wanted]
            if all(wanted[node.key] == chosen(node) for node in now):
                break
            told, states = (
                {node.id: node.options[wanted[node.key]] for node in now},
                app._tree.get_widget_states(),
            )
            for one in states.widgets:
                if one.id in told and one.WhichOneof("value") == "string_value":
                    one.string_value = told[one.id]
                elif one.id in told:
                    one.string_array_value.data[:] = [told[one.id]]
            app._run(states)
        if name not in self.known:
            self.known[name] = self.reading.seen()
        return self.known[name]

    def groups(self) -> list[Group]:
        """Choices that change the same parts go together."""
        changed: list[tuple[set[str], list[Place]]] = []
        for key, size in self.base.sizes.items():
            keys, places = (
                {key},
                topmost(
                    place
                    for k in range(size)
                    for place in differences(self.base.tree, self.go({key: k}).tree)
                ),
            )
            for other in [one for one in changed if overlap(one[1], places)]:
                changed.remove(other)
                keys, places = keys | other[0], topmost([*places, *other[1]])
            changed.append((keys, places))
        return [self.group(keys) for keys, _ in changed]

    def group(self, keys: set[str]) -> Group:
        """Every combination of some choices, and of those that come with them: one after the other,
        as they stand there.
        """
        elsewhere = self.base.state.keys() - keys
        found: list[tuple[State, Part]] = []

        def choose(made: State) -> None:
            seen = self.go(made)
            following = next(
                (key for key in seen.sizes if key not in made and key not in elsewhere), None
            )
            if following is None:
                found.append(
                    ({key: k for key, k in seen.state.items() if key not in elsewhere}, seen.tree)
                )
                return
            for k in range(seen.sizes[following]):
                choose({**made, following: k})

        choose({})
        found.sort(
            key=lambda one: not one[0].items() <= self.base.state.items()
        )  # what the page begins with comes first
        places = topmost(place for _, tree in found for place in differences(self.base.tree, tree))
        return Group(
            places, [(state, [tree.at(place) for place in places]) for state, tree in found]
        )


def overlap(some: Iterable[Place], others: Iterable[Place]) -> bool:
    """Whether any lies within another.

    >>> overlap([(1, 2)], [(1,)]), overlap([(1, 2)], [(1, 3)])
    (True, False)
    """
    some, others = list(some), list(others)
    return any(a[: len(b)] == b or b[: len(a)] == a for a in some for b in others)
