"""A line that says how far a fit is, about once a second."""

import sys
import time
from collections.abc import Mapping

EVERY = 1.0  # seconds between two lines


class Progress:
    """Told of steps, it prints: over the line before on a terminal, else line by line."""

    def __init__(self, name: str, steps: int, out=None):
        self.name, self.steps, self.out = name, steps, out or sys.stdout
        self.began = self.said = time.monotonic()

    def __call__(self, done: int, facts: Mapping[str, float]) -> None:
        now = time.monotonic()
        if now - self.said >= EVERY:
            self.said = now
            self.out.write(f"{self.line(done, facts, now)}{chr(13) if self.out.isatty() else chr(10)}")
            self.out.flush()

    def line(self, done: int, facts: Mapping[str, float], now: float) -> str:
        """What it says.

        >>> progress = Progress("PegasosClassifier", 2000)
        >>> progress.line(500, {"level": 0.25}, progress.began + 1.5)
        'PegasosClassifier: 500 of at most 2000 steps, 1.5 s, level 0.25'
        """
        stands = "".join(f", {name} {value:.4g}" for name, value in facts.items())
        return f"{self.name}: {done} of at most {self.steps} steps, {now - self.began:.1f} s{stands}"

    def end(self, done: int) -> None:
        self.out.write(f"{self.line(done, {}, time.monotonic())}: done\n")
