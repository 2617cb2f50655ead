"""A backend that carries every batch out at once in this process, and remembers what it was asked
to do.
"""

import numpy as np

from svmviz.explore.fitting import MEASURED, Outcome


class Here:
    width = 1

    def __init__(self):
        self.fitted, self.removed = 0, 0

    def place(self, arrays):
        return arrays

    def placed(self, data, arrays):
        return data

    def submit(self, done, act, data, job, groups):
        self.fitted += sum(len(group.pairs) for group in groups)
        done(self.work(act, data, job, groups))

    def work(self, act, data, job, groups):
        return act(data, job, groups)

    def cancel(self, batches):
        pass

    def remove(self, data):
        self.removed += 1

    def lost(self, error):
        return isinstance(error, ConnectionError)


class Pretended(Here):
    """One that fits nothing: `error` says what a cell's parameters give."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def work(self, act, data, job, groups):
        out = [
            (0, 10, *np.full(len(MEASURED.names) - 2, self.error(group.params)))
            for group in groups
            for _ in group.pairs
        ]
        return Outcome(np.array(out, MEASURED), {}, 0.01 * len(out))
