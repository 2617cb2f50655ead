"""What a link of the app shows, as one HTML file."""

from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, urlsplit

from svmviz import lessons
from svmviz.lessons.study import Study
from svmviz.player.files.lesson import of_lesson
from svmviz.player.files.page import of_recipe
from svmviz.player.files.race import of_race
from svmviz.player.wire import race
from svmviz.race.card import read
from svmviz.run import fork as forks
from svmviz.run.view import arrive

Found = tuple[Callable[[], str], list[str]]  # a page, and what there is to say against the link


def _run(query: Mapping[str, str], home: str) -> Found:
    recipe, view, said = arrive(query)
    recipe, fork, more = forks.read(query, recipe)
    return lambda: of_recipe(recipe.checked(), view, fork, home), [*said, *more]


def _race(query: Mapping[str, str], home: str) -> Found:
    card, said = read(query, race.VIEW)
    view, more = race.placed(query)
    return lambda: of_race(card, view, home), [*said, *more]


def _lesson(query: Mapping[str, str], home: str) -> Found:
    study = Study().opened(query, {key: len(lessons.lesson(key).cards) for key in lessons.LESSONS})
    if not study.lesson and not study.messages:
        return str, [f"The link must name one of the lessons, such as lesson={lessons.LESSONS[0]}."]
    return lambda: of_lesson(study.lesson, card=study.card, home=home), [*study.messages]


SHOWN: dict[str, Callable[[Mapping[str, str], str], Found]] = {
    "race": _race,
    "lessons": _lesson,
}  # by the page of the app


def of_link(link: str) -> str:
    """What a link of the app shows: a run, a fork, a race or a lesson. An address in it is where
    the app is; parts alone, such as "data=moons&solver=sbp", name a run.

    >>> of_link("data=moons&lam=much")
    Traceback (most recent call last):
        ...
    ValueError: The link's lam was replaced by its default: lam must be a number, got 'much'.
    """
    place = urlsplit(link)
    query = dict(
        parse_qsl(place.query if place.netloc else link.lstrip("?"), keep_blank_values=True)
    )
    home = (
        place._replace(query="", fragment="").geturl() if place.scheme in ("http", "https") else ""
    )
    page, said = SHOWN.get(place.path.strip("/").rpartition("/")[2] if place.netloc else "", _run)(
        query, home
    )
    if said:
        raise ValueError(" ".join(said))
    return page()
