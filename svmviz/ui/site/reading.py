"""A page of the app, read without a browser, with all that a visitor can choose on it by name.

Choices that change the same parts of the page belong together; of these every combination is tried, and what it changes is
kept beside the page.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from streamlit.testing.v1 import AppTest

from svmviz.ui import articles
from svmviz.ui.compiling import compilation
from svmviz.ui.site.elements import Drawing, Site, choices, chosen
from svmviz.ui.site.parts import Part, differences, topmost
from svmviz.ui.site.parts import Path as Place

ROOT = Path(articles.__file__).parents[2]
LONGEST = 600  # seconds that a page may take

State = Mapping[str, int]  # which option, by the key of its element


class Group(NamedTuple):
    """Choices that change the same parts."""

    places: list[Place]
    states: list[tuple[State, list[Part]]]  # for each combination the parts at these places


class Reading:
    """A visit of the page of a paper."""

    def __init__(self, site: Site, name: str):
        compilation().join()
        script = next(path for path in (ROOT / "app.py", ROOT / "svmviz" / "app" / "app.py") if path.exists())
        self.app = AppTest.from_file(str(script), default_timeout=LONGEST)
        self.app.session_state[articles.MOVED] = True  # no stage will ever say so
        self.app.switch_page(f"pages/{name}.py").run()
        self.draw = Drawing(site, name)
        self.base = self.tree()
        self.begun = self.state()

    def tree(self) -> Part:
        if self.app.exception:
            raise ValueError(f"the page {self.draw.page} failed: {self.app.exception[0].message}")
        return self.draw.tree(self.app.main)

    def state(self) -> dict[str, int]:
        return {node.key: chosen(node) for node in choices(self.app.main)}

    def go(self, wanted: State) -> Part:
        """Choose; what is not named is as at first. A choice may bring others, which are then made, too."""
        for _ in range(3):
            all_wanted, now = {**self.begun, **wanted}, choices(self.app.main)
            if all(all_wanted.get(node.key, chosen(node)) == chosen(node) for node in now):
                break
            told = {node.id: node.options[all_wanted[node.key]] for node in now if node.key in all_wanted}
            states = self.app._tree.get_widget_states()
            for one in states.widgets:
                if one.id in told and one.WhichOneof("value") == "string_value":
                    one.string_value = told[one.id]
                elif one.id in told:
                    one.string_array_value.data[:] = [told[one.id]]
            self.app._run(states)
        return self.tree()

    def groups(self) -> list[Group]:
        """All choices of the page."""
        sizes = {node.key: len(node.options) for node in choices(self.app.main)}
        changed: list[tuple[set[str], list[Place]]] = []
        for key, size in sizes.items():
            places = [place for k in range(size) if k != self.begun[key]
                      for place in differences(self.base, self.go({key: k}))]
            keys, places = {key}, topmost(places)
            for other in [one for one in changed if overlap(one[1], places)]:
                changed.remove(other)
                keys, places = keys | other[0], topmost([*places, *other[1]])
            changed.append((keys, places))
        return [self.group(keys) for keys, _ in changed]

    def group(self, keys: Iterable[str]) -> Group:
        """Every combination of some choices, and of those that come with them: one after the other, as they stand there."""
        elsewhere = self.begun.keys() - set(keys)
        found: list[tuple[State, Part]] = []

        def choose(made: State) -> None:
            tree = self.go(made)
            here = [node for node in choices(self.app.main) if node.key not in elsewhere]
            following = next((node for node in here if node.key not in made), None)
            if following is None:
                found.append(({node.key: chosen(node) for node in here}, tree))
                return
            for k in range(len(following.options)):
                choose({**made, following.key: k})

        choose({})
        found.sort(key=lambda one: not one[0].items() <= self.begun.items())  # what the page begins with comes first
        places = topmost(place for _, tree in found for place in differences(self.base, tree))
        return Group(places, [(state, [tree.at(place) for place in places]) for state, tree in found])


def overlap(some: Iterable[Place], others: Iterable[Place]) -> bool:
    """Whether any lies within another.

    >>> overlap([(1, 2)], [(1,)]), overlap([(1, 2)], [(1, 3)])
    (True, False)
    """
    some, others = list(some), list(others)
    return any(a[:len(b)] == b or b[:len(a)] == a for a in some for b in others)


