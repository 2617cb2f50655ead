"""A line that says how far a fit is, about once a second."""

import sys
import time
from collections.abc import Mapping

EVERY = 1.0  # seconds between two lines
CLEAR = "\x1b[K"  # the rest of a line on a terminal
ENDLESS = 10_000_000  # steps: as many are no limit that one looks at


class Progress:
    """Told of steps, it prints: over the line before on a terminal, else line by line."""

    def __init__(self, name: str, steps: int, out=None):
        self.name, self.steps, self.out = name, steps, out or sys.stdout
        self.began = self.said = time.monotonic()

    def __call__(self, done: int, facts: Mapping[str, float]) -> None:
        now = time.monotonic()
        if now - self.said >= EVERY:
            self.said = now
            self.say(self.line(done, facts, now), last=False)

    def say(self, line: str, last: bool) -> None:
        terminal = self.out.isatty()
        self.out.write(
            f"{CLEAR if terminal else ''}{line}{chr(10) if last or not terminal else chr(13)}"
        )
        self.out.flush()

    def line(self, done: int, facts: Mapping[str, float], now: float) -> str:
        """What it says.

        >>> progress = Progress("PegasosClassifier", 2000)
        >>> progress.line(500, {"level": 0.25}, progress.began + 1.5)
        'PegasosClassifier: 500 of at most 2000 steps, 1.5 s, level 0.25'
        """
        stands = "".join(f", {name} {value:.4g}" for name, value in facts.items())
        most = f" of at most {self.steps}" if self.steps < ENDLESS else ""
        return f"{self.name}: {done}{most} steps, {now - self.began:.1f} s{stands}"

    def end(self, done: int) -> None:
        self.say(f"{self.line(done, {}, time.monotonic())}: done", last=True)
