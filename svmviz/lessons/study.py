"""Where a learner is: the lesson, the card, what was turned on it. A value that the page keeps, as
`run.visit` is for the Playground; the address holds lesson and card.

>>> study = Study().opened({"lesson": "sbp", "card": "2"}, {"sbp": 9})
>>> study.query()
{'lesson': 'sbp', 'card': '2'}
>>> study.told(
...     {"serial": study.serial, "lesson": "sbp", "card": 4, "turned": {}}, {"sbp": 9}
... ).query()
{'lesson': 'sbp', 'card': '5'}
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from svmviz.run.recipe import Recipe
from svmviz.solvers import SOLVERS
from svmviz.work.words import brief

OWN = "own"  # the key of the visitor's own lesson
LARGEST = 20  # parameters that a card may have turned


@dataclass(frozen=True)
class Study:
    lesson: str = ""  # none: the list of all
    card: int = 0
    turned: Mapping[str, Any] = field(default_factory=dict)
    serial: int = 0  # of the orders that the player was given
    heard: Mapping[str, Any] | None = None  # what it said last
    messages: tuple[str, ...] = ()  # what there is to say about a link

    def query(self) -> dict[str, str]:
        return {"lesson": self.lesson, "card": str(self.card + 1)} if self.lesson else {}

    def opened(self, query: Mapping[str, str], known: Mapping[str, int]) -> "Study":
        """A link was opened; `known` are the lessons and how many cards each has."""
        said, key = [], query.get("lesson", "")
        if key and key not in known:
            near = get_close_matches(key, known, 1)
            said.append(
                f"There is no lesson {brief(key)!r}"
                + (f"; did you mean {near[0]}?" if near else ".")
            )
            key = ""
        text, card = query.get("card", "1"), 1
        if key and text.isdecimal() and text.isascii() and 1 <= int(text[:6]) <= known[key]:
            card = int(text)
        elif key and "card" in query:
            said.append(
                f"The lesson has cards 1 to {known[key]}, got {brief(text)!r}: it begins with the"
                " first."
            )
        said += [
            f"The link holds {brief(name)!r}, which means nothing here."
            for name in list(query)[:5]
            if name not in ("lesson", "card")
        ]
        return replace(
            self, lesson=key, card=card - 1, turned={}, serial=self.serial + 1, messages=tuple(said)
        )

    def told(self, heard: Any, known: Mapping[str, int]) -> "Study":
        """The player said where it is. What it says may come late, and need not come from a player:
        all is looked at.
        """
        if not isinstance(heard, dict) or heard == self.heard or heard.get("serial") != self.serial:
            return self
        key, card, turned = heard.get("lesson"), heard.get("card"), heard.get("turned")
        now = replace(self, heard=heard, messages=())
        if key == "":
            return replace(now, lesson="", card=0, turned={}, serial=self.serial + 1)
        if key not in known or not isinstance(card, int | float) or not 0 <= card < known[key]:
            return now
        elsewhere = key != self.lesson
        return replace(
            now,
            lesson=key,
            card=int(card),
            serial=self.serial + elsewhere,
            turned=(
                dict(list(turned.items())[:LARGEST])
                if isinstance(turned, dict) and not elsewhere
                else {}
            ),
        )


def turned(recipe: Recipe, new: Mapping[str, Any]) -> tuple[Recipe, dict[str, Any]]:
    """A run with other parameters, and what of them could be used."""
    params = {p.name: p for p in SOLVERS[recipe.solver].params}
    used = {
        name: params[name].check(value)
        for name, value in new.items()
        if name in params and params[name].accepts(value) and not params[name].is_kernel
    }
    other = replace(recipe, params=dict(recipe.params) | used).checked() if used else recipe
    return (other, used) if other.admitted() else (recipe, {})
