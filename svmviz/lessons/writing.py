"""A visitor's own lesson: a draft that grows by moments of runs, in the same form as ours."""

from collections.abc import Mapping
from urllib.parse import urlencode

from svmviz.lessons.reading import MOST_CARDS
from svmviz.run.link import VIEW_KEYS

START = """# My lesson
minutes: 15
about: What it is about, in a sentence.
"""


def with_moment(draft: str, link: Mapping[str, str], why: str = "") -> str:
    """The draft with one more card, which stands where the player is.

    >>> print(with_moment(START, {"data": "moons", "t": "20", "beat": "add"}, "Wrong side."))
    # My lesson
    minutes: 15
    about: What it is about, in a sentence.
    <BLANKLINE>
    ## Moment 1
    run: data=moons
    t: 20
    beat: add
    <BLANKLINE>
    Wrong side.
    <BLANKLINE>
    """
    count = sum(line.startswith("## ") for line in draft.split("\n"))
    if count >= MOST_CARDS:
        raise ValueError(f"a lesson has at most {MOST_CARDS} cards")
    run = urlencode({name: value for name, value in link.items() if name not in VIEW_KEYS}, safe="(),:;=.")
    heads = [f"## Moment {count + 1}", f"run: {run}", f"t: {link.get('t', '0')}"]
    heads += [f"{name}: {link[name]}" for name in ("beat", "x", "y") if link.get(name)]
    text = " ".join(why.replace("{", "(").replace("}", ")").split()) or "What is to be seen here."
    return draft.rstrip("\n") + "\n\n" + "\n".join(heads) + "\n\n" + text + "\n"
