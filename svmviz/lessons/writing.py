"""A visitor's own lesson: a draft made of the moments of a storyboard, in the same form as ours."""

from urllib.parse import urlencode

from svmviz.lessons.reading import MOST_CARDS, MOST_TEXT
from svmviz.run.link import VIEW_KEYS
from svmviz.run.storyboard import Board, Moment

START = """# My lesson
minutes: 15
about: What it is about, in a sentence.
"""


def of_board(board: Board) -> tuple[str, list[str]]:
    """The text of a lesson with a card for each moment, and what had to be left out.

    >>> text, _ = of_board(
    ...     Board("Water", (Moment("data=moons&t=20&beat=add", "Who is wet?", "Look {there}."),))
    ... )
    >>> print(text)
    # Water
    minutes: 15
    about: What it is about, in a sentence.
    <BLANKLINE>
    ## Who is wet?
    run: data=moons
    t: 20
    beat: add
    <BLANKLINE>
    Look (there).
    <BLANKLINE>
    """
    shared = [(k, moment) for k, moment in enumerate(board.moments, 1) if not moment.private]
    said = [
        f"Moment {k} was left out: a lesson cannot hold uploaded data."
        for k, moment in enumerate(board.moments, 1)
        if moment.private
    ]
    if len(shared) > MOST_CARDS:
        said.append(
            f"A lesson has at most {MOST_CARDS} cards: the moments from {shared[MOST_CARDS][0]} on"
            " were left out."
        )
    said += [
        f"Moment {k}: a card shows one run, and the fork was left out."
        for k, moment in shared
        if "fork" in moment.query
    ]
    if not shared:
        raise ValueError(
            "There is no moment of which a lesson could be made." if not said else " ".join(said)
        )
    cards = [card(k, moment) for k, moment in shared[:MOST_CARDS]]
    return "\n".join([START.replace("My lesson", board.title), *cards]), said


def card(k: int, moment: Moment) -> str:
    """The card that stands where a moment does."""
    link = moment.query
    run = urlencode(
        {name: value for name, value in link.items() if name not in VIEW_KEYS}, safe="(),:;=."
    )
    heads = [f"## {moment.title or f'Moment {k}'}", f"run: {run}", f"t: {link.get('t', '0')}"]
    heads += [f"{name}: {link[name]}" for name in ("beat", "x", "y") if link.get(name)]
    return "\n".join(heads) + "\n\n" + (prose(moment.note) or "What is to be seen here.") + "\n"


def prose(note: str) -> str:
    """A note as the text of a card: what would be a heading, a line or a number of the run there is
    only text here.
    """
    lines = [
        line.replace("{", "(").replace("}", ")").lstrip("#").strip() for line in note.split("\n")
    ]
    return "\n".join("" if set(line) == {"-"} else line for line in lines).strip("\n")[:MOST_TEXT]
