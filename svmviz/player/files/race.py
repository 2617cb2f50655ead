"""A race as one HTML file that plays by itself."""

from collections.abc import Mapping
from typing import Any

from svmviz.player.files.page import document
from svmviz.player.wire import race
from svmviz.race.card import Card


def of_race(card: Card, view: Mapping[str, Any] | None = None, home: str = "") -> str:
    """All lanes, all seeds."""
    data = race.whole(card, {**card.look, **(view or {}), "serial": 1})
    return document("race", {card.key(): data}, f"Race: {race.described(card)['about']}", home)
