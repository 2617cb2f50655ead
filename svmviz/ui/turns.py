"""Whose turn it is to compute: a data structure without threads and without a clock.

There are as many places as the machine has cores. Visitors take turns: whoever comes next in the round has one of his
computations go on, whatever number he has waiting, and one that has had its slice gives way and waits for the next round.

What is urgent, a run that takes milliseconds and that somebody looks at, waits for nothing but others of its kind: what is in
the midst of compiled code gives way only at its next pause, and nobody should wait for that. What is not urgent is passed over,
but not for ever.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass

MOST = 6  # computations of one visitor, under way and waiting, besides as many as there are places
ROOM = 400_000_000  # bytes in all of what has begun: matrices of which each may have a hundred million
BEGUN = 32  # computations that have begun, each with a thread of its own
PASSED = 8  # urgent ones in a row that may pass the others


class Full(ValueError):
    """A visitor asks for more at once than a page ever does."""


@dataclass(eq=False)
class Entry:
    """A computation that wants a place."""

    visitor: str
    urgent: bool = False
    weight: int = 0  # bytes that it holds from its beginning to its end
    begun: bool = False


class Turns:
    def __init__(self, places: int, room: int = ROOM):
        self.places, self.room, self.most = places, room, places + MOST
        self.round: OrderedDict[str, deque[Entry]] = OrderedDict()  # who waits, the visitor whose turn is next in front
        self.urgent: deque[Entry] = deque()
        self.running: set[Entry] = set()
        self.begun: set[Entry] = set()  # under way, or waiting in mid-work
        self.passed = 0

    def __len__(self) -> int:
        return len(self.running) + len(self.urgent) + sum(map(len, self.round.values()))

    def enter(self, entry: Entry) -> None:
        """Wait for a place."""
        if self.asked(entry.visitor) >= self.most:
            raise Full(f"at most {self.most} computations of one visitor, and this would be one more")
        if entry.urgent:
            self.urgent.append(entry)
        else:
            self.round.setdefault(entry.visitor, deque()).append(entry)

    def next(self) -> Entry | None:
        """Who goes on now, and is counted from now on; nobody if all places are taken or nobody waits."""
        later = next(self.eligible(), None) if len(self.running) < self.places else None
        free = sum(entry.urgent for entry in self.running) < self.places
        if self.urgent and free and (later is None or self.passed < PASSED):
            entry, self.passed = self.urgent.popleft(), self.passed + (later is not None)
        elif later is not None:
            entry, self.passed = later, 0
            self.take(entry)
            if entry.visitor in self.round:
                self.round.move_to_end(entry.visitor)
        else:
            return None
        entry.begun = True
        self.begun.add(entry)
        self.running.add(entry)
        return entry

    def crowded(self, entry: Entry) -> bool:
        """Whether a computation that has had its slice should give way: to what is urgent, or to another visitor."""
        return len(self.running) > self.places or any(other.visitor != entry.visitor for other in self.eligible())

    def give_way(self, entry: Entry) -> None:
        """Wait for the next round, before anything else that the same visitor wants."""
        self.running.remove(entry)
        self.round.setdefault(entry.visitor, deque()).appendleft(entry)
        self.round.move_to_end(entry.visitor)

    def leave(self, entry: Entry) -> None:
        """It has ended, or is wanted no more."""
        self.running.discard(entry)
        self.begun.discard(entry)
        if entry in self.urgent:
            self.urgent.remove(entry)
        elif entry in self.round.get(entry.visitor, ()):
            self.take(entry)

    def eligible(self) -> Iterator[Entry]:
        """Of every visitor who waits the computation that would go on, in the order of the round."""
        room, free = self.room - sum(entry.weight for entry in self.begun), len(self.begun) < BEGUN
        for queue in self.round.values():
            fitting = (entry for entry in queue if entry.begun or (free and (entry.weight <= room or room == self.room)))
            if (entry := next(fitting, None)) is not None:
                yield entry

    def take(self, entry: Entry) -> None:
        """Out of the queue of its visitor."""
        self.round[entry.visitor].remove(entry)
        if not self.round[entry.visitor]:
            del self.round[entry.visitor]

    def asked(self, visitor: str) -> int:
        """Computations of a visitor, under way and waiting."""
        waiting = [*self.urgent, *self.round.get(visitor, ())]
        return sum(entry.visitor == visitor for entry in (*waiting, *self.running))
