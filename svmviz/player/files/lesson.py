"""A lesson as one HTML file that plays by itself."""

from svmviz import lessons
from svmviz.lessons.reading import Lesson
from svmviz.player.files.page import document
from svmviz.player.wire import lesson as lessonwire
from svmviz.player.wire import run as wire
from svmviz.player.wire.message import told


def of_lesson(key: str, lesson: Lesson | None = None, card: int = 0, home: str = "") -> str:
    """A lesson with its questions; what a card lets a learner turn has some values to choose
    from.
    """
    lesson = lesson or lessons.lesson(key)
    found = lessonwire.runs(lesson.cards)
    sent = {
        one: told(recipe, wire.pack_recipe(recipe), None, final=True, editable=False)
        for one, (recipe, _) in found.items()
    }
    return document(
        "lesson",
        sent,
        lesson.title,
        home,
        lesson=lessonwire.describe(key, lesson, None),
        card=card,
        ways=[{"run": one, **way} for one, (_, ways) in found.items() for way in ways],
    )
