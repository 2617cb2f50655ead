"""What a solver says: sentences and lines of pseudo-code by name, the bits that record them, and
the values that fill them.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

import numpy as np

DEPTHS = ("why", "short", "maths")


class Line(NamedTuple):
    """A line of pseudo-code. `value` is a template of live values."""

    text: str
    value: str = ""
    beat: str = ""


class Sentence(NamedTuple):
    """The explanation of one event of a step, at three depths. `None` falls back to `why`; `""`
    says nothing.
    """

    why: str
    short: str | None = None
    maths: str | None = None


class Named(tuple):
    """Entries by name, in their order: entry k is bit k of a record's column, and the table has
    that bit as an attribute of the entry's name.

    >>> table = Named(free="stay", pays="move") | Named(pulled="shorten")
    >>> table[2], table.pays | table.pulled, table.only("pulled").pulled
    ('shorten', 6, 1)
    """

    names: tuple[str, ...]

    def __new__(cls, **entries):
        self = super().__new__(cls, entries.values())
        vars(self).update({name: 1 << bit for bit, name in enumerate(entries)})
        self.names = tuple(entries)
        return self

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return pairs (name, entry)."""
        return zip(self.names, self, strict=True)

    def __or__(self, other: "Named") -> Self:
        """Return both tables as one. An entry of `other` takes the place of its namesake."""
        return type(self)(**dict(self.items()) | dict(other.items()))

    def only(self, *names: str) -> Self:
        """Return the table of the entries with these names."""
        return type(self)(**{name: entry for name, entry in self.items() if name in names})


class Sentences(Named):
    """Sentences in the order in which they are spoken; bit k of a step's `why` is sentence k."""

    def translate(self, why: np.ndarray, source: "Sentences") -> np.ndarray:
        """Return the column `why` of the solver with the table `source` in the bits of this table.
        A sentence that this table lacks is dropped.

        >>> plain = Sentences(start="", free="", wrong="")
        >>> plain.only("start", "wrong").translate(np.array([2, 4]), plain).tolist()
        [0, 2]
        """
        out = np.zeros_like(why)
        for name in set(self.names).intersection(source.names):
            out |= np.where(why & vars(source)[name], vars(self)[name], 0)
        return out


class Lines(Named):
    """The pseudo-code that some parameters select; bit k of a step's `lines` is line k."""

    def ran(self, steps: int, **when: np.ndarray) -> np.ndarray:
        """Return the column `lines` of a record: a line runs in every step, or in those that `when`
        has under its name. A name without a line is ignored, as parameters drop lines.

        >>> Lines(draw=Line("draw i"), add=Line("w ← w + x")).ran(2, add=np.array([True, False]))
        array([3, 1])
        """
        out = np.zeros(steps, np.int64)
        for name in self.names:
            out |= np.where(when.get(name, True), vars(self)[name], 0)
        return out


def live_values(trace, t: int) -> dict[str, Any]:
    """Return the live quantities of step t for the templates of a solver that names no others: its
    example, the margin, whether it `hits` w, |w| `before` and after, and what the solver counts.
    """
    segment = trace.segment(t)
    n = len(segment.active)
    if t == 0:
        return {"t": 0, "n": n}
    row, counted = t - segment.start - 1, {name: of[t].item() for name, of in trace.scalars.items()}
    i, norm = int(segment.record.drawn[row, 0]), trace.metrics["norm"]
    return {
        "t": t,
        "n": n,
        "i": i + 1,
        "label": "+1" if trace.problem.y[i] > 0 else "−1",
        "margin": float(segment.record.margin[row, 0]),
        "hits": int(segment.record.delta[row, 0] != 0),
        "before": float(norm[t - 1]),
        "norm": float(norm[t]),
        **counted,
    }
