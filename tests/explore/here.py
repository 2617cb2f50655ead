"""A backend that carries every batch out at once in this process, and remembers what it was asked to do."""

import numpy as np

from svmviz.explore import fitting
from svmviz.explore.fitting import MEASURED, Outcome


class Here:
    width = 1

    def __init__(self):
        self.fitted, self.removed = 0, 0

    def place(self, problem):
        return problem

    def placed(self, data, problem):
        return data

    def submit(self, token, job, data, groups, done):
        self.fitted += sum(len(group.pairs) for group in groups)
        done(token, self.work(job, data, groups))

    def work(self, job, data, groups):
        return fitting.work(job, data, groups)

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

    def work(self, job, data, groups):
        out = [(0, 10, *np.full(len(MEASURED.names) - 2, self.error(group.params))) for group in groups for _ in group.pairs]
        return Outcome(np.array(out, MEASURED), {}, 0.01 * len(out))
