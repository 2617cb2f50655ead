"""A random walk through the app in a real browser, which checks after every action what must always
hold.

    python -m tests.walk --seed 7 --actions 500      # or `make walk`, which goes on until it is
    stopped

An action is a name and plain values (`("choose", 3, "Perceptron")`), chosen by a seeded generator
from what the page offers at that moment. What was done is kept, so that a failure comes with a
script that repeats it.
"""

from .walker import Failure, Walker, repeat

__all__ = ["Failure", "Walker", "repeat"]
