"""Lessons: cards that tell, set a task or ask for a prediction. A lesson is a text file, see
`reading`; what its numbers are is found in the run when it is shown, see `facts`.
"""

from functools import cache
from pathlib import Path

from svmviz.lessons.reading import Card, Lesson, read

__all__ = ["LESSONS", "Card", "Lesson", "lesson"]

LESSONS = (
    "svm",
    "pegasos",
    "losses",
    "sbp",
    "bsgd",
    "field",
    "incremental",
    "simba",
)  # in the order of a newcomer


@cache
def lesson(key: str) -> Lesson:
    """One of ours.

    >>> lesson("sbp").title
    'The water level'
    """
    path = Path(__file__).parent / "cards" / f"{key}.md"
    return read(path.read_text(encoding="utf-8"), path.name)
