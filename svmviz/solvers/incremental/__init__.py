"""Tracking the optimum of a growing set of examples: what arrives, which coefficients move, what
that costs.

`model` holds the state of a run and counts kernel evaluations, `teachers` choose the next example,
`rounds` is the algorithm, `onepass` serves data that are too large for a trace, with `blocks` of
examples side by side and a `cache` of kernel values.
"""

ALGORITHMS = ("Algorithm 1", "Algorithm 2", "batch")
SIMPLE, PROCESS, BATCH = range(3)
TEACHERS = ("random", "as given", "active", "adversary", "you")
RANDOM, GIVEN, ACTIVE, ADVERSARY, YOU = range(5)
GRADIENTS = ("computed", "cached", "LASVM, all seen", "LASVM, support vectors")
COMPUTED, CACHED, LASVM_SEEN, LASVM_SUPPORT = range(4)

__all__ = ["ALGORITHMS", "GRADIENTS", "TEACHERS"]
