"""Whose turn it is to compute: a data structure without threads and without a clock.

Visitors take turns: whoever comes next in the round has his next computation begin, whatever number
he has waiting. What has begun goes on to its end; the system shares the processors out among all
that have begun. Half of the places are for what promises to end soon.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass

MOST = (
    6  # computations of one visitor, under way and waiting, besides as many as there are processors
)
BEGUN = 3  # computations under way for every processor
# bytes in all of what is under way: matrices of which each may have a hundred million
ROOM = 400_000_000


class Full(ValueError):
    """A visitor asks for more at once than a page ever does."""


@dataclass(eq=False)
class Entry:
    """A computation that wants a place."""

    visitor: str
    weight: int = 0  # bytes that it holds
    long: bool = False  # nobody knows how long it will take: minutes, perhaps


class Turns:
    def __init__(self, processors: int, room: int = ROOM):
        self.processors, self.room = processors, room
        self.most, self.places = processors + MOST, BEGUN * processors
        self.round: OrderedDict[str, deque[Entry]] = (
            OrderedDict()
        )  # who waits, the visitor whose turn is next in front
        self.running: set[Entry] = set()

    def __len__(self) -> int:
        return len(self.running) + sum(map(len, self.round.values()))

    def enter(self, entry: Entry) -> None:
        """Wait for a place."""
        if len(self.round.get(entry.visitor, ())) + self.begun(entry.visitor) >= self.most:
            raise Full(
                f"at most {self.most} computations of one visitor, and this would be one more"
            )
        self.round.setdefault(entry.visitor, deque()).append(entry)

    def next(self) -> Entry | None:
        """Who begins now, and is counted from now on; nobody if all places are taken or nobody
        waits.
        """
        entry = next(self.eligible(), None) if len(self.running) < self.places else None
        if entry is not None:
            self.leave(entry)
            self.running.add(entry)
            if entry.visitor in self.round:
                self.round.move_to_end(entry.visitor)
        return entry

    def leave(self, entry: Entry) -> None:
        """It has ended, or is wanted no more."""
        self.running.discard(entry)
        if entry in self.round.get(entry.visitor, ()):
            self.round[entry.visitor].remove(entry)
            if not self.round[entry.visitor]:
                del self.round[entry.visitor]

    def eligible(self) -> Iterator[Entry]:
        """Of every visitor who waits the computation that would begin, in the order of the
        round.
        """
        room = self.room - sum(entry.weight for entry in self.running)
        long = 2 * sum(entry.long for entry in self.running) < self.places
        for visitor, queue in self.round.items():
            if self.begun(visitor) < self.processors:
                fitting = (
                    entry
                    for entry in queue
                    if (long or not entry.long) and (entry.weight <= room or room == self.room)
                )
                if (entry := next(fitting, None)) is not None:
                    yield entry

    def begun(self, visitor: str) -> int:
        """Computations of a visitor that are under way."""
        return sum(entry.visitor == visitor for entry in self.running)
