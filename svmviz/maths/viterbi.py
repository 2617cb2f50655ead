"""The best tagging of a sentence: a score for each place and tag, and one for each pair of tags
that follow each other.

>>> path = np.zeros(3, np.int64)
>>> (
...     viterbi(
...         np.array([[1.0, 0.0], [0.4, 0.5], [1.0, 0.0]]), np.array([[0.2, 0.0], [0.0, 0.2]]), path
...     ),
...     path,
... )
(2.8, array([0, 0, 0]))
"""

import numpy as np

from svmviz.maths.machine.jit import jit


@jit
def viterbi(scores, pairs, path):
    """Fill `path` with the tags whose scores sum up highest, the first of those that tie, and
    return that sum; scores (places, tags), pairs (tag before, tag)
    """
    places, tags = scores.shape
    best, back = np.empty((places, tags)), np.zeros((places, tags), np.int64)
    best[0] = scores[0]
    for j in range(1, places):
        for c in range(tags):
            first = 0
            for b in range(1, tags):
                if best[j - 1, b] + pairs[b, c] > best[j - 1, first] + pairs[first, c]:
                    first = b
            best[j, c] = best[j - 1, first] + pairs[first, c] + scores[j, c]
            back[j, c] = first
    last = 0
    for c in range(1, tags):
        if best[places - 1, c] > best[places - 1, last]:
            last = c
    path[places - 1] = last
    for j in range(places - 1, 0, -1):
        path[j - 1] = back[j, path[j]]
    return best[places - 1, last]


@jit
def total(scores, pairs, path):
    """What a tagging scores"""
    found = scores[0, path[0]]
    for j in range(1, path.size):
        found += pairs[path[j - 1], path[j]] + scores[j, path[j]]
    return found


@jit
def dearest(scores, pairs, true, costly, path):
    """The tagging that scores highest with 1 more for each wrong tag into `path`, and by how much
    it leads the true one: the loss. Where that is 0 the path is the true one; `costly` is room
    """
    for j in range(true.size):
        for c in range(scores.shape[1]):
            costly[j, c] = scores[j, c] + (0.0 if c == true[j] else 1.0)
    loss = viterbi(costly, pairs, path) - total(scores, pairs, true)
    if not loss > 0.0:
        path[:] = true
        return 0.0
    return loss
