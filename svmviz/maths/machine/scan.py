"""The largest and the smallest of many numbers: eight side by side, which do not wait for each
other.

Something may be taken off each number, or added to it, first: infinity leaves it out. Not-a-number
is never found.
"""

import numpy as np

from svmviz.maths.machine.jit import loop


@loop
def highest_of(v, off):
    """The largest v_k - off_k"""
    m0 = m1 = m2 = m3 = m4 = m5 = m6 = m7 = -np.inf
    whole = v.size - v.size % 8
    for k in range(0, whole, 8):
        x0, x1, x2, x3 = (
            v[k] - off[k],
            v[k + 1] - off[k + 1],
            v[k + 2] - off[k + 2],
            v[k + 3] - off[k + 3],
        )
        x4, x5, x6, x7 = (
            v[k + 4] - off[k + 4],
            v[k + 5] - off[k + 5],
            v[k + 6] - off[k + 6],
            v[k + 7] - off[k + 7],
        )
        m0, m1, m2, m3 = (
            x0 if x0 > m0 else m0,
            x1 if x1 > m1 else m1,
            x2 if x2 > m2 else m2,
            x3 if x3 > m3 else m3,
        )
        m4, m5, m6, m7 = (
            x4 if x4 > m4 else m4,
            x5 if x5 > m5 else m5,
            x6 if x6 > m6 else m6,
            x7 if x7 > m7 else m7,
        )
    for k in range(whole, v.size):
        m0 = v[k] - off[k] if v[k] - off[k] > m0 else m0
    return max(max(max(m0, m1), max(m2, m3)), max(max(m4, m5), max(m6, m7)))


@loop
def lowest_of(v, on):
    """The smallest v_k + on_k"""
    m0 = m1 = m2 = m3 = m4 = m5 = m6 = m7 = np.inf
    whole = v.size - v.size % 8
    for k in range(0, whole, 8):
        x0, x1, x2, x3 = (
            v[k] + on[k],
            v[k + 1] + on[k + 1],
            v[k + 2] + on[k + 2],
            v[k + 3] + on[k + 3],
        )
        x4, x5, x6, x7 = (
            v[k + 4] + on[k + 4],
            v[k + 5] + on[k + 5],
            v[k + 6] + on[k + 6],
            v[k + 7] + on[k + 7],
        )
        m0, m1, m2, m3 = (
            x0 if x0 < m0 else m0,
            x1 if x1 < m1 else m1,
            x2 if x2 < m2 else m2,
            x3 if x3 < m3 else m3,
        )
        m4, m5, m6, m7 = (
            x4 if x4 < m4 else m4,
            x5 if x5 < m5 else m5,
            x6 if x6 < m6 else m6,
            x7 if x7 < m7 else m7,
        )
    for k in range(whole, v.size):
        m0 = v[k] + on[k] if v[k] + on[k] < m0 else m0
    return min(min(min(m0, m1), min(m2, m3)), min(min(m4, m5), min(m6, m7)))


@loop
def highest(v, off):
    """The first k with the largest v_k - off_k; -1 where all are left out"""
    most = highest_of(v, off)
    for k in range(v.size if most > -np.inf else 0):
        if v[k] - off[k] == most:
            return k
    return -1


@loop
def largest(v):
    """The first k with the largest v_k"""
    m0 = m1 = m2 = m3 = m4 = m5 = m6 = m7 = -np.inf
    whole = v.size - v.size % 8
    for k in range(0, whole, 8):
        x0, x1, x2, x3, x4, x5, x6, x7 = (
            v[k],
            v[k + 1],
            v[k + 2],
            v[k + 3],
            v[k + 4],
            v[k + 5],
            v[k + 6],
            v[k + 7],
        )
        m0, m1, m2, m3 = (
            x0 if x0 > m0 else m0,
            x1 if x1 > m1 else m1,
            x2 if x2 > m2 else m2,
            x3 if x3 > m3 else m3,
        )
        m4, m5, m6, m7 = (
            x4 if x4 > m4 else m4,
            x5 if x5 > m5 else m5,
            x6 if x6 > m6 else m6,
            x7 if x7 > m7 else m7,
        )
    for k in range(whole, v.size):
        m0 = v[k] if v[k] > m0 else m0
    most = max(max(max(m0, m1), max(m2, m3)), max(max(m4, m5), max(m6, m7)))
    for k in range(v.size):
        if v[k] == most:
            return k
    return -1
